"""Archipelagos: maps of open water with islands of all sizes, the same on every machine."""

import random
from collections.abc import Iterator
from typing import TypeAlias

from searchkit import distance_map
from searchkit_dungeon import Cell, Grid, Terrain

OCTAVES = ((64, 1.0), (32, 0.6), (16, 0.4), (8, 0.3), (4, 0.25), (2, 0.2))
"""Sizes of the islands, in cells, and how much each counts."""
Field: TypeAlias = list[list[float]]


def archipelago(width: int, height: int, seed: int, land: float = 1 / 3) -> Terrain:
    """Return a map with the share `land` of walls: value noise in six octaves (Perlin 1985), cut at a level.

    A sixteenth of the cells decides the level, so that the share is kept to within about one percent.
    """
    rng = random.Random(seed)
    field: Field = [[0.0] * width for _ in range(height)]
    for size, weight in OCTAVES:
        _add_octave(field, size, weight, rng)
    sample = sorted(value for row in field[::4] for value in row[::4])
    level = sample[int(len(sample) * land)]
    return Terrain([bytes(value >= level for value in row) for row in field])


def _add_octave(field: Field, size: int, weight: float, rng: random.Random) -> None:
    """Add random values on a lattice of that size, blended smoothly in between."""
    width, height = len(field[0]), len(field)
    columns = [(x // size, _smooth(x % size / size)) for x in range(width)]
    lattice = [[rng.random() * weight for _ in range(width // size + 2)] for _ in range(height // size + 2)]
    rows = [[row[i] + (row[i + 1] - row[i]) * part for i, part in columns] for row in lattice]
    for y in range(height):
        upper, lower, part = rows[y // size], rows[y // size + 1], _smooth(y % size / size)
        field[y] = [
            value + one * (1 - part) + other * part
            for value, one, other in zip(field[y], upper, lower, strict=True)
        ]


def _smooth(part: float) -> float:
    return part * part * (3 - 2 * part)


def far_pairs(terrain: Terrain, count: int, apart: int, seed: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield pairs of cells of the largest connected water, at least `apart` in Manhattan distance."""
    rng = random.Random(seed)
    connected: list[Cell] = []
    seen: set[Cell] = set()
    for cell in terrain.cells:
        if cell in terrain and terrain.weight(cell) and cell not in seen:
            waters = sorted(distance_map(Grid(terrain, [cell])))
            seen.update(waters)
            connected = max(connected, waters, key=len)
    while count:
        one, other = rng.choice(connected), rng.choice(connected)
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) >= apart:
            count -= 1
            yield one, other
