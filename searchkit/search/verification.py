"""Checks of the heuristic that an answer rests on, and what an overestimate means for the answer."""

from collections.abc import Callable
from heapq import heappop, heappush
from math import inf
from time import perf_counter
from typing import Any, TypeAlias

from attrs import evolve

from searchkit.basics.checks import NUMBERS, checked_cost, checked_heuristic, start_states
from searchkit.basics.rounding import exceeds
from searchkit.errors import InvalidOptionError
from searchkit.problem import (
    Action,
    BackwardHeuristic,
    Cost,
    State,
    SupportsSearch,
    check_members,
    has_cost,
    has_heuristic,
)
from searchkit.result import Result, Status
from searchkit.search.limits import Limits, checked_limits, memory_limit

POLL_INTERVAL = 256
"""How many states are expanded between two looks at the limits."""
Edges: TypeAlias = dict[Any, list[tuple[Any, Cost]]]
"""State → the states that lead to it, and the costs of these actions."""


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
        limits: limits of this check; without a limit of memory, it ends at four fifths of the machine's memory.
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
        raise InvalidOptionError(f"verify_heuristic(problem, result): expected a result, not {result!r}")
    limits = checked_limits(limits)
    if not result.assumes:
        return result
    begin, limits = perf_counter(), evolve(limits, memory=memory_limit(limits))
    into: Edges = {state: [] for state in start_states(checked)}
    starts, states, goals = list(into), list(into), []
    for number, state in enumerate(states):  # which grow
        if limits.expansions is not None and number >= limits.expansions:
            return _unverified(result, f"the limit of {limits.expansions} expansions")
        if number % POLL_INTERVAL == 0:
            reached = limits.reached(perf_counter() - begin) or ("an interruption" if give_up() else "")
            if reached:
                return _unverified(result, reached)
        if checked.is_goal(state):
            goals.append(state)
        for action, successor in checked.successors(state):
            cost = checked.cost(state, action, successor) if has_cost(checked) else 1
            if type(cost) not in NUMBERS or not 0 <= cost < inf:
                cost = checked_cost(state, action, successor, cost)
            if successor not in into:
                into[successor] = []
                states.append(successor)
            into[successor].append((state, cost))
    to_goals = _distances(goals, into)
    places = [("heuristic", "from there to a goal", to_goals)] if has_heuristic(checked) else []
    if isinstance(checked, BackwardHeuristic):
        out: Edges = {state: [] for state in states}
        for state, edges in into.items():
            for before, cost in edges:
                out[before].append((state, cost))
        places.append(("backward_heuristic", "there from a start", _distances(starts, out)))
    for member, where, exact in places:
        scale = max(exact.values(), default=0)
        for state in states:
            h, least = (
                checked_heuristic(state, getattr(checked, member)(state), member),
                exact.get(state, inf),
            )
            if exceeds(h, least, len(states), scale):
                cheapest = min((to_goals.get(start, inf) for start in starts), default=inf)
                detail = (
                    f"{member} is not admissible: {member}({state!r}) is {h}, but a path of cost {least} leads "
                    f"{where}; a cheapest path costs {cheapest}"
                )
                return without_assumption(result, cheapest, detail)
    return evolve(result, assumes="")


def _distances(ends: list[Any], into: Edges) -> dict[Any, Cost]:
    """Return the least cost from each state to one of the ends (Dijkstra 1959); other states are absent."""
    exact: dict[Any, Cost] = {}
    frontier: list[tuple[Cost, int, Any]] = [(0, number, end) for number, end in enumerate(ends)]
    count = len(ends)
    while frontier:
        distance, _, state = heappop(frontier)
        if state in exact:
            continue
        exact[state] = distance
        for before, cost in into[state]:
            if before not in exact:
                count += 1
                heappush(frontier, (distance + cost, count, before))
    return exact


def _unverified(result: Result[State, Action], limit: str) -> Result[State, Action]:
    return evolve(result, warnings=(*result.warnings, f"the heuristic was not verified: cut off by {limit}"))


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
