"""What a kernel has found in a graph that is given by functions, in parts, and back.

A file may be damaged, or somebody else's. So it names no states: a node is a move of a node before it, at a cost. Nodes
are entered again, chunk by chunk, as these successors, and no number becomes an index before it is checked.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import begin, step
from searchkit.compiled.kit.records import Records
from searchkit.compiled.kit.store import (
    CLOSED,
    IS_CLOSED,
    IS_SEEN,
    NOBODY,
    ONE,
    ZERO,
    load_word,
    locate,
    parent_of,
    set_flags,
    state_of,
    write_arrival,
)

CHUNK = 1 << 18
"""How many nodes are written, or entered, at a time."""
OF_SLICE = [control.REOPENED_FROM, control.REOPENED_BY, control.PARENT, control.MOVE]
"""Counters that are read after the slice that wrote them, and then never again."""


@kernel
def next_in_order(store: Any, places: Any, at: Any, nodes: Any) -> Any:
    """Write nodes that were reached into an array, each after its parent, and none twice; return how many.

    `places` has the place of each node in that order, `NOBODY` if it has none yet. While a parent has to come first, it
    has the way back from there. `at` has the next node to look at, the number of places, and the next and the last node
    of such a way: zeros and `NOBODY` at first.
    """
    count, node, last, end = 0, np.uint64(at[2]), np.uint64(at[3]), np.uint64(places.size)
    while count < nodes.size:
        if node == np.uint64(NOBODY):
            node = np.uint64(at[0])
            while node < end and (
                places[node] != np.uint32(NOBODY) or load_word(store, node) & IS_SEEN == ZERO
            ):
                node += ONE
            at[0] = last = node
            if node == end:
                node = np.uint64(NOBODY)
                break
            parent = parent_of(store, node)
            while parent != np.uint64(NOBODY) and places[parent] == np.uint32(NOBODY):
                places[parent] = np.uint32(node)
                node = parent
                parent = parent_of(store, node)
        nodes[count] = np.uint32(node)
        following = np.uint64(NOBODY) if node == last else np.uint64(places[node])
        places[node] = np.uint32(at[1])
        at[1] += 1
        count += 1
        node = following
    at[2], at[3] = node, last
    return count


@kernel
def enter_again(
    graph: Any, store: Any, table: Any, out_states: Any, out_costs: Any, first: Any, starts: Any,
    parents: Any, moves: Any, costs: Any, flags: Any,
) -> Any:  # fmt: skip
    """Enter the nodes from `first` on; return how many, up to one that can't be what it says.

    The first nodes are the `starts`, which are there.
    """
    expanded = np.uint64(NOBODY)
    begun = end = ZERO
    for index in range(parents.size):
        node, parent, cost = np.uint64(first + index), np.uint64(parents[index]), costs[index]
        closed = np.uint64(flags[index]) & IS_CLOSED
        if node < np.uint64(starts):
            set_flags(store, node, load_word(store, node), closed | IS_SEEN)
            continue
        if parent >= node or not 0.0 <= cost < control.EXACT:
            return index
        state = state_of(store, parent)
        if parent != expanded:
            _, begun, end = begin(graph, table, state, out_states, out_costs)
            expanded = parent
        at, entered = begun, False
        while at != end and not entered:
            move, successor, _, at = step(graph, state, begun, at, out_states, out_costs)
            if np.uint64(move) == np.uint64(moves[index]):
                if locate(store, successor, node) != node:
                    return index
                write_arrival(store, node, cost, parent, move, closed | IS_SEEN)
                entered = True
        if not entered:
            return index
    return parents.size


def saved_nodes(records: Records, places: Any) -> Iterator[dict[str, Any]]:
    """Yield the nodes that were reached, chunk by chunk; write their places into `places`, full of `NOBODY`.

    The starts come first, and every node after its parent. Nodes are otherwise in the order of their numbers.
    """
    at, nodes = np.array([0, 0, NOBODY, NOBODY]), np.empty(CHUNK, np.uint32)
    while count := next_in_order(records.store, places, at, nodes):
        some = nodes[:count]
        parents = records.parents(some)
        is_start = parents == NOBODY
        yield {
            "parents": np.where(is_start, np.uint32(NOBODY), places[np.where(is_start, 0, parents)]),
            "moves": np.where(is_start, 0, records.moves(some)).astype(np.uint32),
            "costs": records.costs(some),
            "flags": records.flags_of(some) & np.uint8(CLOSED),
        }


def restore_nodes(run: Any, count: int, parts: Iterator[Mapping[str, Any]]) -> None:
    """Enter saved nodes into the records of a fresh run, which has entered the starts.

    Raises `ValueError` if they are not those of a search of this problem.
    """
    records, starts, first = run.records, run.records.count, 0
    while first < count:
        part = next(parts)
        kinds = {"parents": np.uint32, "moves": np.uint32, "costs": np.float64, "flags": np.uint8}
        arrays = [taken(part, name, kind) for name, kind in kinds.items()]
        size = len(arrays[0])
        if not 0 < size <= CHUNK or any(len(array) != size for array in arrays):
            raise ValueError(f"{size} nodes in a chunk")
        if first + size > records.room:
            for _ in records.grow(first + size):
                pass
        space, store = run.space, records.store
        entered = int(enter_again(space.graph, store, space.table, *space.out, first, starts, *arrays))
        if entered < size:
            raise ValueError(f"node {first + entered} is not a successor of a node before it")
        first += size
        records.count = records.reached = max(first, starts)
    if first != count or count < starts:
        raise ValueError(f"{first} nodes, expected {count}")


def saved_counters(counters: Any, places: Any) -> Any:
    """Return counters for a file, in which nodes are places."""
    saved, place = counters.copy(), int(places[counters[control.HEAD_NODE]])
    saved[control.HEAD_NODE] = 0 if place == NOBODY else place
    saved[OF_SLICE] = 0
    return saved


def restored_counters(part: Mapping[str, Any], count: int) -> Any:
    """Return the counters of a run whose `count` nodes are restored. Raises `ValueError` if they can't be right."""
    counters = taken(part, "counters", np.int64)
    counters[OF_SLICE] = 0
    if len(counters) != control.COUNTERS or counters.min() < 0 or counters[control.HEAD_NODE] >= count:
        raise ValueError(f"counters {counters}")
    counters[control.NODES] = counters[control.REACHED] = count
    return counters


def taken(part: Mapping[str, Any], name: str, kind: Any) -> Any:
    """Return a copy of an array of one dimension in a part of a file. Raises `KeyError` or `ValueError`."""
    array = part[name]
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.ndim != 1:
        raise ValueError(f"{name}: expected an array of {np.dtype(kind)}")
    return np.array(array, order="C")
