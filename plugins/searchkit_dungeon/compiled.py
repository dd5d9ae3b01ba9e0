"""The compiled view of a grid: a stencil, and the distance to the nearest goal."""

from typing import TYPE_CHECKING

from searchkit.compiled.view import CompiledProblem, GridDistance, Stencil
from searchkit_dungeon.estimate import rectangles
from searchkit_dungeon.moves import OFFSETS, directions

if TYPE_CHECKING:
    from searchkit_dungeon.grid import Grid


def compile_grid(grid: "Grid") -> CompiledProblem:
    """Return the compiled view of a grid; its graph is the same for all grids on a terrain with the same moves."""
    terrain = grid.terrain
    stride, cells = terrain.stride, terrain.cells
    rule = f"stencil of {grid.moves} moves, {grid.lengths} lengths", grid.corners
    if rule not in terrain.kept:
        terrain.kept[rule] = _stencil(grid)
    straight, diagonal = (terrain.least_weight * grid.step_lengths[name] for name in ("N", "NE"))
    return CompiledProblem(
        terrain.kept[rule],
        pack=lambda cell: cell[1] * stride + cell[0],
        unpack=cells.__getitem__,
        goals=[y * stride + x for x, y in grid.goals],
        heuristic=GridDistance(
            stride, straight, diagonal if grid.moves == 8 else 2 * straight, rectangles(grid.goals)
        ),
        whole=grid.moves == 4 or grid.lengths == "whole",
    )


def _stencil(grid: "Grid") -> Stencil:
    terrain, names = grid.terrain, directions(grid.moves)
    return Stencil(
        terrain.steps(grid.moves, grid.corners).masks,
        [OFFSETS[name][1] * terrain.stride + OFFSETS[name][0] for name in names],
        [grid.step_lengths[name] for name in names],  # type: ignore[misc]  # no fractions
        terrain.weights if terrain.weighted else None,
        names,
    )
