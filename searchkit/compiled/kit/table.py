"""The table that maps the states of a hashed graph to nodes: open addressing with linear probing.

(Knuth, The Art of Computer Programming 3, section 6.4.) An entry has a node in its low bits, and bits of the state's
hash in the others: so the records of other states are seldom read.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit.state import are_same, hash_of
from searchkit.compiled.kit.store import (
    HALF,
    LOW,
    ONE,
    ZERO,
    Hashed,
    Wide,
    locate,
    place_of,
    prefetch_states,
    state_of,
    write_state,
)

EMPTY = np.uint32(0xFFFFFFFF)
LOAD = 0.75
"""The largest part of the table that may be in use."""
AHEAD = np.uint64(16)
"""How many nodes ahead a place in the table is prefetched when the table is filled."""
MOST_SLOTS = (1 << 32) - 1
"""The size of the largest table: see `spot_of`."""


def keyed_node(words: int) -> Any:
    """Return the type of the record of a node in a hashed graph, with a state of `words` words."""
    return np.dtype([("arrival", np.uint64), ("state", np.uint64, *((words,) if words > 1 else ()))])


def hashed_store(nodes: Any, costs: Any, slots: Any, cost_at: int) -> Hashed | Wide:
    """Return the store of an array of such records."""
    words, width, nodes_below = nodes.view(np.uint64), nodes.dtype.itemsize // 8, 1 << len(slots).bit_length()
    rest = costs, slots, LOW & ~np.uint64(nodes_below - 1), np.uint64(cost_at)
    return Hashed(words, *rest) if width == 2 else Wide(words, *rest, np.uint64(width))


@compiled_function
def spot_of(key: Any, size: Any) -> Any:
    """Return where the search for a hash begins in a table of `size` slots, in units of 2⁻³² slots (Lemire 2019).

    The size need not be a power of two: near a memory limit, a table grows to what fits.
    """
    return (key >> HALF) * size


@compiled_function
def slot_after(place: Any, size: Any) -> Any:
    """Return the next place in a table of `size` slots."""
    place += ONE
    return place if place < size else ZERO


@compiled_function
def entry_of(store: Any, spot: Any, node: Any) -> Any:
    """Return the entry of a node in the table; `spot` is the one of its hash."""
    return np.uint32(spot & store.tags | node)


@compiled_function
def node_in(store: Any, entry: Any) -> Any:
    """Return the node of an entry of the table."""
    return np.uint64(entry) & LOW & ~store.tags


@compiled_function
def may_hold(store: Any, entry: Any, spot: Any) -> Any:
    """Whether an entry may be that of a state with this spot."""
    return (np.uint64(entry) ^ spot) & store.tags == ZERO


@kernel
def rehash(store: Any, first: Any, end: Any) -> None:
    """Add the nodes from `first` up to `end` to the table; none of them may be in it."""
    size = np.uint64(store.slots.size)
    for node in range(np.uint64(first), np.uint64(end)):
        if node + AHEAD < np.uint64(end):
            prefetch(store.slots, spot_of(hash_of(state_of(store, node + AHEAD)), size) >> HALF)
        spot = spot_of(hash_of(state_of(store, node)), size)
        place = spot >> HALF
        while store.slots[place] != EMPTY:
            place = slot_after(place, size)
        store.slots[place] = entry_of(store, spot, node)


@kernel
def find(store: Any, state: Any) -> Any:
    """Return the node of a state, −1 if it has none."""
    size = np.uint64(store.slots.size)
    spot = spot_of(hash_of(state), size)
    place = spot >> HALF
    while store.slots[place] != EMPTY:
        node = node_in(store, store.slots[place])
        if may_hold(store, store.slots[place], spot) and are_same(state_of(store, node), state):
            return np.int64(node)
        place = slot_after(place, size)
    return -1


@prefetch_states.when(Hashed | Wide)
def _(graph: Any, store: Any, states: Any, count: Any) -> None:
    size = np.uint64(store.slots.size)
    for index in range(np.uint64(count)):
        prefetch(store.slots, spot_of(hash_of(states[index]), size) >> HALF)
    for index in range(np.uint64(count)):
        spot = spot_of(hash_of(states[index]), size)
        entry = store.slots[spot >> HALF]
        known = np.uint64(may_hold(store, entry, spot) and entry != EMPTY)
        prefetch(store.words, place_of(store, node_in(store, entry) * known))


@locate.when(Hashed | Wide)
def _(store: Any, state: Any, count: Any) -> Any:
    size = np.uint64(store.slots.size)
    spot = spot_of(hash_of(state), size)
    place = spot >> HALF
    while True:
        entry = store.slots[place]
        if entry == EMPTY:
            node = np.uint64(count)
            store.slots[place] = entry_of(store, spot, node)
            store.words[place_of(store, node)] = ZERO
            write_state(store, node, state)
            return node
        if may_hold(store, entry, spot):
            node = node_in(store, entry)
            if are_same(state_of(store, node), state):
                return node
        place = slot_after(place, size)
