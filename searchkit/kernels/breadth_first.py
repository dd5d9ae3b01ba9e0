"""Breadth-first search, as `searchkit.engines.bfs`."""

from typing import Any

import numpy as np

from searchkit.compiling import chosen_for, kernel
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
from searchkit.kernels.entries import bits
from searchkit.kernels.graphs import begin, step, upto
from searchkit.kernels.stores import (
    FLAGS,
    IS_GOAL,
    IS_SEEN,
    MOVE_AT,
    ONE,
    PARENT_AT,
    SIXTEEN,
    STAMP,
    ZERO,
    Marks,
    ends_in,
    known,
    locate,
    place_of,
    stamp_of,
    state_of,
)


def arrived_by(store: Any, node: Any) -> Any:
    """Return the move that a node was reached by. For kernels only."""
    raise TypeError("searchkit.kernels.breadth_first.arrived_by is called by compiled code only")


@chosen_for(arrived_by)
def _arrived_by(store: Any, node: Any) -> Any:
    if store.instance_class is Marks:
        return lambda store, node: np.uint64(store.words[node]) >> FLAGS
    return lambda store, node: (store.words[place_of(store, node) + ONE] >> MOVE_AT) & SIXTEEN


def is_new(store: Any, node: Any) -> Any:
    """Whether a node was not reached yet. For kernels only."""
    raise TypeError("searchkit.kernels.breadth_first.is_new is called by compiled code only")


@chosen_for(is_new)
def _is_new(store: Any, node: Any) -> Any:
    if store.instance_class is Marks:
        return lambda store, node: np.uint64(store.words[node]) & STAMP != store.stamp
    return lambda store, node: known(store, place_of(store, node)) & IS_SEEN == ZERO


def arrive(store: Any, node: Any, parent: Any, move: Any, depth: Any) -> Any:
    """Write how a new node was reached. For kernels only."""
    raise TypeError("searchkit.kernels.breadth_first.arrive is called by compiled code only")


@chosen_for(arrive)
def _arrive(store: Any, node: Any, parent: Any, move: Any, depth: Any) -> Any:
    if store.instance_class is Marks:

        def marked(store: Any, node: Any, parent: Any, move: Any, depth: Any) -> None:
            store.words[node] = np.uint16(move << FLAGS | store.stamp)

        return marked

    def recorded(store: Any, node: Any, parent: Any, move: Any, depth: Any) -> None:
        place = place_of(store, node)
        goal = known(store, place) & IS_GOAL
        store.words[place] = bits(np.float64(depth))
        store.words[place + ONE] = (
            np.uint64(parent) << PARENT_AT | move << MOVE_AT | IS_SEEN | goal | np.uint64(stamp_of(store))
        )

    return recorded


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

    `queue` holds the nodes in the order in which they were reached; the last `counters[SIZE]` of them wait, and those
    before `counters[WAVE]` are at the depth of the next, `counters[DEPTH]`. `least[0]` is one more.
    """
    end, nodes = np.uint64(counters[QUEUED]), counters[NODES]
    head = end - np.uint64(counters[SIZE])
    wave, depth = np.uint64(counters[WAVE]), counters[DEPTH]
    generated, peak, left = counters[GENERATED], np.uint64(counters[PEAK]), expansions
    branching = out_costs.size
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
        if nodes + branching > room:
            counters[HEAD_NODE] = node
            why = FULL
            break
        left -= 1
        state = state_of(store, node)
        count, at, last = begin(graph, table, state, arrived_by(store, node), out_states, out_costs)
        begun = at
        while at != last:
            move, successor, _, at = step(graph, state, begun, at, out_states, out_costs)
            child = locate(store, successor, nodes)
            if is_new(store, child):
                is_goal = ends_in(graph, store, table, child, successor)
                arrive(store, child, node, move, depth + 1)
                nodes += 1
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
    counters[SIZE], counters[QUEUED], counters[NODES] = end - head, end, nodes
    counters[WAVE], counters[DEPTH], counters[REACHED] = wave, depth, nodes
    counters[GENERATED], counters[PEAK], counters[EXPANDED] = generated, peak, expansions - left
    return why
