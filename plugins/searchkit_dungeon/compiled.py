"""The compiled view of a grid: a stencil, and the distance to the nearest goal."""

from typing import TYPE_CHECKING

from searchkit.compiled import CompiledProblem, GridDistance, Stencil
from searchkit_dungeon.estimate import SLANT, rectangles
from searchkit_dungeon.moves import LENGTHS, OFFSETS, directions

if TYPE_CHECKING:
    from searchkit_dungeon.grid import Grid
    from searchkit_dungeon.terrain import Terrain


def compile_grid(grid: "Grid") -> CompiledProblem:
    """Return the compiled view of a grid; its graph is the same for all grids on a terrain with the same moves."""
    terrain = grid.terrain
    stride, cells = terrain.stride, terrain.cells
    rule = f"stencil of {grid.moves} moves", grid.corners
    if rule not in terrain.kept:
        terrain.kept[rule] = _stencil(terrain, grid.moves, grid.corners)
    return CompiledProblem(
        terrain.kept[rule],
        pack=lambda cell: cell[1] * stride + cell[0],
        unpack=cells.__getitem__,
        goals=[y * stride + x for x, y in grid.goals],
        heuristic=GridDistance(
            stride, SLANT if grid.moves == 8 else 1.0, terrain.least_weight, rectangles(grid.goals)
        ),
        whole=grid.moves == 4,
    )


def _stencil(terrain: "Terrain", moves: int, corners: str) -> Stencil:
    names = directions(moves)
    return Stencil(
        terrain.steps(moves, corners).masks,
        [OFFSETS[name][1] * terrain.stride + OFFSETS[name][0] for name in names],
        [LENGTHS[name] for name in names],
        terrain.weights if terrain.weighted else None,
        names,
    )
