"""Lights Out."""

from collections.abc import Iterable
from itertools import product
from math import inf

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import board_size, one_of

HEURISTICS = ("chasing", "lamps", "zero")

Cell = tuple[int, int]
State = tuple[tuple[int, ...], ...]
"""The rows of lamps: 1 for a lamp that is lit."""


class LightsOut(SearchProblem[State, Cell]):
    """Put out all lamps of a board: each button switches a lamp and its neighbours (Tiger Electronics 1995).

    A state is the rows of lamps. An action is the row and the column of a button, from 1, and costs 1.

    Args:
        size: columns and rows, such as `5x5`.
        lamps: the rows at first, such as `101/010/101`, with 1 for lamps that are lit; "" if all are.
        heuristic: `lamps`, a fifth of the lamps that are lit; `chasing`, the true cost; `zero`.

    """

    def __init__(self, size: str = "5x5", lamps: str = "", heuristic: str = HEURISTICS[0]):
        self.width, self.height = board_size(size, most=10)
        rows = lamps.split("/") if lamps else ["1" * self.width] * self.height
        if len(rows) != self.height or any(len(row) != self.width or set(row) - set("01") for row in rows):
            raise InvalidOptionError(
                f"lamps={lamps}: expected {self.height} rows of {self.width} digits, 1 for lamps that are lit and 0 "
                "for others, such as 101/010/101 for 3x3"
            )
        self.lamps: State = tuple(tuple(map(int, row)) for row in rows)
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)

    def initial_states(self) -> Iterable[State]:
        """Return the lamps at first."""
        return [self.lamps]

    def successors(self, state: State) -> Iterable[tuple[Cell, State]]:
        """Return what each button does, row by row."""
        for row, column in product(range(self.height), range(self.width)):
            yield (row + 1, column + 1), self.pressed(state, row, column)

    def pressed(self, state: State, row: int, column: int) -> State:
        """Return the lamps after a button was pressed."""
        return tuple(
            tuple(lamp ^ (abs(y - row) + abs(x - column) <= 1) for x, lamp in enumerate(lamps))
            for y, lamps in enumerate(state)
        )

    def is_goal(self, state: State) -> bool:
        """Whether all lamps are out."""
        return not any(map(any, state))

    def heuristic(self, state: State) -> float:
        """Return a lower bound on the buttons that are left to press."""
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "lamps":
            return -(-sum(map(sum, state)) // 5)
        return min(self.chased(state, first) for first in product((0, 1), repeat=self.width))

    def chased(self, state: State, buttons: tuple[int, ...]) -> float:
        """Return how many buttons are pressed if these are pressed in the first row; infinity if lamps stay lit.

        The order of buttons does not matter, and none is pressed twice. So the first row decides everything: a lamp
        that it leaves lit can be put out only by the button below it, and so on.
        """
        above, pressed = (0,) * self.width, 0
        for row in state:
            pressed += sum(buttons)
            beside = zip((0, *buttons[:-1]), buttons, (*buttons[1:], 0), above, row, strict=True)
            above, buttons = buttons, tuple(sum(switched) % 2 for switched in beside)
        return inf if any(buttons) else pressed

    def __repr__(self) -> str:
        rows = "/".join("".join(map(str, row)) for row in self.lamps)
        return f"<LightsOut size={self.width}x{self.height} lamps={rows} heuristic={self.heuristic_name}>"
