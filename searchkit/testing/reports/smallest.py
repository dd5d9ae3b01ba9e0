"""The smallest case that breaks a promise, found by Hypothesis and the same in every run of one seed."""

from collections.abc import Callable
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

Case = TypeVar("Case")
EXAMPLES = 200
"""Cases that a check tries where the caller does not say."""


def smallest(
    strategy: SearchStrategy[Case],
    broken: Callable[[Case], bool],
    *,
    examples: int = EXAMPLES,
    seed: int = 0,
    shrink: bool = True,
) -> Case | None:
    """Return the simplest case that Hypothesis shrinks to among those for which `broken` is true.

    None where none of `examples` cases is. The same arguments give the same case. Unless it is to `shrink`, the first
    one that was drawn.
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
