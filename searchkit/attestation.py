"""From a result to its certificate: the path in ordinals, and the arrivals that prove the lower bound."""

from collections.abc import Callable, Container, Mapping
from functools import partial
from math import inf
from typing import Any

from attrs import frozen

from searchkit.certificates import Ball, Certificate
from searchkit.certificates.builder import GivenUpError, ball_from, exact, least_arrivals
from searchkit.certificates.checker import costs_of_path, refute_estimate
from searchkit.certificates.steps import Backward, Estimate, Forward, ObjectionError, estimate_of, no_estimate
from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Result, Solution


@frozen
class Proof:
    """The balls of a certificate, and what they prove."""

    forward: Ball
    bound: Cost
    heuristic: bool = False
    backward: Ball | None = None


def attest(
    problem: SearchProblem[State, Action],
    result: Result[State, Action],
    *,
    again: bool,
    give_up: Callable[[], bool] = lambda: False,
) -> Certificate:
    """Return the certificate of a result: it proves as much of it as can be proved.

    The arrivals are those that the search holds. Where it holds none (depth-first engines), and with `again`,
    the states below the bound are searched for anew, in memory that grows with their number; never for
    engines with nodes of their own, whose problems have too many states for that. What remains is the bound
    that the starts give: their least heuristic.

    Raises `InvalidProblemError` where the path can't be found again by asking the problem for successors.
    """
    path = () if result.solution is None else _ordinals(problem, result.solution)
    proof = _prove(problem, result, again, give_up)
    bound = proof.bound if result.cost is None else min(proof.bound, result.cost)
    return Certificate(
        status="solved" if path else "unsolvable" if bound == inf else "cutoff",
        cost=None if result.cost is None else exact(result.cost),
        lower_bound=exact(bound),
        path=path,
        forward=proof.forward,
        backward=proof.backward,
        heuristic=proof.heuristic,
        engine=result.engine,
    )


def holds_arrivals(result: Result[Any, Any]) -> bool:
    """Whether the search holds an arrival at each state that its lower bound rests on."""
    search: Any = result.search
    if not search:
        return False
    return bool(search.spec.arrivals) or search.tree.backward is not None


def _prove(
    problem: SearchProblem[Any, Any], result: Result[Any, Any], again: bool, give_up: Callable[[], bool]
) -> Proof:
    """Return the first of the proofs that succeeds; if none does, what the starts' own estimates prove."""
    search: Any = result.search
    bound = result.lower_bound
    estimate = _estimate(problem, result)
    root = _from_the_starts(problem, {}, 0, estimate if bound > 0 else no_estimate)
    assert root is not None
    if bound <= 0 or not search:
        return root
    helpful = search.spec.heuristic != "unused" and estimate is not no_estimate
    estimates = [no_estimate, estimate] if helpful else [no_estimate]
    proofs: list[Callable[[], Proof | None]] = []
    if search.tree.backward is not None:
        proofs.append(lambda: _from_both_ends(problem, search.tree, give_up))
    elif search.spec.arrivals:
        held = _arrivals(search.tree)
        proofs += [partial(_from_the_starts, problem, held, bound, h, give_up) for h in estimates]
        # First arrivals, as greedy search keeps them, need not be the cheapest.
        proofs += [partial(_searched, problem, bound, h, give_up, held) for h in estimates]
    if again and search.spec.memory != "own":
        proofs.append(partial(_searched, problem, bound, estimates[-1], give_up))
    try:
        return next((proof for proof in (prove() for prove in proofs) if proof is not None), root)
    except GivenUpError:
        return root


def _estimate(problem: SearchProblem[Any, Any], result: Result[Any, Any]) -> Estimate:
    """Return the heuristic, if there is one that the solution does not refute; otherwise 0."""
    try:
        estimate = estimate_of(problem)
        if result.solution is not None:
            states = result.solution.states
            refute_estimate(states, costs_of_path(problem, states, result.solution.actions), estimate)
    except ObjectionError:
        return no_estimate
    return estimate


def _from_the_starts(
    problem: SearchProblem[Any, Any],
    arrivals: Mapping[Any, Cost],
    bound: Cost,
    estimate: Estimate,
    give_up: Callable[[], bool] = lambda: False,
) -> Proof | None:
    made = ball_from(Forward(problem), arrivals, bound, estimate, None, give_up)
    return None if made is None else Proof(made[0], made[0].radius, estimate is not no_estimate)


def _searched(
    problem: SearchProblem[Any, Any],
    bound: Cost,
    estimate: Estimate,
    give_up: Callable[[], bool],
    within: Container[Any] | None = None,
) -> Proof | None:
    least = least_arrivals(Forward(problem), bound, estimate, give_up, within)
    return None if least is None else _from_the_starts(problem, *least, estimate, give_up)


def _from_both_ends(problem: SearchProblem[Any, Any], tree: Any, give_up: Callable[[], bool]) -> Proof | None:
    """Make a ball from each end, as large as the closed set there; from one alone, if that was exhausted."""
    ahead, back = _radius(tree), _radius(tree.backward)
    if ahead == inf:
        back = 0
    elif back == inf:
        ahead = 0
    arrivals = _arrivals(tree.backward)
    behind = ball_from(Backward(problem), arrivals, back, no_estimate, None, give_up)
    if behind is None:
        return None
    below = {state: cost for state, cost in arrivals.items() if cost < back}
    made = ball_from(Forward(problem), _arrivals(tree), ahead, no_estimate, below, give_up)
    if made is None:
        return None
    forward, meeting = made
    return Proof(forward, min(forward.radius + behind[0].radius, meeting), backward=behind[0])


def _arrivals(tree: Any) -> dict[Any, Cost]:
    return {state: arrival[0] for state, arrival in tree.reached.items()}


def _radius(tree: Any) -> Cost:
    """Return the least cost so far of a state that one half has reached and not expanded."""
    return min(
        (arrival[0] for state, arrival in tree.reached.items() if state not in tree.closed), default=inf
    )


def _ordinals(problem: SearchProblem[Any, Any], solution: Solution[Any, Any]) -> tuple[int, ...]:
    """Return which start a path begins in, and which successor it takes at each step."""
    ordinals = [_ordinal(problem.initial_states(), solution.start, "initial_states()")]
    for before, action, after in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        offered = (tuple(step) for step in problem.successors(before))
        ordinals.append(_ordinal(offered, (action, after), f"successors({before!r})"))
    return tuple(ordinals)


def _ordinal(offered: Any, chosen: object, asked: str) -> int:
    for number, other in enumerate(offered):
        if other == chosen:
            return number
    raise InvalidProblemError(
        f"{asked} gave {chosen!r} to the search, and does not give it when asked again; a certificate needs "
        "the same answer in the same order each time"
    )
