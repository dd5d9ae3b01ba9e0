"""A priority queue in which most entries are moved once, however many there are.

What comes out soon is *near*: on a sorted stack, or, where it would have to go deep into that, in a heap of four
children a node (Johnson 1975). All else is *far*: in buckets by f, which are lists in no order (Dial 1969); a bucket
is sorted when it is opened. What is too far away for any bucket is *late*, one list more, until all else has come out;
then buckets are made anew that hold all of it (a ladder queue: Tang, Goh and Thng 2005). So costs may be anything.

Entries come out in their total order, whatever f is pushed when: what is before the open bucket is near.

However many entries a bucket has, opening it holds nobody up: it is done in steps of bounded work, phase after phase.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import chosen_for, compiled_function, sub_kernel
from searchkit.kernels.bits import lowest_bit
from searchkit.kernels.entries import (
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
    USED,
    Whole,
    before,
    bucket_of,
    f_of,
    load,
    spread_of,
    store,
)

BUCKETS = 2048
GROUPS = 8192
DEEP = np.uint64(16)
"""How deep an entry is put into the stack; into the heap where that is not enough."""
LUMP = np.uint32(32)
"""How many entries of a bucket may fall into one group when it is sorted; it becomes a heap where it is more."""
CHUNK = np.uint64(8)
"""Lists are of chunks of so many entries, of which the first may not be full: few steps lead far through the memory."""
LATE_LIST = np.uint64(BUCKETS)
"""Where the list of what is late begins, among those of the buckets."""
END = np.uint32(0xFFFFFFFF)
MOST_MOVED = 1 << 13
"""How many entries one step of opening a bucket goes over; with few, all phases are one step."""
IDLE, GATHER, SCAN, COUNT, SPREAD, COPY, REVERSE, INSERT, HEAP, GATHER_LATE, SCAN_LATE, ENLIST = range(12)
"""The phases: nothing is being opened. A bucket is taken out into the array of the heap; looked at, whether it is in
order; its groups are counted; it goes to the stack by groups, or as it is, or reversed; there each entry is brought to
its place; or all become a heap. What is late is taken out, its range is found, and it goes to new buckets."""
FORWARD, BACKWARD = 1, 2
ZERO, ONE, TWO, SIX, LOW = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(6), np.uint64(63)
ROUND, WORD = np.uint64(BUCKETS - 1), np.uint64(BUCKETS // 64 - 1)


@compiled_function
def waiting(queue: Any) -> Any:
    """Return how many entries there are."""
    sizes = queue.sizes
    return sizes[TOP] + sizes[HEAPED] + sizes[FAR] + sizes[LATE] + sizes[MOVING]


@compiled_function
def climb(queue: Any, entry: Any) -> None:
    """Put an entry into the heap."""
    heap, place = queue.heap, np.uint64(queue.sizes[HEAPED])
    queue.sizes[HEAPED] += 1
    while place > ZERO:
        above = (place - ONE) >> TWO
        other = load(queue, heap, above)
        if before(other, entry):
            break
        store(queue, heap, place, other)
        place = above
    store(queue, heap, place, entry)


@compiled_function
def sink(queue: Any) -> None:
    """Take the first entry out of the heap."""
    heap, end = queue.heap, np.uint64(queue.sizes[HEAPED] - 1)
    queue.sizes[HEAPED] -= 1
    entry, place = load(queue, heap, end), np.uint64(0)
    while True:
        child = (place << TWO) + ONE
        if child >= end:
            break
        least: Any = child
        first = load(queue, heap, child)
        for other in range(child + ONE, min(child + np.uint64(4), end)):
            rival = load(queue, heap, other)
            if before(rival, first):
                least, first = other, rival
        if before(entry, first):
            break
        store(queue, heap, place, first)
        place = least
    store(queue, heap, place, entry)


@compiled_function
def approach(queue: Any, entry: Any) -> None:
    """Put an entry among the near ones: mostly, it is the next."""
    stack, top = queue.stack, np.uint64(queue.sizes[TOP])
    place, deepest = top, top - min(top, DEEP)
    while place > deepest and before(load(queue, stack, place - ONE), entry):
        place -= ONE
    if place == deepest and place > ZERO and before(load(queue, stack, place - ONE), entry):
        climb(queue, entry)
        return
    while top > place:
        store(queue, stack, top, load(queue, stack, top - ONE))
        top -= ONE
    store(queue, stack, place, entry)
    queue.sizes[TOP] += 1


@compiled_function
def enlist(queue: Any, entry: Any, bucket: Any) -> None:
    """Put an entry into the list of a bucket, or of what is late."""
    sizes, index = queue.sizes, LATE_LIST
    if bucket < np.uint64(sizes[LIMIT]):
        index = bucket & ROUND
        queue.marks[index >> SIX] |= ONE << (index & LOW)
        sizes[FAR] += 1
    else:
        sizes[LATE] += 1
    chunk, filled = np.uint64(queue.heads[index]), np.uint64(queue.fills[index])
    if filled == CHUNK or chunk == np.uint64(END):
        older, chunk, filled = np.uint32(chunk), np.uint64(sizes[FREE]), ZERO
        if chunk != np.uint64(END):
            sizes[FREE] = queue.links[chunk]
        else:
            chunk = np.uint64(sizes[USED])
            sizes[USED] += 1
        queue.links[chunk] = older
        queue.heads[index] = np.uint32(chunk)
    store(queue, queue.pool, chunk * CHUNK + filled, entry)
    queue.fills[index] = np.uint32(filled + ONE)


@compiled_function
def push(queue: Any, entry: Any) -> None:
    """Put an entry in. There must be room for one more."""
    bucket = bucket_of(queue, entry)
    if bucket <= np.uint64(queue.sizes[OPENED]):
        approach(queue, entry)
    else:
        enlist(queue, entry, bucket)


@compiled_function
def first(queue: Any) -> Any:
    """Return the entry that comes out next, and whether it is on the stack. There must be a near one."""
    top = np.uint64(queue.sizes[TOP])
    if top == ZERO:
        return load(queue, queue.heap, ZERO), False
    entry = load(queue, queue.stack, top - ONE)
    if queue.sizes[HEAPED] > 0:
        rival = load(queue, queue.heap, ZERO)
        if before(rival, entry):
            return rival, False
    return entry, True


@compiled_function
def drop(queue: Any, stacked: Any) -> None:
    """Take the first entry out."""
    if stacked:
        queue.sizes[TOP] -= 1
    else:
        sink(queue)


@sub_kernel
def come_near(queue: Any) -> Any:
    """Go on opening the next bucket; return how many entries that went over, at least 1.

    There must be no near entries, and others. It takes several calls until there is a near one where there are many.
    """
    sizes, steps = queue.sizes, np.int64(1)
    if sizes[PHASE] == IDLE:
        sizes[PLACE] = 0
        if sizes[FAR] == 0:
            sizes[PHASE] = GATHER_LATE
        else:
            index = _next_bucket(queue)
            if queue.links[queue.heads[index]] == END:
                _take_few(queue, index)
            else:
                sizes[PHASE] = GATHER
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
        elif phase == ENLIST:
            steps += _enlist_again(queue)
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
    if (
        sizes[LATE] == 0
    ):  # else the end stays where it is: what is late must not be before what is in a bucket
        sizes[LIMIT] = bucket + np.uint64(BUCKETS)
    index = bucket & ROUND
    queue.marks[index >> SIX] &= ~(ONE << (index & LOW))
    return index


@compiled_function
def _take_few(queue: Any, index: Any) -> None:
    """Put the list of a bucket, of one chunk, on the stack, which is empty."""
    stack, sizes = queue.stack, queue.sizes
    chunk, filled = np.uint64(queue.heads[index]), np.uint64(queue.fills[index])
    for place in range(filled):  # the oldest first: one that came later mostly goes on top
        entry = load(queue, queue.pool, chunk * CHUNK + place)
        at: Any = place
        while at > ZERO and before(load(queue, stack, at - ONE), entry):
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
    """Return up to which entry this step of a phase goes."""
    return np.uint64(min(queue.sizes[MOVING], queue.sizes[PLACE] + MOST_MOVED))


@compiled_function
def _reach(queue: Any, stop: Any, phase: Any) -> Any:
    """Say that a phase has come to an entry; if that is the last, begin another. Return over how many it went."""
    sizes = queue.sizes
    steps = np.int64(stop) - sizes[PLACE]
    sizes[PLACE] = stop
    if sizes[PLACE] == sizes[MOVING]:
        sizes[PLACE], sizes[PHASE] = 0, phase
    return steps


@compiled_function
def _gather(queue: Any, late: Any) -> Any:
    """Move the list of a bucket, or what is late, to the array of the heap, which is empty, newest first."""
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
    """Find the range of what is late, and choose buckets for it: too large for some of it to be late again."""
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
        if before(entry, first):
            first = entry
        if before(last, entry):
            last = entry
    store(queue, ends, ZERO, first)
    store(queue, ends, ONE, last)
    if stop == np.uint64(sizes[MOVING]):
        least = f_of(queue, first)
        scale_to(queue, least, f_of(queue, last) - least)
        sizes[LIMIT] = sizes[OPENED] + BUCKETS
    return _reach(queue, stop, ENLIST)


@compiled_function
def _enlist_again(queue: Any) -> Any:
    """Put what was late into the new buckets, the oldest first."""
    sizes, steps = queue.sizes, min(queue.sizes[MOVING], MOST_MOVED)
    for _ in range(steps):
        sizes[MOVING] -= 1
        entry = load(queue, queue.heap, np.uint64(sizes[MOVING]))
        enlist(queue, entry, bucket_of(queue, entry))
    if sizes[MOVING] == 0:
        sizes[PHASE] = IDLE
    return steps


def scale_to(queue: Any, least: Any, spread: Any) -> None:
    """Choose buckets half of which take all f from the least on, up to a spread. For kernels only."""
    raise TypeError("searchkit.kernels.queues.scale_to is called by compiled code only")


@chosen_for(scale_to)
def _scale_to(queue: Any, least: Any, spread: Any) -> Any:
    if queue.instance_class is Whole:

        def whole(queue: Any, least: Any, spread: Any) -> None:
            shift = 0
            while np.int64(spread) >> shift >= BUCKETS // 2:
                shift += 1
            queue.sizes[SHIFT] = np.int64(HALF) + shift
            queue.sizes[OPENED] = np.int64(least) >> shift

        return whole

    def real(queue: Any, least: Any, spread: Any) -> None:
        queue.scale[0] = least
        queue.scale[1] = BUCKETS / 2 / spread if spread > 1e-280 else 1e300
        queue.sizes[OPENED] = 0

    return real


@compiled_function
def _scan(queue: Any) -> Any:
    """Look whether the entries of a bucket are in order, either way, and which is the first and the last of them."""
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
        if before(entry, other):
            best_last = False
        else:
            best_first = False
        if before(other, lowest):
            lowest = other
        if before(highest, other):
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
    top = spread_of(queue, highest, flat)
    span = top - spread_of(queue, lowest, flat)
    while span >> shift >= min(TWO * stop, np.uint64(GROUPS)):
        shift += ONE
    sizes[FLAT], sizes[GROUPED], sizes[HIGHEST] = flat, shift, np.int64(top)
    for group in range((span >> shift) + ONE):
        queue.counts[group] = 0
    return _reach(queue, stop, COUNT)


@compiled_function
def _count(queue: Any) -> Any:
    """Count the entries of each group: they are to go to the stack in nearly their order."""
    sizes, heap, counts, stop = queue.sizes, queue.heap, queue.counts, _stop(queue)
    flat, shift, top = sizes[FLAT] != 0, np.uint64(sizes[GROUPED]), np.uint64(sizes[HIGHEST])
    for place in range(np.uint64(sizes[PLACE]), stop):
        counts[(top - spread_of(queue, load(queue, heap, place), flat)) >> shift] += np.uint32(1)
    if stop < np.uint64(sizes[MOVING]):
        return _reach(queue, stop, COUNT)
    total = lump = np.uint32(0)
    for group in range(((top - spread_of(queue, load(queue, queue.ends, ZERO), flat)) >> shift) + ONE):
        lump = max(lump, counts[group])
        total += counts[group]
        counts[group] = total
    return _reach(queue, stop, HEAP if lump > LUMP and not is_in_order(queue, flat, shift) else SPREAD)


def is_in_order(queue: Any, flat: Any, shift: Any) -> Any:
    """Whether the entries of one group are surely in their order. For kernels only."""
    raise TypeError("searchkit.kernels.queues.is_in_order is called by compiled code only")


@chosen_for(is_in_order)
def _is_in_order(queue: Any, flat: Any, shift: Any) -> Any:
    if queue.instance_class is Whole:  # they differ in their turns alone, and the newest comes first
        return lambda queue, flat, shift: shift == ZERO
    return lambda queue, flat, shift: flat and shift == ZERO


@compiled_function
def _put(queue: Any) -> Any:
    """Put entries on the stack: by groups, as they are, or reversed; or into the heap."""
    sizes, heap, stack, counts = queue.sizes, queue.heap, queue.stack, queue.counts
    phase, place, stop, count = sizes[PHASE], np.uint64(sizes[PLACE]), _stop(queue), np.uint64(sizes[MOVING])
    if phase == SPREAD:
        flat, shift, top = sizes[FLAT] != 0, np.uint64(sizes[GROUPED]), np.uint64(sizes[HIGHEST])
        for index in range(place, stop):
            entry = load(queue, heap, index)
            group = (top - spread_of(queue, entry, flat)) >> shift
            counts[group] -= np.uint32(1)
            store(queue, stack, np.uint64(counts[group]), entry)
        return _reach(queue, stop, INSERT)
    if phase == HEAP:  # what is read lies behind what is written
        stop = min(stop, place + np.uint64(MOST_MOVED // 8))
        sizes[HEAPED] = place
        for index in range(place, stop):
            climb(queue, load(queue, heap, index))
        steps = 8 * _reach(queue, stop, IDLE)
        if sizes[PHASE] == IDLE:
            sizes[MOVING] = 0
        else:
            sizes[HEAPED] = 0  # none of them is near before all are
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
    """Bring the entries on the stack into their order, each over a short way."""
    sizes, stack, stop = queue.sizes, queue.stack, _stop(queue)
    for index in range(max(np.uint64(sizes[PLACE]), ONE), stop):
        entry = load(queue, stack, index)
        place: Any = index
        while place > ZERO and before(load(queue, stack, place - ONE), entry):
            store(queue, stack, place, load(queue, stack, place - ONE))
            place -= ONE
        if place != index:
            store(queue, stack, place, entry)
    steps = _reach(queue, stop, IDLE)
    if sizes[PHASE] == IDLE:
        sizes[TOP], sizes[MOVING] = sizes[MOVING], 0
    return steps
