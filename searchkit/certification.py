"""Checking a result by the definition alone: this file shares no code with engines, trees or drivers."""

from collections.abc import Mapping
from math import inf
from typing import Any

from attrs import frozen

from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Result, Solution, Status


@frozen
class Verdict:
    """What `certify` found. True where the result is accepted."""

    accepted: bool
    proved: tuple[str, ...] = ()
    """What was checked and holds."""
    assumed: tuple[str, ...] = ()
    """What the proof takes for granted."""
    unproved: tuple[str, ...] = ()
    """What the result claims and the search kept nothing to prove it by."""
    objection: str = ""
    """Why the result is rejected."""

    def __bool__(self) -> bool:
        return self.accepted


class _ObjectionError(Exception):
    """A statement of the result that does not hold."""


def certify(problem: SearchProblem[State, Action], result: Result[State, Action]) -> Verdict:
    """Check a result against the problem itself, and say what is thereby proved.

    The path is walked: it begins in a start, each step is a successor, the costs add up, it ends in a goal.
    The lower bound (the cost, where the path is called optimal; infinity, where no path is said to exist) is
    proved from the arrivals that the search holds, g: starts have g ≤ 0, and for each state s with an arrival,
    unless g(s) + h(s) is no less than the bound, every action to a state t has g(t) ≤ g(s) + cost, or
    g(s) + cost + h(t) no less than the bound; goals have g no less than the bound. By induction along any
    path, none to a goal costs less. h is 0 if that is enough, and otherwise the problem's heuristic, which is then
    assumed to be admissible.

    Searches that hold no arrivals but those of one path (depth-first engines), nodes of their own, or two
    halves (bidirectional), have nothing to prove a bound by: it is listed as unproved.

    Takes time linear in the actions out of the states reached.
    """
    proved: list[str] = []
    assumed: list[str] = []
    unproved: list[str] = []
    try:
        if result.status is Status.SOLVED and result.solution is None:
            raise _ObjectionError("it is called solved, and has no solution")
        if result.solution is not None:
            _walk(problem, result.solution)
            if not problem.is_goal(result.solution.goal):
                raise _ObjectionError(f"its path ends in {result.solution.goal!r}, which is not a goal")
            if result.lower_bound > result.solution.cost:
                raise _ObjectionError(
                    f"its lower bound {result.lower_bound} is above its cost {result.solution.cost}"
                )
            proved.append(f"a path from a start to a goal costs {result.solution.cost}")
        if result.partial is not None:
            _walk(problem, result.partial)
            proved.append(f"the partial path costs {result.partial.cost}")
        if result.lower_bound > 0:
            claim = (
                "no path exists"
                if result.lower_bound == inf
                else f"no path costs less than {result.lower_bound}"
            )
            arrivals = _arrivals(result)
            if arrivals is None:
                unproved.append(claim)
            else:
                if not _bounded(problem, arrivals, result.lower_bound, with_heuristic=False):
                    if not _bounded(problem, arrivals, result.lower_bound, with_heuristic=True):
                        raise _ObjectionError(f"that {claim} does not follow from the states it reached")
                    assumed.append("the heuristic never overestimates")
                proved.append(claim)
    except _ObjectionError as objection:
        return Verdict(False, tuple(proved), tuple(assumed), tuple(unproved), str(objection))
    return Verdict(True, tuple(proved), tuple(assumed), tuple(unproved))


def _walk(problem: SearchProblem[State, Action], solution: Solution[State, Action]) -> None:
    states, actions = solution.states, solution.actions
    if len(states) != len(actions) + 1:
        raise _ObjectionError(f"its path has {len(states)} states and {len(actions)} actions")
    if states[0] not in set(problem.initial_states()):
        raise _ObjectionError(f"its path begins in {states[0]!r}, which is not a start")
    total: Cost = 0
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if (action, after) not in [tuple(edge) for edge in problem.successors(before)]:
            raise _ObjectionError(f"{action!r} does not lead from {before!r} to {after!r}")
        total += _cost(problem, before, action, after)
    if total != solution.cost:
        raise _ObjectionError(f"its path costs {total}, not {solution.cost}")


def _cost(problem: SearchProblem[State, Action], before: State, action: Action, after: State) -> Cost:
    cost: Cost = problem.cost(before, action, after) if hasattr(problem, "cost") else 1
    if not 0 <= cost < inf:
        raise _ObjectionError(f"cost({before!r}, {action!r}, {after!r}) is {cost!r}, not a finite number ≥ 0")
    return cost


def _arrivals(result: Result[State, Action]) -> Mapping[State, Cost] | None:
    """Return the cost at which each state was reached; None where the search does not hold it for all of them."""
    search: Any = result.search
    if search is None or not search.spec.arrivals:
        return None
    return {state: arrival[0] for state, arrival in search.tree.reached.items()}


def _bounded(
    problem: SearchProblem[State, Action], g: Mapping[State, Cost], bound: Cost, *, with_heuristic: bool
) -> bool:
    """Whether the arrivals prove that no path to a goal costs less than the bound."""

    def h(state: State) -> Cost:
        return problem.heuristic(state) if with_heuristic and hasattr(problem, "heuristic") else 0

    if any(state not in g or g[state] > 0 for state in problem.initial_states()):
        return False
    for state, cost_so_far in g.items():
        if problem.is_goal(state) and cost_so_far < bound:
            return False
        if cost_so_far + h(state) >= bound:
            continue
        for action, successor in problem.successors(state):
            cost = cost_so_far + _cost(problem, state, action, successor)
            if not (successor in g and g[successor] <= cost) and cost + h(successor) < bound:
                return False
    return True
