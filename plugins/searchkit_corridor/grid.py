"""Grids with regions: blocks of cell × cell cells."""

from collections.abc import Iterable, Sequence
from functools import partial
from math import inf
from weakref import WeakKeyDictionary

from searchkit import Cost
from searchkit_corridor.blocks import Blocks
from searchkit_dungeon import Cell, Grid, Terrain

_BLOCKS: WeakKeyDictionary[Terrain, dict[int, Blocks]] = WeakKeyDictionary()


def blocks_of(terrain: Terrain, cell: int) -> Blocks:
    """Return the coarse map of a terrain, made at the first use and shared by all problems on it."""
    made = _BLOCKS.setdefault(terrain, {})
    if cell not in made:
        made[cell] = Blocks(terrain, cell)
    return made[cell]


class CorridorGrid(Grid):
    """A grid whose regions are blocks: 4 moves, every step costs 1. It is `Relaxable`.

    Args:
        terrain: the map, shared between problems; so is its coarse map.
        starts: cells to start in, at least one.
        goals: cells to reach, any of them.
        cell: the side of a block.
        depths: the depth of each cell by its number, y · terrain.stride + x; None for a grid without depths.

    Raises:
        InvalidProblemError: where a start or a goal is off the map or inside a wall, or terrain has costs.
        InvalidOptionError: where `cell` is less than 1.

    """

    def __init__(
        self,
        terrain: Terrain,
        starts: Iterable[Cell],
        goals: Iterable[Cell],
        cell: int = 4,
        depths: Sequence[int] | None = None,
    ):
        super().__init__(terrain, starts, goals)
        self.blocks = blocks_of(terrain, cell)
        self._of_cell = self.blocks.of_cell
        self._distance = self.blocks.distances_to(self.goal_regions())
        columns, rows = [x for x, _ in self.goals], [y for _, y in self.goals]
        self._goal_box = (min(columns), max(columns), min(rows), max(rows)) if self.goals else (0, 0, 0, 0)
        self.depths = depths
        self.depth = None if depths is None else self._depth
        self.region_depth = None if depths is None else self._region_depth
        self._deepest: dict[int, int] = {}
        self.around = self.blocks.around
        self.neighbours = self.blocks.neighbours
        self.coarse_path = self.blocks.shortest_path
        self.detour = partial(self.blocks.detour, targets=self.goal_regions())

    def region(self, state: Cell) -> int:
        """Return the number of the block that the cell lies in."""
        x, y = state
        return self._of_cell[y * self._stride + x]

    def goal_regions(self) -> list[int]:
        """Return the blocks that hold goals."""
        return [self.blocks.block(goal) for goal in self.goals]

    def to_go(self, region: int) -> Cost:
        """Return a lower bound on the steps from any cell of a block to a goal, the larger of two.

        max(0, (D - 1) · cell + 1), for D the distance to a goal's block in king moves over all blocks with a passable
        cell, corners cut: in `cell` steps nobody gets further than one king move, so n steps cover at most
        ⌈n / cell⌉ of them. (D · cell would be too much: two cells on either side of a border are one step apart.)
        And the Manhattan distance from the block to the rectangle around the goals.
        """
        distance = self._distance(region)
        if distance is None:
            return inf
        (x, y), cell = self.blocks.place(region), self.blocks.cell
        left, right, top, bottom = self._goal_box
        across = max(left - (x + 1) * cell + 1, x * cell - right, 0)
        down = max(top - (y + 1) * cell + 1, y * cell - bottom, 0)
        return max(0, (distance - 1) * cell + 1, across + down)

    def _depth(self, state: Cell) -> int:
        x, y = state
        assert self.depths is not None
        return self.depths[y * self._stride + x]

    def _region_depth(self, region: int) -> int:
        if region not in self._deepest:
            assert self.depths is not None
            (column, row), cell, terrain = self.blocks.place(region), self.blocks.cell, self.terrain
            left, right = column * cell, min((column + 1) * cell, terrain.width)
            lines = range(row * cell, min((row + 1) * cell, terrain.height))
            self._deepest[region] = max(
                max(self.depths[y * terrain.stride + left : y * terrain.stride + right]) for y in lines
            )
        return self._deepest[region]
