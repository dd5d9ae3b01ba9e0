"""The compiled view of the expanded problem: the places of robots are cells, numbered column by column."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from searchkit.compiled.functions import expand_function, goal_function, heuristic_function
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_keys.compiled.packing import widths, with_robot, without
from searchkit_keys.vault import DIRECTIONS, Cell, CellState, Vault, bit

ROBOTS, WIDTH, SHIFT, ALL, KEYS = range(5)
"""Indices into the table: the number of robots, the bits of a robot's cell and of the keys, all keys, and the number of
keys."""
PLACES = 8
"""For each key its bit, x and y."""
CELLS, X, Y, DOOR, KEY, NEAR, CELL = PLACES + 3 * 26, 0, 1, 2, 3, 4, 8
"""A record for each cell: x, y, the key that it takes to enter, the key that lies there, and the four cells around, −1
for a wall."""


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Let each robot take a step in each direction without a wall or a locked door."""
    packed = np.int64(state)
    robots, width, shift = table[ROBOTS], table[WIDTH], table[SHIFT]
    keys, low = packed & table[ALL], (1 << width) - 1
    count, before = np.uint64(0), -1
    for robot in range(robots):
        place = shift + width * robot
        cell = (packed >> place) & low
        if cell == before:
            continue
        before = cell
        others = without(packed, place, width)
        for side in range(4):
            end = table[CELLS + CELL * cell + NEAR + side]
            if end < 0 or table[CELLS + CELL * end + DOOR] & ~keys:
                continue
            moved = with_robot(others, end, robots - 1, width, shift)
            out_states[count] = np.uint64(moved | table[CELLS + CELL * end + KEY])
            out_costs[count] = 1.0
            count += np.uint64(1)
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Whether every key is held."""
    return np.int64(state) & table[ALL] == table[ALL]


@heuristic_function
def zero(table: Any, state: Any) -> Any:
    """Return 0."""
    return 0.0


@heuristic_function
def bounding_box(table: Any, state: Any) -> Any:
    """Return a lower bound from the box around the missing keys.

    With several robots, return the distance of the key that is furthest from its nearest robot.
    """
    packed = np.int64(state)
    robots, width, shift = table[ROBOTS], table[WIDTH], table[SHIFT]
    low, far = (1 << width) - 1, 1 << 62
    left, right, top, bottom, most = far, -1, far, -1, 0
    missing = table[ALL] & ~packed
    if missing == 0:
        return 0.0
    for number in range(table[KEYS]):
        place = PLACES + 3 * number
        if not table[place] & missing:
            continue
        x, y = table[place + 1], table[place + 2]
        left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        if robots == 1:
            continue
        nearest = far
        for robot in range(robots):
            cell = CELLS + CELL * ((packed >> (shift + width * robot)) & low)
            nearest = min(nearest, abs(table[cell + X] - x) + abs(table[cell + Y] - y))
        most = max(most, nearest)
    if robots > 1:
        return float(most)
    cell = CELLS + CELL * ((packed >> shift) & low)
    across = min(abs(table[cell + X] - left), abs(table[cell + X] - right))
    down = min(abs(table[cell + Y] - top), abs(table[cell + Y] - bottom))
    return float(right - left + across + bottom - top + down)


def compile_expanded(vault: Vault, marks: Mapping[Cell, str], heuristic: str) -> CompiledProblem:
    """Return the compiled view. Raises `MissingCapabilityError` if a state does not fit into a word of 63 bits."""
    cells, every = sorted(marks), vault.all_keys
    robots = len(vault.starts)
    shift, width = widths(vault, robots, len(cells), ", or search the contraction, with contracted=true")
    numbers = {cell: number for number, cell in enumerate(cells)}
    table = np.zeros(CELLS + CELL * len(cells), np.int64)
    table[: KEYS + 1] = robots, width, shift, every, len(vault.keys)
    for number, (letter, (x, y)) in enumerate(vault.keys.items()):
        table[PLACES + 3 * number : PLACES + 3 * number + 3] = bit(letter), x, y
    table[CELLS:] = [
        number
        for x, y in cells
        for number in (
            x,
            y,
            bit(marks[x, y]) if marks[x, y].isupper() else 0,
            bit(marks[x, y]) if marks[x, y].islower() else 0,
            *(numbers.get((x + dx, y + dy), -1) for _, (dx, dy) in DIRECTIONS),
        )
    ]
    shifts, low = [shift + width * robot for robot in range(robots)], (1 << width) - 1

    def pack(state: CellState) -> int:
        places, packed = state
        if packed & ~every:
            raise KeyError(state)
        for place, cell in zip(shifts, places, strict=True):
            packed |= numbers[cell] << place
        return packed

    def unpack(packed: int) -> CellState:
        return tuple([cells[packed >> place & low] for place in shifts]), packed & every

    return CompiledProblem(
        Functions(expand, is_goal, max(1, 4 * robots)),
        pack,
        unpack,
        heuristic=bounding_box if heuristic == "bounding-box" else zero,
        table=table,
    )
