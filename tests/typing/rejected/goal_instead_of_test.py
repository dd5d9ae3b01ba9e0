"""A class that inherits nothing: is_goal is a goal, not a question.

Named: is_goal
"""

from searchkit import SearchProblem, solve


class Wrong:
    """A problem with one wrong member."""

    def initial_states(self) -> list[int]:
        return [10]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("minus one", state - 1)]

    is_goal = 0

    def cost(self, state: int, action: str, successor: int) -> int:
        return 2

    def heuristic(self, state: int) -> int:
        return state


problem: SearchProblem[int, str] = Wrong()
solve(problem)
