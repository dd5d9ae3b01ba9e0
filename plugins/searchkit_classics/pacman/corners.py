"""The corners problem of Pac-Man: visit all four corners of the maze."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.pacman.heuristics import TO_CORNERS, ToAll, chosen
from searchkit_classics.pacman.layout import Cell, Layout, without

CornersState: TypeAlias = tuple[Cell, tuple[Cell, ...]]
"""Pac-Man's cell, and the corners that were not visited yet, sorted."""


class Corners(SearchProblem[CornersState, str]):
    """Visit the four corners of a maze, in any order, in the fewest steps.

    A corner is the cell that is one column and one row away from a corner of the layout, whether a dot is there or
    not. A state is Pac-Man's cell and the corners not visited yet. An action is `North`, `South`, `East` or `West`, in
    this order; each costs 1. After the corners problem of the Pac-Man projects (DeNero and Klein 2010).

    Args:
        layout: the maze, as a `Layout` or as text.
        heuristic: one of `searchkit_classics.pacman.heuristics.TO_CORNERS`; all are consistent.

    Raises:
        InputFormatError: the text is not a layout.
        InvalidOptionError: the heuristic is unknown, or a corner is a wall.

    """

    def __init__(self, layout: Layout | str, heuristic: str = "tour"):
        self.layout = Layout.of(layout)
        right, bottom = self.layout.width - 2, self.layout.height - 2
        self.corners = tuple(sorted({(1, 1), (right, 1), (1, bottom), (right, bottom)}))
        for cell in sorted({*self.corners} - self.layout.floor):
            raise InvalidOptionError(f"the corner {cell} is a wall; expected floor at each of {self.corners}")
        self.heuristic_name = heuristic
        self._rest: ToAll = chosen(TO_CORNERS, heuristic)(self.layout, self.corners)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments: what a heuristic has computed is computed again."""
        return type(self), (self.layout, self.heuristic_name)

    def initial_states(self) -> list[CornersState]:
        """Return the start; a corner where Pac-Man starts is visited already."""
        return [(self.layout.start, without(self.layout.start, self.corners))]

    def successors(self, state: CornersState) -> Iterator[tuple[str, CornersState]]:
        """Yield each step."""
        cell, left = state
        for action, entered in self.layout.steps[cell]:
            yield action, (entered, without(entered, left))

    def is_goal(self, state: CornersState) -> bool:
        """Whether all corners were visited."""
        return not state[1]

    def heuristic(self, state: CornersState) -> float:
        """Return the value of the chosen heuristic."""
        return self._rest(*state)

    def __repr__(self) -> str:
        layout = self.layout
        return layout.shown("Corners", f"heuristic {self.heuristic_name}", layout.start, layout.dots)
