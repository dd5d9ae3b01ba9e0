"""The records of the states that a kernel has reached, as machine code reads and writes them.

In a graph that is data, a node is the packed state. Its record is a word and, in an array of its own, the cost so far:

    bits 32–63     the parent; in a `Stencil` it follows from the move, and words have 16 bits
    bits 4 and on  the move: which of the parent's successors the node is; all bits are set for a start
    bits 0–3       flags

In a graph that is given by functions, nodes are numbered in the order in which they are found. The record is a word and
the words of the packed state. If the cost is a small whole number, it is in the word, from bit `cost_at` on; else all
bits there are set. Most searches never write to the array of costs, so it takes addresses but no memory.

A hash table maps states to nodes: open addressing with linear probing (Knuth, The Art of Computer Programming 3,
section 6.4). A slot has a node in its low bits and bits of the state's hash in the others, so that the records of
other states are seldom read.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import call_goal, compiled_function, copy_state, kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit.graph import are_same, hash_of
from searchkit.compiled.variants import variants

SEEN, CLOSED, GOAL, DEAD = 1, 2, 4, 8
"""Flags: reached; expanded and not reopened; a goal (in graphs that are data); a dead end, and thus not reached."""
IS_SEEN, IS_CLOSED, IS_GOAL, IS_DEAD = (np.uint64(flag) for flag in (SEEN, CLOSED, GOAL, DEAD))
ALL_FLAGS = np.uint64(15)
MOVE_AT, PARENT_AT = np.uint64(4), np.uint64(32)
NOBODY = 0xFFFFFFFF
"""The parent of a start."""
ZERO, ONE, HALF, LOW = np.uint64(0), np.uint64(1), np.uint64(32), np.uint64(NOBODY)
EMPTY = np.uint32(NOBODY)
LOAD = 0.75
"""The largest part of the hash table that may be in use."""
AHEAD = np.uint64(16)
"""How many nodes ahead a slot is prefetched when the table is filled."""
MOST_SLOTS = (1 << 32) - 1
"""The size of the largest table: see `spot_of`."""


class Direct(NamedTuple):
    """Records of a graph that is data."""

    words: Any
    """uint64, or uint16 in a `Stencil`."""
    costs: Any
    """float64: the cost so far."""
    cost_at: Any
    """The first bit behind the move."""
    offsets: Any
    """int64: how far each move of a `Stencil` leads; empty in other graphs."""


class Hashed(NamedTuple):
    """Records of a graph whose states are hashed, and have one word."""

    words: Any
    """uint64: for each node its word, and those of its packed state."""
    costs: Any
    """float64: for each node, the cost that its word has no room for; else anything."""
    cost_at: Any
    slots: Any
    """uint32: a node and bits of its hash, or `EMPTY`."""
    tags: Any
    """The bits of a slot that are bits of the hash."""
    width: Any
    """The number of words of a record."""


class Wide(Hashed):
    """Records of a graph whose states are hashed, and have several words."""


@variants("store")
def place_of(store: Any, node: Any) -> Any:
    """Return the place of the word of a node. In compiled code only."""


@place_of.when(Direct)
def _(store: Any, node: Any) -> Any:
    return node


@place_of.when(Hashed)
def _(store: Any, node: Any) -> Any:
    return store.width * node


@variants("store", returns_arrays=True)
def state_of(store: Any, node: Any) -> Any:
    """Return the packed state of a node. In compiled code only."""


@state_of.when(Direct)
def _(store: Any, node: Any) -> Any:
    return node


@state_of.when(Wide)
def _(store: Any, node: Any) -> Any:
    place = store.width * node
    return store.words[place + ONE : place + store.width]


@state_of.when(Hashed)
def _(store: Any, node: Any) -> Any:
    return store.words[store.width * node + ONE]


@compiled_function
def load_word(store: Any, node: Any) -> Any:
    """Return the word of a node, 0 if the search has not met it."""
    return np.uint64(store.words[place_of(store, node)])


@compiled_function
def move_of(store: Any, node: Any) -> Any:
    """Return the move by which a node was reached; for a start, all of its bits are set."""
    return (load_word(store, node) & ((ONE << store.cost_at) - ONE)) >> MOVE_AT


@variants("store")
def parent_of(store: Any, node: Any) -> Any:
    """Return the parent of a node that was reached, or `NOBODY`. In compiled code only."""


@parent_of.when(Direct)
def _(store: Any, node: Any) -> Any:
    if store.offsets.size == 0:
        return load_word(store, node) >> PARENT_AT
    move = move_of(store, node)
    return (
        node - np.uint64(store.offsets[move]) if move < np.uint64(store.offsets.size) else np.uint64(NOBODY)
    )


@parent_of.when(object)
def _(store: Any, node: Any) -> Any:
    return load_word(store, node) >> PARENT_AT


@variants("store")
def cost_of(store: Any, node: Any) -> Any:
    """Return the cost so far of a node. In compiled code only."""


@cost_of.when(Direct)
def _(store: Any, node: Any) -> Any:
    return store.costs[node]


@cost_of.when(object)
def _(store: Any, node: Any) -> Any:
    cost = (load_word(store, node) & LOW) >> store.cost_at
    if cost == LOW >> store.cost_at:
        return store.costs[node]
    return np.float64(np.int64(cost))


@variants("store")
def write_arrival(store: Any, node: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    """Write how a node was reached. In compiled code only."""


@write_arrival.when(Direct)
def _(store: Any, node: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    store.costs[node] = cost + 0.0  # −0 becomes 0
    store.words[node] = np.uint64(parent) << PARENT_AT | np.uint64(move) << MOVE_AT | flags


@write_arrival.when(object)
def _(store: Any, node: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    elsewhere = LOW >> store.cost_at
    kept = elsewhere
    if cost < np.float64(np.int64(elsewhere)):
        kept = np.uint64(np.int64(cost))
    if kept == elsewhere or np.float64(np.int64(kept)) != cost:
        kept = elsewhere
        store.costs[node] = cost + 0.0  # −0 becomes 0
    above = np.uint64(parent) << PARENT_AT | kept << store.cost_at
    store.words[place_of(store, node)] = above | np.uint64(move) << MOVE_AT | flags


@compiled_function
def set_flags(store: Any, node: Any, word: Any, flags: Any) -> None:
    """Replace the flags of a node whose word is `word`."""
    store.words[place_of(store, node)] = word & ~ALL_FLAGS | flags


@variants("store")
def is_goal_node(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    """Whether a node is a goal. In compiled code only."""


@is_goal_node.when(Direct)
def _(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    return load_word(store, node) & IS_GOAL != ZERO


@is_goal_node.when(object)
def _(graph: Any, store: Any, table: Any, node: Any, state: Any) -> Any:
    return graph.is_goal != 0 and call_goal(graph.is_goal, table, state)


@compiled_function
def spot_of(key: Any, size: Any) -> Any:
    """Return where the search for a hash begins in a table of `size` slots, in units of 2⁻³² slots (Lemire 2019).

    The size need not be a power of two, so that a table can grow by a smaller factor.
    """
    return (key >> HALF) * size


@compiled_function
def _node_in(store: Any, slot: Any) -> Any:
    return np.uint64(slot) & LOW & ~store.tags


@compiled_function
def _may_hold(store: Any, slot: Any, spot: Any) -> Any:
    """Whether a slot may be that of a state with this spot."""
    return (np.uint64(slot) ^ spot) & store.tags == ZERO


@compiled_function
def _looked_up(store: Any, state: Any, spot: Any) -> Any:
    """Return the node of a hashed state, or `NOBODY`, and the place of its slot, or of the one that it will have."""
    size, place = np.uint64(store.slots.size), spot >> HALF
    while store.slots[place] != EMPTY:
        slot = store.slots[place]
        if _may_hold(store, slot, spot):
            node = _node_in(store, slot)
            if are_same(state_of(store, node), state):
                return node, place
        place += ONE
        if place == size:
            place = ZERO
    return np.uint64(NOBODY), place


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
            place = place + ONE if place + ONE < size else ZERO
        store.slots[place] = np.uint32(spot & store.tags | node)


@kernel
def find(store: Any, state: Any) -> Any:
    """Return the node of a hashed state, `NOBODY` if it has none."""
    return np.int64(_looked_up(store, state, spot_of(hash_of(state), np.uint64(store.slots.size)))[0])


@variants("store")
def prefetch_states(store: Any, states: Any, count: Any) -> None:
    """Prefetch what `locate` will read of the first `count` states of an array. In compiled code only."""


@prefetch_states.when(Direct)
def _(store: Any, states: Any, count: Any) -> None:
    return None


@prefetch_states.when(object)
def _(store: Any, states: Any, count: Any) -> None:
    size = np.uint64(store.slots.size)
    for index in range(np.uint64(count)):
        prefetch(store.slots, spot_of(hash_of(states[index]), size) >> HALF)
    for index in range(np.uint64(count)):
        spot = spot_of(hash_of(states[index]), size)
        slot = store.slots[spot >> HALF]
        known = np.uint64(_may_hold(store, slot, spot) and slot != EMPTY)
        prefetch(store.words, place_of(store, _node_in(store, slot) * known))


@variants("store")
def locate(store: Any, state: Any, count: Any) -> Any:
    """Return the node of a state; for a new state, `count`, which becomes its node. In compiled code only."""


@locate.when(Direct)
def _(store: Any, state: Any, count: Any) -> Any:
    return state


@locate.when(object)
def _(store: Any, state: Any, count: Any) -> Any:
    spot = spot_of(hash_of(state), np.uint64(store.slots.size))
    node, place = _looked_up(store, state, spot)
    if node == np.uint64(NOBODY):
        node = np.uint64(count)
        store.slots[place] = np.uint32(spot & store.tags | node)
        store.words[place_of(store, node)] = ZERO
        _write_state(store, node, state)
    return node


@kernel
def enter_start(store: Any, state: Any, count: Any) -> Any:
    """Enter a start, and return its node; `count` is the number of nodes."""
    node = locate(store, state, count)
    move = (ONE << (store.cost_at - MOVE_AT)) - ONE
    flags = IS_SEEN | load_word(store, node) & IS_GOAL
    write_arrival(store, node, 0.0, np.uint64(NOBODY), move, flags)
    return np.int64(node)


@variants("store")
def _write_state(store: Any, node: Any, state: Any) -> None:
    """Write the packed state of a node. In compiled code only."""


@_write_state.when(Wide)
def _(store: Any, node: Any, state: Any) -> None:
    copy_state(state_of(store, node), state)


@_write_state.when(Hashed)
def _(store: Any, node: Any, state: Any) -> None:
    store.words[store.width * node + ONE] = state


@kernel
def read_path(store: Any, node: Any, path: Any, moves: Any) -> Any:
    """Write the nodes of the path to a node into `path`, the last node first; return how many there are.

    The move that leads to each is written into `moves`. If the path is longer than `path`, return a larger number.
    """
    count, node = np.int64(0), np.uint64(node)
    while node != np.uint64(NOBODY) and count < path.size:
        path[count], moves[count] = node, move_of(store, node)
        node = parent_of(store, node)
        count += 1
    return count if node == np.uint64(NOBODY) else np.int64(path.size) + 1
