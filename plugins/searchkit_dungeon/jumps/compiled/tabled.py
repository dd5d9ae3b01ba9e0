"""A terrain with its table, and the goals of a search, for machine code."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import heap, prefetch
from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, PARTS, START, onward
from searchkit_dungeon.jumps.compiled.driving import COUNT, REACHED, SIZE, octile
from searchkit_dungeon.jumps.compiled.heap import AT
from searchkit_dungeon.jumps.table import LANDMARKS, MOST_STEPS
from searchkit_dungeon.terrain import DIAGONAL, Terrain


class Ground(NamedTuple):
    """A terrain with its table."""

    runs: Any
    distances: Any
    around: Any
    """The table's memory, as numbers of 16 and 32 bits and as bytes."""
    onward: Any
    stride: Any


class Goals(NamedTuple):
    """The goals, and what the heuristic needs of them."""

    places: Any
    """x and y of each."""
    middles: Any
    """For each landmark, the middle of the interval of the goals' distances, in 2⁻³¹ of a step."""
    halves: Any
    """Half the length of that interval."""
    sides: Any
    """Left, right, top, bottom of each rectangle."""


FINE = 2**31
"""The distances of landmarks are multiples of 1 / FINE of a step. (Integers are compared eight at a time.)"""
STRAIGHT_STEP, DIAGONAL_STEP = FINE, int(FINE * DIAGONAL)
FARTHEST = 2**18
"""More than any distance in a table."""


@compiled_function
def run(ground: Any, goals: Any, nearest: Any, x: Any, y: Any, code: Any) -> Any:
    """Return the number of steps to the next jump point in a direction; 0 or less if there is none.

    All goals are at least `nearest` rows or columns away: if the run is shorter than that, it passes no goal.
    """
    here = y * ground.stride + x
    steps = np.int64(ground.runs[AT(32 * here + code)])
    if nearest <= abs(steps):
        for number in range(goals.places.shape[0]):
            stop = _stop(
                ground, goals.places[number, 0] - x, goals.places[number, 1] - y, here, code, abs(steps)
            )
            if stop:
                steps = stop
    return steps


@compiled_function
def _stop(ground: Any, across: Any, down: Any, here: Any, code: Any, reach: Any) -> Any:
    """Return after how many steps, at most `reach`, a run stops for a goal; 0 if it does not."""
    dx, dy = AHEAD_X[AT(code)], AHEAD_Y[AT(code)]
    columns, rows = across * dx, down * dy
    if code < 4:
        steps = columns + rows
        return steps if 0 < steps <= reach and across == steps * dx and down == steps * dy else 0
    steps, rest = min(columns, rows), max(columns, rows)
    if not 0 < steps <= reach:
        return 0
    corner = here + steps * (dy * ground.stride + dx)
    straight_on = PARTS[AT(code - 4), 0 if columns > rows else 1]
    return steps if rest - steps <= abs(np.int64(ground.runs[AT(32 * corner + straight_on)])) else 0


@compiled_function
def nearest_goal(goals: Any, x: Any, y: Any) -> Any:
    """Return the least number of rows or columns to a goal."""
    least = np.int64(1 << 30)
    for number in range(goals.places.shape[0]):
        least = min(least, abs(goals.places[number, 0] - x), abs(goals.places[number, 1] - y))
    return least


@compiled_function
def _distance(ground: Any, cell: Any, landmark: Any) -> Any:
    """Return the distance of a cell from a landmark."""
    steps = np.int64(ground.distances[AT(16 * cell + 4 + landmark)])
    return (steps >> 16) * STRAIGHT_STEP + (steps & MOST_STEPS) * DIAGONAL_STEP


@compiled_function
def estimate(ground: Any, goals: Any, x: Any, y: Any) -> Any:
    """Return the larger of the octile distance to the nearest goal and the lower bound by landmarks."""
    cell, bound = y * ground.stride + x, np.int64(0)
    for landmark in range(LANDMARKS):
        distance = _distance(ground, cell, landmark)
        bound = max(bound, abs(distance - goals.middles[AT(landmark)]) - goals.halves[AT(landmark)])
    return max(octile(goals.sides, x, y), bound / FINE)


@kernel
def aim(ground: Any, goals: Any, starts: Any, slots: Any, records: Any, queue: Any, counters: Any) -> None:
    """Calculate what the heuristic needs of the goals, and enter the starts."""
    low, high = goals.middles, goals.halves
    low[:], high[:] = (
        FARTHEST * FINE if goals.places.shape[0] else 0,
        0 if goals.places.shape[0] else FARTHEST * FINE,
    )
    for number in range(goals.places.shape[0]):
        cell = goals.places[number, 1] * ground.stride + goals.places[number, 0]
        for landmark in range(LANDMARKS):
            distance = _distance(ground, cell, landmark)
            low[landmark], high[landmark] = min(low[landmark], distance), max(high[landmark], distance)
    for landmark in range(LANDMARKS):  # distances are even numbers
        least, most = low[landmark], high[landmark]
        goals.middles[landmark], goals.halves[landmark] = (least + most) // 2, (most - least) // 2
    for node in range(starts.shape[0]):
        x, y = starts[node, 0], starts[node, 1]
        record = records[node]
        record.g, record.cell, record.steps, record.direction, record.closed = (
            0,
            y * ground.stride + x,
            0,
            START,
            0,
        )
        slots[y * ground.stride + x] = node
        heap.push(queue, node, (estimate(ground, goals, x, y), AT(node)))
    if starts.shape[0]:
        counters[SIZE] = counters[COUNT] = counters[REACHED] = starts.shape[0]


@compiled_function
def prepare(ground: Any, slots: Any, here: Any, direction: Any) -> None:
    """Ask for the memory that the expansion of a cell will need."""
    directions = ground.onward[AT(256 * direction + ground.around[AT(64 * here + 48)])]
    while directions:
        code = np.int64(directions & np.uint32(15)) - 1
        directions >>= np.uint32(4)
        steps = np.int64(ground.runs[AT(32 * here + code)])
        if steps > 0:
            end = here + steps * (AHEAD_Y[AT(code)] * ground.stride + AHEAD_X[AT(code)])
            prefetch(ground.around, 64 * end)
            prefetch(slots, end)


def ground_of(terrain: Terrain, corners: str, table: Any) -> Ground:
    """Return the arrays of a terrain, which are made once."""
    name = "compiled table", corners
    if name not in terrain.kept:
        data = np.frombuffer(table.data, np.uint8)
        data.flags.writeable = False
        views = data.view(np.int16), data.view(np.uint32), data
        terrain.kept[name] = Ground(*views, onward(corners), terrain.stride)
    ground: Ground = terrain.kept[name]
    return ground
