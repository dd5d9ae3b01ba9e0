"""What a kernel stumbles over, said as engines in Python say it."""

from math import inf
from typing import Any

from searchkit.engines.kit import check_heuristic_value
from searchkit.errors import InexactError, InvalidProblemError
from searchkit.kernels.control import BAD_COST, BAD_ESTIMATE
from searchkit.problem import SearchProblem, has_cost, invalid_cost


def inexact() -> InexactError:
    """Return what is raised where a kernel meets a number from `EXACT` on."""
    return InexactError(
        "a cost or an estimate of 2**53 or more came up, and machine code calculates exactly with smaller ones alone; "
        "backend='python' takes all numbers, and costs that are smaller whole numbers are fast"
    )


def refuse(problem: SearchProblem[Any, Any], why: int, edge: tuple[Any, Any, Any], packed: int) -> None:
    """Raise what an engine in Python raises at this cost or estimate, of the last state of an edge."""
    parent, action, state = edge
    if why == BAD_COST and has_cost(problem):
        cost = problem.cost(parent, action, state)
        if not 0 <= cost < inf:
            raise invalid_cost(parent, action, state, cost)
    if why == BAD_ESTIMATE:
        h = problem.heuristic(state)
        if not 0 <= h < inf:
            check_heuristic_value(state, h)
    raise InvalidProblemError(
        f"the compiled view of {type(problem).__name__} has a {'cost' if why == BAD_COST else 'heuristic'} at "
        f"{state!r} (packed {packed}) that is not a number ≥ 0, and the problem itself has not"
    )
