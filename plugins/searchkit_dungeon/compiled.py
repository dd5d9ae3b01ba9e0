"""The Euclidean distance to the nearest goal in machine code, equal to that of `searchkit_dungeon.heuristics`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, heuristic_function
from searchkit_dungeon.heuristics import FINE

HEADER = 3
"""The length of the header of the table: stride; scale; what the root is multiplied by, 0 for integers."""
UNIT = 2**FINE


@compiled_function
def root(number: Any) -> Any:
    """Return the integer part of the square root of an integer below 2⁶²."""
    found = np.int64(np.sqrt(np.float64(number)))
    while found * found > number:
        found -= 1
    while (found + 1) * (found + 1) <= number:
        found += 1
    return found


@compiled_function
def at_most(fine: Any, square: Any) -> Any:
    """Whether `fine` ≤ 2³⁰ · √`square`: fine² ≤ square · 2⁶⁰, calculated in 64 bits."""
    above, below = fine >> FINE, fine & (UNIT - 1)
    rest = (square - above * above) * UNIT - 2 * above * below
    return rest >= UNIT or (rest >= 0 and rest * UNIT >= below * below)


@heuristic_function
def euclidean(table: Any, state: Any) -> Any:
    """Return the heuristic value of a cell: table = header, then left, right, top and bottom of each rectangle."""
    stride, scale, weight = table[0], table[1], table[2]
    cell = np.int64(state)
    row = cell // stride
    column = cell - row * stride
    least = np.int64(-1)
    for place in range(HEADER, table.size, 4):
        across = max(table[place] - column, column - table[place + 1], 0)
        down = max(table[place + 2] - row, row - table[place + 3], 0)
        square = across * across + down * down
        if least < 0 or square < least:
            least = square
    if least <= 0:
        return 0.0
    if weight == 0:
        return np.float64(root(scale * least))
    fine = np.int64(np.sqrt(np.float64(least)) * UNIT)
    while not at_most(fine, least):
        fine -= 1
    while at_most(fine + 1, least):
        fine += 1
    return weight * (fine / UNIT)


def euclidean_table(
    stride: int, rectangles: Sequence[tuple[int, int, int, int]], scale: int, weight: int
) -> Any:
    """Return the table of `euclidean`.

    Args:
        stride: the number of cells in a row, as states are y · stride + x.
        rectangles: left, right, top and bottom of each.
        scale: the square of the cost of a straight step.
        weight: the least weight of a cell; 0 if costs are integers.

    """
    return np.array([stride, scale, weight, *(side for sides in rectangles for side in sides)], np.int64)
