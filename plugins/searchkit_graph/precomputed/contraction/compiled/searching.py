"""Searching contraction hierarchies as machine code: as `searchkit_graph.precomputed.contraction.engine` does.

Elements of arrays that are mapped files are checked before they are used as indices: see
`searchkit_graph.precomputed.contraction.table_file`.
"""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel, sub_kernel
from searchkit.compiled.kit import heap
from searchkit_graph.precomputed.compiled.tables import lent_reader, numbers_of, way_along
from searchkit_graph.precomputed.contraction.compiled.contracting import value_of
from searchkit_graph.precomputed.contraction.hierarchy import WHAT, Half, Hierarchy
from searchkit_graph.precomputed.network import FAR, NONE
from searchkit_graph.precomputed.tables import Way, damaged

PIECE = 1 << 14
"""States that are settled, or steps of a path that are read, in one call."""
MOST_SEEN = 1 << 20
"""Arcs that are looked at in one call, about: in dense graphs a state has very many."""
FIRST_ROOM = 1 << 12
PLACE, VALUE, GENERATED, PEAK, NEXT, STEPS, ARCS, QUERY = range(8)
"""Places in `Reader.numbers`: where the halves have met, and the value there; the counters; which half is next, 2 at
the end; the states that may still be settled, and the arcs that may be looked at; of many searches, which one it is."""
SIZE, TOUCHED = range(2)
"""Places in `Ascent.numbers`: the size of the frontier, and how many states have a value."""
WORKED, FULL, DAMAGED = range(3)
"""Why a search ended: the end or the number of states; a frontier has to grow; a number of the file was changed."""


class Ascent(NamedTuple):
    """One half of a search."""

    half: Half
    values: Any
    """Rank → the value of the shortest way there that is known; `FAR` if there is none."""
    before: Any
    """Rank → the rank of the state before it; its own if there is none."""
    touched: Any
    """The states with a value."""
    frontier: Any
    numbers: Any


def reader_of(hierarchy: Hierarchy) -> "Reader":
    """Return a reader that nobody else uses."""
    return lent_reader(hierarchy.readers, lambda: Reader(hierarchy))


def half_of(half: Half) -> Half:
    """Return arcs for kernels."""
    return Half(*(numbers_of(part, np.uint32) for part in half))


class Reader:
    """Searches a hierarchy. Used by one thread at a time.

    Args:
        hierarchy: one that was made here, or that was checked.

    """

    def __init__(self, hierarchy: Hierarchy):
        self.hierarchy, size = hierarchy, hierarchy.network.size
        self.ascents = [
            Ascent(
                half_of(half),
                np.full(size, FAR, np.int64),
                np.empty(size, np.uint32),
                np.empty(size, np.uint32),
                heap.Pairs(np.empty(2 * FIRST_ROOM, np.int64)),
                np.zeros(2, np.int64),
            )
            for half in (hierarchy.up, hierarchy.down)
        ]
        self.units = np.array(hierarchy.network.units, np.int64)
        self.numbers = np.zeros(8, np.int64)
        self.ranks = numbers_of(hierarchy.ranks, np.uint32)
        self.states = np.argsort(self.ranks)

    def begin(self, starts: Any, goals: Any) -> None:
        """Begin a search.

        Args:
            starts: array of int64, numbers of states.
            goals: the same for the goals.

        """
        self._make_room(max(len(starts), len(goals)))
        _begin(*self.ascents, self.numbers, self.ranks[starts], self.ranks[goals])

    def settle(self, most: int) -> int:
        """Settle up to that many states, fewer if they have many arcs; return how many. Raises `InputFormatError`."""
        self.numbers[STEPS], self.numbers[ARCS] = most, MOST_SEEN
        while self._is_full(_settle(*self.ascents, self.numbers, self.units)):
            pass
        return most - int(self.numbers[STEPS])

    def values(self, starts: Any, goals: Any) -> Any:
        """Return the value of the distance of each start from the goal at the same index, as an array.

        The arguments are those of `begin`. Raises `InputFormatError`.
        """
        found, numbers, ranks = (
            np.empty(len(starts), np.int64),
            self.numbers,
            (self.ranks[starts], self.ranks[goals]),
        )
        numbers[QUERY], numbers[NEXT] = -1, 2
        while numbers[QUERY] < len(found):
            numbers[STEPS], numbers[ARCS] = PIECE, MOST_SEEN
            self._is_full(_ask(*self.ascents, numbers, self.units, *ranks, found))
        return found

    def _is_full(self, why: int) -> bool:
        """Whether a search ended because it needs room, which it has now. Raises `InputFormatError`."""
        if why == DAMAGED:
            raise damaged(WHAT)
        if why == FULL:
            ascent = self.ascents[self.numbers[NEXT]]
            here, begins = ascent.frontier.numbers[1], ascent.half.begins
            self._make_room(int(ascent.numbers[SIZE]) + int(begins[here + 1]) - int(begins[here]))
        return why == FULL

    def _make_room(self, least: int) -> None:
        """Let each frontier have room for that many states."""
        for side, ascent in enumerate(self.ascents):
            numbers = ascent.frontier.numbers
            if len(numbers) < 2 * least:
                longer = np.concatenate([numbers, np.empty(2 * least, np.int64)])
                self.ascents[side] = ascent._replace(frontier=heap.Pairs(longer))

    @property
    def value(self) -> int:
        """The value of the shortest path that is known; `FAR` for none."""
        return int(self.numbers[VALUE])

    @property
    def next(self) -> int | None:
        """The number of the state to be settled next; None at the end."""
        if self.numbers[NEXT] > 1:
            return None
        return int(self.states[self.ascents[self.numbers[NEXT]].frontier.numbers[1]])

    def settled(self) -> list[int]:
        """Return the numbers of the states that were settled: of those with a value, the ones that wait no more."""
        found = set()
        for ascent in self.ascents:
            size, count = ascent.numbers.tolist()
            values, waiting = ascent.frontier.numbers[: 2 * size].reshape(-1, 2).T
            waiting = waiting[values == ascent.values[waiting]]
            found.update(np.setdiff1d(ascent.touched[:count], waiting).tolist())
        states: list[int] = self.states[sorted(found)].tolist()
        return states

    def way(self) -> Way:
        """Return the shortest path. Raises `InputFormatError`."""
        halves, size = [ascent.half for ascent in self.ascents], self.hierarchy.network.size
        place, ends = int(self.numbers[PLACE]), []
        for ascent in self.ascents:
            ends.append([place])
            while (before := int(ascent.before[ends[-1][-1]])) != ends[-1][-1]:
                ends[-1].append(before)
        path = [*ends[0][::-1], *ends[1][1:]]
        found, left = path[:1], np.empty(len(path) + size, np.int64)
        left[: len(path) - 1] = path[:0:-1]
        numbers, piece = np.array([len(path) - 1, path[0]], np.int64), np.empty(PIECE, np.int64)
        while numbers[0] > 0:
            count = _unpack(*halves, left, piece, numbers)
            if count < 0 or len(found) + count > size:
                raise damaged(WHAT)
            found += piece[:count].tolist()
        return way_along(self.hierarchy.network, self.states[found].tolist(), WHAT)


def costs_between(hierarchy: Hierarchy, starts: Sequence[int], goals: Sequence[int]) -> list[float]:
    """Return the cost of each distance, infinity where there is no path."""
    values = reader_of(hierarchy).values(np.array(starts, np.int64), np.array(goals, np.int64))
    return [inf if value == FAR else hierarchy.network.cost(value) for value in values.tolist()]


@compiled_function
def _enter(ascent: Any, ends: Any, first: Any, stop: Any) -> None:
    """Forget the last search, and enter the states that a search begins at, from one index to another."""
    for index in range(ascent.numbers[TOUCHED]):
        ascent.values[ascent.touched[index]] = FAR
    count = np.int64(0)
    for index in range(first, stop):
        end = ends[index]
        if ascent.values[end] == FAR:
            ascent.values[end], ascent.before[end], ascent.touched[count] = 0, end, end
            count = heap.push(ascent.frontier, count, (np.int64(0), np.int64(end)))
    ascent.numbers[SIZE] = ascent.numbers[TOUCHED] = count


@compiled_function
def _top(ascent: Any) -> Any:
    """Return the value of the state to be settled next; `FAR` if there is none."""
    size, numbers = ascent.numbers[SIZE], ascent.frontier.numbers
    while size > 0 and numbers[0] > ascent.values[numbers[1]]:
        size = heap.pop(ascent.frontier, size)
    ascent.numbers[SIZE] = size
    return numbers[0] if size > 0 else np.int64(FAR)


@compiled_function
def _choose(one: Any, other: Any, numbers: Any) -> None:
    """Write which half is next."""
    top, top_of_other = _top(one), _top(other)
    if min(top, top_of_other) >= numbers[VALUE]:
        numbers[NEXT] = 2
    else:
        numbers[NEXT] = 0 if top <= top_of_other else 1


@compiled_function
def _enter_both(one: Any, other: Any, numbers: Any) -> None:
    """Set the numbers of a search whose ends have been entered."""
    numbers[VALUE], numbers[GENERATED] = FAR, 0
    numbers[PEAK] = one.numbers[SIZE] + other.numbers[SIZE]
    _choose(one, other, numbers)


@kernel
def _begin(one: Any, other: Any, numbers: Any, starts: Any, goals: Any) -> None:
    """Begin a search."""
    _enter(one, starts, 0, starts.size)
    _enter(other, goals, 0, goals.size)
    _enter_both(one, other, numbers)


@compiled_function
def _settle_next(ascent: Any, opposite: Any, numbers: Any, units: Any) -> Any:
    """Settle the next state of a half of the search, and return why it ended."""
    half, back, values, frontier = ascent.half, opposite.half, ascent.values, ascent.frontier
    value, here, size = frontier.numbers[0], frontier.numbers[1], ascent.numbers[SIZE]
    begin, end = np.int64(half.begins[here]), np.int64(half.begins[here + 1])
    if 2 * (size + end - begin) > frontier.numbers.size:
        return FULL
    size = heap.pop(frontier, size)
    if value + opposite.values[here] < numbers[VALUE]:
        numbers[VALUE], numbers[PLACE] = value + opposite.values[here], here
    first, last = np.int64(back.begins[here]), np.int64(back.begins[here + 1])
    numbers[ARCS] -= last - first + end - begin
    for arc in range(first, last):
        head = np.int64(back.heads[arc])
        if head <= here or head >= values.size:
            return DAMAGED
        if values[head] + value_of(units, back.lengths[arc]) < value:
            end = begin
            break
    numbers[GENERATED] += end - begin
    for arc in range(begin, end):
        head = np.int64(half.heads[arc])
        if head <= here or head >= values.size:
            return DAMAGED
        beyond = value + value_of(units, half.lengths[arc])
        if beyond < values[head]:
            if values[head] == FAR:
                ascent.touched[ascent.numbers[TOUCHED]] = head
                ascent.numbers[TOUCHED] += 1
            values[head], ascent.before[head] = beyond, here
            size = heap.push(frontier, size, (beyond, head))
    ascent.numbers[SIZE] = size
    return WORKED


@sub_kernel
def _go_on(one: Any, other: Any, numbers: Any, units: Any) -> Any:
    """Settle states until the end, or as many as are asked for, and return why it ended."""
    while numbers[STEPS] > 0 and numbers[ARCS] > 0 and numbers[NEXT] < 2:
        if numbers[NEXT] == 0:
            why = _settle_next(one, other, numbers, units)
        else:
            why = _settle_next(other, one, numbers, units)
        if why != WORKED:
            return why
        numbers[STEPS] -= 1
        numbers[PEAK] = max(numbers[PEAK], one.numbers[SIZE] + other.numbers[SIZE])
        _choose(one, other, numbers)
    return WORKED


@kernel
def _settle(one: Any, other: Any, numbers: Any, units: Any) -> Any:
    """Go on with a search, and return why it ended."""
    return _go_on(one, other, numbers, units)


@kernel
def _ask(one: Any, other: Any, numbers: Any, units: Any, starts: Any, goals: Any, values: Any) -> Any:
    """Search for one distance after the other, and return why it ended."""
    why = WORKED
    while why == WORKED and numbers[STEPS] > 0 and numbers[ARCS] > 0 and numbers[QUERY] < starts.size:
        query = numbers[QUERY]
        if numbers[NEXT] < 2:
            why = _go_on(one, other, numbers, units)
            continue
        if query >= 0:
            values[query] = numbers[VALUE]
        query += 1
        numbers[QUERY] = query
        if query < starts.size:
            numbers[STEPS] -= 1
            _enter(one, starts, query, query + 1)
            _enter(other, goals, query, query + 1)
            _enter_both(one, other, numbers)
    return why


@compiled_function
def find(half: Any, low: Any, high: Any) -> Any:
    """Return the number of the arc between two ranks, the lower one first; −1 if there is none."""
    begin, end = np.int64(half.begins[low]), np.int64(half.begins[low + 1])
    last = end
    while begin < end:
        half_way = (begin + end) >> 1
        if np.int64(half.heads[half_way]) < high:
            begin = half_way + 1
        else:
            end = half_way
    return begin if begin < last and np.int64(half.heads[begin]) == high else np.int64(-1)


@kernel
def _unpack(up: Any, down: Any, left: Any, path: Any, numbers: Any) -> Any:
    """Write the next states of a path, without the first one; return how many, or −1 if the arcs contradict themselves.

    `left` has the ends of the arcs that are left, the next one last. The numbers are how many these are, and the state
    before.
    """
    count, size, tail = np.int64(0), numbers[0], numbers[1]
    while size > 0 and count < path.size:
        head = left[size - 1]
        low, high = min(tail, head), max(tail, head)
        half = up if tail < head else down
        arc = find(half, low, high)
        middle = np.int64(NONE) if arc < 0 else np.int64(half.middles[arc])
        if arc < 0 or (middle != NONE and (middle >= low or size == left.size)):
            return np.int64(-1)
        if middle == NONE:
            path[count] = tail = head
            count += 1
            size -= 1
        else:
            left[size] = middle
            size += 1
    numbers[0], numbers[1] = size, tail
    return count
