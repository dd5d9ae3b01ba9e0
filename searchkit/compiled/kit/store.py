"""The records of the states that a kernel has reached, two or three words for each node.

The first word is the cost of the best arrival, as the bits of a float. The second holds the parent, the number of the
parent's successor that the node is, flags, and the stamp of the search that wrote it.

In a dense graph the node is the packed state. In any other graph nodes are numbered in the order in which they are
found, and a table with open addressing maps states to nodes (Knuth, The Art of Computer Programming 3, section 6.4).
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import call_goal, compiled_function, copy_state, kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit.state import are_same, hash_of
from searchkit.compiled.variants import variants

NODE = np.dtype(
    [("g", np.float64), ("stamp", np.uint8), ("flags", np.uint8), ("move", np.uint16), ("parent", np.uint32)]
)
"""A record, as Python reads it. If its stamp is another search's, this search has not reached the node."""
SEEN, CLOSED, GOAL, DEAD = 1, 2, 4, 8
"""Flags: reached; expanded and not reopened; a goal (in dense graphs only); a dead end, and thus not reached."""
FLAGS, MOVE_AT, PARENT_AT, SIXTEEN = np.uint64(8), np.uint64(16), np.uint64(32), np.uint64(0xFFFF)
IS_SEEN, IS_CLOSED, IS_GOAL, IS_DEAD = (np.uint64(flag << 8) for flag in (SEEN, CLOSED, GOAL, DEAD))
"""The flags, at their places in the second word."""
ALL_FLAGS = np.uint64(0xFF00)
STAMP = np.uint64(0xFF)
EMPTY = np.uint32(0xFFFFFFFF)
NOBODY = 0xFFFFFFFF
"""The parent of a start."""
ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
LOAD = 0.75
"""The largest part of the table that may be in use."""
HALF = np.uint64(32)
AHEAD = np.uint64(16)
"""How many nodes ahead a place in the table is prefetched when the table is filled."""
MOST_SLOTS = (1 << 32) - 1
"""The size of the largest table: see `slot_of`."""


class Dense(NamedTuple):
    """Records of a dense graph."""

    words: Any
    """uint64: two for each node."""
    stamp: Any
    """The number of this search, 1 to 255."""


class Hashed(NamedTuple):
    """Records of a graph whose states are hashed."""

    words: Any
    """uint64: three for each node, the third of which is its packed state."""
    slots: Any
    """uint32: node or `EMPTY`; any number of them up to `MOST_SLOTS`."""


class Marks(NamedTuple):
    """Records of a breadth-first search of a stencil: two bytes for each state.

    So the marks of a large map fit into the processor's cache.
    """

    marks: Any
    """uint16: the move by which the state was reached, flags, and the stamp."""
    stamp: Any
    """The number of this search, 1 to 127."""


class Slim(NamedTuple):
    """Records of a stencil: the parent of each state follows from the move."""

    marks: Any
    stamp: Any
    costs: Any
    """float64: the cost of the best arrival."""


MARK_STAMP, MARK_MOVE, SHORTER = np.uint64(0x7F), np.uint64(11), np.uint64(1)
"""In a mark: the bits of the stamp, the first bit of the move, and how much less its flags are shifted than in a
record."""
MARK_FLAGS, ONLY_SEEN, SEEN_MARK = np.uint64(0x780), np.uint64(0x80), np.uint64(0xFF)
NO_MOVE = 31
"""The move of a start. Marks have room for 31 other moves."""


class Wide(NamedTuple):
    """Records of a graph whose states have several words and are hashed."""

    words: Any
    """uint64: two for each node, and the words of its packed state."""
    slots: Any
    width: Any
    """The number of words of a record."""


def keyed_node(words: int) -> Any:
    """Return the type of the record of a node in a hashed graph, with a state of `words` words."""
    return np.dtype([*NODE.descr, ("state", np.uint64, *((words,) if words > 1 else ()))])


def hashed_store(nodes: Any, slots: Any) -> Hashed | Wide:
    """Return the store of an array of such records."""
    words, width = nodes.view(np.uint64), nodes.dtype.itemsize // 8
    return Hashed(words, slots) if width == 3 else Wide(words, slots, np.uint64(width))


@compiled_function
def slot_of(key: Any, size: Any) -> Any:
    """Return the place in a table of `size` slots at which the search for a hash begins (Lemire 2019).

    The size need not be a power of two: near a memory limit, a table grows to what fits.
    """
    return (key >> HALF) * size >> HALF


@compiled_function
def slot_after(place: Any, size: Any) -> Any:
    """Return the next place in a table of `size` slots."""
    place += ONE
    return place if place < size else ZERO


@kernel
def rehash(store: Any, first: Any, end: Any) -> None:
    """Add the nodes from `first` up to `end` to the table; none of them may be in it."""
    size = np.uint64(store.slots.size)
    for node in range(np.uint64(first), np.uint64(end)):
        if node + AHEAD < np.uint64(end):
            prefetch(store.slots, slot_of(hash_of(state_of(store, node + AHEAD)), size))
        place = slot_of(hash_of(state_of(store, node)), size)
        while store.slots[place] != EMPTY:
            place = slot_after(place, size)
        store.slots[place] = np.uint32(node)


@kernel
def find(store: Any, state: Any) -> Any:
    """Return the node of a state, −1 if it has none."""
    size = np.uint64(store.slots.size)
    place = slot_of(hash_of(state), size)
    while store.slots[place] != EMPTY:
        node = np.uint64(store.slots[place])
        if are_same(state_of(store, node), state):
            return np.int64(node)
        place = slot_after(place, size)
    return -1


@kernel
def read_path(words: Any, width: Any, node: Any, path: Any) -> Any:
    """Write the nodes of the path to a node into `path`, the last node first, until it is full.

    Return how many were written, and the parent of the last one written, or `NOBODY`. A record has `width` words.
    """
    count, node = np.int64(0), np.uint64(node)
    while count < path.size and node != np.uint64(NOBODY):
        path[count] = node
        node = words[np.uint64(width) * node + ONE] >> PARENT_AT
        count += 1
    return count, np.int64(node)


@variants("store")
def prefetch_states(graph: Any, store: Any, states: Any, count: Any) -> None:
    """Prefetch the places in the table of the first `count` states of an array. In compiled code only."""


@prefetch_states.when(Hashed | Wide)
def _(graph: Any, store: Any, states: Any, count: Any) -> None:
    size = np.uint64(store.slots.size)
    for index in range(np.uint64(count)):
        prefetch(store.slots, slot_of(hash_of(states[index]), size))


@prefetch_states.when(object)
def _(graph: Any, store: Any, states: Any, count: Any) -> None:
    return None


@variants("store")
def place_of(store: Any, node: Any) -> Any:
    """Return the place where the record of a node begins. In compiled code only."""


@place_of.when(Dense)
def _(store: Any, node: Any) -> Any:
    return TWO * node


@place_of.when(Hashed)
def _(store: Any, node: Any) -> Any:
    return THREE * node


@place_of.when(Wide)
def _(store: Any, node: Any) -> Any:
    return store.width * node


@place_of.when(Marks | Slim)
def _(store: Any, node: Any) -> Any:
    return node


@variants("store")
def locate(store: Any, state: Any, count: Any) -> Any:
    """Return the node of a state; for a new state, `count`, which becomes its node. In compiled code only."""


@locate.when(Hashed | Wide)
def _(store: Any, state: Any, count: Any) -> Any:
    size = np.uint64(store.slots.size)
    place = slot_of(hash_of(state), size)
    while True:
        node = np.uint64(store.slots[place])
        if node == np.uint64(EMPTY):
            store.slots[place] = np.uint32(count)
            node = np.uint64(count)
            store.words[place_of(store, node) + ONE] = ZERO
            write_state(store, node, state)
            return node
        if are_same(state_of(store, node), state):
            return node
        place = slot_after(place, size)


@locate.when(object)
def _(store: Any, state: Any, count: Any) -> Any:
    return state


@variants("store")
def load_word(store: Any, place: Any) -> Any:
    """Return the second word of a record, 0 if this search has not reached the node. In compiled code only."""


@load_word.when(Dense)
def _(store: Any, place: Any) -> Any:
    word = store.words[place + ONE]
    return word if word & STAMP == store.stamp else ZERO


@load_word.when(Hashed | Wide)
def _(store: Any, place: Any) -> Any:
    return store.words[place + ONE]


@load_word.when(Marks | Slim)
def _(store: Any, place: Any) -> Any:
    mark = np.uint64(store.marks[place])
    word = (mark & MARK_FLAGS) << SHORTER | (mark >> MARK_MOVE) << MOVE_AT
    return word if mark & MARK_STAMP == store.stamp else ZERO


@variants("store")
def is_seen(store: Any, place: Any) -> Any:
    """Whether the node of a record was reached. In compiled code only."""


@is_seen.when(Marks | Slim)
def _(store: Any, place: Any) -> Any:
    return np.uint64(store.marks[place]) & SEEN_MARK == store.stamp | ONLY_SEEN


@is_seen.when(object)
def _(store: Any, place: Any) -> Any:
    return load_word(store, place) & IS_SEEN != ZERO


@variants("store")
def cost_of(store: Any, place: Any) -> Any:
    """Return the cost of the arrival in a record. In compiled code only."""


@cost_of.when(Slim)
def _(store: Any, place: Any) -> Any:
    return store.costs[place]


@cost_of.when(object)
def _(store: Any, place: Any) -> Any:
    return np.uint64(store.words[place]).view(np.float64)


@variants("store")
def write_arrival(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    """Write an arrival and its flags into a record. In compiled code only."""


@write_arrival.when(Marks)
def _(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    store.marks[place] = np.uint16(move << MARK_MOVE | flags >> SHORTER | store.stamp)


@write_arrival.when(Slim)
def _(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    store.marks[place] = np.uint16(move << MARK_MOVE | flags >> SHORTER | store.stamp)
    store.costs[place] = cost


@write_arrival.when(object)
def _(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    store.words[place] = np.float64(cost + 0.0).view(np.uint64)  # −0 becomes 0
    store.words[place + ONE] = (
        np.uint64(parent) << PARENT_AT | move << MOVE_AT | flags | np.uint64(stamp_of(store))
    )


@variants("store")
def set_flags(store: Any, place: Any, word: Any, flags: Any) -> None:
    """Replace the flags of a record whose second word is `word`. In compiled code only."""


@set_flags.when(Marks | Slim)
def _(store: Any, place: Any, word: Any, flags: Any) -> None:
    move = ((word >> MOVE_AT) & SIXTEEN) << MARK_MOVE
    store.marks[place] = np.uint16(move | flags >> SHORTER | store.stamp)


@set_flags.when(object)
def _(store: Any, place: Any, word: Any, flags: Any) -> None:
    store.words[place + ONE] = word & ~ALL_FLAGS | flags | np.uint64(stamp_of(store))


@variants("store")
def stamp_of(store: Any) -> Any:
    """Return the stamp of the search. In compiled code only."""


@stamp_of.when(Dense)
def _(store: Any) -> Any:
    return store.stamp


@stamp_of.when(object)
def _(store: Any) -> Any:
    return ZERO


@variants("store", returns_arrays=True)
def state_of(store: Any, node: Any) -> Any:
    """Return the packed state of a node. In compiled code only."""


@state_of.when(Hashed)
def _(store: Any, node: Any) -> Any:
    return store.words[THREE * node + TWO]


@state_of.when(Wide)
def _(store: Any, node: Any) -> Any:
    place = store.width * node
    return store.words[place + TWO : place + store.width]


@state_of.when(object)
def _(store: Any, node: Any) -> Any:
    return node


@variants("store")
def write_state(store: Any, node: Any, state: Any) -> None:
    """Write the packed state of a node. In compiled code only."""


@write_state.when(Hashed)
def _(store: Any, node: Any, state: Any) -> None:
    store.words[THREE * node + TWO] = state


@write_state.when(Wide)
def _(store: Any, node: Any, state: Any) -> None:
    copy_state(state_of(store, node), state)


@variants("store")
def is_goal_node(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    """Whether a node is a goal. In compiled code only."""


@is_goal_node.when(Hashed | Wide)
def _(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    return call_goal(graph.is_goal, table, state)


@is_goal_node.when(object)
def _(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    return load_word(store, place_of(store, node)) & IS_GOAL != ZERO
