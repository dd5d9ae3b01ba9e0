"""The first problem of Pac-Man: the path to a dot."""

from collections.abc import Iterable
from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.pacman.heuristics import TO_NEAREST, Nearest, chosen
from searchkit_classics.pacman.layout import Cell, Layout


class PathToDot(SearchProblem[Cell, str]):
    """Walk to a dot, in the fewest steps; if there are several dots, to whichever is nearest.

    A state is Pac-Man's cell, (x, y). An action is `North`, `South`, `East` or `West`, in this order; each costs 1.
    After the first search problem of the Pac-Man projects (DeNero and Klein 2010).

    Args:
        layout: the maze, as a `Layout` or as text.
        heuristic: one of `searchkit_classics.pacman.heuristics.TO_NEAREST`; all are consistent.
        start: where Pac-Man starts; None for the layout's P.
        dots: the dots; None for those of the layout.

    Raises:
        InputFormatError: the text is not a layout.
        InvalidOptionError: the heuristic is unknown, or the start or a dot is not on the floor.

    """

    def __init__(
        self,
        layout: Layout | str,
        heuristic: str = "manhattan",
        start: Cell | None = None,
        dots: Iterable[Cell] | None = None,
    ):
        self.layout = Layout.of(layout)
        self.start = self.layout.start if start is None else start
        self.dots = self.layout.dots if dots is None else frozenset(dots)
        for cell in sorted({self.start, *self.dots} - self.layout.floor):
            raise InvalidOptionError(f"{cell} is not on the floor; expected the start and the dots there")
        self.heuristic_name = heuristic
        self._nearest: Nearest = chosen(TO_NEAREST, heuristic)(self.layout, self.dots)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments: what a heuristic has computed is computed again."""
        return type(self), (self.layout, self.heuristic_name, self.start, self.dots)

    def initial_states(self) -> list[Cell]:
        """Return Pac-Man's cell."""
        return [self.start]

    def successors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return the cells beside this one that are not walls."""
        return self.layout.steps[state]

    def is_goal(self, state: Cell) -> bool:
        """Whether a dot is here."""
        return state in self.dots

    def heuristic(self, state: Cell) -> float:
        """Return the value of the chosen heuristic; infinity if there is no dot."""
        return self._nearest(state)

    def goal_states(self) -> list[Cell]:
        """Return the cells of the dots."""
        return sorted(self.dots)

    def predecessors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return the cells from which one step leads here."""
        return [(OPPOSITE[action], cell) for action, cell in self.layout.steps[state]]

    def __repr__(self) -> str:
        return self.layout.shown("PathToDot", f"heuristic {self.heuristic_name}", self.start, self.dots)


OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East"}
