"""Opening a bucket of whole entries: they are all of one f, and go from their list to the stack by groups of ranks.

The list is walked from the newest entry to the oldest, several times, in parts of bounded work. It stays as it is until
all entries are in order on the stack, or in the heap.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.kernels.queue.entries import (
    CURRENT,
    FAR,
    FREE,
    GROUPED,
    HALF,
    HEAPED,
    HIGHEST,
    LAST_TURN,
    LOWEST,
    MOVING,
    OPENED,
    PHASE,
    PLACE,
    TAIL,
    TOP,
    WALK,
)
from searchkit.kernels.queue.entries import LOW as NODE
from searchkit.kernels.queue.ladder import CHUNK, END, ONE, ROUND, ZERO, push_heap
from searchkit.kernels.queue.sorting import (
    COUNT,
    GATHER,
    GROUPS,
    HEAP,
    IDLE,
    INSERT,
    LUMP,
    MOST_MOVED,
    SPREAD,
    TWO,
    stop_of,
)

HEAP_STEPS = 8
"""The steps that pushing an entry onto the heap counts as."""


@compiled_function
def group_step(queue: Any, phase: Any) -> Any:
    """Do a part of a phase of opening a bucket of whole entries; return the number of steps."""
    if phase == INSERT:
        return _insert(queue)
    sizes, begun = queue.sizes, queue.sizes[PLACE]
    _walk(queue, phase)
    steps = sizes[PLACE] - begun
    if sizes[WALK] == np.int64(END):
        sizes[PLACE] = 0
        if phase == GATHER:
            _choose_groups(queue, steps + begun)
        elif phase == COUNT:
            _place_groups(queue)
        elif phase == SPREAD and sizes[GROUPED] > 0:
            sizes[PHASE] = INSERT
        else:
            _finish(queue, TOP if phase == SPREAD else HEAPED)
    return steps * HEAP_STEPS if phase == HEAP else steps


@compiled_function
def _walk(queue: Any, phase: Any) -> None:
    """Handle the entries of some chunks of the list. WALK is the next chunk then, END after the last one.

    PLACE is the number of entries handled in this phase.
    """
    sizes, count, index = queue.sizes, np.uint64(queue.sizes[PLACE]), np.uint64(queue.sizes[OPENED]) & ROUND
    chunk, filled = np.uint64(sizes[WALK]), CHUNK
    if count == ZERO:
        chunk, filled = np.uint64(queue.heads[index]), np.uint64(queue.fills[index])
        sizes[LOWEST], sizes[HIGHEST] = (NODE, 0) if phase == GATHER else (sizes[LOWEST], sizes[HIGHEST])
    stop = count + np.uint64(MOST_MOVED // HEAP_STEPS if phase == HEAP else MOST_MOVED)
    while chunk != np.uint64(END) and count < stop:
        end = chunk * CHUNK + filled
        if phase == GATHER:
            _measure(queue, end, filled)
            sizes[TAIL] = chunk
        elif phase == COUNT:
            _count(queue, end, filled)
        elif phase == SPREAD:
            _spread(queue, end, filled)
        else:
            _push(queue, end, filled, count)
        count += filled
        chunk, filled = np.uint64(queue.links[chunk]), CHUNK
    sizes[PLACE], sizes[WALK] = count, chunk


@compiled_function
def _measure(queue: Any, end: Any, filled: Any) -> None:
    """Find the range of the ranks."""
    lowest, highest = np.uint64(queue.sizes[LOWEST]), np.uint64(queue.sizes[HIGHEST])
    for place in range(end - filled, end):
        rank = queue.pool[place] >> HALF
        lowest, highest = min(lowest, rank), max(highest, rank)
    queue.sizes[LOWEST], queue.sizes[HIGHEST] = lowest, highest


@compiled_function
def _choose_groups(queue: Any, count: Any) -> None:
    """Choose the groups: as few ranks in each as there is room to count for; one group of all if they are not ranked.

    The list has `count` entries.
    """
    sizes, shift = queue.sizes, np.uint64(0)
    if not queue.ranked:
        sizes[LOWEST] = sizes[HIGHEST] = 0
    span = np.uint64(sizes[HIGHEST] - sizes[LOWEST])
    while span >> shift >= min(TWO * np.uint64(count), np.uint64(GROUPS)):
        shift += ONE
    sizes[GROUPED], sizes[MOVING], sizes[PHASE] = shift, count, COUNT
    sizes[FAR] -= count
    for group in range((span >> shift) + ONE):
        queue.counts[group] = 0
    if span == ZERO:
        queue.counts[ZERO], sizes[PHASE] = count, SPREAD


@compiled_function
def _group_of(queue: Any, word: Any) -> Any:
    """Return the group of an entry; the first ones come out last."""
    sizes = queue.sizes
    return (np.uint64(sizes[HIGHEST]) - (word >> HALF)) >> np.uint64(sizes[GROUPED]) if queue.ranked else ZERO


@compiled_function
def _count(queue: Any, end: Any, filled: Any) -> None:
    """Count the entries of each group."""
    for place in range(end - filled, end):
        queue.counts[_group_of(queue, queue.pool[place])] += np.uint32(1)


@compiled_function
def _place_groups(queue: Any) -> None:
    """Find the end of each group on the stack; or choose the heap, if a group has too many entries of several ranks."""
    sizes, counts, total, lump = queue.sizes, queue.counts, np.uint32(0), np.uint32(0)
    span = np.uint64(sizes[HIGHEST] - sizes[LOWEST])
    for group in range((span >> np.uint64(sizes[GROUPED])) + ONE):
        lump = max(lump, counts[group])
        total += counts[group]
        counts[group] = total
    sizes[PHASE] = HEAP if lump > LUMP and sizes[GROUPED] > 0 else SPREAD


@compiled_function
def _spread(queue: Any, end: Any, filled: Any) -> None:
    """Write entries to the stack: the newest of a group at the end of it, or at its begin if the oldest come first."""
    counts, last = queue.counts, np.uint64(queue.sizes[MOVING] - 1)
    for back in range(filled):
        word = queue.pool[end - ONE - back]
        group = _group_of(queue, word)
        counts[group] -= np.uint32(1)
        place = np.uint64(counts[group])
        queue.stack[last - place if queue.fifo else place] = word


@compiled_function
def _insert(queue: Any) -> Any:
    """Sort the entries on the stack by insertion: each of them is near its place. Return the number handled."""
    sizes, stack, stop = queue.sizes, queue.stack, stop_of(queue)
    for index in range(max(np.uint64(sizes[PLACE]), ONE), stop):
        word = stack[index]
        place: Any = index
        while place > ZERO and stack[place - ONE] >> HALF < word >> HALF:
            stack[place] = stack[place - ONE]
            place -= ONE
        if place != index:
            stack[place] = word
    steps = np.int64(stop) - sizes[PLACE]
    sizes[PLACE] = stop
    if sizes[PLACE] == sizes[MOVING]:
        _finish(queue, TOP)
    return steps


@compiled_function
def _push(queue: Any, end: Any, filled: Any, count: Any) -> None:
    """Push entries onto the heap, in which `count` entries are already; none of them counts as near before all do.

    Their turns are their places in the list, which are below all turns to come.
    """
    sizes, f = queue.sizes, np.uint64(queue.sizes[OPENED] - 1) << HALF
    sizes[HEAPED] = count
    for back in range(filled):
        word = queue.pool[end - ONE - back]
        turn = np.uint64(sizes[MOVING]) - count - back
        push_heap(queue, (f | word >> HALF, (np.uint64(LAST_TURN) - turn) << HALF | word & NODE))
    sizes[HEAPED] = 0


@compiled_function
def _finish(queue: Any, near: Any) -> None:
    """Release the list; all entries are on the stack or in the heap, as the place `near` in the sizes says."""
    sizes, index = queue.sizes, np.uint64(queue.sizes[OPENED]) & ROUND
    queue.links[np.uint64(sizes[TAIL])] = np.uint32(sizes[FREE])
    sizes[FREE], queue.heads[index] = queue.heads[index], END
    sizes[near], sizes[CURRENT] = sizes[MOVING], sizes[OPENED] - 1
    sizes[MOVING], sizes[PLACE], sizes[PHASE] = 0, 0, IDLE
