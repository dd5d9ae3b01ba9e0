"""A class that inherits nothing: cost returns text.

Named: cost
"""

from searchkit import SearchProblem, solve


class Wrong:
    """A problem with one wrong member."""

    def initial_states(self) -> list[int]:
        return [10]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("minus one", state - 1)]

    def is_goal(self, state: int) -> bool:
        return state == 0

    def cost(self, state: int, action: str, successor: int) -> str:
        return "2"

    def heuristic(self, state: int) -> int:
        return state


problem: SearchProblem[int, str] = Wrong()
solve(problem)
