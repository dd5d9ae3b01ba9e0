"""Checking contraction hierarchies that were read from a file: sooner done than making them.

A checksum proves nothing: whoever forges a hierarchy forges that too. The arcs are compared with the edges of the
network and with each other, and the ways on which ranks fall and rise again with those on which they rise and fall.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel, sub_kernel
from searchkit.compiled.kit import heap
from searchkit_graph.precomputed.compiled.tables import Progress, numbers_of
from searchkit_graph.precomputed.contraction.compiled.contracting import value_of
from searchkit_graph.precomputed.contraction.compiled.searching import find, half_of
from searchkit_graph.precomputed.contraction.hierarchy import WHAT, Half, Hierarchy
from searchkit_graph.precomputed.network import FAR, LOW, NONE, WHOLE

PIECE = 1 << 20
"""Steps of one call, about."""
MOST_SETTLED = 1 << 17
"""A search from one state to those of higher ranks that settles more states is not what anybody wants to use."""
RANK, INTO, OUT, COUNT = range(4)
"""Places in the state of the check: the state whose arcs are compared, the arcs to it and from it that are next, and
how many states the search from the tail has reached; 0 before it."""


class Search(NamedTuple):
    """Arrays for a search to states of higher ranks."""

    values: Any
    """Rank → the value of the way there; `FAR` if there is none."""
    touched: Any
    frontier: Any


def fault_of(hierarchy: Hierarchy) -> str:
    """Return what is wrong with a hierarchy; "" if the distances that are found in it are right."""
    size, network = hierarchy.network.size, hierarchy.network
    ranks = numbers_of(hierarchy.ranks, np.uint32)
    if (ranks >= size).any() or (np.bincount(ranks, minlength=size) != 1).any():
        return "two states have the same rank"
    up, down = half_of(hierarchy.up), half_of(hierarchy.down)
    fault = _fault_of_half(up) or _fault_of_half(down)
    if fault:
        return fault
    one, other = _Side(up), _Side(down)
    if not all(_are_sums(side, other, one, network.units == WHOLE) for side in (one, other)):
        return "a shortcut is not the sum of two arcs"
    fault = _fault_of_edges(hierarchy, ranks, one, other)
    return fault or ("" if _are_valleys_passed(hierarchy, up, down) else "a shortcut is missing")


class _Side:
    """The arcs of a half, each with a key that tells both ends."""

    def __init__(self, half: Half):
        self.half, self.size = half, len(half.begins) - 1
        self.lows = np.repeat(np.arange(self.size), np.diff(half.begins.astype(np.int64)))
        self.keys = self.lows * self.size + half.heads
        """In ascending order, as arcs are sorted."""

    def lengths(self, lows: Any, heads: Any) -> Any:
        """Return the lengths of arcs between ranks; `NONE` for those that do not exist."""
        wanted = lows * self.size + heads
        places = np.minimum(np.searchsorted(self.keys, wanted), max(0, len(self.keys) - 1))
        if not len(self.keys):
            return np.full(len(wanted), NONE, np.int64)
        return np.where(self.keys[places] == wanted, self.half.lengths[places].astype(np.int64), NONE)


def _fault_of_half(half: Half) -> str:
    """Return what is wrong with the numbers of arcs; "" if each may be used as an index."""
    begins, size = half.begins.astype(np.int64), len(half.begins) - 1
    if begins[0] != 0 or begins[-1] != len(half.heads) or (np.diff(begins) < 0).any():
        return "the arcs of a state begin where they can not"
    lows = np.repeat(np.arange(size), np.diff(begins))
    same = np.diff(lows) == 0
    if (half.heads <= lows).any() or (half.heads >= size).any():
        return "an arc does not lead to a state of a higher rank"
    if (np.diff(half.heads.astype(np.int64)) <= 0)[same].any():
        return "arcs are not sorted"
    if ((half.middles != NONE) & (half.middles >= lows)).any() or (half.lengths == NONE).any():
        return "a shortcut does not lead over a state of a lower rank"
    return ""


def _are_sums(side: _Side, into: _Side, out: _Side, whole: bool) -> bool:
    """Whether each shortcut of a half has the length of both arcs under it: to its middle, and from there."""
    shortcuts = np.flatnonzero(side.half.middles != NONE)
    middles, highs = (part[shortcuts].astype(np.int64) for part in (side.half.middles, side.half.heads))
    ends = side.lows[shortcuts], highs
    tails, heads = ends if side is out else ends[::-1]
    one, other = into.lengths(middles, tails), out.lengths(middles, heads)
    fits = (one < NONE) & (other < NONE) & (one + other == side.half.lengths[shortcuts])
    return bool((fits & (whole | ((one & LOW) + (other & LOW) <= LOW))).all())


def _fault_of_edges(hierarchy: Hierarchy, ranks: Any, up: _Side, down: _Side) -> str:
    """Compare the arcs that are no shortcuts with the edges of the network, and those with all arcs."""
    network, size = hierarchy.network, hierarchy.network.size
    tails = ranks[np.repeat(np.arange(size), np.diff(numbers_of(network.begins, np.int64)))].astype(np.int64)
    heads = ranks[numbers_of(network.heads, np.uint32)].astype(np.int64)
    lengths = numbers_of(network.lengths, np.uint32).astype(np.int64)
    for side, lows, highs in ((up, tails, heads), (down, heads, tails)):
        mine = np.flatnonzero(lows < highs)
        keys, shortest = lows[mine] * size + highs[mine], lengths[mine]
        if (side.lengths(lows[mine], highs[mine]) > shortest).any():
            return "an edge is missing"
        order = np.lexsort((shortest, keys))
        keys, shortest = keys[order], shortest[order]
        arcs = np.flatnonzero(side.half.middles == NONE)
        if not len(keys):
            if len(arcs):
                return "an arc is not an edge of the graph"
            continue
        places = np.minimum(np.searchsorted(keys, side.keys[arcs]), len(keys) - 1)
        if (keys[places] != side.keys[arcs]).any() or (shortest[places] != side.half.lengths[arcs]).any():
            return "an arc is not an edge of the graph"
    return ""


def _are_valleys_passed(hierarchy: Hierarchy, up: Half, down: Half) -> bool:
    """Whether for each way over a state between two of higher ranks there is one as short that first rises.

    States of high ranks come first: so the ways that are found are the shortest ones between states of higher ranks.
    """
    size, units = hierarchy.network.size, np.array(hierarchy.network.units, np.int64)
    searches = [
        Search(
            np.full(size, FAR, np.int64),
            np.empty(size, np.int64),
            heap.Pairs(np.empty(2 * len(half.heads) + 2, np.int64)),
        )
        for half in (up, down)
    ]
    state, progress = np.array([size - 1, 0, 0, 0], np.int64), Progress(size, WHAT, "states are checked")
    while state[RANK] >= 0:
        progress.report(size - int(state[RANK]))
        if not _check(up, down, *searches, state, units, PIECE):
            return False
    return True


@sub_kernel
def _search(half: Any, search: Any, units: Any, source: Any, limit: Any, opposite: Any) -> Any:
    """Search from a state to those of higher ranks, until it meets the opposite search within the limit.

    Returns how many states have values, and whether they have met. The count is −1 if there are too many of them.
    """
    values, touched, frontier = search.values, search.touched, search.frontier
    values[source], touched[0], count, settled = 0, source, np.int64(1), np.int64(0)
    size, met = heap.push(frontier, 0, (np.int64(0), np.int64(source))), False
    while size > 0 and not met:
        value, here = frontier.numbers[0], frontier.numbers[1]
        size = heap.pop(frontier, size)
        if value > values[here]:
            continue
        met = value + opposite[here] <= limit
        settled += 1
        if settled > MOST_SETTLED:
            return np.int64(-1), False
        for arc in range(np.int64(half.begins[here]), np.int64(half.begins[here + 1])):
            head = np.int64(half.heads[arc])
            beyond = value + value_of(units, half.lengths[arc])
            if beyond <= limit and beyond < values[head]:
                if values[head] == FAR:
                    touched[count] = head
                    count += 1
                values[head] = beyond
                size = heap.push(frontier, size, (beyond, head))
    return count, met


@compiled_function
def _clear(search: Any, count: Any) -> None:
    """Forget the values of that many states."""
    for index in range(count):
        search.values[search.touched[index]] = FAR


@kernel
def _check(up: Any, down: Any, one: Any, other: Any, state: Any, units: Any, left: Any) -> Any:
    """Compare the ways over states, for that many steps; return whether each has one as short that first rises."""
    rank, into, out, count = state[RANK], state[INTO], state[OUT], state[COUNT]
    right = True
    while rank >= 0 and left > 0 and right:
        left -= 1
        begin, end = np.int64(up.begins[rank]), np.int64(up.begins[rank + 1])
        arc = np.int64(down.begins[rank]) + into
        if arc == np.int64(down.begins[rank + 1]) or begin == end:
            rank, into = rank - 1, np.int64(0)
            continue
        if begin + out == end:
            _clear(one, count)
            count, out, into = np.int64(0), np.int64(0), into + 1
            continue
        tail, head = np.int64(down.heads[arc]), np.int64(up.heads[begin + out])
        first = value_of(units, down.lengths[arc])
        total = first + value_of(units, up.lengths[begin + out])
        out += 1
        if tail == head:
            continue
        half = up if tail < head else down
        direct = find(half, min(tail, head), max(tail, head))
        if direct >= 0 and value_of(units, half.lengths[direct]) <= total:
            continue
        if count == 0:
            farthest = np.int64(0)
            for onward in range(begin, end):
                farthest = max(farthest, value_of(units, up.lengths[onward]))
            count, _ = _search(up, one, units, tail, first + farthest, other.values)
            left -= 8 * count
        reached, met = _search(down, other, units, head, total, one.values)
        left -= 8 * reached
        right = count > 0 and met
        _clear(other, reached)
    state[RANK], state[INTO], state[OUT], state[COUNT] = rank, into, out, count
    return right
