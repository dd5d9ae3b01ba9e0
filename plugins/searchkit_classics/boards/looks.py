"""How the puzzles on boards look."""

from collections.abc import Callable, Mapping
from typing import Any

from searchkit.plugin import Mark, Places, picture
from searchkit_classics.boards.knight import Knight, name
from searchkit_classics.boards.knight import State as Tour
from searchkit_classics.boards.lightsout import LightsOut
from searchkit_classics.boards.lightsout import State as Lamps
from searchkit_classics.boards.queens import Queens

QUEEN, ATTACKED, LIGHT, DARK = "Qx.,"
CHESS = {
    QUEEN: Mark("Q", "#ffd23f", "queen", rank=2),
    ATTACKED: Mark("×", "#7a3b3b", "attacked", rank=1),
    LIGHT: Mark("·", "#8a91a0"),
    DARK: Mark("·", "#4a5160"),
}
LARGEST_LABEL = 6
"""Larger boards are labelled by numbers."""


def queens(problem: Queens) -> Places[tuple[int, ...]]:
    """Return the board; squares in the columns to come are marked if they are attacked."""

    def rows(state: tuple[int, ...]) -> list[str]:
        board = [[LIGHT if (x + y) % 2 == 0 else DARK for x in range(problem.n)] for y in range(problem.n)]
        for column in range(len(state), problem.n):
            free = problem.free_rows(state, column)
            for row in range(problem.n):
                if row not in free:
                    board[row][column] = ATTACKED
        for column, row in enumerate(state):
            board[row][column] = QUEEN
        return ["".join(row) for row in board]

    def label(state: tuple[int, ...]) -> str:
        return " ".join(str(row + 1) for row in state) or "no queens"

    return picture(rows, (), CHESS, label if problem.n > LARGEST_LABEL else None)


DIGITS = "1234567890_"
"""The keys of digits, and of the space before a short number."""
LAST = dict(zip(DIGITS, "abcdefghijk", strict=True))
"""The same on the last square."""
TOUR = {
    ".": Mark("·", "#3b414d", "not visited"),
    " ": Mark(" ", "#14171c"),
    **{
        digit: Mark(digit.replace("_", " "), "#7fd4ff", "visited" * (digit == "1"), rank=1)
        for digit in DIGITS
    },
    **{
        key: Mark(digit.replace("_", " "), "#ffd23f", "the knight" * (digit == "1"), rank=2)
        for digit, key in LAST.items()
    },
}


def knight(problem: Knight) -> Places[Tour]:
    """Return the board with the number of each square on the tour; a1 is at the lower left."""
    wide = len(str(len(problem.exits)))

    def rows(tour: Tour) -> list[str]:
        numbers = {square: str(number).rjust(wide, "_") for number, square in enumerate(tour, 1)}
        numbers[tour[-1]] = "".join(LAST[digit] for digit in numbers[tour[-1]])
        return [
            " ".join(numbers.get(name(x, y), "." * wide) for x in range(problem.files))
            for y in reversed(range(problem.ranks))
        ]

    def label(tour: Tour) -> str:
        return " ".join(tour) if len(tour) <= LARGEST_LABEL else f"… {' '.join(tour[-LARGEST_LABEL:])}"

    return picture(rows, (problem.start,), TOUR, label)


LAMPS = {
    "*": Mark("●", "#ffd23f", "lit", rank=1),
    ".": Mark("·", "#2a2f3a", "out"),
}


def lightsout(problem: LightsOut) -> Places[Lamps]:
    """Return the lamps."""
    return picture(lambda lamps: ["".join(".*"[lamp] for lamp in row) for row in lamps], problem.lamps, LAMPS)


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {Queens: queens, Knight: knight, LightsOut: lightsout}
