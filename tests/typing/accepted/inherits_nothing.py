"""A class with the five members that inherits nothing is a problem: for solve, Search and distance_map."""

from collections.abc import Iterator
from fractions import Fraction
from typing import assert_type

from searchkit import Cost, DistanceMap, Limits, Result, Search, SearchProblem, distance_map, solve

Cell = tuple[int, int]


class Walk:
    """Steps on an endless grid."""

    def initial_states(self) -> set[Cell]:
        return {(0, 0)}

    def successors(self, state: Cell) -> Iterator[tuple[str, Cell]]:
        x, y = state
        yield "E", (x + 1, y)
        yield "S", (x, y + 1)

    def is_goal(self, state: Cell) -> bool:
        return state == (3, 4)

    def cost(self, state: Cell, action: str, successor: Cell) -> Fraction:
        return Fraction(1, 3)

    def heuristic(self, state: Cell) -> Cost:
        return 0


problem: SearchProblem[Cell, str] = Walk()
assert_type(solve(Walk(), "astar", ties="fifo"), Result[Cell, str])
assert_type(Search(Walk()).run(Limits(expansions=10)), Result[Cell, str])
assert_type(distance_map(Walk(), limits=Limits(seconds=1)), DistanceMap[Cell, str])
