"""Grids with regions, blocks of cell × cell cells, and with depths."""

from collections.abc import Iterable
from functools import cached_property, partial
from typing import Any
from weakref import WeakKeyDictionary

from attrs import field

from searchkit import Cost
from searchkit.plugin import InvalidOptionError, option, with_options
from searchkit_corridor.blocks import Blocks
from searchkit_dungeon import (
    GROUND,
    PASSABLE,
    REGION_SIDE,
    WALL,
    Cell,
    Grid,
    Terrain,
    map_repr,
    map_text,
)

_BLOCKS: WeakKeyDictionary[Terrain, dict[int, Blocks]] = WeakKeyDictionary()


def blocks_of(terrain: Terrain, cell: int) -> Blocks:
    """Return the coarse map of a terrain, created at the first use and shared by all problems on it."""
    made = _BLOCKS.setdefault(terrain, {})
    if cell not in made:
        made[cell] = Blocks(terrain, cell)
    return made[cell]


class BlockRegions:
    """The blocks of a grid as regions: the coarse map is shared by all problems on one terrain.

    Args:
        problem: a grid with 4 or 8 moves.
        cell: the side length of a block.
        depths: the depth of each cell by its number; None for a grid without depths.

    """

    def __init__(self, problem: Grid, cell: int = REGION_SIDE, depths: bytes | None = None):
        self.terrain, self.depths, self.side = problem.terrain, depths, cell
        self.blocks = blocks_of(problem.terrain, cell)
        self._of_cell, self._row_length = self.blocks.of_cell, problem.terrain.stride
        self._goal_blocks = [self.blocks.block(goal) for goal in problem.goals]
        columns, rows = [x for x, _ in problem.goals], [y for _, y in problem.goals]
        self.goal_box = (min(columns), max(columns), min(rows), max(rows)) if columns else (0, 0, 0, 0)
        self.diagonal = problem.moves == 8
        self.around, self.neighbours = self.blocks.around, self.blocks.neighbours
        self.route = partial(self.blocks.route, targets=self._goal_blocks)
        self.depth = None if depths is None else self._depth
        self.region_depth = None if depths is None else self._region_depth
        self._deepest: dict[int, int] = {}

    def region(self, state: Cell) -> int:
        """Return the number of the block that contains the cell."""
        x, y = state
        return self._of_cell[y * self._row_length + x]

    def goal_regions(self) -> list[int]:
        """Return the blocks that contain goals."""
        return list(self._goal_blocks)

    def to_go(self, region: int) -> Cost:
        """Return a lower bound on the steps from any cell of a block to a goal: to the goals' bounding rectangle.

        It is the Manhattan distance, with 8 moves the Chebyshev distance.
        """
        (x, y), cell = self.blocks.place(region), self.side
        left, right, top, bottom = self.goal_box
        across = max(left - (x + 1) * cell + 1, x * cell - right, 0)
        down = max(top - (y + 1) * cell + 1, y * cell - bottom, 0)
        return max(across, down) if self.diagonal else across + down

    def _depth(self, state: Cell) -> int:
        x, y = state
        assert self.depths is not None
        return self.depths[y * self._row_length + x]

    def _region_depth(self, region: int) -> int:
        if region not in self._deepest:
            assert self.depths is not None
            (column, row), cell, terrain = self.blocks.place(region), self.side, self.terrain
            left, right = column * cell, min((column + 1) * cell, terrain.width)
            lines = range(row * cell, min((row + 1) * cell, terrain.height))
            self._deepest[region] = max(
                max(self.depths[y * terrain.stride + left : y * terrain.stride + right]) for y in lines
            )
        return self._deepest[region]


def block_regions(problem: object) -> BlockRegions | None:
    """Return the regions of a grid, faster than its own members; None for other problems.

    Returns None for subclasses as well, because their steps may differ from those of the map.
    """
    if type(problem) is CorridorGrid:
        return problem.regions
    return BlockRegions(problem) if type(problem) is Grid and problem.moves != 6 else None


@with_options
class CorridorGrid(Grid):
    """A `Relaxable` grid whose regions are blocks of a given size: 4 moves, every step costs 1.

    Raises:
        InvalidProblemError: a start or a goal is off the map or inside a wall.
        InvalidOptionError: `cell` is less than 1, or the depths are not those of the cells.

    """

    moves: int = field(default=4, init=False)
    corners: str = field(default="no", init=False)
    lengths: str = field(default="real", init=False)
    heuristic_name: str | None = field(default=None, init=False)
    cell: int = option(
        "the side length of the blocks that are the regions, in cells", default=REGION_SIDE, least=1
    )
    depths: bytes | None = None
    """The depth of each cell by its number, y · terrain.stride + x; None for a grid without depths."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        count = len(self.terrain.weights)
        if self.depths is not None and not (isinstance(self.depths, bytes) and len(self.depths) == count):
            raise InvalidOptionError(f"depths: expected {count} bytes, the depth of each cell by its number")

    @property
    def _options(self) -> tuple[Any, ...]:
        return self.cell, self.depths

    @cached_property
    def regions(self) -> BlockRegions:
        """The blocks."""
        return BlockRegions(self, self.cell, self.depths)

    def region(self, state: Cell) -> int:
        """Return the number of the block that contains the cell."""
        return self.regions.region(state)

    def neighbours(self, region: Any) -> Iterable[int]:
        """Return the blocks that a step leads to from a block."""
        return self.regions.neighbours(region)

    def goal_regions(self) -> list[int]:
        """Return the blocks that contain goals."""
        return self.regions.goal_regions()

    def depth_map(self) -> Terrain | None:
        """Return a map with the depths as weights; None if there are no depths, or one is not from 1 to 9.

        Starts and goals may have the largest depth, as on maps that were read, where their marks hide the depth.
        """
        if self.depths is None:
            return None
        depths, weights, stride = bytearray(self.depths), self.terrain.weights, self.terrain.stride
        for x, y in (*self.starts, *self.goals):
            depths[y * stride + x] = depths[y * stride + x] % MAX_CLEARANCE or 1
        if any(
            (depth == 0) != (weight == WALL) or depth >= len(GROUND)
            for depth, weight in zip(depths, weights, strict=True)
        ):
            return None
        return Terrain([bytes(depths[y * stride : (y + 1) * stride - 1]) for y in range(self.terrain.height)])

    def __repr__(self) -> str:
        facts = [f"cell {self.cell}"] + ["depths"] * (self.depths is not None)
        depths = self.depth_map()
        rows = None if depths is None else map_text(depths, self.starts, self.goals)
        return map_repr(type(self).__name__, self.terrain, self.starts, self.goals, facts, rows)


MAX_CLEARANCE = 255
"""The largest clearance."""


def clearance(terrain: Terrain) -> bytes:
    """Return the distance of each cell from the nearest wall or edge of the map in steps: 0 for a wall, at most 255.

    It is computed for all cells at once: one large integer has a byte for each cell, and each round removes the
    outermost cells.
    """
    stride, size = 8 * terrain.stride, len(terrain.weights)
    left = int.from_bytes(terrain.weights.translate(PASSABLE), "little")
    total = 0
    for _ in range(MAX_CLEARANCE):
        if not left:
            break
        total += left
        left &= left << 8 & left >> 8 & left << stride & left >> stride
    return total.to_bytes(size, "little")


def flat(terrain: Terrain) -> Terrain:
    """Return the same map with all floor costing 1."""
    plain, stride = terrain.weights.translate(PASSABLE), terrain.stride
    return Terrain([plain[y * stride : y * stride + terrain.width] for y in range(terrain.height)])
