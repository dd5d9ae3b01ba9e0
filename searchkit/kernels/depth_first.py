"""Depth-first search below a threshold on f = g + h, as in `searchkit.engines.idastar`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import chosen_for, compiled_function, kernel
from searchkit.kernels.control import (
    BAD_COST,
    BAD_ESTIMATE,
    EXHAUSTED,
    FOUND,
    FULL,
    PAUSED,
    WORKED,
)
from searchkit.kernels.estimates import estimate
from searchkit.kernels.graphs import FunctionPointers, expand
from searchkit.kernels.words import are_same, hash_of, put_state

SIZE, LENGTH, GENERATED, PEAK, EXPANDED, MOVE = range(6)
"""Places in the array of counters: entries on the stack and on the path; counters as in the search tree, EXPANDED that
of the slice; which successor of the last state of the path it is that a slice ended at."""
COUNTERS = 6
LARGEST = np.finfo(np.float64).max
"""Stands for sums that are larger, so that they are not taken for nothing cut."""
PATH_STEPS = 4
"""So many states of the path are looked at, or left, in the time of one step of other work: as a power of two."""
THRESHOLD, CUT = range(2)
"""Places in the array of bounds: that of this iteration, and the least that was cut in it, infinity for none."""


def entry_type(words: int) -> Any:
    """Return the type of the records on the stack and on the path.

    A state, the cost so far, how many actions lead to it from a start, and which of its parent's successors it is. Its
    parent is the state on the path that is one less deep.
    """
    state: Any = np.uint64 if words == 1 else (np.uint64, words)
    return np.dtype([("state", state), ("g", np.float64), ("depth", np.uint32), ("move", np.int32)])


@compiled_function
def mark(path: Any, first: Any, length: Any, marks: Any) -> None:
    """Count the states on a part of the path by their hashes."""
    for depth in range(first, length):
        marks[hash_of(path[depth].state) & np.uint64(marks.size - 1)] += np.uint32(1)


@compiled_function
def is_on(path: Any, length: Any, marks: Any, state: Any) -> Any:
    """Whether a state is on the path, and at how many of its states that took a look: most often at none.

    From the end: a successor that is on the path is its parent, most often.
    """
    if marks[hash_of(state) & np.uint64(marks.size - 1)] == 0:
        return False, 0
    for back in range(1, length + 1):
        if are_same(path[length - back].state, state):
            return True, back
    return False, length


def ends_in(graph: Any, goals: Any, table: Any, state: Any) -> Any:
    """Whether a state is a goal; `goals`, sorted, are those of a graph that is data. For kernels only."""
    raise TypeError("searchkit.kernels.depth_first.ends_in is called by compiled code only")


@chosen_for(ends_in)
def _ends_in(graph: Any, goals: Any, table: Any, state: Any) -> Any:
    if graph.instance_class is FunctionPointers:

        def asked(graph: Any, goals: Any, table: Any, state: Any) -> Any:
            return graph.is_goal(table, state)

        return asked

    def looked_up(graph: Any, goals: Any, table: Any, state: Any) -> Any:
        low, high = 0, goals.size
        while low < high:
            middle = (low + high) // 2
            if goals[middle] < state:
                low = middle + 1
            else:
                high = middle
        return low < goals.size and goals[low] == state

    return looked_up


@kernel
def depth_first(
    graph: Any,
    goals: Any,
    table: Any,
    heuristic: Any,
    stack: Any,
    path: Any,
    marks: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    bounds: Any,
    expansions: Any,
    steps: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The slice also ends with the expansion that does the last of `steps`.
    That state is the top of the stack and the end of the path. `marks` counts the states on the path by their hashes.
    """
    size, length = counters[SIZE], counters[LENGTH]
    generated, peak, expanded = counters[GENERATED], counters[PEAK], 0
    threshold, cut = bounds[THRESHOLD], bounds[CUT]
    branching, last = out_costs.size, np.uint64(marks.size - 1)
    why, left = EXHAUSTED, np.int64(steps)
    while size > 0:
        if left <= 0:
            why = PAUSED
            break
        top = stack[size - 1]
        depth = np.int64(top.depth)
        if size + branching > stack.size or depth >= path.size:
            why = FULL
            break
        while length > depth and left > 0:  # back up to the state that this one was reached from
            length -= 1
            left -= 1
            marks[hash_of(path[length].state) & last] -= np.uint32(1)
        if length > depth:
            continue
        state, g = top.state, top.g
        here = path[depth]
        put_state(here, state)
        here.g, here.depth, here.move = g, top.depth, top.move
        marks[hash_of(state) & last] += np.uint32(1)
        length += 1
        if ends_in(graph, goals, table, state):
            why = FOUND
            break
        if size > peak:
            peak = size
        if expanded == expansions:
            why = WORKED
            break
        count, least = np.int64(expand(graph, table, state, out_states, out_costs)), cut
        for move in range(count):
            step = out_costs[move]
            out_costs[move] = inf  # unless it goes on the stack
            known, looked = is_on(path, length, marks, out_states[move])
            left -= 1 + (looked >> PATH_STEPS)
            if known:
                continue
            if not 0.0 <= step < inf:
                counters[MOVE] = move
                why = BAD_COST
                break
            h = estimate(heuristic, table, out_states[move])
            if not 0.0 <= h < inf:
                if h == inf:
                    continue
                counters[MOVE] = move
                why = BAD_ESTIMATE
                break
            f = min(g + step + h, LARGEST)
            if f <= threshold:
                out_costs[move] = g + step
            elif f < least:
                least = f
        if why != EXHAUSTED:
            break
        size -= 1
        for index in range(count):
            number = count - 1 - index  # the first successor comes to the top
            if out_costs[number] < inf:
                child = stack[size]
                put_state(child, out_states[number])
                child.g, child.depth, child.move = out_costs[number], np.uint32(depth + 1), np.int32(number)
                size += 1
        generated += count
        cut = least
        expanded += 1
        left -= 1
    counters[SIZE], counters[LENGTH], counters[GENERATED] = size, length, generated
    counters[PEAK], counters[EXPANDED], bounds[CUT] = peak, expanded, cut
    return why
