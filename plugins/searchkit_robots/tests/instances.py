"""Random instances of benchmark kind, the same on every machine."""

from random import Random

from searchkit import distance_map
from searchkit_dungeon import Cell, grid
from searchkit_robots import MultiAgentGrid, robots


def random_instance(size: int, count: int, walls: float, seed: int) -> MultiAgentGrid:
    """Return `count` robots on a square with this share of walls, all in its largest connected region."""
    rng = Random(seed)
    walled = set(rng.sample(range(size * size), int(size * size * walls)))
    rows = ["".join(".#"[y * size + x in walled] for x in range(size)) for y in range(size)]
    rest = [(x, y) for y in range(size) for x in range(size) if rows[y][x] == "."]
    largest: list[Cell] = []
    while rest:
        region = set(distance_map(grid(rows, start=rest[0], goal=())))
        largest = max(largest, sorted(region), key=len)
        rest = [cell for cell in rest if cell not in region]
    pairs = zip(rng.sample(largest, count), rng.sample(largest, count), strict=True)
    return robots(rows, list(pairs))
