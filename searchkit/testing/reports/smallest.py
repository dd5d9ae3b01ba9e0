"""Finding the smallest case that breaks a promise, with Hypothesis, reproducibly for a seed."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy, lists, text

Case = TypeVar("Case")
EXAMPLES = 200
"""The default number of cases of a check."""
PHASES = (Phase.generate, Phase.shrink)
"""What `smallest` does; tests of what is found, and not of how small it is, leave out shrinking."""


def smallest(
    strategy: SearchStrategy[Case],
    broken: Callable[[Case], bool],
    *,
    examples: int = EXAMPLES,
    seed: int = 0,
    shrink: bool = True,
) -> Case | None:
    """Return the simplest case found for which `broken` is true, or None if it is false for `examples` cases.

    The same arguments give the same case. Without `shrink`, it is the first case that was drawn.
    """
    how = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=PHASES if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(strategy, broken, settings=how, random=Random(seed))
    except NoSuchExample:
        return None


def load_tables(kept: Path | None, then: Path) -> None:
    """Make Hypothesis load now what it otherwise computes at its first draws in a folder, which takes half a second.

    These are its table of Unicode, and the constants of modules. It draws the same cases with them.

    Args:
        kept: where they are read, and written if they are not there; None computes them.
        then: the folder that Hypothesis uses afterwards.

    """
    if kept is not None:
        set_hypothesis_home_dir(kept)
        smallest(lists(text(), min_size=100, max_size=100), lambda _: False, examples=3, shrink=False)
    set_hypothesis_home_dir(then)
