"""A grid and its blocks as arrays. What stays the same from search to search is made once for each coarse map."""

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from searchkit.plugin import MissingCapabilityError
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.compiled.coarse import TARGET, Coarse, Plan
from searchkit_corridor.compiled.kernels import CLOSED_OFF, UNKNOWN, Far
from searchkit_corridor.problem import BlockRegions, CorridorGrid, block_regions
from searchkit_dungeon import OFFSETS, Grid, directions


class Shared(NamedTuple):
    """The arrays of a coarse map."""

    coarse: Coarse
    regions: Any
    """int32: cell → its block."""
    unknown: Any
    """`Far.distances` before any distance is known."""


_SHARED: WeakKeyDictionary[Blocks, Shared] = WeakKeyDictionary()


def ways_of(blocks: Blocks) -> Any:
    """Return `Coarse.ways`, without targets."""
    stride = blocks.stride
    east, south = np.frombuffer(blocks.east, np.uint8), np.frombuffer(blocks.south, np.uint8)
    ways = east << 1 | south << 2
    ways[stride:] |= south[:-stride]
    ways[1:] |= east[:-1] << 3
    return ways


def shared(blocks: Blocks) -> Shared:
    """Return the arrays of a coarse map, made at the first use."""
    if blocks not in _SHARED:
        stride = blocks.stride
        passable = np.array(blocks.passable)
        coarse = Coarse(
            passable, ways_of(blocks), np.array([-stride, 1, stride, -1]).astype(np.uint64), stride
        )
        unknown = np.full(len(passable) + 2 * (stride + 1), CLOSED_OFF, np.int32)
        unknown[stride + 1 : -stride - 1][passable != 0] = UNKNOWN
        _SHARED[blocks] = Shared(coarse, np.array(blocks.of_cell, np.int32), unknown)
    return _SHARED[blocks]


def regions_of(problem: Any) -> BlockRegions:
    """Return the blocks of a grid. Raises `MissingCapabilityError` for other problems and for subclasses of `Grid`."""
    found = problem if type(problem) is CorridorGrid else block_regions(problem)
    if found is None:
        raise MissingCapabilityError(
            f"engine 'corridor' has a compiled form for grids alone, and {type(problem).__name__} may have other "
            "steps; use backend='python'"
        )
    return found


def depths_of(problem: Any) -> Any:
    """Return the depths of the cells as an array; None for a grid without depths."""
    depths = getattr(problem, "depths", None)
    if depths is None:
        return None
    if isinstance(depths, bytes | bytearray):
        return np.frombuffer(depths, np.uint8)
    array = np.asarray(depths)
    if array.dtype.kind not in "iub":
        raise MissingCapabilityError(
            "a compiled corridor takes depths that are integers of 64 bits; use backend='python'"
        )
    return array


def moves_of(grid: Grid) -> tuple[Any, Any, tuple[str, ...]]:
    """Return the open moves of each cell, what each move adds to the cell's number, and the names of the moves."""
    names = directions(grid.moves)
    stride = grid.terrain.stride
    steps = np.frombuffer(grid.terrain.steps(grid.moves, grid.corners).masks, np.uint8)
    return steps, np.array([OFFSETS[name][1] * stride + OFFSETS[name][0] for name in names]), names


def blocks_for(regions: BlockRegions) -> tuple[Coarse, Far]:
    """Return the blocks with the facts of one problem: which blocks hold goals, and the bounds of steps to them."""
    coarse, _, unknown = shared(regions.blocks)
    targets = np.array(list(dict.fromkeys(regions.goal_regions())), np.int32)
    ways, distances, line = coarse.ways.copy(), unknown.copy(), np.empty_like(unknown)
    ways[targets] |= TARGET
    line[: len(targets)] = targets + coarse.stride + 1
    distances[line[: len(targets)]] = 0
    far = Far(
        distances,
        line,
        np.array([0, len(targets)]),
        coarse.stride,
        regions.blocks.cell,
        regions.diagonal,
        np.array(regions.goal_box),
    )
    return coarse._replace(ways=ways), far


def empty_plan(count: int) -> Plan:
    """Return the arrays for paths over that many blocks."""
    costs, begins, path = np.empty((3, count), np.int32)
    return Plan(costs, begins, np.empty((3, count), np.int32), path)
