"""Arrays that are copied in pieces, and kept for later searches: allocating megabytes takes longer than many searches.

The ownership rule: a kept array is only ever *lent*, as a view. It belongs to whoever holds a view of it, or a view of
a view: a search, its tree, a distance map or a path. It returns to its pool when no view is left; so it does not matter
who drops what first, and nobody can overwrite an array that somebody still reads.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import finalize

import numpy as np

from searchkit.compiled.kit.table import LOAD, MOST_SLOTS

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

Kept = TypeVar("Kept")
OVERCOMMIT = Path("/proc/sys/vm/overcommit_memory")
MOST_ARRAYS = 4 * (os.cpu_count() or 1)
MOST_BYTES = 1 << 29
PIECE = 1 << 22
"""Bytes that are copied or filled at a time when an array grows."""
SLOTS_PIECE, NODES_PIECE = 1 << 20, 1 << 15
"""The number of slots of a table that are emptied at a time, and of nodes that are entered into it."""
PLENTY = 32
"""An array grows as without a limit while so many times its size are available."""
SLOT = np.dtype(np.uint32)
SLOTS_PER_NODE = 2
"""The size of a small table for each node for which there is room, unless a memory limit is near."""
LARGE = 1 << 19
"""From so many elements on, an array gets addresses for as many as it may ever have: see `ample`."""
MANY = 1 << 19
"""For so many nodes, a table is large: it grows by the factor `GROWTH`, and `LOAD` of it is used; a small one grows by
the factor 4, which is faster."""
GROWTH = 1.45
"""With this factor, a state of one word never takes 24 bytes: 16 of its record, and at most 4 × 1.45 / 0.75 of the
table. With a smaller factor, nodes would be entered into a new table more often."""
LEAST_GROWTH = 64
"""Near a memory limit, records grow by one part of so many at least, so that the table is seldom filled anew."""
NOT_ALLOWED = "not allowed"
"""The message of a `MemoryError` that is raised because of a limit, although there is memory."""


class _Loan:
    """The object that all views of a lent array keep alive: numpy makes it the base of the first view.

    The garbage collector does not look into arrays. So it never finds a loan before the last view is gone, not even in
    a cycle. So a method that is called at its end is enough; `weakref.finalize` would take longer than the loan itself.
    """

    __slots__ = ("__array_interface__", "arguments", "array", "give_back")

    def __init__(self, array: Any, give_back: Callable[..., object], arguments: tuple[object, ...]):
        self.array, self.give_back, self.arguments = array, give_back, arguments
        self.__array_interface__ = array.view(np.uint8).__array_interface__

    def __del__(self, ends: Callable[[], bool] = sys.is_finalizing) -> None:
        if not ends():
            self.give_back(self.array, *self.arguments)


def lend(array: Any, give_back: Callable[..., object], *arguments: object) -> Any:
    """Return a view of a whole array of one dimension; when no view is left, call `give_back(array, *arguments)`.

    The call may come from any thread, in the middle of whatever it is doing. The caller must not hold the array itself.
    """
    return np.asarray(_Loan(array, give_back, arguments)).view(array.dtype)


def lend_object(kept: Kept, give_back: Callable[[Kept], object]) -> Kept:
    """Return an object that shares the attributes of `kept`; when it is gone, call `give_back(kept)`.

    For an object whose attributes are arrays that may be replaced by larger ones while it is lent. Whoever reads its
    arrays must hold the object.
    """
    lent = object.__new__(type(kept))
    lent.__dict__ = kept.__dict__
    finalize(lent, give_back, kept).atexit = False
    return lent


class _Entry(NamedTuple):
    array: Any
    note: Any


class ArrayPool:
    """Arrays that no search uses, each with a note for the next user. Any number of threads may use a pool.

    The garbage collector may give an array back from within whatever a thread is doing. So there is no lock, which that
    thread could hold already: each step is one operation of a dictionary, and no array is handed out twice.

    Args:
        most_arrays: how many arrays are kept; of more, the oldest are released.
        most_bytes: the size of all of them together.

    """

    def __init__(self, most_arrays: int = MOST_ARRAYS, most_bytes: int = MOST_BYTES):
        self.most_arrays, self.most_bytes = most_arrays, most_bytes
        self._kept: dict[object, _Entry] = {}
        """In the order in which they were given back. Each key is a new object: a counter could give two threads the
        same number."""

    def take(self, fits: Callable[[Any, Any], bool]) -> tuple[Any, Any] | None:
        """Remove and return (array, note) such that `fits(array, note)`; None if there is none.

        Of several, the array that was given back last is taken: it is the likeliest to be in the processor's cache.
        """
        for key in reversed(list(self._kept)):
            entry = self._kept.get(key)
            if entry is not None and fits(*entry) and self._kept.pop(key, None) is not None:
                return entry
        return None

    def lend(self, array: Any, note: Any = None) -> Any:
        """Return a view of an array of one dimension, which is kept in the pool with the note when no view is left."""
        return lend(array, self._keep, note)

    def _keep(self, array: Any, note: Any) -> None:
        self._kept[object()] = _Entry(array, note)
        held = 0
        for number, key in enumerate(reversed(list(self._kept))):
            entry = self._kept.get(key)
            held += entry.array.nbytes if entry is not None else 0
            if number >= self.most_arrays or held > self.most_bytes:
                self._kept.pop(key, None)

    def __len__(self) -> int:
        return len(self._kept)


POOL = ArrayPool()
"""The arrays of all engines that search the graph of a compiled view. The note of an array is a stamp."""


def plain_array(kind: Any, size: int) -> Any:
    """Return an uninitialised array of `size` elements of a type, from `POOL`."""
    kind = np.dtype(kind)
    kept = POOL.take(lambda array, stamp: array.dtype == kind and len(array) == size)
    return POOL.lend(np.empty(size, kind) if kept is None else kept[0], 0)


def stamped_array(kind: Any, size: int, last_stamp: int) -> tuple[Any, int]:
    """Return an array of `size` elements that hold stamps up to `last_stamp`, from `POOL`, and a stamp.

    No element has that stamp: so all elements count as empty, and none of them has to be written.
    """
    kept = POOL.take(lambda array, stamp: array.dtype == kind and len(array) == size)
    array, stamp = (np.zeros(size, kind), 0) if kept is None or kept[1] == last_stamp else kept
    return POOL.lend(array, stamp + 1), stamp + 1


def reserved(least: int, used: int, size: int, available: float | None) -> int:
    """Return how many elements an array should have that grows to `least` of them, of `size` bytes each.

    `available` is how many bytes may still be allocated; None for no limit. If that is so little that the array could
    not be copied again, it becomes as long as the limit allows: the system provides memory when it is written to, so
    the search goes on up to the limit, and nothing is copied any more.

    Raises `MemoryError` if a copy of the `used` elements does not fit.
    """
    if available is None or available >= PLENTY * used * size:
        return least
    if used * size > available:
        raise MemoryError(NOT_ALLOWED)
    most = max(least, used + int(available) // size)
    try:
        np.empty(most * size, np.uint8)
    except MemoryError:  # the address space is limited too
        return least
    return most


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


def larger_table(
    room: int, slots: int, count: int, size: int, least: int, available: float | None
) -> tuple[int, int]:
    """Return the room for nodes and the size of the table to which records should grow.

    They become larger by a factor or, if `available` bytes do not suffice for that, as large as these allow.

    Args:
        room: the present room.
        slots: the present size of the table, which is released when the larger one is written to.
        count: the number of nodes.
        size: the bytes of a node.
        least: for how many nodes there must be room.
        available: how many bytes may still be allocated; None for no limit.

    Raises `MemoryError` if that is not allowed.

    """
    grown = max(4 * room if room < MANY else int(GROWTH * room), least)
    wanted, table = grown, max(slots, SLOTS_PER_NODE * grown if room < MANY else int(grown / LOAD) + 1)
    if available is not None and available < PLENTY * count * size:
        fits = int((available + count * size + slots * SLOT.itemsize) / (size + SLOT.itemsize / LOAD))
        if fits < grown:
            wanted, table = fits, max(slots, int(fits / LOAD) + 1)
            least = max(least, count + count // LEAST_GROWTH)
    table = min(table, MOST_SLOTS)
    wanted = min(wanted, int(table * LOAD))
    if wanted < least:
        raise MemoryError("" if available is None else NOT_ALLOWED)
    return wanted, table


def copied(target: Any, source: Any) -> Iterator[None]:
    """Copy an array into another, or one value into all of it. In pieces."""
    step = max(1, PIECE // target.itemsize)
    for begin in range(0, len(target), step):
        if begin:
            yield
        target[begin : begin + step] = source if np.ndim(source) == 0 else source[begin : begin + step]


def finished(steps: Generator[object, None, Any]) -> Any:
    """Do all pieces of some work at once; return what the generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
