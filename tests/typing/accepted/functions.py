"""A problem made from functions has the types of the functions."""

from typing import assert_type

from searchkit import Cost, SearchProblem, problem_from


def neighbours(town: str) -> list[tuple[int, str]]:
    """Return the roads out of a town."""
    return [(1, town + "!")]


def length(town: str, road: int, to: str) -> Cost:
    """Return the length of a road."""
    return 2.5


problem = problem_from(["A"], neighbours, lambda town: town == "A!", cost=length)
assert_type(problem, SearchProblem[str, int])
