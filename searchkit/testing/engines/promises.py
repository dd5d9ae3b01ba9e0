"""The promises of engines, and how each is judged in one trial."""

import re
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from attrs import frozen

from searchkit.basics.text import quantity
from searchkit.problem import Cost
from searchkit.result import Result, Status
from searchkit.testing.engines.trial import CIRCLE, Run, Trial, last_line
from searchkit.testing.spaces.paths import cost_of_list, exceeds, fault_of_list, fault_of_steps, is_in, same

PROMISES: Mapping[str, str] = {
    "raises nothing": "it ends with an answer, not with an error",
    "terminates": "it ends on every finite space, whether a goal can be reached or not",
    "valid": "a path begins in a start, follows the actions, ends in a goal, and its cost adds up",
    "complete": "on a finite space it finds a path if one exists, and reports that no path exists only if that is true",
    "optimal": "the path has the least possible cost; with a heuristic, if that is consistent",
    "optimal-with-inconsistent-heuristics": "the path has the least possible cost with every admissible heuristic",
    "bound": "the lower bound is never above the least cost, at any pause",
    "expands-once": "no state is expanded twice, unless a heuristic is inconsistent",
    "statistics": "expanded, generated, reopened and reached agree with an independent count",
    "deterministic": "ties are broken the same way in every run, whatever the hashes of the states",
    "resumable": "if it is paused at any state and resumed in a new generator, its result is the same",
}
"""Name → the promise as a sentence, in the order in which reports list them."""


COMPARED = re.compile(r"^'[<>]=?' not supported between instances of '(\w+)' and '(\w+)'")
INFORMAL = "optimal-with-inconsistent-heuristics"
"""The property that a report mentions even if it is not promised."""


@frozen
class Fault:
    """How a promise was broken in one trial."""

    detail: str
    found: tuple[Any, ...] | None = None
    """The path that was found, if any."""
    numbers: tuple[tuple[str, str], ...] = ()
    order: tuple[Any, ...] = ()
    """The expanded states, if they show the fault."""


Outcome = Fault | bool
"""The fault; True if the promise holds; False if the trial can't tell."""


def raises_nothing(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    if trial.first.error is None:
        return True
    return Fault(
        f"it raised {last_line(trial.first.error)}{_hint(trial, trial.first.error)}", order=trial.first.order
    )


def _hint(trial: Trial, error: BaseException) -> str:
    """Return advice about an engine that orders states: states need not be comparable."""
    compared = COMPARED.search(str(error)) if isinstance(error, TypeError) else None
    kinds = {type(state).__name__ for state in trial.space.edges}
    if compared is None or not kinds.issuperset(compared.groups()):
        return ""
    return (
        "; states were compared, and states need not have an order: put a counter before the state in each entry of "
        "a heap, as in (f, next(counter), state)"
    )


def terminates(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    if not trial.first.endless:
        return True
    if not trial.surely_endless:
        return False
    states = len(trial.space.edges)
    if trial.first.quiet:
        return Fault(
            f"it does not end on this problem: it ran for {trial.quiet:g} seconds without calling the problem; is "
            "there a loop whose condition never changes?",
            order=trial.first.order,
        )
    return Fault(
        f"it was still searching after {trial.budget} expansions; the space has {quantity(states, 'state')}",
        numbers=(("states", str(states)), ("budget, expansions", str(trial.budget))),
        order=trial.first.order[: 4 * states],
    )


def valid(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    run, spec = trial.first, trial.contender.spec
    if spec is None:
        fault = "" if run.answer is None else fault_of_list(trial.space, run.answer)
        return Fault(fault, _drawable(trial, run.answer)) if fault else True
    if run.circle:
        return Fault(CIRCLE)
    result = _result(run)
    if result.solution is None:
        return True
    solution, search = result.solution, result.search
    fault = fault_of_steps(trial.space, solution.states, solution.actions)
    if not fault and spec.arrivals:
        held = search.tree.reached[solution.goal][0]  # type: ignore[union-attr]  # it is the Search
        if exceeds(solution.cost, held):
            fault = (
                f"the search tree says that the goal was reached at cost {held}, but the path that its parents "
                f"form costs {solution.cost}"
            )
    return Fault(fault, solution.states) if fault else True


def complete(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    found, run = found_by(trial), trial.first
    if trial.best < inf:
        if found is None and _says_cut(trial):
            return True
        missed = f"it found no path; a path of cost {trial.best} exists"
        return Fault(missed, order=run.order) if found is None else True
    solved = run.result is not None and run.result.status is Status.SOLVED
    return Fault("it returned a path, but no path exists", found) if found or solved else True


def _says_cut(trial: Trial) -> bool:
    """Whether an engine that is not called complete says that it left out what it did not find."""
    spec, result = trial.contender.spec, trial.first.result
    if spec is None or result is None or (trial.contender.declared and spec.complete):
        return False
    return result.status is Status.CUTOFF


def optimal(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    return trial.consistent and trial.admissible and _optimal(trial)


def optimal_with_inconsistent(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    return trial.guided and not trial.consistent and trial.admissible and _optimal(trial)


def _optimal(trial: Trial) -> Outcome:
    found = found_by(trial)
    if found is None or trial.best == inf:
        return False
    cost = cost_found(trial, found)
    if same(cost, trial.best):
        return True
    numbers = (("cost of the path found", str(cost)), ("least cost", str(trial.best)))
    return Fault(f"its path costs {cost}, and the least cost is {trial.best}", found, numbers)


def bound(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    if not trial.admissible:
        return False
    run, held = trial.paused
    if run.result is not None:
        held = max(held, run.result.lower_bound)
    if not exceeds(held, trial.best):
        return True
    numbers = (("lower bound", str(held)), ("least cost", str(trial.best)))
    return Fault(
        f"it says that no path costs less than {held}; the least cost is {trial.best}", numbers=numbers
    )


def expands_once(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    if not trial.consistent:
        return False
    order = trial.first.order
    twice = next((state for index, state in enumerate(order) if state in order[:index]), None)
    if twice is None:
        return True
    numbers = (("states in the order of expansion", ", ".join(map(repr, order))),)
    return Fault(f"it expanded {twice!r} twice", numbers=numbers, order=order)


def statistics(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    spec, counted, run = trial.contender.spec, trial.counted, trial.first
    said = _result(run).statistics
    truth: dict[str, int] = {"expanded": len(run.order)}
    if counted.expanded:  # an engine may call other members of its problem instead
        truth |= {"expanded": len(counted.expanded), "generated": counted.generated}
    claims = {name: int(getattr(said, name)) for name in truth}
    wrong: dict[str, tuple[int, int | str]] = {
        name: (claims[name], true) for name, true in truth.items() if claims[name] != true
    }
    if spec is not None and spec.memory == "states" and spec.arrivals:
        different = len(set(run.order))
        if said.reopened < len(run.order) - different:
            wrong["reopened"] = (said.reopened, f"{len(run.order) - different} or more")
        if not different <= said.reached <= len(trial.space.edges):
            wrong["reached"] = (said.reached, f"{different} to {len(trial.space.edges)}")
    if not wrong:
        return True
    name, (claimed, true) = next(iter(wrong.items()))
    return Fault(
        f"its statistics say {name} = {claimed}; counted from outside, it is {true}",
        numbers=tuple((name, f"{claimed}, counted {true}") for name, (claimed, true) in wrong.items()),
    )


def deterministic(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    differences = (_difference(trial, run, "in another run") for run in trial.again)
    return next((fault for fault in differences if isinstance(fault, Fault)), True)


def resumable(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    return _difference(trial, trial.paused[0], "with pauses")


JUDGES: Mapping[str, Callable[[Trial], Outcome]] = {
    "raises nothing": raises_nothing,
    "terminates": terminates,
    "valid": valid,
    "complete": complete,
    "optimal": optimal,
    "optimal-with-inconsistent-heuristics": optimal_with_inconsistent,
    "bound": bound,
    "expands-once": expands_once,
    "statistics": statistics,
    "deterministic": deterministic,
    "resumable": resumable,
}
ENGINE_FORM_ONLY = ("bound", "statistics", "deterministic", "resumable")
"""The promises that only a generator with a tree can make."""


def judge(trial: Trial, promises: list[str]) -> dict[str, Outcome]:
    """Return the verdict on each promise that the trial can judge.

    If a search raised, did not end, or has an invalid path, nothing else is judged.
    """
    if not trial.fits:
        return {}
    outcomes: dict[str, Outcome] = {}
    for name in ("raises nothing", "terminates", "valid"):
        outcome = JUDGES[name](trial)
        if name in promises and outcome is not False:
            outcomes[name] = outcome
        if isinstance(outcome, Fault) or (name == "terminates" and trial.first.endless):
            return outcomes
    for name in promises:
        if name not in outcomes and (outcome := JUDGES[name](trial)) is not False:
            outcomes[name] = outcome
    return outcomes


def _difference(trial: Trial, other: Run, when: str) -> Outcome:
    """Return how another run of the same search differs from the plain one."""
    plain = trial.plain
    if other.error:
        return Fault(f"{when}, it raised {last_line(other.error)}", order=other.order)
    if other.endless:
        return Fault(f"{when}, it did not end within {trial.budget} expansions", order=other.order[:100])
    if other.circle or plain.circle or plain.error or plain.endless:
        return Fault(f"{when}, {CIRCLE}") if other.circle else False
    if _states(trial, other.order) != _states(trial, plain.order):
        numbers = (("expanded", _listed(plain.order)), (f"expanded {when}", _listed(other.order)))
        return Fault(
            f"{when}, it expanded other states, or the same ones in another order", other.states, numbers
        )
    one, two = facts_of(_result(plain)), facts_of(_result(other))
    for name, value in one.items():
        if value != two[name]:
            numbers = ((name, str(value)), (f"{name} {when}", str(two[name])))
            return Fault(f"{when}, {name} is {two[name]} instead of {value}", other.states, numbers)
    return True


def _states(trial: Trial, order: tuple[Any, ...]) -> list[Any]:
    """Return the expanded states; for an engine's own nodes, which are equal to nothing, their number."""
    return [state if is_in(state, trial.space.edges) else None for state in order]


def facts_of(result: Result[Any, Any]) -> dict[str, Any]:
    """Return the parts that two runs of one search should share, in the order of reporting."""
    said = result.statistics
    return {
        "the status": result.status.value,
        "the cost": result.cost,
        "the path": result.solution,
        "expanded": said.expanded,
        "generated": said.generated,
        "reopened": said.reopened,
        "reached": said.reached,
        "the peak of the frontier": said.peak_frontier,
        "the lower bound": result.lower_bound,
        "the warnings": result.warnings,
    }


def _result(run: Run) -> Result[Any, Any]:
    assert run.result is not None  # it ended: no error, not endless, no circle
    return run.result


def found_by(trial: Trial) -> tuple[Any, ...] | None:
    """Return the path that the engine found."""
    if trial.contender.spec is not None:
        return trial.first.states
    return None if trial.first.answer is None else tuple(trial.first.answer)


def cost_found(trial: Trial, states: tuple[Any, ...]) -> Cost:
    """Return the cost that the engine reports; otherwise that of its path."""
    result = trial.first.result
    if result is not None and result.cost is not None:
        return result.cost
    return cost_of_list(trial.space, states)


def _drawable(trial: Trial, answer: Any) -> tuple[Any, ...] | None:
    """Return the drawable part of the path that a function returned."""
    if not isinstance(answer, list | tuple) or not answer:
        return None
    return tuple(answer) if all(is_in(item, trial.space.edges) for item in answer) else None


def _listed(states: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, states)) or "nothing"
