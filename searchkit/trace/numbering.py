"""From the log of a search to the events of a recording: numbers for the nodes, and what each write has changed."""

from collections.abc import Sequence
from typing import Any

from searchkit.trace.log import BACKWARD, CLEARED, FORWARD, OWN, UNSURE, Log
from searchkit.trace.recording import EXPAND, IMPROVE, LEAVE, NOTE, REACH, REOPEN, Events, Note


class Numbering:
    """The nodes and events of a log."""

    def __init__(self, log: Log):
        self.log = log
        self.events = Events()
        self.states: list[Any] = []
        self.halves = bytearray()
        self.notes: list[Note] = []
        self.numbers: tuple[dict[Any, int], ...] = ({}, {}, {})
        """For each half, state → node."""
        self._arrivals: list[tuple[Any, int, Any] | None] = []
        """For each node its cost, parent and action; None if it was dropped."""
        self._expanded: set[int] = set()
        self._fill()

    def node(self, half: int, state: Any) -> int | None:
        """Return the number of a state; None if it was not reached."""
        return self.numbers[half].get(state)

    def _fill(self) -> None:
        log, begin, note = self.log, 0, 0
        last, last_node, last_half = None, -1, FORWARD
        ends = [*log.expanded_at, len(log.states)]
        for count, end in enumerate(ends):
            while note < len(log.notes) and log.notes[note][1] == count:
                at, _, kind, text, facts = log.notes[note]
                self._writes(begin, at, last, last_node, last_half)
                begin, note = at, note + 1
                self._event(NOTE, len(self.notes), 0, -1, None)
                self.notes.append(Note(kind, text, facts))
            self._writes(begin, end, last, last_node, last_half)
            begin = end
            if count == len(log.expanded):
                break
            last, last_half = log.expanded[count], log.expanded_halves[count]
            if last_half == UNSURE:
                last_half = self._half_of(last, range(end, ends[count + 1]))
            last_node, last_half = self._known(last_half, last)
            if count == len(log.expanded) - 1 and log.interrupted is not None:
                self._event(NOTE, len(self.notes), 0, -1, None)
                self.notes.append(Note("interrupted", "the expansion raised an error", {"state": last}))
            else:
                self._expanded.add(last_node)
                cost, parent, action = self._arrivals[last_node] or (0, -1, None)
                self._event(EXPAND, last_node, cost, parent, action)

    def _event(self, kind: int, node: int, cost: Any, parent: int, action: Any) -> None:
        events = self.events
        events.kind.append(kind)
        events.node.append(node)
        events.g.append(cost)
        events.parent.append(parent)
        events.action.append(action)

    def _writes(self, begin: int, end: int, last: Any, last_node: int, last_half: int) -> None:
        """Add the events of some writes, which happened while `last` was expanded."""
        log, held = self.log, self._arrivals
        states, arrivals, halves, reopened = log.states, log.arrivals, log.halves, log.reopened
        events = self.events
        add_kind, add_node, add_g = events.kind.append, events.node.append, events.g.append
        add_parent, add_action = events.parent.append, events.action.append
        for write in range(begin, end):
            half = halves.get(write, FORWARD) if halves else FORWARD
            numbers = self.numbers[half]
            arrival = arrivals[write]
            if arrival is CLEARED:
                self._drop([n for n, one in enumerate(held) if one is not None and self.halves[n] == half])
                continue
            state = states[write]
            if arrival is None:
                self._drop([numbers[state]] if state in numbers else [])
                continue
            cost, before, action = arrival
            if before is None:
                parent = -1
            elif before is last and half == last_half:
                parent = last_node
            else:
                found = numbers.get(before)
                parent = self._absent(half, before) if found is None else found
            node = numbers.get(state)
            if node is None:
                kind, node = REACH, len(self.states)
                numbers[state] = node
                self.states.append(state)
                self.halves.append(half)
                held.append((cost, parent, action))
            else:
                known = held[node]
                if write in reopened:
                    kind = REOPEN
                elif known is None or known[0] != cost or known[1] != parent or known[2] is not action:
                    kind = IMPROVE
                else:
                    continue  # the same again, after an expansion that raised
                held[node] = (cost, parent, action)
            add_kind(kind)
            add_node(node)
            add_g(cost)
            add_parent(parent)
            add_action(action)

    def _drop(self, nodes: Sequence[int]) -> None:
        for node in reversed(nodes):
            cost, parent, action = self._arrivals[node] or (0, -1, None)
            self._arrivals[node] = None
            self._event(LEAVE, node, cost, parent, action)

    def _absent(self, half: int, state: Any) -> int:
        """Return a new node for a parent that has no arrival of its own."""
        node = self._new(half, state)
        self._drop([node])
        return node

    def _new(self, half: int, state: Any) -> int:
        node = self.numbers[half][state] = len(self.states)
        self.states.append(state)
        self.halves.append(half)
        self._arrivals.append((0, -1, None))
        self._event(REACH, node, 0, -1, None)
        return node

    def _known(self, half: int, state: Any) -> tuple[int, int]:
        """Return the node that is expanded, and its half: a node of the engine's own if it is not in the tree."""
        for other in (half, OWN):
            node = self.numbers[other].get(state)
            if node is not None:
                return node, other
        return self._new(OWN, state), OWN

    def _half_of(self, state: Any, writes: range) -> int:
        """Return the half in which a state is expanded, if the engine does not say so: where its successors are."""
        for write in writes:
            arrival = self.log.arrivals[write]
            half = self.log.halves.get(write, FORWARD)
            if arrival is not None and arrival is not CLEARED and arrival[1] == state and half != OWN:
                return half
        nodes = [self.numbers[half].get(state) for half in (FORWARD, BACKWARD)]
        if nodes[FORWARD] is None or nodes[FORWARD] in self._expanded:
            return BACKWARD if nodes[BACKWARD] is not None else FORWARD
        return FORWARD
