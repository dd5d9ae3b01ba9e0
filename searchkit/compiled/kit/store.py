"""The records of the states that a kernel has reached.

In a dense graph the node is the packed state, and its record has two words. The first is the cost of the best arrival,
as the bits of a float. The second holds the parent, the number of the parent's successor that the node is (its move),
flags, and the stamp of the search that wrote it.

In any other graph nodes are numbered in the order in which they are found; `searchkit.compiled.kit.table` maps states
to them. A record has one word, its *arrival*, and the words of the packed state:

    bits 32–63                  the parent
    bits MOVE_IN and above      the move, and then the cost, if it is a small whole number
    bits 8–11                   flags

Other costs are in an array of their own. Most searches never write to it, so it takes addresses but no memory.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import call_goal, copy_state, kernel
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
NOBODY = 0xFFFFFFFF
"""The parent of a start."""
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
MOVE_IN = np.uint64(12)
"""The first bit of the move in an arrival."""
ARRIVAL_FLAGS = np.uint64(0xF00)


class Dense(NamedTuple):
    """Records of a dense graph."""

    words: Any
    """uint64: two for each node."""
    stamp: Any
    """The number of this search, 1 to 255."""


class Hashed(NamedTuple):
    """Records of a graph whose states are hashed, and have one word."""

    words: Any
    """uint64: two for each node, its arrival and its packed state."""
    costs: Any
    """float64: for each node, the cost that its arrival has no room for; else anything."""
    slots: Any
    """uint32: entries or `EMPTY`; any number of them up to `MOST_SLOTS`."""
    tags: Any
    """The bits of an entry that are bits of the hash; the others are the node."""
    cost_at: Any
    """The first bit of the cost in an arrival. If all bits from there on are set, the cost is in `costs`."""


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
    """Records of a graph whose states are hashed, and have several words."""

    words: Any
    """uint64: for each node its arrival, and the words of its packed state."""
    costs: Any
    slots: Any
    tags: Any
    cost_at: Any
    width: Any
    """The number of words of a record."""


@kernel
def read_path(store: Any, node: Any, path: Any) -> Any:
    """Write the nodes of the path to a node into `path`, the last node first, until it is full.

    Return how many were written, and the parent of the last one written, or `NOBODY`.
    """
    count, node = np.int64(0), np.uint64(node)
    while count < path.size and node != np.uint64(NOBODY):
        path[count] = node
        node = load_word(store, place_of(store, node)) >> PARENT_AT
        count += 1
    return count, np.int64(node)


@variants("store")
def prefetch_states(graph: Any, store: Any, states: Any, count: Any) -> None:
    """Prefetch what `locate` will read of the first `count` states of an array. In compiled code only."""


@prefetch_states.when(Dense | Marks | Slim)
def _(graph: Any, store: Any, states: Any, count: Any) -> None:
    return None


@variants("store")
def place_of(store: Any, node: Any) -> Any:
    """Return the place where the record of a node begins. In compiled code only."""


@place_of.when(Dense | Hashed)
def _(store: Any, node: Any) -> Any:
    return TWO * node


@place_of.when(Wide)
def _(store: Any, node: Any) -> Any:
    return store.width * node


@place_of.when(Marks | Slim)
def _(store: Any, node: Any) -> Any:
    return node


@variants("store")
def node_at(store: Any, place: Any) -> Any:
    """Return the node whose record begins at a place. In compiled code only."""


@node_at.when(Hashed)
def _(store: Any, place: Any) -> Any:
    return place >> ONE


@node_at.when(Wide)
def _(store: Any, place: Any) -> Any:
    return place // store.width


@variants("store")
def locate(store: Any, state: Any, count: Any) -> Any:
    """Return the node of a state; for a new state, `count`, which becomes its node. In compiled code only."""


@locate.when(Dense | Marks | Slim)
def _(store: Any, state: Any, count: Any) -> Any:
    return state


@variants("store")
def load_word(store: Any, place: Any) -> Any:
    """Return the word of a record that has its flags, 0 if this search has not reached the node.

    The parent and the flags are at the same bits in all forms. In compiled code only.
    """


@load_word.when(Dense)
def _(store: Any, place: Any) -> Any:
    word = store.words[place + ONE]
    return word if word & STAMP == store.stamp else ZERO


@load_word.when(Hashed | Wide)
def _(store: Any, place: Any) -> Any:
    return store.words[place]


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


@cost_of.when(Hashed | Wide)
def _(store: Any, place: Any) -> Any:
    cost = (store.words[place] & LOW) >> store.cost_at
    if cost == LOW >> store.cost_at:
        return store.costs[node_at(store, place)]
    return np.float64(np.int64(cost))


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


@write_arrival.when(Hashed | Wide)
def _(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    elsewhere = LOW >> store.cost_at
    kept = elsewhere
    if cost < np.float64(np.int64(elsewhere)):
        kept = np.uint64(np.int64(cost))
    if kept == elsewhere or np.float64(np.int64(kept)) != cost:
        kept = elsewhere
        store.costs[node_at(store, place)] = cost + 0.0  # −0 becomes 0
    store.words[place] = (
        np.uint64(parent) << PARENT_AT | kept << store.cost_at | np.uint64(move) << MOVE_IN | flags
    )


@write_arrival.when(object)
def _(store: Any, place: Any, cost: Any, parent: Any, move: Any, flags: Any) -> None:
    store.words[place] = np.float64(cost + 0.0).view(np.uint64)  # −0 becomes 0
    store.words[place + ONE] = (
        np.uint64(parent) << PARENT_AT | move << MOVE_AT | flags | np.uint64(store.stamp)
    )


@variants("store")
def set_flags(store: Any, place: Any, word: Any, flags: Any) -> None:
    """Replace the flags of a record whose `load_word` is `word`. In compiled code only."""


@set_flags.when(Marks | Slim)
def _(store: Any, place: Any, word: Any, flags: Any) -> None:
    move = ((word >> MOVE_AT) & SIXTEEN) << MARK_MOVE
    store.marks[place] = np.uint16(move | flags >> SHORTER | store.stamp)


@set_flags.when(Hashed | Wide)
def _(store: Any, place: Any, word: Any, flags: Any) -> None:
    store.words[place] = word & ~ARRIVAL_FLAGS | flags & ARRIVAL_FLAGS


@set_flags.when(object)
def _(store: Any, place: Any, word: Any, flags: Any) -> None:
    store.words[place + ONE] = word & ~ALL_FLAGS | flags | np.uint64(store.stamp)


@variants("store", returns_arrays=True)
def state_of(store: Any, node: Any) -> Any:
    """Return the packed state of a node. In compiled code only."""


@state_of.when(Hashed)
def _(store: Any, node: Any) -> Any:
    return store.words[TWO * node + ONE]


@state_of.when(Wide)
def _(store: Any, node: Any) -> Any:
    place = store.width * node
    return store.words[place + ONE : place + store.width]


@state_of.when(object)
def _(store: Any, node: Any) -> Any:
    return node


@variants("store")
def write_state(store: Any, node: Any, state: Any) -> None:
    """Write the packed state of a node. In compiled code only."""


@write_state.when(Hashed)
def _(store: Any, node: Any, state: Any) -> None:
    store.words[TWO * node + ONE] = state


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
