"""Greedy best-first search, as `searchkit.engines.informed.greedy`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.calls import call
from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import begin, evaluate, step
from searchkit.compiled.kit.store import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    MOVE_AT,
    SIXTEEN,
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
from searchkit.kernels.bucket import Queued
from searchkit.kernels.queue.buckets import SIZE, drop, first, is_full, prepare_first, put
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree


@kernel
def greedy(
    graph: Any, store: Any, table: Any, heuristic: Any, room: Any, out_states: Any, out_costs: Any,
    queue: Any, counters: Any, expansions: Any, steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`.
    The store has room for `room` nodes.
    """
    nodes, reached, generated = (
        counters[control.NODES],
        counters[control.REACHED],
        counters[control.GENERATED],
    )
    peak, expanded = counters[control.PEAK], 0
    branching = out_costs.size
    why, left = control.EXHAUSTED, np.int64(steps)
    while queue.state[SIZE] > 0:
        if left <= 0:
            why = control.PAUSED
            break
        moved = prepare_first(queue)
        if moved > 0:
            left -= moved
            continue
        _, node = first(queue)
        if counters[control.AGAIN] != 0:
            node = np.uint64(counters[control.HEAD_NODE])
        counters[control.HEAD_NODE] = node
        if is_full(queue, branching) or nodes + branching > room:
            why = control.FULL
            break
        place = place_of(store, node)
        word = load_word(store, place)
        if (word & IS_CLOSED) != ZERO:
            drop(queue)
            left -= 1
            continue
        state = state_of(store, node)
        if is_goal_node(graph, store, table, node, state):
            why = control.FOUND
            break
        if counters[control.AGAIN] == 0:
            peak = max(peak, queue.state[SIZE])
        if expanded == expansions:
            why = control.WORKED
            break
        counters[control.AGAIN] = 0
        g = cost_of(store, place)
        count, at, end = begin(graph, table, state, (word >> MOVE_AT) & SIXTEEN, out_states, out_costs)
        begun = at
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            child = locate(store, successor, nodes)
            there = place_of(store, child)
            met = load_word(store, there)
            if (met & IS_SEEN) == ZERO:
                if (met & IS_DEAD) == ZERO:
                    nodes += 1
                set_flags(store, there, met, (met & ALL_FLAGS) | IS_DEAD)  # unless it turns out to be reached
                if not graph.sound and not 0.0 <= cost < inf:
                    counters[control.PARENT], counters[control.MOVE] = node, move
                    why = control.BAD_COST
                    break
                h = evaluate(heuristic, table, successor)
                if h == inf:
                    continue
                new_g = g + cost
                if not (0.0 <= h < control.EXACT and new_g < control.EXACT):
                    counters[control.PARENT], counters[control.MOVE] = node, move
                    why = control.TOO_LARGE if h >= 0.0 else control.BAD_HEURISTIC
                    break
                reached += 1
                write_arrival(store, there, new_g, node, move, IS_SEEN | (met & IS_GOAL))
                put(queue, h, new_g, h, child)
        if why != control.EXHAUSTED:
            counters[control.AGAIN] = 1
            break
        set_flags(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        generated += count
        expanded += 1
        left -= count + 1
    counters[control.NODES], counters[control.REACHED], counters[control.GENERATED] = (
        nodes,
        reached,
        generated,
    )
    counters[control.PEAK], counters[control.EXPANDED] = peak, expanded
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
        why: int = call(
            greedy,
            (self.kinds, type(self.queue)),
            *self.space,
            self.queue,
            self.counters,
            expansions,
            self.steps,
        )
        return why, int(self.counters[control.EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved: the least heuristic value of a start."""
        return self.tree.lower_bound
