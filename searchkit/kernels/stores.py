"""What a kernel knows of each state that it has met: one record a node.

Of a dense graph the node is the state. Of any other, nodes are numbered as they are met, and a table of open
addressing finds the node of a state (Knuth, The Art of Computer Programming 3, section 6.4).
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from searchkit.compiling import INLINED, compiled_function

NODE = np.dtype(
    [("g", np.float64), ("parent", np.uint32), ("move", np.uint16), ("flags", np.uint8), ("stamp", np.uint8)],
    align=True,
)
"""The cost of the best arrival, the node before it, which of that node's successors it is, flags, and the number of the
search that wrote the record: a record of another search is one of a node that was not met."""
SEEN, CLOSED, GOAL, DEAD = np.uint8(1), np.uint8(2), np.uint8(4), np.uint8(8)
"""Flags: reached; expanded and not reopened; a goal (of dense graphs only); a dead end, and so not reached."""
MET = SEEN | DEAD
EMPTY = np.uint32(0xFFFFFFFF)
ONE = np.uint64(1)
LOAD = 0.75
"""How full the table may be."""


class Dense(NamedTuple):
    """Records of a dense graph."""

    nodes: Any
    stamp: Any
    """The number of this search, 1 to 255."""


class Hashed(NamedTuple):
    """Records of a graph whose states are found by hashing."""

    nodes: Any
    keys: Any
    """uint64: the packed state of each node."""
    slots: Any
    """uint32: node or `EMPTY`; a power of two of them."""


@compiled_function
def mixed(key: Any) -> Any:
    """Return 64 bits that all depend on all of the key's (the finaliser of SplitMix64, Steele et al. 2014)."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


@compiled_function
def rehash(keys: Any, count: Any, slots: Any, first: Any) -> None:
    """Enter nodes, numbered from `first` and of the first `count` keys, none of which is there yet."""
    last = np.uint64(slots.size - 1)
    for index in range(np.uint64(count)):
        place = mixed(keys[index]) & last
        while slots[place] != EMPTY:
            place = (place + ONE) & last
        slots[place] = np.uint32(first + index)


@compiled_function
def find(keys: Any, slots: Any, state: Any) -> Any:
    """Return the node of a state, −1 where there is none."""
    last = np.uint64(slots.size - 1)
    place = mixed(state) & last
    while slots[place] != EMPTY:
        if keys[slots[place]] == state:
            return np.int64(slots[place])
        place = (place + ONE) & last
    return -1


def locate(store: Any, state: Any, count: Any) -> Any:
    """Return the node of a state, its record that of a node not met where it is new; `count` is the next free number.

    For kernels only.
    """
    raise TypeError("searchkit.kernels.stores.locate is called by compiled code only")


@overload(locate, jit_options=INLINED)
def _locate(store: Any, state: Any, count: Any) -> Any:
    if store.instance_class is Dense:

        def dense(store: Any, state: Any, count: Any) -> Any:
            node = store.nodes[state]
            if node.stamp != store.stamp:
                node.stamp = store.stamp
                node.flags = np.uint8(0)
            return state

        return dense

    def hashed(store: Any, state: Any, count: Any) -> Any:
        last = np.uint64(store.slots.size - 1)
        place = mixed(state) & last
        while True:
            node = store.slots[place]
            if node == EMPTY:
                store.slots[place] = np.uint32(count)
                store.keys[count] = state
                store.nodes[count].flags = np.uint8(0)
                return np.uint64(count)
            if store.keys[node] == state:
                return np.uint64(node)
            place = (place + ONE) & last

    return hashed


def state_of(store: Any, node: Any) -> Any:
    """Return the packed state of a node. For kernels only."""
    raise TypeError("searchkit.kernels.stores.state_of is called by compiled code only")


@overload(state_of, jit_options=INLINED)
def _state_of(store: Any, node: Any) -> Any:
    if store.instance_class is Dense:

        def dense(store: Any, node: Any) -> Any:
            return node

        return dense

    def hashed(store: Any, node: Any) -> Any:
        return store.keys[node]

    return hashed


def ends_in(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    """Whether the search may end in a node. For kernels only."""
    raise TypeError("searchkit.kernels.stores.ends_in is called by compiled code only")


@overload(ends_in, jit_options=INLINED)
def _ends_in(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    if store.instance_class is Dense:

        def dense(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
            return (store.nodes[node].flags & GOAL) != 0

        return dense

    def hashed(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
        return graph.is_goal(table, state)

    return hashed
