"""A ladder queue as a run holds it: filling, growing and converting its arrays."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import numpy as np

from searchkit.compiled.kit.arrays import ample, copied, finished, reserved
from searchkit.compiled.kit.control import EXACT
from searchkit.compiled.kit.fields import Fields
from searchkit.compiled.kit.records import Records
from searchkit.compiled.kit.saved import are_reached
from searchkit.kernels.queue.entries import (
    CURRENT,
    FAR,
    FREE,
    HALF,
    HEAPED,
    LAST_TURN,
    LATE,
    LOW,
    MOST_WHOLE,
    MOVING,
    PHASE,
    STORED,
    TOP,
    USED,
    WHOLE_END,
    WORDS,
    Real,
    Whole,
)
from searchkit.kernels.queue.ladder import BUCKETS, CHUNK, END, ZERO
from searchkit.kernels.queue.listing import DIGIT_BITS, count_digits, far_places, list_far, move_by_digit
from searchkit.kernels.queue.memory import FIRST_CAPACITY, carved, kept_memory, made_arrays
from searchkit.kernels.queue.sorting import GATHER_LATE

WORD_BYTES = 8
ENTRIES = 1 << 15
"""The number of entries that are made, copied or converted at a time."""


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
        kept = kept_memory(form)
        if kept is None:
            self._make(form, FIRST_CAPACITY)
        else:
            self.arrays, self.capacity = carved(form, kept[0], kept[1][1], *self._policy(form))
        self.clear()

    def _policy(self, form: Any) -> tuple[bool, ...]:
        """Return the fields of the arrays that are not arrays."""
        return (self.ranked, self.fifo) if form is Whole else ()

    def _make(self, form: Any, capacity: int) -> None:
        """Make new arrays, and use them from now on."""
        self.arrays, self.capacity = made_arrays(form, capacity, *self._policy(form))

    def clear(self) -> None:
        """Remove all entries."""
        arrays = self.arrays
        arrays.heads.fill(END)
        arrays.marks.fill(0)
        arrays.sizes.fill(0)
        arrays.sizes[FREE] = END
        if isinstance(arrays, Real):
            arrays.scale[:] = 0.0, 1e300

    def fill(self, f: Any, value: Any, nodes: Any) -> Iterator[None]:
        """Add entries in the order in which they were made; `value` is h if that is the rank, else g. In pieces."""
        if self.is_whole and 0 < len(f) <= CHUNK:
            self._fill_chunk(f, value, nodes)
            return iter(())

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

    def _fill_chunk(self, f: Any, value: Any, nodes: Any) -> None:
        """Do the same with whole entries that fit into one chunk, as those of a few starts do."""
        arrays, count = self.arrays, len(f)
        self.clear()
        for place in range(count):
            number = int(value[place])
            number = int(LOW) - number if self.ranked and self.high_g else number
            arrays.pool[place], arrays.late[place] = number << int(HALF) | int(nodes[place]), int(f[place])
        arrays.links[0], arrays.heads[BUCKETS], arrays.fills[BUCKETS] = END, 0, count
        arrays.sizes[USED], arrays.sizes[LATE], self.turn = 1, count, count

    def saved(self) -> dict[str, Any]:
        """Return all entries, one row for each, in any order; and whether they are of three words."""
        if self.is_whole:
            return {"real": False, "entries": finished(self._listed())}
        arrays, sizes, words = self.arrays, self.arrays.sizes, self.words
        pool, far = arrays.pool.reshape(-1, words), np.empty(int(sizes[FAR] + sizes[LATE]), np.uint32)
        far_places(arrays.heads, arrays.links, arrays.fills, far)
        # A bucket that is being opened is in the array of the heap until the last of its entries has left it.
        near = (
            self._entries("stack", int(sizes[TOP])),
            self._entries("heap", int(sizes[HEAPED] + sizes[MOVING])),
        )
        return {"real": True, "entries": np.concatenate([*near, pool[far]])}

    def _listed(self) -> Generator[None, None, Any]:
        """Return all whole entries, one row for each, with turns that put them in the order of their places. In pieces.

        The oldest are those in lists; then come those on the stack, and then those in the heap.
        """
        sizes = self.arrays.sizes
        moving = int(sizes[MOVING]) if sizes[PHASE] >= GATHER_LATE else 0
        top, heaped = int(sizes[TOP]), int(sizes[HEAPED]) + moving
        count = int(sizes[[TOP, HEAPED, FAR, LATE, MOVING]].sum())
        rows, walk, far = np.empty((count, 2), np.uint64), np.zeros(3, np.int64), count - top - heaped
        while not list_far(self.arrays, rows[:far].reshape(-1), walk, ENTRIES):
            yield
        stored = None if moving else (yield from self._sorted_turns(("heap",)))
        for first in range(0, top, ENTRIES):
            yield
            words, places = (
                self._entries("stack", top)[first : first + ENTRIES, 0],
                np.arange(first, top)[:ENTRIES],
            )
            turns = far + (top - places if self.fifo else places + 1)
            rows[far + first : far + first + len(words)] = self._unpacked(words, turns.astype(np.uint64))
        for first in range(0, heaped, ENTRIES):
            yield
            entries = self._entries("heap", heaped)[first : first + ENTRIES].copy()
            if stored is None:  # late entries, the newest first
                turns = (count - np.arange(first, heaped)[:ENTRIES]).astype(np.uint64)
                self._set_turns(entries, turns if self.fifo else LAST_TURN - turns)
            else:
                self._set_turns(entries, self._renumbered(entries, stored, far + top))
            rows[far + top + first : far + top + first + len(entries)] = entries
        return rows

    def _unpacked(self, words: Any, turns: Any) -> Any:
        """Return entries of the stack, one row for each."""
        f, turns = np.uint64(self.arrays.sizes[CURRENT]) << HALF, turns if self.fifo else LAST_TURN - turns
        if self.ranked:
            return np.column_stack([f | words >> HALF, turns << HALF | words & LOW])
        return np.column_stack([f | turns, words])

    def _packed(self, rows: Any) -> Any:
        """Return what is stored of whole entries whose f and turn follow from their places."""
        return (rows[:, 0] & LOW) << HALF | rows[:, 1] & LOW if self.ranked else rows[:, 1]

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
        if self.is_whole:  # the oldest first
            place, shift = self._turns_at
            turns = entries[:, place] >> shift & LOW
            entries = entries[np.argsort(turns if self.fifo else LAST_TURN - turns, kind="stable")]
        for _ in self._put(len(entries), lambda first, end: entries[first:end]):
            pass
        self.turn = turn

    def _put(self, count: int, rows: Callable[[int, int], Any]) -> Iterator[None]:
        """Replace the entries by `count` others, which are late; `rows(first, end)` returns some of them. In pieces.

        Whole entries are given in the order in which they were made.
        """
        if count > self.capacity:
            self._make(type(self.arrays), 2 * count)
        self.clear()
        arrays, words = self.arrays, self.words
        for first in range(0, count, ENTRIES):
            if first:
                yield
            end = min(count, first + ENTRIES)
            entries = rows(first, end)
            if self.is_whole:
                arrays.pool[first:end], arrays.late[first:end] = self._packed(entries), entries[:, 0] >> HALF
            else:
                arrays.pool[first * words : end * words] = entries.ravel()
            chunk, chunks = first // int(CHUNK), -(-end // int(CHUNK))
            arrays.links[chunk:chunks] = np.arange(chunk - 1, chunks - 1).astype(
                np.uint32
            )  # −1 becomes the end
        if count:
            arrays.heads[BUCKETS], arrays.fills[BUCKETS] = chunks - 1, count - int(CHUNK) * (chunks - 1)
            arrays.sizes[USED] = chunks
        arrays.sizes[LATE] = self.turn = count

    def renumber(self) -> Iterator[None]:
        """Give all entries that have turns new ones, in the same order. In pieces.

        Raises `MemoryError`; nothing is lost then.
        """
        names = ("heap",) if self.is_whole else tuple(self._used)
        stored = yield from self._sorted_turns(names)

        def renumbered(name: str, words: Any) -> Any:
            if name not in names:
                return words
            made = words.copy()
            self._set_turns(made, self._renumbered(words, stored, 0))
            return made

        yield from self._convert(self.capacity, renumbered)
        sizes = self.arrays.sizes
        self.turn = max(len(stored), int(sizes[[TOP, HEAPED, FAR, LATE]].sum()))

    def _renumbered(self, words: Any, stored: Any, base: int) -> Any:
        """Return new turns of entries, as they are stored, all larger than `base`; `stored` are all turns, sorted."""
        place, shift = self._turns_at
        before = np.searchsorted(stored, (words[:, place] >> shift).astype(np.uint32)).astype(np.uint64)
        return before + np.uint64(base + 1 if self.fifo else LAST_TURN - base - len(stored))

    def _set_turns(self, words: Any, turns: Any) -> None:
        """Replace the turns of entries, which are stored in this way."""
        place, shift = self._turns_at
        words[:, place] = words[:, place] & ~(LOW << shift) | turns << shift

    def widen(self) -> Iterator[None]:
        """Convert the entries to ones that take all numbers. In pieces.

        Raises `MemoryError`; nothing is lost then.
        """
        rows = yield from self._listed()
        other = Frontier(False, self.ranked, self.high_g, self.fifo)

        def widened(first: int, end: int) -> Any:
            words = rows[first:end]
            rank, last = words[:, 0] & LOW, words[:, 1] >> HALF
            number, turns = (rank, last) if self.ranked else (last, rank)
            value = LOW - number if self.ranked and self.high_g else number
            f = (words[:, 0] >> HALF).astype(np.float64)
            return self._encoded(WORDS[Real], f, value.astype(np.float64), turns, words[:, 1] & LOW)

        yield from other._put(len(rows), widened)
        self.arrays, self.capacity = other.arrays, other.capacity

    @property
    def conversion(self) -> int:
        """The bytes that `widen` or `renumber` needs before the old arrays are released."""
        count, words = int(self.arrays.sizes[[TOP, HEAPED, FAR, LATE]].sum()), WORDS[Whole] + WORDS[Real]
        return 2 * self.growth + (count * words * WORD_BYTES if self.is_whole else 0)

    @property
    def growth(self) -> int:
        """The bytes of a copy of what is used, which are needed before the old arrays are released."""
        used = sum(count * self._stored[name] for name, count in self._used.items()) * WORD_BYTES
        links = int(self.arrays.sizes[USED]) * int(self.arrays.links.itemsize)
        rest: int = sum(getattr(self.arrays, name).nbytes for name in ("heads", "fills", "counts"))
        return used + links + rest

    def grow(self, available: float | None = None) -> Iterator[None]:
        """Double the capacity, in pieces; near a memory limit, make it as large as fits.

        `available` is how many bytes may still be allocated; None for no limit. Raises `MemoryError`; nothing is lost
        then.
        """
        size = self.words * WORD_BYTES
        capacity = reserved(2 * self.capacity, -(-self.growth // size), size, available)
        capacity = max(capacity, ample(2 * self.capacity, len(self._stored) * size))
        yield from self._convert(capacity, lambda name, words: words)

    @property
    def _stored(self) -> dict[str, int]:
        """The words of an entry that each array stores."""
        return STORED[type(self.arrays)]

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
        words = self._stored[name]
        return getattr(self.arrays, name)[: count * words].reshape(-1, words)

    def _convert(self, capacity: int, convert: Callable[[str, Any], Any]) -> Iterator[None]:
        """Replace the arrays by other ones that hold each entry at the same place, converted. In pieces."""
        old = self.arrays
        made, capacity = made_arrays(type(old), capacity, *self._policy(type(old)))
        for name, count in self._used.items():
            source, words = self._entries(name, count), self._stored[name]
            target = getattr(made, name)[: count * words].reshape(-1, words)
            for first in range(0, count, ENTRIES):
                if first:
                    yield
                target[first : first + ENTRIES] = convert(name, source[first : first + ENTRIES])
        chunks, names = int(old.sizes[USED]), ["heads", "fills", "marks", "sizes"]
        yield from copied(made.links[:chunks], old.links[:chunks])
        if self.is_whole:
            late = chunks * int(CHUNK) if old.sizes[LATE] else 0
            yield from copied(made.late[:late], old.late[:late])
        else:
            names.append("scale")
        for name in names:
            getattr(made, name)[:] = getattr(old, name)
        self.arrays, self.capacity = made, capacity

    @property
    def _turns_at(self) -> tuple[int, Any]:
        """The word of an entry that holds its turn, and the first bit of the turn."""
        if self.words == WORDS[Whole]:
            return (1, HALF) if self.ranked else (0, ZERO)
        return (2 if self.ranked else 1), HALF

    def _sorted_turns(self, names: Sequence[str]) -> Generator[None, None, Any]:
        """Return the turns of all used places of some arrays, as they are stored, sorted. In pieces."""
        place, shift = self._turns_at
        used = self._used
        turns, at = np.empty(sum(used[name] for name in names), np.uint32), 0
        for name in names:
            count = used[name]
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
                count_digits(turns[first : first + ENTRIES], np.uint64(digit), counts)
                yield
            places = np.cumsum(counts) - counts
            for first in range(0, at, ENTRIES):
                move_by_digit(turns[first : first + ENTRIES], np.uint64(digit), places, other)
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
