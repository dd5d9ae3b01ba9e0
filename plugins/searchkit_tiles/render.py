"""The places of a sliding-tile puzzle: the board, with tiles in their goal cells in another colour."""

from collections.abc import Callable, Iterator
from itertools import chain
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
    words = [word_of(problem, place, tile) for place, tile in enumerate(problem.tiles)]
    initial = [
        GAP.join(words[begin : begin + problem.width]) for begin in range(0, len(words), problem.width)
    ]
    tables = [
        [tuple(differences(problem, place, words[place], tile)) for tile in range(len(words))]
        for place in range(len(words))
    ]

    def changes(board: Board) -> dict[Cell, str]:
        """Return what differs from the initial board. A recording asks for tens of thousands of boards."""
        return dict(chain.from_iterable(map(getitem, tables, board)))

    return Places(
        Drawing(initial, MARKS),
        cells=lambda board: (),
        label=label_of(problem),
        changes=changes,
    )


def word_of(problem: SlidingTiles, place: int, tile: int) -> str:
    """Return the keys of a tile at a place of the board."""
    word = str(tile) if tile else BLANK
    if tile == problem.goal[place] and tile:
        word = "".join(IN_ORDER[digit] for digit in word)
    return word.rjust(len(str(len(problem.tiles) - 1)), GAP)


def differences(problem: SlidingTiles, place: int, before: str, tile: int) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of a place of the board that look different with a tile there, with their keys."""
    row, column = divmod(place, problem.width)
    first = column * (len(before) + len(GAP))
    for x, (was, key) in enumerate(zip(before, word_of(problem, place, tile), strict=True), first):
        if was != key:
            yield (x, row), key


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
