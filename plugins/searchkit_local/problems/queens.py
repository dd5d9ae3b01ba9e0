"""n queens, all on the board from the beginning."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError

Board = tuple[int, ...]
"""The row of the queen of each column."""


class CompleteQueens(SearchProblem[Board, tuple[int, int]]):
    """A queen stands in each column; a move puts one into another row (Russell and Norvig, section 4.1).

    The value of a board is minus the number of pairs of queens that attack each other: 0 at a goal. Moves cost 1. Eight
    queens have 56 moves and 8⁸ boards, 92 of them goals.

    Args:
        n: columns and rows, at least 1.
        start: the board in which path search begins, and local search of problems without random states; a number: a
            random board of this seed.

    """

    def __init__(self, n: int = 8, start: Board | int = 0):
        if n < 1:
            raise InvalidOptionError(f"n={n}: expected at least 1 queen")
        self.n = n
        self.start = self.random_state(Random(start)) if isinstance(start, int) else tuple(start)
        if len(self.start) != n or not all(0 <= row < n for row in self.start):
            raise InvalidOptionError(
                f"start={start}: expected {n} rows from 0 to {n - 1}, one for each column"
            )

    def initial_states(self) -> tuple[Board]:
        """Return the start board."""
        return (self.start,)

    def is_goal(self, state: Board) -> bool:
        """Whether no queen attacks another."""
        return self.value(state) == 0

    def successors(self, state: Board) -> Iterator[tuple[tuple[int, int], Board]]:
        """Yield ((column, row), board) for each move of one queen within its column."""
        for column, before in enumerate(state):
            for row in range(self.n):
                if row != before:
                    yield (column, row), (*state[:column], row, *state[column + 1 :])

    def heuristic(self, state: Board) -> int:
        """Return the number of queens too many in the rows, or in the diagonals of one direction: the largest of these.

        It is consistent: a move takes a queen out of one row, one rising and one falling diagonal.
        """
        return max(len(state) - len(set(lines)) for lines in self._lines(state))

    def value(self, state: Board) -> int:
        """Return minus the number of pairs of queens in one row or diagonal."""
        counts = [count for lines in self._lines(state) for count in Counter(lines).values()]
        return -sum(count * (count - 1) // 2 for count in counts)

    def attacked(self, state: Board) -> set[int]:
        """Return the columns of the queens that are attacked."""
        return {
            column
            for lines in self._lines(state)
            for column, line in enumerate(lines)
            if lines.count(line) > 1
        }

    def _lines(self, state: Board) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Return the row, the rising diagonal and the falling diagonal of each queen."""
        return (
            state,
            [row + column for column, row in enumerate(state)],
            [row - column for column, row in enumerate(state)],
        )

    def random_state(self, rng: Random) -> Board:
        """Return a board with each queen in a random row."""
        return tuple(rng.randrange(self.n) for _ in range(self.n))

    def crossover(self, one: Board, other: Board, rng: Random) -> Board:
        """Return the first columns of one board and the last columns of the other."""
        cut = rng.randrange(self.n + 1)
        return one[:cut] + other[cut:]

    def mutate(self, state: Board, rng: Random) -> Board:
        """Return the board with a random queen in a random row."""
        column = rng.randrange(self.n)
        return (*state[:column], rng.randrange(self.n), *state[column + 1 :])

    def __repr__(self) -> str:
        return f"<CompleteQueens rows={','.join(map(str, self.start))}>"
