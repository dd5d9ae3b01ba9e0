"""States are lists, which can't be hashed.

Named: Hashable
"""

from searchkit import SearchProblem, solve


class Wrong(SearchProblem[list[int], str]):
    """A problem with one wrong member."""

    def initial_states(self) -> list[list[int]]:
        return [[10]]

    def successors(self, state: list[int]) -> list[tuple[str, list[int]]]:
        return []

    def is_goal(self, state: list[int]) -> bool:
        return state == [0]


solve(Wrong())
