"""A generator of random vaults: perfect mazes with keys and doors that can be solved."""

from random import Random
from typing import TypeVar

from attrs import evolve

from searchkit.plugin import InvalidOptionError
from searchkit_keys.contraction import SiteGraph
from searchkit_keys.vault import DIRECTIONS, Cell, Vault

MAX_KEYS = 26
Item = TypeVar("Item")


def generate_vault(
    size: int = 81, keys: int = 26, seed: int = 0, *, quadrants: bool = True, loops: int = 0
) -> Vault:
    """Return a solvable vault: a maze with `keys` keys at dead ends, and a door for most of them.

    Args:
        size: cells in a row and in a column; odd, and one more than a multiple of 4 for `quadrants`.
        keys: 0 to 26.
        seed: the same seed gives the same vault on every machine.
        quadrants: four perfect mazes around an open centre with the start, so that the vault can be split for
            four robots. Otherwise one perfect maze with the start somewhere in it.
        loops: the number of random walls that are opened in the finished maze.

    Raises:
        InvalidOptionError: the size or the number of keys is not possible.

    """
    least = 13 if quadrants else 5
    if size < least or size % (4 if quadrants else 2) != 1 or not 0 <= keys <= MAX_KEYS:
        raise InvalidOptionError(
            f"size={size}, keys={keys}: expected a size of at least {least} that is "
            f"{'one more than a multiple of 4' if quadrants else 'odd'}, and 0 to {MAX_KEYS} keys"
        )
    rng = Random(seed)
    rows = [["#"] * size for _ in range(size)]
    half = size // 2
    if quadrants:
        for left in (1, half + 1):
            for top in (1, half + 1):
                _carve(rows, rng, (left, top), (left + half - 2, top + half - 2))
        for y in (half - 1, half, half + 1):
            for x in (half - 1, half, half + 1):
                rows[y][x] = "."
        start = (half, half)
    else:
        _carve(rows, rng, (1, 1), (size - 2, size - 2))
        start = (1 + 2 * int(rng.random() * half), 1 + 2 * int(rng.random() * half))
    _open(rows, rng, loops, half if quadrants else None)
    rows[start[1]][start[0]] = "@"
    near = (
        {(start[0] + dx, start[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} if quadrants else {start}
    )
    _place_keys(rows, rng, keys, near)
    return _place_doors(Vault.of(tuple(map("".join, rows))), rng, near)


def _carve(rows: list[list[str]], rng: Random, first: Cell, last: Cell) -> None:
    """Carve a perfect maze between two corners by a random depth-first search."""
    stack = [first]
    rows[first[1]][first[0]] = "."
    while stack:
        x, y = stack[-1]
        ways = [
            (dx, dy)
            for _, (dx, dy) in DIRECTIONS
            if first[0] <= x + 2 * dx <= last[0]
            and first[1] <= y + 2 * dy <= last[1]
            and rows[y + 2 * dy][x + 2 * dx] == "#"
        ]
        if not ways:
            stack.pop()
            continue
        dx, dy = ways[int(rng.random() * len(ways))]
        rows[y + dy][x + dx] = rows[y + 2 * dy][x + 2 * dx] = "."
        stack.append((x + 2 * dx, y + 2 * dy))


def _open(rows: list[list[str]], rng: Random, loops: int, divide: int | None) -> None:
    """Open random walls between cells of the maze, but none between quadrants."""
    inside = range(1, len(rows) - 1)
    walls = [
        (x, y)
        for y in inside
        for x in inside
        if x % 2 != y % 2 and rows[y][x] == "#" and divide not in (x, y)
    ]
    for x, y in _shuffled(walls, rng)[:loops]:
        rows[y][x] = "."


def _place_keys(rows: list[list[str]], rng: Random, keys: int, near: set[Cell]) -> None:
    """Place keys at dead ends first, then anywhere."""
    free = [
        (x, y)
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark == "." and (x, y) not in near
    ]
    ends = [cell for cell in free if _open_sides(rows, cell) == 1]
    for x, y in [*_shuffled(ends, rng), *_shuffled(free, rng)]:
        if keys and rows[y][x] == ".":
            keys -= 1
            rows[y][x] = chr(ord("a") + keys)


def _place_doors(vault: Vault, rng: Random, near: set[Cell]) -> Vault:
    """Place a door for each key in a corridor if all keys can still be collected."""
    grid = [list(row) for row in vault.rows]
    corridors = [
        (x, y)
        for y, row in enumerate(grid)
        for x, mark in enumerate(row)
        if mark == "." and (x, y) not in near and _open_sides(grid, (x, y)) == 2
    ]
    corridors = _shuffled(corridors, rng)
    for letter in _shuffled(list(vault.keys), rng):
        for _ in range(20):
            if not corridors:
                return vault
            x, y = corridors.pop()
            if not _leads_somewhere(grid, (x, y), vault.starts[0]):
                continue
            row = vault.rows[y]
            rows = (*vault.rows[:y], row[:x] + letter.upper() + row[x + 1 :], *vault.rows[y + 1 :])
            candidate = evolve(vault, rows=rows)
            graph = SiteGraph.of(candidate)
            if graph.collectable([0]) == vault.all_keys:
                vault = candidate
                break
    return vault


def _leads_somewhere(grid: list[list[str]], door: Cell, start: Cell) -> bool:
    """Whether a key lies behind the door as seen from the start."""
    seen = {start, door}
    stack = [start]
    while stack:
        x, y = stack.pop()
        for _, (dx, dy) in DIRECTIONS:
            cell = (x + dx, y + dy)
            if cell not in seen and grid[cell[1]][cell[0]] != "#":
                seen.add(cell)
                stack.append(cell)
    return any(
        mark.islower() and (x, y) not in seen for y, row in enumerate(grid) for x, mark in enumerate(row)
    )


def _open_sides(rows: list[list[str]], cell: Cell) -> int:
    x, y = cell
    return sum(rows[y + dy][x + dx] != "#" for _, (dx, dy) in DIRECTIONS)


def _shuffled(items: list[Item], rng: Random) -> list[Item]:
    """Return the items in a random order that is the same in every version of Python."""
    return sorted(items, key=lambda _: rng.random())
