"""initial_states returns a state, not a collection.

Named: initial_states
"""

from searchkit import SearchProblem, solve


class Wrong(SearchProblem[int, str]):
    """A problem with one wrong member."""

    def initial_states(self) -> int:
        return 10

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("minus one", state - 1)]

    def is_goal(self, state: int) -> bool:
        return state == 0


solve(Wrong())
