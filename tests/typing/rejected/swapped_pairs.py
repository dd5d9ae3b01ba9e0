"""successors returns (state, action) pairs.

Named: successors
"""

from searchkit import SearchProblem, solve


class Wrong(SearchProblem[int, str]):
    """A problem with one wrong member."""

    def initial_states(self) -> list[int]:
        return [10]

    def successors(self, state: int) -> list[tuple[int, str]]:
        return [(state - 1, "minus one")]

    def is_goal(self, state: int) -> bool:
        return state == 0


solve(Wrong())
