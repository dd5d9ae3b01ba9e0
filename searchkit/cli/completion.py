"""What the shell offers on Tab for names: examples, problems, engines and backends. Typer offers everything else.

A fault in a plugin is not reported here; nothing is offered then.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from glob import escape, glob
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from searchkit.plugin.registry import Registry

VARIABLE = "_SEARCHKIT_COMPLETE"
"""The environment variable by which the shell's function asks."""


def offering(offers: "Callable[[Registry, str], Iterable[Any]]") -> Callable[[str], list[Any]]:
    """Return a function for Typer, which offers what begins with the word. The registry is imported on Tab."""

    def offered(incomplete: str) -> list[Any]:
        with suppress(Exception):
            from searchkit.plugin.registry import registry

            return list(offers(registry(), incomplete))
        return []

    return offered


def _sources(found: "Registry", incomplete: str) -> list[tuple[str, str]]:
    """Offer examples, kinds of problem that need no file, and files. The shell offers files if no name fits."""
    specs = found.problems.values()
    named = [example for spec in specs for example in spec.examples] + [s for s in specs if s.instance]
    if not any(each.name.startswith(incomplete) for each in named):
        return []
    paths = sorted(glob(f"{escape(incomplete)}*"))  # noqa: PTH207  # a path keeps no "./"
    offers = [(path + os.sep if os.path.isdir(path) else path, "") for path in paths]  # noqa: PTH112
    return [(each.name, each.summary) for each in named] + offers


sources = offering(_sources)
problems = offering(lambda found, _: [(spec.name, spec.summary) for spec in found.problems.values()])
engines = offering(
    lambda found, _: [
        ("auto", "chooses an engine"),
        *((spec.name, spec.summary) for spec in found.engines.values()),
    ]
)
backends = offering(lambda found, _: [("auto", "chooses one"), ("python", ""), ("compiled", "machine code")])
