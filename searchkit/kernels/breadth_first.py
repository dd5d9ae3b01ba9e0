"""Breadth-first search, as `searchkit.engines.bfs`."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.kernels.control import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    GENERATED,
    HEAD_NODE,
    NODES,
    PEAK,
    QUEUED,
    REACHED,
    SIZE,
    WAVE,
    WORKED,
)
from searchkit.kernels.graphs import begin, step, upto
from searchkit.kernels.stores import (
    IS_SEEN,
    MOVE_AT,
    ONE,
    SIXTEEN,
    arrive,
    ends_in,
    foresee,
    is_seen,
    known,
    locate,
    place_of,
    state_of,
)


@kernel
def breadth_first(
    graph: Any,
    store: Any,
    table: Any,
    queue: Any,
    room: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    least: Any,
    expansions: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    `queue` holds the nodes in the order in which they were reached, which is that of their numbers where they have
    some; the last `counters[SIZE]` of them wait, and those before `counters[WAVE]` are at the depth of the next,
    `counters[DEPTH]`. `least[0]` is one more.
    """
    end = np.uint64(counters[QUEUED])
    head = end - np.uint64(counters[SIZE])
    wave, depth = np.uint64(counters[WAVE]), counters[DEPTH]
    generated, peak, left = counters[GENERATED], np.uint64(counters[PEAK]), expansions
    branching, room = np.uint64(out_costs.size), np.uint64(room)
    why = EXHAUSTED
    while head < end:
        node = np.uint64(queue[head])
        if head == wave:
            wave = end
            depth += 1
        peak = max(peak, end - head)
        if left == 0:
            counters[HEAD_NODE] = node
            why = WORKED
            break
        if end + branching > room:
            counters[HEAD_NODE] = node
            why = FULL
            break
        left -= 1
        state, arrived_by = state_of(store, node), (known(store, place_of(store, node)) >> MOVE_AT) & SIXTEEN
        count, at, last = begin(graph, table, state, arrived_by, out_states, out_costs)
        foresee(graph, store, out_states, count)
        begun = at
        while at != last:
            move, successor, _, at = step(graph, state, begun, at, out_states, out_costs)
            child = locate(store, successor, end)
            there = place_of(store, child)
            if not is_seen(store, there):
                is_goal = ends_in(graph, store, table, child, successor)
                arrive(store, there, np.float64(depth + 1), node, move, IS_SEEN)
                queue[end] = child
                end += ONE
                if is_goal:
                    counters[HEAD_NODE] = child
                    generated += upto(graph, state, move)
                    why = FOUND
                    break
        if why == FOUND:
            break
        generated += count
        head += ONE
    least[0] = depth + 1
    counters[SIZE], counters[QUEUED], counters[NODES] = end - head, end, end
    counters[WAVE], counters[DEPTH], counters[REACHED] = wave, depth, end
    counters[GENERATED], counters[PEAK], counters[EXPANDED] = generated, peak, expansions - left
    return why
