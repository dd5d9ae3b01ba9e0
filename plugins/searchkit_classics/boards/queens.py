"""Queens that do not attack each other."""

from collections.abc import Iterable
from math import inf

from searchkit import SearchProblem
from searchkit_classics.options import in_range, one_of

HEURISTICS = ("free", "remaining", "zero")

State = tuple[int, ...]
"""The row of the queen in each of the first columns, from 0."""


class Queens(SearchProblem[State, int]):
    """Place n queens on a board of n × n so that none attacks another (Bezzel 1848), one column after the other.

    A state is the rows of the queens in the first columns. An action is the row of the next queen, from 1; rows
    that are attacked are left out. Each queen costs 1, so all solutions cost n.

    Args:
        n: the number of queens.
        heuristic: `remaining`, the queens that are not yet there; `free`, the same, but infinite if all rows of a
            column are attacked, so that the state is never expanded; `zero`.

    """

    def __init__(self, n: int = 8, heuristic: str = HEURISTICS[0]):
        self.n = in_range("n", n, 1, 100)
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)

    def initial_states(self) -> Iterable[State]:
        """Return the empty board."""
        return [()]

    def successors(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the boards with one more queen."""
        return (
            [(row + 1, (*state, row)) for row in self.free_rows(state, len(state))]
            if len(state) < self.n
            else []
        )

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

    def __repr__(self) -> str:
        return f"<Queens n={self.n} heuristic={self.heuristic_name}>"
