"""The errors of compiled engines: for numbers that kernels do not take, and for what a compiled view lacks."""

from typing import Any

from searchkit.basics.checks import checked_cost, checked_heuristic
from searchkit.compiled.kit import control
from searchkit.errors import InexactError, InvalidProblemError, MissingCapabilityError
from searchkit.problem import SearchProblem, has_cost


def inexact() -> InexactError:
    """Return the error for a number of `EXACT` or more in a kernel."""
    return InexactError(
        "a cost or a heuristic value is 2**53 or more, and machine code calculates exactly with smaller ones only; "
        "backend='python' takes all numbers, and costs that are smaller whole numbers are fast"
    )


def raise_invalid(
    problem: SearchProblem[Any, Any], why: int, edge: tuple[Any, Any, Any], packed: int
) -> None:
    """Raise what an engine in Python raises for the invalid cost or heuristic value at the last state of an edge."""
    parent, action, state = edge
    if why == control.BAD_COST and has_cost(problem):
        checked_cost(parent, action, state, problem.cost(parent, action, state))
    if why == control.BAD_HEURISTIC:
        checked_heuristic(state, problem.heuristic(state))
    raise InvalidProblemError(
        f"the compiled view of {type(problem).__name__} has a {'cost' if why == control.BAD_COST else 'heuristic'} at "
        f"{state!r} (packed {packed}) that is not a number ≥ 0, and the problem itself has not"
    )


def no_heuristic(problem: SearchProblem[Any, Any]) -> MissingCapabilityError:
    """Return the error for a compiled view that lacks the heuristic."""
    return MissingCapabilityError(
        f"the compiled view of {type(problem).__name__} has no heuristic; use backend='python'"
    )
