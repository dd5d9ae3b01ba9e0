"""Lights Out."""

from collections.abc import Iterable
from functools import cached_property
from itertools import product
from math import inf

from searchkit import SearchProblem
from searchkit.plugin import Cell, Example, Mark, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.options import board_size

State = tuple[tuple[int, ...], ...]
"""The rows of lamps: 1 for a lamp that is lit."""


@with_options
class LightsOut(SearchProblem[State, Cell]):
    """Put out all lamps of a board: each button switches a lamp and its neighbours (Tiger Electronics 1995).

    A state is the rows of lamps. An action is the row and the column of a button, from 1, and costs 1.
    """

    size: str = option("columns and rows", default="5x5", convert=board_size(10))
    lamps: str = option("the rows at first, such as 101/010/101, 1 for lit; empty: all are lit", default="")
    heuristic_name: str = option(
        "chasing, the true cost; lamps, a fifth of the lamps that are lit; zero",
        default="chasing",
        choices=("chasing", "lamps", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        rows = self.lamps.split("/") if self.lamps else ["1" * self.width] * self.height
        if len(rows) != self.height or any(len(row) != self.width or set(row) - set("01") for row in rows):
            raise ValueError(
                f"lamps={self.lamps}: expected {self.height} rows of {self.width} digits, 1 for lamps that are lit "
                "and 0 for others, such as 101/010/101 for 3x3"
            )

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return int(self.size.split("x")[0])

    @cached_property
    def height(self) -> int:
        """The number of rows."""
        return int(self.size.split("x")[1])

    def initial_states(self) -> Iterable[State]:
        """Return the lamps at first."""
        if not self.lamps:
            return [((1,) * self.width,) * self.height]
        return [tuple(tuple(map(int, row)) for row in self.lamps.split("/"))]

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


MARKS = {
    "*": Mark("●", "#ffd23f", "lit", rank=1),
    ".": Mark("·", "#2a2f3a", "out"),
}


def places(problem: LightsOut) -> Places[State]:
    """Return the lamps."""
    [start] = problem.initial_states()
    return picture(lambda lamps: ["".join(".*"[lamp] for lamp in row) for row in lamps], start, MARKS)


SPEC = ProblemSpec(
    "lightsout",
    "put out all lamps of a board: 15 buttons if all 25 are lit",
    LightsOut,
    group="Boards",
    examples=(
        Example(
            "lights3",
            None,
            "the position of 3x3 that takes the most buttons, 9",
            {"size": "3x3", "lamps": "101/010/101"},
        ),
    ),
    small={"size": ("5x1",), "lamps": ("", "11000", "01110", "10000", "00111", "10101", "00000", "01010")},
    places=places,
)
