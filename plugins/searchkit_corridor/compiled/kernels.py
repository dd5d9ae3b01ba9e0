"""Searching inside a mask as machine code: the same as `searchkit_corridor.search.expansion`, tie for tie."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import control
from searchkit_corridor.compiled.coarse import ADMITTED, VISITED

REACHED, DEFERRED, CLOSED, GOAL = 1, 2, 4, 8
"""Flags of a cell, the lowest bits of its word."""
MOVE, STAMP, COST = 8, 16, 32
"""Where in a cell's word the move that led there begins, the stamp of the search, and what it cost to get there. Where
the stamp is another search's, nothing is known of the cell."""
LAST_STAMP = 0xFFFF
START = 15
"""The move that leads to a start."""
GENERATED, EXPANDED, REOPENED, PEAK, CELLS, HEAD, FIRST, LAST, END, LEVEL, ENTERED, ENTERING = range(12)
WAITING, LIMIT, GOAL_CELL, STAMPED, COUNTERS = range(12, 17)
"""Places in the array of counters. HEAD is the cell that is next. The queue holds cells from FIRST up to LAST; with
reopening those up to END are at the cost LEVEL, and the others at one more. Of ENTERING cells that came in with the
mask, ENTERED have come to the queue. WAITING cells are deferred. The best path so far costs LIMIT and leads to
GOAL_CELL. STAMPED is the stamp of this search."""
OVER = control.EXHAUSTED
"""Why a slice ended, beside the reasons of all kernels: the phase is over."""
NEVER = 1 << 30
UNKNOWN, CLOSED_OFF = -1, -2
ONE, THREE = np.uint64(1), np.uint64(3)


class Ground(NamedTuple):
    """A grid and its blocks."""

    steps: Any
    """uint8, by cell: the moves that are open."""
    offsets: Any
    regions: Any
    """int32, by cell: its block."""
    deep: Any
    """uint8, by cell: whether it has the depth that is asked for; one number for all, where none is."""


class Far(NamedTuple):
    """What bounds the steps to a goal: king moves over blocks, and the rectangle around the goals."""

    distances: Any
    """int32, by block: king moves to a goal's block, `UNKNOWN` as yet, or `CLOSED_OFF` for what can't be entered.
    There is a row of blocks, and one more, before the first and after the last."""
    line: Any
    ends: Any
    """The blocks whose neighbours are still to be looked at, and where they begin and end."""
    stride: Any
    cell: Any
    diagonal: Any
    box: Any
    """Left, right, top and bottom."""


@compiled_function
def _to_go(far: Any, region: Any) -> Any:
    """Return what `BlockRegions.to_go` does, `NEVER` for infinity; look at as many blocks as that takes."""
    distances, line, row_length = far.distances, far.line, np.uint64(far.stride)
    head, tail = far.ends[0], far.ends[1]
    place = np.uint64(region) + row_length + ONE  # a row of blocks, and one more, stand before the first
    while distances[place] == UNKNOWN and head < tail:
        here = np.uint64(line[np.uint64(head)])
        head += 1
        further = distances[here] + 1
        there = here - row_length - ONE
        for _ in range(3):
            for _ in range(3):
                if distances[there] == UNKNOWN:
                    distances[there] = further
                    line[np.uint64(tail)] = there
                    tail += 1
                there += ONE
            there += row_length - THREE
    far.ends[0], far.ends[1] = head, tail
    distance = np.int64(distances[place])
    if distance < 0:
        return NEVER
    stride = far.stride
    y = region // stride
    x = region - y * stride
    across = max(far.box[0] - (x + 1) * far.cell + 1, x * far.cell - far.box[1], 0)
    down = max(far.box[2] - (y + 1) * far.cell + 1, y * far.cell - far.box[3], 0)
    return max((distance - 1) * far.cell + 1, max(across, down) if far.diagonal else across + down)


@compiled_function
def _let_in(entering: Any, queue: Any, counters: Any, level: Any, tail: Any) -> Any:
    """Put the cells that came in at this cost into the queue; return where it ends."""
    at = counters[ENTERED]
    while at < counters[ENTERING] and entering[at] >> COST == level:
        queue[tail] = entering[at] & 0xFFFFFFFF
        at += 1
        tail += 1
    counters[ENTERED] = at
    return tail


class Cells(NamedTuple):
    """What is known of the cells and blocks, and the cells that wait."""

    words: Any
    """A word for each cell."""
    marks: Any
    """A byte for each block."""
    queue: Any
    entering: Any
    """The cells that came in with the mask, each below its cost, sorted."""
    waiting: Any
    """The deferred cells."""


class Mode(NamedTuple):
    """What a phase does, each of them a bool."""

    masked: Any
    """Cells in blocks outside the mask are deferred."""
    by_depth: Any
    """Cells that are not as deep as asked for are deferred."""
    reopens: Any
    """Cells are expanded by cost, and again when they are reached more cheaply."""
    prune: Any
    """Cells are dropped if no path through them is shorter than the best one."""


@compiled_function
def _begin_level(cells: Any, counters: Any, head: Any, tail: Any, level: Any) -> Any:
    """Begin the next level of cost; return the ends of the queue and of the level, the level, and whether there is one.

    The cells at that cost are those in the queue and those that came in with the mask.
    """
    if tail > head:
        level += 1
    elif counters[ENTERED] < counters[ENTERING]:
        level = cells.entering[counters[ENTERED]] >> COST
        tail = _let_in(cells.entering, cells.queue, counters, level, tail)
    else:
        return tail, tail, level, False
    return _let_in(cells.entering, cells.queue, counters, level + 1, tail), tail, level, True


@compiled_function
def _reach(
    ground: Any, cells: Any, mode: Any, there: Any, g: Any, arrival: Any, stamp: Any, waits: Any
) -> Any:
    """Record an arrival at a cell, at the cost g; or defer the cell.

    Return whether the cell has to be queued, its word before, and the number of deferred cells.
    """
    known = cells.words[there]
    if known >> STAMP & LAST_STAMP != stamp:
        known = np.int64(0)
    if known & REACHED:
        if not mode.reopens or known >> COST <= g:
            return False, known, waits
    elif known & DEFERRED:
        if g < known >> COST:
            cells.words[there] = arrival | known & GOAL | DEFERRED
        return False, known, waits
    else:
        home = np.uint64(ground.regions[there])
        if (mode.masked and not cells.marks[home] & ADMITTED) or (mode.by_depth and not ground.deep[there]):
            cells.words[there] = arrival | known & GOAL | DEFERRED
            cells.waiting[waits] = there
            return False, known, waits + 1
        cells.marks[home] |= VISITED
    cells.words[there] = arrival | known & GOAL | REACHED
    return True, known, waits


@kernel
def search(
    ground: Any, far: Any, cells: Any, mode: Any, counters: Any, expansions: Any, most_steps: Any
) -> Any:
    """Expand up to `expansions` cells and stop before the next one; return the stop reason.

    The slice also ends after `most_steps` looks at a move.
    """
    words, queue = cells.words, cells.queue
    head, tail, end, level = counters[FIRST], counters[LAST], counters[END], counters[LEVEL]
    waits, limit, peak = counters[WAITING], counters[LIMIT], counters[PEAK]
    generated, reached, reopened = counters[GENERATED], counters[CELLS], counters[REOPENED]
    moves, stamp, expanded = ground.offsets.size, counters[STAMPED], 0
    why, left = OVER, (most_steps + moves - 1) // moves
    while True:
        if left <= 0:
            why = control.PAUSED
            break
        left -= 1
        if mode.reopens:
            if head == end:
                tail, end, level, found = _begin_level(cells, counters, head, tail, level)
                if not found:
                    break
            if level + 1 >= limit:
                head = end = tail
                counters[ENTERED] = counters[ENTERING]
                break
        elif head == tail or limit < NEVER:
            break
        here = np.int64(queue[head])
        g = words[here] >> COST
        if mode.reopens:
            g = level
            if words[here] & CLOSED or (
                mode.prune and limit < NEVER and level + _to_go(far, np.int64(ground.regions[here])) >= limit
            ):
                head += 1
                continue
        entering = counters[ENTERING] - counters[ENTERED]
        peak = max(peak, tail - head + entering)
        counters[HEAD] = here
        if expanded == expansions:
            why = control.WORKED
            break
        if tail + entering + moves > queue.size or waits + moves > cells.waiting.size:
            why = control.FULL
            break
        g += 1
        for move in range(moves):
            if not ground.steps[here] >> move & 1:
                continue
            generated += 1
            there = np.uint64(here + ground.offsets[move])
            arrival = g << COST | stamp << STAMP | move << MOVE
            is_queued, known, waits = _reach(ground, cells, mode, there, g, arrival, stamp, waits)
            if not is_queued:
                continue
            reached += (known & REACHED) == 0
            if known & GOAL:
                limit = g
                counters[GOAL_CELL] = there
                break
            reopened += (known & CLOSED) != 0
            queue[tail] = there
            tail += 1
        head += 1
        if mode.reopens:
            words[here] |= CLOSED
        expanded += 1
    counters[FIRST], counters[LAST], counters[END], counters[LEVEL] = head, tail, end, level
    counters[WAITING], counters[LIMIT], counters[PEAK] = waits, limit, peak
    counters[GENERATED], counters[CELLS], counters[REOPENED] = generated, reached, reopened
    counters[EXPANDED] = expanded
    return why


@kernel
def least_open_cost(ground: Any, far: Any, cells: Any, waiting: Any, by_depth: Any) -> Any:
    """Return the least cost that a path through a deferred cell may have, `NEVER` and more for infinity."""
    least = np.int64(NEVER)
    for place in waiting:
        if by_depth and not ground.deep[place]:
            continue
        g = cells[place] >> COST
        if g < least:
            least = min(least, g + _to_go(far, np.int64(ground.regions[place])))
    return least


@kernel
def trace(cells: Any, offsets: Any, here: Any, path: Any, taken: Any) -> Any:
    """Write the way to a cell backwards, and the moves on it; return how many there are."""
    count = 0
    path[0] = here
    while cells[here] >> MOVE & START != START:
        move = cells[here] >> MOVE & START
        here -= offsets[move]
        taken[count] = move
        count += 1
        path[count] = here
    return count
