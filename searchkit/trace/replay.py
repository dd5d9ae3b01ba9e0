"""The tree of a recorded search at any time: the reference for every player."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

from searchkit.errors import InputFormatError
from searchkit.trace.appearance import BACKWARD, FORWARD, OWN
from searchkit.trace.recording import EXPAND, LEAVE, NOTE, REOPEN, Counters, Recording

ABSENT, OPEN, EXPANDED, REOPENED, LEFT = range(5)
"""The conditions of a node. Odd ones are in the frontier."""


def replay(recording: Recording[Any, Any], time: int | None = None) -> "Replay":
    """Return the tree after the first `time` events of a recording; after all of them for None.

    Raises ValueError if the recording does not have so many events.
    """
    return Replay(recording).seek(len(recording) if time is None else time)


class Replay:
    """The tree of a recorded search at one time. `seek` goes to any other time, forwards and back."""

    def __init__(self, recording: Recording[Any, Any]):
        self.recording = recording
        self._begin()

    def _begin(self) -> None:
        nodes = self.recording.nodes
        self.time = 0
        """How many events have happened."""
        self.g: list[Any] = [None] * nodes
        """For each node the cost so far; None if it is not reached, …"""
        self.parents = [-1] * nodes
        """… its parent, …"""
        self.actions: list[Any] = [None] * nodes
        """… the action between them, …"""
        self.conditions = bytearray(nodes)
        """… and its condition: `ABSENT`, `OPEN`, `EXPANDED`, `REOPENED` or `LEFT`."""

    def seek(self, time: int) -> "Replay":
        """Go to a time, and return this object. Takes O(events between); to go back, O(events before that time)."""
        if not 0 <= time <= len(self.recording):
            raise ValueError(f"time {time}: the recording has {len(self.recording)} events")
        if time < self.time:
            self._begin()
        for kind, node, g, parent, action in self.recording.events[self.time : time]:
            if kind == EXPAND:
                self.conditions[node] = EXPANDED
            elif kind == LEAVE:
                self.g[node], self.parents[node], self.actions[node] = None, -1, None
                self.conditions[node] = LEFT
            elif kind != NOTE:
                if kind == REOPEN:
                    self.conditions[node] = REOPENED
                elif not self.is_reached(node):
                    self.conditions[node] = OPEN
                self.g[node], self.parents[node], self.actions[node] = g, parent, action
        self.time = time
        return self

    def is_reached(self, node: int) -> bool:
        """Whether a node is in the tree."""
        return self.conditions[node] not in (ABSENT, LEFT)

    @property
    def open(self) -> int:
        """How many nodes are open."""
        return self.conditions.count(OPEN) + self.conditions.count(REOPENED)

    @property
    def reached(self) -> Mapping[Any, Any]:
        """State → cost so far, parent, action: what `tree.reached` was. A recording of a file has nodes for states."""
        return self._arrivals(FORWARD)

    @property
    def backward(self) -> Mapping[Any, Any]:
        """The same of the half that grows from the goals; empty if there is none."""
        return self._arrivals(BACKWARD)

    def _arrivals(self, half: int) -> Mapping[Any, Any]:
        states, parents = self.recording.states, self.parents
        return {
            state: (self.g[node], None if parents[node] < 0 else states[parents[node]], self.actions[node])
            for node, state in enumerate(states)
            if self.recording.halves[node] == half and self.is_reached(node)
        }

    @property
    def expanded_nodes(self) -> list[int]:
        """The nodes that are expanded, and neither reopened nor left since."""
        return [node for node, condition in enumerate(self.conditions) if condition == EXPANDED]

    @property
    def expanded_states(self) -> set[Any]:
        """The states of these nodes, of both halves, without nodes of the engine's own."""
        states, halves = self.recording.states, self.recording.halves
        return {states[node] for node in self.expanded_nodes if halves[node] != OWN}

    @property
    def frontier(self) -> list[int]:
        """The open nodes, in the order in which they are expanded later; then by f, those that never are."""
        recording, time = self.recording, self.time
        later = recording.expanded_at

        def order(node: int) -> tuple[Any, ...]:
            expanded = next((at for at in later.get(node, ()) if at >= time), None)
            return (0, expanded, node) if expanded is not None else (1, recording.f(node, self.g[node]), node)

        return sorted((n for n, condition in enumerate(self.conditions) if condition & 1), key=order)

    @property
    def counters(self) -> Counters:
        """The counters of the search. `generated` counts whole expansions."""
        recording = self.recording
        done = bisect_left(recording.expansions_at, self.time)
        events = recording.events.kind
        after = self.time
        while after < len(events) and events[after] in (NOTE, LEAVE):
            after += 1
        whole = after == len(events) or events[after] == EXPAND
        generated = recording.generated
        counted = generated[done if whole else max(0, done - 1)] if generated else 0
        return Counters(done, counted, recording.events.kind[: self.time].count(REOPEN))

    def path_to(self, node: int) -> list[int]:
        """Return the nodes on the path to a node, from its start.

        Raises `InputFormatError` if the parents go in a circle.
        """
        path = []
        while node >= 0:
            path.append(node)
            if len(path) > len(self.parents):
                raise InputFormatError("the parents of the recording go in a circle")
            node = self.parents[node]
        return path[::-1]
