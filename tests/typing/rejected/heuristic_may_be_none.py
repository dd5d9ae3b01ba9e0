"""heuristic returns None where it knows nothing.

Named: heuristic
"""

from searchkit import SearchProblem, solve


class Wrong(SearchProblem[int, str]):
    """A problem with one wrong member."""

    def initial_states(self) -> list[int]:
        return [10]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("minus one", state - 1)]

    def is_goal(self, state: int) -> bool:
        return state == 0

    def heuristic(self, state: int) -> int | None:
        return state if state < 5 else None


solve(Wrong())
