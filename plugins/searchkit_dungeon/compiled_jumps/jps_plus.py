"""`jps+` as machine code: same path and same counters as `searchkit_dungeon.jps_plus`, tie for tie."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiling import compiled_function, kernel
from searchkit_dungeon.compiled_jumps.arrivals import Arrivals, Workspace
from searchkit_dungeon.compiled_jumps.compass import AHEAD_X, AHEAD_Y, LENGTH, PARTS, onward
from searchkit_dungeon.compiled_jumps.driving import (
    COUNT,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    GENERATED,
    HEAD,
    MOST,
    PEAK,
    REACHED,
    SIZE,
    WORKED,
    JumpingSearch,
    octile,
)
from searchkit_dungeon.compiled_jumps.heap import AT, pop, push, replace
from searchkit_dungeon.compiled_jumps.machine import prefetch
from searchkit_dungeon.jps import enter_starts
from searchkit_dungeon.jump_table import LANDMARKS, MOST_STEPS
from searchkit_dungeon.moves import DIAGONAL
from searchkit_dungeon.terrain import Terrain


class Ground(NamedTuple):
    """A terrain with its table."""

    runs: Any
    distances: Any
    around: Any
    """The table's memory, as numbers of 16 and 32 bits and as bytes."""
    onward: Any
    stride: Any


class Goals(NamedTuple):
    """The goals, and what the heuristic knows of them."""

    places: Any
    """x and y of each."""
    intervals: Any
    """For each landmark, the least and the largest distance of a goal."""
    sides: Any
    """Left, right, top, bottom of each rectangle."""


@compiled_function
def _run(ground: Any, goals: Any, x: Any, y: Any, code: Any) -> Any:
    """Return after how many steps in a direction there is a jump point; 0 or less where there is none."""
    stride, dx, dy = ground.stride, AHEAD_X[AT(code)], AHEAD_Y[AT(code)]
    here = y * stride + x
    steps = np.int64(ground.runs[AT(32 * here + code)])
    for number in range(goals.places.shape[0]):
        reach = abs(steps)
        across, down = goals.places[number, 0] - x, goals.places[number, 1] - y
        columns, rows = across * dx, down * dy
        if code < 4:
            ahead = columns + rows
            if 0 < ahead <= reach and across == ahead * dx and down == ahead * dy:
                steps = ahead
        else:
            ahead, rest = min(columns, rows), max(columns, rows)
            if 0 < ahead <= reach:
                corner = here + ahead * (dy * stride + dx)
                straight_on = PARTS[code - 4, 0 if columns > rows else 1]
                if rest - ahead <= abs(np.int64(ground.runs[AT(32 * corner + straight_on)])):
                    steps = ahead
    return steps


@compiled_function
def _estimate(ground: Any, goals: Any, x: Any, y: Any) -> Any:
    """Return the larger of the octile distance to the nearest goal and of the landmarks' bound."""
    estimate = octile(goals.sides, x, y)
    first = 16 * (y * ground.stride + x) + 4
    for landmark in range(LANDMARKS):
        steps = ground.distances[AT(first + landmark)]
        distance = np.float64(steps >> np.uint32(16)) + np.float64(steps & np.uint32(MOST_STEPS)) * DIAGONAL
        estimate = max(
            estimate, goals.intervals[AT(landmark), 0] - distance, distance - goals.intervals[AT(landmark), 1]
        )
    return estimate


@compiled_function
def _prepare(ground: Any, slots: Any, here: Any, direction: Any) -> None:
    """Ask for the memory that expanding a cell will need."""
    directions = ground.onward[AT(256 * direction + ground.around[AT(64 * here + 48)])]
    while directions:
        code = np.int64(directions & np.uint32(15)) - 1
        directions >>= np.uint32(4)
        steps = np.int64(ground.runs[AT(32 * here + code)])
        if steps > 0:
            end = here + steps * (AHEAD_Y[AT(code)] * ground.stride + AHEAD_X[AT(code)])
            prefetch(ground.around, 64 * end)
            prefetch(slots, end)


@kernel
def _search(
    ground: Any, goals: Any, slots: Any, records: Any, heap: Any, counters: Any, least: Any, expansions: Any
) -> Any:
    """Expand up to `expansions` jump points, and stop at the one to be expanded next; return why the slice ended."""
    size, count, expanded = counters[SIZE], counters[COUNT], 0
    stride, why = ground.stride, EXHAUSTED
    while size > 0:
        node = heap[0].node
        here = np.int64(records[node].cell)
        if slots[AT(here)] != node:  # a cheaper way there was found since
            size = pop(heap, size)
            continue
        least[0], counters[HEAD] = heap[0].f, here
        y = here // stride
        x = here - y * stride
        for number in range(goals.places.shape[0]):
            if goals.places[number, 0] == x and goals.places[number, 1] == y:
                why = FOUND
        if why == FOUND:
            break
        counters[PEAK] = max(counters[PEAK], size)
        if expanded == expansions:
            why = WORKED
            break
        if size + MOST > heap.size or count + MOST > records.size:
            why = FULL
            break
        replaced = False
        directions = ground.onward[AT(256 * records[node].direction + ground.around[AT(64 * here + 48)])]
        while directions:
            code = np.int64(directions & np.uint32(15)) - 1
            directions >>= np.uint32(4)
            steps = _run(ground, goals, x, y, code)
            if steps <= 0:
                continue
            counters[GENERATED] += 1
            end_x, end_y = x + steps * AHEAD_X[AT(code)], y + steps * AHEAD_Y[AT(code)]
            end, g = end_y * stride + end_x, records[node].g + steps * LENGTH[AT(code)]
            known = slots[AT(end)]
            if known < count and records[known].cell == end:
                if records[known].g <= g:
                    continue
            else:
                counters[REACHED] += 1
            record = records[AT(count)]
            record.g, record.cell = g, end
            record.steps, record.direction, record.closed = steps, code, 0
            slots[AT(end)] = count
            f = g + _estimate(ground, goals, end_x, end_y)
            if replaced:
                size = push(heap, size, f, count)
            else:
                replace(heap, size, f, count)
                replaced = True
            count += 1
            _prepare(ground, slots, end, code)
        if not replaced:
            size = pop(heap, size)
        records[node].closed = 1
        expanded += 1
    counters[SIZE], counters[COUNT], counters[EXPANDED] = size, count, expanded
    return why


class JumpPointSearchPlus(JumpingSearch):
    """`jps+`, compiled."""

    def __init__(self, problem: Any, tree: Any):
        super().__init__(problem, tree)
        table = problem.jump_table()
        self.ground = _ground(self.terrain, problem.corners, table)
        self.intervals = table.intervals([y * self.terrain.stride + x for x, y in problem.goals])
        places = np.array(problem.goals, np.int64).reshape(-1, 2)
        self.goals = Goals(places, np.array(self.intervals), self.sides)
        self.arrivals = Arrivals(self.terrain, "jps+", lambda: Workspace(self.terrain))
        if tree.frontier is None:
            self._begin(problem, table)
        else:
            self._adopt()
        self.show_tree()

    def slice(self, expansions: int) -> int:
        """Expand up to so many jump points; return why that ended."""
        space = self.arrivals.space
        return int(
            _search(
                self.ground, self.goals, space.slots, space.records, space.heap, self.counters, self.least, expansions
            )
        )  # fmt: skip

    def _begin(self, problem: Any, table: Any) -> None:
        arrivals, entries = self.arrivals, []
        for start in enter_starts(problem, self.tree):
            f = max(problem.heuristic(start), table.bound(arrivals.number(start), self.intervals))
            entries.append((f, arrivals.enter(start, (0, None, None))))
        arrivals.space.fill(entries)
        self.counters[SIZE] = len(entries)

    def _adopt(self) -> None:
        """Make records of what the engine in Python has, the frontier's last, in the order in which it was made."""
        tree, arrivals = self.tree, self.arrivals
        frontier = sorted(tree.frontier, key=lambda entry: -entry[1])
        for cell in tree.reached.keys() - ({cell for _, _, cell, _ in frontier} - tree.closed):
            arrivals.enter(cell, tree.reached[cell])
        arrivals.space.records["closed"][: arrivals.count] = 1
        entries = []
        for f, _, cell, _ in frontier:
            superseded = arrivals.node(cell) if cell in tree.closed else None
            entries.append((f, arrivals.enter(cell, tree.reached[cell])))
            if superseded is not None:
                arrivals.space.slots[arrivals.number(cell)] = superseded
        arrivals.space.fill(entries)
        self.counters[SIZE] = len(entries)


def _ground(terrain: Terrain, corners: str, table: Any) -> Ground:
    """Return the arrays of a terrain, made once for each."""
    name = "compiled table", corners
    if name not in terrain.kept:
        data = np.frombuffer(table.data, np.uint8)
        data.flags.writeable = False
        views = data.view(np.int16), data.view(np.uint32), data
        terrain.kept[name] = Ground(*views, onward(corners), terrain.stride)
    ground: Ground = terrain.kept[name]
    return ground
