"""Generating layouts of Pac-Man: a symmetric maze with loops, and dots."""

from random import Random
from typing import Any

from searchkit.plugin import GeneratorSpec, Parameter
from searchkit_classics.pacman.layout import Cell, Layout

SIDES = range(5, 1000, 2)


def make_layout(size: tuple[int, int], dots: int | str, loops: float, seed: int | None) -> str:
    """Return the text of a layout; `GENERATOR` describes the options.

    The left half is a random spanning tree over every second cell (Kruskal 1956), and the right half its mirror image,
    so that the corners are floor and can be reached. Pac-Man starts in the middle of the lowest row.
    """
    rng = Random(seed)
    (width, height), middle = size, size[0] // 2 | 1
    walls = []
    for x in range(1, middle + 1, 2):
        for y in range(1, height - 1, 2):
            walls += [((x, y), (x + 2, y))] * (x + 2 <= middle) + [((x, y), (x, y + 2))] * (
                y + 2 < height - 1
            )
    walls.sort(key=lambda wall: rng.random())
    leader = {cell: cell for wall in walls for cell in wall}
    floor: set[Cell] = {(1, 1)}
    for (x, y), (to_x, to_y) in walls:
        one, other = _root(leader, (x, y)), _root(leader, (to_x, to_y))
        if one != other or rng.random() < loops:
            leader[one] = other
            floor |= {(x, y), ((x + to_x) // 2, (y + to_y) // 2), (to_x, to_y)}
    floor |= {(width - 1 - x, y) for x, y in floor}
    start = (width // 2, height - 2)
    floor.add(start)
    spare = sorted(floor - {start})
    corners = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
    spare.sort(key=lambda cell: rng.random())
    shown = [cell for cell in corners if cell != start] if dots == "corners" else spare[: int(dots)]
    return str(Layout(width, height, frozenset(floor), start, frozenset(shown)))


def _root(leader: dict[Cell, Cell], cell: Cell) -> Cell:
    while leader[cell] != cell:
        leader[cell] = cell = leader[leader[cell]]
    return cell


def _size(value: Any) -> tuple[int, int]:
    given = str(value).split("x") if isinstance(value, str) else list(value)
    if len(given) != 2 or not all(str(side).isdecimal() and int(side) in SIDES for side in given):
        raise ValueError(f"expected odd numbers from {SIDES[0]} to {SIDES[-1]}, such as 21x11")
    return int(given[0]), int(given[1])


def _dots(value: Any) -> int | str:
    if value == "corners":
        return "corners"
    if int(value) < 0:
        raise ValueError("expected a number from 0 on, or corners")
    return int(value)


GENERATOR = GeneratorSpec(
    name="pacman",
    summary="a layout of Pac-Man: a symmetric maze with loops, and dots",
    parameters=(
        Parameter(
            "size", "width and height of the layout in cells, WxH, both odd", default=(21, 11), convert=_size
        ),
        Parameter("dots", "the number of dots, or corners: one in each corner", default=12, convert=_dots),
        Parameter("loops", "the share of the remaining walls to open", default=0.2, least=0, most=1),
        Parameter("seed", "the seed of the random number generator", default=0, convert=int),
    ),
    make=make_layout,
)
