"""The state space of a problem whose costs are what costs have to be."""

from math import inf
from typing import Any

from searchkit.problem import SearchProblem, check_members, has_cost, invalid_cost
from searchkit.testing.spaces.space import StateSpace, explore


def checked_space(problem: SearchProblem[Any, Any], max_states: int) -> StateSpace:
    """Return the part of the state space that the bound allows.

    Raises `InvalidProblemError` where a member is missing or a cost is not a finite number ≥ 0: distances would
    mean nothing. `check_problem` says more about such a problem.
    """
    check_members(problem)
    space = explore(problem, max_states)
    if has_cost(problem):
        for state, edges in space.edges.items():
            for action, successor, cost in edges:
                if not _is_cost(cost):
                    raise invalid_cost(state, action, successor, cost)
    return space


def _is_cost(cost: Any) -> bool:
    try:
        return bool(0 <= cost < inf)
    except (TypeError, ArithmeticError):
        return False
