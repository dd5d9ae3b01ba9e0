"""From the log of a search to the events of a recording: numbers for the nodes, and what each write has changed."""

from array import array
from collections.abc import Iterator, Mapping
from itertools import chain, compress, count, repeat
from operator import is_, itemgetter, lt, sub
from typing import Any

from searchkit.trace.log import BACKWARD, CLEARED, FORWARD, OWN, UNSURE, Log
from searchkit.trace.recording import (
    EXPAND,
    IMPROVE,
    LEAVE,
    NOTE,
    REACH,
    REOPEN,
    ArrivalColumns,
    Events,
    Note,
)
from searchkit.tree import Arrival

NEVER: Arrival[Any, Any] = (0, None, None)
"""Stands for the arrival of a node that has none."""


class Numbering:
    """The nodes and events of a log."""

    def __init__(self, log: Log):
        log.list_writes()
        log.fill_halves()
        self.log = log
        self.events = Events()
        self.states: list[Any] = []
        self.halves = bytearray()
        self.notes: list[Note] = []
        self.numbers: tuple[dict[Any, int], ...] = ({}, {}, {})
        """For each half, state → node."""
        self._arrivals: list[Arrival[Any, Any] | None] = []
        """For each node its present arrival; None if it was dropped."""
        self._expanded: set[int] = set()
        self._at_once = self._fill_at_once()
        """Whether `numbers` is not filled, because it was not needed."""
        if not self._at_once:
            self._fill()

    def node(self, half: int, state: Any) -> int | None:
        """Return the number of a state; None if it was not reached."""
        numbers = self.numbers[half]
        if self._at_once and half == FORWARD and not numbers:  # making the dictionary takes longer
            for node in compress(count(), map(is_, self.states, repeat(state))):
                return node
            numbers.update(zip(self.states, count(), strict=False))
        return numbers.get(state)

    def _fill_at_once(self) -> bool:
        """Make all events by functions of itertools if every write reached a new state; return whether that is so.

        It is so in breadth-first search, whose expansions cost so little that the loop of `_fill` takes as long as the
        search. States must have been expanded in the order in which they were reached, and nothing else be noted.
        """
        log = self.log
        written, expanded, befores = log.states, log.expanded, log.expanded_at
        if (
            (log.notes or log.halves or log.reopened or log.two or log.interrupted is not None)
            or (len(expanded) > len(written) or not all(map(is_, expanded, written)))
            or (any(log.expanded_halves) or not all(map(lt, count(), befores)))
            or not log.each_state_once()
        ):
            return False
        try:
            costs, above, actions = (list(map(itemgetter(place), log.arrivals)) for place in range(3))
            if set(map(len, log.arrivals)) - {3}:
                return False
        except TypeError:  # an arrival that was dropped
            return False
        lengths = [*map(sub, befores, chain((0,), befores)), len(written) - (befores[-1] if befores else 0)]
        senders = map(repeat, compress(count(-1), lengths), filter(None, lengths))
        parents = list(chain.from_iterable(senders))
        if not all(map(is_, above, map([*written, None].__getitem__, parents))):
            return False
        runs = {length: REACHES * length for length in set(lengths)}
        kinds = EXPANDS.join(map(runs.__getitem__, lengths))
        sources = {EXPAND: count(), REACH: count()}
        nodes = array("i", list(map(next, map(sources.__getitem__, kinds))))
        self.states, self.halves = list(written), bytearray(len(written))
        self.events = Events(
            array("B", kinds), nodes, ArrivalColumns(costs, array("i", parents), actions), in_order=True
        )
        return True

    def _fill(self) -> None:
        # One loop without calls for each event: a search of a million expansions has several millions of them.
        log, held, events, states, node_halves = (
            self.log,
            self._arrivals,
            self.events,
            self.states,
            self.halves,
        )
        written, arrivals, halves, reopened = log.states, log.arrivals, log.halves, log.reopened
        add_kind, add_node, add_g = events.kind.append, events.node.append, events.arrivals.g.append
        add_parent, add_action = events.arrivals.parent.append, events.arrivals.action.append
        half, numbers = FORWARD, self.numbers[FORWARD]
        last, last_node, last_half = None, -1, FORWARD
        for begin, end, note, expanded in self._segments():
            for write in range(begin, end):
                if halves:
                    half = halves.get(write, FORWARD)
                    numbers = self.numbers[half]
                arrival = arrivals[write]
                if arrival is None or arrival is CLEARED:
                    self._drop(half, written[write], arrival)
                    continue
                cost, before, action = arrival
                if before is last and half == last_half:
                    parent = last_node
                elif before is None:
                    parent = -1
                else:
                    found = numbers.get(before)
                    parent = self._absent(half, before) if found is None else found
                state = written[write]
                new = len(states)
                node = numbers.setdefault(state, new)
                if node == new:
                    states.append(state)
                    node_halves.append(half)
                    held.append(arrival)
                    add_kind(REACH)
                else:
                    known = held[node]
                    if write in reopened:
                        add_kind(REOPEN)
                    elif known is None or not _same(known, arrival):
                        add_kind(IMPROVE)
                    else:
                        continue  # the same again, after an expansion that raised
                    held[node] = arrival
                add_node(node)
                add_g(cost)
                add_parent(parent)
                add_action(action)
            if note is not None:
                self._note(Note(*note))
            elif expanded >= 0:
                last, last_half = log.expanded[expanded], log.expanded_halves[expanded]
                known_node = self.numbers[last_half].get(last) if last_half != UNSURE else None
                if known_node is None:
                    known_node, last_half = self._known(expanded, end)
                last_node = known_node
                if expanded == len(log.expanded) - 1 and log.interrupted is not None:
                    self._note(Note("interrupted", "the expansion raised an error", {"state": last}))
                    continue
                if log.two:
                    self._expanded.add(last_node)
                add_kind(EXPAND)
                add_node(last_node)

    def _segments(self) -> Iterator[tuple[int, int, tuple[str, str, Mapping[str, Any]] | None, int]]:
        """Yield writes from … to, and what follows them: a note, or an expansion; nothing (-1) at the end."""
        log, begin, note = self.log, 0, 0
        for expanded, end in enumerate(log.expanded_at):
            while note < len(log.notes) and log.notes[note][1] == expanded:
                at, _, kind, text, facts = log.notes[note]
                yield begin, at, (kind, text, facts), -1
                begin, note = at, note + 1
            yield begin, end, None, expanded
            begin = end
        for at, _, kind, text, facts in log.notes[note:]:
            yield begin, at, (kind, text, facts), -1
            begin = at
        yield begin, len(log.states), None, -1

    def _note(self, note: Note) -> None:
        self._event(NOTE, len(self.notes))
        self.notes.append(note)

    def _event(self, kind: int, node: int) -> None:
        self.events.kind.append(kind)
        self.events.node.append(node)

    def _drop(self, half: int, state: Any, how: Any) -> None:
        """Add the events of a state that was dropped, or of all states of a half."""
        if how is CLEARED:
            dropped = [
                n for n, one in enumerate(self._arrivals) if one is not None and self.halves[n] == half
            ]
        else:
            dropped = [self.numbers[half][state]] if state in self.numbers[half] else []
        for node in reversed(dropped):
            self._arrivals[node] = None
            self._event(LEAVE, node)

    def _absent(self, half: int, state: Any) -> int:
        """Return a new node for a parent that has no arrival of its own."""
        node = self._new(half, state)
        self._drop(half, state, None)
        return node

    def _new(self, half: int, state: Any) -> int:
        node = self.numbers[half][state] = len(self.states)
        self.states.append(state)
        self.halves.append(half)
        self._arrivals.append(NEVER)
        self._event(REACH, node)
        self.events.arrivals.add(0, -1, None)
        return node

    def _known(self, expanded: int, end: int) -> tuple[int, int]:
        """Return the node of an expansion, and its half: a node of the engine's own if it is not in the tree."""
        log = self.log
        state, half = log.expanded[expanded], log.expanded_halves[expanded]
        if half == UNSURE:
            after = log.expanded_at[expanded + 1] if expanded + 1 < len(log.expanded) else len(log.states)
            half = self._half_of(state, range(end, after))
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


EXPANDS, REACHES = bytes([EXPAND]), bytes([REACH])


def _same(one: Arrival[Any, Any], other: Arrival[Any, Any]) -> bool:
    return one is other or (one[0] == other[0] and one[2] is other[2] and one[1] == other[1])
