"""Grids from arrays of numpy, whose cells cost any numbers to enter. This module does not import numpy."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import inf
from typing import Any

from searchkit import Cost
from searchkit.compiled.view import CompiledProblem, GridDistance
from searchkit.plugin import InvalidProblemError
from searchkit_dungeon.heuristics import rectangles, steps
from searchkit_dungeon.options import cells
from searchkit_dungeon.problem import WeightedGrid
from searchkit_dungeon.terrain import LENGTHS, Cell, Terrain

SAFE = 1 - 2**-30
"""The factor for the least cost of a cell that keeps rounding errors from making the heuristic inadmissible."""


class Raster(Terrain):
    """A terrain whose cells cost what an array says."""

    weighted = True

    def __init__(self, costs: Any, walls: float):
        values = costs.tolist()  # numbers of Python
        passable = [bytes(value not in (walls, inf) and value == value for value in row) for row in values]
        super().__init__(passable)
        self.costs = [value for row in values for value in (*row, inf)]
        """The cost of entering each cell; cells are numbered as in `weights`."""
        self.whole = costs.dtype.kind in "biu"
        entered = [cost for cost, weight in zip(self.costs, self.weights, strict=False) if weight]
        if entered and not (min(entered) >= 0 and max(entered) < inf):
            raise InvalidProblemError(
                f"a cell costs {min(entered)}; expected numbers ≥ 0, or walls={min(entered)}"
            )
        self.least_weight = min(entered, default=0) * (1 if self.whole else SAFE)  # type: ignore[assignment]

    def with_cells(self, weights: Mapping[Cell, int]) -> Terrain:
        """Raise `InvalidProblemError`: change the array."""
        raise InvalidProblemError(
            "a grid from an array is changed in the array: grid_from_array(…) makes a new one"
        )


class RasterGrid(WeightedGrid):
    """A grid on which a step costs what its array has for the cell that it enters, times √2 if it is diagonal."""

    terrain: Raster

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the cost of the cell entered, times the length of the step."""
        x, y = successor
        return self.terrain.costs[y * self._stride + x] * LENGTHS[action]  # type: ignore[no-any-return]

    @property
    def _whole(self) -> bool:
        return self.moves == 4 and self.terrain.whole

    @cached_property
    def _view(self) -> CompiledProblem:
        from searchkit_dungeon.compiled.rasters import rows_of  # imports numpy

        rule = "raster", f"{self.moves} {self.corners}"
        if rule not in self.terrain.kept:
            self.terrain.kept[rule] = rows_of(self.terrain, self.moves, self.corners)
        stride, numbers = self._stride, self._cells
        straight, slant = steps(self.heuristic_name, self.terrain.least_weight, LENGTHS)
        distance = GridDistance(stride, straight, straight + slant, rectangles(self.goals))
        return CompiledProblem(
            self.terrain.kept[rule],
            pack=lambda cell: cell[1] * stride + cell[0],
            unpack=numbers.__getitem__,
            goals=[y * stride + x for x, y in self.goals],
            heuristic=None if self.heuristic_name == "euclidean" else distance,
            whole=self._whole,
        )


def grid_from_array(
    costs: Any,
    start: Cell | Iterable[Cell],
    goal: Cell | Iterable[Cell] = (),
    moves: int = 4,
    walls: float = inf,
    corners: str = "no",
    heuristic: str | None = None,
) -> RasterGrid:
    """Return the problem on a raster: a two-dimensional array of numpy, of integers or floats of any type.

    Args:
        costs: what it costs to enter each cell, indexed [y, x]: a number ≥ 0.
        start: a cell (x, y), or several.
        goal: a cell, or several; none for a distance map.
        moves: 4, or 8 with the diagonals, whose costs are multiplied by √2.
        walls: the value of cells that can't be entered. Infinity and NaN are walls in any case.
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
    if getattr(costs, "ndim", 0) != 2 or costs.dtype.kind not in "biuf":
        raise InvalidProblemError(
            f"costs is {type(costs).__name__}; expected a numpy array of numbers with rows and columns: numpy.array(…)"
        )
    if moves not in (4, 8):
        raise InvalidProblemError(f"moves={moves}: expected 4 or 8")
    return RasterGrid(Raster(costs, walls), cells(start), cells(goal), moves, corners, heuristic)
