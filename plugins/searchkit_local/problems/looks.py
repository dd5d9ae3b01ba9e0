"""How the problems look: a board with its queens, and a map with the tour."""

from collections.abc import Sequence
from itertools import pairwise

from searchkit.plugin import Cell, Drawing, Mark, Places
from searchkit_local.problems.queens import Board, CompleteQueens
from searchkit_local.problems.tour import Order, Tour

SQUARES = {
    "l": Mark("·", "#4a5160"),
    "d": Mark("·", "#2b303a"),
    "q": Mark("♛", "#3ddc84", "queen", rank=2),
    "x": Mark("♛", "#ff6b6b", "queen that is attacked", rank=3),
}
MAP = {
    " ": Mark(" ", "#14171c"),
    "o": Mark("●", "#ffb000", "city", rank=3),
    "0": Mark("◆", "#3ddc84", "first city", rank=4),
    "~": Mark("·", "#5aa9e6", "tour", rank=2),
}
WIDTH = 61
"""The cells in a row of a map with cities, which are twice as high as wide."""


def queens_places(problem: CompleteQueens) -> Places[Board]:
    """Return the places of a board: the ground is the start, with a queen in each column."""
    n = problem.n

    def rows_of(state: Board) -> list[str]:
        attacked = problem.attacked(state)
        queens = {(column, row): "x" if column in attacked else "q" for column, row in enumerate(state)}
        return ["".join(queens.get((x, y), "ld"[(x + y) % 2]) for x in range(n)) for y in range(n)]

    return Places(
        Drawing(rows_of(problem.start), SQUARES),
        cells=lambda state: (),
        label=lambda state: "\n".join(
            " ".join("♛" if state[x] == y else "·" for x in range(n)) for y in range(n)
        ),
        changes=lambda state: differences(rows_of(problem.start), rows_of(state)),
    )


def tour_places(problem: Tour) -> Places[Order]:
    """Return the places of a tour: cities on a map, and straight lines between them. The ground is the start."""
    columns, rows = ([place[axis] for place in problem.places] for axis in (0, 1))
    left, top = min(columns), max(rows)
    scale = (WIDTH - 1) / (max(max(columns) - left, top - min(rows)) or 1)
    cities = [(round((x - left) * scale), round((top - y) * scale / 2)) for x, y in problem.places]
    height = max(y for _, y in cities) + 1

    def rows_of(state: Order) -> list[str]:
        ends = [cities[city] for city in (*state, state[0])]
        raster = [[" "] * WIDTH for _ in range(height)]
        for one, other in pairwise(ends):
            for x, y in line(one, other):
                raster[y][x] = "~"
        for city in reversed(range(len(cities))):
            x, y = cities[city]
            raster[y][x] = "o" if city else "0"
        return ["".join(row) for row in raster]

    return Places(
        Drawing(rows_of(problem.start), MAP),
        cells=lambda state: (),
        label=lambda state: "-".join(map(str, state)),
        changes=lambda state: differences(rows_of(problem.start), rows_of(state)),
    )


def differences(before: Sequence[str], after: Sequence[str]) -> dict[Cell, str]:
    """Return the cells in which two rasters differ, with the keys of the second."""
    return {
        (x, y): key
        for y, (old, new) in enumerate(zip(before, after, strict=True))
        for x, (was, key) in enumerate(zip(old, new, strict=True))
        if was != key
    }


def line(one: Cell, other: Cell) -> list[Cell]:
    """Return the cells of a straight line, both ends included."""
    across, down = other[0] - one[0], other[1] - one[1]
    count = max(abs(across), abs(down), 1)
    return [
        (one[0] + round(across * step / count), one[1] + round(down * step / count))
        for step in range(count + 1)
    ]
