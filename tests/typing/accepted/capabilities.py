"""Capabilities are protocols: a class has one if it has the members."""

from collections.abc import Hashable, Mapping, Sequence

from searchkit import Relaxable, Reportable, Reversible, SearchProblem


class Line(SearchProblem[int, int]):
    """The whole numbers, from 0 to 9."""

    def initial_states(self) -> list[int]:
        return [0]

    def goal_states(self) -> list[int]:
        return [9]

    def is_goal(self, state: int) -> bool:
        return state == 9

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
