"""From the log of a search to the events of a recording: numbers for the nodes, and what each write has changed."""

from typing import Any

from searchkit.trace.appearance import FORWARD, OWN
from searchkit.trace.log import CLEARED, DROPPED, EXPANDED, SAID, Log
from searchkit.trace.recording import EXPAND, IMPROVE, LEAVE, NOTE, REACH, REOPEN, Events, Note


class Numbering:
    """The nodes and events of a log, as they are now: the search may be resumed."""

    def __init__(self, log: Log):
        self.events = Events()
        self.states: list[Any] = []
        """For each node its state, …"""
        self.halves = bytearray()
        """… and its half."""
        self.notes: list[Note] = []
        self.numbers: tuple[dict[Any, int], ...] = ({}, {}, {})
        """For each half, state → node."""
        self._arrived: list[int] = []
        """For each node the event of its present arrival; -1 if it was dropped."""
        self._fill(log)

    def _fill(self, log: Log) -> None:
        # One loop without calls for each event: a search of a million expansions has several millions of them.
        events, states, halves, arrived = self.events, self.states, self.halves, self._arrived
        kinds, nodes, gs, parents, actions = (
            events.kind,
            events.node,
            events.g,
            events.parent,
            events.action,
        )
        add_kind, add_node, add_g = kinds.append, nodes.append, gs.append
        add_parent, add_action = parents.append, actions.append
        half_of, reopenings = log.halves, log.reopenings
        half, numbers = FORWARD, self.numbers[FORWARD]
        last: Any = log  # the state that was expanded last, its node and its half
        last_node, last_half = -1, FORWARD
        for at, (state, entry) in enumerate(zip(log.subjects, log.entries, strict=True)):
            if half_of:
                half = half_of.get(at, FORWARD)
                numbers = self.numbers[half]
            if entry is EXPANDED:
                known = numbers.get(state)
                last_node = node = self._own(state) if known is None else known
                last, last_half = state, halves[node]
                event = arrived[node]
                if event < 0:
                    events.add(EXPAND, node)
                    continue
                add_kind(EXPAND)
                add_node(node)
                add_g(gs[event])
                add_parent(parents[event])
                add_action(actions[event])
            elif type(entry) is not object:  # an arrival, and none of the marks of a log
                cost, before, action = entry
                if before is last and half == last_half:
                    parent = last_node
                else:
                    parent = -1 if before is None else numbers.get(before, -1)
                new = len(states)
                node = numbers.setdefault(state, new)
                if node == new:
                    states.append(state)
                    halves.append(half)
                    arrived.append(len(kinds))
                    add_kind(REACH)
                else:
                    arrived[node] = len(kinds)
                    add_kind(REOPEN if at in reopenings else IMPROVE)
                add_node(node)
                add_g(cost)
                add_parent(parent)
                add_action(action)
            elif entry is SAID:
                events.add(NOTE, len(self.notes))
                self.notes.append(state)
            elif entry is DROPPED and state in numbers:
                self._leave(numbers[state])
            elif entry is CLEARED:
                for node in reversed(range(len(states))):
                    if halves[node] == half and arrived[node] >= 0:
                        self._leave(node)

    def _own(self, state: Any) -> int:
        """Return the node of an expansion that is not in the tree: a node of the engine's own, perhaps a new one."""
        new = len(self.states)
        node = self.numbers[OWN].setdefault(state, new)
        if node == new:
            self.states.append(state)
            self.halves.append(OWN)
            self._arrived.append(len(self.events))
            self.events.add(REACH, node)
        return node

    def _leave(self, node: int) -> None:
        event, events = self._arrived[node], self.events
        if event >= 0:
            events.add(LEAVE, node, events.g[event], events.parent[event], events.action[event])
            self._arrived[node] = -1
