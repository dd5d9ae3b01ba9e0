"""Choices at random that come out the same on every machine and in every version of Python.

Python promises this of `random()` alone: the methods above it, such as `shuffle` and `randrange`, have changed.
"""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def below(rng: Random, bound: int) -> int:
    """Return a whole number from 0 to `bound` − 1; `bound` is at least 1, and far below 2⁵³."""
    return int(rng.random() * bound)


def between(rng: Random, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`, both included."""
    return least + below(rng, most - least + 1)


def choice(rng: Random, items: Sequence[Item]) -> Item:
    """Return one of the items, of which there is at least one."""
    return items[below(rng, len(items))]


def shuffle(rng: Random, items: MutableSequence[Item]) -> None:
    """Bring the items into a random order, in place (Fisher and Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = below(rng, last + 1)
        items[last], items[other] = items[other], items[last]


def take_any(rng: Random, items: MutableSequence[Item]) -> Item:
    """Remove one of the items and return it, in constant time; the last item takes its place."""
    at = below(rng, len(items))
    items[at], items[-1] = items[-1], items[at]
    return items.pop()
