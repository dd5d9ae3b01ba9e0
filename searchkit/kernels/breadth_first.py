"""Breadth-first search, as `searchkit.engines.bfs`."""

from typing import Any

import numpy as np

from searchkit.compiling import kernel
from searchkit.kernels.control import (
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
    WORKED,
)
from searchkit.kernels.graphs import neighbours
from searchkit.kernels.stores import CLOSED, SEEN, ends_in, locate, state_of


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

    `queue` holds the nodes in the order in which they were reached; the last `counters[SIZE]` of them wait.
    `least[0]` is the depth of the state that is next, and one more.
    """
    end, nodes = np.uint64(counters[QUEUED]), counters[NODES]
    head = end - np.uint64(counters[SIZE])
    generated, peak, expanded = counters[GENERATED], counters[PEAK], 0
    branching = out_states.size
    why = EXHAUSTED
    while head < end:
        node = np.uint64(queue[head])
        depth = store.nodes[node].g + 1.0
        least[0] = depth
        if np.int64(end - head) > peak:
            peak = np.int64(end - head)
        if expanded == expansions:
            counters[HEAD_NODE] = node
            why = WORKED
            break
        if nodes + branching > room:
            why = FULL
            break
        expanded += 1
        count = neighbours(graph, table, state_of(store, node), out_states, out_costs)
        for move in range(count):
            generated += 1
            child = locate(store, out_states[move], nodes)
            met = store.nodes[child]
            if (met.flags & SEEN) == 0:
                nodes += 1
                met.g = depth
                met.parent = node
                met.move = move
                met.flags |= SEEN
                queue[end] = child
                end += np.uint64(1)
                if ends_in(graph, store, table, child, out_states[move]):
                    counters[HEAD_NODE] = child
                    why = FOUND
                    break
        if why == FOUND:
            break
        store.nodes[node].flags |= CLOSED
        head += np.uint64(1)
    counters[SIZE], counters[QUEUED], counters[NODES] = end - head, end, nodes
    counters[REACHED] = nodes
    counters[GENERATED], counters[PEAK], counters[EXPANDED] = generated, peak, expanded
    return why
