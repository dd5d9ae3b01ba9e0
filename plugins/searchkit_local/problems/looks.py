"""How the problems look: a board with its queens, and a map with the tour."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

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
    """Return the places of a board: a queen in each column."""
    n = problem.n
    rows = ["".join("ld"[(x + y) % 2] for x in range(n)) for y in range(n)]

    def changes(state: Board) -> dict[Cell, str]:
        attacked = problem.attacked(state)
        return {(column, row): "x" if column in attacked else "q" for column, row in enumerate(state)}

    return Places(
        Drawing(rows, SQUARES),
        cells=lambda state: (),
        label=lambda state: "\n".join(
            " ".join("♛" if state[x] == y else "·" for x in range(n)) for y in range(n)
        ),
        changes=changes,
    )


def tour_places(problem: Tour) -> Places[Order]:
    """Return the places of a tour: cities on a map, and straight lines between them."""
    columns, rows = ([place[axis] for place in problem.places] for axis in (0, 1))
    left, top = min(columns), max(rows)
    scale = (WIDTH - 1) / (max(max(columns) - left, top - min(rows)) or 1)
    cities = [(round((x - left) * scale), round((top - y) * scale / 2)) for x, y in problem.places]
    ground = [[" "] * WIDTH for _ in range(max(y for _, y in cities) + 1)]
    for number, (x, y) in reversed(list(enumerate(cities))):
        ground[y][x] = "o" if number else "0"

    def changes(state: Order) -> dict[Cell, str]:
        ends = [cities[city] for city in (*state, state[0])]
        lines = {cell for one, other in pairwise(ends) for cell in line(one, other)}
        return dict.fromkeys(sorted(lines - set(cities)), "~")

    return Places(
        Drawing(["".join(row) for row in ground], MAP),
        cells=lambda state: (),
        label=lambda state: "-".join(map(str, state)),
        changes=changes,
    )


def line(one: Cell, other: Cell) -> list[Cell]:
    """Return the cells of a straight line, both ends included."""
    across, down = other[0] - one[0], other[1] - one[1]
    count = max(abs(across), abs(down), 1)
    return [
        (one[0] + round(across * step / count), one[1] + round(down * step / count))
        for step in range(count + 1)
    ]


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {CompleteQueens: queens_places, Tour: tour_places}
