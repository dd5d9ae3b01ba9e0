"""0-1 breadth-first search, as `searchkit.engines.uninformed.zero_one`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.calls import call
from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.arrays import copied
from searchkit.compiled.kit.fields import Fields
from searchkit.compiled.kit.graph import ANYHOW, begin, step
from searchkit.compiled.kit.records import FIRST_ROOM
from searchkit.compiled.kit.run import GraphRun
from searchkit.compiled.kit.saved import are_reached
from searchkit.compiled.kit.store import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_GOAL,
    IS_SEEN,
    ONE,
    ZERO,
    cost_of,
    is_goal_node,
    load_word,
    locate,
    place_of,
    set_flags,
    state_of,
    write_arrival,
)
from searchkit.engines.kit import enter_starts
from searchkit.engines.uninformed.zero_one import refused_cost
from searchkit.errors import InvalidProblemError
from searchkit.problem import Cost, has_cost


@kernel
def zero_one(
    graph: Any, store: Any, table: Any, heuristic: Any, room: Any, out_states: Any, out_costs: Any,
    ring: Any, counters: Any, least: Any, expansions: Any, steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`.
    `ring` holds the nodes of the double-ended queue: a power of two of places, used as a ring, SIZE of them from QUEUED
    on. `least[0]` is the cost of the next state.
    """
    head, size = np.uint64(counters[control.QUEUED]), counters[control.SIZE]
    nodes, generated, peak, expanded = (
        counters[control.NODES],
        counters[control.GENERATED],
        counters[control.PEAK],
        0,
    )
    branching, last = out_costs.size, np.uint64(ring.size - 1)
    why, left = control.EXHAUSTED, np.int64(steps)
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        node = np.uint64(ring[head] if counters[control.AGAIN] == 0 else counters[control.HEAD_NODE])
        counters[control.HEAD_NODE] = node
        if size + branching > ring.size or nodes + branching > room:
            why = control.FULL
            break
        place = place_of(store, node)
        word = load_word(store, place)
        if (word & IS_CLOSED) != ZERO:
            head = (head + ONE) & last
            size -= 1
            left -= 1
            continue
        g = cost_of(store, place)
        if counters[control.AGAIN] == 0:
            least[0] = g
        state = state_of(store, node)
        if is_goal_node(graph, store, table, node, state):
            why = control.FOUND
            break
        if counters[control.AGAIN] == 0:
            peak = max(peak, size)
        if expanded == expansions:
            why = control.WORKED
            break
        counters[control.AGAIN] = 0
        count, at, end = begin(graph, table, state, np.uint64(ANYHOW), out_states, out_costs)
        begun = at
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            if cost != 0.0 and cost != 1.0:
                counters[control.PARENT], counters[control.MOVE] = node, move
                why = control.BAD_COST
                break
            child = locate(store, successor, nodes)
            there = place_of(store, child)
            met = load_word(store, there)
            if (met & IS_SEEN) == ZERO:
                nodes += 1
            elif g + cost >= cost_of(store, there):
                continue
            write_arrival(store, there, g + cost, node, move, IS_SEEN | (met & IS_GOAL))
            if cost == 0.0:
                head = (head - ONE) & last
                ring[head] = child
            else:
                ring[(head + np.uint64(size)) & last] = child
            size += 1
        if why != control.EXHAUSTED:
            counters[control.AGAIN] = 1
            break
        set_flags(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        generated += count
        expanded += 1
        left -= count + 1
    counters[control.QUEUED], counters[control.SIZE] = head, size
    counters[control.NODES], counters[control.REACHED], counters[control.GENERATED] = nodes, nodes, generated
    counters[control.PEAK], counters[control.EXPANDED] = peak, expanded
    return why


class ZeroOne(GraphRun):
    """`zero_one`, compiled."""

    def begin(self) -> None:
        """Enter the starts."""
        self._queue([self.records.enter(state) for state in enter_starts(self.problem, self.tree)])

    def _queue(self, nodes: Any) -> None:
        self.ring = self._ring(len(nodes))
        self.ring[: len(nodes)] = nodes
        self.counters[control.SIZE] = len(nodes)
        self.tree.frontier = self.ring

    def _ring(self, size: int) -> Any:
        """Return an array of a power of two of places, in which there is room for twice as many nodes."""
        return np.empty(1 << max(FIRST_ROOM, 2 * (size + len(self.out[0]))).bit_length(), np.uint32)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one more expansion."""
        size, head = int(self.counters[control.SIZE]), int(self.counters[control.QUEUED])
        if size + len(self.out[0]) <= len(self.ring):
            return
        self.check_memory(self.ring.nbytes)
        grown, first = self._ring(size), min(size, len(self.ring) - head)
        yield from copied(grown[:first], self.ring[head : head + first])
        yield from copied(grown[first:size], self.ring[: size - first])
        self.ring = self.tree.frontier = grown
        self.counters[control.QUEUED] = 0

    def saved_frontier(self) -> dict[str, Any]:
        """Return the nodes of the double-ended queue, in order."""
        size, head = int(self.counters[control.SIZE]), int(self.counters[control.QUEUED])
        return {"ring": np.concatenate([self.ring[head:], self.ring[:head]])[:size]}

    def restore_frontier(self, fields: Fields) -> None:
        """Fill the double-ended queue."""
        nodes = fields.array("ring", np.uint32)
        fields.expect(are_reached(self.records, nodes), "ring", "a state in it was not reached")
        self.counters[control.QUEUED] = 0
        self._queue(nodes)

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = call(
            zero_one, self.kinds, *self.space, self.ring, self.counters, self.least, expansions, self.steps
        )
        return why, int(self.counters[control.EXPANDED])

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why != control.BAD_COST:
            return super().handle(why)
        edge = self.edge(control.PARENT, control.MOVE)
        cost = self.problem.cost(*edge) if has_cost(self.problem) else 1
        if cost not in (0, 1):
            raise refused_cost(*edge, cost)
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has a cost at {edge[-1]!r} that is neither 0 nor 1, "
            "and the problem itself has not"
        )

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        return least
