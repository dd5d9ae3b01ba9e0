"""The places of a sliding-tile puzzle: the board, with tiles in their goal cells in another colour."""

from collections.abc import Callable, Iterator
from operator import getitem

from searchkit.plugin import Cell, Drawing, Mark, Places
from searchkit_tiles.board import Board
from searchkit_tiles.problem import SlidingTiles

DIGITS = "1234567890"
"""The first of them is the one in the legend."""
IN_ORDER = dict(zip(DIGITS, "bcdefghija", strict=True))
"""The keys of the digits of tiles in their goal cells."""
BLANK, GAP = "_", " "
MARKS = {
    BLANK: Mark("·", "#3b414d", "blank", rank=1),
    GAP: Mark(" ", "#14171c"),
    **{digit: Mark(digit, "#ffb000", "tile", rank=2) for digit in DIGITS},
    **{key: Mark(digit, "#3ddc84", "tile in its goal cell", rank=2) for digit, key in IN_ORDER.items()},
}


def places(problem: SlidingTiles) -> Places[Board]:
    """Return the places: the ground is the initial board, and every state changes all of it."""
    initial = rows_of(problem, problem.tiles)

    def changes(board: Board) -> dict[Cell, str]:
        return dict(differences(initial, rows_of(problem, board)))

    return Places(
        Drawing(initial, MARKS),
        cells=lambda board: (),
        label=label_of(problem),
        changes=changes,
    )


def differences(before: list[str], after: list[str]) -> Iterator[tuple[Cell, str]]:
    """Yield the cells in which two boards differ, with the keys of the second."""
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        for x, (was, key) in enumerate(zip(old, new, strict=True)):
            if was != key:
                yield (x, y), key


def rows_of(problem: SlidingTiles, board: Board) -> list[str]:
    """Return the keys of a board, row by row."""
    digits = len(str(len(board) - 1))
    words = []
    for tile, belongs in zip(board, problem.goal, strict=True):
        word = str(tile) if tile else BLANK
        if tile == belongs and tile:
            word = "".join(IN_ORDER[digit] for digit in word)
        words.append(word.rjust(digits, GAP))
    return [GAP.join(words[begin : begin + problem.width]) for begin in range(0, len(words), problem.width)]


def label_of(problem: SlidingTiles) -> Callable[[Board], str]:
    """Return what gives a board as text, one line for each row. A recording asks for hundreds of thousands."""
    size = len(problem.tiles)
    digits = len(str(size - 1))
    words = [MARKS[BLANK].glyph.rjust(digits), *(str(tile).rjust(digits) for tile in range(1, size))]
    ends = ["\n" if (cell + 1) % problem.width == 0 else GAP for cell in range(size - 1)] + [""]
    tables = [[word + end for word in words] for end in ends]
    return lambda board: "".join(map(getitem, tables, board))


def text_of(problem: SlidingTiles, board: Board) -> str:
    """Return a board as text, one line for each row."""
    return label_of(problem)(board)
