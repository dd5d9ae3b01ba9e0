"""Checking what a result claims, by the definition alone: without code of engines, trees or drivers."""

from math import inf

from attrs import frozen

from searchkit.basics.rounding import differ, is_sum
from searchkit.certificates import Certificate
from searchkit.certificates.check import Grounds, ObjectionError, check, step_cost
from searchkit.certificates.make import ShortfallError, holds_arrivals, make_certificate, place_of
from searchkit.errors import InvalidOptionError, quoted
from searchkit.problem import Action, Cost, SearchProblem, State, SupportsSearch, check_members
from searchkit.result import Result, Solution, Status


@frozen
class Verdict:
    """What `certify` found. True if everything that the result claims is proved."""

    accepted: bool
    """Whether no error was found. Some claims may still be unproved."""
    proved: tuple[str, ...] = ()
    """The claims that were checked and are true."""
    assumed: tuple[str, ...] = ()
    """What the proof assumes."""
    unproved: tuple[str, ...] = ()
    """The claims for which there is no evidence to check."""
    objection: str = ""
    """Why the result is rejected; "" if it is accepted."""

    def __bool__(self) -> bool:
        return self.accepted and not self.unproved


def certify(
    problem: SupportsSearch[State, Action],
    claim: Result[State, Action] | Certificate,
) -> Verdict:
    """Check a result or a certificate against the problem itself, and return what is proved by that.

    The path is checked step by step: it begins in a start, each step is a successor, the costs add up, and it ends in a
    goal. The lower bound (the cost, if the path is optimal; infinity, if no path exists) is proved from the certificate
    of the result, or from one that is made from the arrivals that the search holds.
    `docs/explanation/certificates.md` explains how, and what is assumed about the heuristic if it is needed.

    Depth-first engines hold the arrivals of one path only, and some engines have nodes of their own. Their bounds are
    listed as unproved, unless the result carries a certificate (`solve(…, certificate=True)`).

    If the proof rests on more than 2,000,000 states, it is too large for a certificate, and the bound is unproved. So
    is the path, if it takes a successor after so many others.

    Takes time linear in the number of actions out of the recorded states.

    Args:
        problem: what was solved.
        claim: the result of a search, or a certificate.

    Raises:
        InvalidProblemError: the problem lacks a member.
        InvalidOptionError: `claim` is neither a result nor a certificate.

    Example:
        >>> from searchkit import certify, problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3)
        >>> certify(line, solve(line)).proved
        ('a path from a start to a goal costs 3', 'no path costs less than 3')

    """
    problem = check_members(problem)
    if not isinstance(claim, Result | Certificate):
        raise InvalidOptionError(
            f"certify(problem, claim): the claim is {quoted(claim)}; expected the result of a search, or a Certificate"
        )
    proved: list[str] = []
    assumed: list[str] = []
    unproved: list[str] = []
    try:
        if isinstance(claim, Certificate):
            grounds = check(problem, claim)
            if claim.cost is not None:
                proved.append(_costs(claim.cost))
            if claim.lower_bound > 0:
                proved.append(_bounded(claim.lower_bound))
                assumed.extend(_assumptions(grounds))
        else:
            _check_paths(problem, claim, proved)
            _check_bound(problem, claim, proved, assumed, unproved)
    except ShortfallError as error:
        unproved.append(f"the path, and that no other costs less: {error}")
    except ObjectionError as objection:
        return Verdict(False, tuple(proved), tuple(assumed), tuple(unproved), str(objection))
    return Verdict(True, tuple(proved), tuple(assumed), tuple(unproved))


def _check_paths(
    problem: SearchProblem[State, Action], result: Result[State, Action], proved: list[str]
) -> None:
    if result.status is Status.SOLVED and result.solution is None:
        raise ObjectionError("it is called solved, and has no solution")
    if result.status is Status.UNSOLVABLE and (result.solution is not None or result.lower_bound != inf):
        raise ObjectionError(
            f"it is called unsolvable, and has a solution or the finite bound {result.lower_bound}"
        )
    if result.solution is not None:
        _check_cost(problem, result.solution)
        if not problem.is_goal(result.solution.goal):
            raise ObjectionError(f"its path ends in {quoted(result.solution.goal)}, which is not a goal")
        if result.lower_bound > result.solution.cost:
            raise ObjectionError(
                f"its lower bound {result.lower_bound} is above its cost {result.solution.cost}"
            )
        proved.append(_costs(result.solution.cost))
    if result.partial is not None:
        _check_cost(problem, result.partial)
        proved.append(f"the partial path costs {result.partial.cost}")


def _check_cost(problem: SearchProblem[State, Action], solution: Solution[State, Action]) -> None:
    costs = walk(problem, solution.states, solution.actions)
    if not is_sum(solution.cost, costs):
        raise ObjectionError(f"its path costs {sum(costs)}, not {solution.cost}")


def walk(
    problem: SearchProblem[State, Action], states: tuple[State, ...], actions: tuple[Action, ...]
) -> list[Cost]:
    """Return the cost of each action of a path. Raises `ObjectionError` if the problem has no such path.

    Raises `ShortfallError` if a state has too many successors to look for the step among them.
    """
    if len(states) != len(actions) + 1:
        raise ObjectionError(f"its path has {len(states)} states and {len(actions)} actions")
    if states[0] not in set(problem.initial_states()):
        raise ObjectionError(f"its path begins in {quoted(states[0])}, which is not a start")
    costs: list[Cost] = []
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if place_of(map(tuple, problem.successors(before)), (action, after)) is None:
            raise ObjectionError(f"{quoted(action)} does not lead from {quoted(before)} to {quoted(after)}")
        costs.append(step_cost(problem, before, action, after))
    return costs


def _check_bound(
    problem: SearchProblem[State, Action],
    result: Result[State, Action],
    proved: list[str],
    assumed: list[str],
    unproved: list[str],
) -> None:
    """Prove the lower bound by the certificate, or object; list it as unproved if there is no evidence."""
    certificate, bound = result.certificate, result.lower_bound
    if certificate is None:
        if bound <= 0:
            return
        certificate = make_certificate(problem, result, again=False)
    grounds = check(problem, certificate)
    if certificate.cost is not None and certificate.cost != result.cost:
        raise ObjectionError(
            f"it says that a path costs {result.cost}, and its certificate says {certificate.cost}"
        )
    if bound <= 0:
        return
    if certificate.lower_bound < bound and certificate is result.certificate and holds_arrivals(result):
        # Either making it was given up, or nothing proves this bound: what the search holds shows which.
        certificate = make_certificate(problem, result, again=False)
        grounds = check(problem, certificate)
    if certificate.lower_bound >= bound:
        proved.append(_bounded(bound))
        assumed.extend(_assumptions(grounds))
    elif isinstance(certificate.lower_bound, float) and not differ(
        bound, certificate.lower_bound, _depth(certificate)
    ):
        proved.append(_bounded(certificate.lower_bound))
        assumed.extend(_assumptions(grounds))
        assumed.append(f"that this is less than {bound} is nothing but the rounding of floats")
    elif certificate.shortfall:
        unproved.append(f"{_bounded(bound)}: {certificate.shortfall}")
    else:
        raise ObjectionError(f"that {_bounded(bound)} does not follow from the states it reached")


def _costs(cost: Cost) -> str:
    return f"a path from a start to a goal costs {cost}"


def _bounded(bound: Cost) -> str:
    return "no path exists" if bound == inf else f"no path costs less than {bound}"


def _assumptions(grounds: Grounds) -> list[str]:
    assumptions = []
    if grounds.ruled_out:
        steps = f"{grounds.ruled_out} step{'s' if grounds.ruled_out > 1 else ''}"
        assumptions.append(f"the heuristic never overestimates at the end of the {steps} that it rules out")
    if grounds.backward:
        assumptions.append("predecessors and goal_states leave nothing out")
    return assumptions


def _depth(certificate: Certificate) -> int:
    """Return the number of steps of the longest path in a certificate: its costs are sums of so many numbers."""
    depth = 0
    for ball in filter(None, (certificate.forward, certificate.backward)):
        depths = [0]
        for before, _, _ in ball.arrivals:
            depths.append(depths[before + 1] + 1)
        depth += max(depths)
    return depth
