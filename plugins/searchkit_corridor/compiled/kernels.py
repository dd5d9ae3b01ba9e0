"""Searching inside a mask as machine code: the same as `searchkit_corridor.search.expansion`, tie for tie."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import control
from searchkit_corridor.compiled.coarse import ADMITTED, VISITED

REACHED, DEFERRED, CLOSED, GOAL = 1, 2, 4, 8
"""Flags of a cell, the lowest bits of its word."""
MOVE, STAMP, COST = 8, 16, 32
"""Where the move that led to a cell, the stamp of the search, and the cost so far begin in the cell's word. If the
stamp is that of another search, the cell has not been reached."""
LAST_STAMP = 0xFFFF
START = 15
"""The move of a start."""
GENERATED, EXPANDED, REOPENED, PEAK, CELLS, HEAD, FIRST, LAST, END, LEVEL, ENTERED, ENTERING = range(12)
WAITING, LIMIT, GOAL_CELL, STAMPED, COUNTERS = range(12, 17)
"""Indices into the array of counters. HEAD is the next cell. The queue holds the cells from FIRST up to LAST; with
reopening, those up to END have the cost LEVEL, and the others cost one more. Of the ENTERING cells, which the mask has
admitted, ENTERED are in the queue. WAITING cells are deferred. The best path so far costs LIMIT and leads to GOAL_CELL.
STAMPED is the stamp of this search."""
OVER = control.EXHAUSTED
"""A stop reason in addition to those of all kernels: the phase is over."""
NEVER = 1 << 30
UNKNOWN, CLOSED_OFF = -1, -2
ONE, THREE = np.uint64(1), np.uint64(3)


class Ground(NamedTuple):
    """A grid and its blocks."""

    steps: Any
    """uint8, by cell: the open moves."""
    offsets: Any
    regions: Any
    """int32, by cell: its block."""
    deep: Any
    """uint8, by cell: whether the cell is deep enough; one number for all cells without depths."""


class Far(NamedTuple):
    """The bounds of the steps to a goal: king moves over blocks, and the rectangle around the goals."""

    distances: Any
    """int32, by block: king moves to a goal's block; `UNKNOWN`, or `CLOSED_OFF` for blocks that can't be entered.

    One row of blocks and one more block precede the first block and follow the last.
    """
    line: Any
    ends: Any
    """The blocks whose neighbours are not visited yet, and the two ends of this queue."""
    stride: Any
    cell: Any
    diagonal: Any
    box: Any
    """Left, right, top and bottom."""


@compiled_function
def _to_go(far: Any, region: Any) -> Any:
    """Return the value of `BlockRegions.to_go`, `NEVER` for infinity; visit no more blocks than that takes."""
    distances, line, row_length = far.distances, far.line, np.uint64(far.stride)
    head, tail = far.ends[0], far.ends[1]
    place = np.uint64(region) + row_length + ONE  # one row of blocks and one more precede the first block
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
    """Append the admitted cells of this cost to the queue; return the new end."""
    at = counters[ENTERED]
    while at < counters[ENTERING] and entering[at] >> COST == level:
        queue[tail] = entering[at] & 0xFFFFFFFF
        at += 1
        tail += 1
    counters[ENTERED] = at
    return tail


# One long function: with its arrays and flags in two `NamedTuple`s, and a separate function that enters a cell,
# the variant `proved` took 28 % more CPU time on a grid of 700 x 700 cells, a fifth of them walls.
@kernel
def search(
    ground: Any,
    far: Any,
    cells: Any,
    marks: Any,
    queue: Any,
    entering: Any,
    waiting: Any,
    counters: Any,
    masked: Any,
    by_depth: Any,
    reopens: Any,
    prune: Any,
    expansions: Any,
    most_steps: Any,
) -> Any:
    """Expand up to `expansions` cells and stop before the next one; return the stop reason.

    The slice also ends after `most_steps` steps; looking at one move of a cell is a step.

    `cells` holds a word for each cell, `marks` a byte for each block, `waiting` the deferred cells, `entering` the
    cells that the mask has admitted, each with its cost, sorted by cost.
    """
    steps, offsets, regions, deep = ground
    head, tail, end, level = counters[FIRST], counters[LAST], counters[END], counters[LEVEL]
    waits, limit, peak = counters[WAITING], counters[LIMIT], counters[PEAK]
    generated, reached, reopened = counters[GENERATED], counters[CELLS], counters[REOPENED]
    moves, stamp, expanded = offsets.size, counters[STAMPED], 0
    why, left = OVER, (most_steps + moves - 1) // moves
    while True:
        if left <= 0:
            why = control.PAUSED
            break
        left -= 1
        if reopens:
            if head == end:
                if tail > head:
                    level += 1
                elif counters[ENTERED] < counters[ENTERING]:
                    level = entering[counters[ENTERED]] >> COST
                    tail = _let_in(entering, queue, counters, level, tail)
                else:
                    break
                end = tail
                tail = _let_in(entering, queue, counters, level + 1, tail)
            if level + 1 >= limit:
                head = end = tail
                counters[ENTERED] = counters[ENTERING]
                break
        elif head == tail or limit < NEVER:
            break
        here = np.int64(queue[head])
        word = cells[here]
        g = word >> COST
        if reopens:
            g = level
            if word & CLOSED or (
                prune and limit < NEVER and level + _to_go(far, np.int64(regions[here])) >= limit
            ):
                head += 1
                continue
        peak = max(peak, tail - head + counters[ENTERING] - counters[ENTERED])
        counters[HEAD] = here
        if expanded == expansions:
            why = control.WORKED
            break
        if tail + counters[ENTERING] - counters[ENTERED] + moves > queue.size or waits + moves > waiting.size:
            why = control.FULL
            break
        g += 1
        for move in range(moves):
            if not steps[here] >> move & 1:
                continue
            generated += 1
            there = np.uint64(here + offsets[move])
            known = cells[there]
            if known >> STAMP & LAST_STAMP != stamp:
                known = 0
            arrival = g << COST | stamp << STAMP | move << MOVE
            if known & REACHED:
                if not reopens or known >> COST <= g:
                    continue
            elif known & DEFERRED:
                if g < known >> COST:
                    cells[there] = arrival | known & GOAL | DEFERRED
                continue
            else:
                home = np.uint64(regions[there])
                if (masked and not marks[home] & ADMITTED) or (by_depth and not deep[there]):
                    cells[there] = arrival | known & GOAL | DEFERRED
                    waiting[waits] = there
                    waits += 1
                    continue
                marks[home] |= VISITED
                reached += 1
            cells[there] = arrival | known & GOAL | REACHED
            if known & GOAL:
                limit = g
                counters[GOAL_CELL] = there
                break
            reopened += (known & CLOSED) != 0
            queue[tail] = there
            tail += 1
        head += 1
        if reopens:
            cells[here] |= CLOSED
        expanded += 1
    counters[FIRST], counters[LAST], counters[END], counters[LEVEL] = head, tail, end, level
    counters[WAITING], counters[LIMIT], counters[PEAK] = waits, limit, peak
    counters[GENERATED], counters[CELLS], counters[REOPENED] = generated, reached, reopened
    counters[EXPANDED] = expanded
    return why


@kernel
def least_open_cost(ground: Any, far: Any, cells: Any, waiting: Any, by_depth: Any) -> Any:
    """Return the least cost of a path through a deferred cell; at least `NEVER` for infinity."""
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
    """Write the path to a cell backwards, and its moves; return the number of moves."""
    count = 0
    path[0] = here
    while cells[here] >> MOVE & START != START:
        move = cells[here] >> MOVE & START
        here -= offsets[move]
        taken[count] = move
        count += 1
        path[count] = here
    return count
