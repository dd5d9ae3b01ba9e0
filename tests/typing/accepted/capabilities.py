"""Capabilities are protocols: a class has one if it has the members."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import assert_type

from searchkit import (
    Aimable,
    Relaxable,
    Reportable,
    Result,
    Reversible,
    SearchProblem,
    solve_many,
)


class Line(SearchProblem[int, int]):
    """The whole numbers, by default from 0 to 9."""

    def __init__(self, starts: Iterable[int] = (0,), goals: Iterable[int] = (9,)) -> None:
        self.starts, self.goals = list(starts), list(goals)

    def aimed(self, starts: Iterable[int], goals: Iterable[int]) -> "Line":
        return Line(starts, goals)

    def initial_states(self) -> list[int]:
        return self.starts

    def goal_states(self) -> list[int]:
        return self.goals

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def successors(self, state: int) -> list[tuple[int, int]]:
        return [(step, state + step) for step in (1, 3)]

    def predecessors(self, state: int) -> list[tuple[int, int]]:
        return [(step, state - step) for step in (1, 3)]

    def region(self, state: int) -> int:
        return state // 10

    def neighbours(self, region: Hashable) -> list[int]:
        return [0]

    def goal_regions(self) -> list[int]:
        return [0]

    def path_details(self, states: Sequence[int]) -> Mapping[str, object]:
        return {"largest": max(states)}


reversible: Reversible[int, int] = Line()
relaxable: Relaxable[int] = Line()
reportable: Reportable[int] = Line()
aimable: Aimable[int, int] = Line()

for result in solve_many(Line(), [(0, 3), (2, 2)], workers="threads:2"):
    assert_type(result, Result[int, int])
for result in solve_many([Line(), Line()], engine="bfs"):
    assert_type(result, Result[int, int])
