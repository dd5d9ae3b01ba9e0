"""The vacuum world."""

from collections.abc import Iterable

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import in_range, one_of

HEURISTICS = ("sweep", "dirt", "zero")

State = tuple[int, tuple[bool, ...]]
"""The square of the cleaner, from 0, and whether each square is dirty."""


class Vacuum(SearchProblem[State, str]):
    """Clean all squares in a row (Russell and Norvig, "Artificial Intelligence").

    A state is the square of the cleaner and which squares are dirty: n · 2ⁿ states. The actions are `left`, `right` and
    `suck`; each costs 1, also if it changes nothing.

    Args:
        squares: the number of squares.
        at: the square to start from, from 1.
        dirt: a digit for each square, such as `101`: 1 if it is dirty and 0 if not; "" if all are dirty.
        heuristic: `dirt`, the number of dirty squares; `sweep`, this and the way to both ends of the dirt, which is the
            true cost; `zero`.

    """

    def __init__(self, squares: int = 2, at: int = 1, dirt: str = "", heuristic: str = HEURISTICS[0]):
        self.squares = in_range("squares", squares, 1, 64)
        self.at = in_range("at", at, 1, squares)
        self.dirt = dirt or "1" * squares
        if len(self.dirt) != squares or set(self.dirt) - set("01"):
            raise InvalidOptionError(
                f"dirt={dirt}: expected {squares} digits, 1 for dirty squares and 0 for clean ones"
            )
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)

    def initial_states(self) -> Iterable[State]:
        """Return the start."""
        return [(self.at - 1, tuple(digit == "1" for digit in self.dirt))]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return what the three actions do; the cleaner stays where a wall is."""
        at, dirty = state
        yield "left", (max(at - 1, 0), dirty)
        yield "right", (min(at + 1, self.squares - 1), dirty)
        yield "suck", (at, (*dirty[:at], False, *dirty[at + 1 :]))

    def is_goal(self, state: State) -> bool:
        """Whether no square is dirty."""
        return not any(state[1])

    def heuristic(self, state: State) -> int:
        """Return a lower bound on the actions that are left."""
        at, dirty = state
        squares = [square for square, is_dirty in enumerate(dirty) if is_dirty]
        if not squares or self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "dirt":
            return len(squares)
        first, last = squares[0], squares[-1]
        return len(squares) + last - first + min(abs(at - first), abs(at - last))

    def __repr__(self) -> str:
        return (
            f"<Vacuum squares={self.squares} at={self.at} dirt={self.dirt} heuristic={self.heuristic_name}>"
        )
