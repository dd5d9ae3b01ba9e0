"""Opening a bucket of reals: it is sorted, however many entries it has, in steps of bounded work."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.kernels.queue.entries import (
    FAR,
    FLAT,
    FREE,
    GROUPED,
    HEAPED,
    HIGHEST,
    LATE,
    MOVING,
    OPENED,
    PHASE,
    PLACE,
    TOP,
    is_before,
    load,
    load_far,
    store,
)
from searchkit.kernels.queue.ladder import (
    CHUNK,
    DEEP,
    END,
    LATE_LIST,
    ONE,
    ROUND,
    ZERO,
    push_heap,
)

GROUPS = 8192
LUMP = np.uint32(32)
"""The most entries that may fall into one group when a bucket is sorted; if there are more, it becomes a heap."""
MOST_MOVED = 1 << 13
"""How many entries one step of opening a bucket handles; if there are few entries, all phases are one step."""
IDLE, GATHER, SCAN, COUNT, SPREAD, COPY, REVERSE, INSERT, HEAP, GATHER_LATE, SCAN_LATE, REFILL = range(12)
"""The phases. IDLE: no bucket is being opened. The entries of a bucket are moved to the array of the heap (GATHER);
checked for being in order already (SCAN); their groups are counted (COUNT); they go to the stack by groups (SPREAD), as
they are (COPY) or reversed (REVERSE); on the stack each is moved to its place (INSERT); or all become a heap (HEAP).
Late entries are gathered (GATHER_LATE), their range is found (SCAN_LATE), and they go to new buckets (REFILL).

Whole entries stay in the list of their bucket until all are on the stack, or in the heap: GATHER finds the range of
their ranks, and they need neither SCAN nor COPY nor REVERSE."""
FORWARD, BACKWARD = 1, 2
TWO = np.uint64(2)


@compiled_function
def sort_step(queue: Any, phase: Any) -> Any:
    """Do a part of a phase of opening a bucket of reals; return the number of entries handled."""
    if phase == GATHER:
        return gather(queue, False)
    if phase == SCAN:
        return _scan(queue)
    if phase == COUNT:
        return _count(queue)
    return _insert(queue) if phase == INSERT else _put(queue)


@compiled_function
def stop_of(queue: Any) -> Any:
    """Return the end of the entries that this part of a phase handles."""
    return np.uint64(min(queue.sizes[MOVING], queue.sizes[PLACE] + MOST_MOVED))


@compiled_function
def reach(queue: Any, stop: Any, phase: Any) -> Any:
    """Record that a phase has handled the entries up to `stop`, and begin the next phase after the last entry.

    Return the number of entries that were handled.
    """
    sizes = queue.sizes
    steps = np.int64(stop) - sizes[PLACE]
    sizes[PLACE] = stop
    if sizes[PLACE] == sizes[MOVING]:
        sizes[PLACE], sizes[PHASE] = 0, phase
    return steps


@compiled_function
def gather(queue: Any, late: Any) -> Any:
    """Move a list of reals, or late entries, to the array of the heap, which is empty; the newest first."""
    heads, links, heap, sizes = queue.heads, queue.links, queue.heap, queue.sizes
    index = LATE_LIST if late else np.uint64(sizes[OPENED]) & ROUND
    chunk, filled = np.uint64(heads[index]), np.uint64(queue.fills[index])
    begin = np.uint64(sizes[MOVING])
    count, stop = begin, begin + np.uint64(MOST_MOVED)
    while chunk != np.uint64(END) and count < stop:
        while filled > ZERO:
            filled -= ONE
            store(queue, heap, count, load_far(queue, chunk * CHUNK + filled))
            count += ONE
        older = np.uint64(links[chunk])
        links[chunk] = np.uint32(sizes[FREE])
        sizes[FREE] = chunk
        chunk, filled = older, CHUNK
    heads[index], queue.fills[index] = np.uint32(chunk), np.uint32(filled)
    steps = np.int64(count - begin)
    sizes[MOVING] = count
    sizes[LATE if late else FAR] -= steps
    if chunk == np.uint64(END):
        sizes[PHASE] = SCAN_LATE if late else SCAN
    return steps


@compiled_function
def sort_word(entry: Any, flat: Any) -> Any:
    """Return the word by which a bucket is sorted: the first, or the second if the first ones are equal (`flat`)."""
    return entry[1] if flat else entry[0]


@compiled_function
def _scan(queue: Any) -> Any:
    """Find out whether the entries of a bucket are in order, or in reverse order, and the first and last of them."""
    sizes, heap, ends, place, stop = (
        queue.sizes,
        queue.heap,
        queue.ends,
        np.uint64(queue.sizes[PLACE]),
        stop_of(queue),
    )
    if place == ZERO:
        store(queue, ends, ZERO, load(queue, heap, ZERO))
        store(queue, ends, ONE, load(queue, heap, ZERO))
        sizes[FLAT] = FORWARD | BACKWARD
        place = ONE
    entry, lowest, highest = load(queue, heap, place - ONE), load(queue, ends, ZERO), load(queue, ends, ONE)
    best_first, best_last = sizes[FLAT] & FORWARD != 0, sizes[FLAT] & BACKWARD != 0
    for index in range(place, stop):
        other = load(queue, heap, index)
        if is_before(queue, entry, other):
            best_last = False
        else:
            best_first = False
        if is_before(queue, other, lowest):
            lowest = other
        if is_before(queue, highest, other):
            highest = other
        entry = other
    store(queue, ends, ZERO, lowest)
    store(queue, ends, ONE, highest)
    sizes[FLAT] = (FORWARD if best_first else 0) | (BACKWARD if best_last else 0)
    if stop < np.uint64(sizes[MOVING]):
        return reach(queue, stop, SCAN)
    if best_last:
        return reach(queue, stop, COPY)
    if best_first or stop <= DEEP:
        return reach(queue, stop, REVERSE)
    flat, shift = lowest[0] == highest[0], np.uint64(0)
    top = sort_word(highest, flat)
    span = top - sort_word(lowest, flat)
    while span >> shift >= min(TWO * stop, np.uint64(GROUPS)):
        shift += ONE
    sizes[FLAT], sizes[GROUPED], sizes[HIGHEST] = flat, shift, np.int64(top)
    for group in range((span >> shift) + ONE):
        queue.counts[group] = 0
    return reach(queue, stop, COUNT)


@compiled_function
def _count(queue: Any) -> Any:
    """Count the entries of each group, so that they can be moved to the stack nearly in order."""
    sizes, heap, counts, stop = queue.sizes, queue.heap, queue.counts, stop_of(queue)
    flat, shift, top = sizes[FLAT] != 0, np.uint64(sizes[GROUPED]), np.uint64(sizes[HIGHEST])
    for place in range(np.uint64(sizes[PLACE]), stop):
        counts[(top - sort_word(load(queue, heap, place), flat)) >> shift] += np.uint32(1)
    if stop < np.uint64(sizes[MOVING]):
        return reach(queue, stop, COUNT)
    total = lump = np.uint32(0)
    for group in range(((top - sort_word(load(queue, queue.ends, ZERO), flat)) >> shift) + ONE):
        lump = max(lump, counts[group])
        total += counts[group]
        counts[group] = total
    return reach(queue, stop, HEAP if lump > LUMP and not (flat and shift == ZERO) else SPREAD)


@compiled_function
def _put(queue: Any) -> Any:
    """Move entries to the stack: by groups, as they are, or reversed; or push them onto the heap."""
    sizes, heap, stack, counts = queue.sizes, queue.heap, queue.stack, queue.counts
    phase, place, stop, count = (
        sizes[PHASE],
        np.uint64(sizes[PLACE]),
        stop_of(queue),
        np.uint64(sizes[MOVING]),
    )
    if phase == SPREAD:
        flat, shift, top = sizes[FLAT] != 0, np.uint64(sizes[GROUPED]), np.uint64(sizes[HIGHEST])
        for index in range(place, stop):
            entry = load(queue, heap, index)
            group = (top - sort_word(entry, flat)) >> shift
            counts[group] -= np.uint32(1)
            store(queue, stack, np.uint64(counts[group]), entry)
        return reach(queue, stop, INSERT)
    if phase == HEAP:  # entries are read behind the place where the heap ends
        stop = min(stop, place + np.uint64(MOST_MOVED // 8))
        sizes[HEAPED] = place
        for index in range(place, stop):
            push_heap(queue, load(queue, heap, index))
        steps = 8 * reach(queue, stop, IDLE)
        if sizes[PHASE] == IDLE:
            sizes[MOVING] = 0
        else:
            sizes[HEAPED] = 0  # none of them counts as near before all do
        return steps
    if phase == COPY:
        for index in range(place, stop):
            store(queue, stack, index, load(queue, heap, index))
        steps = reach(queue, stop, IDLE)
        if sizes[PHASE] == IDLE:
            sizes[TOP], sizes[MOVING] = count, 0
        return steps
    for index in range(place, stop):
        store(queue, stack, count - ONE - index, load(queue, heap, index))
    steps = reach(queue, stop, INSERT)
    if sizes[PHASE] == INSERT and sizes[FLAT] & FORWARD:
        sizes[TOP], sizes[MOVING], sizes[PHASE] = count, 0, IDLE
    return steps


@compiled_function
def _insert(queue: Any) -> Any:
    """Sort the entries on the stack by insertion: each of them is near its place."""
    sizes, stack, stop = queue.sizes, queue.stack, stop_of(queue)
    for index in range(max(np.uint64(sizes[PLACE]), ONE), stop):
        entry = load(queue, stack, index)
        place: Any = index
        while place > ZERO and is_before(queue, load(queue, stack, place - ONE), entry):
            store(queue, stack, place, load(queue, stack, place - ONE))
            place -= ONE
        if place != index:
            store(queue, stack, place, entry)
    steps = reach(queue, stop, IDLE)
    if sizes[PHASE] == IDLE:
        sizes[TOP], sizes[MOVING] = sizes[MOVING], 0
    return steps
