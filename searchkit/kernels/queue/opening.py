"""Opening the next bucket of a ladder queue, and making new buckets for late entries, in steps of bounded work."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, sub_kernel
from searchkit.compiled.inlining import lowest_bit
from searchkit.compiled.variants import variants
from searchkit.kernels.queue.entries import (
    CURRENT,
    FAR,
    FREE,
    HALF,
    LATE,
    LIMIT,
    MOVING,
    OPENED,
    PHASE,
    PLACE,
    TOP,
    WIDE,
    Real,
    Whole,
    bucket_of,
    f_of,
    is_before,
    load,
    store,
)
from searchkit.kernels.queue.grouping import group_step
from searchkit.kernels.queue.ladder import (
    BUCKETS,
    CHUNK,
    END,
    LOW,
    ONE,
    ROUND,
    SIX,
    ZERO,
    append,
)
from searchkit.kernels.queue.sorting import (
    GATHER,
    GATHER_LATE,
    IDLE,
    MOST_MOVED,
    REFILL,
    SCAN_LATE,
    TWO,
    gather,
    reach,
    sort_step,
    stop_of,
)

WORD = np.uint64(BUCKETS // 64 - 1)
FEW = 64
"""So many entries may remain late whenever there are new buckets; of more, no more than half."""


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
        if phase == GATHER_LATE:
            steps += gather(queue, True)
        elif phase == SCAN_LATE:
            steps += _scan_late(queue)
        elif phase == REFILL:
            steps += _refill(queue)
        else:
            steps += open_step(queue, phase)
    return steps


@variants("queue")
def open_step(queue: Any, phase: Any) -> Any:
    """Do a part of a phase of opening a bucket; return the number of entries handled. In compiled code only."""


@open_step.when(Whole)
def _(queue: Any, phase: Any) -> Any:
    return group_step(queue, phase)


@open_step.when(Real)
def _(queue: Any, phase: Any) -> Any:
    return sort_step(queue, phase)


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
    sizes = queue.sizes
    chunk, filled = np.uint64(queue.heads[index]), np.uint64(queue.fills[index])
    _stack_few(queue, chunk * CHUNK, filled)
    sizes[TOP] = filled
    sizes[FAR] -= np.int64(filled)
    queue.heads[index] = END
    queue.links[chunk] = np.uint32(sizes[FREE])
    sizes[FREE] = chunk


@variants("queue")
def _stack_few(queue: Any, begin: Any, filled: Any) -> None:
    """Write the entries of a chunk, which begins at `begin`, to the stack, in order. In compiled code only."""


@_stack_few.when(Whole)
def _(queue: Any, begin: Any, filled: Any) -> None:
    stack = queue.stack
    queue.sizes[CURRENT] = queue.sizes[OPENED] - 1
    for place in range(filled):  # the oldest first: a later one mostly goes on top
        word = queue.pool[begin + place]
        at: Any = place
        while at > ZERO and (stack[at - ONE] >> HALF < word >> HALF if queue.ranked else queue.fifo):
            stack[at] = stack[at - ONE]
            at -= ONE
        stack[at] = word


@_stack_few.when(Real)
def _(queue: Any, begin: Any, filled: Any) -> None:
    stack = queue.stack
    for place in range(filled):
        entry = load(queue, queue.pool, begin + place)
        at: Any = place
        while at > ZERO and is_before(queue, load(queue, stack, at - ONE), entry):
            store(queue, stack, at, load(queue, stack, at - ONE))
            at -= ONE
        store(queue, stack, at, entry)


@compiled_function
def _scan_late(queue: Any) -> Any:
    """Find the range of the late entries, and choose new buckets."""
    sizes, heap, ends = queue.sizes, queue.heap, queue.ends
    place, stop = np.uint64(sizes[PLACE]), stop_of(queue)
    if place == ZERO:
        for end in range(TWO):
            store(queue, ends, end, load(queue, heap, ZERO))
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
    return reach(queue, stop, REFILL)


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
        if sizes[LATE] > sizes[FAR] + FEW:
            sizes[WIDE] = 1
    return steps


@variants("queue")
def scale_to(queue: Any, least: Any, spread: Any) -> None:
    """Choose the buckets: if they can be of any size, half of them hold each f from `least` to `least + spread`.

    In compiled code only.
    """


@scale_to.when(Whole)
def _(queue: Any, least: Any, spread: Any) -> None:
    queue.sizes[OPENED] = np.int64(least)


@scale_to.when(Real)
def _(queue: Any, least: Any, spread: Any) -> None:
    queue.scale[0] = least
    queue.scale[1] = BUCKETS / 2 / spread if spread > 1e-280 else 1e300
    queue.sizes[OPENED] = 0
