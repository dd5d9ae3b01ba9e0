"""Saving what a kernel holds, and checking it when it is read back: a file may be damaged or made up.

Kernels read and write their arrays without checking bounds. So each number that becomes an index, a length or a count
is checked before a kernel sees it, parents lead to a start, and tables are made again instead of being read.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.arrays import SLOT, SLOTS_PER_NODE
from searchkit.compiled.kit.fields import LARGEST, Fields
from searchkit.compiled.kit.graph import (
    CSRArrays,
    StencilArrays,
    arrays_of,
    branching_of,
    expand,
    table_of,
)
from searchkit.compiled.kit.hashed import HashedRecords
from searchkit.compiled.kit.records import FLAGS_AT, MOVE_FROM, START_MOVE, MarkedRecords, Records
from searchkit.compiled.kit.state import are_same, state_array
from searchkit.compiled.kit.store import (
    CLOSED,
    DEAD,
    GOAL,
    IS_DEAD,
    IS_SEEN,
    MARK_STAMP,
    MOVE_IN,
    NO_MOVE,
    NOBODY,
    NODE,
    ONE,
    PARENT_AT,
    SEEN,
    STAMP,
    Dense,
    Slim,
    cost_of,
    load_word,
    place_of,
    state_of,
)
from searchkit.compiled.kit.table import EMPTY, LOAD, MOST_SLOTS, rehash

DONE = np.uint32(0xFFFFFFFF)
MOST_FLAGS = SEEN | CLOSED | GOAL | DEAD


@compiled_function
def _is_wrong(store: Any, count: Any, node: Any) -> Any:
    """Whether the record of a node can't be one of a search.

    Its parent has a place among the `count` records, was reached, and costs no more.
    """
    place = place_of(store, node)
    word = load_word(store, place)
    if word & STAMP != 0:
        return True
    if word & IS_SEEN == 0:
        return word & IS_DEAD == 0
    cost, parent = cost_of(store, place), word >> PARENT_AT
    if not 0.0 <= cost < control.EXACT:
        return True
    if parent == np.uint64(NOBODY):
        return cost != 0.0
    if parent >= count or load_word(store, place_of(store, parent)) & IS_SEEN == 0:
        return True
    return cost_of(store, place_of(store, parent)) > cost


@compiled_function
def _climb(store: Any, first: Any, walks: Any) -> Any:
    """Walk from a node to its parents, up to a start or to one that is done; return the last node of the walk.

    Return `NOBODY` if a record can't be one of a search, or the walk comes back to itself. `walks` holds for each node
    on the walk the node before it, plus 1, and for the first one itself.
    """
    count, node = np.uint64(walks.size), first
    walks[node] = np.uint32(node + ONE)
    while not _is_wrong(store, count, node):
        word = load_word(store, place_of(store, node))
        parent = word >> PARENT_AT
        if word & IS_SEEN == 0 or parent == np.uint64(NOBODY) or walks[parent] == DONE:
            return node
        if walks[parent] != 0:
            break
        walks[parent] = np.uint32(node + ONE)
        node = parent
    return np.uint64(NOBODY)


@kernel
def first_wrong_arrival(store: Any, walks: Any) -> Any:
    """Return the first node from which parents do not lead to a start, −1 if there is none.

    `walks` holds a zero for each node.
    """
    for first in range(np.uint64(walks.size)):
        if walks[first] == 0:
            node = _climb(store, first, walks)
            if node == np.uint64(NOBODY):
                return np.int64(first)
            while node != first:
                before = np.uint64(walks[node]) - ONE
                walks[node] = DONE
                node = before
            walks[node] = DONE
    return np.int64(-1)


@kernel
def first_wrong_state(
    graph: Any, table: Any, store: Any, out_states: Any, out_costs: Any, starts: Any, walks: Any
) -> Any:
    """Return the first node that is not what its record says, −1 if there is none.

    The first `starts` nodes are known to be the starts. The state of every other node that was reached has to be that
    successor of its parent's state; parents are looked at first, so that only states of the problem are expanded.
    """
    expanded, count, moves = np.uint64(NOBODY), np.int64(0), (ONE << store.cost_at - MOVE_IN) - ONE
    for first in range(np.uint64(walks.size)):
        if walks[first] == 0:
            node = _climb(store, first, walks)
            if node == np.uint64(NOBODY):
                return np.int64(first)
            while True:
                word = load_word(store, place_of(store, node))
                parent, move = word >> PARENT_AT, (word >> MOVE_IN) & moves
                if word & IS_SEEN != 0 and node >= np.uint64(starts):
                    if parent == np.uint64(NOBODY):
                        return np.int64(first)
                    if parent != expanded:
                        count = np.int64(expand(graph, table, state_of(store, parent), out_states, out_costs))
                        expanded = parent
                    if np.int64(move) >= count or not are_same(out_states[move], state_of(store, node)):
                        return np.int64(first)
                elif node < np.uint64(starts) and parent != np.uint64(NOBODY):
                    return np.int64(first)
                before = np.uint64(walks[node]) - ONE
                walks[node] = DONE
                if node == first:
                    break
                node = before
    return np.int64(-1)


def saved_records(records: Records) -> dict[str, Any]:
    """Return the records of a run by name, to be read before the run goes on."""
    if isinstance(records, HashedRecords):
        nodes = records.nodes[: records.count]
        far = np.flatnonzero(records.costs_are_elsewhere(nodes))
        words = nodes.view(np.uint64).reshape(len(nodes), -1)
        return {"records": words, "costs elsewhere": records.costs_elsewhere[far]}
    nodes = _touched(records) if records.order is None else records.order
    flags = records.flags_of(nodes)
    reached = flags & SEEN != 0
    found = {
        "nodes": nodes.astype(np.uint32),
        "flags": flags & ~np.uint8(GOAL),
        "moves": np.where(reached, records.moves(nodes), 0).astype(np.uint16),
    }
    if not isinstance(records, MarkedRecords):
        moved = reached & (found["moves"] != START_MOVE)
        found["parents"] = np.where(moved, records.parents(nodes), 0).astype(np.uint32)
    if not isinstance(records, MarkedRecords) or isinstance(records.store, Slim):
        found["costs"] = np.where(reached, records.costs(nodes), 0)
    return found


def restore_records(records: Records, fields: Fields) -> None:
    """Replace the records of a fresh run by saved ones. Raises `InputFormatError` if they are not those of a search."""
    if isinstance(records, HashedRecords):
        _restore_hashed(records, fields)
    else:
        _restore_dense(records, fields)


def restored_counters(fields: Fields, records: Records, branching: int, found: bool) -> Any:
    """Return the counters of a search of a graph, whose records are restored; `found`: it stands at a goal."""
    counters = fields.array("counters", np.int64, length=control.COUNTERS, below=LARGEST).copy()
    known = int(counters[control.NODES]), int(counters[control.REACHED])
    same = known == (records.count, records.reached)
    fields.expect(same, "counters", "they do not agree with the records")
    used = [control.HEAD_NODE] if found or counters[control.AGAIN] else []
    used += [control.REOPENED_FROM] if counters[control.REOPENED] else []
    inside = counters[control.HEAD_NODE] < (records.count if records.hashed else len(records.nodes))
    reached = inside and are_reached(records, counters[used])
    fields.expect(reached, "counters", "a state was not reached")
    moves = counters[[control.MOVE, control.REOPENED_BY]]
    fields.expect((moves < branching).all(), "counters", "there is no such move")
    fields.expect(counters[control.AGAIN] <= 1, "counters", "AGAIN is neither 0 nor 1")
    return counters


def are_reached(records: Records, nodes: Any) -> bool:
    """Whether all nodes of an array are nodes that were reached."""
    if not nodes.size:
        return True
    inside = nodes.min() >= 0 and nodes.max() < (records.count if records.hashed else len(records.nodes))
    return bool(inside) and bool((records.flags_of(nodes) & SEEN != 0).all())


def _touched(records: Records) -> Any:
    """Return the nodes of a dense graph that were reached or are dead ends."""
    nodes: Any = records.nodes
    if isinstance(records, MarkedRecords):
        own, flags = nodes & int(MARK_STAMP) == records.stamp, nodes >> FLAGS_AT
    else:
        own, flags = nodes["stamp"] == records.stamp, nodes["flags"]
    return np.flatnonzero(own & (flags & (SEEN | DEAD) != 0))


def _restore_hashed(records: HashedRecords, fields: Fields) -> None:
    kind, starts, branching = records.nodes.dtype, records.count, branching_of(records.view.graph)
    width = kind.itemsize // 8
    words = fields.array("records", np.uint64, columns=width)
    count, room = len(words), records.room
    while room < count + branching:
        room *= 2
    slots = min(SLOTS_PER_NODE * room, MOST_SLOTS)
    room = min(room, int(slots * LOAD))
    fields.expect(count <= room, "records", "there are too many of them")
    nodes: Any = np.empty(room, kind)
    nodes.view(np.uint64)[: words.size] = words.reshape(-1)
    read = nodes[:count]
    far = np.flatnonzero(records.costs_are_elsewhere(read))
    costs = np.empty(room, np.float64)
    costs[far] = fields.array("costs elsewhere", np.float64, length=len(far))
    same = count >= starts and np.array_equal(read[:starts]["state"], records.nodes[:starts]["state"])
    records.nodes, records.costs_elsewhere = nodes, costs
    same = same and (records.flags_of(slice(starts)) & SEEN != 0).all()
    fields.expect(same, "records", "the starts are not those of this problem")
    records.use(np.full(slots, EMPTY, SLOT))
    view, out = records.view, (state_array(branching, records.view.words), np.empty(branching, np.float64))
    walks = np.zeros(count, np.uint32)
    wrong = int(first_wrong_state(arrays_of(view.graph), table_of(view), records.store, *out, starts, walks))
    fields.expect(wrong < 0, "records", f"record {wrong} is not that of a state of this problem")
    rehash(records.store, 0, count)
    records.room, records.count = room, count
    records.reached = int(np.count_nonzero(records.flags_of(slice(count)) & SEEN))


def _restore_dense(records: Records, fields: Fields) -> None:
    size, begun = len(records.nodes), records.having(SEEN)
    nodes = fields.array("nodes", np.uint32, below=size)
    count = len(nodes)
    flags = fields.array("flags", np.uint8, length=count, below=MOST_FLAGS + 1)
    moves = fields.array("moves", np.uint16, length=count)
    places = np.full(size, NOBODY, np.uint32)
    places[nodes] = np.arange(count, dtype=np.uint32)
    fields.expect(np.array_equal(places[nodes], np.arange(count)), "nodes", "a node is there twice")
    reached = flags & SEEN != 0
    starts = reached & (moves == START_MOVE)
    same = np.array_equal(np.sort(nodes[starts]), np.sort(begun))
    fields.expect(same, "moves", "the starts are not those of this problem")
    found: Any = np.zeros(count, NODE)
    found["flags"], found["move"], found["parent"] = flags, moves, NOBODY
    moved = np.flatnonzero(reached & ~starts)
    marked = isinstance(records, MarkedRecords)
    given = None if marked else fields.array("parents", np.uint32, length=count, below=size)[moved]
    parents = _parents(records, fields, nodes[moved].astype(np.int64), moves[moved].astype(np.int64), given)
    found["parent"][moved] = places[parents]
    fields.expect((found["parent"][moved] != NOBODY).all(), "moves", "a parent was not reached")
    priced = not marked or isinstance(records.store, Slim)
    found["g"] = fields.array("costs", np.float64, length=count) if priced else 0
    wrong = int(first_wrong_arrival(Dense(found.view(np.uint64), np.uint64(0)), np.zeros(count, np.uint32)))
    fields.expect(wrong < 0, "nodes", f"record {wrong} has no path from a start")
    if not priced:  # in the order in which they were reached
        ordered = starts[: len(begun)].all() and (found["parent"][moved] < moved).all()
        fields.expect(ordered, "nodes", "they are not in the order in which they were reached")
    flags = flags & ~np.uint8(GOAL) | records.flags_of(nodes) & np.uint8(GOAL)
    if marked:
        moves = np.where(starts, NO_MOVE, moves).astype(np.uint16)
        records.nodes[nodes] = moves << MOVE_FROM | flags.astype(np.uint16) << FLAGS_AT | records.stamp
        if priced:
            records.store.costs[nodes] = found["g"]
    else:
        found["flags"], found["stamp"] = flags, records.stamp
        found["parent"][moved] = parents
        records.nodes[nodes] = found
    records.count, records.reached = count, int(np.count_nonzero(reached))


def _parents(records: Records, fields: Fields, nodes: Any, moves: Any, given: Any) -> Any:
    """Return the parents of nodes that were reached by these moves, which lead from the one to the other."""
    graph: Any = arrays_of(records.view.graph)
    if isinstance(graph, StencilArrays):
        fields.expect((moves < len(graph.offsets)).all(), "moves", "there is no such move")
        parents = nodes - graph.offsets[moves]
        inside = bool(((parents >= 0) & (parents < len(records.nodes))).all())
        fields.expect(inside and (given is None or (given == parents).all()), "moves", "a parent is wrong")
        leads = graph.masks[parents] >> moves & 1 != 0
    else:
        assert isinstance(graph, CSRArrays)
        parents = given.astype(np.int64)
        edges = graph.indptr[parents] + moves
        fields.expect((edges < graph.indptr[parents + 1]).all(), "moves", "there is no such move")
        leads = graph.indices[edges] == nodes
    fields.expect(leads.all(), "moves", "a move does not lead to its state")
    return parents
