"""Farthest cells: where a treasure lies, and where a start and a goal are far apart."""

from random import Random

from searchkit import Cost, DistanceMap, distance_map
from searchkit_dungeon.chance import choice
from searchkit_dungeon.grid import make_grid
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import Terrain


def any_farthest(distances: DistanceMap[Cell, str], rng: Random) -> Cell:
    """Return one of the cells at the largest distance, at random. Cells that can't be reached are never among them."""
    return choice(rng, distances.farthest())


def far_apart(terrain: Terrain, cell: Cell) -> tuple[Cell, Cell]:
    """Return two cells far from each other, among those that can be reached from `cell` by straight steps.

    From a farthest cell to a cell farthest from that, and on as long as the distance grows. On a map without loops
    no two cells are farther apart; on others these two are at least half as far apart as any.
    """
    one = cell
    largest: Cost = -1
    while True:
        distances = distance_map(make_grid(terrain, [one]))
        other = distances.farthest()[0]
        if distances[other] <= largest:
            return one, other
        largest, one = distances[other], other
