"""The food problem of Pac-Man: eat all dots of the maze."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from searchkit import SearchProblem
from searchkit_classics.pacman.heuristics import TO_FOOD, ToAll, chosen
from searchkit_classics.pacman.layout import Cell, Layout, without

FoodState: TypeAlias = tuple[Cell, tuple[Cell, ...]]
"""Pac-Man's cell, and the dots that were not eaten yet, sorted."""


class Food(SearchProblem[FoodState, str]):
    r"""Eat all dots of a maze, in any order, in the fewest steps.

    A state is Pac-Man's cell and the dots that are left. An action is `North`, `South`, `East` or `West`, in this
    order; each costs 1. The number of states grows as 2 to the number of dots. After the food problem of the Pac-Man
    projects (DeNero and Klein 2010).

    Args:
        layout: the maze, as a `Layout` or as text.
        heuristic: one of `searchkit_classics.pacman.heuristics.TO_FOOD`; all are consistent.

    Raises:
        InputFormatError: the text is not a layout.
        InvalidOptionError: the heuristic is unknown.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.pacman import Food
        >>> solve(Food("%%%%%%%\n%. P .%\n%%%%%%%")).cost
        6

    """

    def __init__(self, layout: Layout | str, heuristic: str = "mst"):
        self.layout = Layout.of(layout)
        self.heuristic_name = heuristic
        self._rest: ToAll = chosen(TO_FOOD, heuristic)(self.layout, self.layout.dots)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments: what a heuristic has computed is computed again."""
        return type(self), (self.layout, self.heuristic_name)

    def initial_states(self) -> list[FoodState]:
        """Return the start, with all dots."""
        return [(self.layout.start, tuple(sorted(self.layout.dots)))]

    def successors(self, state: FoodState) -> Iterator[tuple[str, FoodState]]:
        """Yield each step; Pac-Man eats the dot that he walks on."""
        cell, left = state
        for action, entered in self.layout.steps[cell]:
            yield action, (entered, without(entered, left))

    def is_goal(self, state: FoodState) -> bool:
        """Whether all dots were eaten."""
        return not state[1]

    def heuristic(self, state: FoodState) -> float:
        """Return the value of the chosen heuristic; infinity if a dot can't be reached."""
        return self._rest(*state)

    def __repr__(self) -> str:
        facts = f"{len(self.layout.dots)} dots, heuristic {self.heuristic_name}"
        return self.layout.shown("Food", facts, self.layout.start, self.layout.dots)
