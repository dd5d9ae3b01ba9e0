"""The arrays of a ladder queue: making them, and keeping their memory for later searches."""

from functools import lru_cache
from typing import Any

import numpy as np

from searchkit.compiled.kit.arrays import MOST_ARRAYS, ArrayPool
from searchkit.kernels.queue.entries import SIZES, STORED, WORDS, Whole
from searchkit.kernels.queue.ladder import BUCKETS, CHUNK
from searchkit.kernels.queue.sorting import GROUPS

WORD = 8
FIRST_CAPACITY = 1 << 10
MOST_KEPT = 1 << 16
"""Entries of the largest queue whose memory is kept for another search."""
_pool = ArrayPool(MOST_ARRAYS)
"""The memory of queues that are not used any more; the note is the form of the entries and the capacity."""


def kept_memory(form: Any) -> Any:
    """Remove and return (memory, (form, capacity)) of a queue of this form that is not used any more; or None."""
    return _pool.take(lambda memory, note: note[0] is form)


def made_arrays(form: Any, capacity: int, *policy: bool) -> tuple[Any, int]:
    """Return the arrays of a queue for `capacity` entries, and the capacity. `policy` is as for `carved`."""
    words = _layout(form, capacity)[0] // WORD
    return carved(form, np.empty(words, np.uint64), capacity, *policy)


def carved(form: Any, memory: Any, capacity: int, *policy: bool) -> tuple[Any, int]:
    """Return arrays that lie one after the other in memory, which is kept when none of them is left.

    `policy` is, for `Whole`, whether entries are ranked, and whether the oldest come out first.
    """
    lent = memory if capacity > MOST_KEPT else _pool.lend(memory, (form, capacity))
    arrays = [np.ndarray(size, kind, lent, begin) for size, kind, begin in _layout(form, capacity)[1]]
    return form(*arrays, *policy), capacity


@lru_cache(maxsize=16)
def _layout(form: Any, capacity: int) -> tuple[int, list[tuple[int, Any, int]]]:
    """Return the bytes of the arrays of a queue; and the size, the type and the place of each, in the order of fields.

    Each begins at a whole word.
    """
    words = STORED[form]
    chunks = capacity // int(CHUNK) + BUCKETS + 2  # one chunk of each list may hold one entry
    sizes = {
        "stack": (capacity * words["stack"], np.uint64),
        "heap": (capacity * words["heap"], np.uint64),
        "pool": (chunks * int(CHUNK) * words["pool"], np.uint64),
        **({"late": (chunks * int(CHUNK), np.uint32)} if form is Whole else {"scale": (2, np.float64)}),
        "links": (chunks, np.uint32),
        "heads": (BUCKETS + 1, np.uint32),
        "fills": (BUCKETS + 1, np.uint32),
        "marks": (BUCKETS // 64, np.uint64),
        "counts": (GROUPS + 2, np.uint32),
        "sizes": (SIZES, np.int64),
        "ends": (2 * WORDS[form], np.uint64),
    }
    layout, begin = [], 0
    for name in form._fields[: len(sizes)]:
        size, kind = sizes[name]
        layout.append((size, np.dtype(kind), begin))
        begin += -(-size * np.dtype(kind).itemsize // WORD) * WORD
    return begin, layout
