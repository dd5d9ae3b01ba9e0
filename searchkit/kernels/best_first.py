"""Dijkstra's algorithm and A* with reopening, as `searchkit.engines.dijkstra` and `searchkit.engines.astar`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiling import kernel
from searchkit.kernels.control import (
    BAD_COST,
    BAD_ESTIMATE,
    CHILD,
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
    PEAK,
    PUSHED,
    REACHED,
    REOPENED,
    SIZE,
    WORKED,
)
from searchkit.kernels.estimates import estimate
from searchkit.kernels.graphs import expand
from searchkit.kernels.heap import NODE_BITS, NODE_MASK, WORDS, bits, number, pop, push
from searchkit.kernels.stores import CLOSED, DEAD, GOAL, MET, SEEN, ends_in, locate, state_of

HIGH_G, LOW_H, LIFO, FIFO = range(4)
"""The ties policies."""
LAST_TURN = 0xFFFFFFFF
"""Turns are 32 bits; when they are used up, the entries of the heap are numbered anew."""


@kernel
def best_first(
    graph: Any,
    store: Any,
    table: Any,
    heuristic: Any,
    heap: Any,
    room: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    least: Any,
    expansions: Any,
    guided: Any,
    weight: Any,
    ties: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The arrays stay as they are between slices; `room` is how many nodes they hold. `least[0]` is the least f.
    """
    size, nodes, reached = counters[SIZE], counters[NODES], counters[REACHED]
    turn, generated, peak, expanded = counters[PUSHED], counters[GENERATED], counters[PEAK], 0
    high_g, low_h = ties == HIGH_G, ties == LOW_H
    ranked = high_g or low_h
    branching = out_states.size
    why = EXHAUSTED
    while size > 0:
        f, rank, last = heap[0], heap[1], heap[2]
        node = last & NODE_MASK
        record = store.nodes[node]
        # The rank tells the cost at which the entry was made, but for low-h: there an entry is out of date once closed.
        stale = (record.flags & CLOSED) != 0 if low_h else bits(record.g) < (~rank if high_g else rank)
        if stale:
            size = pop(heap, size, ranked)
            continue
        least[0] = number(f)
        state = state_of(store, node)
        if ends_in(graph, store, table, node, state):
            counters[HEAD_NODE] = node
            why = FOUND
            break
        if size > peak:
            peak = size
        if expanded == expansions:
            counters[HEAD_NODE] = node
            why = WORKED
            break
        if (size + branching) * WORDS > heap.size or nodes + branching > room or turn + branching > LAST_TURN:
            why = FULL
            break
        g = record.g
        size = pop(heap, size, ranked)
        count = expand(graph, table, state, out_states, out_costs)
        for move in range(count):
            generated += 1
            step = out_costs[move]
            if not 0.0 <= step < inf:
                counters[CHILD], counters[PARENT], counters[MOVE] = out_states[move], node, move
                why = BAD_COST
                break
            new_g = g + step
            child = locate(store, out_states[move], nodes)
            met = store.nodes[child]
            flags = met.flags
            if (flags & SEEN) == 0 or new_g < met.g:
                h = estimate(heuristic, table, out_states[move]) if guided else 0.0
                if (flags & MET) == 0:
                    nodes += 1
                if not 0.0 <= h < inf:
                    met.flags = flags | DEAD
                    if h == inf:
                        continue
                    counters[CHILD], counters[PARENT], counters[MOVE] = out_states[move], node, move
                    why = BAD_ESTIMATE
                    break
                if (flags & SEEN) == 0:
                    reached += 1
                if flags & CLOSED:
                    if counters[REOPENED] == 0:
                        counters[CHILD], counters[PARENT], counters[MOVE] = out_states[move], node, move
                        why = INCONSISTENT
                    counters[REOPENED] += 1
                met.g = new_g
                met.parent = node
                met.move = move
                met.flags = SEEN | (flags & GOAL)
                turn += 1
                place = np.uint64(turn if ties == FIFO else LAST_TURN - turn)
                push(
                    heap,
                    size,
                    bits(new_g + weight * h),
                    bits(h) if low_h else ~bits(new_g) if high_g else bits(new_g),
                    place << NODE_BITS | child,
                    ranked,
                )
                size += 1
        if why == BAD_COST or why == BAD_ESTIMATE:  # noqa: SIM109  # a tuple would be made at each turn
            push(heap, size, f, rank, last, ranked)
            size += 1
            break
        store.nodes[node].flags |= CLOSED
        expanded += 1
        if why == INCONSISTENT:
            break
    counters[SIZE], counters[NODES], counters[REACHED] = size, nodes, reached
    counters[PUSHED], counters[GENERATED], counters[PEAK] = turn, generated, peak
    counters[EXPANDED] = expanded
    return why
