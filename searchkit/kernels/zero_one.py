"""0-1 breadth-first search, as `searchkit.engines.zero_one`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.engines.kit import enter_starts
from searchkit.engines.zero_one import refused_cost
from searchkit.errors import InvalidProblemError
from searchkit.kernels.control import (
    AGAIN,
    BAD_COST,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    GENERATED,
    HEAD_NODE,
    MOVE,
    NODES,
    PARENT,
    PAUSED,
    PEAK,
    QUEUED,
    REACHED,
    SIZE,
    WORKED,
)
from searchkit.kernels.graphs import ANYHOW, begin, step
from searchkit.kernels.records import FIRST_ROOM
from searchkit.kernels.runs import Run
from searchkit.kernels.slicing import copied
from searchkit.kernels.stores import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_GOAL,
    IS_SEEN,
    ONE,
    ZERO,
    arrive,
    cost_of,
    ends_in,
    flag,
    known,
    locate,
    place_of,
    state_of,
)
from searchkit.problem import Cost, has_cost


@kernel
def zero_one(
    graph: Any,
    store: Any,
    table: Any,
    ring: Any,
    room: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    least: Any,
    expansions: Any,
    steps: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The slice also ends with the expansion that does the last of `steps`.
    `ring` holds the nodes of the double-ended queue: a power of two of places around a circle, of which
    `counters[SIZE]` are used, from `counters[QUEUED]` on. `least[0]` is the cost of the state that is next.
    """
    head, size = np.uint64(counters[QUEUED]), counters[SIZE]
    nodes, generated, peak, expanded = counters[NODES], counters[GENERATED], counters[PEAK], 0
    branching, last = out_costs.size, np.uint64(ring.size - 1)
    why, left = EXHAUSTED, np.int64(steps)
    while size > 0:
        if left <= 0:
            why = PAUSED
            break
        node = np.uint64(ring[head] if counters[AGAIN] == 0 else counters[HEAD_NODE])
        counters[HEAD_NODE] = node
        if size + branching > ring.size or nodes + branching > room:
            why = FULL
            break
        place = place_of(store, node)
        word = known(store, place)
        if (word & IS_CLOSED) != ZERO:
            head = (head + ONE) & last
            size -= 1
            left -= 1
            continue
        g = cost_of(store, place)
        if counters[AGAIN] == 0:
            least[0] = g
        state = state_of(store, node)
        if ends_in(graph, store, table, node, state):
            why = FOUND
            break
        if counters[AGAIN] == 0:
            peak = max(peak, size)
        if expanded == expansions:
            why = WORKED
            break
        counters[AGAIN] = 0
        count, at, end = begin(graph, table, state, np.uint64(ANYHOW), out_states, out_costs)
        begun = at
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            if cost != 0.0 and cost != 1.0:
                counters[PARENT], counters[MOVE] = node, move
                why = BAD_COST
                break
            child = locate(store, successor, nodes)
            there = place_of(store, child)
            met = known(store, there)
            if (met & IS_SEEN) == ZERO:
                nodes += 1
            elif g + cost >= cost_of(store, there):
                continue
            arrive(store, there, g + cost, node, move, IS_SEEN | (met & IS_GOAL))
            if cost == 0.0:
                head = (head - ONE) & last
                ring[head] = child
            else:
                ring[(head + np.uint64(size)) & last] = child
            size += 1
        if why != EXHAUSTED:
            counters[AGAIN] = 1
            break
        flag(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        generated += count
        expanded += 1
        left -= count + 1
    counters[QUEUED], counters[SIZE] = head, size
    counters[NODES], counters[REACHED], counters[GENERATED] = nodes, nodes, generated
    counters[PEAK], counters[EXPANDED] = peak, expanded
    return why


class ZeroOne(Run):
    """`zero_one`, compiled."""

    def check(self) -> None:
        """Every view has all that is needed."""

    def begin(self) -> None:
        """Enter the starts."""
        self._queue([self.records.enter(state) for state in enter_starts(self.problem, self.tree)])

    def _queue(self, nodes: list[int]) -> None:
        self.ring = self._ring(len(nodes))
        self.ring[: len(nodes)] = nodes
        self.counters[SIZE] = len(nodes)
        self.tree.frontier = self.ring

    def _ring(self, size: int) -> Any:
        """Return an array of a power of two of places, in which there is room for twice as many nodes."""
        return np.empty(1 << max(FIRST_ROOM, 2 * (size + len(self.out[0]))).bit_length(), np.uint32)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one expansion more."""
        size, head = int(self.counters[SIZE]), int(self.counters[QUEUED])
        if size + len(self.out[0]) <= len(self.ring):
            return
        self.ask(self.ring.nbytes)
        grown, first = self._ring(size), min(size, len(self.ring) - head)
        yield from copied(grown[:first], self.ring[head : head + first])
        yield from copied(grown[first:size], self.ring[: size - first])
        self.ring = self.tree.frontier = grown
        self.counters[QUEUED] = 0

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = zero_one(
            self.graph,
            self.records.store,
            self.table,
            self.ring,
            self.records.room,
            *self.out,
            self.counters,
            self.least,
            expansions,
            self.steps,
        )
        return why, int(self.counters[EXPANDED])

    def attend(self, why: int) -> Iterator[None] | None:
        """Do what a slice ended for; or return how to do it in pieces."""
        if why != BAD_COST:
            return super().attend(why)
        edge = self._edge(PARENT, MOVE)
        cost = self.problem.cost(*edge) if has_cost(self.problem) else 1
        if cost not in (0, 1):
            raise refused_cost(*edge, cost)
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has a cost at {edge[-1]!r} that is neither 0 nor 1, "
            "and the problem itself has not"
        )

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved."""
        return least

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """No closed state is reached more cheaply."""
