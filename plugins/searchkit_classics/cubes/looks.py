"""How the cubes look: unfolded, the top above the front and the bottom below it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from searchkit.plugin import Mark, Places, picture
from searchkit_classics.cubes.cube2 import Corners, Cube2
from searchkit_classics.cubes.cube3 import Cube3, Pieces
from searchkit_classics.cubes.geometry import FACES, HOME, PIECES, STICKERS, Vector

EMPTY = " "
MARKS = {
    EMPTY: Mark(" ", "#14171c"),
    "U": Mark("U", "#f4f6fa", "up", rank=1),
    "R": Mark("R", "#e5484d", "right", rank=1),
    "F": Mark("F", "#3ddc84", "front", rank=1),
    "D": Mark("D", "#ffe14d", "down", rank=1),
    "L": Mark("L", "#ff8b3d", "left", rank=1),
    "B": Mark("B", "#5b9dff", "back", rank=1),
}
NET: Mapping[str, tuple[int, int, Vector, Vector]] = {
    "U": (1, 0, (1, 0, 0), (0, 0, 1)),
    "L": (0, 1, (0, 0, 1), (0, -1, 0)),
    "F": (1, 1, (1, 0, 0), (0, -1, 0)),
    "R": (2, 1, (0, 0, -1), (0, -1, 0)),
    "B": (3, 1, (-1, 0, 0), (0, -1, 0)),
    "D": (1, 2, (1, 0, 0), (0, 0, -1)),
}
"""Face → its column and row in the unfolded cube, and the directions to the right and down there."""
NAME = {side: name for name, side in FACES.items()}


def _places_of(piece: int) -> range:
    """Return the places of the stickers of a piece, by its number."""
    first = HOME[piece]
    return range(first, first + sum(map(abs, PIECES[piece])))


def stickers(state: Sequence[int], pieces: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield places and the colours of the stickers there, for the first stickers of some pieces."""
    for place, piece in zip(state, pieces, strict=True):
        count = len(_places_of(piece))
        slot = place - (place - (0 if count == 3 else HOME[8])) % count
        for turn, home in enumerate(_places_of(piece)):
            yield slot + (place - slot + turn) % count, NAME[STICKERS[home][1]]


def unfolded(size: int, coloured: Iterator[tuple[int, str]]) -> list[str]:
    """Return the rows of the unfolded cube with `size` stickers in a row; a sticker is two columns wide."""
    step = size + 1
    cells = [[EMPTY] * (4 * step - 1) for _ in range(3 * step - 1)]
    reach = 1 if size == 3 else 2  # from one sticker to the next, in the coordinates of pieces

    def put(piece: Vector, side: Vector, colour: str) -> None:
        column, row, right, down = NET[NAME[side]]
        x, y = (sum(map(int.__mul__, piece, axis)) for axis in (right, down))
        cells[row * step + (y + 1) // reach][column * step + (x + 1) // reach] = colour

    for place, colour in coloured:
        put(*STICKERS[place], colour)
    if size == 3:
        for name, side in FACES.items():
            put(side, side, name)
    return ["".join(row) for row in cells]


def cube2(problem: Cube2) -> Places[Corners]:
    """Return the unfolded cube; the corner that stays is drawn too."""
    fixed = HOME[7]

    def rows(state: Corners) -> list[str]:
        return unfolded(2, stickers((*state, fixed), range(8)))

    return picture(rows, problem.start, MARKS)


def cube3(problem: Cube3) -> Places[Pieces]:
    """Return the unfolded cube."""

    def rows(state: Pieces) -> list[str]:
        return unfolded(3, stickers(state[:-1], range(20)))

    return picture(rows, problem.start, MARKS)


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {Cube2: cube2, Cube3: cube3}
