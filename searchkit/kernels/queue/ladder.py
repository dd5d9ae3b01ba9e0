"""A priority queue in which most entries are moved once, however many there are: a ladder queue.

Entries that come out soon are *near*: on a sorted stack or, if an entry would have to go deep into the stack, in a
heap. The others are *far*: in buckets by f, which are unordered lists (Dial 1969); a bucket is sorted when it is
opened. Entries that are too far away for any bucket are *late*: in one more list, until all others have come out; then
new buckets are made that hold all of them (Tang, Goh and Thng 2005). So costs may be any numbers.

Entries come out in their total order, whatever f is pushed when: an entry that is before the open bucket is near.

Whole entries on the stack are all of one f, and have no turns. What keeps them in order: of entries of equal f and
rank, those on the stack are older than those in the heap. For an entry goes onto the stack only if it is before the
first one in the heap by more than its turn.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.compiled.kit import heap
from searchkit.compiled.variants import variants
from searchkit.kernels.queue.entries import (
    CURRENT,
    FAR,
    FREE,
    HALF,
    HEAPED,
    LATE,
    LIMIT,
    MOVING,
    OPENED,
    TOP,
    USED,
    Real,
    Whole,
    bucket_of,
    is_before,
    load,
    packed,
    store,
    store_far,
    unpacked,
)

BUCKETS = 2048
DEEP = np.uint64(16)
"""How deep an entry is inserted into the stack; deeper entries go to the heap."""
CHUNK = np.uint64(8)
"""Lists consist of chunks of so many entries, of which the first may be partly filled. So following a list takes few
jumps in memory."""
LATE_LIST = np.uint64(BUCKETS)
"""The place of the list of late entries, after those of the buckets."""
END = np.uint32(0xFFFFFFFF)
ZERO, ONE, SIX, LOW = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)
ROUND = np.uint64(BUCKETS - 1)


@compiled_function
def waiting(queue: Any) -> Any:
    """Return the number of entries."""
    sizes = queue.sizes
    return sizes[TOP] + sizes[HEAPED] + sizes[FAR] + sizes[LATE] + sizes[MOVING]


@compiled_function
def push_heap(queue: Any, entry: Any) -> None:
    """Push an entry onto the heap."""
    queue.sizes[HEAPED] = heap.push(queue, queue.sizes[HEAPED], entry)


@compiled_function
def is_first(queue: Any, entry: Any, other: Any) -> Any:
    """Whether a whole entry is before another by its f or its rank."""
    return entry[0] < other[0] if queue.ranked else entry[0] >> HALF < other[0] >> HALF


@variants("queue")
def insert(queue: Any, entry: Any) -> None:
    """Insert an entry into the stack, where it is mostly the first; or push it onto the heap. In compiled code only."""


@insert.when(Whole)
def _(queue: Any, entry: Any) -> None:
    stack, sizes, top = queue.stack, queue.sizes, np.uint64(queue.sizes[TOP])
    place, deepest = top, top - min(top, DEEP)
    if sizes[HEAPED] > 0 and not is_first(queue, entry, load(queue, queue.heap, ZERO)):
        push_heap(queue, entry)
        return
    if top == ZERO:
        sizes[CURRENT] = entry[0] >> HALF
    elif entry[0] >> HALF != np.uint64(sizes[CURRENT]) or queue.fifo:
        push_heap(queue, entry)
        return
    word = packed(queue, entry)
    if queue.ranked:
        rank = word >> HALF
        while place > deepest and stack[place - ONE] >> HALF < rank:
            place -= ONE
        if place == deepest and place > ZERO and stack[place - ONE] >> HALF < rank:
            push_heap(queue, entry)
            return
        while top > place:
            stack[top] = stack[top - ONE]
            top -= ONE
    stack[place] = word
    sizes[TOP] += 1


@insert.when(Real)
def _(queue: Any, entry: Any) -> None:
    stack, top = queue.stack, np.uint64(queue.sizes[TOP])
    place, deepest = top, top - min(top, DEEP)
    while place > deepest and is_before(queue, load(queue, stack, place - ONE), entry):
        place -= ONE
    if place == deepest and place > ZERO and is_before(queue, load(queue, stack, place - ONE), entry):
        push_heap(queue, entry)
        return
    while top > place:
        store(queue, stack, top, load(queue, stack, top - ONE))
        top -= ONE
    store(queue, stack, place, entry)
    queue.sizes[TOP] += 1


@compiled_function
def append(queue: Any, entry: Any, bucket: Any) -> None:
    """Append an entry to the list of a bucket, or to that of late entries."""
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
    store_far(queue, chunk * CHUNK + filled, entry, index == LATE_LIST)
    queue.fills[index] = np.uint32(filled + ONE)


@compiled_function
def push(queue: Any, entry: Any) -> None:
    """Add an entry. There must be room for one more."""
    bucket = bucket_of(queue, entry)
    if bucket <= np.uint64(queue.sizes[OPENED]):
        insert(queue, entry)
    else:
        append(queue, entry, bucket)


@variants("queue")
def first(queue: Any) -> Any:
    """Return the first entry, and whether it is on the stack. There must be a near entry. In compiled code only."""


@first.when(Whole)
def _(queue: Any) -> Any:
    top = np.uint64(queue.sizes[TOP])
    if top == ZERO:
        return load(queue, queue.heap, ZERO), False
    entry = unpacked(queue, queue.stack[top - ONE], queue.sizes[CURRENT])
    if queue.sizes[HEAPED] > 0:
        rival = load(queue, queue.heap, ZERO)
        if is_first(queue, rival, entry) or not (queue.fifo or is_first(queue, entry, rival)):
            return rival, False
    return entry, True


@first.when(Real)
def _(queue: Any) -> Any:
    top = np.uint64(queue.sizes[TOP])
    if top == ZERO:
        return load(queue, queue.heap, ZERO), False
    entry = load(queue, queue.stack, top - ONE)
    if queue.sizes[HEAPED] > 0:
        rival = load(queue, queue.heap, ZERO)
        if is_before(queue, rival, entry):
            return rival, False
    return entry, True


@compiled_function
def drop(queue: Any, stacked: Any) -> None:
    """Remove the first entry; `stacked` says whether it is on the stack."""
    if stacked:
        queue.sizes[TOP] -= 1
    else:
        queue.sizes[HEAPED] = heap.pop(queue, queue.sizes[HEAPED])
