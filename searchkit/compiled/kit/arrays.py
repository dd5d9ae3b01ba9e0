"""Arrays that grow with a search."""

import os
from pathlib import Path
from typing import Any

import numpy as np

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

OVERCOMMIT = Path("/proc/sys/vm/overcommit_memory")
LARGE = 1 << 22
"""From so many elements on, an array gets addresses for as many as it may ever have: see `ample`."""
NOT_ALLOWED = "not allowed"
"""The message of a `MemoryError` that is raised because of a limit, although there is memory."""

# Once memory of nearly 32 MB was freed, glibc keeps that of smaller arrays for the next search: see mallopt(3). New
# pages from the system took a fifth of the time of short searches of large grids.
np.empty((1 << 25) - (1 << 13), np.uint8)


def ample(least: int, size: int) -> int:
    """Return for how many elements of `size` bytes to make an array that has to have `least` of them, and may grow.

    The system provides memory when it is written to. So where addresses are free, a large array is made as long as it
    may ever get, and is never copied: up to half of the memory of the machine, which Linux lets a process ask for.
    """
    if least < LARGE or not _has_free_addresses():
        return least
    most = max(least, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2 // size)
    try:
        np.empty(most * size, np.uint8)
    except MemoryError:
        return least
    return most


def _has_free_addresses() -> bool:
    """Whether memory that is never written to counts nowhere: neither for a limit of addresses nor for the system."""
    if resource is None or resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        return False
    return OVERCOMMIT.exists() and OVERCOMMIT.read_text().strip() != "2"


def grown(array: Any, used: int, room: int) -> Any:
    """Return an array of at least `room` elements, or rows, that begins with the `used` ones of another."""
    if room <= len(array):
        return array
    made = np.empty((ample(room, array.nbytes // max(1, len(array))), *array.shape[1:]), array.dtype)
    made[:used] = array[:used]
    return made
