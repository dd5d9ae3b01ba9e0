"""From a search tree to a result: the path, its cost, what is proved, and the warnings."""

from collections.abc import Sequence
from functools import reduce
from math import inf
from operator import add
from sys import int_info
from typing import TYPE_CHECKING, Any, cast

from attrs import evolve

from searchkit.basics.checks import (
    NUMBERS,
    checked_heuristic,
    cost_overflow_error,
    distinct_starts,
    step_costs,
)
from searchkit.basics.rounding import exceeds
from searchkit.errors import quoted
from searchkit.problem import Action, Cost, SearchProblem, State, has_cost, has_heuristic, misspelt
from searchkit.result import ADMISSIBLE, Result, Solution, Status
from searchkit.search.diagnosis import check_goal_test, check_unchanged, doubts, none_error
from searchkit.tree import SearchTree

if TYPE_CHECKING:
    from searchkit.search.driver import Search

MAX_COST = 10**int_info.default_max_str_digits
"""Costs are below: Python writes no numbers with more digits."""
SMALL = 64
"""In solved searches of up to so many expansions, mistakes are not looked for: that takes about as long."""


def outcome(
    search: "Search[State, Action]", tree: SearchTree[State, Action], engine: Any, cutoff: str
) -> Result[State, Action]:
    """Return the result of a search that has ended, or was cut off by the limit that `cutoff` names, from its tree.

    Raises `InvalidProblemError` if the problem gave None as a state or has changed a state, and what members of the
    problem raise.
    """
    problem, spec, kernel = search.problem, search.spec, engine.kernel
    solution = partial = None
    if search.problem_changed:  # what was found before proves nothing
        spec = evolve(spec, heuristic="unused", exhaustive=False)
    guided = spec.heuristic in ("optional", "required") and has_heuristic(problem)
    guided_back = spec.heuristic != "unused" and getattr(problem, "backward_heuristic", None) is not None
    lower_bound, assumes = search.lower_bound, ADMISSIBLE if guided or guided_back else ""
    warnings = [*tree.warnings, *search.notices]
    for name, has in (("heuristic", has_heuristic), ("cost", has_cost)):
        if not has(problem) and (meant := misspelt(type(problem), name)):
            warnings.insert(0, f"the problem has no {name}; {meant}")
    if spec.costs == "unit" and has_cost(problem):
        lower_bound = 0
        warnings.insert(0, f"{spec.name} ignores costs: its path need not cost the least; dijkstra's does")
    if kernel is None:
        if None in tree.reached:
            raise none_error(problem, tree)
        if not tree.found or tree.expanded > SMALL:
            warnings += doubts(problem, tree)
    if search.problem_changed and not _still_has_path(problem, tree, engine.state):
        cutoff = cutoff or "the changed code of the problem, which no longer has the path that was found"
    elif engine.ended and tree.found:
        check_goal_test(problem, cast(State, tree.goal))
        solution, costs = _path(problem, tree, cast(State, tree.goal))
        if guided:
            known = kernel is not None and kernel.underestimates(solution.cost)
            excess = "" if known else overestimate(problem, solution, costs)
            if excess:
                assumes, lower_bound = "", 0
                warnings.append(f"{excess}; a cheaper path than this one may exist")
            elif lower_bound < solution.cost:
                lower_bound = max(lower_bound, _bound_of_the_starts(problem))
            lower_bound = min(lower_bound, solution.cost)  # the heuristic may exceed the rest by rounding
    elif tree.cut_by or not engine.ended:
        if guided:
            lower_bound = max(lower_bound, _bound_of_the_starts(problem))
        if engine.ended:
            cutoff = tree.cut_by
        else:
            partial = _partial(problem, tree, engine.state if kernel is None or kernel.quick_paths else None)
    elif spec.exhaustive:
        check_unchanged(tree)
        lower_bound = inf
    else:
        cutoff = f"the end of {spec.name}, which does not look everywhere"
    if MAX_COST <= lower_bound < inf:
        raise cost_overflow_error(engine.state)
    ended = Status.UNSOLVABLE if solution is None else Status.SOLVED
    return Result(
        status=Status.CUTOFF if cutoff else ended,
        solution=solution,
        statistics=search.statistics,
        lower_bound=lower_bound,
        engine=spec.name,
        backend=engine.backend,
        warnings=tuple(warnings),
        partial=partial,
        solutions=() if search.problem_changed else tuple(tree.paths),
        cutoff=cutoff,
        engine_choice="; ".join(
            filter(None, (search.engine_choice, engine.maker and engine.maker.made_from))
        ),
        details=dict(tree.details),
        assumes=assumes if lower_bound > 0 else "",
        search=search,
    )


def _still_has_path(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], state: Any
) -> bool:
    """Whether the problem, whose code has changed, still has the path to the goal or to the state to be expanded."""
    from searchkit.certificates.check import ObjectionError
    from searchkit.certificates.make import ShortfallError
    from searchkit.certificates.verdict import walk

    goal = cast(State, tree.goal) if tree.found else state
    if goal not in tree.reached:
        return True
    try:
        walk(problem, *tree.path_to(goal))
    except (ObjectionError, ShortfallError):
        return False
    return not tree.found or bool(problem.is_goal(goal))


def _partial(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], state: State | None
) -> Solution[State, Action] | None:
    """Return the best path to a goal known so far, or the path to the state to be expanded next; None without both."""
    if tree.incumbent is not None and problem.is_goal(cast(State, tree.goal)):
        return _path(problem, tree, cast(State, tree.goal))[0]
    if tree.paths:
        return tree.paths[0]
    if state in tree.reached and not tree.repairing:  # a state of a backward half is on no path from a start
        return _path(problem, tree, state)[0]
    return None


def _path(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], state: State
) -> tuple[Solution[State, Action], Sequence[Cost]]:
    """Return the path on which `state` was reached, and the cost of each action.

    The costs come from the problem itself, or from the data that its compiled view is made of, and are added up anew.
    """
    trail = tree.trail(state)
    states, actions = trail.states, trail.actions
    costs = step_costs(problem, states, actions) if trail.costs is None else trail.costs
    cost = reduce(add, costs, 0)  # in order, as engines do: `sum` rounds floats otherwise since Python 3.12
    if not cost < MAX_COST:
        raise cost_overflow_error(state)
    return Solution(states, actions, cost), costs


def overestimate(
    problem: SearchProblem[State, Action],
    solution: Solution[State, Action],
    costs: Sequence[Cost] | None = None,
) -> str:
    """Return a text about the first state of the solution whose heuristic exceeds the rest; "" if there is none.

    The costs of its actions are asked for if they are not given. The rests are summed up from the end: differences of
    sums from the beginning would lose small costs.
    """
    costs = step_costs(problem, solution.states, solution.actions) if costs is None else costs
    rest: Cost = 0
    found = ""
    for state, step in zip(reversed(solution.states), (*reversed(costs), 0), strict=True):
        h = problem.heuristic(state)
        if type(h) not in NUMBERS or not h >= 0:
            h = checked_heuristic(state, h)
        if h > rest and exceeds(h, rest, len(costs), solution.cost):
            found = (
                f"heuristic is not admissible: heuristic({quoted(state)}) is {h}, but a path of cost {rest} leads from "
                "there to a goal"
            )
        rest += step
    return found


def _bound_of_the_starts(problem: SearchProblem[State, Action]) -> Cost:
    """Return the least heuristic value of a start: no path costs less, if the heuristic is admissible."""
    return min(checked_heuristic(start, problem.heuristic(start)) for start in distinct_starts(problem))


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
