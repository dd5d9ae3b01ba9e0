"""The frontier of jump point search: a heap of least f first; of equal ones, the newest.

Places in arrays are unsigned, here and in the modules beside: Numba lets signed ones count from the end, which takes
time.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.kit import heap

ENTRY = np.dtype([("f", np.float64), ("node", np.uint32)], align=True)
"""The node is the number of a record, and records are numbered in the order in which they are made."""
AT: Any = np.uint64
"""Makes a place of a number that is not negative."""


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
