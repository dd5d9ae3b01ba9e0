"""successors is missing.

Named: successors
"""

from searchkit import SearchProblem, solve


class Wrong(SearchProblem[int, str]):
    """A problem with one wrong member."""

    def initial_states(self) -> list[int]:
        return [10]

    def is_goal(self, state: int) -> bool:
        return state == 0


solve(Wrong())
