"""The entries of a ladder queue: words that are compared one after the other, the least first.

An entry is f, a rank among equal f, a turn among equal ranks, and a node. If all numbers are integers below 2³², an
entry has two words; else three, in which the bits of a float ≥ 0 stand for it: they are in the order of the floats.

    ranked       whole: f · rank, turn · node     real: f, rank, turn · node
    not ranked   whole: f · turn, g · node        real: f, turn, g, and the node with the turn

The rank of `high-g` is the complement of the cost so far. An entry that is not ranked has that cost after its turn,
where it does not affect the order.

A queue of whole entries stores one word of most of them. Each of its buckets is for one f, and the entries of a bucket
are in the order of their turns, as are those of equal rank on its stack:

    ranked       rank · node
    not ranked   g · node
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.compiled.kit import heap
from searchkit.compiled.variants import variants

ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
MOST_WHOLE, WHOLE_END = float(1 << 30), float(1 << 32)
"""A queue of whole numbers is made if all costs of actions are below the first. When it yields an f of that size, it
is converted to one of reals; so entries seldom need numbers from the second on, which do not fit."""


(
    TOP,
    HEAPED,
    FAR,
    LATE,
    FREE,
    USED,
    OPENED,
    CURRENT,
    LIMIT,
    WIDE,
    MOVING,
    PHASE,
    PLACE,
    FLAT,
    GROUPED,
    HIGHEST,
) = range(16)
"""Places in the array of sizes: the numbers of entries on the stack, in the heap, in buckets, and late; the first free
chunk of the pool, and the first chunk that was never used; the open bucket; the f of whole entries on the stack; the
end of the buckets; and whether most late entries lie beyond the buckets of a queue of whole entries.

Then, of a bucket that is being opened (see `searchkit.kernels.queue.opening`): the number of its entries, the present
phase, and the number of entries that are done in it; the word by which they are sorted, its shift that yields the group
of an entry, and its largest value."""
LOWEST, WALK, TAIL = 16, 17, 18
"""Then, of a bucket of whole entries that is being opened: the least rank, the next chunk of its list, and the last
one: see `searchkit.kernels.queue.grouping`."""
SIZES = 19
FAR_AWAY, LAST = 1e18, np.uint64(1 << 62)
"""From the first number on, an f has no bucket of its own; the second is the bucket of all of these."""


class Whole(NamedTuple):
    """A queue of whole entries."""

    stack: Any
    """One word for each entry, all of one f; the last entry comes out next."""
    heap: Any
    """Two words for each entry."""
    pool: Any
    """One word for each entry."""
    late: Any
    """uint32: the f of each entry of the pool that is late."""
    links: Any
    """uint32: for each chunk of the pool the next one of its list."""
    heads: Any
    """uint32: for each bucket, and for late entries, the first chunk of its list."""
    fills: Any
    """uint32: the number of entries in that chunk."""
    marks: Any
    """uint64: a bit for each bucket that is not empty."""
    counts: Any
    """uint32: room for sorting."""
    sizes: Any
    """int64: see `TOP` and the names after it."""
    ends: Any
    """uint64: the first and the last of the late entries while new buckets are chosen."""
    ranked: Any
    fifo: Any


class Real(NamedTuple):
    """A queue of entries of three words: all arrays of entries have three words for each of them."""

    stack: Any
    """In order; the last entry comes out next."""
    heap: Any
    pool: Any
    links: Any
    heads: Any
    fills: Any
    marks: Any
    counts: Any
    sizes: Any
    scale: Any
    """float64: the f at which bucket 1 begins and the number of buckets per unit."""
    ends: Any
    """uint64: the first and the last entry of the bucket that is being opened."""


WORDS = {Whole: 2, Real: 3}
STORED = {Whole: {"stack": 1, "heap": 2, "pool": 1}, Real: {"stack": 3, "heap": 3, "pool": 3}}
"""The number of words of an entry, and of what is stored of it in each array."""
LAST_TURN = 0xFFFFFFFF
"""Turns have 32 bits; when they are used up, the entries of a queue are renumbered."""


@compiled_function
def bits(number: Any) -> Any:
    """Return the bits of a float ≥ 0: they are in the order of the floats."""
    return np.float64(number + 0.0).view(np.uint64)  # −0 becomes 0


@compiled_function
def number(word: Any) -> Any:
    """Return the float of these bits."""
    return np.uint64(word).view(np.float64)


@variants("queue")
def entry_of(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
    """Return the entry of a node. In compiled code only."""


@entry_of.when(Whole)
def _(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
    cost = np.uint64(np.int64(g))
    rank = (LOW - cost if high_g else np.uint64(np.int64(h))) if ranked else turn
    return np.uint64(np.int64(f)) << HALF | rank, (turn if ranked else cost) << HALF | node


@entry_of.when(Real)
def _(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
    last, cost = turn << HALF | node, bits(g)
    rank = ~cost if high_g else bits(h)
    return bits(f), rank if ranked else last, last if ranked else cost


@variants("queue")
def node_of(queue: Any, entry: Any, ranked: Any) -> Any:
    """Return the node of an entry. In compiled code only."""


@node_of.when(Whole)
def _(queue: Any, entry: Any, ranked: Any) -> Any:
    return entry[1] & LOW


@node_of.when(Real)
def _(queue: Any, entry: Any, ranked: Any) -> Any:
    return (entry[2] if ranked else entry[1]) & LOW


@variants("queue")
def f_of(queue: Any, entry: Any) -> Any:
    """Return the f of an entry, as a float. In compiled code only."""


@f_of.when(Whole)
def _(queue: Any, entry: Any) -> Any:
    return np.float64(np.int64(entry[0] >> HALF))


@f_of.when(Real)
def _(queue: Any, entry: Any) -> Any:
    return number(entry[0])


@variants("queue")
def g_of(queue: Any, entry: Any, ranked: Any) -> Any:
    """Return the cost so far of an entry that is ranked by it, or not ranked; as a float. In compiled code only."""


@g_of.when(Whole)
def _(queue: Any, entry: Any, ranked: Any) -> Any:
    return np.float64(np.int64(LOW - (entry[0] & LOW) if ranked else entry[1] >> HALF))


@g_of.when(Real)
def _(queue: Any, entry: Any, ranked: Any) -> Any:
    return number(~entry[1] if ranked else entry[2])


@variants("queue")
def load(queue: Any, words: Any, index: Any) -> Any:
    """Return an entry of an array that stores all its words. In compiled code only."""


@load.when(Whole)
def _(queue: Any, words: Any, index: Any) -> Any:
    place = index * TWO
    return words[place], words[place + ONE]


@load.when(Real)
def _(queue: Any, words: Any, index: Any) -> Any:
    place = index * THREE
    return words[place], words[place + ONE], words[place + TWO]


@variants("queue")
def store(queue: Any, words: Any, index: Any, entry: Any) -> None:
    """Write an entry into an array that stores all its words. In compiled code only."""


@store.when(Whole)
def _(queue: Any, words: Any, index: Any, entry: Any) -> None:
    place = index * TWO
    words[place], words[place + ONE] = entry


@store.when(Real)
def _(queue: Any, words: Any, index: Any, entry: Any) -> None:
    place = index * THREE
    words[place], words[place + ONE], words[place + TWO] = entry


@variants("queue")
def is_before(queue: Any, one: Any, other: Any) -> Any:
    """Whether an entry comes out before another. In compiled code only."""


@is_before.when(Whole)
def _(queue: Any, one: Any, other: Any) -> Any:
    return one[0] < other[0] or (one[0] == other[0] and one[1] < other[1])


@is_before.when(Real)
def _(queue: Any, one: Any, other: Any) -> Any:
    if one[0] != other[0]:
        return one[0] < other[0]
    return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2])


@heap.load.when(Whole | Real)
def _(queue: Any, index: Any) -> Any:
    return load(queue, queue.heap, index)


@heap.store.when(Whole | Real)
def _(queue: Any, index: Any, entry: Any) -> None:
    store(queue, queue.heap, index, entry)


@heap.is_before.when(Whole | Real)
def _(queue: Any, one: Any, other: Any) -> Any:
    return is_before(queue, one, other)


@compiled_function
def packed(queue: Any, entry: Any) -> Any:
    """Return the word that is stored of a whole entry whose f and turn follow from its place."""
    return (entry[0] & LOW) << HALF | entry[1] & LOW if queue.ranked else entry[1]


@compiled_function
def unpacked(queue: Any, word: Any, f: Any) -> Any:
    """Return the whole entry of a word that is stored; its turn is 0."""
    f = np.uint64(f) << HALF
    return (f | word >> HALF, word & LOW) if queue.ranked else (f, word)


@variants("queue")
def upcoming(queue: Any, depth: Any, ranked: Any) -> Any:
    """Return the node of the entry on the stack that is at a depth, at least 1. In compiled code only."""


@upcoming.when(Whole)
def _(queue: Any, depth: Any, ranked: Any) -> Any:
    return queue.stack[np.uint64(queue.sizes[TOP]) - depth] & LOW


@upcoming.when(Real)
def _(queue: Any, depth: Any, ranked: Any) -> Any:
    return node_of(queue, load(queue, queue.stack, np.uint64(queue.sizes[TOP]) - depth), ranked)


@variants("queue")
def load_far(queue: Any, place: Any) -> Any:
    """Return a late entry of the pool, or any entry of reals there. In compiled code only."""


@load_far.when(Whole)
def _(queue: Any, place: Any) -> Any:
    return unpacked(queue, queue.pool[place], queue.late[place])


@load_far.when(Real)
def _(queue: Any, place: Any) -> Any:
    return load(queue, queue.pool, place)


@variants("queue")
def store_far(queue: Any, place: Any, entry: Any, late: Any) -> None:
    """Write an entry into the pool. In compiled code only."""


@store_far.when(Whole)
def _(queue: Any, place: Any, entry: Any, late: Any) -> None:
    queue.pool[place] = packed(queue, entry)
    if late:
        queue.late[place] = np.uint32(entry[0] >> HALF)


@store_far.when(Real)
def _(queue: Any, place: Any, entry: Any, late: Any) -> None:
    store(queue, queue.pool, place, entry)


@variants("queue")
def bucket_of(queue: Any, entry: Any) -> Any:
    """Return the number of the bucket of an entry, at least 1. In compiled code only."""


@bucket_of.when(Whole)
def _(queue: Any, entry: Any) -> Any:
    return (entry[0] >> HALF) + ONE


@bucket_of.when(Real)
def _(queue: Any, entry: Any) -> Any:
    place = (number(entry[0]) - queue.scale[0]) * queue.scale[1]
    return np.uint64(np.int64(max(place, 0.0))) + ONE if place < FAR_AWAY else LAST
