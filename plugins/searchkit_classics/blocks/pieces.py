"""Boards of letters, on which each letter is one piece: for Rush Hour and Klotski."""

from string import ascii_uppercase

from searchkit.plugin import InputFormatError
from searchkit_classics.blocks.level import Cell

EMPTY, WALL = "o.", "x"
EXPECTED = "the letters A to Z for pieces, o or . for empty cells, and x for walls"
WIDEST = 32
"""The largest number of cells in a row and in a column of a board."""


def read_pieces(name: str, first: int, rows: list[str]) -> dict[str, list[Cell]]:
    """Return the cells of each piece of a board, row by row, and those of the walls as `x`.

    Args:
        name: the name of the file, for messages.
        first: the number of the line of the first row.
        rows: the rows of the board.

    Raises:
        InputFormatError: rows differ in length, a character is unknown, a piece is broken or there is no A; with
            `name`, line and column.

    """
    width = len(rows[0])
    if max(width, len(rows)) > WIDEST:
        raise InputFormatError(
            f"the board is too large; expected at most {WIDEST}x{WIDEST} cells", source=name, line=first
        )
    pieces: dict[str, list[Cell]] = {}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in ascii_uppercase or mark == WALL:
                pieces.setdefault(mark, []).append((x, y))
            elif mark not in EMPTY:
                raise InputFormatError(
                    f"unknown character {mark!r}; expected {EXPECTED}",
                    source=name,
                    line=first + y,
                    column=x + 1,
                )
        if len(row) != width:
            raise InputFormatError(
                f"this row has {len(row)} cells, and the first has {width}; expected rows of one length",
                source=name,
                line=first + y,
                column=min(len(row), width) + 1,
            )
    for piece, cells in pieces.items():
        apart = [cell for cell in cells if piece != WALL and cell not in _connected(cells)]
        if apart:
            x, y = apart[0]
            raise InputFormatError(
                f"piece {piece} is broken: this cell is not connected to the one at line {first + cells[0][1]}, column "
                f"{cells[0][0] + 1}; use another letter",
                source=name,
                line=first + y,
                column=x + 1,
            )
    if "A" not in pieces:
        raise InputFormatError("there is no piece A, which has to get out", source=name, line=first)
    return pieces


def _connected(cells: list[Cell]) -> set[Cell]:
    """Return the cells that are connected to the first one."""
    reached, frontier = {cells[0]}, cells[:1]
    while frontier:
        x, y = frontier.pop()
        for beside in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if beside in cells and beside not in reached:
                reached.add(beside)
                frontier.append(beside)
    return reached
