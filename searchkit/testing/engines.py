"""`check_engine`: the promises of an engine, on small, difficult problems, against an oracle that is not an engine."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import inf
from typing import Any

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from searchkit.basics.text import quantity
from searchkit.errors import InvalidOptionError, MissingCapabilityError, MissingExtraError, unknown
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Cost
from searchkit.result import Result, Status
from searchkit.testing.contenders import Contender, contender_for, with_options
from searchkit.testing.engine_problems import Strategy, given_sources, reduced, sources_for
from searchkit.testing.reports import Check, Counterexample, Report, picture, reproduce, smallest
from searchkit.testing.spaces.space import cost_of_list, exceeds, fault_of_list, fault_of_steps, is_in, same
from searchkit.testing.trials import CIRCLE, QUIET, QUIET_AGAIN, Run, Trial, last_line

EXAMPLES = 500
"""The default number of problems: they take a few seconds."""
LISTED = 4
"""A map is preferred to a list of edges unless it has more than this many times as many states."""
SMALLER = 25
"""The largest number of searches that are stopped because they do not call the problem; then no smaller case and no
other fault is looked for."""

PROMISES: Mapping[str, str] = {
    "raises nothing": "it ends with an answer, not with an error",
    "terminates": "it ends on every finite space, whether a goal can be reached or not",
    "valid": "a path begins in a start, follows the actions, ends in a goal, and its cost adds up",
    "complete": "on a finite space it finds a path if one exists, and reports that no path exists only if that is true",
    "optimal": "the path has the least possible cost; with a heuristic, if that is consistent",
    "optimal-with-inconsistent-heuristics": "the path has the least possible cost with every admissible heuristic",
    "bound": "the lower bound is never above the least cost, at any pause",
    "expands-once": "no state is expanded twice, unless a heuristic is inconsistent",
    "statistics": "expanded and generated agree with an independent count, and reopened and reached if it keeps states",
    "deterministic": "ties are broken the same way in every run, whatever the hashes of the states",
    "resumable": "if it is paused at any state and resumed in a new generator, its result is the same",
    "compiled": "machine code gives the same status, cost, path, expanded and generated as the form in Python",
    "repeatable": "if a call of the problem raises once, also while it starts, the resumed search has the same answer",
}
"""Name → the promise as a sentence, in the order in which reports list them."""
ALWAYS = "raises nothing"
FIRST = (ALWAYS, "terminates", "valid")
"""If one of these is broken, no other promise is judged."""
ENGINE_FORM_ONLY = ("bound", "statistics", "deterministic", "resumable", "repeatable")
"""The promises of every generator with a tree; no other form can make them."""
RUNS = ("terminates", "expands-once", "compiled", *ENGINE_FORM_ONLY)
"""The promises whose failure one result does not show: to reproduce it, the check has to be repeated."""
MISSING = (MissingCapabilityError, MissingExtraError)
COMPARED = re.compile(r"^'[<>]=?' not supported between instances of '(\w+)' and '(\w+)'")


def check_engine(
    engine: Any,
    promises: Iterable[str] | None = None,
    *,
    problems: Any = None,
    examples: int = EXAMPLES,
    seed: int = 0,
    **options: object,
) -> Report:
    """Run an engine on many small problems; return a report, or raise it with the smallest problem that it fails on.

    The results are compared with an oracle that is not an engine: the whole state space, with distances by Bellman
    (1958).

    Args:
        engine: the name of an engine, an `EngineSpec`, a generator function `(problem, tree, **options)`, or a plain
            function of one problem that returns a list of states, or None if there is no path.
        promises: names out of `raises nothing` (always checked), `terminates`, `valid`, `complete`, `optimal`,
            `optimal-with-inconsistent-heuristics`, `bound`, `expands-once`, `statistics`, `deterministic`, `resumable`,
            `repeatable` and `compiled`. None: all promises of the `EngineSpec` but `compiled`, for which machine code
            is compiled. For a function, which has no spec: all promises of its form except `expands-once` and
            `optimal-with-inconsistent-heuristics`. A plain function can't promise `bound`, `statistics`,
            `deterministic`, `resumable` and `repeatable`.
        problems: a problem, a Hypothesis strategy of problems, or several strategies. None: weighted digraphs, mazes
            and grids with the costs that the engine accepts, and with heuristics if it uses them; if it requires
            capabilities, every registered kind of problem that has them. Problems with more than 2,000 states are
            skipped.
        examples: the number of problems, over all strategies.
        seed: the same seed gives the same problems.
        options: options of the engine. Other options with choices are drawn.

    Raises:
        CheckFailure: a promise does not hold.
        UnknownNameError: there is no such engine or option.
        InvalidOptionError: `engine` has none of the forms above, or a promise is unknown or impossible for its form.

    A function is stopped, and counts as endless, if it asks for successors many times more often than the space can
    require, or if it computes for 2 seconds without calling the problem. The latter needs the signals of Unix and the
    main thread; a single call of a built-in function that never returns is not stopped.

    Example:
        >>> from searchkit.testing import check_engine
        >>> print(check_engine("dijkstra", promises=["optimal"], examples=20))
        engine dijkstra: holds (20 examples)
          ✓ raises nothing: it ends with an answer, not with an error
          ✓ optimal: the path has the least possible cost; with a heuristic, if that is consistent

    """
    contender = contender_for(engine)
    given = with_options(contender, options)
    promised = _promised(contender, promises)
    sources = sources_for(contender.spec) if problems is None else given_sources(problems)
    if not sources:
        requires = contender.spec.requires if contender.spec else ()
        needed = " and ".join(capability.__name__ for capability in requires)
        why = f"no registered problem has a Hypothesis strategy and meets {needed}"
        skipped = [Check(name, PROMISES[name], "skipped", why) for name in promised]
        return Report(contender.subject, skipped)
    trials = _Trials(contender, promised, _choices(contender, given), reduce=problems is None)
    for source, share in zip(sources, _shares(examples, len(sources)), strict=True):
        trials.search(source, share, seed)
    checks = [trials.check(name) for name in promised]
    return Report(contender.subject, checks, examples=trials.examples).or_raise()


def first_fault(
    engine: Any, promises: Iterable[str] | None = None, *, examples: int = EXAMPLES, seed: int = 0
) -> tuple[str, int] | None:
    """Return the promise that `check_engine` with these arguments finds broken first, and after how many problems.

    Return None if no promise is broken. This is faster: it does not reduce the problem or look for other failures.
    """
    contender = contender_for(engine)
    promised, sources = _promised(contender, promises), sources_for(contender.spec)
    trials = _Trials(contender, promised, _choices(contender, with_options(contender, {})))
    for source, share in zip(sources, _shares(examples, len(sources)), strict=True):
        finder = _Finder(trials, promised)
        with suppress(Flaky, _EnoughError):
            smallest(st.tuples(source, trials.options), finder, examples=share, seed=seed, shrink=False)
        trials.examples += finder.tried
        if finder.seen:
            return next(iter(finder.seen)), trials.examples + 1
    return None


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
    error = trial.first.error
    if error is None:
        return True
    compared = COMPARED.search(str(error)) if isinstance(error, TypeError) else None
    kinds = {type(state).__name__ for state in trial.space.edges}
    hint = (
        "; states were compared, and states need not have an order: put a counter before the state in each entry of "
        "a heap, as in (f, next(counter), state)"
        if compared is not None and kinds.issuperset(compared.groups())
        else ""
    )
    return Fault(f"it raised {last_line(error)}{hint}", order=trial.first.order)


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
        drawable = isinstance(run.answer, list | tuple) and all(
            is_in(item, trial.space.edges) for item in run.answer
        )
        return Fault(fault, tuple(run.answer) if run.answer and drawable else None) if fault else True
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
    found, run = _found(trial), trial.first
    if trial.best < inf:
        if found is None and not _says_cut(trial):
            return Fault(f"it found no path; a path of cost {trial.best} exists", order=run.order)
        return True
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
    found = _found(trial)
    if found is None or trial.best == inf:
        return False
    result = trial.first.result
    cost = cost_of_list(trial.space, found) if result is None or result.cost is None else result.cost
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
    said = f"it says that no path costs less than {held}; the least cost is {trial.best}"
    return Fault(said, numbers=numbers)


def expands_once(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    if not trial.consistent:
        return False
    order = trial.first.order
    twice = next((state for index, state in enumerate(order) if state in order[:index]), None)
    if twice is None:
        return True
    numbers = (("states in the order of expansion", _listed(order)),)
    return Fault(f"it expanded {twice!r} twice", numbers=numbers, order=order)


def statistics(trial: Trial) -> Outcome:
    """See `PROMISES`. An engine that asks its problem by other members than `successors` can't be counted."""
    spec, counted, run = trial.contender.spec, trial.counted, trial.first
    if not counted.expanded:
        return False
    said = _result(run).statistics
    wrong: dict[str, tuple[int, int | str]] = {}
    for name, true in (("expanded", len(counted.expanded)), ("generated", counted.generated)):
        if getattr(said, name) != true:
            wrong[name] = getattr(said, name), true
    if spec is not None and spec.memory == "states" and spec.arrivals:
        different = len(set(run.order))
        if said.reopened < len(run.order) - different:
            wrong["reopened"] = (said.reopened, f"{len(run.order) - different} or more")
        if not different <= said.reached <= len(trial.space.edges):
            wrong["reached"] = (said.reached, f"{different} to {len(trial.space.edges)}")
    if not wrong:
        return True
    name, (claimed, counted_from_outside) = next(iter(wrong.items()))
    return Fault(
        f"its statistics say {name} = {claimed}; counted from outside, it is {counted_from_outside}",
        numbers=tuple((name, f"{claimed}, counted {true}") for name, (claimed, true) in wrong.items()),
    )


def deterministic(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    differences = (_difference(trial, run, "in another run") for run in trial.again)
    return next((fault for fault in differences if isinstance(fault, Fault)), True)


def resumable(trial: Trial) -> Outcome:
    """See `PROMISES`."""
    return _difference(trial, trial.paused[0], "with pauses")


def repeatable(trial: Trial) -> Outcome:
    """See `PROMISES`. The counters need not be the same."""
    plain = trial.plain
    if plain.result is None:
        return False
    expected = plain.result
    for call, run in trial.resumed():
        when = f"resumed after the call with the number {call + 1} of the problem had raised once, it"
        if run.error is not None:
            return Fault(f"{when} raised {last_line(run.error)}")
        if run.endless or run.circle or run.result is None:
            return Fault(f"{when} did not end" if run.endless else f"{when} found no path: {CIRCLE}")
        found = run.result
        if found.status is not expected.status or not same(found.cost or 0, expected.cost or 0):
            numbers = tuple(
                (f"{name}{when}", f"{result.status.value}, cost {result.cost}")
                for name, when, result in (
                    ("answer", "", expected),
                    ("answer", " of the resumed search", found),
                )
            )
            said = f"{when} says {found.status.value}, cost {found.cost}; expected {expected.status.value}, cost "
            return Fault(f"{said}{expected.cost}", run.states, numbers)
    return True


def compiled(trial: Trial) -> Outcome:
    """See `PROMISES`. The path of an engine that expands whole layers depends on an order that is not defined."""
    spec, plain, run = trial.contender.spec, trial.plain, trial.compiled
    if spec is None or not spec.kernel or plain.result is None or isinstance(run.error, MISSING):
        return False
    if run.error is not None:
        return Fault(f"as machine code, it raised {last_line(run.error)}")
    python, machine = facts_of(plain.result), facts_of(_result(run))
    for name in ("the status", "the cost", "the path", "expanded", "generated"):
        if python[name] != machine[name] and not (spec.layered and name == "the path"):
            numbers = ((name, str(python[name])), (f"{name}, compiled", str(machine[name])))
            return Fault(
                f"{name} is {python[name]}, and {machine[name]} as machine code", run.states, numbers
            )
    return True


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
    "repeatable": repeatable,
    "compiled": compiled,
}


def judge(trial: Trial, promises: Iterable[str]) -> dict[str, Outcome]:
    """Return the verdict on each promise that the trial can judge.

    If a search raised, did not end, or has an invalid path, nothing else is judged.
    """
    outcomes: dict[str, Outcome] = {}
    if not trial.fits:
        return outcomes
    for name in FIRST:
        outcome = JUDGES[name](trial)
        if name in promises and outcome is not False:
            outcomes[name] = outcome
        if isinstance(outcome, Fault) or (name == "terminates" and trial.first.endless):
            return outcomes
    for name in promises:
        if name not in FIRST and (outcome := JUDGES[name](trial)) is not False:
            outcomes[name] = outcome
    return outcomes


def _difference(trial: Trial, other: Run, when: str) -> Outcome:
    """Return how another run of the same search differs from the plain one."""
    plain = trial.plain
    if other.error:
        return Fault(f"{when}, it raised {last_line(other.error)}", order=other.order)
    if other.endless:
        return Fault(f"{when}, it did not end within {trial.budget} expansions", order=other.order[:100])
    if other.circle or plain.result is None:
        return Fault(f"{when}, {CIRCLE}") if other.circle else False
    if _states(trial, other.order) != _states(trial, plain.order):
        numbers = (("expanded", _listed(plain.order)), (f"expanded {when}", _listed(other.order)))
        said = f"{when}, it expanded other states, or the same ones in another order"
        return Fault(said, other.states, numbers)
    one, two = facts_of(plain.result), facts_of(_result(other))
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
        "the lower bound": result.lower_bound,
        "the warnings": result.warnings,
    }


def _result(run: Run) -> Result[Any, Any]:
    assert run.result is not None  # it ended: no error, not endless, no circle
    return run.result


def _found(trial: Trial) -> tuple[Any, ...] | None:
    """Return the path that the engine found."""
    if trial.contender.spec is not None:
        return trial.first.states
    return None if trial.first.answer is None else tuple(trial.first.answer)


def _listed(states: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, states)) or "nothing"


class _EnoughError(BaseException):
    """Enough searches have been stopped; no smaller case is looked for."""


class _Trials:
    """All trials of one engine, and the smallest case found that breaks each promise."""

    def __init__(self, contender: Contender, promised: list[str], options: Strategy, reduce: bool = False):
        self.contender, self.promised, self.options = contender, promised, options
        self.reduce = reduce
        """Whether a digraph may be reduced. Problems of the caller may need their exact form."""
        self.examples = 0
        self.judged: Counter[str] = Counter()
        """For each promise, the number of trials in which it was judged; for a broken promise, of some of them."""
        self.beyond = ""
        """How far a search went that exceeded the budget and may not be endless."""
        self.quiet: tuple[Trial, Fault] | None = None
        """The first search that was stopped because it did not call the problem."""
        self.stopped = 0
        """The number of such searches."""
        self.broken: dict[str, tuple[Trial, Fault, Counterexample]] = {}

    def search(self, source: Strategy, examples: int, seed: int) -> None:
        """Run the engine on problems of one source; keep the smallest case for each broken promise.

        Each round looks for a case that breaks one of the remaining promises, until there is none.
        """
        left, tried = list(self.promised), 0
        while left:
            finder, case = _Finder(self, left), None
            with suppress(
                Flaky, _EnoughError
            ):  # it fails only sometimes, or takes long: a case that failed is shown
                case = smallest(st.tuples(source, self.options), finder, examples=examples, seed=seed)
            tried, seen = max(tried, finder.tried), finder.seen
            self.judged |= finder.judged
            if case is not None:
                trial = Trial(self.contender, *case, quiet=self.quiet[0].quiet if self.quiet else QUIET)
                seen = _faults(trial, left) or seen
            for name, (trial, fault) in seen.items():
                self._keep(name, *self._sure(trial, fault))
                left.remove(name)
            if not seen:
                break
        self.examples += tried

    def _sure(self, trial: Trial, fault: Fault) -> tuple[Trial, Fault]:
        """Return a case that ran for the full time, if this one was stopped early without a call of the problem."""
        if self.quiet is None or not trial.first.quiet or trial.quiet == self.quiet[0].quiet:
            return trial, fault
        again = Trial(self.contender, trial.problem, trial.options, quiet=self.quiet[0].quiet)
        outcome = terminates(again)
        return (again, outcome) if isinstance(outcome, Fault) else self.quiet

    def _keep(self, name: str, trial: Trial, fault: Fault) -> None:
        """Keep the case unless the present one is easier to read."""
        if self.reduce and not trial.first.quiet:
            trial, fault = self._reduced(name, trial, fault)
        case = _counterexample(trial, name, fault)
        held = self.broken.get(name)
        if held is None or _size(trial, case) < _size(held[0], held[2]):
            self.broken[name] = trial, fault, case

    def _reduced(self, name: str, trial: Trial, fault: Fault) -> tuple[Trial, Fault]:
        """Return the case on a smaller digraph that breaks the same promise, if its problem is a digraph."""
        found = {id(trial.problem): (trial, fault)}

        def broken(problem: Any) -> bool:
            if self.stopped > 2 * SMALLER:
                return False
            other = Trial(self.contender, problem, trial.options, quiet=QUIET_AGAIN if self.quiet else QUIET)
            seen = _faults(other, [name])
            self.stopped += other.first.quiet
            if name in seen:
                found[id(problem)] = seen[name]
            return name in seen

        return found[id(reduced(trial.problem, broken))]

    def check(self, name: str) -> Check:
        """Return the check of a promise."""
        if name in self.broken:
            _, fault, case = self.broken[name]
            return Check(name, PROMISES[name], "fails", fault.detail, case)
        if name in self.judged:
            return Check(name, PROMISES[name], "holds")
        if self.broken:
            return Check(name, PROMISES[name], "undecided", "no example got as far as this; see the failures")
        if self.beyond:
            return Check(name, PROMISES[name], "undecided", self.beyond)
        return Check(name, PROMISES[name], "skipped", "no example says anything about it")


class _Finder:
    """Whether, and how, an engine breaks one of some promises in a case; keeps the last such case."""

    def __init__(self, trials: _Trials, left: list[str]):
        self.trials, self.left = trials, left
        self.seen: dict[str, tuple[Trial, Fault]] = {}
        self.tried = 0
        """The number of cases before the first that breaks a promise."""
        self.judged: Counter[str] = Counter()

    def __call__(self, case: tuple[Any, Any]) -> bool:
        trials = self.trials
        trial = Trial(trials.contender, *case, quiet=QUIET_AGAIN if trials.quiet else QUIET)
        outcomes = judge(trial, self.left)
        if trial.fits and trial.first.quiet:
            self._stopped(trial)
        elif trial.fits and trial.first.endless and not trial.surely_endless:
            trials.beyond = (
                f"it was still searching after {trial.budget} expansions of {len(trial.space.edges)} states, "
                "and was stopped; one that keeps no states may walk every path and end some day"
            )
        faults = {name: (trial, fault) for name, fault in outcomes.items() if isinstance(fault, Fault)}
        if not self.seen:
            self.judged.update(outcomes.keys())
            self.tried += not faults
        self.seen = faults or self.seen
        return bool(faults)

    def _stopped(self, trial: Trial) -> None:
        """Count a search that did not call the problem. Raises `_EnoughError` after some of them."""
        outcome = terminates(trial)
        if self.trials.quiet is None and isinstance(outcome, Fault):
            self.trials.quiet = trial, outcome
        if "terminates" not in self.trials.promised:
            self.trials.beyond = "it does not end on some problems; check the promise terminates too"
        self.trials.stopped += 1
        if self.trials.stopped > SMALLER:
            raise _EnoughError


def _faults(trial: Trial, promises: list[str]) -> dict[str, tuple[Trial, Fault]]:
    outcomes = judge(trial, promises)
    return {name: (trial, fault) for name, fault in outcomes.items() if isinstance(fault, Fault)}


def _promised(contender: Contender, promises: Iterable[str] | None) -> list[str]:
    """Return the promises to check, in the order of reports."""
    if promises is None:
        wanted = _defaults(contender)
    else:
        wanted = {promises} if isinstance(promises, str) else set(promises)
        strange = sorted(map(str, wanted - PROMISES.keys()))
        if strange:
            what, there_are = f"there is no promise {strange[0]!r}", f"there are {', '.join(PROMISES)}"
            raise InvalidOptionError(unknown(what, strange[0], PROMISES, there_are))
        beyond = wanted & set(ENGINE_FORM_ONLY) if contender.spec is None else set()
        if beyond:
            raise InvalidOptionError(
                f"a function of a problem can't promise {min(beyond)!r}; only a generator function (problem, tree) can"
            )
    return [name for name in PROMISES if name in wanted or name == ALWAYS]


def _defaults(contender: Contender) -> set[str]:
    spec = contender.spec
    names = {"terminates", "valid"}
    if spec is None or not contender.declared:
        return names | {"complete", "optimal"} | (set(ENGINE_FORM_ONLY) if spec else set())
    names.update(ENGINE_FORM_ONLY)
    if spec.complete or spec.exhaustive:
        names.add("complete")
    if spec.optimal:
        names.add("optimal")
        if spec.heuristic != "unused" and not spec.consistent:
            names.add("optimal-with-inconsistent-heuristics")
        if _keeps_states(spec) and spec.expands_once:
            names.add("expands-once")
    return names


def _keeps_states(spec: EngineSpec) -> bool:
    """Whether it stores an arrival at every state: then an optimal engine has no reason to expand a state twice."""
    return spec.memory == "states" and spec.arrivals


def _choices(contender: Contender, given: Mapping[str, Any]) -> Strategy:
    """Draw the options of one trial: those given, and a choice for each other option with choices."""
    drawn: dict[str, Strategy] = {name: st.just(value) for name, value in given.items()}
    for option in contender.spec.options if contender.spec else ():
        if option.choices and option.name not in given:
            default = (option.default,) if option.default in option.choices else ()
            drawn[option.name] = st.sampled_from(tuple(dict.fromkeys([*default, *option.choices])))
    return st.fixed_dictionaries(drawn)


def _shares(examples: int, parts: int) -> list[int]:
    """Split the examples: half of them for the first strategy, the same for each of the others."""
    if parts == 1:
        return [examples]
    rest = max(1, examples // 2 // (parts - 1))
    return [max(1, examples - rest * (parts - 1)), *[rest] * (parts - 1)]


def _size(trial: Trial, case: Counterexample) -> tuple[Cost, int]:
    """Order cases by the number of their states; a state of a list of edges counts `LISTED` times."""
    listed = case.drawing.startswith("starts: ")
    return len(trial.space.edges) * (LISTED if listed else 1), len(case.drawing)


def _counterexample(trial: Trial, promise: str, fault: Fault) -> Counterexample:
    contender, problem = trial.contender, trial.problem
    paths = []
    if fault.found:
        paths.append((f"the path of {contender.name}", picture(problem, fault.found)))
    best = trial.space.best_path()
    if best is not None and best != fault.found:
        paths.append((f"a path of least cost, {trial.best}", picture(problem, best)))
    if fault.order and not fault.found:
        paths.append((f"expanded by {contender.name}", picture(problem, (), fault.order)))
    call = contender.call_with(trial.options)
    if promise in RUNS:
        given = "".join(f", {option}={value!r}" for option, value in trial.options.items())
        call = f'check_engine({contender.reference}, "{promise}", problems=problem{given})'
    otherwise = (
        "from searchkit.testing import check_engine",
        f"# {type(problem).__name__} can't be written as text; `failure.report` holds it as `problem`",
        f"check_engine({contender.reference})",
    )
    return Counterexample(
        drawing=picture(problem),
        paths=tuple(paths),
        numbers=fault.numbers
        + tuple((f"option {name}", repr(value)) for name, value in trial.options.items()),
        reproduce=reproduce(problem, call, otherwise),
        problem=problem,
    )
