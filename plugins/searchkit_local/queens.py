"""n queens, all on the board from the beginning."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import (
    Example,
    InvalidOptionError,
    Mark,
    Places,
    ProblemSpec,
    option,
    picture,
    with_options,
)
from searchkit_local.problem import GROUP

Board = tuple[int, ...]
"""The row of the queen of each column."""
SQUARES = {
    "l": Mark("·", "#4a5160"),
    "d": Mark("·", "#2b303a"),
    "q": Mark("♛", "#3ddc84", "queen", rank=2),
    "x": Mark("♛", "#ff6b6b", "queen that is attacked", rank=3),
}


@with_options
class CompleteQueens(SearchProblem[Board, tuple[int, int]]):
    """A queen stands in each column; a move puts one into another row (Russell and Norvig, section 4.1).

    The value of a board is minus the number of pairs of queens that attack each other: 0 at a goal. Moves cost 1. Eight
    queens have 56 moves and 8⁸ boards, 92 of them goals.
    """

    n: int = option("the number of queens, if no rows are given", default=8, least=1, most=1_000)
    rows: Board | None = option(
        "the row of the queen of each column, such as 1,3,0,2; otherwise they are random",
        default=None,
        convert=tuple[int, ...],
    )
    seed: int = option("the seed of the rows, if they are random", default=0, least=0)

    def __attrs_post_init__(self) -> None:
        if not self.start or not all(0 <= row < len(self.start) for row in self.start):
            raise InvalidOptionError(
                f"rows={self.rows}: expected rows from 0 to {len(self.start) - 1}, one for each column"
            )

    @cached_property
    def start(self) -> Board:
        """The board in which path search begins."""
        rng = Random(self.seed)
        return tuple(rng.randrange(self.n) for _ in range(self.n)) if self.rows is None else self.rows

    def initial_states(self) -> tuple[Board]:
        """Return the start board."""
        return (self.start,)

    def is_goal(self, state: Board) -> bool:
        """Whether no queen attacks another."""
        return self.value(state) == 0

    def successors(self, state: Board) -> Iterator[tuple[tuple[int, int], Board]]:
        """Yield ((column, row), board) for each move of one queen within its column."""
        for column, before in enumerate(state):
            for row in range(len(state)):
                if row != before:
                    yield (column, row), (*state[:column], row, *state[column + 1 :])

    def heuristic(self, state: Board) -> int:
        """Return the number of queens too many in the rows, or in the diagonals of one direction: the largest of these.

        It is consistent: a move takes a queen out of one row, one rising and one falling diagonal.
        """
        return max(len(state) - len(set(lines)) for lines in _lines(state))

    def value(self, state: Board) -> int:
        """Return minus the number of pairs of queens in one row or diagonal."""
        counts = [count for lines in _lines(state) for count in Counter(lines).values()]
        return -sum(count * (count - 1) // 2 for count in counts)

    def random_state(self, rng: Random) -> Board:
        """Return a board with each queen in a random row."""
        return tuple(rng.randrange(len(self.start)) for _ in self.start)

    def crossover(self, one: Board, other: Board, rng: Random) -> Board:
        """Return the first columns of one board and the last columns of the other."""
        cut = rng.randrange(len(one) + 1)
        return one[:cut] + other[cut:]

    def mutate(self, state: Board, rng: Random) -> Board:
        """Return the board with a random queen in a random row."""
        column = rng.randrange(len(state))
        return (*state[:column], rng.randrange(len(state)), *state[column + 1 :])


def _lines(state: Board) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Return the row, the rising diagonal and the falling diagonal of each queen."""
    rising = [row + column for column, row in enumerate(state)]
    return state, rising, [row - column for column, row in enumerate(state)]


def places(problem: CompleteQueens) -> Places[Board]:
    """Return the places of a board: the ground is the start, with a queen in each column."""
    n = len(problem.start)

    def rows_of(state: Board) -> list[str]:
        queens = {
            (column, row): "x" if any(lines.count(lines[column]) > 1 for lines in _lines(state)) else "q"
            for column, row in enumerate(state)
        }
        return ["".join(queens.get((x, y), "ld"[(x + y) % 2]) for x in range(n)) for y in range(n)]

    def label(state: Board) -> str:
        return "\n".join(" ".join("♛" if row == y else "·" for row in state) for y in range(n))

    return picture(rows_of, problem.start, SQUARES, label)


SPEC = ProblemSpec(
    "complete_queens",
    "n queens, one in each column from the beginning; a move puts one into another row",
    CompleteQueens,
    group=GROUP,
    examples=(Example("eight_queens", None, "eight queens in random rows"),),
    small={"rows": ((0, 0, 0, 0), (0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1), (0, 3, 0, 1), (1, 1, 2, 2))},
    places=places,
)
