"""Arrays that are kept for the next search: making new ones of some megabytes takes longer than many searches."""

from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np

from searchkit.kernels.stores import NODE

LAST_STAMP = 255
_lock = Lock()
_kept: dict[Any, tuple[Any, int]] = {}
"""Kind of array → the last one that was given back, and the stamp that it was last used with."""


def node_array(owner: object, size: int) -> tuple[Any, int]:
    """Return an array of `size` node records, and the stamp of the search that takes it.

    No record in it has that stamp. It is kept for another search when `owner` is gone.
    """
    array, stamp = _take(NODE, size)
    if array is None or stamp == LAST_STAMP:
        array, stamp = np.zeros(size, NODE), 0
    finalize(owner, _keep, array, stamp + 1).atexit = False
    return array, stamp + 1


def queue_array(owner: object, size: int) -> Any:
    """Return an array of `size` node numbers, of no particular values."""
    array, _ = _take(np.dtype(np.uint32), size)
    if array is None:
        array = np.empty(size, np.uint32)
    finalize(owner, _keep, array, 0).atexit = False
    return array


def _take(kind: Any, size: int) -> tuple[Any, int]:
    with _lock:
        array, stamp = _kept.get(kind, (None, 0))
        if array is None or len(array) != size:
            return None, 0
        del _kept[kind]
        return array, stamp


def _keep(array: Any, stamp: int) -> None:
    with _lock:
        _kept[array.dtype] = array, stamp
