"""A problem that inherits from SearchProblem, with the defaults of cost and heuristic."""

from typing import assert_type

from searchkit import Result, SearchProblem, solve


class Countdown(SearchProblem[int, str]):
    """From 10 to 0."""

    def initial_states(self) -> list[int]:
        return [10]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("minus one", state - 1), ("halve", state // 2)]

    def is_goal(self, state: int) -> bool:
        return state == 0


result = solve(Countdown())
assert_type(result, Result[int, str])
if result.solution is not None:
    assert_type(result.solution.states, tuple[int, ...])
    assert_type(result.solution.actions, tuple[str, ...])
