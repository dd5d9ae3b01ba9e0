"""Arrays that are kept for the next searches: making new ones of some megabytes takes longer than many searches.

They are lent (`searchkit.kernels.lending`): an array comes back when nobody views it any more.

What is kept, any number of threads give and take at the same time, and the garbage collector gives back from within
whatever a thread is doing. So there is no lock, which such a thread could hold already: each step is one operation of a
dictionary, and no two threads get the same array.
"""

import os
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from searchkit.kernels.lending import lend
from searchkit.kernels.stores import NODE

MARK = np.dtype(np.uint16)

LAST_STAMP = {NODE: 255, MARK: 127}
"""Kind of array → the largest stamp that it has room for."""
MOST_ARRAYS = 4 * (os.cpu_count() or 1)
MOST_BYTES = 1 << 29
"""Of all arrays that are kept; of more, the oldest are let go."""


class Kept(NamedTuple):
    """An array that no search uses."""

    array: Any
    stamp: int
    """The stamp that it was last used with."""


_kept: dict[int, Kept] = {}
"""By the order in which they were given back."""
_turns = count()


def node_array(size: int) -> tuple[Any, int]:
    """Return an array of `size` node records, and the stamp of the search that takes it.

    No record in it has that stamp.
    """
    return _stamped(NODE, size)


def mark_array(size: int) -> tuple[Any, int]:
    """Return the same of marks, two bytes each."""
    return _stamped(MARK, size)


def _stamped(kind: Any, size: int) -> tuple[Any, int]:
    kept = _take(kind, size)
    if kept is None or kept.stamp == LAST_STAMP[kind]:
        kept = Kept(np.zeros(size, kind), 0)
    return lend(kept.array, _keep, kept.stamp + 1), kept.stamp + 1


def queue_array(size: int) -> Any:
    """Return an array of `size` node numbers, of no particular values."""
    return plain_array(np.dtype(np.uint32), size)


def cost_array(size: int) -> Any:
    """Return an array of `size` costs, of no particular values."""
    return plain_array(np.dtype(np.float64), size)


def plain_array(kind: Any, size: int) -> Any:
    """Return an array of `size` elements of that type, of no particular values."""
    kept = _take(kind, size) or Kept(np.empty(size, kind), 0)
    return lend(kept.array, _keep, 0)


def _take(kind: Any, size: int) -> Kept | None:
    """Take the array of that kind and size that was given back last: it is the likeliest to be in the cache."""
    for turn in reversed(list(_kept)):
        kept = _kept.get(turn)
        fits = kept is not None and kept.array.dtype == kind and len(kept.array) == size
        if fits and _kept.pop(turn, None) is not None:
            return kept
    return None


def _keep(array: Any, stamp: int) -> None:
    """Keep an array, and let the oldest go where they are too many or too large."""
    _kept[next(_turns)] = Kept(array, stamp)
    held = 0
    for number, turn in enumerate(reversed(list(_kept))):
        kept = _kept.get(turn)
        held += kept.array.nbytes if kept is not None else 0
        if number >= MOST_ARRAYS or held > MOST_BYTES:
            _kept.pop(turn, None)
