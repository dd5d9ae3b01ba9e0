"""Arrays that grow with a search."""

import os
import sys
from typing import Any

import numpy as np

LARGE = 1 << 19
"""From so many elements on, an array gets addresses for as many as it may ever have: see `ample`."""
NOT_ALLOWED = "not allowed"
"""The message of a `MemoryError` that is raised because of a limit, although there is memory."""

# Once memory of nearly 32 MB was freed, glibc keeps that of smaller arrays for the next search: see mallopt(3). New
# pages from the system took a fifth of the time of short searches of large grids.
np.empty((1 << 25) - (1 << 13), np.uint8)


def ample(least: int, size: int) -> int:
    """Return for how many elements of `size` bytes to make an array that has to have `least` of them, and may grow.

    Linux provides memory when it is written to, and mostly gives addresses freely. So a large array is made as long as
    it may ever get there, and is never copied: up to half of the memory of the machine.
    """
    if least < LARGE or sys.platform != "linux":
        return least
    import resource

    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        return least
    most = max(least, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2 // size)
    try:
        np.empty(most * size, np.uint8)
    except MemoryError:
        return least
    return most


def grown(array: Any, used: int, room: int) -> Any:
    """Return an array of at least `room` elements, or rows, that begins with the `used` ones of another."""
    if room <= len(array):
        return array
    made = np.empty((ample(room, array.nbytes // max(1, len(array))), *array.shape[1:]), array.dtype)
    made[:used] = array[:used]
    return made
