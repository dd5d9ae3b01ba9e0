"""Hub labels and how they are read: the distance between any two states, and the states of a path of that length."""

from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any, NamedTuple

from attrs import frozen

from searchkit.compiled.shared import SharedTable
from searchkit_graph.precomputed.network import FAR, Network
from searchkit_graph.precomputed.tables import Way, damaged, way_along

WHAT = "hub labels"
"""What messages say of the table."""
NOWHERE = -1
"""The place of a state that is not a hub."""


Frame = tuple["array[int]", "array[int]", "array[int]", "array[int]"]
"""What labels are besides the rows: `above`, `ends`, `parts` and `places` of `HubLabels`."""


class Answer(NamedTuple):
    """What the labels of two states say."""

    value: int
    """The value of the distance, as `Network.value` gives it; `FAR` if no path exists."""
    place: int
    """The place of the hub at which a shortest path is found; `NOWHERE` if it stays within one part."""


@frozen(eq=False, slots=False)
class HubLabels:
    """The labels of the states of a network (Cohen, Halperin, Kaplan and Zwick 2003).

    The network is cut in two again and again by *hubs*. Parts have numbers, each larger than that of the part that it
    is a part of; each state belongs to the smallest part that it is in, or to the part that it cuts. The hubs on the
    way from the whole network down to a state have *places* from 0 upwards. A shortest path leads through the hub with
    the lowest place among its states, and only through parts of that hub's part: so the distance is the least sum of
    the two distances to a hub in common (Gavoille, Peleg, Pérennes and Raz 2004).

    Only hubs have labels in the table: the *row* of a hub has a distance for each place up to its own. A state in a
    part that is not cut has those of the hubs around its part, plus the way to them, which is found when it is needed.
    """

    network: Network
    above: Sequence[int]
    """Part → the part that it is a part of; −1 for the whole network."""
    ends: Sequence[int]
    """Part → the number of hubs from the whole network down to this part, included."""
    parts: Sequence[int]
    """State → its part; −1 for a state that the labels leave out, as it has no edges."""
    places: Sequence[int]
    """State → its place if it is a hub, otherwise `NOWHERE`."""
    forward: Sequence[int]
    """The rows, in the order of the states: the length of the way to each hub, over states of higher places only."""
    backward: Sequence[int]
    """The same for the ways from the hubs; the same object if that makes no difference."""
    table: SharedTable | None = None
    """The file that the rows are read from; None if they were made by this process."""

    @cached_property
    def readers(self) -> list[Any]:
        """What reads the labels as machine code, and is free for the next search."""
        return []

    @cached_property
    def rows(self) -> Sequence[int]:
        """State → where its row begins."""
        return list(accumulate((place + 1 for place in self.places), initial=0))

    @cached_property
    def reverse(self) -> "HubLabels":
        """The labels of the reverse network; this object if that makes no difference."""
        if self.network.reverse is self.network:
            return self
        mirrored = self.above, self.ends, self.parts, self.places
        return HubLabels(self.network.reverse, *mirrored, self.backward, self.forward, self.table)

    def check_unchanged(self) -> None:
        """Raise `InputFormatError` if the file of the rows was changed after its check."""
        if self.table is not None:
            self.table.check_unchanged()

    def described(self) -> str:
        """Return what the labels have, for messages."""
        hubs = sum(place >= 0 for place in self.places)
        return f"{len(self.forward):,} distances of {hubs:,} hubs"

    def around(self, state: int) -> dict[int, int]:
        """Return state → value of the shortest way there, within the part of a state, to it and to the hubs around it.

        Of a hub, only the state itself (Dijkstra 1959).
        """
        network, found, frontier = self.network, {}, [(0, state)]
        while frontier:
            value, here = heappop(frontier)
            if here in found:
                continue
            found[here] = value
            if self.places[here] == NOWHERE:
                for head, length in network.edges(here):
                    heappush(frontier, (value + network.value(length), head))
        return found

    def label(self, near: dict[int, int], most: int) -> list[int]:
        """Return the values of the distances to the hubs at the places below `most`, given `around` a state."""
        values = [FAR] * most
        for hub, value in near.items():
            row = self.rows[hub]
            for place, length in enumerate(self.forward[row : row + min(self.places[hub] + 1, most)]):
                values[place] = min(values[place], value + self.network.value(length))
        return values

    def ask(self, start: int, goal: int) -> Answer:
        """Return the distance between two states, and the hub of a shortest path."""
        part, other = self.parts[start], self.parts[goal]
        if start == goal or part < 0 or other < 0:  # a state in no part has no edges
            return Answer(0 if start == goal else FAR, NOWHERE)
        near, near_goal = self.around(start), self.reverse.around(goal)
        best = Answer(near.get(goal, FAR) if self.places[start] == NOWHERE else FAR, NOWHERE)
        while part != other:  # up to the smallest part that both are in
            part, other = (self.above[part], other) if part > other else (part, self.above[other])
        labels = self.label(near, self.ends[part]), self.reverse.label(near_goal, self.ends[part])
        for place, (one, two) in enumerate(zip(*labels, strict=True)):
            if one + two < best.value:
                best = Answer(one + two, place)
        return best

    def path(self, start: int, goal: int, answer: Answer) -> list[int]:
        """Return the states of a shortest path, given what `ask` has returned."""
        if start == goal:
            return [start]
        if answer.place == NOWHERE:
            return self.within(start, goal, self.around(start))
        there, back = self.to_hub(start, answer.place), self.reverse.to_hub(goal, answer.place)
        return there + back[-2::-1]

    def to_hub(self, state: int, place: int) -> list[int]:
        """Return the states of a shortest path from a state to the hub at a place of its label."""
        path = [state]
        while self.places[state] != place:
            near = self.around(state)
            if self.places[state] == NOWHERE:
                exits = ((value + self.distance(hub, place), hub) for hub, value in near.items())
                steps = self.within(state, min(exits)[1], near)[1:]
            else:
                steps = [self._step(state, place)]
            path += steps
            if not steps or len(path) > self.network.size:
                raise damaged(WHAT)
            state = path[-1]
        return path

    def distance(self, hub: int, place: int) -> int:
        """Return the value of the distance of a hub from the hub at a place; `FAR` if its row has none."""
        if place > self.places[hub]:
            return FAR
        return self.network.value(self.forward[self.rows[hub] + place])

    def within(self, start: int, goal: int, near: dict[int, int]) -> list[int]:
        """Return the states of a shortest path within a part, given `around` its first state."""
        path = [goal]
        while path[-1] != start:
            here = path[-1]
            path.append(
                next(
                    tail
                    for tail, length in self.network.reverse.edges(here)
                    if near.get(tail, FAR) + self.network.value(length) == near[here]
                    and (tail == start or self.places[tail] == NOWHERE)
                )
            )
        return path[::-1]

    def _step(self, hub: int, place: int) -> int:
        """Return the state after a hub on a shortest path to another one."""
        left = self.distance(hub, place)
        for head, length in self.network.edges(hub):
            rest = left - self.network.value(length)
            if any(value + self.distance(end, place) == rest for end, value in self.around(head).items()):
                return head
        raise damaged(WHAT)

    def way(self, start: int, goal: int, answer: Answer) -> Way:
        """Return a shortest path, given what `ask` has returned; of several edges between two states, the shortest."""
        return way_along(self.network, self.path(start, goal, answer), WHAT)


def with_rows(network: Network, frame: Frame, rows: Callable[[Network], "array[int]"]) -> HubLabels:
    """Return labels, given a function that returns the rows for the ways from hubs in a network."""
    forward = rows(network.reverse)  # the ways to hubs are the ways from hubs there
    return HubLabels(network, *frame, forward, forward if network.reverse is network else rows(network))
