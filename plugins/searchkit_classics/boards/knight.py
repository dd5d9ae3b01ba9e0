"""The knight's tour."""

from collections.abc import Iterable
from math import inf

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import board_size, one_of

HEURISTICS = ("dead-ends", "remaining", "zero")
ORDERS = ("fewest-exits", "clockwise")
JUMPS = ((1, -2), (2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2))
FILES = "abcdefghijklmnopqrstuvwxyz"

State = tuple[str, ...]
"""The squares in the order of the tour, such as a1, b3."""


class Knight(SearchProblem[State, str]):
    """Lead a knight over all squares of a board, to each once (Euler 1759).

    A state is the squares visited, in order; an action is the next square. Each jump costs 1, so all tours of a board
    cost the same. With `fewest-exits`, the squares with the fewest further jumps come first (Warnsdorff 1823):
    depth-first search then finds a tour of a large board almost without going back.

    Args:
        size: files and ranks of the board, such as `5x5`.
        start: the first square.
        closed: whether the tour has to end a jump away from its start.
        order: one of `ORDERS`.
        heuristic: `remaining`, the squares that are left; `dead-ends`, the same, but infinite if a square can't be
            entered any more; `zero`.

    """

    def __init__(
        self,
        size: str = "5x5",
        start: str = "a1",
        closed: bool = False,
        order: str = ORDERS[0],
        heuristic: str = HEURISTICS[0],
    ):
        self.files, self.ranks = board_size(size, len(FILES))
        self.start, self.closed = start, closed
        squares = [(x, y) for y in range(self.ranks) for x in range(self.files)]
        self.exits = {
            name(x, y): [name(x + dx, y + dy) for dx, dy in JUMPS if (x + dx, y + dy) in squares]
            for x, y in squares
        }
        if start not in self.exits:
            raise InvalidOptionError(f"start={start}: expected a square from a1 to {name(*squares[-1])}")
        self.order, self.heuristic_name = (
            one_of("order", order, ORDERS),
            one_of("heuristic", heuristic, HEURISTICS),
        )

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

    def __repr__(self) -> str:
        return (
            f"<Knight size={self.files}x{self.ranks} start={self.start} closed={str(self.closed).lower()} "
            f"order={self.order} heuristic={self.heuristic_name}>"
        )


def name(x: int, y: int) -> str:
    """Return the name of a square."""
    return f"{FILES[x]}{y + 1}"
