"""The frontier of best-first kernels: a ladder queue (Tang, Goh and Thng 2005), in which most entries are moved twice.

Entries that come out soon are *near*: on a stack or, if an entry would have to go deep into the stack, in a heap. The
others are *far*: in buckets by f, which are lists in the order in which entries were added (Dial 1969). When a bucket
is opened, its entries go to the stack in groups, and a group is sorted when it comes to the top. Entries that are too
far away for any bucket are *late*: in one more list, until all others have come out; then new buckets are made that
hold all of them. So costs may be any numbers.

An entry is f, a rank among equal f, its place in the order among equal ranks, and a node. Entries come out in the total
order of these numbers, whatever is pushed when: an entry that is before the open bucket is near. An entry is three
words; f, g and h are in them as the bits of floats ≥ 0, which are in the order of the floats:

    ranked       f, rank, order · node
    not ranked   f, order · node, g

The rank of `high-g` is the complement of the cost so far, g; that of `low-h` is h.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel, sub_kernel
from searchkit.compiled.inlining import lowest_bit
from searchkit.compiled.kit import heap
from searchkit.compiled.kit.arrays import ample

ZERO, ONE, TWO, SIX = (np.uint64(number) for number in (0, 1, 2, 6))
WORDS = np.uint64(3)
"""The number of words of an entry."""
HALF, LOW, LOW_SIX = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(63)
UNRANKED, HIGH_G, LOW_H = range(3)
"""What entries of equal f are ordered by, before the order in which they were added."""
BUCKETS = 2048
ROUND = np.uint64(BUCKETS - 1)
LAST_MARK = np.uint64(BUCKETS // 64 - 1)
LATE_LIST = np.uint64(BUCKETS)
"""The place of the list of late entries, after those of the buckets."""
CHUNK = np.uint64(8)
"""Lists consist of chunks of so many entries, of which the last may be partly filled. So following a list takes few
jumps in memory."""
END = np.uint32(0xFFFFFFFF)
DEEP = np.uint64(16)
"""How deep an entry is inserted into the stack; deeper entries go to the heap."""
GROUPS = 8192
"""The most groups of a bucket."""
AT_ONCE = np.uint64(32)
"""At least so many entries are sorted at a time."""
MOST_MOVES = 32
"""How far entries of a group are moved on average while it is sorted; if it is more, the group goes to the heap."""
TURNS = 1 << 31
"""The most entries that are ever added to a queue: their places in the order are TURNS − turn, or TURNS + turn."""
FAR_AWAY, LAST = 1e18, np.uint64(1 << 62)
"""From the first number on, an f has no bucket of its own; the second is the bucket of all of these."""
TOP, SORTED, GROUP, HEAPED, FAR, LATE, FREE, USED, OPENED, LIMIT, SIZES = range(11)
"""Places in the array of sizes: the number of entries on the stack; where the sorted ones begin, and the next group
below them; the numbers of entries in the heap, in buckets, and late; the first free chunk of the pool, and the first
one that was never used; the open bucket, and the end of the buckets."""
PASS, LIST, AT, COUNT, LEAST, LEAST_NEXT, MOST, MOST_NEXT, BY, HIGHEST, SHIFT, LAST_GROUP, PLACES = range(13)
"""Places in the array of a bucket that is being opened: the pass, 0 if none is; the list, and the chunk or the entry to
be looked at next; the number of entries; the bounds of their first and of their second words; which of the two makes
the groups, the highest one, how many bits of the distance from it are dropped, and the last group."""
COPYING, COUNTING, MOVING, DEALING = (np.uint64(number) for number in (1, 2, 3, 4))
AT_A_TIME = np.uint64(1 << 15)
"""About so many entries are looked at in a piece of a pass, so that a search can stop between two."""
FIRST_CAPACITY = 1 << 12
NO_CHUNKS, FULL_CHUNKS = np.full(BUCKETS + 1, END), np.full(BUCKETS + 1, CHUNK, np.uint32)
"""What `heads` and `fills` of an empty queue are."""


class Queue(NamedTuple):
    """The arrays of a queue. An entry of an array of words takes `WORDS` of them."""

    stack: Any
    """The last entry comes out first."""
    heap: Any
    pool: Any
    """The chunks of the lists."""
    links: Any
    """uint32: for each chunk the next one of its list."""
    heads: Any
    """uint32: for each list its first chunk, or `END`."""
    tails: Any
    """uint32: its last chunk."""
    fills: Any
    """uint32: the number of entries in that chunk; `CHUNK` for an empty list."""
    marks: Any
    """uint64: a bit for each bucket that is not empty."""
    ends: Any
    """uint32: where each group on the stack ends."""
    sizes: Any
    """int64: see `TOP`."""
    opening: Any
    """uint64: see `PASS`."""
    scale: Any
    """float64: the f at which bucket 1 begins, the number of buckets per unit, and the largest such number."""
    rank: Any
    fifo: Any
    """Whether, of otherwise equal entries, the oldest mostly comes out first; else the newest."""


@compiled_function
def bits(number: Any) -> Any:
    """Return the bits of a float ≥ 0: they are in the order of the floats."""
    return np.float64(number + 0.0).view(np.uint64)  # −0 becomes 0


@compiled_function
def number(word: Any) -> Any:
    """Return the float of these bits."""
    return np.uint64(word).view(np.float64)


@compiled_function
def entry_of(queue: Any, f: Any, value: Any, order: Any, node: Any) -> Any:
    """Return the entry of a node; `value` is h with the rank `low-h`, else g."""
    last, value = order << HALF | node, bits(value)
    if queue.rank == UNRANKED:
        return bits(f), last, value
    return bits(f), ~value if queue.rank == HIGH_G else value, last


@compiled_function
def f_of(queue: Any, entry: Any) -> Any:
    """Return the f of an entry."""
    return number(entry[0])


@compiled_function
def value_of(queue: Any, entry: Any) -> Any:
    """Return h of an entry with the rank `low-h`, else g."""
    if queue.rank == UNRANKED:
        return number(entry[2])
    return number(~entry[1] if queue.rank == HIGH_G else entry[1])


@compiled_function
def order_and_node_of(queue: Any, entry: Any) -> Any:
    """Return the order of an entry in the upper half of a word, and its node in the lower."""
    return entry[1] if queue.rank == UNRANKED else entry[2]


@compiled_function
def node_of(queue: Any, entry: Any) -> Any:
    """Return the node of an entry."""
    return order_and_node_of(queue, entry) & LOW


@compiled_function
def load(words: Any, index: Any) -> Any:
    """Return an entry of an array."""
    place = index * WORDS
    return words[place], words[place + ONE], words[place + TWO]


@compiled_function
def store(words: Any, index: Any, entry: Any) -> None:
    """Write an entry into an array."""
    place = index * WORDS
    words[place], words[place + ONE], words[place + TWO] = entry


@heap.load.when(Queue)
def _(queue: Any, index: Any) -> Any:
    return load(queue.heap, index)


@heap.store.when(Queue)
def _(queue: Any, index: Any, entry: Any) -> None:
    store(queue.heap, index, entry)


@compiled_function
def waiting(queue: Any) -> Any:
    """Return the number of entries."""
    sizes = queue.sizes
    return sizes[TOP] + sizes[HEAPED] + sizes[FAR] + sizes[LATE]


@compiled_function
def is_near(queue: Any) -> Any:
    """Whether the first entry can be read. If not, and there are entries, call `open_bucket`."""
    return queue.sizes[TOP] + queue.sizes[HEAPED] > 0


@compiled_function
def first(queue: Any) -> Any:
    """Return the first entry, and whether it is on the stack. There must be a near entry."""
    top = np.uint64(queue.sizes[TOP])
    if top == ZERO:
        return load(queue.heap, ZERO), False
    entry = load(queue.stack, top - ONE)
    if queue.sizes[HEAPED] > 0:
        rival = load(queue.heap, ZERO)
        if rival < entry:
            return rival, False
    return entry, True


@compiled_function
def drop(queue: Any, stacked: Any) -> None:
    """Remove the first entry; `stacked` says whether it is on the stack."""
    sizes = queue.sizes
    if stacked:
        sizes[TOP] -= 1
        if sizes[TOP] == sizes[SORTED] and sizes[TOP] > 0:
            _sort_group(queue)
    else:
        sizes[HEAPED] = heap.pop(queue, sizes[HEAPED])


@compiled_function
def push(queue: Any, entry: Any) -> None:
    """Add an entry. There must be room for one more."""
    place = (f_of(queue, entry) - queue.scale[0]) * queue.scale[1]
    bucket = np.uint64(np.int64(max(place, 0.0))) + ONE if place < FAR_AWAY else LAST
    if bucket <= np.uint64(queue.sizes[OPENED]):
        _insert(queue, entry)
    else:
        _append(queue, entry, bucket)


@compiled_function
def _insert(queue: Any, entry: Any) -> None:
    """Insert an entry into the sorted part of the stack, where it is mostly the first; or push it onto the heap."""
    stack, sizes, top = queue.stack, queue.sizes, np.uint64(queue.sizes[TOP])
    place, deepest = top, max(top - min(top, DEEP), np.uint64(sizes[SORTED]))
    while place > deepest and load(stack, place - ONE) < entry:
        place -= ONE
    # Below the sorted part, there may be entries before this one.
    is_sorted = place > np.uint64(sizes[SORTED])
    if place == deepest and place > ZERO and not (is_sorted and entry < load(stack, place - ONE)):
        sizes[HEAPED] = heap.push(queue, sizes[HEAPED], entry)
        return
    while top > place:
        store(stack, top, load(stack, top - ONE))
        top -= ONE
    store(stack, place, entry)
    sizes[TOP] += 1


@compiled_function
def _append(queue: Any, entry: Any, bucket: Any) -> None:
    """Append an entry to the list of a bucket, or to that of late entries."""
    sizes, index = queue.sizes, LATE_LIST
    if bucket < np.uint64(sizes[LIMIT]):
        index = bucket & ROUND
        queue.marks[index >> SIX] |= ONE << (index & LOW_SIX)
        sizes[FAR] += 1
    else:
        sizes[LATE] += 1
    chunk, filled = np.uint64(queue.tails[index]), np.uint64(queue.fills[index])
    if filled == CHUNK:
        tail, chunk, filled = chunk, np.uint64(sizes[FREE]), ZERO
        if chunk != np.uint64(END):
            sizes[FREE] = queue.links[chunk]
        else:
            chunk = np.uint64(sizes[USED])
            sizes[USED] += 1
        if queue.heads[index] == END:
            queue.heads[index] = np.uint32(chunk)
        else:
            queue.links[tail] = np.uint32(chunk)
        queue.tails[index] = np.uint32(chunk)
    store(queue.pool, chunk * CHUNK + filled, entry)
    queue.fills[index] = np.uint32(filled + ONE)


@sub_kernel
def open_bucket(queue: Any) -> Any:
    """Move the entries of the next bucket to the stack, which is empty, as is the heap; return how many were looked at.

    A list of several chunks takes three passes: copy the entries to the array of the heap, count those of each group,
    and move them. Of a long list, a call does a part; until all is done, the entries are in the list for all others. If
    all entries are late, they are copied, and then dealt to new buckets.
    """
    looked = _open_part(queue)
    while queue.opening[PASS] != ZERO and looked < np.int64(AT_A_TIME):
        looked += _open_part(queue)
    return looked


@compiled_function
def _open_part(queue: Any) -> Any:
    """Begin to open a bucket, or do a part of a pass; return how many entries were looked at."""
    sizes, stack, opening, ends = queue.sizes, queue.stack, queue.opening, queue.ends
    if opening[PASS] == ZERO:
        index = _next_bucket(queue) if sizes[FAR] > 0 else LATE_LIST
        _begin_list(queue, index)
        if index != LATE_LIST and queue.heads[index] == queue.tails[index]:
            count = np.uint64(queue.fills[index])
            for place in range(count):
                entry = load(queue.pool, opening[AT] * CHUNK + place)
                store(stack, count - ONE - place if queue.fifo else place, entry)
            ends[ZERO] = count
            _end_opening(queue, count, ZERO)
            return np.int64(count)
    if opening[PASS] == COPYING:
        return _copy(queue)
    if opening[PASS] == DEALING:
        return _deal(queue)
    begin, count, by = opening[AT], opening[COUNT], opening[BY]
    end = min(begin + AT_A_TIME, count)
    highest, shift, last = opening[HIGHEST], opening[SHIFT], opening[LAST_GROUP]
    if opening[PASS] == COUNTING:
        for index in range(begin, end):
            ends[(highest - load(queue.heap, index)[by]) >> shift] += np.uint32(1)
    else:
        for index in range(begin, end):
            entry = load(queue.heap, count - ONE - index if queue.fifo else index)
            group = (highest - entry[by]) >> shift
            store(stack, np.uint64(ends[group]), entry)
            ends[group] += np.uint32(1)
    opening[AT] = end
    if end == count and opening[PASS] == COUNTING:
        total = np.uint32(0)
        for group in range(last + ONE):
            size = ends[group]
            ends[group] = total
            total += size
        opening[PASS], opening[AT] = MOVING, ZERO
    elif end == count:
        _end_opening(queue, count, last)
    return np.int64(end - begin)


@compiled_function
def _begin_list(queue: Any, index: Any) -> None:
    """Begin to copy a list."""
    opening = queue.opening
    opening[PASS], opening[LIST], opening[AT], opening[COUNT] = COPYING, index, queue.heads[index], ZERO
    opening[LEAST], opening[LEAST_NEXT], opening[MOST], opening[MOST_NEXT] = ~ZERO, ~ZERO, ZERO, ZERO


@compiled_function
def _copy(queue: Any) -> Any:
    """Copy a part of the list, the oldest entry first, and find bounds; after the last part, choose the groups."""
    opening, links, index = queue.opening, queue.links, queue.opening[LIST]
    chunk, tail, begun = opening[AT], np.uint64(queue.tails[index]), opening[COUNT]
    least, most = (opening[LEAST], opening[LEAST_NEXT]), (opening[MOST], opening[MOST_NEXT])
    count, is_complete = begun, False
    while count < begun + AT_A_TIME and not is_complete:
        is_complete = chunk == tail
        filled = np.uint64(queue.fills[index]) if is_complete else CHUNK
        for offset in range(filled):
            entry = load(queue.pool, chunk * CHUNK + offset)
            store(queue.heap, count + offset, entry)
            least = min(least[0], entry[0]), min(least[1], entry[1])
            most = max(most[0], entry[0]), max(most[1], entry[1])
        count += filled
        chunk = np.uint64(links[chunk])
    opening[AT], opening[COUNT] = chunk, count
    opening[LEAST], opening[LEAST_NEXT] = least
    opening[MOST], opening[MOST_NEXT] = most
    if is_complete and index == LATE_LIST:
        _make_buckets(queue)
    elif is_complete:
        by = ZERO if least[0] != most[0] or queue.rank == UNRANKED else ONE
        shift, span = ZERO, most[by] - least[by]
        while span >> shift >= min(TWO * count, np.uint64(GROUPS)):
            shift += ONE
        opening[BY], opening[HIGHEST] = by, most[by]
        opening[SHIFT], opening[LAST_GROUP] = shift, span >> shift
        opening[PASS], opening[AT] = COUNTING, ZERO
        for group in range(opening[LAST_GROUP] + ONE):
            queue.ends[group] = 0
    return np.int64(count - begun)


@compiled_function
def _drop_list(queue: Any) -> None:
    """Empty the list, whose entries are elsewhere now."""
    sizes, index = queue.sizes, queue.opening[LIST]
    queue.links[queue.tails[index]] = np.uint32(sizes[FREE])
    sizes[FREE] = queue.heads[index]
    queue.heads[index], queue.fills[index], queue.opening[PASS] = END, np.uint32(CHUNK), ZERO


@compiled_function
def _end_opening(queue: Any, count: Any, last_group: Any) -> None:
    """Let the entries on the stack count, and sort those at the top."""
    sizes = queue.sizes
    _drop_list(queue)
    sizes[FAR] -= np.int64(count)
    sizes[TOP], sizes[SORTED], sizes[GROUP] = count, count, last_group
    _sort_group(queue)


@sub_kernel
def _sort_group(queue: Any) -> None:
    """Sort some groups at the top of the stack, where no entry is sorted; or push them onto the heap, and sort others.

    Groups are sorted by insertion, as they are nearly in order.
    """
    sizes, stack = queue.sizes, queue.stack
    while sizes[TOP] == sizes[SORTED] and sizes[TOP] > 0:
        end, group = np.uint64(sizes[TOP]), np.uint64(sizes[GROUP])
        while group > ZERO and np.uint64(queue.ends[group - ONE]) + AT_ONCE > end:
            group -= ONE
        begin = np.uint64(queue.ends[group - ONE]) if group > ZERO else ZERO
        sizes[GROUP], sizes[SORTED] = np.int64(group) - 1, begin
        moves, most = np.int64(0), MOST_MOVES * np.int64(end - begin)
        for index in range(begin + ONE, end):
            entry = load(stack, index)
            place: Any = index
            while place > begin and load(stack, place - ONE) < entry:
                store(stack, place, load(stack, place - ONE))
                place -= ONE
            if place != index:
                store(stack, place, entry)
                moves += np.int64(index - place)
                if moves > most:
                    break
        if moves > most:
            for index in range(begin, end):
                sizes[HEAPED] = heap.push(queue, sizes[HEAPED], load(stack, index))
            sizes[TOP] = begin


@compiled_function
def _next_bucket(queue: Any) -> Any:
    """Choose the next bucket that is not empty; return the place of its list."""
    sizes = queue.sizes
    bucket = np.uint64(sizes[OPENED]) + ONE
    word = (bucket & ROUND) >> SIX
    ahead = queue.marks[word] >> (bucket & LOW_SIX)
    if ahead == ZERO:
        bucket = (bucket | LOW_SIX) + ONE
        word = (word + ONE) & LAST_MARK
        while queue.marks[word] == ZERO:
            bucket += LOW_SIX + ONE
            word = (word + ONE) & LAST_MARK
        ahead = queue.marks[word]
    bucket += lowest_bit(ahead)
    sizes[OPENED] = bucket
    if sizes[LATE] == 0:  # else the end stays where it is: no late entry may be before one in a bucket
        sizes[LIMIT] = bucket + np.uint64(BUCKETS)
    index = bucket & ROUND
    queue.marks[index >> SIX] &= ~(ONE << (index & LOW_SIX))
    return index


@compiled_function
def _make_buckets(queue: Any) -> None:
    """Choose new buckets, of which half hold all late entries."""
    sizes, scale, opening = queue.sizes, queue.scale, queue.opening
    least = number(opening[LEAST])
    spread = number(opening[MOST]) - least
    scale[0], scale[1] = least, BUCKETS / 2 / spread if spread * scale[2] > BUCKETS / 2 else scale[2]
    sizes[OPENED], sizes[LIMIT], opening[PASS] = 0, BUCKETS, DEALING


@compiled_function
def _deal(queue: Any) -> Any:
    """Move some late entries to their buckets, one chunk after the other; return how many."""
    sizes, heads, begun = queue.sizes, queue.heads, queue.sizes[LATE]
    while sizes[LATE] > 0 and begun - sizes[LATE] < np.int64(AT_A_TIME):
        chunk = np.uint64(heads[LATE_LIST])
        is_last = chunk == np.uint64(queue.tails[LATE_LIST])
        filled = np.uint64(queue.fills[LATE_LIST]) if is_last else CHUNK
        for offset in range(filled):
            push(queue, load(queue.pool, chunk * CHUNK + offset))
        heads[LATE_LIST], queue.links[chunk], sizes[FREE] = queue.links[chunk], np.uint32(sizes[FREE]), chunk
        sizes[LATE] -= np.int64(filled)
    if sizes[LATE] == 0:
        heads[LATE_LIST], queue.fills[LATE_LIST], queue.opening[PASS] = END, np.uint32(CHUNK), ZERO
    return begun - sizes[LATE]


@kernel
def push_all(queue: Any, f: Any, values: Any, orders_and_nodes: Any) -> None:
    """Add entries, for which there is room."""
    for index in range(np.uint64(f.size)):
        word = orders_and_nodes[index]
        push(queue, entry_of(queue, f[index], values[index], word >> HALF, word & LOW))


@compiled_function
def _list(queue: Any, place: Any, entry: Any, f: Any, values: Any, orders_and_nodes: Any) -> None:
    if 0 <= place < f.size:
        f[place], values[place] = f_of(queue, entry), value_of(queue, entry)
        orders_and_nodes[place] = order_and_node_of(queue, entry)


@kernel
def list_entries(queue: Any, first: Any, f: Any, values: Any, orders_and_nodes: Any) -> None:
    """Write as many entries as arrays have room for into them, after the `first` ones of some order."""
    sizes, place = queue.sizes, -np.int64(first)
    for index in range(np.uint64(sizes[TOP])):
        _list(queue, place, load(queue.stack, index), f, values, orders_and_nodes)
        place += 1
    for index in range(np.uint64(sizes[HEAPED])):
        _list(queue, place, load(queue.heap, index), f, values, orders_and_nodes)
        place += 1
    for bucket in range(np.uint64(queue.heads.size)):
        chunk, tail = np.uint64(queue.heads[bucket]), np.uint64(queue.tails[bucket])
        while chunk != np.uint64(END):
            filled = np.uint64(queue.fills[bucket]) if chunk == tail else CHUNK
            for offset in range(filled):
                _list(queue, place, load(queue.pool, chunk * CHUNK + offset), f, values, orders_and_nodes)
                place += 1
            chunk = np.uint64(END) if chunk == tail else np.uint64(queue.links[chunk])


class Frontier:
    """A ladder queue as a run holds it.

    Args:
        rank: what entries of equal f are ordered by, before the order in which they were added.
        fifo: whether the oldest of otherwise equal entries mostly comes out first; else the newest.
        whole: whether costs and heuristic values are integers, so that a bucket need not be smaller than 1.
        capacity: for how many entries there is room.

    """

    def __init__(self, rank: int, fifo: bool, whole: bool, capacity: int = FIRST_CAPACITY):
        self.rank, self.fifo, self.whole, self.capacity = rank, fifo, whole, capacity
        chunks = capacity // int(CHUNK) + BUCKETS + 2  # a chunk of each list may be nearly empty
        words = int(WORDS)
        self.arrays = Queue(
            np.empty(capacity * words, np.uint64),
            np.empty(capacity * words, np.uint64),
            np.empty(chunks * int(CHUNK) * words, np.uint64),
            np.empty(chunks, np.uint32),
            NO_CHUNKS.copy(),
            np.empty(BUCKETS + 1, np.uint32),
            FULL_CHUNKS.copy(),
            np.zeros(BUCKETS // 64, np.uint64),
            np.empty(GROUPS, np.uint32),
            np.zeros(SIZES, np.int64),
            np.zeros(PLACES, np.uint64),
            np.array([0.0, 1.0, 1.0 if whole else 1e280]),
            rank,
            fifo,
        )
        self.arrays.sizes[FREE] = END

    def __len__(self) -> int:
        sizes = self.arrays.sizes.tolist()
        return int(sizes[TOP] + sizes[HEAPED] + sizes[FAR] + sizes[LATE])

    def entries(self, first: int, end: int) -> tuple[Any, Any, Any]:
        """Return entries of some order, from a place on, up to another: f, g or h, and the order · node of each."""
        count = min(end, len(self)) - first
        f, values, last = np.empty(count), np.empty(count), np.empty(count, np.uint64)
        list_entries(self.arrays, first, f, values, last)
        return f, values, last

    def add(self, f: Any, values: Any, orders_and_nodes: Any) -> None:
        """Add entries, in any order."""
        room = len(self) + len(f)
        if room > self.capacity:
            self.grow(room)
        push_all(self.arrays, f, values, orders_and_nodes)

    @property
    def nbytes(self) -> int:
        """The bytes of a copy of what is used."""
        sizes = self.arrays.sizes
        return (int(sizes[TOP] + sizes[HEAPED]) + int(sizes[USED]) * int(CHUNK)) * int(WORDS) * 8

    def grow(self, room: int) -> None:
        """Make room for so many entries."""
        old, words = self.arrays, int(WORDS)
        new = type(self)(self.rank, self.fifo, self.whole, ample(room, 3 * words * 8))
        self.arrays, self.capacity = new.arrays, new.capacity
        used = {"stack": old.sizes[TOP], "heap": old.sizes[HEAPED], "pool": old.sizes[USED] * int(CHUNK)}
        for name, count in used.items():
            getattr(self.arrays, name)[: count * words] = getattr(old, name)[: count * words]
        self.arrays.links[: old.sizes[USED]] = old.links[: old.sizes[USED]]
        for name in ("heads", "tails", "fills", "marks", "ends", "sizes", "scale"):
            getattr(self.arrays, name)[:] = getattr(old, name)
