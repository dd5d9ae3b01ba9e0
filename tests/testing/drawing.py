"""How the tests of strategies draw, and the least cost of what they draw."""

from math import inf
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from searchkit import SearchProblem, solve

Problem = SearchProblem[Any, Any]
PLENTY = settings(
    max_examples=3000,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    deadline=None,
    phases=[Phase.generate],
)


def least(problem: Problem) -> float:
    """Return the least cost; infinite if there is no path."""
    cost = solve(problem).cost
    return inf if cost is None else float(cost)
