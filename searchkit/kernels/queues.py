"""A priority queue in which most entries are moved once, however many there are.

What comes out soon is *near*: on a sorted stack, or, where it would have to go deep into that, in a heap of four
children a node (Johnson 1975). All else is *far*: in buckets by f, which are lists in no order (Dial 1969); a bucket
is sorted when it is opened. What is too far away for any bucket is *late*, one list more, until all else has come out;
then buckets are made anew that hold all of it (a ladder queue: Tang, Goh and Thng 2005). So costs may be anything.

Entries come out in their total order, whatever f is pushed when: what is before the open bucket is near.
"""

from typing import Any

import numpy as np

from searchkit.compiling import chosen_for, compiled_function, sub_kernel
from searchkit.kernels.bits import lowest_bit
from searchkit.kernels.entries import (
    FAR,
    FREE,
    HALF,
    HEAPED,
    LATE,
    LIMIT,
    OPENED,
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
ZERO, ONE, TWO, SIX, LOW = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(6), np.uint64(63)
ROUND, WORD = np.uint64(BUCKETS - 1), np.uint64(BUCKETS // 64 - 1)


@compiled_function
def waiting(queue: Any) -> Any:
    """Return how many entries there are."""
    sizes = queue.sizes
    return sizes[TOP] + sizes[HEAPED] + sizes[FAR] + sizes[LATE]


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
def come_near(queue: Any) -> None:
    """Open the next bucket. There must be no near entries, and others."""
    sizes = queue.sizes
    if sizes[FAR] == 0:
        _make_buckets(queue)
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
    if queue.links[queue.heads[index]] == END:
        _take_few(queue, index)
        return
    count = _take_out(queue, index)
    sizes[FAR] -= np.int64(count)
    _sort(queue, count)


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
def _take_out(queue: Any, index: Any) -> Any:
    """Move the list of a bucket to the beginning of the heap, which is empty, newest first; return how long it is."""
    heads, links, pool, heap, sizes = queue.heads, queue.links, queue.pool, queue.heap, queue.sizes
    chunk, filled, count = np.uint64(heads[index]), np.uint64(queue.fills[index]), np.uint64(0)
    heads[index] = END
    while chunk != np.uint64(END):
        while filled > ZERO:
            filled -= ONE
            store(queue, heap, count, load(queue, pool, chunk * CHUNK + filled))
            count += ONE
        older = np.uint64(links[chunk])
        links[chunk] = np.uint32(sizes[FREE])
        sizes[FREE] = chunk
        chunk, filled = older, CHUNK
    return count


@sub_kernel
def _make_buckets(queue: Any) -> None:
    """Make buckets that hold all that is late. They are too large for some of them to be late again."""
    sizes, heap = queue.sizes, queue.heap
    count = _take_out(queue, LATE_LIST)
    sizes[LATE] = 0
    least = most = f_of(queue, load(queue, heap, ZERO))
    for place in range(ONE, count):
        f = f_of(queue, load(queue, heap, place))
        least, most = min(least, f), max(most, f)
    scale_to(queue, least, most - least)
    sizes[LIMIT] = sizes[OPENED] + BUCKETS
    for place in range(count):  # the oldest first
        entry = load(queue, heap, count - ONE - place)
        enlist(queue, entry, bucket_of(queue, entry))


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
def _sort(queue: Any, count: Any) -> None:
    """Put the first entries of the heap's array on the stack, which is empty, in order."""
    heap, stack = queue.heap, queue.stack
    entry = load(queue, heap, ZERO)
    lowest = highest = entry
    best_first, best_last = True, True
    for place in range(ONE, count):
        other = load(queue, heap, place)
        if before(entry, other):
            best_last = False
        else:
            best_first = False
        if before(other, lowest):
            lowest = other
        if before(highest, other):
            highest = other
        entry = other
    queue.sizes[TOP] = count
    if best_last:
        for place in range(count):
            store(queue, stack, place, load(queue, heap, place))
        return
    if best_first or count <= DEEP:
        for place in range(count):
            store(queue, stack, count - ONE - place, load(queue, heap, place))
    elif not _distribute(queue, count, lowest, highest):
        queue.sizes[TOP] = 0
        for place in range(count):  # what is read lies behind what is written
            climb(queue, load(queue, heap, place))
        return
    if not best_first:
        _insert(queue, count)


@compiled_function
def _distribute(queue: Any, count: Any, lowest: Any, highest: Any) -> Any:
    """Put entries on the stack in nearly their order; return whether none is far from its place."""
    heap, counts, flat, shift = queue.heap, queue.counts, lowest[0] == highest[0], np.uint64(0)
    top = spread_of(queue, highest, flat)
    span = top - spread_of(queue, lowest, flat)
    while span >> shift >= min(TWO * count, np.uint64(GROUPS)):
        shift += ONE
    groups = (span >> shift) + ONE
    for group in range(groups):
        counts[group] = 0
    for place in range(count):
        counts[(top - spread_of(queue, load(queue, heap, place), flat)) >> shift] += np.uint32(1)
    total = lump = np.uint32(0)
    for group in range(groups):
        lump = max(lump, counts[group])
        total += counts[group]
        counts[group] = total
    if shift != ZERO and lump > LUMP:
        return False
    for place in range(count):
        entry = load(queue, heap, place)
        group = (top - spread_of(queue, entry, flat)) >> shift
        counts[group] -= np.uint32(1)
        store(queue, queue.stack, np.uint64(counts[group]), entry)
    return True


@compiled_function
def _insert(queue: Any, count: Any) -> None:
    """Bring the entries of the stack into their order, each over a short way."""
    stack = queue.stack
    for index in range(ONE, count):
        entry = load(queue, stack, index)
        place: Any = index
        while place > ZERO and before(load(queue, stack, place - ONE), entry):
            store(queue, stack, place, load(queue, stack, place - ONE))
            place -= ONE
        if place != index:
            store(queue, stack, place, entry)
