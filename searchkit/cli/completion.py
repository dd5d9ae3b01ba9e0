"""What the shell offers on TAB: names of examples, problems, engines and options, and the values that are listed.

Typer asks these functions with the words before, and offers what begins with the word. A fault in a plugin is not
reported here; nothing is offered then.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from glob import escape, glob
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from searchkit.plugin.registry import Registry

VARIABLE = "_SEARCHKIT_COMPLETE"
"""The environment variable by which the shell's function asks."""

Offers = Iterable[tuple[str, str]]
"""Values, each with a line of help."""


def offering(
    offers: "Callable[[Registry, typer.Context, str], Offers]",
) -> Callable[[typer.Context, str], list[Any]]:
    """Return a function for Typer. The registry is imported on TAB, not with the command."""

    def offered(ctx: typer.Context, incomplete: str) -> list[Any]:
        with suppress(Exception):
            from searchkit.plugin.registry import registry

            return list(offers(registry(), ctx, incomplete))
        return []

    return offered


def _summaries(specs: Iterable[Any]) -> list[tuple[str, str]]:
    return [(spec.name, spec.summary) for spec in specs]


@offering
def sources(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer examples, kinds of problem that need no file, and files. The shell offers files if no name fits."""
    offers = _summaries(example for spec in found.problems.values() for example in spec.examples)
    offers += _summaries(spec for spec in found.problems.values() if spec.instance is not None)
    if not any(name.startswith(incomplete) for name, _ in offers):
        return []
    paths = sorted(glob(f"{escape(incomplete)}*"))  # noqa: PTH207  # a path keeps no "./"
    return offers + [(path + os.sep if os.path.isdir(path) else path, "") for path in paths]  # noqa: PTH112


@offering
def problems(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the kinds of problem."""
    return _summaries(found.problems.values())


@offering
def engines(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the engines, and `auto`."""
    return [("auto", "chooses an engine"), *_summaries(found.engines.values())]


@offering
def engine_lists(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer engines for a list with commas: the last one is completed."""
    before, comma, _ = incomplete.rpartition(",")
    given = before.split(",")
    names = [
        (before + comma + spec.name, spec.summary)
        for spec in found.engines.values()
        if spec.name not in given
    ]
    return names if comma else [*names, ("all", "all that can run")]


@offering
def backends(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the backends."""
    return [("auto", "chooses one"), ("python", ""), ("compiled", "machine code")]


@offering
def workers(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the kinds of workers."""
    from searchkit.disk.executors import available_executors

    return _summaries(available_executors().values())


@offering
def settings(found: "Registry", ctx: typer.Context, incomplete: str) -> Offers:
    """Offer options of the engines and of the problem as `name=`, with each of the values that are listed."""
    from searchkit.plugin.specs import boolean

    named = ctx.params.get("engines") or ctx.params.get("engine") or ()
    chosen = named.split(",") if isinstance(named, str) else named
    engines = [found.engines[name] for name in chosen if name in found.engines] or found.engines.values()
    # Typer leaves the arguments before an option without its value in `args`.
    source = ctx.params.get("source") or ctx.params.get("target") or next(iter(ctx.args), "")
    kind = ctx.params.get("problem")
    kinds = [
        spec
        for spec in found.problems.values()
        if spec.name in (kind, source) or (not kind and source in [example.name for example in spec.examples])
    ]
    parameters = [p for engine in engines for p in engine.options]
    parameters += [p for spec in kinds or found.problems.values() for p in spec.parameters]
    for parameter in parameters:
        if parameter.name not in ("start", "goal"):
            values = ("true", "false") if parameter.convert is boolean else parameter.choices
            yield from ((f"{parameter.name}={value}", parameter.help) for value in values or ("",))
