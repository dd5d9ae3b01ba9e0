"""Boards of letters, on which each letter is one piece: how those of Rush Hour and Klotski are read and drawn."""

from collections.abc import Callable, Iterable, Sequence
from colorsys import hls_to_rgb
from string import ascii_uppercase
from typing import Any

from searchkit.plugin import InputFormatError, Mark, Places, Source, picture
from searchkit_classics.blocks.level import Cell
from searchkit_classics.options import text_of

EMPTY, WALL = "o.", "x"
EXPECTED = "the letters A to Z for pieces, o or . for empty cells, and x for walls"
MAX_SIDE = 32
"""The largest number of cells in a row and in a column of a board."""
METRIC = "what costs 1: a move of a piece, however far (moves), or to the next cell (steps)"
METRICS = ("moves", "steps")


def rows_of(board: str | Iterable[str]) -> str:
    """Return the rows of a board, which may be the 36 letters of 6x6 cells in one line, with `.` for empty cells."""
    rows = [line.strip().replace("o", ".") for line in text_of(board).strip("\n").split("\n")]
    if len(rows) == 1 and len(rows[0]) == 36:
        rows = [rows[0][begin : begin + 6] for begin in range(0, 36, 6)]
    return "\n".join(rows)


def lines_of(text: str) -> list[tuple[int, str]]:
    """Return the lines of a file that are not blank, without comments, with their numbers."""
    lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, line) for number, line in lines if line]


def one_board(source: Source) -> tuple[int, str]:
    """Return the rows of the board in a file, with the number of the first line.

    Raises `InputFormatError` if there are none, or if they do not follow one another.
    """
    lines = lines_of(source.text)
    if not lines:
        raise InputFormatError(
            "the file is empty; expected the rows of a board", source=source.name, line=1, column=1
        )
    first = lines[0][0]
    for place, (number, _) in enumerate(lines):
        if number != first + place:
            raise InputFormatError(
                "expected the rows of one board, without a gap, or boards in one line each",
                source=source.name,
                line=first + place,
            )
    return first, "\n".join(line for _, line in lines)


def read_pieces(board: str, name: str = "", first: int = 1) -> dict[str, list[Cell]]:
    """Return the cells of each piece of a board, row by row, and those of the walls as `x`.

    Args:
        board: the rows of the board.
        name: the name of the file, for messages.
        first: the number of the line of the first row.

    Raises:
        InputFormatError: rows differ in length, a character is unknown, a piece is broken or there is no A; with
            `name`, line and column.

    """

    def fault(message: str, y: int = 0, x: int | None = None) -> InputFormatError:
        return InputFormatError(message, source=name, line=first + y, column=None if x is None else x + 1)

    rows = board.split("\n")
    width = len(rows[0])
    if max(width, len(rows)) > MAX_SIDE:
        raise fault(f"the board is too large; expected at most {MAX_SIDE}x{MAX_SIDE} cells")
    pieces: dict[str, list[Cell]] = {}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in ascii_uppercase or mark == WALL:
                pieces.setdefault(mark, []).append((x, y))
            elif mark not in EMPTY:
                raise fault(f"unknown character {mark!r}; expected {EXPECTED}", y, x)
        if len(row) != width:
            raise fault(
                f"this row has {len(row)} cells, and the first has {width}; expected rows of one length",
                y,
                min(len(row), width),
            )
    for piece, cells in pieces.items():
        for x, y in cells if piece != WALL else ():
            if (x, y) not in _connected(cells):
                raise fault(
                    f"piece {piece} is broken: this cell is not connected to the one at line "
                    f"{first + cells[0][1]}, column {cells[0][0] + 1}; use another letter",
                    y,
                    x,
                )
    if "A" not in pieces:
        raise fault("there is no piece A, which has to get out")
    return pieces


def _connected(cells: list[Cell]) -> list[Cell]:
    """Return the cells that are connected to the first one."""
    reached = cells[:1]
    for x, y in reached:
        around = ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y))
        reached += [cell for cell in around if cell in cells and cell not in reached]
    return reached


EXIT = "e"
GOLDEN = 0.618
"""The golden section: steps of this share of the colour circle keep any number of hues apart."""


def places_of_pieces(
    rows: Callable[[Any], Sequence[str]], start: Any, red: str, out: Iterable[Cell]
) -> Places[Any]:
    """Return the places of a board on which every state has rows of letters; those of piece A are red."""
    marks = {
        ".": Mark("·", "#2a2f3a", "empty"),
        WALL: Mark("█", "#9aa3b2", "wall"),
        EXIT: Mark("◌", "#5c2f35", "exit"),
        "A": Mark("A", "#ff5c5c", red, rank=2),
    }
    for number, letter in enumerate(ascii_uppercase[1:], 1):
        channels = hls_to_rgb(0.1 + 0.8 * (number * GOLDEN % 1), 0.7, 0.7)  # no red, which is that of A
        marks[letter] = Mark(letter, "#" + bytes(round(255 * part) for part in channels).hex(), rank=2)
    goal = set(out)

    def drawn(state: Any) -> list[str]:
        return [
            "".join(EXIT if mark == "." and (x, y) in goal else mark for x, mark in enumerate(row))
            for y, row in enumerate(rows(state))
        ]

    return picture(drawn, start, marks, label=lambda state: "\n".join(rows(state)))
