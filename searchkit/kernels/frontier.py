"""The arrays of a priority queue: made, grown, and filled from what an engine in Python holds."""

import os
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiling import kernel
from searchkit.kernels.control import EXACT
from searchkit.kernels.entries import (
    FREE,
    HALF,
    HEAPED,
    LAST_TURN,
    LATE,
    LOW,
    MOST_WHOLE,
    SHIFT,
    SIZES,
    TOP,
    USED,
    WHOLE_END,
    WORDS,
    Real,
    Whole,
    load,
    store,
)
from searchkit.kernels.lending import lend
from searchkit.kernels.queues import BUCKETS, CHUNK, END, GROUPS
from searchkit.kernels.slicing import copied

FIRST_CAPACITY = 1 << 10
MOST_KEPT = 1 << 20
"""Entries of the largest queue whose arrays are kept for another search."""
_spare: dict[Any, deque[Any]] = {form: deque(maxlen=2 * (os.cpu_count() or 1)) for form in WORDS}
"""The memory of queues that nobody uses any more, with their capacities.

Taking one out of a deque and putting one in are single operations, safe in threads."""


@kernel
def _gather(queue: Any, gathered: Any) -> Any:
    """Write all entries into an array, in no order."""
    count = np.uint64(0)
    for index in range(np.uint64(queue.sizes[TOP])):
        store(queue, gathered, count, load(queue, queue.stack, index))
        count += np.uint64(1)
    for index in range(np.uint64(queue.sizes[HEAPED])):
        store(queue, gathered, count, load(queue, queue.heap, index))
        count += np.uint64(1)
    for bucket in range(BUCKETS + 1):
        chunk, filled = queue.heads[bucket], np.uint64(queue.fills[bucket])
        while chunk != END:
            for index in range(filled):
                store(queue, gathered, count, load(queue, queue.pool, np.uint64(chunk) * CHUNK + index))
                count += np.uint64(1)
            chunk, filled = queue.links[chunk], CHUNK
    return count


class Frontier:
    """A priority queue of (f, rank or cost so far, node), as its ties policy orders them.

    Args:
        whole: whether all numbers are whole: entries are shorter then, for as long as the numbers are below 2³⁰.
        ranked: whether entries of equal f are ordered by their rank, before their turn.
        high_g: whether that rank is the cost so far, the largest first.
        fifo: whether what was put in first comes out first, of what is equal otherwise.

    """

    def __init__(self, whole: bool, ranked: bool, high_g: bool, fifo: bool):
        self.ranked, self.high_g, self.fifo = ranked, high_g, fifo
        self.turn = 0
        """How many turns are used up."""
        self._take(Whole if whole else Real)

    @property
    def most(self) -> float:
        """Where an f of this size comes out, the entries have to become ones that take all numbers."""
        return MOST_WHOLE if isinstance(self.arrays, Whole) else EXACT

    @property
    def largest(self) -> float:
        """Numbers from here on can't be entered."""
        return WHOLE_END if isinstance(self.arrays, Whole) else EXACT

    @property
    def words(self) -> int:
        """How many words an entry has."""
        return WORDS[type(self.arrays)]

    def _take(self, form: Any) -> None:
        try:
            self.arrays, self.capacity = _carved(form, *_spare[form].pop())
        except IndexError:
            self.arrays, self.capacity = _made(form, FIRST_CAPACITY)
        self._clear()

    def _clear(self) -> None:
        arrays = self.arrays
        arrays.heads[:] = END
        arrays.marks[:] = 0
        arrays.sizes[:] = 0
        arrays.sizes[FREE] = END
        arrays.sizes[SHIFT] = HALF
        arrays.scale[:] = 0.0, 1e300

    def fill(self, f: Any, value: Any, nodes: Any) -> None:
        """Put in entries, in the order in which they were made; `value` is h where it is the rank, else g."""
        count = len(f)
        if count > self.capacity:
            self.arrays, self.capacity = _made(type(self.arrays), 2 * count)
        self._clear()
        turns = np.arange(1, count + 1, dtype=np.uint64)
        words = self._encoded(
            np.asarray(f, np.float64),
            np.asarray(value, np.float64),
            turns if self.fifo else LAST_TURN - turns,
            np.asarray(nodes, np.uint64),
        )
        arrays = self.arrays
        arrays.pool[: words.size] = words.ravel()
        chunks = -(-count // int(CHUNK))
        arrays.links[:chunks] = np.arange(-1, chunks - 1).astype(np.uint32)  # −1 becomes the end
        if count:
            arrays.heads[BUCKETS], arrays.fills[BUCKETS] = chunks - 1, count - int(CHUNK) * (chunks - 1)
        arrays.sizes[LATE], arrays.sizes[USED], self.turn = count, chunks, count

    def entries(self) -> tuple[Any, Any, Any]:
        """Return f, value and node of each entry, in the order in which they were made."""
        gathered = np.empty(self.capacity * self.words, np.uint64)
        count = int(_gather(self.arrays, gathered))
        f, value, turns, nodes = self._decoded(gathered[: count * self.words].reshape(count, self.words))
        made = np.argsort(turns if self.fifo else LAST_TURN - turns)
        return f[made], value[made], nodes[made]

    def renumber(self) -> None:
        """Give all entries new turns, in the order in which they were made."""
        self.fill(*self.entries())

    def widen(self) -> None:
        """Go over to entries that take all numbers."""
        entries = self.entries()
        self._take(Real)
        self.fill(*entries)

    @property
    def growth(self) -> int:
        """How many bytes it takes to make room for twice as many, before what was there is free."""
        sizes = self.arrays.sizes
        used: int = (
            int(sizes[TOP] + sizes[HEAPED] + sizes[USED] * int(CHUNK))
            * self.words
            * self.arrays.stack.itemsize
        )
        rest: int = sum(getattr(self.arrays, name).nbytes for name in ("links", "heads", "fills", "counts"))
        return used + rest

    def grow(self) -> Iterator[None]:
        """Make room for twice as many, in pieces. Raises `MemoryError` where there is none; nothing is lost then."""
        old, words = self.arrays, self.words
        grown, capacity = _made(type(old), 2 * self.capacity)
        used = {"stack": old.sizes[TOP], "heap": old.sizes[HEAPED], "pool": old.sizes[USED] * int(CHUNK)}
        for name, count in used.items():
            yield from copied(getattr(grown, name)[: count * words], getattr(old, name)[: count * words])
        grown.links[: len(old.links)] = old.links
        for name in ("heads", "fills", "marks", "sizes", "scale"):
            getattr(grown, name)[:] = getattr(old, name)
        self.arrays, self.capacity = grown, capacity

    def _encoded(self, f: Any, value: Any, turns: Any, nodes: Any) -> Any:
        if self.words == WORDS[Whole]:
            number = value.astype(np.uint64)
            rank = LOW - number if self.high_g else number
            first, last = (rank, turns) if self.ranked else (turns, number)
            return np.column_stack([f.astype(np.uint64) << HALF | first, last << HALF | nodes])
        last, bits = turns << HALF | nodes, (value + 0.0).view(np.uint64)
        middle, end = (~bits if self.high_g else bits, last) if self.ranked else (last, bits)
        return np.column_stack([(f + 0.0).view(np.uint64), middle, end])

    def _decoded(self, words: Any) -> tuple[Any, Any, Any, Any]:
        if self.words == WORDS[Whole]:
            first, last = words[:, 0] & LOW, words[:, 1] >> HALF
            number, turns = (first, last) if self.ranked else (last, first)
            value = LOW - number if self.ranked and self.high_g else number
            return (
                (words[:, 0] >> HALF).astype(np.float64),
                value.astype(np.float64),
                turns,
                words[:, 1] & LOW,
            )
        bits, last = (words[:, 1], words[:, 2]) if self.ranked else (words[:, 2], words[:, 1])
        value = np.ascontiguousarray(~bits if self.ranked and self.high_g else bits).view(np.float64)
        return np.ascontiguousarray(words[:, 0]).view(np.float64), value, last >> HALF, last & LOW


def _made(form: Any, capacity: int) -> tuple[Any, int]:
    """Return the arrays of a queue for so many entries, and how many these are."""
    words = sum(-(-size * kind.itemsize // 8) for size, kind in _sizes(form, capacity).values())
    return _carved(form, np.empty(words, np.uint64), capacity)


def _carved(form: Any, memory: Any, capacity: int) -> tuple[Any, int]:
    """Return arrays that lie one after the other in memory that is kept when none of them is left."""
    lent, arrays, begin = lend(memory, _keep, form, capacity), {}, 0
    for name, (size, kind) in _sizes(form, capacity).items():
        end = begin - (-size * kind.itemsize // 8)
        arrays[name] = lent[begin:end].view(kind)[:size]
        begin = end
    return form(**arrays), capacity


def _keep(memory: Any, form: Any, capacity: int) -> None:
    if capacity <= MOST_KEPT:
        _spare[form].append((memory, capacity))


def _sizes(form: Any, capacity: int) -> dict[str, tuple[int, Any]]:
    """Return the size and the type of each array of a queue."""
    words, chunks = (
        WORDS[form],
        capacity // int(CHUNK) + BUCKETS + 2,
    )  # one chunk of each list may hold one entry
    sizes = {
        "stack": (capacity * words, np.uint64),
        "heap": (capacity * words, np.uint64),
        "pool": (chunks * int(CHUNK) * words, np.uint64),
        "links": (chunks, np.uint32),
        "heads": (BUCKETS + 1, np.uint32),
        "fills": (BUCKETS + 1, np.uint32),
        "marks": (BUCKETS // 64, np.uint64),
        "counts": (GROUPS + 2, np.uint32),
        "sizes": (SIZES, np.int64),
        "scale": (2, np.float64),
        "ends": (2 * words, np.uint64),
    }
    return {name: (size, np.dtype(kind)) for name, (size, kind) in sizes.items()}
