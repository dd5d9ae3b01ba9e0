"""The two forms of a heuristic as a kernel sees them: a function, or data that the compiler inlines the formula for."""

from math import inf
from typing import Any, NamedTuple

import numpy as np

from searchkit.basics.rounding import SPARE, UNIT
from searchkit.compiled.functions import chosen_for, heuristic_function, kernel
from searchkit.compiled.view import GridDistance


class GridDistanceArrays(NamedTuple):
    """`searchkit.compiled.view.GridDistance`, as kernels take it."""

    stride: Any
    straight: Any
    slant: Any
    """What a diagonal step costs more than a straight one."""
    sides: Any


@heuristic_function
def no_estimate(table: Any, state: Any) -> float:
    """Stand where a kernel that does not call it takes a heuristic."""
    return 0.0


def form_of(heuristic: Any, words: int) -> Any:
    """Return the form of a heuristic that kernels take, for states of so many words."""
    if isinstance(heuristic, GridDistance):
        return GridDistanceArrays(
            np.uint32(heuristic.stride),
            float(heuristic.straight),
            float(heuristic.diagonal - heuristic.straight),
            np.array(heuristic.rectangles, np.int64).reshape(-1, 4),
        )
    if heuristic is None and words > 1:
        from searchkit.kernels import wide

        return wide.no_estimate
    return no_estimate if heuristic is None else heuristic


def estimate(heuristic: Any, table: Any, state: Any) -> Any:
    """Return the heuristic of a state. For kernels only."""
    raise TypeError("searchkit.kernels.estimates.estimate is called by compiled code only")


@chosen_for(estimate)
def _estimate(heuristic: Any, table: Any, state: Any) -> Any:
    if getattr(heuristic, "instance_class", None) is GridDistanceArrays:

        def grid_distance(heuristic: Any, table: Any, state: Any) -> Any:
            cell = np.uint32(state)  # a division of 32 bits takes half the time of one of 64
            row = cell // heuristic.stride
            x, y = np.int64(cell - row * heuristic.stride), np.int64(row)
            least = inf
            for number in range(heuristic.sides.shape[0]):
                left, right, top, bottom = heuristic.sides[number]
                across = max(left - x, x - right, 0)
                down = max(top - y, y - bottom, 0)
                distance = heuristic.straight * max(across, down) + heuristic.slant * min(across, down)
                least = min(least, distance)
            return least if heuristic.sides.shape[0] else 0.0

        return grid_distance

    def function(heuristic: Any, table: Any, state: Any) -> Any:
        return heuristic(table, state)

    return function


@kernel
def estimates(heuristic: Any, table: Any, states: Any, found: Any) -> None:
    """Write the heuristic of each of an array of packed states."""
    for place in range(np.uint64(found.size)):
        found[place] = estimate(heuristic, table, states[place])


def exceeded(heuristic: Any, table: Any, states: Any, costs: Any, whole: bool) -> bool:
    """Whether an estimate along a path may exceed what the rest costs, by more than rounding can do.

    Args:
        heuristic: as kernels take it.
        table: what it reads.
        states: the packed states of the path.
        costs: the costs of the actions between them.
        whole: whether all numbers are integers.

    """
    found = np.empty(len(states), np.float64)
    estimates(heuristic, table, states, found)
    rests = np.zeros(len(states), np.float64)
    rests[:-1] = np.cumsum(costs[::-1])[::-1]
    rounding = (
        0 if whole else float(UNIT) * SPARE / 2 * rests[0]
    )  # half of what is allowed: rests are rounded too
    return bool((found > rests + rounding).any())
