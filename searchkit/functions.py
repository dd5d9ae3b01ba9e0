"""A problem made from plain functions."""

from collections.abc import Callable, Iterable
from typing import Any

from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, Cost, SearchProblem, State


def problem_from(
    initial: Iterable[State],
    successors: Callable[[State], Iterable[tuple[Action, State]]],
    is_goal: Callable[[State], bool],
    cost: Callable[[State, Action, State], Cost] | None = None,
    heuristic: Callable[[State], Cost] | None = None,
) -> SearchProblem[State, Action]:
    """Return the problem that these functions describe.

    Args:
        initial: the start states, one or many.
        successors: state → (action, successor) pairs.
        is_goal: state → whether it is a goal.
        cost: (state, action, successor) → cost ≥ 0; every action costs 1 where it is None.
        heuristic: state → estimated cost to a goal; no heuristic where it is None.

    Raises:
        InvalidProblemError: where a function is not callable, or `initial` is not a collection of states.

    Example:
        >>> from searchkit import problem_from, solve
        >>> result = solve(problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 10))
        >>> result.solution.actions
        ('+1', '*2', '+1', '*2')

    """
    for name, function, of, optional in (
        ("successors", successors, "one state", False),
        ("is_goal", is_goal, "one state", False),
        ("cost", cost, "a state, an action and its successor", True),
        ("heuristic", heuristic, "one state", True),
    ):
        if not (callable(function) or (optional and function is None)):
            raise InvalidProblemError(f"{name} is {function!r}, expected a function of {of}")
    if isinstance(initial, str) or not isinstance(initial, Iterable):
        raise InvalidProblemError(
            f"initial is {initial!r}, expected a collection of start states: [{initial!r}]"
        )
    return FunctionProblem(tuple(initial), successors, is_goal, cost, heuristic)


class FunctionProblem(SearchProblem[Any, Any]):
    """Holds the functions as instance attributes, so that a call costs no more than the function itself."""

    def __init__(
        self,
        initial: tuple[Any, ...],
        successors: Callable[[Any], Iterable[tuple[Any, Any]]],
        is_goal: Callable[[Any], bool],
        cost: Callable[[Any, Any, Any], Cost] | None,
        heuristic: Callable[[Any], Cost] | None,
    ):
        self.__dict__.update(initial=initial, successors=successors, is_goal=is_goal)
        optional = {"cost": cost, "heuristic": heuristic}
        self.__dict__.update((name, function) for name, function in optional.items() if function is not None)

    def initial_states(self) -> Iterable[Any]:
        """Return the start states."""
        return tuple(self.__dict__["initial"])

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Stand for the instance's own function, which comes before it."""
        raise NotImplementedError

    def is_goal(self, state: Any) -> bool:
        """Stand for the instance's own function, which comes before it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"problem_from({list(self.initial_states())!r}, …)"
