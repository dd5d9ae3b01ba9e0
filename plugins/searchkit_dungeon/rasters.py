"""Grids from arrays of numpy, whose cells cost any numbers to enter. This module does not import numpy."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import inf
from typing import Any

from searchkit.plugin import InvalidProblemError
from searchkit_dungeon.options import cells
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Cell, Terrain

SAFE = 1 - 2**-30
"""The factor for the least cost of a cell that keeps rounding errors from making the heuristic inadmissible."""


class Raster(Terrain):
    """A terrain whose cells cost what an array says."""

    weighted = True

    def __init__(self, costs: Any, walls: float):
        numbers = costs.astype(float) if costs.dtype.kind == "f" else costs
        values = [[inf if value is None else value for value in row] for row in numbers.tolist()]
        passable = [bytes(value not in (walls, inf) and value == value for value in row) for row in values]
        super().__init__(passable)
        self.costs = [value for row in values for value in (*row, inf)] + [inf] * self.stride
        self.unit = 1 if costs.dtype.kind in "biu" else 1.0
        entered = self._entered()
        if entered and not (min(entered) >= 0 and max(entered) < inf):
            raise InvalidProblemError(
                f"a cell costs {min(entered)}; expected numbers ≥ 0, or walls={min(entered)}"
            )

    def _entered(self) -> list[float]:
        return [cost for cost, weight in zip(self.costs, self.weights, strict=True) if weight]

    @cached_property
    def least_weight(self) -> float:
        """The least cost of a cell, or slightly less if costs are floats."""
        return min(self._entered(), default=0) * (1 if isinstance(self.unit, int) else SAFE)

    def with_cells(self, weights: Mapping[Cell, int]) -> Terrain:
        """Raise `InvalidProblemError`: change the array."""
        raise InvalidProblemError(
            "a grid from an array is changed in the array: grid_from_array(…) makes a new one"
        )


def grid_from_array(
    costs: Any,
    start: Cell | Iterable[Cell],
    goal: Cell | Iterable[Cell] = (),
    moves: int = 4,
    walls: float = inf,
    corners: str = "no",
    heuristic: str | None = None,
) -> Grid:
    """Return the problem on a raster: a two-dimensional array of numpy, of integers or floats of any type.

    Args:
        costs: what it costs to enter each cell, indexed [y, x]: a number ≥ 0.
        start: a cell (x, y), or several.
        goal: a cell, or several; none for a distance map.
        moves: 4, or 8 with the diagonals, whose costs are multiplied by √2.
        walls: the value of cells that can't be entered. Infinity, NaN and masked cells are walls in any case.
        corners: as for `Grid`.
        heuristic: as for `Grid`; by default the least cost of a cell times the distance without walls.

    Raises:
        InvalidProblemError: the array is none, or a cost is negative; or as for `Grid`.

    Example:
        >>> import numpy
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid_from_array
        >>> height = numpy.array([[1.0, 9.5, 1.0], [1.0, 9.5, 0.5], [0.5, 0.25, 1.5]])
        >>> solve(grid_from_array(height, start=(0, 0), goal=(2, 0))).cost
        4.75

    """
    if getattr(costs, "ndim", 0) != 2 or getattr(getattr(costs, "dtype", None), "kind", "?") not in "biuf":
        raise InvalidProblemError(
            f"costs is {type(costs).__name__}; expected a numpy array of numbers with rows and columns: numpy.array(…)"
        )
    if moves not in (4, 8):
        raise InvalidProblemError(f"moves={moves}: expected 4 or 8")
    return Grid(Raster(costs, walls), cells(start), cells(goal), moves, corners, heuristic=heuristic)
