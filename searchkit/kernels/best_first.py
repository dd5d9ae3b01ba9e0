"""Dijkstra's algorithm and A* with reopening, as `searchkit.engines.dijkstra` and `searchkit.engines.astar`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import chosen_for, kernel
from searchkit.kernels.bits import fetch
from searchkit.kernels.control import (
    AGAIN,
    BAD_COST,
    BAD_ESTIMATE,
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
    PUSHED,
    REACHED,
    REOPENED,
    REOPENED_BY,
    REOPENED_FROM,
    TOO_LARGE,
    WIDER,
    WORKED,
)
from searchkit.kernels.entries import HEAPED, LAST_TURN, TOP, entry_of, f_of, g_of, load, node_of
from searchkit.kernels.estimates import estimate
from searchkit.kernels.graphs import ANYHOW, CSRArrays, begin, step
from searchkit.kernels.queues import come_near, drop, first, push, waiting
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
    Hashed,
    arrive,
    cost_of,
    ends_in,
    flag,
    foresee,
    known,
    locate,
    place_of,
    state_of,
)

HIGH_G, LOW_H, LIFO, FIFO = range(4)
"""The ties policies."""
FAR, FARTHER, FARTHEST = np.uint64(2), np.uint64(4), np.uint64(8)
"""How many expansions before a node's successors, its edges, and the node itself are fetched."""
MOST_FETCHED = np.uint64(16)


def look_ahead(graph: Any, store: Any, queue: Any, ranked: Any) -> Any:
    """Fetch what the expansion of the next few entries will read, where it lies scattered. For kernels only."""
    raise TypeError("searchkit.kernels.best_first.look_ahead is called by compiled code only")


@chosen_for(look_ahead)
def _look_ahead(graph: Any, store: Any, queue: Any, ranked: Any) -> Any:
    if store.instance_class is Hashed:

        def hashed(graph: Any, store: Any, queue: Any, ranked: Any) -> None:
            top = np.uint64(queue.sizes[TOP])
            if top >= FAR:
                fetch(
                    store.words, place_of(store, node_of(queue, load(queue, queue.stack, top - FAR), ranked))
                )

        return hashed
    if graph.instance_class is not CSRArrays:
        return lambda graph, store, queue, ranked: None

    def rows(graph: Any, store: Any, queue: Any, ranked: Any) -> None:
        top = np.uint64(queue.sizes[TOP])
        if top < FARTHEST:
            return
        node = node_of(queue, load(queue, queue.stack, top - FARTHEST), ranked)
        fetch(graph.indptr, node)
        fetch(store.words, place_of(store, node))
        node = node_of(queue, load(queue, queue.stack, top - FARTHER), ranked)
        edge = np.uint64(graph.indptr[node])
        fetch(graph.indices, edge)
        fetch(graph.costs, edge)
        node = node_of(queue, load(queue, queue.stack, top - FAR), ranked)
        edge, end = np.uint64(graph.indptr[node]), np.uint64(graph.indptr[node + ONE])
        end = min(end, edge + MOST_FETCHED)
        while edge < end:
            fetch(store.words, place_of(store, np.uint64(graph.indices[edge])))
            edge += ONE

    return rows


@kernel
def best_first(
    graph: Any,
    store: Any,
    table: Any,
    heuristic: Any,
    queue: Any,
    room: Any,
    capacity: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    least: Any,
    most: Any,
    largest: Any,
    expansions: Any,
    steps: Any,
    guided: Any,
    weight: Any,
    ties: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The slice also ends with the expansion that does the last of `steps`.
    The arrays stay as they are between slices; `room` is how many nodes they hold, `capacity` how many entries.
    `least[0]` is the least f. Where one comes out that is not less than `most`, the queue has to become one of reals;
    one that is not less than `largest` can't be pushed.
    """
    nodes, reached = counters[NODES], counters[REACHED]
    turn, generated, peak, expanded = counters[PUSHED], counters[GENERATED], counters[PEAK], 0
    high_g, low_h, fifo = ties == HIGH_G, ties == LOW_H, ties == FIFO
    ranked = high_g or low_h
    branching = out_costs.size
    why, left = EXHAUSTED, np.int64(steps)
    again, stacked = counters[AGAIN] != 0, False
    size = waiting(queue) + counters[AGAIN]
    while size > 0:
        if left <= 0:
            why = PAUSED
            break
        if again:
            node = np.uint64(counters[HEAD_NODE])
            place = place_of(store, node)
            word, g, f = known(store, place), cost_of(store, place), least[0]
        else:
            if queue.sizes[TOP] + queue.sizes[HEAPED] == 0:
                left -= come_near(queue)
                continue
            entry, stacked = first(queue)
            node = node_of(queue, entry, ranked)
            place = place_of(store, node)
            word, g = known(store, place), cost_of(store, place)
            # The entry tells the cost at which it was made, but for low-h: there it is out of date once the node is
            # closed.
            if (g < g_of(queue, entry, ranked)) if not low_h else (word & IS_CLOSED) != ZERO:
                drop(queue, stacked)
                size -= 1
                left -= 1
                continue
            f = f_of(queue, entry)
            least[0] = f
        state = state_of(store, node)
        if ends_in(graph, store, table, node, state):
            counters[HEAD_NODE] = node
            why = FOUND
            break
        if size > peak and not again:
            peak = size
        if expanded == expansions:
            counters[HEAD_NODE] = node
            why = WORKED
            break
        if f >= most:
            counters[HEAD_NODE] = node
            why = WIDER
            break
        if size + branching > capacity or nodes + branching > room or turn + branching > LAST_TURN:
            counters[HEAD_NODE] = node
            why = FULL
            break
        if again:
            again, counters[AGAIN] = False, 0
        else:
            drop(queue, stacked)
        look_ahead(graph, store, queue, ranked)
        flag(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        arrived_by = (word >> MOVE_AT) & SIXTEEN if graph.sound else np.uint64(ANYHOW)
        count, at, end = begin(graph, table, state, arrived_by, out_states, out_costs)
        foresee(graph, store, out_states, count)
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
                child_f = new_g + weight * h
                if not (h >= 0.0 and child_f < largest):
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
                turn += 1
                order = np.uint64(turn if fifo else LAST_TURN - turn)
                push(queue, entry_of(queue, child_f, new_g, h, order, child, ranked, high_g))
        if why != EXHAUSTED and why != INCONSISTENT:  # broken off: the state is still to be expanded
            counters[HEAD_NODE], counters[AGAIN] = node, 1
            flag(store, place, word, word & ALL_FLAGS)
            break
        generated += count
        expanded += 1
        left -= count + 1
        size = waiting(queue)
        if why == INCONSISTENT:
            break
    counters[NODES], counters[REACHED] = nodes, reached
    counters[PUSHED], counters[GENERATED], counters[PEAK] = turn, generated, peak
    counters[EXPANDED] = expanded
    return why
