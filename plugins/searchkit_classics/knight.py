"""The knight's tour."""

from collections.abc import Iterable
from functools import cached_property
from math import inf

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.options import board_size

JUMPS = ((1, -2), (2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2))
FILES = "abcdefghijklmnopqrstuvwxyz"

State = tuple[str, ...]
"""The squares in the order of the tour, such as a1, b3."""


@with_options
class Knight(SearchProblem[State, str]):
    """Lead a knight over all squares of a board, to each once (Euler 1759).

    A state is the squares visited, in order; an action is the next square. Each jump costs 1, so all tours of a board
    cost the same. With `fewest-exits`, the squares with the fewest further jumps come first (Warnsdorff 1823):
    depth-first search then finds a tour of a large board almost without going back.
    """

    size: str = option("files and ranks of the board", default="5x5", convert=board_size(len(FILES)))
    start: str = option("the first square", default="a1")
    closed: bool = option("whether the tour ends a jump away from its start", default=False)
    order: str = option(
        "which squares come first", default="fewest-exits", choices=("fewest-exits", "clockwise")
    )
    heuristic_name: str = option(
        "dead-ends, which sees squares that can't be entered; remaining, the squares that are left; zero",
        default="dead-ends",
        choices=("dead-ends", "remaining", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if self.start not in self.exits:
            raise ValueError(f"start={self.start}: expected a square from a1 to {list(self.exits)[-1]}")

    @cached_property
    def exits(self) -> dict[str, list[str]]:
        """Square → the squares that are a jump away."""
        files, ranks = map(int, self.size.split("x"))
        squares = [(x, y) for y in range(ranks) for x in range(files)]
        return {
            name(x, y): [name(x + dx, y + dy) for dx, dy in JUMPS if (x + dx, y + dy) in squares]
            for x, y in squares
        }

    def initial_states(self) -> Iterable[State]:
        """Return the first square."""
        return [(self.start,)]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the tours that are one square longer."""
        free = self.free(state, state[-1])
        if self.order == "fewest-exits":
            free.sort(key=lambda square: len(self.free(state, square)))
        return [(square, (*state, square)) for square in free]

    def free(self, state: State, square: str) -> list[str]:
        """Return the squares a jump away that were not visited yet."""
        return [other for other in self.exits[square] if other not in state]

    def is_goal(self, state: State) -> bool:
        """Whether all squares were visited, and the start is a jump away if the tour has to be closed."""
        return len(state) == len(self.exits) and (not self.closed or self.start in self.exits[state[-1]])

    def heuristic(self, state: State) -> float:
        """Return the squares that are left, if the heuristic sees none that can't be entered any more."""
        if self.heuristic_name == "zero":
            return 0
        last = state[-1]
        left = self.exits.keys() - set(state)
        if self.heuristic_name == "dead-ends" and any(
            last not in self.exits[square] and not self.free(state, square) for square in left
        ):
            return inf
        return len(left)


def name(x: int, y: int) -> str:
    """Return the name of a square."""
    return f"{FILES[x]}{y + 1}"


DIGITS = "1234567890_"
"""The keys of digits, and of the space before a short number."""
LAST = dict(zip(DIGITS, "abcdefghijk", strict=True))
"""The same on the last square."""
MARKS = {
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
MAX_LABEL_SQUARES = 6
"""Of a longer tour, a label has the last squares."""


def places(problem: Knight) -> Places[State]:
    """Return the board with the number of each square on the tour; a1 is at the lower left."""
    wide = len(str(len(problem.exits)))
    files, ranks = map(int, problem.size.split("x"))

    def rows(tour: State) -> list[str]:
        numbers = {square: str(number).rjust(wide, "_") for number, square in enumerate(tour, 1)}
        numbers[tour[-1]] = "".join(LAST[digit] for digit in numbers[tour[-1]])
        return [
            " ".join(numbers.get(name(x, y), "." * wide) for x in range(files))
            for y in reversed(range(ranks))
        ]

    def label(tour: State) -> str:
        return (
            " ".join(tour) if len(tour) <= MAX_LABEL_SQUARES else f"… {' '.join(tour[-MAX_LABEL_SQUARES:])}"
        )

    return picture(rows, (problem.start,), MARKS, label)


SPEC = ProblemSpec(
    "knight",
    "a knight's tour: over all squares of a board, to each once",
    Knight,
    group="Boards",
    examples=(Example("knight34", None, "the smallest board that has a tour", {"size": "3x4"}),),
    small={"size": ("3x4", "4x3", "3x3", "2x3"), "start": ("a1", "b1", "a3"), "closed": (False,)},
    places=places,
)
