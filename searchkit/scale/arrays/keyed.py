"""Expanding the states of a bucket (f, g) into other buckets, with every number checked on the way."""

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
from attrs import frozen

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit.control import BAD_COST, BAD_HEURISTIC, EXACT, INCONSISTENT, TOO_LARGE, WORKED
from searchkit.compiled.kit.graph import evaluate, expand, heuristic_of
from searchkit.compiled.kit.state import are_same, state_array
from searchkit.scale.arrays.expanding import PIECE, Expander
from searchkit.scale.arrays.sorting import distribute, put, sorted_unique

KEYS = 64
"""Buckets that one call of a kernel tells apart at least."""
ZERO, ONE = np.uint64(0), np.uint64(1)
Key = tuple[int, int]
"""f and g."""


@kernel
def _expand_keyed(
    graph: Any, table: Any, heuristic: Any, states: Any, first: Any, f: Any, g: Any, out_states: Any, out_costs: Any,
    slots: Any, keys: Any,
) -> Any:  # fmt: skip
    """Expand states from the place `first` on while there is room; `slots` are the rows in `keys` of the successors.

    Return why it stopped, the next place, the number of states written, of successors, and of rows in `keys`. After a
    fault, the place is that of the state, and the number of rows is that of the successor.
    """
    place, count, generated, used = np.uint64(first), ZERO, ZERO, ZERO
    end, room, branching = np.uint64(states.shape[0]), np.uint64(slots.size), np.uint64(out_costs.size)
    rows, slot = np.uint64(keys.shape[0]), ZERO
    while place < end and count + branching <= room and used + branching <= rows:
        successors = np.uint64(
            expand(graph, table, states[place], out_states[count : count + branching], out_costs)
        )
        written = count
        for number in range(successors):
            cost, state = out_costs[number], out_states[count + number]
            if not (1.0 <= cost < inf and cost == np.floor(cost)):
                return BAD_COST, place, count, generated, number
            h = evaluate(heuristic, table, state)
            if not (h >= 0.0 and (h == inf or h == np.floor(h))):
                return BAD_HEURISTIC, place, count, generated, number
            if h == inf:
                continue
            to = g + cost
            if to + h < f:
                return INCONSISTENT, place, count, generated, number
            if to + h >= EXACT:
                return TOO_LARGE, place, count, generated, number
            if slot >= used or keys[slot, 1] != to or keys[slot, 0] != to + h:
                slot = ZERO
                while slot < used and (keys[slot, 1] != to or keys[slot, 0] != to + h):
                    slot += ONE
                if slot == used:
                    keys[slot, 0], keys[slot, 1] = to + h, to
                    used += ONE
            put(out_states, written, state)
            slots[written] = slot
            written += ONE
        generated += successors
        count = written
        place += ONE
    return WORKED, place, count, generated, used


@kernel
def _distribute(states: Any, slots: Any, ends: Any, out: Any) -> None:
    """Write the states into `out` in the order of their slots; `ends` becomes where each slot ends."""
    distribute(states, slots, ends, out)


@kernel
def _first_parent_at(
    graph: Any, table: Any, states: Any, child: Any, cost: Any, out_states: Any, out_costs: Any
) -> Any:
    """Return the place of the first state that has `child` as a successor at exactly that cost; −1 without one."""
    for place in range(np.uint64(states.shape[0])):
        count = np.uint64(expand(graph, table, states[place], out_states, out_costs))
        for number in range(count):
            if out_costs[number] == cost and are_same(out_states[number], child):
                return np.int64(place)
    return np.int64(-1)


@kernel
def _evaluate_all(heuristic: Any, table: Any, states: Any, found: Any) -> None:
    for place in range(np.uint64(found.size)):
        found[place] = evaluate(heuristic, table, states[place])


@frozen
class Fault:
    """A successor with a number that the engine does not take."""

    why: int
    """`BAD_COST`, `BAD_HEURISTIC`, `INCONSISTENT` or `TOO_LARGE`."""
    parent: Any
    """The packed state whose successor it is …"""
    number: int
    """… and the number of the action."""


def in_slots(states: Any, slots: Any, count: int) -> list[Any]:
    """Return the states of each of `count` slots, in new memory."""
    ends, parts = np.empty(count, np.int64), np.empty_like(states)
    _distribute(states, slots, ends, parts)
    return [parts[begin:end] for begin, end in pairwise([0, *ends.tolist()])]


class KeyedExpander:
    """The graph and the heuristic of a compiled view, applied to the states of a bucket.

    Args:
        expander: the graph.
        guided: whether the heuristic is used.

    """

    def __init__(self, expander: Expander, guided: bool):
        self.expander, self.words = expander, expander.words
        self.heuristic = heuristic_of(expander.view, guided)

    def heuristics(self, states: Any) -> list[float]:
        """Return the heuristic values of states."""
        values: list[float] = self.values(states).tolist()
        return values

    def values(self, states: Any) -> Any:
        """Return the heuristic values of states in an array."""
        found = np.empty(len(states), np.float64)
        _evaluate_all(self.heuristic, self.expander.table, states, found)
        return found

    def pieces(self, states: Any, key: Key) -> Iterator[tuple[int, dict[Key, Any]] | Fault]:
        """Expand states of a bucket piece by piece.

        Yield the number of successors of a piece, and bucket → its sorted states without duplicates; or, as the last
        one, the first fault.
        """
        expander = self.expander
        f, g = map(float, key)
        room = max(PIECE, expander.branching)
        out, costs = state_array(room, self.words), np.empty(expander.branching, np.float64)
        slots, keys = (
            np.empty(room, np.uint16 if expander.branching < 1 << 15 else np.uint32),
            np.empty((KEYS + expander.branching, 2)),
        )
        place = 0
        while place < len(states):
            why, place, count, generated, used = map(
                int,
                _expand_keyed(
                    expander.graph, expander.table, self.heuristic, states, place, f, g, out, costs, slots, keys
                ),
            )  # fmt: skip
            if why != WORKED:
                yield Fault(why, states[place].copy(), used)
                return
            found = [(int(row[0]), int(row[1])) for row in keys[:used]]
            if used == 1:
                yield generated, {found[0]: sorted_unique(out[:count].copy())}
                continue
            parts = in_slots(out[:count], slots[:count], used)
            yield (
                generated,
                {each: sorted_unique(part) for each, part in zip(found, parts, strict=True)},
            )

    def first_parent(self, states: Any, child: Any, cost: int) -> int | None:
        """Return the place of the first state that has `child` as a successor at this cost; None without one."""
        expander = self.expander
        out, costs = state_array(expander.branching, self.words), np.empty(expander.branching, np.float64)
        step = max(1, PIECE // expander.branching)
        for begin in range(0, len(states), step):
            part = states[begin : begin + step]
            place = int(
                _first_parent_at(expander.graph, expander.table, part, child, float(cost), out, costs)
            )
            if place >= 0:
                return begin + place
        return None
