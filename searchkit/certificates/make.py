"""Making certificates from what a search holds, or by searching again."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from heapq import heappop, heappush
from math import inf
from typing import Any

from attrs import frozen

from searchkit.basics.checks import python_number
from searchkit.certificates import Certificate
from searchkit.certificates.certificate import Ball, Record
from searchkit.certificates.check import (
    Heuristic,
    ObjectionError,
    Steps,
    costs_of_path,
    heuristic_of,
    no_heuristic,
    refute_heuristic,
)
from searchkit.errors import InvalidProblemError, quoted
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Result, Solution

POLL_INTERVAL = 1024
"""How many states are processed between two calls of `give_up`."""
MAX_STATES = 2_000_000
"""The largest number of states in a ball: a file of some 30 MB, and about 1 GB of memory to make or check it."""


class ShortfallError(Exception):
    """A proof was given up; the text says why."""


def ball_from(
    steps: Steps,
    arrivals: Mapping[Any, Cost],
    radius: Cost,
    heuristic: Heuristic,
    opposite: Mapping[Any, Cost] | None = None,
    give_up: Callable[[], object] = lambda: False,
) -> tuple[Ball, Cost] | None:
    """Return the ball of the states below the radius, and the cost of the cheapest path into the opposite ball.

    Returns None if `arrivals` lacks the least cost of some state in the ball, or if a goal is in the ball. Takes time
    linear in the number of steps out of the states in the ball.

    Args:
        steps: the direction: from the starts, or from the goals.
        arrivals: state → cost so far; it may hold more states than the ball.
        radius: the ball holds the states whose cost so far + heuristic is below it.
        heuristic: the heuristic that the ball uses, or `no_heuristic`.
        opposite: the ball from the other end: state → cost.
        give_up: called now and then.

    Raises:
        ShortfallError: `give_up` returned true.

    """
    records: list[Record] = []
    states: list[Any] = []
    known: set[Any] = set()
    pending: set[Any] = set()
    border: Cost = inf
    meeting: Cost = inf
    g: Cost = 0
    position = -1
    while position < len(states):
        for ordinal, _, state, cost in steps.first() if position < 0 else steps.out_of(states[position]):
            arrival = g + cost
            if opposite and state in opposite:
                meeting = min(meeting, arrival + opposite[state])
            if state in known:
                if arrival < arrivals[state]:
                    return None
                continue
            f = arrival + heuristic(state)
            if f >= radius:
                border = min(border, f)
            elif state not in arrivals or arrival < arrivals[state]:
                return None
            elif arrival > arrivals[state]:
                pending.add(state)
            elif not steps.backward and steps.problem.is_goal(state):
                return None
            else:
                known.add(state)
                states.append(state)
                records.append((position, ordinal, arrival))
        position += 1
        if position < len(states):
            g = records[position][2]
        if position % POLL_INTERVAL == 0:
            _poll(give_up)
    return (Ball(border, tuple(records)), meeting) if pending <= known else None


def least_arrivals(
    steps: Steps,
    radius: Cost,
    heuristic: Heuristic,
    give_up: Callable[[], object] = lambda: False,
    within: Container[Any] | None = None,
) -> tuple[Mapping[Any, Cost], Cost] | None:
    """Return the least cost of each state below the radius, and the radius, or the cost of a goal that is nearer.

    This is Dijkstra's algorithm, restricted to these states: each is expanded once, whether the heuristic is consistent
    or not. Returns None if `within` is given and a state below the radius is not in it. The other arguments are those
    of `ball_from`. Raises `ShortfallError`.
    """
    least: dict[Any, Cost] = {}
    queue: list[tuple[Cost, int, Any]] = []
    count = 0
    g: Cost = 0
    following = steps.first()
    while True:
        for _, _, state, cost in following:
            if state not in least and g + cost + heuristic(state) < radius:
                if within is not None and state not in within:
                    return None
                count += 1
                heappush(queue, (g + cost, count, state))
        while queue and queue[0][2] in least:
            heappop(queue)
        if not queue:
            return least, radius
        g, _, state = heappop(queue)
        if steps.problem.is_goal(state):
            return least, g
        least[state] = g
        following = steps.out_of(state)
        if len(least) % POLL_INTERVAL == 0:
            _poll(give_up)
            if len(least) > MAX_STATES:
                raise too_large(f"more than {MAX_STATES:,} states are below this bound")


def _poll(give_up: Callable[[], object]) -> None:
    if give_up():
        raise ShortfallError("a limit or an interruption ended the making of the certificate")


def too_large(why: str) -> ShortfallError:
    """Return the error for a proof that rests on too many states."""
    return ShortfallError(f"too large for a certificate: {why}")


@frozen
class Proof:
    """The balls of a certificate, and what they prove."""

    forward: Ball
    bound: Cost
    heuristic: bool = False
    backward: Ball | None = None


def make_certificate(
    problem: SearchProblem[State, Action],
    result: Result[State, Action],
    *,
    again: bool,
    give_up: Callable[[], object] = lambda: False,
) -> Certificate:
    """Return the certificate of a result: it proves as much of the result as can be proved.

    The proof uses the arrivals that the search holds. If these do not suffice, the certificate proves the bound that
    the starts give: their least heuristic value.

    Args:
        problem: what was solved.
        result: what the search returned, with its search.
        again: search again for the states below the bound, in memory that grows with their number, if the search
            holds no arrivals (depth-first engines). Engines with nodes of their own are never run again in this way,
            because their problems have too many states.
        give_up: called now and then; once it returns true, only the bound of the starts is proved. So it is if the
            proof needs more than `MAX_STATES` states; and the path is left out if it takes a successor after so many
            others. `Certificate.shortfall` says why.

    Raises:
        InvalidProblemError: the problem, asked again, does not give the successors that the path takes.

    """
    path: tuple[int, ...] = ()
    unknown = ""
    try:
        path = () if result.solution is None else _ordinals(problem, result.solution, give_up)
    except ShortfallError as error:
        unknown = str(error)
    proof, shortfall = _prove(problem, result, again, give_up)
    cost = python_number(result.cost) if path and result.cost is not None else None
    bound = proof.bound if cost is None else min(proof.bound, cost)
    return Certificate(
        status="solved" if path else "unsolvable" if bound == inf else "cutoff",
        cost=cost,
        lower_bound=bound,
        path=path,
        forward=proof.forward,
        backward=proof.backward,
        heuristic=proof.heuristic,
        engine=result.engine,
        shortfall=unknown or (shortfall if bound < result.lower_bound else ""),
    )


def holds_arrivals(result: Result[Any, Any]) -> bool:
    """Whether the search holds an arrival at each state that its lower bound rests on."""
    search: Any = result.search
    if not search:
        return False
    return bool(search.spec.arrivals) or (
        search.tree.backward is not None and search.spec.heuristic == "unused"
    )


def _prove(
    problem: SearchProblem[Any, Any], result: Result[Any, Any], again: bool, give_up: Callable[[], object]
) -> tuple[Proof, str]:
    """Return the first proof that succeeds; if none does, the one by the heuristic values of the starts, and why.

    The reason is "" if all states are at hand, and the bound does not follow from them.
    """
    search: Any = result.search
    bound = result.lower_bound
    heuristic = _sound_heuristic(problem, result)
    root = _from_the_starts(problem, {}, 0, heuristic if bound > 0 else no_heuristic)
    assert root is not None
    if bound <= 0 or not search:
        return root, (
            f"{result.engine} proved it by its search, which this result is without; solve again, or with "
            "certificate=True"
        )
    try:
        proofs = _proofs(problem, result, heuristic, again, give_up)
        proof = next((proof for prove in proofs if (proof := prove()) is not None), None)
    except (ShortfallError, OverflowError) as error:  # of an int beyond any float
        return root, str(error)
    if proof is not None:
        return proof, ""
    held = holds_arrivals(result)
    return root, "" if held else f"{result.engine} holds no states to prove it by; dijkstra does"


def _proofs(
    problem: SearchProblem[Any, Any],
    result: Result[Any, Any],
    heuristic: Heuristic,
    again: bool,
    give_up: Callable[[], object],
) -> Iterator[Callable[[], Proof | None]]:
    """Yield what makes a proof of the lower bound, each with fewer assumptions or less work than the next."""
    search: Any = result.search
    bound = result.lower_bound
    helpful = search.spec.heuristic != "unused" and heuristic is not no_heuristic
    heuristics = [no_heuristic, heuristic] if helpful else [no_heuristic]
    reached = len(search.tree.reached)
    if holds_arrivals(result) and reached > MAX_STATES:
        raise too_large(f"{reached:,} states were reached, and at most {MAX_STATES:,} can be recorded")
    if search.tree.backward is not None:
        # Costs so far alone prove less than the heuristics of both ends do.
        least = bound if search.spec.heuristic != "unused" else 0
        yield partial(_from_both_ends, problem, search.tree, least, give_up)
    elif search.spec.arrivals:
        held = search.tree.costs()
        for h in heuristics:
            yield partial(_from_the_starts, problem, held, bound, h, give_up)
        for h in heuristics:  # first arrivals, as greedy search keeps them, need not be the cheapest
            yield partial(_searched, problem, bound, h, give_up, held)
    if again and search.spec.memory != "own":
        yield partial(_searched, problem, bound, heuristics[-1], give_up)


def _sound_heuristic(problem: SearchProblem[Any, Any], result: Result[Any, Any]) -> Heuristic:
    """Return the heuristic; `no_heuristic` if there is none or the solution shows that it overestimates."""
    try:
        heuristic = heuristic_of(problem)
        if result.solution is not None:
            states = result.solution.states
            refute_heuristic(states, costs_of_path(problem, states, result.solution.actions), heuristic)
    except ObjectionError:
        return no_heuristic
    return heuristic


def _from_the_starts(
    problem: SearchProblem[Any, Any],
    arrivals: Mapping[Any, Cost],
    bound: Cost,
    heuristic: Heuristic,
    give_up: Callable[[], object] = lambda: False,
) -> Proof | None:
    made = ball_from(Steps(problem), arrivals, bound, heuristic, None, give_up)
    return None if made is None else Proof(made[0], made[0].radius, heuristic is not no_heuristic)


def _searched(
    problem: SearchProblem[Any, Any],
    bound: Cost,
    heuristic: Heuristic,
    give_up: Callable[[], object],
    within: Container[Any] | None = None,
) -> Proof | None:
    least = least_arrivals(Steps(problem), bound, heuristic, give_up, within)
    return None if least is None else _from_the_starts(problem, *least, heuristic, give_up)


def _from_both_ends(
    problem: SearchProblem[Any, Any], tree: Any, least: Cost, give_up: Callable[[], object]
) -> Proof | None:
    """Make a ball from each end, as large as the closed set there; only one ball if one end was exhausted.

    Returns None if they prove less than `least`.
    """
    ahead, back = _radius(tree), _radius(tree.backward)
    if ahead == inf:
        back = 0
    elif back == inf:
        ahead = 0
    arrivals = tree.backward.costs()
    behind = ball_from(Steps(problem, backward=True), arrivals, back, no_heuristic, None, give_up)
    if behind is None:
        return None
    below = {state: cost for state, cost in arrivals.items() if cost < back}
    made = ball_from(Steps(problem), tree.costs(), ahead, no_heuristic, below, give_up)
    if made is None:
        return None
    forward, meeting = made
    proved = min(forward.radius + behind[0].radius, meeting)
    return Proof(forward, proved, backward=behind[0]) if proved >= least else None


def _radius(tree: Any) -> Cost:
    """Return the least cost so far among the states that one half has reached and not expanded."""
    return min(
        (arrival[0] for state, arrival in tree.reached.items() if state not in tree.closed), default=inf
    )


def _ordinals(
    problem: SearchProblem[Any, Any], solution: Solution[Any, Any], give_up: Callable[[], object]
) -> tuple[int, ...]:
    """Return the number of the start that a path begins in, and of the successor that it takes at each step."""
    ordinals = [_ordinal(problem.initial_states(), solution.start, "initial_states()", give_up)]
    for before, action, after in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        offered = (tuple(step) for step in problem.successors(before))
        ordinals.append(_ordinal(offered, (action, after), f"successors({quoted(before)})", give_up))
    return tuple(ordinals)


def _ordinal(offered: Any, chosen: object, asked: str, give_up: Callable[[], object]) -> int:
    found = place_of(offered, chosen, give_up)
    if found is None:
        raise InvalidProblemError(
            f"{asked} gave {quoted(chosen)} to the search, and does not give it when asked again; a certificate needs "
            "the same answer in the same order each time"
        )
    return found


def place_of(
    offered: Iterable[Any], chosen: object, give_up: Callable[[], object] = lambda: False
) -> int | None:
    """Return the place of what a problem offers; None if it is not there.

    Raises `ShortfallError` if `give_up` returns true, or it is not among the first `MAX_STATES`.
    """
    for number, other in enumerate(offered):
        if other == chosen:
            return number
        if number % POLL_INTERVAL == 0:
            _poll(give_up)
        if number >= MAX_STATES:
            raise too_large(f"a state of the path has more than {MAX_STATES:,} successors")
    return None
