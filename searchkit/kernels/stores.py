"""What a kernel knows of each state that it has met: one record of two or three words a node.

The first word is the cost of the best arrival, as the bits of a float. The second has the node before it, which of
that node's successors it is, flags, and the number of the search that wrote it.

Of a dense graph the node is the state. Of any other, nodes are numbered as they are met, and a table of open
addressing finds the node of a state (Knuth, The Art of Computer Programming 3, section 6.4).
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from searchkit.compiled.functions import chosen_for, compiled_function, copy_state
from searchkit.kernels.bits import fetch
from searchkit.kernels.words import are_same, hash_of

NODE = np.dtype(
    [("g", np.float64), ("stamp", np.uint8), ("flags", np.uint8), ("move", np.uint16), ("parent", np.uint32)]
)
"""A record, as Python reads it. One with the stamp of another search is that of a node that was not met."""
SEEN, CLOSED, GOAL, DEAD = 1, 2, 4, 8
"""Flags: reached; expanded and not reopened; a goal (of dense graphs only); a dead end, and so not reached."""
FLAGS, MOVE_AT, PARENT_AT, SIXTEEN = np.uint64(8), np.uint64(16), np.uint64(32), np.uint64(0xFFFF)
IS_SEEN, IS_CLOSED, IS_GOAL, IS_DEAD = (np.uint64(flag << 8) for flag in (SEEN, CLOSED, GOAL, DEAD))
"""The flags, where they stand in the second word."""
ALL_FLAGS = np.uint64(0xFF00)
STAMP = np.uint64(0xFF)
EMPTY = np.uint32(0xFFFFFFFF)
NOBODY = 0xFFFFFFFF
"""The parent of a start."""
ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
LOAD = 0.75
"""How full the table may be."""


class Dense(NamedTuple):
    """Records of a dense graph."""

    words: Any
    """uint64: two for each node."""
    stamp: Any
    """The number of this search, 1 to 255."""


class Hashed(NamedTuple):
    """Records of a graph whose states are found by hashing."""

    words: Any
    """uint64: three for each node, the third of which is its packed state."""
    slots: Any
    """uint32: node or `EMPTY`; a power of two of them."""


class Marks(NamedTuple):
    """All that breadth-first search needs to know of a stencil: two bytes for each state.

    So small that the marks of a large map fit into the processor's cache.
    """

    marks: Any
    """uint16: the move that the state was reached by, flags, and the stamp."""
    stamp: Any
    """The number of this search, 1 to 127."""


class Slim(NamedTuple):
    """Records of a stencil: the node before each state is known from the move."""

    marks: Any
    stamp: Any
    costs: Any
    """float64: the cost of the best arrival."""


MARK_STAMP, MARK_MOVE, SHORTER = np.uint64(0x7F), np.uint64(11), np.uint64(1)
"""Of a mark: the bits of the stamp, where the move begins, and how much less its flags are shifted than in a record."""
MARK_FLAGS, ONLY_SEEN, SEEN_MARK = np.uint64(0x780), np.uint64(0x80), np.uint64(0xFF)
NO_MOVE = 31
"""The move of a start: marks have room for 31 moves more."""


class Wide(NamedTuple):
    """Records of a graph whose states have several words, and are found by hashing."""

    words: Any
    """uint64: two for each node, and those of its packed state."""
    slots: Any
    width: Any
    """How many words a record has."""


def keyed_node(words: int) -> Any:
    """Return the record of a node that is found by hashing, with a state of so many words."""
    return np.dtype([*NODE.descr, ("state", np.uint64, *((words,) if words > 1 else ()))])


def hashed_store(nodes: Any, slots: Any) -> Hashed | Wide:
    """Return the store of such records."""
    words, width = nodes.view(np.uint64), nodes.dtype.itemsize // 8
    return Hashed(words, slots) if width == 3 else Wide(words, slots, np.uint64(width))


@compiled_function
def rehash(store: Any, first: Any, end: Any) -> None:
    """Enter the nodes from `first` up to `end`, none of which is there yet."""
    last = np.uint64(store.slots.size - 1)
    for node in range(np.uint64(first), np.uint64(end)):
        place = hash_of(state_of(store, node)) & last
        while store.slots[place] != EMPTY:
            place = (place + ONE) & last
        store.slots[place] = np.uint32(node)


@compiled_function
def find(store: Any, state: Any) -> Any:
    """Return the node of a state, −1 where there is none."""
    last = np.uint64(store.slots.size - 1)
    place = hash_of(state) & last
    while store.slots[place] != EMPTY:
        node = np.uint64(store.slots[place])
        if are_same(state_of(store, node), state):
            return np.int64(node)
        place = (place + ONE) & last
    return -1


@compiled_function
def read_path(words: Any, width: Any, node: Any, path: Any) -> Any:
    """Write the nodes of the path to a node, the last first, as many as there is room for.

    Return how many these are, and the node before them, or `NOBODY`; `width` is how many words a record has.
    """
    count, node = np.int64(0), np.uint64(node)
    while count < path.size and node != np.uint64(NOBODY):
        path[count] = node
        node = words[np.uint64(width) * node + ONE] >> PARENT_AT
        count += 1
    return count, np.int64(node)


def foresee(graph: Any, store: Any, states: Any, count: Any) -> Any:
    """Fetch where the first of an array of states are found, if that is by hashing. For kernels only."""
    raise TypeError("searchkit.kernels.stores.foresee is called by compiled code only")


@chosen_for(foresee)
def _foresee(graph: Any, store: Any, states: Any, count: Any) -> Any:
    if store.instance_class not in (Hashed, Wide):
        return lambda graph, store, states, count: None

    def hashed(graph: Any, store: Any, states: Any, count: Any) -> None:
        last = np.uint64(store.slots.size - 1)
        for index in range(np.uint64(count)):
            fetch(store.slots, hash_of(states[index]) & last)

    return hashed


def place_of(store: Any, node: Any) -> Any:
    """Return where the record of a node begins. For kernels only."""
    raise TypeError("searchkit.kernels.stores.place_of is called by compiled code only")


@chosen_for(place_of)
def _place_of(store: Any, node: Any) -> Any:
    if store.instance_class is Dense:
        return lambda store, node: TWO * node
    if store.instance_class is Hashed:
        return lambda store, node: THREE * node
    if store.instance_class is Wide:
        return lambda store, node: store.width * node
    return lambda store, node: node


def locate(store: Any, state: Any, count: Any) -> Any:
    """Return the node of a state; where it is new, `count`, the next free number. For kernels only."""
    raise TypeError("searchkit.kernels.stores.locate is called by compiled code only")


@chosen_for(locate)
def _locate(store: Any, state: Any, count: Any) -> Any:
    if store.instance_class not in (Hashed, Wide):

        def dense(store: Any, state: Any, count: Any) -> Any:
            return state

        return dense
    if store.instance_class is Wide:

        def wide(store: Any, state: Any, count: Any) -> Any:
            last = np.uint64(store.slots.size - 1)
            place = hash_of(state) & last
            while True:
                node = np.uint64(store.slots[place])
                if node == np.uint64(EMPTY):
                    store.slots[place] = np.uint32(count)
                    node = np.uint64(count)
                    store.words[store.width * node + ONE] = ZERO
                    copy_state(state_of(store, node), state)
                    return node
                if are_same(state_of(store, node), state):
                    return node
                place = (place + ONE) & last

        return wide

    def hashed(store: Any, state: Any, count: Any) -> Any:
        last = np.uint64(store.slots.size - 1)
        place = hash_of(state) & last
        while True:
            node = np.uint64(store.slots[place])
            if node == np.uint64(EMPTY):
                store.slots[place] = np.uint32(count)
                node = np.uint64(count)
                store.words[THREE * node + ONE] = ZERO
                store.words[THREE * node + TWO] = state
                return node
            if store.words[THREE * node + TWO] == state:
                return node
            place = (place + ONE) & last

    return hashed


def known(store: Any, place: Any) -> Any:
    """Return the second word of a record, 0 of a node that this search has not met. For kernels only."""
    raise TypeError("searchkit.kernels.stores.known is called by compiled code only")


@chosen_for(known)
def _known(store: Any, place: Any) -> Any:
    if store.instance_class is Dense:

        def dense(store: Any, place: Any) -> Any:
            word = store.words[place + ONE]
            return word if word & STAMP == store.stamp else ZERO

        return dense
    if store.instance_class in (Hashed, Wide):
        return lambda store, place: store.words[place + ONE]

    def slim(store: Any, place: Any) -> Any:
        mark = np.uint64(store.marks[place])
        word = (mark & MARK_FLAGS) << SHORTER | (mark >> MARK_MOVE) << MOVE_AT
        return word if mark & MARK_STAMP == store.stamp else ZERO

    return slim


def is_seen(store: Any, place: Any) -> Any:
    """Whether the node of a record was reached. For kernels only."""
    raise TypeError("searchkit.kernels.stores.is_seen is called by compiled code only")


@chosen_for(is_seen)
def _is_seen(store: Any, place: Any) -> Any:
    if store.instance_class in (Marks, Slim):
        return lambda store, place: np.uint64(store.marks[place]) & SEEN_MARK == store.stamp | ONLY_SEEN
    return lambda store, place: known(store, place) & IS_SEEN != ZERO


def cost_of(store: Any, place: Any) -> Any:
    """Return the cost of the arrival in a record. For kernels only."""
    raise TypeError("searchkit.kernels.stores.cost_of is called by compiled code only")


@chosen_for(cost_of)
def _cost_of(store: Any, place: Any) -> Any:
    if store.instance_class is Slim:
        return lambda store, place: store.costs[place]
    return lambda store, place: np.uint64(store.words[place]).view(np.float64)


def arrive(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> Any:
    """Write an arrival into a record, with the flags that it has from now on. For kernels only."""
    raise TypeError("searchkit.kernels.stores.arrive is called by compiled code only")


@chosen_for(arrive)
def _arrive(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> Any:
    if store.instance_class in (Marks, Slim):
        priced = store.instance_class is Slim

        def slim(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
            store.marks[place] = np.uint16(move << MARK_MOVE | flags >> SHORTER | store.stamp)
            if priced:
                store.costs[place] = cost

        return slim

    def full(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
        store.words[place] = np.float64(cost + 0.0).view(np.uint64)  # −0 becomes 0
        store.words[place + ONE] = (
            np.uint64(parent) << PARENT_AT | move << MOVE_AT | flags | np.uint64(stamp_of(store))
        )

    return full


def flag(store: Any, place: Any, known: Any, flags: Any) -> Any:
    """Give a record, of which this much is known, other flags. For kernels only."""
    raise TypeError("searchkit.kernels.stores.flag is called by compiled code only")


@chosen_for(flag)
def _flag(store: Any, place: Any, known: Any, flags: Any) -> Any:
    if store.instance_class in (Marks, Slim):

        def slim(store: Any, place: Any, known: Any, flags: Any) -> None:
            move = ((known >> MOVE_AT) & SIXTEEN) << MARK_MOVE
            store.marks[place] = np.uint16(move | flags >> SHORTER | store.stamp)

        return slim

    def full(store: Any, place: Any, known: Any, flags: Any) -> None:
        store.words[place + ONE] = known & ~ALL_FLAGS | flags | np.uint64(stamp_of(store))

    return full


def stamp_of(store: Any) -> Any:
    """Return the number of the search. For kernels only."""
    raise TypeError("searchkit.kernels.stores.stamp_of is called by compiled code only")


@chosen_for(stamp_of)
def _stamp_of(store: Any) -> Any:
    if store.instance_class is Dense:
        return lambda store: store.stamp
    return lambda store: ZERO


def state_of(store: Any, node: Any) -> Any:
    """Return the packed state of a node. For kernels only."""
    raise TypeError("searchkit.kernels.stores.state_of is called by compiled code only")


RETURNS_ARRAYS: Any = {"_nrt": True}
"""Numba lets no other function return a part of an array. It counts no references where it is inlined into a kernel."""


@overload(state_of, inline="always", jit_options=RETURNS_ARRAYS, strict=False)
def _state_of(store: Any, node: Any) -> Any:
    if store.instance_class not in (Hashed, Wide):

        def dense(store: Any, node: Any) -> Any:
            return node

        return dense
    if store.instance_class is Wide:

        def wide(store: Any, node: Any) -> Any:
            place = store.width * node
            return store.words[place + TWO : place + store.width]

        return wide

    def hashed(store: Any, node: Any) -> Any:
        return store.words[THREE * node + TWO]

    return hashed


def ends_in(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    """Whether the search may end in a node. For kernels only."""
    raise TypeError("searchkit.kernels.stores.ends_in is called by compiled code only")


@chosen_for(ends_in)
def _ends_in(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    if store.instance_class not in (Hashed, Wide):

        def dense(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
            return known(store, place_of(store, node)) & IS_GOAL != ZERO

        return dense

    def hashed(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
        return graph.is_goal(table, state)

    return hashed
