"""Drawing a board: the numbers, with tiles in their goal cells in another colour."""

from collections.abc import Sequence

from searchkit.plugin import Drawing, Mark
from searchkit_tiles.board import Board
from searchkit_tiles.problem import SlidingTiles

DIGITS = "0123456789"
IN_ORDER = dict(zip(DIGITS, "abcdefghij", strict=True))
"""The keys of the digits of tiles in their goal cells."""
BLANK, GAP = "_", " "


def draw(problem: SlidingTiles, path: Sequence[Board]) -> Drawing:
    """Return the drawing of the last board of a path, or of the initial board if the path is empty."""
    board = path[-1] if path else problem.tiles
    digits = len(str(len(board) - 1))
    words = []
    for tile, belongs in zip(board, problem.goal, strict=True):
        word = str(tile) if tile else BLANK
        if tile == belongs and tile:
            word = "".join(IN_ORDER[digit] for digit in word)
        words.append(word.rjust(digits, GAP))
    rows = [GAP.join(words[begin : begin + problem.width]) for begin in range(0, len(words), problem.width)]
    used = set().union(*rows)
    marks = {BLANK: Mark("·", "#3b414d", "blank", rank=1), GAP: Mark(" ", "#14171c")}
    for keys, colour, label in (
        (dict(zip(DIGITS, DIGITS, strict=True)), "#ffb000", "tile"),
        (IN_ORDER, "#3ddc84", "tile in its goal cell"),
    ):
        shown = next((digit for digit in DIGITS[1:] + DIGITS[0] if keys[digit] in used), "")
        for digit, key in keys.items():
            marks[key] = Mark(digit, colour, label if digit == shown else "", rank=2)
    return Drawing(rows, {mark: marks[mark] for mark in used})
