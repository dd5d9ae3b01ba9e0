"""The arrays of a ladder queue: making, filling, growing and converting them."""

from collections.abc import Callable, Generator, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit.arrays import MOST_ARRAYS, ArrayPool, ample, copied, reserved
from searchkit.compiled.kit.control import EXACT
from searchkit.compiled.kit.fields import Fields
from searchkit.compiled.kit.records import Records
from searchkit.compiled.kit.saved import are_reached
from searchkit.kernels.queue.entries import (
    FAR,
    FREE,
    HALF,
    HEAPED,
    LAST_TURN,
    LATE,
    LOW,
    MOST_WHOLE,
    MOVING,
    SHIFT,
    SIZES,
    TOP,
    USED,
    WHOLE_END,
    WORDS,
    Real,
    Whole,
)
from searchkit.kernels.queue.ladder import BUCKETS, CHUNK, END
from searchkit.kernels.queue.opening import GROUPS

ZERO, ONE = np.uint64(0), np.uint64(1)
FIRST_CAPACITY = 1 << 10
ENTRIES = 1 << 15
"""The number of entries that are made, copied or converted at a time."""
DIGIT_BITS = 11
DIGIT = np.uint64((1 << DIGIT_BITS) - 1)
"""Turns are sorted by digits of so many bits, the lowest digit first."""
MOST_KEPT = 1 << 16
"""Entries of the largest queue whose memory is kept for another search."""
_pool = ArrayPool(MOST_ARRAYS)
"""The memory of queues that are not used any more; the note is the form of the entries and the capacity."""


@kernel
def _count(turns: Any, digit: Any, counts: Any) -> None:
    """Count the occurrences of each value of a digit."""
    for turn in turns:
        counts[np.uint64(turn) >> digit & DIGIT] += 1


@kernel
def _far_places(heads: Any, links: Any, fills: Any, places: Any) -> None:
    """Write the places of all entries in the lists of a pool."""
    count = ZERO
    for index in range(np.uint64(heads.size)):
        chunk, filled = np.uint64(heads[index]), np.uint64(fills[index])
        while chunk != np.uint64(END):
            for place in range(filled):
                places[count] = chunk * CHUNK + place
                count += ONE
            chunk, filled = np.uint64(links[chunk]), CHUNK


@kernel
def _move(turns: Any, digit: Any, places: Any, target: Any) -> None:
    """Write each turn to the next place of those with that digit."""
    for turn in turns:
        value = np.uint64(turn) >> digit & DIGIT
        target[places[value]] = turn
        places[value] += 1


class Frontier:
    """A priority queue of (f, rank or cost so far, node), ordered by a ties policy.

    Args:
        whole: whether all numbers are whole; then entries are shorter, as long as the numbers are below 2³⁰.
        ranked: whether entries of equal f are ordered by their rank, before their turn.
        high_g: whether the rank is the cost so far, the largest first.
        fifo: whether the oldest of otherwise equal entries comes out first; else the newest.

    """

    def __init__(self, whole: bool, ranked: bool, high_g: bool, fifo: bool):
        self.ranked, self.high_g, self.fifo = ranked, high_g, fifo
        self.turn = 0
        """The number of turns that are used up."""
        self._take(Whole if whole else Real)

    @property
    def most(self) -> float:
        """When an f of this size comes out, `widen` must be called before more entries are added."""
        return MOST_WHOLE if self.is_whole else EXACT

    @property
    def largest(self) -> float:
        """Numbers from this one on can't be entered."""
        return WHOLE_END if self.is_whole else EXACT

    @property
    def is_whole(self) -> bool:
        """Whether entries have two words, and take whole numbers only."""
        return isinstance(self.arrays, Whole)

    @property
    def words(self) -> int:
        """The number of words of an entry."""
        return WORDS[type(self.arrays)]

    def _take(self, form: Any) -> None:
        kept = _pool.take(lambda memory, note: note[0] is form)
        if kept is None:
            self.arrays, self.capacity = _made(form, FIRST_CAPACITY)
        else:
            self.arrays, self.capacity = _carved(form, kept[0], kept[1][1])
        self._clear()

    def _clear(self) -> None:
        arrays = self.arrays
        arrays.heads[:] = END
        arrays.marks[:] = 0
        arrays.sizes[:] = 0
        arrays.sizes[FREE] = END
        arrays.sizes[SHIFT] = HALF
        arrays.scale[:] = 0.0, 1e300

    def fill(self, f: Any, value: Any, nodes: Any) -> Iterator[None]:
        """Add entries in the order in which they were made; `value` is h if that is the rank, else g. In pieces."""

        def encoded(first: int, end: int) -> Any:
            turns = np.arange(first + 1, end + 1, dtype=np.uint64)
            return self._encoded(
                self.words,
                np.asarray(f[first:end], np.float64),
                np.asarray(value[first:end], np.float64),
                turns if self.fifo else LAST_TURN - turns,
                np.asarray(nodes[first:end], np.uint64),
            )

        return self._put(len(f), encoded)

    def saved(self) -> dict[str, Any]:
        """Return all entries, one row for each, in any order; and whether they are of three words."""
        arrays, sizes, words = self.arrays, self.arrays.sizes, self.words
        pool, far = arrays.pool.reshape(-1, words), np.empty(int(sizes[FAR] + sizes[LATE]), np.uint32)
        _far_places(arrays.heads, arrays.links, arrays.fills, far)
        # A bucket that is being opened is in the array of the heap until the last of its entries has left it.
        near = (
            self._entries("stack", int(sizes[TOP])),
            self._entries("heap", int(sizes[HEAPED] + sizes[MOVING])),
        )
        return {"real": not self.is_whole, "entries": np.concatenate([*near, pool[far]])}

    def restore(self, fields: Fields, records: Records, turn: int) -> None:
        """Replace the entries by what `saved` has returned: they come out in the same order.

        Raises `InputFormatError` if that is not a queue of nodes that were reached.
        """
        entries = fields.array("entries", np.uint64, columns=self.words)
        fields.expect(fields.flag("real") != self.is_whole, "real", "the numbers are not of this problem")
        fields.expect(turn <= LAST_TURN, "counters", "there are too many turns")
        nodes = entries[:, 1 if self.is_whole or not self.ranked else 2] & LOW
        fields.expect(are_reached(records, nodes), "entries", "a state was not reached")
        if not self.is_whole and len(entries):
            valid = entries[:, 0].max() <= np.float64(EXACT).view(np.uint64)
            fields.expect(valid, "entries", "a value is not a number ≥ 0")
        for _ in self._put(len(entries), lambda first, end: entries[first:end]):
            pass
        self.turn = turn

    def _put(self, count: int, rows: Callable[[int, int], Any]) -> Iterator[None]:
        """Replace the entries by `count` others, which are late; `rows(first, end)` returns some of them. In pieces."""
        if count > self.capacity:
            self.arrays, self.capacity = _made(type(self.arrays), 2 * count)
        self._clear()
        arrays, words = self.arrays, self.words
        for first in range(0, count, ENTRIES):
            if first:
                yield
            end = min(count, first + ENTRIES)
            arrays.pool[first * words : end * words] = rows(first, end).ravel()
            chunk, chunks = first // int(CHUNK), -(-end // int(CHUNK))
            arrays.links[chunk:chunks] = np.arange(chunk - 1, chunks - 1).astype(
                np.uint32
            )  # −1 becomes the end
        if count:
            arrays.heads[BUCKETS], arrays.fills[BUCKETS] = chunks - 1, count - int(CHUNK) * (chunks - 1)
            arrays.sizes[USED] = chunks
        arrays.sizes[LATE] = self.turn = count

    def renumber(self) -> Iterator[None]:
        """Give all entries new turns, in the same order. In pieces.

        Raises `MemoryError`; nothing is lost then.
        """
        stored = yield from self._sorted_turns()
        place, shift = self._turns_at
        count = len(stored)

        def renumbered(words: Any) -> Any:
            before = np.searchsorted(stored, (words[:, place] >> shift).astype(np.uint32)).astype(np.uint64)
            turns = before + ONE if self.fifo else LAST_TURN - count + before
            made = words.copy()
            made[:, place] = made[:, place] & ~(LOW << shift) | turns << shift
            return made

        yield from self._convert(type(self.arrays), self.capacity, renumbered)
        self.turn = count

    def widen(self) -> Iterator[None]:
        """Convert the entries to ones that take all numbers; each stays at its place. In pieces.

        Raises `MemoryError`; nothing is lost then.
        """

        def widened(words: Any) -> Any:
            first, last = words[:, 0] & LOW, words[:, 1] >> HALF
            number, turns = (first, last) if self.ranked else (last, first)
            value = LOW - number if self.ranked and self.high_g else number
            f = (words[:, 0] >> HALF).astype(np.float64)
            return self._encoded(WORDS[Real], f, value.astype(np.float64), turns, words[:, 1] & LOW)

        yield from self._convert(Real, self.capacity, widened)
        self.arrays.scale[:] = 0.0, 2.0 ** -(int(self.arrays.sizes[SHIFT]) - int(HALF))  # the same buckets

    @property
    def growth(self) -> int:
        """The bytes of a copy of what is used, which are needed before the old arrays are released."""
        used = sum(self._used.values()) * self._entry_bytes
        links = int(self.arrays.sizes[USED]) * int(self.arrays.links.itemsize)
        rest: int = sum(getattr(self.arrays, name).nbytes for name in ("heads", "fills", "counts"))
        return used + links + rest

    def grow(self, available: float | None = None) -> Iterator[None]:
        """Double the capacity, in pieces; near a memory limit, make it as large as fits.

        `available` is how many bytes may still be allocated; None for no limit. Raises `MemoryError`; nothing is lost
        then.
        """
        size = self._entry_bytes
        capacity = reserved(2 * self.capacity, -(-self.growth // size), size, available)
        capacity = max(capacity, ample(2 * self.capacity, len(("stack", "heap", "pool")) * size))
        yield from self._convert(type(self.arrays), capacity, lambda words: words)

    @property
    def _entry_bytes(self) -> int:
        return self.words * int(self.arrays.stack.itemsize)

    @property
    def _used(self) -> dict[str, int]:
        """The number of places for entries that are used in each array; some of those in the pool may be free again."""
        sizes = self.arrays.sizes
        return {
            "stack": int(sizes[TOP]),
            "heap": int(sizes[HEAPED]),
            "pool": int(sizes[USED]) * int(CHUNK),
        }

    def _entries(self, name: str, count: int) -> Any:
        """Return the first places of an array, one row for each entry."""
        return getattr(self.arrays, name)[: count * self.words].reshape(-1, self.words)

    def _convert(self, form: Any, capacity: int, convert: Callable[[Any], Any]) -> Iterator[None]:
        """Replace the arrays by other ones that hold each entry at the same place, converted. In pieces."""
        made, capacity = _made(form, capacity)
        for name, count in self._used.items():
            source = self._entries(name, count)
            target = getattr(made, name)[: count * WORDS[form]].reshape(-1, WORDS[form])
            for first in range(0, count, ENTRIES):
                if first:
                    yield
                target[first : first + ENTRIES] = convert(source[first : first + ENTRIES])
        old = self.arrays
        chunks = int(old.sizes[USED])
        yield from copied(made.links[:chunks], old.links[:chunks])
        for name in ("heads", "fills", "marks", "sizes", "scale"):
            getattr(made, name)[:] = getattr(old, name)
        self.arrays, self.capacity = made, capacity

    @property
    def _turns_at(self) -> tuple[int, Any]:
        """The word of an entry that holds its turn, and the first bit of the turn."""
        if self.words == WORDS[Whole]:
            return (1, HALF) if self.ranked else (0, ZERO)
        return (2 if self.ranked else 1), HALF

    def _sorted_turns(self) -> Generator[None, None, Any]:
        """Return the turns of all used places, as they are stored, sorted. In pieces."""
        place, shift = self._turns_at
        turns, at = np.empty(sum(self._used.values()), np.uint32), 0
        for name, count in self._used.items():
            source = self._entries(name, count)
            for first in range(0, count, ENTRIES):
                yield
                piece = source[first : first + ENTRIES, place]
                turns[at : at + len(piece)] = (piece >> shift).astype(np.uint32)
                at += len(piece)
        other = np.empty_like(turns)
        for digit in range(0, int(HALF), DIGIT_BITS):
            counts = np.zeros(1 << DIGIT_BITS, np.int64)
            for first in range(0, at, ENTRIES):
                _count(turns[first : first + ENTRIES], np.uint64(digit), counts)
                yield
            places = np.cumsum(counts) - counts
            for first in range(0, at, ENTRIES):
                _move(turns[first : first + ENTRIES], np.uint64(digit), places, other)
                yield
            turns, other = other, turns
        return turns

    def _encoded(self, words: int, f: Any, value: Any, turns: Any, nodes: Any) -> Any:
        """Return entries of `words` words, one row for each."""
        if words == WORDS[Whole]:
            number = value.astype(np.uint64)
            rank = LOW - number if self.high_g else number
            first, last = (rank, turns) if self.ranked else (turns, number)
            return np.column_stack([f.astype(np.uint64) << HALF | first, last << HALF | nodes])
        last, bits = turns << HALF | nodes, (value + 0.0).view(np.uint64)
        middle, end = (~bits if self.high_g else bits, last) if self.ranked else (last, bits)
        return np.column_stack([(f + 0.0).view(np.uint64), middle, end])


def _made(form: Any, capacity: int) -> tuple[Any, int]:
    """Return the arrays of a queue for `capacity` entries, and the capacity."""
    words = sum(-(-size * kind.itemsize // 8) for size, kind in _sizes(form, capacity).values())
    return _carved(form, np.empty(words, np.uint64), capacity)


def _carved(form: Any, memory: Any, capacity: int) -> tuple[Any, int]:
    """Return arrays that lie one after the other in memory, which is kept when none of them is left."""
    lent, arrays, begin = memory if capacity > MOST_KEPT else _pool.lend(memory, (form, capacity)), {}, 0
    for name, (size, kind) in _sizes(form, capacity).items():
        end = begin - (-size * kind.itemsize // 8)
        arrays[name] = lent[begin:end].view(kind)[:size]
        begin = end
    return form(**arrays), capacity


@lru_cache(maxsize=16)
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
