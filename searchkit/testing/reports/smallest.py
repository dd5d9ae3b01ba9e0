"""Finding the smallest case that breaks a promise, with Hypothesis, reproducibly for a seed."""

from collections.abc import Callable
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

Case = TypeVar("Case")
EXAMPLES = 200
"""The default number of cases of a check."""


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
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(strategy, broken, settings=how, random=Random(seed))
    except NoSuchExample:
        return None
