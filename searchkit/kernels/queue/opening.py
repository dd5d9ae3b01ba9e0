"""Opening the next bucket of a ladder queue: it is sorted, however many entries it has, in steps of bounded work."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, sub_kernel
from searchkit.compiled.inlining import lowest_bit
from searchkit.compiled.variants import variants
from searchkit.kernels.queue.entries import (
    FAR,
    FLAT,
    FREE,
    GROUPED,
    HALF,
    HEAPED,
    HIGHEST,
    LATE,
    LIMIT,
    MOVING,
    OPENED,
    PHASE,
    PLACE,
    SHIFT,
    TOP,
    Real,
    Whole,
    bucket_of,
    f_of,
    is_before,
    load,
    sort_word,
    store,
)
from searchkit.kernels.queue.ladder import (
    BUCKETS,
    CHUNK,
    DEEP,
    END,
    LATE_LIST,
    LOW,
    ONE,
    ROUND,
    SIX,
    ZERO,
    append,
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
Late entries are gathered (GATHER_LATE), their range is found (SCAN_LATE), and they go to new buckets (REFILL)."""
FORWARD, BACKWARD = 1, 2
TWO, WORD = np.uint64(2), np.uint64(BUCKETS // 64 - 1)


@compiled_function
def open_few(queue: Any) -> Any:
    """Choose the next bucket; if it has few entries, open it. Return whether there are near entries now.

    If not, `open_next_bucket` has to be called. There must be entries, but no near ones.
    """
    sizes = queue.sizes
    if sizes[PHASE] != IDLE:
        return False
    if sizes[FAR] > 0:
        index = _next_bucket(queue)
        if queue.links[queue.heads[index]] == END:
            _take_few(queue, index)
            return True
    sizes[PLACE], sizes[PHASE] = 0, GATHER if sizes[FAR] > 0 else GATHER_LATE
    return False


@sub_kernel
def open_next_bucket(queue: Any) -> Any:
    """Do a step of opening the bucket that `open_few` has chosen; return the number of entries handled, at least 1.

    If a bucket has many entries, there are near ones only after several calls.
    """
    sizes, steps = queue.sizes, np.int64(1)
    while sizes[PHASE] != IDLE and steps < MOST_MOVED:
        phase = sizes[PHASE]
        if phase in (GATHER, GATHER_LATE):
            steps += _gather(queue, phase == GATHER_LATE)
        elif phase == SCAN:
            steps += _scan(queue)
        elif phase == COUNT:
            steps += _count(queue)
        elif phase == INSERT:
            steps += _insert(queue)
        elif phase == SCAN_LATE:
            steps += _scan_late(queue)
        elif phase == REFILL:
            steps += _refill(queue)
        else:
            steps += _put(queue)
    return steps


@compiled_function
def _next_bucket(queue: Any) -> Any:
    """Choose the next bucket that is not empty; return the place of its list."""
    sizes = queue.sizes
    bucket = np.uint64(sizes[OPENED]) + ONE
    word = (bucket & ROUND) >> SIX
    ahead = queue.marks[word] >> (bucket & LOW)
    if ahead == ZERO:
        bucket = (bucket | LOW) + ONE
        word = (word + ONE) & WORD
        while queue.marks[word] == ZERO:
            bucket += LOW + ONE
            word = (word + ONE) & WORD
        ahead = queue.marks[word]
    bucket += lowest_bit(ahead)
    sizes[OPENED] = bucket
    if sizes[LATE] == 0:  # else the end stays where it is: no late entry may be before one in a bucket
        sizes[LIMIT] = bucket + np.uint64(BUCKETS)
    index = bucket & ROUND
    queue.marks[index >> SIX] &= ~(ONE << (index & LOW))
    return index


@compiled_function
def _take_few(queue: Any, index: Any) -> None:
    """Move the list of a bucket, which is one chunk, to the stack, which is empty."""
    stack, sizes = queue.stack, queue.sizes
    chunk, filled = np.uint64(queue.heads[index]), np.uint64(queue.fills[index])
    for place in range(filled):  # the oldest first: a later one mostly goes on top
        entry = load(queue, queue.pool, chunk * CHUNK + place)
        at: Any = place
        while at > ZERO and is_before(queue, load(queue, stack, at - ONE), entry):
            store(queue, stack, at, load(queue, stack, at - ONE))
            at -= ONE
        store(queue, stack, at, entry)
    sizes[TOP] = filled
    sizes[FAR] -= np.int64(filled)
    queue.heads[index] = END
    queue.links[chunk] = np.uint32(sizes[FREE])
    sizes[FREE] = chunk


@compiled_function
def _stop(queue: Any) -> Any:
    """Return the end of the entries that this step of a phase handles."""
    return np.uint64(min(queue.sizes[MOVING], queue.sizes[PLACE] + MOST_MOVED))


@compiled_function
def _reach(queue: Any, stop: Any, phase: Any) -> Any:
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
def _gather(queue: Any, late: Any) -> Any:
    """Move the list of a bucket, or late entries, to the array of the heap, which is empty; the newest first."""
    heads, links, pool, heap, sizes = queue.heads, queue.links, queue.pool, queue.heap, queue.sizes
    index = LATE_LIST if late else np.uint64(sizes[OPENED]) & ROUND
    chunk, filled = np.uint64(heads[index]), np.uint64(queue.fills[index])
    begin = np.uint64(sizes[MOVING])
    count, stop = begin, begin + np.uint64(MOST_MOVED)
    while chunk != np.uint64(END) and count < stop:
        while filled > ZERO:
            filled -= ONE
            store(queue, heap, count, load(queue, pool, chunk * CHUNK + filled))
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
def _scan_late(queue: Any) -> Any:
    """Find the range of the late entries, and choose buckets that are large enough for all of them."""
    sizes, heap, ends, place, stop = (
        queue.sizes,
        queue.heap,
        queue.ends,
        np.uint64(queue.sizes[PLACE]),
        _stop(queue),
    )
    if place == ZERO:
        store(queue, ends, ZERO, load(queue, heap, ZERO))
        store(queue, ends, ONE, load(queue, heap, ZERO))
    first, last = load(queue, ends, ZERO), load(queue, ends, ONE)
    for index in range(place, stop):
        entry = load(queue, heap, index)
        if is_before(queue, entry, first):
            first = entry
        if is_before(queue, last, entry):
            last = entry
    store(queue, ends, ZERO, first)
    store(queue, ends, ONE, last)
    if stop == np.uint64(sizes[MOVING]):
        least = f_of(queue, first)
        scale_to(queue, least, f_of(queue, last) - least)
        sizes[LIMIT] = sizes[OPENED] + BUCKETS
    return _reach(queue, stop, REFILL)


@compiled_function
def _refill(queue: Any) -> Any:
    """Append the late entries to the new buckets, the oldest first."""
    sizes, steps = queue.sizes, min(queue.sizes[MOVING], MOST_MOVED)
    for _ in range(steps):
        sizes[MOVING] -= 1
        entry = load(queue, queue.heap, np.uint64(sizes[MOVING]))
        append(queue, entry, bucket_of(queue, entry))
    if sizes[MOVING] == 0:
        sizes[PHASE] = IDLE
    return steps


@variants("queue")
def scale_to(queue: Any, least: Any, spread: Any) -> None:
    """Choose the buckets so that half of them hold each f from `least` to `least + spread`. In compiled code only."""


@scale_to.when(Whole)
def _(queue: Any, least: Any, spread: Any) -> None:
    shift = 0
    while np.int64(spread) >> shift >= BUCKETS // 2:
        shift += 1
    queue.sizes[SHIFT] = np.int64(HALF) + shift
    queue.sizes[OPENED] = np.int64(least) >> shift


@scale_to.when(Real)
def _(queue: Any, least: Any, spread: Any) -> None:
    queue.scale[0] = least
    queue.scale[1] = BUCKETS / 2 / spread if spread > 1e-280 else 1e300
    queue.sizes[OPENED] = 0


@compiled_function
def _scan(queue: Any) -> Any:
    """Find out whether the entries of a bucket are in order, or in reverse order, and the first and last of them."""
    sizes, heap, ends, place, stop = (
        queue.sizes,
        queue.heap,
        queue.ends,
        np.uint64(queue.sizes[PLACE]),
        _stop(queue),
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
        return _reach(queue, stop, SCAN)
    if best_last:
        return _reach(queue, stop, COPY)
    if best_first or stop <= DEEP:
        return _reach(queue, stop, REVERSE)
    flat, shift = lowest[0] == highest[0], np.uint64(0)
    top = sort_word(queue, highest, flat)
    span = top - sort_word(queue, lowest, flat)
    while span >> shift >= min(TWO * stop, np.uint64(GROUPS)):
        shift += ONE
    sizes[FLAT], sizes[GROUPED], sizes[HIGHEST] = flat, shift, np.int64(top)
    for group in range((span >> shift) + ONE):
        queue.counts[group] = 0
    return _reach(queue, stop, COUNT)


@compiled_function
def _count(queue: Any) -> Any:
    """Count the entries of each group, so that they can be moved to the stack nearly in order."""
    sizes, heap, counts, stop = queue.sizes, queue.heap, queue.counts, _stop(queue)
    flat, shift, top = sizes[FLAT] != 0, np.uint64(sizes[GROUPED]), np.uint64(sizes[HIGHEST])
    for place in range(np.uint64(sizes[PLACE]), stop):
        counts[(top - sort_word(queue, load(queue, heap, place), flat)) >> shift] += np.uint32(1)
    if stop < np.uint64(sizes[MOVING]):
        return _reach(queue, stop, COUNT)
    total = lump = np.uint32(0)
    for group in range(((top - sort_word(queue, load(queue, queue.ends, ZERO), flat)) >> shift) + ONE):
        lump = max(lump, counts[group])
        total += counts[group]
        counts[group] = total
    return _reach(queue, stop, HEAP if lump > LUMP and not is_in_order(queue, flat, shift) else SPREAD)


@variants("queue")
def is_in_order(queue: Any, flat: Any, shift: Any) -> Any:
    """Whether the entries of one group are certainly in order. In compiled code only."""


@is_in_order.when(Whole)  # they differ only in their turns, and the newest comes first
def _(queue: Any, flat: Any, shift: Any) -> Any:
    return shift == ZERO


@is_in_order.when(Real)
def _(queue: Any, flat: Any, shift: Any) -> Any:
    return flat and shift == ZERO


@compiled_function
def _put(queue: Any) -> Any:
    """Move entries to the stack: by groups, as they are, or reversed; or push them onto the heap."""
    sizes, heap, stack, counts = queue.sizes, queue.heap, queue.stack, queue.counts
    phase, place, stop, count = sizes[PHASE], np.uint64(sizes[PLACE]), _stop(queue), np.uint64(sizes[MOVING])
    if phase == SPREAD:
        flat, shift, top = sizes[FLAT] != 0, np.uint64(sizes[GROUPED]), np.uint64(sizes[HIGHEST])
        for index in range(place, stop):
            entry = load(queue, heap, index)
            group = (top - sort_word(queue, entry, flat)) >> shift
            counts[group] -= np.uint32(1)
            store(queue, stack, np.uint64(counts[group]), entry)
        return _reach(queue, stop, INSERT)
    if phase == HEAP:  # entries are read behind the place where the heap ends
        stop = min(stop, place + np.uint64(MOST_MOVED // 8))
        sizes[HEAPED] = place
        for index in range(place, stop):
            push_heap(queue, load(queue, heap, index))
        steps = 8 * _reach(queue, stop, IDLE)
        if sizes[PHASE] == IDLE:
            sizes[MOVING] = 0
        else:
            sizes[HEAPED] = 0  # none of them counts as near before all do
        return steps
    if phase == COPY:
        for index in range(place, stop):
            store(queue, stack, index, load(queue, heap, index))
        steps = _reach(queue, stop, IDLE)
        if sizes[PHASE] == IDLE:
            sizes[TOP], sizes[MOVING] = count, 0
        return steps
    for index in range(place, stop):
        store(queue, stack, count - ONE - index, load(queue, heap, index))
    steps = _reach(queue, stop, INSERT)
    if sizes[PHASE] == INSERT and sizes[FLAT] & FORWARD:
        sizes[TOP], sizes[MOVING], sizes[PHASE] = count, 0, IDLE
    return steps


@compiled_function
def _insert(queue: Any) -> Any:
    """Sort the entries on the stack by insertion: each of them is near its place."""
    sizes, stack, stop = queue.sizes, queue.stack, _stop(queue)
    for index in range(max(np.uint64(sizes[PLACE]), ONE), stop):
        entry = load(queue, stack, index)
        place: Any = index
        while place > ZERO and is_before(queue, load(queue, stack, place - ONE), entry):
            store(queue, stack, place, load(queue, stack, place - ONE))
            place -= ONE
        if place != index:
            store(queue, stack, place, entry)
    steps = _reach(queue, stop, IDLE)
    if sizes[PHASE] == IDLE:
        sizes[TOP], sizes[MOVING] = sizes[MOVING], 0
    return steps
