"""Saving a compiled search by `corridor`, and checking it when it is read back: see `searchkit.compiled.kit.Fields`."""

from typing import Any

import numpy as np

from searchkit.compiled.kit import Fields
from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled.coarse import ADMITTED, OPENED, SEARCHED, VISITED
from searchkit_corridor.compiled.kernels import (
    CLOSED,
    COST,
    DEFERRED,
    GOAL,
    LAST_STAMP,
    MOVE,
    NEVER,
    REACHED,
    STAMP,
    STAMPED,
    START,
)
from searchkit_corridor.compiled.mask import Marked
from searchkit_corridor.compiled.store import FRONTIER, LOW, Store
from searchkit_corridor.compiled.waiting import ROOM, Waiting
from searchkit_corridor.search.frontier import PhaseReport

KINDS = ("corridor", "replan", "ring", "depth", "unrestricted")
MARKS = ADMITTED | VISITED | SEARCHED | OPENED
FLAGS = REACHED | DEFERRED | CLOSED
MOST = 1 << 62


def saved_search(run: Any) -> dict[str, Any]:
    """Return what a run holds, by name."""
    store, frontier, phases = run.store, run.frontier, run.frontier.phases
    counters, waiting = store.counters.copy(), store.waiting
    first, last, entered, entering = counters[FRONTIER].tolist()
    own = store.cells & (LAST_STAMP << STAMP) == counters[STAMPED] << STAMP
    cells = np.flatnonzero(own & (store.cells & (REACHED | DEFERRED) != 0))
    words = store.cells[cells]
    numbers = [
        (len(phase.opened), phase.regions, phase.depth or 0, phase.activated, phase.expanded, phase.generated,
         phase.reopened) for phase in phases
    ]  # fmt: skip
    blocks = [block for phase in phases for block in sorted(phase.opened)]
    return {
        "cells": cells.astype(np.uint32),
        "costs": (words >> COST).astype(np.int32),
        "moves": (words >> MOVE & START).astype(np.uint8),
        "flags": (words & FLAGS).astype(np.uint8),
        "counters": counters,
        "queue": store.queue[first:last],
        "level end": int(counters[kernels.END]) - first if run.reopens else 0,
        "entering": store.entering[entered:entering],
        "waiting": waiting.cells[: waiting.count],
        "regions in turn": np.array(list(waiting.turns), np.int64),
        "turns": np.array(list(waiting.turns.values()), np.int64),
        "next turn": int(waiting.next_turn),
        "marks": run.mask.marks,
        "phase kinds": [phase.kind for phase in phases],
        "phases": np.array(numbers, np.int64),
        "blocks opened": np.array(blocks, np.int64),
        "by depth": frontier.least_depth is not None,
        "opened": int(store.opened),
        "opened before": int(run.tree.details.get("regions opened", 0)),
        "before": np.array(run.before, np.int64),
        "bound": frontier.bound,
        "widenings": int(frontier.widenings),
        "fell back": bool(frontier.fell_back),
    }


def restore_search(run: Any, fields: Fields) -> None:
    """Let a fresh run continue from there. Raises `InputFormatError` if it is not a search of this problem."""
    store, frontier, tree = run.store, run.frontier, run.tree
    counters = fields.array("counters", np.int64, length=kernels.COUNTERS, below=MOST).copy()
    by_depth = fields.flag("by depth")
    fields.expect(by_depth == (store.depths is not None), "by depth", "it is not of this problem")
    phases = _phases(fields, len(store.marks), by_depth=by_depth)
    _restore_cells(run, fields, counters)
    _restore_waiting(run, fields, counters)
    _restore_queue(run, fields, counters)
    depth = phases[-1].depth
    store.ground = store.ground._replace(deep=store.deep(depth))
    store.opened, opened_before = fields.whole("opened"), fields.whole("opened before")
    before = fields.array("before", np.int64, length=2, below=MOST)
    run.before = int(before[0]), int(before[1])
    marks = fields.array("marks", np.uint8, length=len(store.marks), below=MARKS + 1).copy()
    run.mask = Marked(phases[-1].kind, marks, np.empty(0, np.int32), depth)
    frontier.phases, frontier.least_depth, frontier.deferred = phases, depth, store.waiting
    frontier.bound = tree.lower_bound = fields.number("bound")
    frontier.widenings, frontier.fell_back = fields.whole("widenings"), fields.flag("fell back")
    run.see_goal()
    if fields.flag("ended"):
        fields.expect(run.concludes(), "ended", "the search has not ended")
        fields.expect(tree.found == fields.flag("found"), "found", "the counters say something else")
    elif len(phases) > 1:  # what was reported at the end of the phase before
        at = {} if phases[-2].depth is None else {"depth": phases[-2].depth}
        fell_back = any(phase.kind == "unrestricted" for phase in phases[:-1])
        reported = {"regions opened": opened_before, "fall-back": fell_back, "phases": tuple(phases[:-1])}
        tree.details = {**at, **reported}


def _phases(fields: Fields, blocks: int, *, by_depth: bool) -> list[PhaseReport]:
    kinds = fields.texts("phase kinds")
    fields.expect(kinds and set(kinds) <= {*KINDS}, "phase kinds", "there is no such phase")
    numbers = fields.array("phases", np.int64, length=len(kinds), columns=7)
    opened = fields.array("blocks opened", np.int64, below=blocks).tolist()
    fields.expect((np.delete(numbers, 2, 1) >= 0).all(), "phases", "a counter is below 0")
    fields.expect(sum(numbers[:, 0].tolist()) == len(opened), "blocks opened", "their number is wrong")
    phases, at = [], 0
    for kind, (count, regions, depth, *rest) in zip(kinds, numbers.tolist(), strict=True):
        own = frozenset(opened[at : at + count])
        phases.append(PhaseReport(kind, own, regions, depth if by_depth else None, *rest))
        at += count
    return phases


def _restore_cells(run: Any, fields: Fields, counters: Any) -> None:
    """Write the words of the cells that were reached or deferred."""
    store = run.store
    size, offsets = len(store.cells), store.ground.offsets
    cells = fields.array("cells", np.uint32, below=size).astype(np.int64)
    count = len(cells)
    costs = fields.array("costs", np.int32, length=count, below=NEVER).astype(np.int64)
    moves = fields.array("moves", np.uint8, length=count).astype(np.int64)
    flags = fields.array("flags", np.uint8, length=count, below=FLAGS + 1).astype(np.int64)
    starts = moves == START
    same = np.array_equal(np.sort(cells[starts]), np.sort(run.planner.starts))
    fields.expect(same and not costs[starts].any(), "moves", "the starts are not those of this problem")
    fields.expect((flags & (REACHED | DEFERRED) != 0).all(), "flags", "a cell was not reached")
    fields.expect((moves[~starts] < len(offsets)).all(), "moves", "there is no such move")
    places = np.full(size, -1, np.int64)
    places[cells] = np.arange(count)
    fields.expect(np.array_equal(places[cells], np.arange(count)), "cells", "one is there twice")
    cells_moved, moves_made = cells[~starts], moves[~starts]
    parents = cells_moved - offsets[moves_made]
    fields.expect(((parents >= 0) & (parents < size)).all(), "moves", "a parent is outside the map")
    leads = (places[parents] >= 0) & (store.ground.steps[parents] >> moves_made & 1 != 0)
    above = places[parents]
    leads &= (flags[above] & REACHED != 0) & (costs[above] < costs[~starts])
    fields.expect(leads.all(), "moves", "a move does not lead to its cell")
    fields.expect(np.count_nonzero(flags & REACHED) == counters[kernels.CELLS], "counters", "CELLS is wrong")
    stamp = counters[STAMPED] = store.counters[STAMPED]
    goals = np.zeros(size, bool)
    goals[store.goals] = True
    own = np.where(goals[cells], GOAL, 0)
    store.cells[cells] = costs << COST | int(stamp) << STAMP | moves << MOVE | flags | own
    limit, goal, head = counters[[kernels.LIMIT, kernels.GOAL_CELL, kernels.HEAD]].tolist()
    fields.expect(max(goal, head) < size and limit <= NEVER, "counters", "a cell is outside the map")
    if limit < NEVER:
        word = int(store.cells[goal]) if places[goal] >= 0 else 0
        reached = bool(word & GOAL and word & REACHED) and word >> COST <= limit
        fields.expect(reached, "counters", "the goal was not reached")


def _restore_waiting(run: Any, fields: Fields, counters: Any) -> None:
    store = run.store
    cells = fields.array("waiting", np.int32, below=len(store.cells))
    fields.expect(len(cells) == counters[kernels.WAITING], "waiting", "their number is wrong")
    fields.expect((_words(store, counters, cells) & DEFERRED != 0).all(), "waiting", "a cell is not deferred")
    regions = fields.array("regions in turn", np.int64).tolist()
    turns = fields.array("turns", np.int64, length=len(regions)).tolist()
    waiting = Waiting(store.waiting.by_region, store.waiting.regions)
    waiting.put(cells)
    waiting.turns, waiting.next_turn = dict(zip(regions, turns, strict=True)), fields.whole("next turn")
    store.waiting = waiting


def _restore_queue(run: Any, fields: Fields, counters: Any) -> None:
    """Fill the queue, and the admitted cells that enter it later.

    A cell costs no more than its place in the queue says: else paths might become longer than their costs.
    """
    store = run.store
    queue = fields.array("queue", np.int32, below=len(store.cells))
    entering = fields.array("entering", np.int64, below=NEVER << COST)
    level, end = int(counters[kernels.LEVEL]), fields.whole("level end", most=len(queue))
    fields.expect(level < NEVER, "counters", "the level is too high")
    words = _words(store, counters, queue)
    fields.expect((words & REACHED != 0).all(), "queue", "a cell was not reached")
    if run.reopens:
        most = np.where(np.arange(len(queue)) < end, level, level + 1)
        fields.expect((words >> COST <= most).all(), "queue", "a cell costs more than the level")
    admitted, costs = entering & LOW, entering >> COST
    fields.expect((admitted < len(store.cells)).all(), "entering", "a cell is outside the map")
    words = _words(store, counters, admitted)
    valid = (words & REACHED != 0).all() and (words >> COST <= costs).all() and (np.diff(costs) >= 0).all()
    fields.expect(valid, "entering", "the costs are wrong")
    store.queue = np.concatenate([queue, np.empty(len(entering) + ROOM, np.int32)])
    store.entering = entering.copy()
    counters[FRONTIER] = 0, len(queue), 0, len(entering)
    counters[kernels.END] = end
    store.counters[:] = counters


def _words(store: Store, counters: Any, cells: Any) -> Any:
    """Return the words of cells, 0 for those of other searches."""
    words = store.cells[cells]
    return np.where(words & (LAST_STAMP << STAMP) == counters[STAMPED] << STAMP, words, 0)
