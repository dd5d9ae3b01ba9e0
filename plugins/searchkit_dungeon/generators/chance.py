"""Random choices that are the same on every machine and in every version of Python.

Python guarantees this only for `random()`; methods such as `shuffle` and `randrange` have changed.
"""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def below(rng: Random, bound: int) -> int:
    """Return a random integer from 0 to `bound` − 1; `bound` is at least 1 and far below 2⁵³."""
    return int(rng.random() * bound)


def choice(rng: Random, items: Sequence[Item]) -> Item:
    """Return a random item of a non-empty sequence."""
    return items[below(rng, len(items))]


def shuffle(rng: Random, items: MutableSequence[Item]) -> None:
    """Shuffle the items in place (Fisher and Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = below(rng, last + 1)
        items[last], items[other] = items[other], items[last]


def take_any(rng: Random, items: MutableSequence[Item]) -> Item:
    """Remove and return a random item in constant time; the last item takes its place."""
    at = below(rng, len(items))
    items[at], items[-1] = items[-1], items[at]
    return items.pop()
