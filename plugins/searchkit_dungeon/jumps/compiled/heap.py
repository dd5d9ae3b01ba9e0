"""The frontier of jump point search: a heap with the least f first, and of equal ones the newest.

Indices of arrays are unsigned, here and in the other modules: Numba lets signed ones count from the end, which takes
time.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.kit import heap

ENTRY = np.dtype([("f", np.float64), ("node", np.uint32)], align=True)
"""The node is the number of a record; records are numbered in the order in which they are made."""
AT: Any = np.uint64
"""Converts a number ≥ 0 to an index."""


class Openings(NamedTuple):
    """A heap of entries of the type `ENTRY`."""

    entries: Any


@heap.load.when(Openings)
def _(queue: Any, index: Any) -> Any:
    return queue.entries[index].f, queue.entries[index].node


@heap.store.when(Openings)
def _(queue: Any, index: Any, entry: Any) -> None:
    queue.entries[index].f, queue.entries[index].node = entry


@heap.is_before.when(Openings)
def _(queue: Any, one: Any, other: Any) -> Any:
    return (one[0] < other[0]) | ((one[0] == other[0]) & (one[1] > other[1]))
