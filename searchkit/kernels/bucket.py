"""Dial's bucket queue, as `searchkit.engines.bucket`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import chosen_for, kernel
from searchkit.engines.kit import inconsistency
from searchkit.kernels.bits import fetch
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
    INCONSISTENT,
    MOVE,
    NODES,
    PARENT,
    PAUSED,
    PEAK,
    REACHED,
    REOPENED,
    REOPENED_BY,
    REOPENED_FROM,
    TOO_LARGE,
    WORKED,
)
from searchkit.kernels.entries import LOW
from searchkit.kernels.estimates import estimate
from searchkit.kernels.graphs import ANYHOW, CSRArrays, begin, step
from searchkit.kernels.queued import Queued
from searchkit.kernels.standing import (
    NOTHING,
    SIZE,
    Buckets,
    drop,
    first,
    first_entry,
    following,
    is_full,
    near,
    put,
)
from searchkit.kernels.stores import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    MOVE_AT,
    ONE,
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
from searchkit.problem import Cost, SearchProblem, has_heuristic
from searchkit.tree import SearchTree

FAR, FARTHER, FARTHEST = 2, 4, 6
"""How many expansions before a node's successors, its edges, and the node itself are fetched."""
MOST_FETCHED = np.uint64(16)


def look_ahead(graph: Any, store: Any, queue: Any) -> Any:
    """Fetch what the expansions of the next few entries will read, where it lies scattered. For kernels only."""
    raise TypeError("searchkit.kernels.bucket.look_ahead is called by compiled code only")


@chosen_for(look_ahead)
def _look_ahead(graph: Any, store: Any, queue: Any) -> Any:
    if graph.instance_class is not CSRArrays or queue.instance_class is not Buckets:
        return lambda graph, store, queue: None

    def rows(graph: Any, store: Any, queue: Any) -> None:
        entry, node = first_entry(queue), ZERO
        for ahead in range(1, FARTHEST + 1):
            entry = following(queue, entry)
            if entry == NOTHING:
                return
            node = queue.entries[entry] & LOW
            if ahead == FAR:
                edge, end = np.uint64(graph.indptr[node]), np.uint64(graph.indptr[node + ONE])
                end = min(end, edge + MOST_FETCHED)
                while edge < end:
                    fetch(store.words, place_of(store, np.uint64(graph.indices[edge])))
                    edge += ONE
            elif ahead == FARTHER:
                edge = np.uint64(graph.indptr[node])
                fetch(graph.indices, edge)
                fetch(graph.costs, edge)
        fetch(graph.indptr, node)
        fetch(store.words, place_of(store, node))

    return rows


@kernel
def bucket_queue(
    graph: Any,
    store: Any,
    table: Any,
    heuristic: Any,
    queue: Any,
    room: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    least: Any,
    expansions: Any,
    steps: Any,
    guided: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The slice also ends with the expansion that does the last of `steps`.
    The arrays stay as they are between slices; `room` is how many nodes they hold. `least[0]` is the least f.
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
        f, node = first(queue)
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
        if counters[AGAIN] == 0:
            least[0] = f
        state = state_of(store, node)
        if ends_in(graph, store, table, node, state):
            why = FOUND
            break
        if counters[AGAIN] == 0:
            peak = max(peak, queue.state[SIZE])
        if expanded == expansions:
            why = WORKED
            break
        look_ahead(graph, store, queue)
        counters[AGAIN] = 0
        g = cost_of(store, place)
        arrived_by = (word >> MOVE_AT) & SIXTEEN if graph.sound else np.uint64(ANYHOW)
        count, at, end = begin(graph, table, state, arrived_by, out_states, out_costs)
        begun = at
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            if not graph.sound and not 0.0 <= cost < inf:
                counters[PARENT], counters[MOVE] = node, move
                why = BAD_COST
                break
            new_g = g + cost
            child = locate(store, successor, nodes)
            there = place_of(store, child)
            met = known(store, there)
            if (met & IS_SEEN) == ZERO or new_g < cost_of(store, there):
                h = estimate(heuristic, table, successor) if guided else 0.0
                if (met & (IS_SEEN | IS_DEAD)) == ZERO:
                    nodes += 1
                if not (h >= 0.0 and new_g + h < EXACT):
                    flag(store, there, met, (met & ALL_FLAGS) | IS_DEAD)
                    if h == inf:
                        continue
                    counters[PARENT], counters[MOVE] = node, move
                    why = TOO_LARGE if h >= 0.0 else BAD_ESTIMATE
                    break
                if (met & IS_SEEN) == ZERO:
                    reached += 1
                elif met & IS_CLOSED:
                    if counters[REOPENED] == 0:
                        counters[REOPENED_FROM], counters[REOPENED_BY] = node, move
                        why = INCONSISTENT
                    counters[REOPENED] += 1
                arrive(store, there, new_g, node, move, IS_SEEN | (met & IS_GOAL))
                put(queue, new_g + h, new_g, h, child)
        if why != EXHAUSTED and why != INCONSISTENT:
            counters[AGAIN] = 1
            break
        flag(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        generated += count
        expanded += 1
        left -= count + 1
        if why == INCONSISTENT:
            break
    counters[NODES], counters[REACHED], counters[GENERATED] = nodes, reached, generated
    counters[PEAK], counters[EXPANDED] = peak, expanded
    return why


class Bucket(Queued):
    """`bucket`, compiled."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "lifo"):
        self.guided = has_heuristic(problem)
        super().__init__(problem, tree, ties)

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = bucket_queue(
            self.graph,
            self.records.store,
            self.table,
            self.heuristic,
            self.queue,
            self.records.room,
            *self.out,
            self.counters,
            self.least,
            expansions,
            self.steps,
            self.guided,
        )
        return why, int(self.counters[EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved."""
        return least

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Name the step that is inconsistent."""
        states, actions = self.tree.path_to(parent)
        self.tree.warnings.append(inconsistency(self.problem, (*states, state), (*actions, action)))
