"""Reading distances and paths from hub labels, as machine code: as `searchkit_graph.precomputed.labels.table` does."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit_graph.precomputed.compiled.tables import lent_reader, numbers_of, way_along
from searchkit_graph.precomputed.labels.compiled.sides import (
    Near,
    clear,
    read_label,
    room_near,
    settle,
    side_of,
    value_of,
)
from searchkit_graph.precomputed.labels.dissection import LARGEST_LEAF
from searchkit_graph.precomputed.labels.table import NOWHERE, WHAT, Answer, HubLabels
from searchkit_graph.precomputed.network import FAR
from searchkit_graph.precomputed.tables import Way, damaged

LONGEST_PIECE = 1 << 12
"""The states of a path that are read in one call, about."""
PIECE = 1 << 10
"""The distances that are read in one call: between two calls, Ctrl-C and other threads have their turn."""


class Room(NamedTuple):
    """Arrays for one query at a time."""

    near_start: Near
    near_goal: Near
    label: Any
    goal_label: Any


def reader_of(labels: HubLabels) -> "Reader":
    """Return a reader that nobody else uses."""
    return lent_reader(labels.readers, lambda: Reader(labels))


def costs_between(labels: HubLabels, starts: Sequence[int], goals: Sequence[int]) -> list[float]:
    """Return the cost of each distance, infinity where there is no path."""
    values, _ = reader_of(labels).ask(np.array(starts, np.int64), np.array(goals, np.int64))
    cost = labels.network.cost
    return [inf if value == FAR else cost(value) for value in values.tolist()]


class Reader:
    """Reads distances and paths. Used by one thread at a time.

    Args:
        labels: labels that were made here, or that were checked.

    """

    def __init__(self, labels: HubLabels):
        self.labels = labels
        self.side, self.back = side_of(labels), side_of(labels.reverse)
        self.above, self.ends = numbers_of(labels.above, np.int32), numbers_of(labels.ends, np.int32)
        size, most = labels.network.size, int(self.ends.max(initial=0))
        self.room = Room(room_near(size), room_near(size), *np.empty((2, most), np.int64))

    def ask(self, starts: Any, goals: Any) -> tuple[Any, Any]:
        """Return the value of the distance of each start from the goal at the same index, and the places of hubs.

        Args:
            starts: array of int64, numbers of states.
            goals: the same for the goals.

        """
        values, places = np.empty(len(starts), np.int64), np.empty(len(starts), np.int64)
        for first in range(0, len(starts), PIECE):
            piece = slice(first, first + PIECE)
            _ask(
                self.side, self.back, self.above, self.ends, self.room,
                starts[piece], goals[piece], values[piece], places[piece],
            )  # fmt: skip
        return values, places

    def path(self, start: int, goal: int, answer: Answer) -> list[int]:
        """Return the states of a shortest path, given what `ask` has returned."""
        if answer.place == NOWHERE or start == goal:
            return self._walk(self.side, start, NOWHERE, goal)
        there = self._walk(self.side, start, answer.place, NOWHERE)
        return there + self._walk(self.back, goal, answer.place, NOWHERE)[-2::-1]

    def way(self, start: int, goal: int, answer: Answer) -> Way:
        """Return the same path with its edges; of several between two states, the shortest."""
        return way_along(self.labels.network, self.path(start, goal, answer), WHAT)

    def _walk(self, side: Any, start: int, place: int, goal: int) -> list[int]:
        """Return the states of a shortest path to the hub at a place of the label, or within a part to a goal."""
        states, piece = [start], np.empty(LONGEST_PIECE + LARGEST_LEAF, np.int64)
        while side.places[states[-1]] != place if place >= 0 else states[-1] != goal:
            count = _walk(side, self.room.near_start, states[-1], place, goal, piece)
            if count < 2 or len(states) > self.labels.network.size:
                raise damaged(WHAT)
            states += piece[1:count].tolist()
        return states


@kernel
def _ask(
    side: Any, back: Any, above: Any, ends: Any, room: Any, starts: Any, goals: Any, values: Any, places: Any
) -> None:
    """Write the value of each distance, and the place of the hub on a shortest path."""
    for query in range(starts.size):
        start, goal = starts[query], goals[query]
        part, other = side.parts[start], side.parts[goal]
        values[query], places[query] = 0 if start == goal else FAR, NOWHERE
        if start == goal or part < 0 or other < 0:
            continue
        count = settle(side.edges, side.places, start, room.near_start)
        goal_count = settle(back.edges, back.places, goal, room.near_goal)
        best, found = np.int64(FAR), np.int64(NOWHERE)
        if side.places[start] < 0:
            best = room.near_start.values[goal]
        while part != other:
            if part > other:
                part = above[part]
            else:
                other = above[other]
        most = np.int64(ends[part])
        read_label(side, room.near_start, count, most, room.label)
        read_label(back, room.near_goal, goal_count, most, room.goal_label)
        for place in range(np.uint64(most)):
            total = room.label[place] + room.goal_label[place]
            if total < best:
                best, found = total, np.int64(place)
        clear(room.near_start, count)
        clear(room.near_goal, goal_count)
        values[query], places[query] = best, found


@compiled_function
def _distance(side: Any, hub: Any, place: Any) -> Any:
    """Return the value of the distance of a hub from the hub at a place; `FAR` if its row has none."""
    if side.places[hub] < place:
        return np.int64(FAR)
    return value_of(side.edges, side.rows[side.starts[hub] + place])


@kernel
def _walk(side: Any, near: Any, source: Any, place: Any, goal: Any, path: Any) -> Any:
    """Write the first states of a shortest path, so far as there is room; return how many.

    It leads to the hub at a place of the label of the first state, or with `NOWHERE` to a goal in the same part.
    Returns −1 if the labels contradict themselves.
    """
    edges, here, length = side.edges, np.int64(source), np.int64(1)
    path[0] = here
    while length <= path.size - LARGEST_LEAF and (
        (place >= 0 and side.places[here] != place) or (place < 0 and here != goal)
    ):
        if side.places[here] < 0:
            count = settle(edges, side.places, here, near)
            end, least = np.int64(goal), np.int64(FAR)
            for index in range(count if place >= 0 else 0):
                hub = near.states[index]
                if side.places[hub] >= place:
                    value = near.values[hub] + _distance(side, hub, place)
                    if value < least or (value == least and hub < end):
                        end, least = hub, value
            added = _unwind(side, near, here, end, path, length)
            clear(near, count)
        else:
            left, added = _distance(side, here, place), np.int64(0)
            for edge in range(edges.begins[here], edges.begins[here + 1]):
                head = np.int64(edges.heads[edge])
                rest = left - value_of(edges, edges.lengths[edge])
                count = settle(edges, side.places, head, near)
                for index in range(count):
                    hub = near.states[index]
                    if side.places[hub] >= place and near.values[hub] + _distance(side, hub, place) == rest:
                        added = 1
                        break
                clear(near, count)
                if added:
                    path[length] = head
                    break
        if added <= 0:
            return np.int64(-1)
        length += added
        here = path[length - 1]
    return length


@compiled_function
def _unwind(side: Any, near: Any, start: Any, end: Any, path: Any, length: Any) -> Any:
    """Append a shortest path within a part, without its first state; return how many states were added, or −1."""
    edges, here, added = side.edges, end, np.int64(0)
    while here != start:
        if length + added >= path.size:
            return np.int64(-1)
        path[length + added] = here
        added += 1
        before = np.int64(-1)
        for edge in range(edges.back_begins[here], edges.back_begins[here + 1]):
            tail = np.int64(edges.back_heads[edge])
            if side.places[tail] < 0 and before < 0:
                value = near.values[tail] + value_of(edges, edges.back_lengths[edge])
                if near.values[tail] < FAR and value == near.values[here]:
                    before = tail
        if before < 0:
            return np.int64(-1)
        here = before
    for index in range(added // 2):
        one, other = length + index, length + added - 1 - index
        path[one], path[other] = path[other], path[one]
    return added
