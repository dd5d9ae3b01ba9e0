"""`jps` as machine code: same path and same counters as `searchkit_dungeon.jumps.jps`, tie for tie."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import control, heap
from searchkit_dungeon.jumps.compiled.arrivals import Arrivals
from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, LENGTH, PARTS, START, onward
from searchkit_dungeon.jumps.compiled.driving import (
    COUNT,
    EXPANDED,
    GENERATED,
    HEAD,
    LEFT,
    MOST,
    PEAK,
    PUSHED,
    REACHED,
    SIZE,
    JumpingSearch,
    octile,
)
from searchkit_dungeon.jumps.compiled.heap import AT, Openings
from searchkit_dungeon.jumps.compiled.stops import JumpSpace, kept, straight
from searchkit_dungeon.terrain import Terrain


class Ground(NamedTuple):
    """A terrain with one rule for corners."""

    weights: Any
    masks: Any
    """Cell → the possible steps, bit i for direction i."""
    around: Any
    """Cell → the open cells around it, in the same form."""
    onward: Any
    stride: Any
    longest: Any
    """The largest length of a run, in steps."""


@compiled_function
def _diagonal(ground: Any, stops: Any, goals: Any, x: Any, y: Any, code: Any, counters: Any) -> Any:
    """Return the number of steps to the next jump point in a diagonal direction; 0 if there is none."""
    dx, dy = AHEAD_X[AT(code)], AHEAD_Y[AT(code)]
    across, along = PARTS[AT(code - 4), 0], PARTS[AT(code - 4), 1]
    steps = 0
    while ground.masks[AT(y * ground.stride + x)] >> code & 1:
        x, y, steps = x + dx, y + dy, steps + 1
        here = y * ground.stride + x
        if (
            goals[AT(here)]
            or ground.onward[AT(256 * code + ground.around[AT(here)])] >> np.uint32(12)  # a forced neighbour
            or straight(stops, ground.weights, ground.stride, x, y, across)
            or straight(stops, ground.weights, ground.stride, x, y, along)
        ):
            counters[LEFT] -= steps
            return steps
    counters[LEFT] -= steps
    return 0


@compiled_function
def _enter(
    slots: Any, records: Any, here: Any, g: Any, offset: Any, code: Any, steps: Any, counters: Any
) -> Any:
    """Enter the cells of a run; return whether none of them is known to be reached more cheaply."""
    for _ in range(steps):
        here += offset
        g += LENGTH[AT(code)]
        known, count = slots[AT(here)], counters[COUNT]
        if known < count and records[known].cell == here:
            if records[known].g < g:
                return False
            if records[known].g > g:
                records[known].g, records[known].direction = g, code
            continue
        record = records[AT(count)]
        record.g, record.cell, record.steps, record.direction, record.closed = g, here, 1, code, 0
        slots[AT(here)] = count
        counters[COUNT] += 1
    return True


@kernel
def _search(
    ground: Any, stops: Any, goals: Any, sides: Any, slots: Any, records: Any, pushes: Any, queue: Any,
    counters: Any, least: Any, expansions: Any, most_steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` jump points and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses the last of `most_steps`.
    """
    size, pushed, expanded = counters[SIZE], counters[PUSHED], 0
    stride, why = ground.stride, control.EXHAUSTED
    counters[LEFT] = most_steps
    while size > 0:
        if counters[LEFT] <= 0:
            why = control.PAUSED
            break
        counters[LEFT] -= 1
        entry = pushes[queue.entries[0].node]
        here, g = np.int64(entry.cell), entry.g
        arrival = records[slots[AT(here)]]
        if arrival.closed or g > arrival.g:
            size = heap.pop(queue, size)
            continue
        least[0], counters[HEAD] = queue.entries[0].f, here
        if goals[AT(here)]:
            why = control.FOUND
            break
        counters[PEAK] = max(counters[PEAK], size)
        if expanded == expansions:
            why = control.WORKED
            break
        room = min(pushes.size - pushed, queue.entries.size - size)
        if room < MOST or counters[COUNT] + MOST * ground.longest > records.size:
            why = control.FULL
            break
        y = here // stride
        x = here - y * stride
        replaced = False
        directions = ground.onward[AT(256 * np.int64(entry.direction) + ground.around[AT(here)])]
        while directions:
            code = np.int64(directions & np.uint32(15)) - 1
            directions >>= np.uint32(4)
            if code < 4:
                steps = straight(stops, ground.weights, stride, x, y, code)
            else:
                steps = _diagonal(ground, stops, goals, x, y, code, counters)
            if steps == 0:
                continue
            counters[GENERATED] += 1
            counters[LEFT] -= steps
            end_x, end_y = x + steps * AHEAD_X[AT(code)], y + steps * AHEAD_Y[AT(code)]
            end, end_g = end_y * stride + end_x, g + steps * LENGTH[AT(code)]
            known = slots[AT(end)]
            reached = known < counters[COUNT] and records[known].cell == end
            if reached and records[known].closed and records[known].g <= end_g:
                continue
            offset = AHEAD_Y[AT(code)] * stride + AHEAD_X[AT(code)]
            if not _enter(slots, records, here, g, offset, code, steps, counters):
                continue
            record = pushes[AT(pushed)]
            record.g, record.cell, record.direction = end_g, end, code
            f = end_g + octile(sides, end_x, end_y)
            if replaced:
                size = heap.push(queue, size, (f, AT(pushed)))
            else:
                heap.sift_down(queue, size, (f, AT(pushed)))
                replaced = True
            pushed += 1
        if not replaced:
            size = heap.pop(queue, size)
        arrival.closed = 1
        expanded += 1
    counters[SIZE], counters[PUSHED], counters[EXPANDED] = size, pushed, expanded
    counters[REACHED] = counters[COUNT]
    return why


class JumpPointSearch(JumpingSearch):
    """`jps`, compiled."""

    def __init__(self, problem: Any, tree: Any):
        super().__init__(problem, tree)
        problem.jump_map()  # raises what is wrong with the problem
        corners = problem.corners
        self.ground = kept(self.terrain, "ground", corners, _ground)
        masks = self.terrain.steps(8, corners).masks
        self.arrivals = Arrivals(
            self.terrain, masks, f"jps {corners}", lambda: JumpSpace(self.terrain, corners)
        )
        self.arrivals.space.mark(problem.goals)
        self.begin()

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        space = self.arrivals.space
        why = _search(
            self.ground, space.stops, space.goals, self.sides, space.slots, space.records, space.pushes,
            Openings(space.heap), self.counters, self.least, expansions, self.steps,
        )  # fmt: skip
        return int(why), int(self.counters[EXPANDED])

    def enter(self, starts: list[Any]) -> None:
        """Enter the starts into the arrays."""
        arrivals, space, entries = self.arrivals, self.arrivals.space, []
        while len(space.pushes) < len(starts):
            space.grow_at_once()
        for number, cell in enumerate(starts):
            arrivals.enter(cell)
            space.pushes[number] = 0, arrivals.number(cell), START
            entries.append((self.problem.heuristic(cell), number))
        space.fill(entries)
        self.counters[SIZE] = self.counters[PUSHED] = len(entries)


def _ground(terrain: Terrain, corners: str) -> Ground:
    return Ground(
        np.frombuffer(terrain.weights, np.uint8),
        np.frombuffer(terrain.steps(8, corners).masks, np.uint8),
        np.frombuffer(terrain.steps(8, "cut").masks, np.uint8),
        onward(corners),
        terrain.stride,
        max(terrain.width, terrain.height),
    )
