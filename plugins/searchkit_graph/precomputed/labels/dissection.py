"""Nested dissection: a graph is cut in two by few states, and both parts again (George 1973).

The states of each cut lie between the states at both ends of a line (inertial flow: Schild and Sommer 2015), so parts
are of comparable size and cuts are as small as a maximum flow proves (Menger 1927).
"""

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from attrs import frozen

from searchkit.plugin import MissingCapabilityError
from searchkit_graph.precomputed.labels.table import NOWHERE, Frame
from searchkit_graph.precomputed.network import Network

LEAF = 20
"""Parts of up to this many states are not cut."""
MOST_ENTRIES = 40_000_000
"""The most distances of a table, 4 bytes each."""
LARGEST_LEAF = 320
"""If a table would have more than `MOST_ENTRIES` distances, parts of up to this many states are left uncut."""
SHARE = 35
"""Percent of the states that are at each end of the line."""

Cut: TypeAlias = Callable[[Sequence[int]], tuple[list[int], list[int], list[int]]]
"""Called with the states of a part. Returns the fewest states that separate the first `SHARE` of them along a line from
the last, those on the side of the first ones, and those on the other side; all are sorted."""


@frozen
class Part:
    """A part of a graph, in the order in which parts are made: a part is made after the one that it is a part of."""

    above: int
    """The number of the part that it is a part of; −1 for the whole graph."""
    size: int
    """The number of its states."""
    states: Sequence[int]
    """The states that cut it in two; of a part that is not cut, all states."""
    is_cut: bool


def frame_of(network: Network, cut: Cut) -> Frame:
    """Return the parts of a network and the places of its hubs.

    Raises `MissingCapabilityError` if the labels would be too large.
    """
    inside = [
        state
        for state in range(network.size)
        if network.begins[state] < network.begins[state + 1]
        or network.reverse.begins[state] < network.reverse.begins[state + 1]
    ]
    parts, leaf = dissect(inside, cut) if inside else [], LEAF
    while (entries := _entries(parts)) > MOST_ENTRIES:
        leaf *= 2
        if leaf > LARGEST_LEAF:
            raise MissingCapabilityError(
                f"hub labels of this map would have {entries:,} distances, and at most {MOST_ENTRIES:,} are made: it "
                "can't be cut by few states"
            )
        parts = coarser(parts, leaf)
    above, ends = array("i", [part.above for part in parts]), array("i", _ends(parts))
    of_states, places = array("i", [-1]) * network.size, array("i", [NOWHERE]) * network.size
    for number, part in enumerate(parts):
        first = ends[number] - len(part.states)
        for index, state in enumerate(part.states):
            of_states[state] = number
            if part.is_cut:
                places[state] = first + index
    return above, ends, of_states, places


def _ends(parts: list[Part]) -> list[int]:
    ends: list[int] = []
    for part in parts:
        ends.append((ends[part.above] if part.above >= 0 else 0) + (len(part.states) if part.is_cut else 0))
    return ends


def _entries(parts: list[Part]) -> int:
    """Return how many distances the rows have."""
    total = 0
    for end, part in zip(_ends(parts), parts, strict=True):
        count = len(part.states) if part.is_cut else 0
        total += count * end - count * (count - 1) // 2
    return total


def dissect(states: Sequence[int], cut: Cut) -> list[Part]:
    """Return the parts of the network that the states make up."""
    parts: list[Part] = []
    open_parts = [(-1, states)]
    while open_parts:
        above, inside = open_parts.pop()
        if len(inside) <= LEAF:
            parts.append(Part(above, len(inside), inside, False))
            continue
        between, *both = cut(inside)
        open_parts += [(len(parts), side) for side in both if side]
        parts.append(Part(above, len(inside), between, True))
    return parts


def coarser(parts: Sequence[Part], leaf: int) -> list[Part]:
    """Return the parts without cuts of parts of up to `leaf` states."""
    kept: list[Part] = []
    number: list[int] = []
    for part in parts:
        above = -1 if part.above < 0 else number[part.above]
        whole = above >= 0 and not kept[above].is_cut
        number.append(above if whole else len(kept))
        if whole:
            kept[above].states.extend(part.states)  # type: ignore[attr-defined]  # a list, made below
        else:
            kept.append(Part(above, part.size, list(part.states), part.is_cut and part.size > leaf))
    return kept


def along(network: Network, states: Sequence[int]) -> list[int]:
    """Return states in their order along a line: from side to side of the longer extent, or from the farthest state."""
    stride = network.stride
    if stride is None:
        return sorted(states, key=_levels(network, states).__getitem__)
    xs, ys = {state: state % stride for state in states}, {state: state // stride for state in states}
    wide = max(xs.values()) - min(xs.values()) >= max(ys.values()) - min(ys.values())
    one, other = (xs, ys) if wide else (ys, xs)
    return sorted(states, key=lambda state: (one[state], other[state]))


def _levels(network: Network, states: Sequence[int]) -> dict[int, int]:
    """Return how many edges, in any direction, each of the states is from one that is far from the first."""
    source = states[0]
    levels: dict[int, int] = {}
    for _ in range(2):
        levels = dict.fromkeys(states, len(states))
        levels[source] = 0
        queue = deque([source])
        while queue:
            source = queue.popleft()
            for other in neighbours(network, source):
                if levels.get(other, 0) == len(states):
                    levels[other] = levels[source] + 1
                    queue.append(other)
    return levels


def neighbours(network: Network, state: int) -> Iterable[int]:
    """Return the states to which an edge leads from a state, or from which one leads to it."""
    for head, _ in network.edges(state):
        yield head
    if network.reverse is not network:
        for tail, _ in network.reverse.edges(state):
            yield tail


def cutter(network: Network) -> Cut:
    """Return the function that finds the least cut, in Python."""
    return lambda states: least_cut(network, along(network, states))


def least_cut(network: Network, states: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the least cut between the first and the last of some states along a line, and its two sides.

    As many paths from end to end as possible are found that share no state (Ford and Fulkerson 1956). A path enters a
    state at its node `2 · state` and leaves it at `2 · state + 1`. Of several least cuts, it is the one nearest to the
    first states.
    """
    ends = len(states) * SHARE // 100
    inside, sinks = set(states), set(states[-ends:])
    before: dict[int, int] = {}  # state → the state before it on its path
    after: dict[int, int] = {}
    while True:
        parents: dict[int, int] = {2 * state: -1 for state in states[:ends] if state not in after}
        queue = deque(parents)
        end = -1
        while queue:
            node = queue.popleft()
            state, leaves = node >> 1, node & 1
            if leaves and state in sinks:
                end = node
                break
            if not leaves and state not in after:
                onward = [node + 1]
            elif not leaves:
                onward = [2 * before[state] + 1] if before[state] >= 0 else []  # back along its path
            else:
                onward = [2 * other for other in neighbours(network, state) if other in inside]
                if state in after:
                    onward.insert(0, node - 1)
            for other in onward:
                if other not in parents:
                    parents[other] = node
                    queue.append(other)
        if end < 0:
            break
        _add_path(parents, end, before, after)
    cut = {state for state in states if 2 * state in parents and 2 * state + 1 not in parents}
    first = {state for state in states if 2 * state + 1 in parents}
    return sorted(cut), sorted(first), sorted(inside.difference(cut, first))


def _add_path(parents: dict[int, int], end: int, before: dict[int, int], after: dict[int, int]) -> None:
    """Change the paths so that there is one more. A path ends at a sink, whose `after` is −1."""
    nodes = [end]
    while parents[nodes[-1]] >= 0:
        nodes.append(parents[nodes[-1]])
    nodes.reverse()
    steps = list(pairwise(nodes))
    for one, other in steps:
        if one & 1 and one - 1 == other:  # no path leads through this state any more
            del before[one >> 1], after[one >> 1]
    before[nodes[0] >> 1] = -1
    for one, other in steps:
        if one & 1 and one - 1 != other:
            after[one >> 1], before[other >> 1] = other >> 1, one >> 1
    after[end >> 1] = -1
