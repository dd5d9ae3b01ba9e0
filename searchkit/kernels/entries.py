"""What waits in a queue: words that are compared one after the other, the least first.

An entry is f, a rank among equal f, a turn among equal ranks, and a node. Where all numbers are integers below 2³²
these are two words; else three, in which a float ≥ 0 stands as its bits, which are in its order.

    ranked       whole: f · rank, turn · node     real: f, rank, turn · node
    not ranked   whole: f · turn, g · node        real: f, turn, g, and the node with the turn

The rank of `high-g` is the complement of the cost so far. An entry that is not ranked has that cost after its turn,
where it does not count.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import chosen_for, compiled_function

ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
MOST_WHOLE, WHOLE_END = float(1 << 30), float(1 << 32)
"""A queue of whole numbers is for costs of actions below the first. Where an f of that size comes out, it becomes one
of reals, so that what is pushed is seldom too large: numbers from the second on don't fit into its entries."""


TOP, HEAPED, FAR, LATE, FREE, USED, OPENED, SHIFT, LIMIT, MOVING, PHASE, PLACE, FLAT, GROUPED, HIGHEST = (
    range(15)
)
"""Places in the array of sizes: how many entries are on the stack, in the heap, in buckets, and too far away for these;
the first free chunk of the pool, and the first that was never used; the bucket that is open; how far a whole first word
is shifted to tell its bucket; and the first bucket that there is not.

Then of a bucket that is being opened (see `searchkit.kernels.queues`): how many of its entries are on their way, what
is being done with them, and with how many it is done; by which word they are sorted, how far that is shifted to tell
the group of an entry, and the largest."""
SIZES = 15
FAR_AWAY, LAST = 1e18, np.uint64(1 << 62)
"""From here on, places are no numbers of buckets; the bucket that stands for all of these."""


class Whole(NamedTuple):
    """A queue of entries of two words."""

    stack: Any
    """In order, the one that comes out next last."""
    heap: Any
    pool: Any
    links: Any
    """uint32: for each chunk of the pool the next one of its list."""
    heads: Any
    """uint32: for each bucket, and for what is late, the first chunk of its list."""
    fills: Any
    """uint32: how many entries are in that chunk."""
    marks: Any
    """uint64: a bit for each bucket that is not empty."""
    counts: Any
    """uint32: room for sorting."""
    sizes: Any
    """int64: see `TOP` and those after it."""
    scale: Any
    """float64: where bucket 1 begins and how many there are to a unit, for reals."""
    ends: Any
    """uint64: the first and the last entry of a bucket that is being opened."""


class Real(NamedTuple):
    """A queue of entries of three words."""

    stack: Any
    heap: Any
    pool: Any
    links: Any
    heads: Any
    fills: Any
    marks: Any
    counts: Any
    sizes: Any
    scale: Any
    ends: Any


WORDS = {Whole: 2, Real: 3}
LAST_TURN = 0xFFFFFFFF
"""Turns are 32 bits; when they are used up, the entries of a queue are numbered anew."""


@compiled_function
def bits(number: Any) -> Any:
    """Return the bits of a float ≥ 0, which are in its order."""
    return np.float64(number + 0.0).view(np.uint64)  # −0 becomes 0


@compiled_function
def number(word: Any) -> Any:
    """Return the float of these bits."""
    return np.uint64(word).view(np.float64)


def entry_of(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
    """Return the entry of a node. For kernels only."""
    raise TypeError("searchkit.kernels.entries.entry_of is called by compiled code only")


@chosen_for(entry_of)
def _entry_of(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
    if queue.instance_class is Whole:

        def whole(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
            cost = np.uint64(np.int64(g))
            rank = (LOW - cost if high_g else np.uint64(np.int64(h))) if ranked else turn
            return np.uint64(np.int64(f)) << HALF | rank, (turn if ranked else cost) << HALF | node

        return whole

    def real(queue: Any, f: Any, g: Any, h: Any, turn: Any, node: Any, ranked: Any, high_g: Any) -> Any:
        last, cost = turn << HALF | node, bits(g)
        rank = ~cost if high_g else bits(h)
        return bits(f), rank if ranked else last, last if ranked else cost

    return real


def node_of(queue: Any, entry: Any, ranked: Any) -> Any:
    """Return the node of an entry. For kernels only."""
    raise TypeError("searchkit.kernels.entries.node_of is called by compiled code only")


@chosen_for(node_of)
def _node_of(queue: Any, entry: Any, ranked: Any) -> Any:
    if queue.instance_class is Whole:
        return lambda queue, entry, ranked: entry[1] & LOW
    return lambda queue, entry, ranked: (entry[2] if ranked else entry[1]) & LOW


def f_of(queue: Any, entry: Any) -> Any:
    """Return the f of an entry, as a float. For kernels only."""
    raise TypeError("searchkit.kernels.entries.f_of is called by compiled code only")


@chosen_for(f_of)
def _f_of(queue: Any, entry: Any) -> Any:
    if queue.instance_class is Whole:
        return lambda queue, entry: np.float64(np.int64(entry[0] >> HALF))
    return lambda queue, entry: number(entry[0])


def g_of(queue: Any, entry: Any, ranked: Any) -> Any:
    """Return the cost so far of an entry that is not ranked, or by that cost; as a float. For kernels only."""
    raise TypeError("searchkit.kernels.entries.g_of is called by compiled code only")


@chosen_for(g_of)
def _g_of(queue: Any, entry: Any, ranked: Any) -> Any:
    if queue.instance_class is Whole:

        def whole(queue: Any, entry: Any, ranked: Any) -> Any:
            return np.float64(np.int64(LOW - (entry[0] & LOW) if ranked else entry[1] >> HALF))

        return whole

    return lambda queue, entry, ranked: number(~entry[1] if ranked else entry[2])


def load(queue: Any, words: Any, index: Any) -> Any:
    """Return an entry of an array. For kernels only."""
    raise TypeError("searchkit.kernels.entries.load is called by compiled code only")


@chosen_for(load)
def _load(queue: Any, words: Any, index: Any) -> Any:
    if queue.instance_class is Whole:

        def whole(queue: Any, words: Any, index: Any) -> Any:
            place = index * TWO
            return words[place], words[place + ONE]

        return whole

    def real(queue: Any, words: Any, index: Any) -> Any:
        place = index * THREE
        return words[place], words[place + ONE], words[place + TWO]

    return real


def store(queue: Any, words: Any, index: Any, entry: Any) -> Any:
    """Write an entry into an array. For kernels only."""
    raise TypeError("searchkit.kernels.entries.store is called by compiled code only")


@chosen_for(store)
def _store(queue: Any, words: Any, index: Any, entry: Any) -> Any:
    if queue.instance_class is Whole:

        def whole(queue: Any, words: Any, index: Any, entry: Any) -> Any:
            place = index * TWO
            words[place], words[place + ONE] = entry

        return whole

    def real(queue: Any, words: Any, index: Any, entry: Any) -> Any:
        place = index * THREE
        words[place], words[place + ONE], words[place + TWO] = entry

    return real


def before(one: Any, other: Any) -> Any:
    """Whether an entry comes out before another. For kernels only."""
    raise TypeError("searchkit.kernels.entries.before is called by compiled code only")


@chosen_for(before)
def _before(one: Any, other: Any) -> Any:
    if len(one) == WORDS[Whole]:

        def two(one: Any, other: Any) -> Any:
            return one[0] < other[0] or (one[0] == other[0] and one[1] < other[1])

        return two

    def three(one: Any, other: Any) -> Any:
        if one[0] != other[0]:
            return one[0] < other[0]
        return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2])

    return three


def spread_of(queue: Any, entry: Any, flat: Any) -> Any:
    """Return the word that entries of one bucket are sorted by: the first, or among equal ones (`flat`) the second."""
    raise TypeError("searchkit.kernels.entries.spread_of is called by compiled code only")


@chosen_for(spread_of)
def _spread_of(queue: Any, entry: Any, flat: Any) -> Any:
    if queue.instance_class is Whole:
        return lambda queue, entry, flat: entry[0]
    return lambda queue, entry, flat: entry[1] if flat else entry[0]


def bucket_of(queue: Any, entry: Any) -> Any:
    """Return the number of the bucket of an entry, at least 1. For kernels only."""
    raise TypeError("searchkit.kernels.entries.bucket_of is called by compiled code only")


@chosen_for(bucket_of)
def _bucket_of(queue: Any, entry: Any) -> Any:
    if queue.instance_class is Whole:
        return lambda queue, entry: (entry[0] >> np.uint64(queue.sizes[SHIFT])) + ONE

    def real(queue: Any, entry: Any) -> Any:
        place = (number(entry[0]) - queue.scale[0]) * queue.scale[1]
        return np.uint64(np.int64(max(place, 0.0))) + ONE if place < FAR_AWAY else LAST

    return real
