"""Saving what a kernel holds, and checking it when it is read back: a file may be damaged or somebody else's.

Records are saved as the nodes of a tree, in the order in which they were found, and are inserted again. Each number
that becomes an index, a length or a count is checked before a kernel sees it, and each state has to be that successor
of its parent's state, up to a start of the problem.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.fields import LARGEST, Fields, Pieces
from searchkit.compiled.kit.graph import NO_ARRIVAL_MOVE, arrays_of, begin, branching_of, step, table_of
from searchkit.compiled.kit.records import START_MOVE, Records
from searchkit.compiled.kit.state import are_same, state_array
from searchkit.compiled.kit.store import (
    CLOSED,
    DEAD,
    GOAL,
    IS_SEEN,
    NOBODY,
    ONE,
    SEEN,
    ZERO,
    cost_of,
    load_word,
    move_of,
    parent_of,
    state_of,
)

DONE = np.uint32(0xFFFFFFFF)


@compiled_function
def _climb(store: Any, first: Any, walks: Any) -> Any:
    """Walk from a node to its parents, up to a start or to one that is done; return the last node of the walk.

    Return `NOBODY` if a record can't be one of a search, or the walk comes back to itself. `walks` holds for each node
    on the walk the node before it, plus 1, and for the first one itself.
    """
    node = first
    walks[node] = np.uint32(node + ONE)
    while True:
        parent, cost = parent_of(store, node), cost_of(store, node)
        if parent == np.uint64(NOBODY):
            return node if cost == 0.0 else np.uint64(NOBODY)
        if parent >= np.uint64(walks.size) or load_word(store, parent) & IS_SEEN == ZERO:
            return np.uint64(NOBODY)
        if not cost_of(store, parent) <= cost < control.EXACT:
            return np.uint64(NOBODY)
        if walks[parent] == DONE:
            return node
        if walks[parent] != 0:
            return np.uint64(NOBODY)
        walks[parent] = np.uint32(node + ONE)
        node = parent


@kernel
def first_wrong_state(graph: Any, table: Any, store: Any, out_states: Any, out_costs: Any, walks: Any) -> Any:
    """Return the first node that was reached and is not what its record says, −1 if there is none.

    The nodes without a parent are known to be starts. The state of every other node has to be that successor of its
    parent's state; parents are looked at first, so that only states of the problem are expanded. `walks` holds a zero
    for each node.
    """
    expanded = np.uint64(NOBODY)
    begun = end = ZERO
    for first in range(np.uint64(walks.size)):
        if walks[first] != 0 or load_word(store, first) & IS_SEEN == ZERO:
            continue
        node = _climb(store, first, walks)
        if node == np.uint64(NOBODY):
            return np.int64(first)
        while True:
            parent, move = parent_of(store, node), move_of(store, load_word(store, node))
            if parent != np.uint64(NOBODY):
                state, found = state_of(store, parent), False
                if parent != expanded:
                    _, begun, end = begin(
                        graph, table, state, np.uint64(NO_ARRIVAL_MOVE), out_states, out_costs
                    )
                    expanded = parent
                at = begun
                while at != end:
                    number, successor, _, at = step(graph, state, begun, at, out_states, out_costs)
                    if np.uint64(number) == move:
                        found = are_same(successor, state_of(store, node))
                if not found:
                    return np.int64(first)
            before = np.uint64(walks[node]) - ONE
            walks[node] = DONE
            if node == first:
                break
            node = before
    return np.int64(-1)


def saved_records(records: Records) -> dict[str, Any]:
    """Return the nodes of a run by name: parents are given by their places in this order."""
    if records.hashed:
        count, nodes, places = records.count, np.empty(0, np.uint32), np.empty(0, np.uint32)
    else:
        nodes = records.having(SEEN | DEAD) if records.order is None else records.order
        count, places = len(nodes), np.full(records.size, NOBODY, np.uint32)
        places[nodes] = np.arange(count, dtype=np.uint32)

    def some(first: int, end: int) -> Any:
        return np.arange(first, end, dtype=np.uint32) if records.hashed else nodes[first:end]

    def parents(first: int, end: int) -> Any:
        at = some(first, end)
        found, reached = records.parents(at), records.flags_of(at) & SEEN != 0
        moved = reached & (found != NOBODY)
        found = np.where(moved, found, 0)
        return np.where(moved, found if records.hashed else places[found], NOBODY).astype(np.uint32)

    def moves(first: int, end: int) -> Any:
        return np.where(parents(first, end) != NOBODY, records.moves(some(first, end)), START_MOVE)

    def costs(first: int, end: int) -> Any:
        at = some(first, end)
        return np.where(records.flags_of(at) & SEEN != 0, records.costs(at), 0.0)

    return {
        "states": Pieces(count, lambda first, end: records.packed(some(first, end))),
        "flags": Pieces(count, lambda first, end: records.flags_of(some(first, end)) & ~np.uint8(GOAL)),
        "parents": Pieces(count, parents),
        "moves": Pieces(count, moves),
        "costs": Pieces(count, costs),
    }


def restore_records(records: Records, fields: Fields) -> None:
    """Insert saved nodes into the records of a fresh run, which has entered the starts.

    Raises `InputFormatError` if they are not those of a search of this problem.
    """
    view, begun = records.view, records.having(SEEN)
    states = fields.array("states", np.uint64, columns=None if view.words == 1 else view.words)
    count = len(states)
    flags = fields.array("flags", np.uint8, length=count, below=(SEEN | CLOSED | DEAD) + 1)
    parents = fields.array("parents", np.uint32, length=count)
    moves = fields.array("moves", np.int64, length=count)
    costs = fields.array("costs", np.float64, length=count, below=control.EXACT)
    starts = (flags & SEEN != 0) & (parents == NOBODY)
    fields.expect(((parents < count) | (parents == NOBODY)).all(), "parents", "there is no such node")
    fields.expect(
        ((moves >= 0) & (moves < branching_of(view.graph)) | (parents == NOBODY)).all(),
        "moves",
        "one is wrong",
    )
    if not records.hashed:
        inside = count == 0 or states.max() < records.size
        fields.expect(inside and len(np.unique(states)) == count, "states", "one is wrong, or there twice")
    same = np.array_equal(np.sort(states[starts], axis=0), np.sort(records.packed(begun), axis=0))
    fields.expect(same, "states", "the starts are not those of this problem")
    records.insert(states, flags, parents, moves, costs)
    walks = np.zeros(count if records.hashed else records.size, np.uint32)
    out = state_array(branching_of(view.graph), view.words), np.empty(branching_of(view.graph), np.float64)
    wrong = int(first_wrong_state(arrays_of(view.graph), table_of(view), records.store, *out, walks))
    fields.expect(wrong < 0, "states", f"node {wrong} is not that of a state of this problem")


def restored_counters(fields: Fields, records: Records, branching: int, found: bool) -> Any:
    """Return the counters of a search of a graph, whose records are restored; `found`: it stands at a goal."""
    counters = fields.array("counters", np.int64, length=control.COUNTERS, below=LARGEST).copy()
    known = int(counters[control.NODES]), int(counters[control.REACHED])
    same = known == (records.count, records.reached)
    fields.expect(same, "counters", "they do not agree with the records")
    used = [control.HEAD_NODE] if found else []
    used += [control.REOPENED_FROM] if counters[control.REOPENED] else []
    fields.expect(are_reached(records, counters[used]), "counters", "a state was not reached")
    moves = counters[[control.MOVE, control.REOPENED_BY]]
    fields.expect((moves < branching).all(), "counters", "there is no such move")
    if not are_reached(records, counters[[control.HEAD_NODE]]):
        counters[control.HEAD_NODE] = records.having(SEEN)[0]
    return counters


def are_reached(records: Records, nodes: Any) -> bool:
    """Whether all nodes of an array are nodes that were reached."""
    if not nodes.size:
        return True
    inside = nodes.min() >= 0 and nodes.max() < len(records.words)
    return bool(inside) and bool((records.flags_of(nodes) & SEEN != 0).all())
