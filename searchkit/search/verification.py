"""Checks of the heuristic that an answer rests on, and what an overestimate means for the answer."""

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from attrs import evolve

from searchkit.basics.checks import checked_cost, checked_heuristic, distinct_starts
from searchkit.basics.rounding import exceeds
from searchkit.errors import InvalidOptionError, quoted
from searchkit.problem import (
    Action,
    Cost,
    State,
    SupportsSearch,
    check_members,
    has_cost,
    has_heuristic,
    problem_from,
)
from searchkit.result import Result, Status
from searchkit.search.distances import distance_map
from searchkit.search.driver import Search, per_slice
from searchkit.search.limits import Limits


def verify_heuristic(
    problem: SupportsSearch[State, Action],
    result: Result[State, Action],
    *,
    limits: Limits | None = None,
    give_up: Callable[[], object] = lambda: False,
) -> Result[State, Action]:
    """Compare the heuristic of each reachable state with the exact distance to a goal; return what the result is then.

    A `backward_heuristic` is compared with the distance from a start. If no value is too high, that is the same result,
    and `assumes` is empty. Otherwise the lower bound is the cost of a cheapest path, and a warning names a state with
    such a value. If a limit is reached before all states are expanded, a warning says so, and `assumes` stays.

    Takes memory for all actions of all reachable states. A result that rests on no heuristic is returned as it is.

    Args:
        problem: what was solved.
        result: what the search returned.
        limits: limits of this check.
        give_up: called now and then; if it returns true, the check ends.

    Raises:
        InvalidProblemError: a cost or a heuristic value is invalid.
        InvalidOptionError: `result` is no result.

    Example:
        >>> from searchkit import problem_from, solve, verify_heuristic
        >>> line = problem_from([0], lambda x: [("+", x + 1)] if x < 3 else [], lambda x: x == 3, None, lambda x: 3 - x)
        >>> result = solve(line, "astar")
        >>> result.assumes
        'the heuristic never overestimates'
        >>> verify_heuristic(line, result).assumes
        ''

    """
    checked: Any = check_members(problem)
    if not isinstance(result, Result):
        raise InvalidOptionError(
            f"verify_heuristic(problem, result): expected a result, not {quoted(result)}"
        )
    if not result.assumes:
        return result
    starts = distinct_starts(checked)
    into: dict[Any, list[tuple[Cost, Any]]] = {start: [] for start in starts}
    """State → the costs of actions that lead to it, and the states that these lead from."""

    def successors(state: Any) -> Iterator[tuple[Any, Any]]:
        for action, successor in checked.successors(state):
            cost: Any = checked.cost(state, action, successor) if has_cost(checked) else 1
            into.setdefault(successor, []).append((checked_cost(state, action, successor, cost), state))
            yield action, successor

    def end(search: Search[Any, Any], state: Any) -> None:
        if give_up():
            search.interrupt()

    everywhere = problem_from(starts, successors, lambda state: False)
    cutoff = Search(everywhere, "bfs", observers=[per_slice(end)]).run(limits).cutoff
    goals = [state for state in into if checked.is_goal(state)]
    backwards = problem_from(goals, into.__getitem__, lambda state: False, lambda state, cost, before: cost)
    to_goals: Any = distance_map(backwards, backend="python", limits=limits) if goals and not cutoff else {}
    exact = {"heuristic": to_goals} if has_heuristic(checked) else {}
    if getattr(checked, "backward_heuristic", None) is not None and not cutoff:
        exact["backward_heuristic"] = distance_map(checked, backend="python", limits=limits)
    if cutoff or not all(getattr(distances, "complete", True) for distances in exact.values()):
        said = f"the heuristic was not verified: cut off by {cutoff or 'a limit'}"
        return evolve(result, warnings=(*result.warnings, said))
    for member, distances in exact.items():
        where = "from there to a goal" if member == "heuristic" else "there from a start"
        scale = max(distances.values(), default=0)
        for state in into:
            h = checked_heuristic(state, getattr(checked, member)(state), member)
            least = distances.get(state, inf)
            if exceeds(h, least, len(into), scale):
                cheapest = min((to_goals.get(start, inf) for start in starts), default=inf)
                detail = (
                    f"{member} is not admissible: {member}({quoted(state)}) is {h}, but a path of cost {least} leads "
                    f"{where}; a cheapest path costs {cheapest}"
                )
                return without_assumption(result, cheapest, detail)
    return evolve(result, assumes="")


def without_assumption(
    result: Result[State, Action], lower_bound: Cost, warning: str
) -> Result[State, Action]:
    """Return a result whose bound rested on a heuristic that overestimates, with a bound that does not."""
    wrong = result.status is Status.UNSOLVABLE and lower_bound < inf
    return evolve(
        result,
        lower_bound=lower_bound,
        assumes="",
        warnings=(*result.warnings, warning),
        status=Status.CUTOFF if wrong else result.status,
        cutoff="a heuristic that excludes paths to goals" if wrong else result.cutoff,
    )
