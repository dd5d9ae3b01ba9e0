"""Frontiers of `bucket` and `greedy`: an entry stays until it is the first again and its state is closed.

The entry of least priority comes out first; of these, if entries are ranked, that of least rank; of these, the newest
or the oldest. A `Ladder` takes all numbers. `Buckets`, which form a ring (Dial 1969), take whole numbers whose range is
no larger than the number of buckets, without ranks. An entry that does not fit waits outside until the run makes room.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.inlining import lowest_bit
from searchkit.compiled.kit.control import FIRST_STEPS
from searchkit.compiled.variants import variants
from searchkit.kernels.queue import ladder, opening
from searchkit.kernels.queue.entries import (
    HALF,
    HEAPED,
    LAST_TURN,
    TOP,
    WORDS,
    Real,
    bits,
    entry_of,
    f_of,
    node_of,
    number,
)
from searchkit.kernels.queue.entries import LOW as NODE_MASK

SIZE, TURN, LOW, HIGH, FREE, USED, WAITING = range(7)
"""Places in the state of a queue: the number of entries; the last turn of a ladder; of buckets, the least and the
largest priority, the first free entry, the number of entries ever used, and the number of those that wait outside."""
STATE = 7
LISTED, BEYOND, ENTERED, PLACES = range(4)
"""Places in the array of `listed`: the entries listed, the distance from the least priority, the next entry."""
NOTHING = np.uint32(0xFFFFFFFF)
ONE, THREE, SIX, SIXTY_THREE = np.uint64(1), np.uint64(3), np.uint64(6), np.uint64(63)
WORD_BITS = 64
ENTRY = WORDS[Real]


class Ladder(NamedTuple):
    """A ladder queue of reals."""

    queue: Any
    state: Any
    ranked: bool
    high_g: bool
    fifo: bool


class Buckets(NamedTuple):
    """Linked lists of entries, one for each priority modulo their number, a power of two of at least 64."""

    firsts: Any
    """uint32: the first entry of each bucket, or `NOTHING`."""
    lasts: Any
    """uint32: the last entry of each bucket that has entries."""
    filled: Any
    """uint64: a bit for each bucket that has entries."""
    entries: Any
    """uint64: the node of each entry and, in the upper half, the next entry of its bucket."""
    outside: Any
    """uint64: pairs of the priority, as bits, and the node of each entry that waits outside."""
    state: Any
    fifo: bool


@compiled_function
def _distance_to_filled(filled: Any, bucket: Any) -> Any:
    """Return the distance around the ring to the next bucket with an entry, from this one on; there is one."""
    place, offset = bucket >> SIX, bucket & SIXTY_THREE
    word = filled[place] >> offset
    if word != 0:
        return lowest_bit(word)
    distance, last = np.uint64(WORD_BITS) - offset, np.uint64(filled.size - 1)
    while True:
        place = (place + ONE) & last
        if filled[place] != 0:
            return distance + lowest_bit(filled[place])
        distance += np.uint64(WORD_BITS)


@compiled_function
def first_entry(buckets: Any) -> Any:
    """Return the first entry; there is one."""
    return buckets.firsts[np.uint64(buckets.state[LOW]) & np.uint64(buckets.firsts.size - 1)]


@compiled_function
def following(buckets: Any, entry: Any) -> Any:
    """Return the entry after another in its bucket, or `NOTHING`."""
    return np.uint32(buckets.entries[entry] >> HALF)


@variants("queue")
def prepare_first(queue: Any) -> Any:
    """Return 0 if the first entry can be read; there is one. Else look for it; return the number of steps of that.

    In compiled code only.
    """


@prepare_first.when(Buckets)
def _(queue: Any) -> Any:
    return np.int64(0)


@prepare_first.when(Ladder)
def _(queue: Any) -> Any:
    if queue.queue.sizes[TOP] + queue.queue.sizes[HEAPED] > 0:
        return np.int64(0)
    return np.int64(1) if opening.open_few(queue.queue) else opening.open_next_bucket(queue.queue)


@variants("queue")
def first(queue: Any) -> Any:
    """Return the priority and the node of the first entry, which can be read. In compiled code only."""


@first.when(Ladder)
def _(queue: Any) -> Any:
    entry, _ = ladder.first(queue.queue)
    return f_of(queue.queue, entry), node_of(queue.queue, entry, queue.ranked)


@first.when(Buckets)
def _(queue: Any) -> Any:
    return np.float64(queue.state[LOW]), queue.entries[first_entry(queue)] & NODE_MASK


@variants("queue")
def drop(queue: Any) -> None:
    """Remove the first entry. In compiled code only."""


@drop.when(Ladder)
def _(queue: Any) -> None:
    _, stacked = ladder.first(queue.queue)
    ladder.drop(queue.queue, stacked)
    queue.state[SIZE] -= 1


@drop.when(Buckets)
def _(queue: Any) -> None:
    state = queue.state
    bucket = np.uint64(state[LOW]) & np.uint64(queue.firsts.size - 1)
    entry = queue.firsts[bucket]
    queue.firsts[bucket] = following(queue, entry)
    queue.entries[entry] = np.uint64(state[FREE]) << HALF
    state[FREE] = entry
    state[SIZE] -= 1
    if queue.firsts[bucket] == NOTHING:
        queue.filled[bucket >> SIX] &= ~(ONE << (bucket & SIXTY_THREE))
        if state[SIZE] > state[WAITING]:
            state[LOW] += np.int64(_distance_to_filled(queue.filled, bucket))


@variants("queue")
def put(queue: Any, f: Any, g: Any, h: Any, node: Any) -> None:
    """Add an entry of priority f, for which there is room; g or h may be its rank. In compiled code only."""


@put.when(Ladder)
def _(queue: Any, f: Any, g: Any, h: Any, node: Any) -> None:
    state = queue.state
    state[TURN] += 1
    turn = np.uint64(state[TURN] if queue.fifo else LAST_TURN - state[TURN])
    node = np.uint64(node)
    ladder.push(queue.queue, entry_of(queue.queue, f, g, h, turn, node, queue.ranked, queue.high_g))
    state[SIZE] += 1


@put.when(Buckets)
def _(queue: Any, f: Any, g: Any, h: Any, node: Any) -> None:
    state, entries = queue.state, queue.entries
    whole = np.int64(f)  # which is below 2⁵³
    if state[SIZE] == 0:
        state[LOW] = state[HIGH] = whole
    low, high = min(state[LOW], whole), max(state[HIGH], whole)
    state[SIZE] += 1
    if np.float64(whole) != f or high - low >= queue.firsts.size:
        outside = np.uint64(2 * state[WAITING])
        queue.outside[outside], queue.outside[outside + ONE] = bits(f), np.uint64(node)
        state[WAITING] += 1
        return
    state[LOW], state[HIGH] = low, high
    entry = np.uint32(state[FREE])
    if entry == NOTHING:
        entry = np.uint32(state[USED])
        state[USED] += 1
    else:
        state[FREE] = np.int64(entries[entry] >> HALF)
    bucket = np.uint64(whole) & np.uint64(queue.firsts.size - 1)
    after = queue.firsts[bucket]
    if after == NOTHING:
        queue.filled[bucket >> SIX] |= ONE << (bucket & SIXTY_THREE)
        queue.lasts[bucket] = entry
    if queue.fifo and after != NOTHING:
        before = queue.lasts[bucket]
        entries[before] = entries[before] & NODE_MASK | np.uint64(entry) << HALF
        entries[entry] = np.uint64(NOTHING) << HALF | np.uint64(node)
        queue.lasts[bucket] = entry
    else:
        entries[entry] = np.uint64(after) << HALF | np.uint64(node)
        queue.firsts[bucket] = entry


@variants("queue")
def is_full(queue: Any, more: Any) -> Any:
    """Whether `more` more entries may not fit, or entries wait outside. In compiled code only."""


@is_full.when(Ladder)
def _(queue: Any, more: Any) -> Any:
    state = queue.state
    return (state[SIZE] + more) * ENTRY > queue.queue.stack.size or state[TURN] + more > LAST_TURN


@is_full.when(Buckets)
def _(queue: Any, more: Any) -> Any:
    return queue.state[WAITING] > 0 or queue.state[SIZE] + more > queue.entries.size


@kernel
def fill(buckets: Any, priorities: Any, nodes: Any) -> None:
    """Add entries in the order in which they were made; there is room for all."""
    for index in range(nodes.size):
        put(buckets, priorities[index], 0.0, 0.0, nodes[index])


@kernel
def listed(buckets: Any, priorities: Any, nodes: Any, places: Any) -> Any:
    """List the entries of buckets in the order in which they were made, as far as that is known: within each bucket.

    Entries that wait outside come last. Return whether all are listed; if not, the next call goes on from `places`.
    """
    state, entries = buckets.state, buckets.entries
    inside = np.uint64(state[SIZE] - state[WAITING])
    index, whole = np.uint64(places[LISTED]), state[LOW] + places[BEYOND]
    entry = NOTHING if places[ENTERED] == 0 else np.uint32(places[ENTERED] - 1)
    stop = min(inside, index + np.uint64(FIRST_STEPS))
    while index < stop:
        if entry == NOTHING:
            bucket = np.uint64(whole) & np.uint64(buckets.firsts.size - 1)
            far = _distance_to_filled(buckets.filled, bucket)
            whole, bucket = whole + np.int64(far), (bucket + far) & np.uint64(buckets.firsts.size - 1)
            entry = buckets.firsts[bucket]
        place = index if buckets.fifo else inside - ONE - index
        priorities[place], nodes[place] = np.float64(whole), entries[entry] & NODE_MASK
        entry = following(buckets, entry)
        index += ONE
        if entry == NOTHING:
            whole += 1
    places[LISTED], places[BEYOND] = index, whole - state[LOW]
    places[ENTERED] = 0 if entry == NOTHING else np.int64(entry) + 1
    if index < inside:
        return False
    for waiting in range(np.uint64(state[WAITING])):
        priorities[index] = number(buckets.outside[waiting << ONE])
        nodes[index] = buckets.outside[(waiting << ONE) + ONE]
        index += ONE
    return True
