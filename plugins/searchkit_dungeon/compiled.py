"""The compiled view of a grid: a stencil, and the distance to the nearest goal."""

from typing import TYPE_CHECKING

from searchkit.compiled import CompiledProblem, GridDistance, Stencil
from searchkit_dungeon.estimate import SLANT, rectangles
from searchkit_dungeon.moves import LENGTHS, OFFSETS, directions

if TYPE_CHECKING:
    from searchkit_dungeon.grid import Grid


def compile_grid(grid: "Grid") -> CompiledProblem:
    """Return the compiled view of a grid; its arrays are the terrain's own."""
    terrain = grid.terrain
    stride, cells = terrain.stride, terrain.cells
    names = directions(grid.moves)
    return CompiledProblem(
        Stencil(
            terrain.steps(grid.moves, grid.corners).masks,
            [OFFSETS[name][1] * stride + OFFSETS[name][0] for name in names],
            [LENGTHS[name] for name in names],
            terrain.weights,
        ),
        pack=lambda cell: cell[1] * stride + cell[0],
        unpack=cells.__getitem__,
        goals=[y * stride + x for x, y in grid.goals],
        heuristic=GridDistance(
            stride, SLANT if grid.moves == 8 else 1.0, terrain.least_weight, rectangles(grid.goals)
        ),
        whole=grid.moves == 4,
    )
