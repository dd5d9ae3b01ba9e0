"""Queens that do not attack each other."""

from collections.abc import Iterable
from math import inf

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options

State = tuple[int, ...]
"""The row of the queen in each of the first columns, from 0."""


@with_options
class Queens(SearchProblem[State, int]):
    """Place n queens on a board of n × n so that none attacks another (Bezzel 1848), one column after the other.

    A state is the rows of the queens in the first columns. An action is the row of the next queen, from 1; rows
    that are attacked are left out. Each queen costs 1, so all solutions cost n. The heuristic `free` is infinite if all
    rows of a column are attacked, so that the state is never expanded.
    """

    n: int = option("the number of queens", default=8, least=1, most=100)
    heuristic_name: str = option(
        "free, which sees columns without a free row; remaining, the queens that are left; zero",
        default="free",
        choices=("free", "remaining", "zero"),
        alias="heuristic",
    )

    def initial_states(self) -> Iterable[State]:
        """Return the empty board."""
        return [()]

    def successors(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the boards with one more queen."""
        if len(state) == self.n:
            return []
        return [(row + 1, (*state, row)) for row in self.free_rows(state, len(state))]

    def free_rows(self, state: State, column: int) -> list[int]:
        """Return the rows of a column that no queen attacks."""
        return [
            row
            for row in range(self.n)
            if all(other != row and abs(other - row) != column - at for at, other in enumerate(state))
        ]

    def is_goal(self, state: State) -> bool:
        """Whether all queens are there."""
        return len(state) == self.n

    def heuristic(self, state: State) -> float:
        """Return the queens that are not yet there, if the heuristic sees no column without room for one."""
        if self.heuristic_name == "zero":
            return 0
        ahead = range(len(state), self.n)
        if self.heuristic_name == "free" and not all(self.free_rows(state, column) for column in ahead):
            return inf
        return len(ahead)


QUEEN, ATTACKED, LIGHT, DARK = "Qx.,"
MARKS = {
    QUEEN: Mark("Q", "#ffd23f", "queen", rank=2),
    ATTACKED: Mark("×", "#7a3b3b", "attacked", rank=1),
    LIGHT: Mark("·", "#8a91a0"),
    DARK: Mark("·", "#4a5160"),
}
MAX_LABELLED_QUEENS = 6
"""Larger boards are labelled by numbers."""


def places(problem: Queens) -> Places[State]:
    """Return the board; squares in the columns to come are marked if they are attacked."""

    def rows(state: State) -> list[str]:
        board = [[LIGHT if (x + y) % 2 == 0 else DARK for x in range(problem.n)] for y in range(problem.n)]
        for column in range(len(state), problem.n):
            for row in {*range(problem.n)} - {*problem.free_rows(state, column)}:
                board[row][column] = ATTACKED
        for column, row in enumerate(state):
            board[row][column] = QUEEN
        return ["".join(row) for row in board]

    def label(state: State) -> str:
        return " ".join(str(row + 1) for row in state) or "no queens"

    return picture(rows, (), MARKS, label if problem.n > MAX_LABELLED_QUEENS else None)


SPEC = ProblemSpec(
    "queens",
    "n queens that do not attack each other, placed column by column",
    Queens,
    group="Boards",
    examples=(Example("queens4", None, "the smallest board that has a solution", {"n": 4}),),
    small={"n": (4, 5, 6, 2, 3, 1)},
    places=places,
)
