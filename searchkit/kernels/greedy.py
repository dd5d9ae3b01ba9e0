"""Greedy best-first search, as `searchkit.engines.greedy`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.kernels.control import (
    AGAIN,
    BAD_COST,
    BAD_ESTIMATE,
    EXACT,
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
    REACHED,
    TOO_LARGE,
    WORKED,
)
from searchkit.kernels.estimates import estimate
from searchkit.kernels.graphs import begin, step
from searchkit.kernels.queued import Queued
from searchkit.kernels.standing import SIZE, drop, first, is_full, near, put
from searchkit.kernels.stores import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    MOVE_AT,
    SIXTEEN,
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
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree


@kernel
def greedy(
    graph: Any,
    store: Any,
    table: Any,
    heuristic: Any,
    queue: Any,
    room: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    expansions: Any,
    steps: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The slice also ends with the expansion that does the last of `steps`.
    The arrays stay as they are between slices; `room` is how many nodes they hold.
    """
    nodes, reached, generated = counters[NODES], counters[REACHED], counters[GENERATED]
    peak, expanded = counters[PEAK], 0
    branching = out_costs.size
    why, left = EXHAUSTED, np.int64(steps)
    while queue.state[SIZE] > 0:
        if left <= 0:
            why = PAUSED
            break
        moved = near(queue)
        if moved > 0:
            left -= moved
            continue
        _, node = first(queue)
        if counters[AGAIN] != 0:
            node = np.uint64(counters[HEAD_NODE])
        counters[HEAD_NODE] = node
        if is_full(queue, branching) or nodes + branching > room:
            why = FULL
            break
        place = place_of(store, node)
        word = known(store, place)
        if (word & IS_CLOSED) != ZERO:
            drop(queue)
            left -= 1
            continue
        state = state_of(store, node)
        if ends_in(graph, store, table, node, state):
            why = FOUND
            break
        if counters[AGAIN] == 0:
            peak = max(peak, queue.state[SIZE])
        if expanded == expansions:
            why = WORKED
            break
        counters[AGAIN] = 0
        g = cost_of(store, place)
        count, at, end = begin(graph, table, state, (word >> MOVE_AT) & SIXTEEN, out_states, out_costs)
        begun = at
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            child = locate(store, successor, nodes)
            there = place_of(store, child)
            met = known(store, there)
            if (met & IS_SEEN) == ZERO:
                if (met & IS_DEAD) == ZERO:
                    nodes += 1
                flag(store, there, met, (met & ALL_FLAGS) | IS_DEAD)  # unless it turns out to be reached
                if not graph.sound and not 0.0 <= cost < inf:
                    counters[PARENT], counters[MOVE] = node, move
                    why = BAD_COST
                    break
                h = estimate(heuristic, table, successor)
                if h == inf:
                    continue
                new_g = g + cost
                if not (0.0 <= h < EXACT and new_g < EXACT):
                    counters[PARENT], counters[MOVE] = node, move
                    why = TOO_LARGE if h >= 0.0 else BAD_ESTIMATE
                    break
                reached += 1
                arrive(store, there, new_g, node, move, IS_SEEN | (met & IS_GOAL))
                put(queue, h, new_g, h, child)
        if why != EXHAUSTED:
            counters[AGAIN] = 1
            break
        flag(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        generated += count
        expanded += 1
        left -= count + 1
    counters[NODES], counters[REACHED], counters[GENERATED] = nodes, reached, generated
    counters[PEAK], counters[EXPANDED] = peak, expanded
    return why


class Greedy(Queued):
    """`greedy`, compiled."""

    guided = True

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "high-g"):
        super().__init__(problem, tree, "lifo" if ties == "low-h" else ties)

    def begin(self) -> None:
        """Enter the starts."""
        super().begin()
        self.tree.lower_bound = self.least_start

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = greedy(
            self.graph,
            self.records.store,
            self.table,
            self.heuristic,
            self.queue,
            self.records.room,
            *self.out,
            self.counters,
            expansions,
            self.steps,
        )
        return why, int(self.counters[EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved: what the estimates of the starts say."""
        return self.tree.lower_bound

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Nothing is reached more cheaply than at first."""
