"""A priority queue in which most entries are moved once, however many there are.

What comes out soon is *near*: on a sorted stack, or, where it would have to go deep into that, in a heap of four
children a node (Johnson 1975). All else is *far*: in buckets by f, which are lists in no order (Dial 1969); a bucket
is sorted when it is opened. What is too far away for any bucket is *late*, one list more, until all else has come out;
then buckets are made anew that hold all of it (a ladder queue: Tang, Goh and Thng 2005). So costs may be anything.

Entries come out in their total order, whatever f is pushed when: what is before the open bucket is near.
"""

from typing import Any

import numpy as np

from searchkit.compiling import chosen_for, compiled_function, lowest_bit, sub_kernel
from searchkit.kernels.entries import (
    FAR,
    FREE,
    HALF,
    HEAPED,
    LATE,
    LATEST,
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
        least, first = child, load(queue, heap, child)
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
def enlist(queue: Any, place: Any, bucket: Any) -> None:
    """Put a place of the pool into the list of a bucket, or of what is late."""
    sizes = queue.sizes
    if bucket - np.uint64(sizes[OPENED]) < np.uint64(BUCKETS):
        index = bucket & ROUND
        queue.links[place] = queue.heads[index]
        queue.heads[index] = np.uint32(place)
        queue.marks[index >> SIX] |= ONE << (index & LOW)
        sizes[FAR] += 1
    else:
        queue.links[place] = np.uint32(sizes[LATEST])
        sizes[LATEST] = place
        sizes[LATE] += 1


@compiled_function
def push(queue: Any, entry: Any) -> None:
    """Put an entry in. There must be room for one more."""
    sizes = queue.sizes
    bucket = bucket_of(queue, entry)
    if bucket <= np.uint64(sizes[OPENED]):
        approach(queue, entry)
        return
    place = np.uint64(sizes[FREE])
    if place != np.uint64(END):
        sizes[FREE] = queue.links[place]
    else:
        place = np.uint64(sizes[USED])
        sizes[USED] += 1
    store(queue, queue.pool, place, entry)
    enlist(queue, place, bucket)


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
    index = bucket & ROUND
    queue.marks[index >> SIX] &= ~(ONE << (index & LOW))
    head = np.uint64(queue.heads[index])
    queue.heads[index] = END
    _sort(queue, head)


@sub_kernel
def _make_buckets(queue: Any) -> None:
    """Make buckets that hold all that is late."""
    sizes, links, pool = queue.sizes, queue.links, queue.pool
    head = np.uint64(sizes[LATEST])
    least = most = f_of(queue, load(queue, pool, head))
    place = links[head]
    while place != END:
        f = f_of(queue, load(queue, pool, np.uint64(place)))
        least, most = min(least, f), max(most, f)
        place = links[place]
    scale_to(queue, least, most - least)
    sizes[LATEST], sizes[LATE] = END, 0
    place = np.uint32(head)
    while place != END:
        after = links[place]
        enlist(queue, np.uint64(place), bucket_of(queue, load(queue, pool, np.uint64(place))))
        place = after


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
def _sort(queue: Any, head: Any) -> None:
    """Put a list of entries of the pool on the stack, which is empty, in order; their places become free."""
    sizes, links, pool, stack = queue.sizes, queue.links, queue.pool, queue.stack
    entry = load(queue, pool, head)
    lowest = highest = entry
    count, tail, rising, falling = ONE, head, True, True
    while links[tail] != END:
        tail = np.uint64(links[tail])
        other = load(queue, pool, tail)
        if before(entry, other):
            falling = False
        else:
            rising = False
        if before(other, lowest):
            lowest = other
        if before(highest, other):
            highest = other
        entry = other
        count += ONE
    sizes[FAR] -= np.int64(count)
    place, sorted_at = head, count
    flat = lowest[0] == highest[0]
    if rising or falling or count <= DEEP:
        # One that is next in a list in order is mostly the one that was put in last.
        for index in range(count):
            store(queue, stack, index if falling else count - ONE - index, load(queue, pool, place))
            place = np.uint64(links[place])
        sorted_at = count if rising or falling else ONE
    else:
        top = spread_of(queue, highest, flat)
        span, shift = top - spread_of(queue, lowest, flat), ZERO
        while span >> shift >= min(TWO * count, np.uint64(GROUPS)):
            shift += ONE
        lump = _count(queue, head, count, flat, top, shift, (span >> shift) + ONE)
        if shift != ZERO and lump > LUMP:
            for _ in range(count):
                climb(queue, load(queue, pool, place))
                place = np.uint64(links[place])
            count = ZERO
        else:
            for _ in range(count):
                entry = load(queue, pool, place)
                group = (top - spread_of(queue, entry, flat)) >> shift
                queue.counts[group] -= np.uint32(1)
                store(queue, stack, np.uint64(queue.counts[group]), entry)
                place = np.uint64(links[place])
            sorted_at = ONE
    sizes[TOP] = count
    for index in range(sorted_at, count):
        entry, place = load(queue, stack, index), index
        while place > ZERO and before(load(queue, stack, place - ONE), entry):
            store(queue, stack, place, load(queue, stack, place - ONE))
            place -= ONE
        if place != index:
            store(queue, stack, place, entry)
    links[tail] = np.uint32(sizes[FREE])
    sizes[FREE] = head


@compiled_function
def _count(queue: Any, head: Any, count: Any, flat: Any, top: Any, shift: Any, groups: Any) -> Any:
    """Count the entries of each group, as the end of its places on the stack; return the largest count."""
    counts, place = queue.counts, head
    for group in range(groups):
        counts[group] = 0
    for _ in range(count):
        counts[(top - spread_of(queue, load(queue, queue.pool, place), flat)) >> shift] += np.uint32(1)
        place = np.uint64(queue.links[place])
    total = lump = np.uint32(0)
    for group in range(groups):
        lump = max(lump, counts[group])
        total += counts[group]
        counts[group] = total
    return lump
