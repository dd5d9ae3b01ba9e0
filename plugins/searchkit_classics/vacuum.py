"""The vacuum world."""

from collections.abc import Iterable
from itertools import product

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options

State = tuple[int, tuple[bool, ...]]
"""The square of the cleaner, from 0, and whether each square is dirty."""


@with_options
class Vacuum(SearchProblem[State, str]):
    """Clean all squares in a row (Russell and Norvig, "Artificial Intelligence").

    A state is the square of the cleaner and which squares are dirty: n · 2ⁿ states. The actions are `left`, `right` and
    `suck`; each costs 1, also if it changes nothing.
    """

    squares: int = option("the number of squares", default=2, least=1, most=64)
    at: int = option("the square to start from, from 1", default=1, least=1)
    dirt: str = option("a digit for each square, such as 101, 1 for dirt; empty: all are dirty", default="")
    heuristic_name: str = option(
        "sweep, the true cost; dirt, the number of dirty squares; zero",
        default="sweep",
        choices=("sweep", "dirt", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if self.at > self.squares:
            raise ValueError(f"at={self.at}: expected a number from 1 to {self.squares}")
        if self.dirt and (len(self.dirt) != self.squares or set(self.dirt) - set("01")):
            raise ValueError(
                f"dirt={self.dirt}: expected {self.squares} digits, 1 for dirty squares and 0 for clean ones"
            )

    def initial_states(self) -> Iterable[State]:
        """Return the start."""
        return [(self.at - 1, tuple(digit == "1" for digit in self.dirt or "1" * self.squares))]

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
        """Return a lower bound on the actions that are left: to suck, and to walk to both ends of the dirt."""
        at, dirty = state
        squares = [square for square, is_dirty in enumerate(dirty) if is_dirty]
        if not squares or self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "dirt":
            return len(squares)
        first, last = squares[0], squares[-1]
        return len(squares) + last - first + min(abs(at - first), abs(at - last))


WALL, CLEAN, DIRT, CLEANER = "#.*V"
ROOM = {
    WALL: Mark("█", "#9aa3b2"),
    CLEAN: Mark(" ", "#2a2f3a", "clean"),
    DIRT: Mark("*", "#b5793c", "dirt", rank=1),
    CLEANER: Mark("V", "#4cc9f0", "cleaner", rank=2),
}
MAX_SQUARES = 6
"""Longer rows have too many states for a graph."""


def places(problem: Vacuum) -> Places[State]:
    """Return the squares in a row; as a graph, the more dirt the higher."""

    def rows(state: State) -> list[str]:
        at, dirty = state
        line = WALL * (2 * problem.squares + 1)
        cleaner = WALL.join(CLEANER if at == square else CLEAN for square in range(problem.squares))
        dirt = WALL.join(DIRT if is_dirty else CLEAN for is_dirty in dirty)
        return [line, WALL + cleaner + WALL, WALL + dirt + WALL, line]

    def label(state: State) -> str:
        at, dirty = state
        squares = ("V" * (at == square) + "*" * is_dirty or " " for square, is_dirty in enumerate(dirty))
        return f"[{'|'.join(squares)}]"

    def position(state: State) -> tuple[float, float]:
        at, dirty = state
        alike = [other for other in worlds if sum(other) == sum(dirty)]
        middle = (len(alike) - 1) / 2
        return (alike.index(dirty) - middle) * (problem.squares + 1) + at, 1.3 * sum(dirty)

    small = problem.squares <= MAX_SQUARES
    worlds = sorted(product((True, False), repeat=problem.squares), reverse=True) if small else []
    return picture(rows, next(iter(problem.initial_states())), ROOM, label, position if small else None)


SPEC = ProblemSpec(
    "vacuum",
    "clean all squares in a row: the vacuum world of 2 squares has 8 states",
    Vacuum,
    group="Tasks",
    examples=(Example("vacuum8", None, "8 squares, from the fourth", {"squares": 8, "at": 4}),),
    small={"squares": (3,), "at": (1, 2, 3), "dirt": ("", "101", "010", "011", "100", "000")},
    places=places,
)
