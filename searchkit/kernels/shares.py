"""What each thread does in a batch of `searchkit.kernels.batches`, and what one thread does after all of them."""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from searchkit.compiled.functions import compiled_function, copy_state, kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import expand
from searchkit.compiled.kit.state import are_same, hash_of
from searchkit.compiled.kit.store import (
    HALF,
    IS_SEEN,
    ONE,
    ZERO,
    cost_of,
    is_goal_node,
    place_of,
    state_of,
    write_arrival,
    write_state,
)
from searchkit.compiled.kit.table import EMPTY, entry_of, may_hold, node_in, slot_after, spot_of
from searchkit.compiled.variants import variants

INDEX = np.uint64(0xFFFFFFFF)
"""In an entry of a list: the bits of the index of the successor. The others are the upper half of the hash."""
FAR, NEAR = np.uint64(24), np.uint64(12)
"""How many entries ahead the slot, and the record of the node that it holds, are prefetched."""


class Found(NamedTuple):
    """The successors that are found in a batch. The successors of a share are in one piece."""

    states: Any
    """The packed successors."""
    slots: Any
    """uint32: the slot of each successor that is new, `EMPTY` for others."""


@variants("state")
def _put(states: Any, index: Any, state: Any) -> None:
    """Write a state into an array of states."""


@_put.when(types.Array)
def _(states: Any, index: Any, state: Any) -> None:
    copy_state(states[index], state)


@_put.when(object)
def _(states: Any, index: Any, state: Any) -> None:
    states[index] = state


@compiled_function
def _holds(store: Any, found: Any, slot: Any, spot: Any, count: Any, state: Any) -> Any:
    """Whether a slot is empty or holds a state, whose spot is given."""
    entry = store.slots[slot]
    if entry == EMPTY:
        return True
    if not may_hold(store, entry, spot):
        return False
    node = node_in(store, entry)
    if node < count:
        return are_same(state_of(store, node), state)
    return are_same(found.states[node - count], state)


@compiled_function
def _take(store: Any, found: Any, slot: Any, spot: Any, count: Any, index: Any) -> Any:
    """Put a successor into its slot if that is empty; return how many are new, 1 or 0."""
    if store.slots[slot] != EMPTY:
        found.slots[index] = EMPTY
        return 0
    store.slots[slot] = entry_of(store, spot, count + index)
    found.slots[index] = np.uint32(slot)
    return 1


@kernel
def expand_share(
    graph: Any, store: Any, table: Any, out_states: Any, out_costs: Any, first: Any, end: Any,
    found: Any, index: Any, counts: Any, lists: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Expand the nodes from `first` up to `end`; write their successors from `index` on. Return their number.

    `counts` is filled with the number of successors of each node; `lists` with an entry for each successor in the list
    of its part, of which it has `sizes`.
    """
    begun, index, parts = np.uint64(index), np.uint64(index), np.uint64(sizes.size)
    sizes[:] = 0
    for node in range(np.uint64(first), np.uint64(end)):
        count = np.uint64(expand(graph, table, state_of(store, node), out_states, out_costs))
        counts[node - np.uint64(first)] = count
        for move in range(count):
            state = out_states[move]
            _put(found.states, index, state)
            key = hash_of(state)
            part = (key >> HALF) * parts >> HALF
            size = np.uint64(sizes[part])
            lists[part, size] = key & ~INDEX | index
            sizes[part] = size + ONE
            index += ONE
    return np.int64(index - begun)


@kernel
def look_up_share(
    store: Any, found: Any, entries: Any, size: Any, count: Any, end: Any, put_off: Any, behind: Any
) -> Any:
    """Look up the first `size` successors of a list; return how many are new, and the size of `put_off` afterwards.

    The table has nodes up to `count`; the new state at an index gets the number `count` + index. A thread reads and
    writes slots below `end` only. A search of the table that goes beyond is put off.
    """
    slots, size, count, end = np.uint64(store.slots.size), np.uint64(size), np.uint64(count), np.uint64(end)
    new, behind = 0, np.uint64(behind)
    for place in range(min(FAR, size)):
        prefetch(store.slots, spot_of(entries[place], slots) >> HALF)
    for place in range(size):
        if place + FAR < size:
            prefetch(store.slots, spot_of(entries[place + FAR], slots) >> HALF)
        if place + NEAR < size:
            near = spot_of(entries[place + NEAR], slots)
            if near >> HALF < end and may_hold(store, store.slots[near >> HALF], near):
                prefetch(store.words, place_of(store, node_in(store, store.slots[near >> HALF])))
        index, spot = entries[place] & INDEX, spot_of(entries[place], slots)
        slot = spot >> HALF
        while slot < end and not _holds(store, found, slot, spot, count, found.states[index]):
            slot += ONE
        if slot >= end:
            put_off[behind] = index
            behind += ONE
        else:
            new += _take(store, found, slot, spot, count, index)
    return new, np.int64(behind)


@kernel
def look_up_rest(store: Any, found: Any, put_off: Any, behind: Any, count: Any, room: Any, new: Any) -> None:
    """Look up the successors that were put off, in their order. Add the new ones of each share to `new`.

    `room` is the length of the piece of a share.
    """
    slots, count = np.uint64(store.slots.size), np.uint64(count)
    for place in range(np.uint64(behind)):
        index = np.uint64(put_off[place])
        spot = spot_of(hash_of(found.states[index]), slots)
        slot = spot >> HALF
        while not _holds(store, found, slot, spot, count, found.states[index]):
            slot = slot_after(slot, slots)
        new[index // np.uint64(room)] += _take(store, found, slot, spot, count, index)


@kernel
def number_share(
    graph: Any, store: Any, table: Any, first: Any, end: Any, found: Any, index: Any, counts: Any,
    node: Any, layer: Any,
) -> Any:  # fmt: skip
    """Write the records of the new successors of the nodes from `first` up to `end`; `node` is the first new node.

    Return the peak of the frontier; its end at the turn of the node `layer`, or 0 if that is not among them; and
    whether a successor is a goal.
    """
    index, node = np.uint64(index), np.uint64(node)
    peak = after = ZERO
    is_goal = False
    for parent in range(np.uint64(first), np.uint64(end)):
        if parent == np.uint64(layer):
            after = node
        peak = max(peak, node - parent)
        depth = cost_of(store, place_of(store, parent))
        for move in range(np.uint64(counts[parent - np.uint64(first)])):
            slot = np.uint64(found.slots[index])
            if slot != np.uint64(EMPTY):
                state = found.states[index]
                is_goal |= is_goal_node(graph, store, table, node, state)
                store.slots[slot] = entry_of(store, np.uint64(store.slots[slot]), node)
                write_arrival(store, place_of(store, node), depth + 1.0, parent, move, IS_SEEN)
                write_state(store, node, state)
                node += ONE
            index += ONE
    return np.int64(peak), np.int64(after), is_goal


@kernel
def finish(
    counters: Any, expanded: Any, generated: Any, count: Any, peak: Any, after: Any, done: Any
) -> None:
    """Update the counters after a batch. `done` becomes the number of its expansions: no interruption comes between."""
    counters[control.SIZE] += count - counters[control.QUEUED] - expanded
    counters[control.QUEUED] = counters[control.NODES] = counters[control.REACHED] = count
    counters[control.GENERATED] += generated
    counters[control.PEAK] = max(counters[control.PEAK], peak)
    if after > 0:
        counters[control.LAYER] = after
        counters[control.DEPTH] += 1
    done[0] = expanded


@kernel
def forget_share(store: Any, first: Any, end: Any, count: Any) -> None:
    """Empty the slots from `first` up to `end` that hold numbers from `count` on."""
    for slot in range(np.uint64(first), np.uint64(end)):
        if node_in(store, store.slots[slot]) >= np.uint64(count):
            store.slots[slot] = EMPTY


@kernel
def list_share(store: Any, first: Any, end: Any, lists: Any, sizes: Any) -> None:
    """Hash the nodes from `first` up to `end` and list them by part, as `expand_share` lists successors."""
    parts = np.uint64(sizes.size)
    sizes[:] = 0
    for node in range(np.uint64(first), np.uint64(end)):
        key = hash_of(state_of(store, node))
        part = (key >> HALF) * parts >> HALF
        size = np.uint64(sizes[part])
        lists[part, size] = key & ~INDEX | node
        sizes[part] = size + ONE


@kernel
def insert_share(store: Any, entries: Any, size: Any, end: Any, put_off: Any, behind: Any) -> Any:
    """Add the first `size` nodes of a list to the table; return the size of `put_off`, as `look_up_share` does."""
    many, end, size, behind = np.uint64(store.slots.size), np.uint64(end), np.uint64(size), np.uint64(behind)
    for place in range(size):
        if place + NEAR < size:
            prefetch(store.slots, spot_of(entries[place + NEAR], many) >> HALF)
        spot = spot_of(entries[place], many)
        slot = spot >> HALF
        while slot < end and store.slots[slot] != EMPTY:
            slot += ONE
        if slot >= end:
            put_off[behind] = entries[place] & INDEX
            behind += ONE
        else:
            store.slots[slot] = entry_of(store, spot, entries[place] & INDEX)
    return np.int64(behind)
