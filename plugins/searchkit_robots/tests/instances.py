"""Random instances of benchmark kind, the same on every machine."""

from random import Random

from searchkit import distance_map
from searchkit_dungeon import Cell, grid
from searchkit_dungeon.generators.maze import MAZE
from searchkit_robots import MultiAgentGrid, robots

ROOM, DOORS = 8, 0.9
"""The distance of walls between rooms, and the share of neighbouring rooms that have a door between them."""


def random_instance(size: int, count: int, walls: float, seed: int) -> MultiAgentGrid:
    """Return `count` robots on a square with this share of walls, all in its largest connected region."""
    rng = Random(seed)
    walled = set(rng.sample(range(size * size), int(size * size * walls)))
    rows = ["".join(".#"[y * size + x in walled] for x in range(size)) for y in range(size)]
    return _with_robots(rows, count, rng)


def room_instance(size: int, count: int, seed: int) -> MultiAgentGrid:
    """Return `count` robots in square rooms of 7×7 cells, with a door at random between most neighbouring rooms."""
    rng = Random(seed)
    cells = [[x % ROOM < ROOM - 1 and y % ROOM < ROOM - 1 for x in range(size)] for y in range(size)]
    for line in range(ROOM - 1, size - 1, ROOM):
        for first in range(0, size, ROOM):
            place, other = (first + rng.randrange(min(ROOM - 1, size - first)) for _ in range(2))
            cells[line][place] |= rng.random() < DOORS
            cells[other][line] |= rng.random() < DOORS
    return _with_robots(["".join(".#"[not free] for free in row) for row in cells], count, rng)


def maze_instance(size: int, count: int, seed: int) -> MultiAgentGrid:
    """Return `count` robots in a perfect maze with corridors of two cells and walls of one, if 3 divides size − 1."""
    side = size // 3 * 2 + 1
    rows = MAZE.generate(size=f"{side}x{side}", algorithm="wilson", seed=seed).split()
    wide = ["".join(".#"[cell == "#"] * (1 + x % 2) for x, cell in enumerate(row)) for row in rows]
    return _with_robots([row for y, row in enumerate(wide) for _ in range(1 + y % 2)], count, Random(seed))


def _with_robots(rows: list[str], count: int, rng: Random) -> MultiAgentGrid:
    """Return robots at random in the largest connected region of a map."""
    size = len(rows)
    rest = [(x, y) for y in range(size) for x in range(size) if rows[y][x] == "."]
    largest: list[Cell] = []
    while rest:
        region = set(distance_map(grid(rows, start=rest[0], goal=())))
        largest = max(largest, sorted(region), key=len)
        rest = [cell for cell in rest if cell not in region]
    pairs = zip(rng.sample(largest, count), rng.sample(largest, count), strict=True)
    return robots(rows, list(pairs))
