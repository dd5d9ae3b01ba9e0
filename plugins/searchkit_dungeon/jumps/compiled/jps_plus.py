"""`jps+` as machine code: same path and same counters as `searchkit_dungeon.jumps.jps_plus`, tie for tie."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import control, heap
from searchkit_dungeon.jumps.compiled.arrivals import Arrivals, Workspace
from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, LENGTH
from searchkit_dungeon.jumps.compiled.driving import (
    COUNT,
    EXPANDED,
    GENERATED,
    HEAD,
    MOST,
    PEAK,
    REACHED,
    SIZE,
    JumpingSearch,
)
from searchkit_dungeon.jumps.compiled.heap import AT, Openings
from searchkit_dungeon.jumps.compiled.tabled import (
    Goals,
    aim,
    estimate,
    ground_of,
    nearest_goal,
    prepare,
    run,
)
from searchkit_dungeon.jumps.table import LANDMARKS, damaged

DAMAGED = 100
"""The stop reason if a run leads off the map: another process has changed the table after its check."""


@kernel
def _search(
    ground: Any, goals: Any, slots: Any, records: Any, queue: Any, counters: Any, least: Any, expansions: Any,
    most_steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` jump points and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses the last of `most_steps`.
    """
    size, count, expanded = counters[SIZE], counters[COUNT], 0
    generated, reached, peak = counters[GENERATED], counters[REACHED], counters[PEAK]
    stride, why, left = ground.stride, control.EXHAUSTED, np.int64(most_steps)
    last = AT(slots.size - stride)  # the cells from here on are the wall below the map
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        left -= 1
        node = queue.entries[0].node
        here = np.int64(records[node].cell)
        if slots[AT(here)] != node:  # a cheaper path to it was found since
            size = heap.pop(queue, size)
            continue
        least[0], counters[HEAD] = queue.entries[0].f, here
        y = here // stride
        x = here - y * stride
        nearest = nearest_goal(goals, x, y)
        if nearest == 0:
            for number in range(goals.places.shape[0]):
                if goals.places[number, 0] == x and goals.places[number, 1] == y:
                    why = control.FOUND
        if why == control.FOUND:
            break
        peak = max(peak, size)
        if expanded == expansions:
            why = control.WORKED
            break
        if size + MOST > queue.entries.size or count + MOST > records.size:
            why = control.FULL
            break
        replaced = False
        direction = np.int64(records[node].direction)
        directions = ground.onward[AT(256 * direction + ground.around[AT(64 * here + 48)])]
        while directions:
            code = np.int64(directions & np.uint32(15)) - 1
            directions >>= np.uint32(4)
            steps = run(ground, goals, nearest, x, y, code)
            if steps <= 0:
                continue
            generated += 1
            left -= goals.places.shape[0]
            end_x, end_y = x + steps * AHEAD_X[AT(code)], y + steps * AHEAD_Y[AT(code)]
            end, g = end_y * stride + end_x, records[node].g + steps * LENGTH[AT(code)]
            if AT(end_x) >= AT(stride - 1) or AT(end) >= last:  # another process has changed the table
                why = DAMAGED
                break
            known = slots[AT(end)]
            if known < count and records[known].cell == end:
                if records[known].g <= g:
                    continue
            else:
                reached += 1
            record = records[AT(count)]
            record.g, record.cell = g, end
            record.steps, record.direction, record.closed = steps, code, 0
            slots[AT(end)] = count
            f = g + estimate(ground, goals, end_x, end_y)
            if replaced:
                size = heap.push(queue, size, (f, AT(count)))
            else:
                heap.sift_down(queue, size, (f, AT(count)))
                replaced = True
            count += 1
            prepare(ground, slots, end, code)
        if why == DAMAGED:
            break
        if not replaced:
            size = heap.pop(queue, size)
        records[node].closed = 1
        expanded += 1
        left -= goals.places.shape[0]
    counters[SIZE], counters[COUNT], counters[EXPANDED] = size, count, expanded
    counters[GENERATED], counters[REACHED], counters[PEAK] = generated, reached, peak
    return why


class JumpPointSearchPlus(JumpingSearch):
    """`jps+`, compiled."""

    def __init__(self, problem: Any, tree: Any):
        super().__init__(problem, tree)
        table = problem.jump_table()
        self.jumps, self.is_damaged = table, False
        self.ground = ground_of(self.terrain, problem.corners, table)
        places = np.array(problem.goals, np.int64).reshape(-1, 2)
        self.goals = Goals(places, np.empty(LANDMARKS, np.int64), np.empty(LANDMARKS, np.int64), self.sides)
        masks = self.terrain.steps(8, problem.corners).masks
        self.arrivals = Arrivals(self.terrain, masks, "jps+", lambda: Workspace(self.terrain))
        self.begin()

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        if self.is_damaged:  # an expansion was broken off
            return DAMAGED, 0
        space = self.arrivals.space
        why = _search(
            self.ground,
            self.goals,
            space.slots,
            space.records,
            Openings(space.heap),
            self.counters,
            self.least,
            expansions,
            self.steps,
        )
        return int(why), int(self.counters[EXPANDED])

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice. Raises `InputFormatError` if the table was changed after its check."""
        if why == DAMAGED:
            self.is_damaged = True
            raise damaged()
        self.jumps.check_unchanged()
        return super().handle(why)

    def enter(self, starts: list[Any]) -> None:
        """Enter the starts into the arrays."""
        space, counters = self.arrivals.space, self.counters
        while len(space.heap) < len(starts):
            space.grow_at_once()
        cells = np.array(starts, np.int64).reshape(-1, 2)
        aim(self.ground, self.goals, cells, space.slots, space.records, Openings(space.heap), counters)
        self.arrivals.count = self.arrivals.reached = len(starts)
