"""`check_engine`: the promises of an engine, on small, difficult problems, against an oracle that is not an engine."""

from collections.abc import Callable, Collection, Iterable, Sequence
from math import inf
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from searchkit.basics.text import quantity
from searchkit.errors import InvalidOptionError, MissingCapabilityError, MissingExtraError
from searchkit.plugin.specs import EngineSpec
from searchkit.result import Result, Status
from searchkit.testing.reports import HOLDS, Finding, Report, Trials, cases_of, chosen_promises, fails
from searchkit.testing.spaces.space import cost_of_list, exceeds, fault_of_list, fault_of_steps, is_in, same
from searchkit.testing.strategies.engines import Strategy, sources_for
from searchkit.testing.trials import PATHS, STATES, Contender, Run, Trial, contender_for

EXAMPLES = 500
"""The default number of problems: they take a few seconds."""
ALWAYS = "raises nothing"
FIRST = (ALWAYS, "terminates", "valid")
"""If one of these is broken, no other promise is judged."""
ENGINE_FORM = ("bound", "statistics", "deterministic", "resumable", "repeatable")
"""The promises of every generator with a tree."""
ENGINE_FORM_ONLY = (*ENGINE_FORM, "compiled")
"""The promises that a plain function can't make."""
RUNS = ("terminates", "expands-once", *ENGINE_FORM_ONLY)
"""The promises whose failure one result does not show: to reproduce it, the check has to be repeated."""
UNENDING = Finding("undecided", "it does not end on some problems; check the promise terminates too")
TOO_LARGE = Finding("skipped", f"the problem is too large; give one of at most {STATES:,} states")


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
            is made. For a function, which has no spec: all promises of its form except `expands-once` and
            `optimal-with-inconsistent-heuristics`. A plain function can promise the first five only.
        problems: a problem, a `ProblemSpec` or the name of a registered kind of problem, whose strategy is then used,
            or a Hypothesis strategy of problems. None: weighted digraphs, mazes and grids with the costs that the
            engine accepts, and with heuristics if it uses them; if it requires capabilities, every registered kind of
            problem that has them. Problems with more than 2,000 states are skipped.
        examples: the number of problems, over all strategies.
        seed: the same seed gives the same problems.
        options: options of the engine. Other options with choices are drawn.

    Raises:
        CheckFailure: a promise does not hold.
        UnknownNameError: there is no such engine, option or kind of problem.
        InvalidOptionError: `engine` has none of the forms above, or a promise is unknown or impossible for its form.
        InvalidProblemError: `problems` is none of these.

    A search is stopped, and counts as endless, if it asks for successors many times more often than the space can
    require. A loop that calls nothing of the problem is not stopped.

    Example:
        >>> from searchkit.testing import check_engine
        >>> print(check_engine("dijkstra", promises=["optimal"], examples=20))
        engine dijkstra: holds (20 examples)
          ✓ raises nothing: it ends with an answer, not with an error
          ✓ optimal: the path has the least possible cost; with a heuristic, if that is consistent

    """
    __tracebackhide__ = True  # pytest shows the report, and not this function
    contender = contender_for(engine)
    spec, given = contender.spec, contender.spec.parse(options)
    promised = promises_of(contender, promises)
    trials = Trials(
        promised,
        lambda case, promises: judge(Trial(contender, *case), promises),
        f"check_engine({contender.reference})",
        named=(spec.run,),
    )
    cases = None if problems is None else cases_of(problems)[1]
    chosen = cases if isinstance(cases, st.SearchStrategy) else st.just(cases)
    try:
        sources = sources_for(spec) if problems is None else [chosen]
    except MissingCapabilityError as error:
        trials.findings = dict.fromkeys(promised, Finding("skipped", str(error)))
        return trials.report(contender.subject)
    drawn: dict[str, Strategy] = {name: st.just(value) for name, value in given.items()}
    for option in spec.options:
        if option.choices and option.name not in given:
            default = (option.default,) if option.default in option.choices else ()
            drawn[option.name] = st.sampled_from(tuple(dict.fromkeys([*default, *option.choices])))
    choices = st.fixed_dictionaries(drawn)
    for source, share in zip(sources, shares_of(examples, len(sources)), strict=True):
        trials.run(st.tuples(source, choices), share, seed)
    return trials.report(contender.subject)


def shares_of(examples: int, sources: int) -> list[int]:
    """Return the number of examples of each strategy: half on the first, and the same number on each of the others."""
    others = sources - 1
    each = max(1, examples // 2 // others) if others else 0
    return [max(1, examples - each * others), *[each] * others]


Outcome = Finding | None
"""None if the trial can't tell."""
PROMISES: dict[str, str] = {}
"""Name → the promise as a sentence, in the order in which reports list them."""
JUDGES: dict[str, Callable[[Trial], Outcome]] = {}
"""Name → what judges a trial by it. Of the first three, one that fails ends the judgement."""


def promise(name: str, sentence: str) -> Callable[[Callable[[Trial], Outcome]], Callable[[Trial], Outcome]]:
    """Enter a function as the judge of a promise."""

    def enter(judge: Callable[[Trial], Outcome]) -> Callable[[Trial], Outcome]:
        PROMISES[name], JUDGES[name] = sentence, judge
        return judge

    return enter


@promise("raises nothing", "it ends with an answer, not with an error")
def _raises_nothing(trial: Trial) -> Outcome:
    return HOLDS if trial.first.error is None else fails(trial.first.fault)


@promise("terminates", "it ends on every finite space, whether a goal can be reached or not")
def _terminates(trial: Trial) -> Outcome:
    states, asked = len(trial.space.edges), len(trial.counted.expanded) or trial.budget
    if not trial.first.endless:
        return HOLDS
    said = f"it was still searching after {asked} expansions; the space has {quantity(states, 'state')}"
    if trial.spec.memory == "states" or trial.paths <= PATHS:
        return fails(said)
    return Finding("undecided", f"{said}, and one that keeps no states may walk every path and end some day")


@promise("valid", "a path begins in a start, follows the actions, ends in a goal, and its cost adds up")
def _valid(trial: Trial) -> Outcome:
    run, space = trial.first, trial.space
    if run.result is None:
        fault = "" if run.answer is None else fault_of_list(space, run.answer)
        shown = [item for item in run.states or () if is_in(item, space.edges)]
        return fails(fault, shown if len(shown) == len(run.states or ()) else None) if fault else HOLDS
    solution, search = run.result.solution, run.result.search
    if solution is None:
        return HOLDS
    fault = fault_of_steps(space, solution.states, solution.actions)
    if not fault and trial.spec.arrivals:
        held = search.tree.reached[solution.goal][0]  # type: ignore[union-attr]  # it is the Search
        if exceeds(solution.cost, held):
            fault = (
                f"the search tree says that the goal was reached at cost {held}, but the path that its parents "
                f"form costs {solution.cost}"
            )
    return fails(fault, solution.states) if fault else HOLDS


@promise(
    "complete",
    "on a finite space it finds a path if one exists, and reports that no path exists only if that is true",
)
def _complete(trial: Trial) -> Outcome:
    # an engine that is not declared complete may say that it left something out
    run, status = trial.first, trial.first.result and trial.first.result.status
    may_cut = trial.contender.form != "engine" or not trial.spec.complete
    if trial.space.least_cost < inf:
        if run.states is not None or (may_cut and status is Status.CUTOFF):
            return HOLDS
        return fails(f"it found no path; a path of cost {trial.space.least_cost} exists")
    if run.states is not None or status is Status.SOLVED:
        return fails("it returned a path, but no path exists", run.states)
    return HOLDS


@promise("optimal", "the path has the least possible cost; with a heuristic, if that is consistent")
def _optimal_with_consistent(trial: Trial) -> Outcome:
    return _optimal(trial) if trial.consistent and trial.admissible else None


@promise(
    "optimal-with-inconsistent-heuristics",
    "the path has the least possible cost with every admissible heuristic",
)
def _optimal_with_inconsistent(trial: Trial) -> Outcome:
    return _optimal(trial) if not trial.consistent and trial.admissible else None


def _optimal(trial: Trial) -> Outcome:
    found, result = trial.first.states, trial.first.result
    if found is None or trial.space.least_cost == inf:
        return None
    cost = cost_of_list(trial.space, found) if result is None or result.cost is None else result.cost
    if same(cost, trial.space.least_cost):
        return HOLDS
    return fails(f"its path costs {cost}, and the least cost is {trial.space.least_cost}", found)


@promise("bound", "the lower bound is never above the least cost, at any pause")
def _bound(trial: Trial) -> Outcome:
    if not trial.admissible:
        return None
    run, held = trial.paused
    if run.result is not None:
        held = max(held, run.result.lower_bound)
    if not exceeds(held, trial.space.least_cost):
        return HOLDS
    return fails(f"it says that no path costs less than {held}; the least cost is {trial.space.least_cost}")


@promise("expands-once", "no state is expanded twice, unless a heuristic is inconsistent")
def _expands_once(trial: Trial) -> Outcome:
    if not trial.consistent:
        return None
    order = trial.first.order
    twice = next((state for index, state in enumerate(order) if state in order[:index]), None)
    if twice is None:
        return HOLDS
    return fails(f"it expanded {twice!r} twice: {_listed(order)}")


@promise("statistics", "expanded and generated agree with an independent count")
def _statistics(trial: Trial) -> Outcome:
    counted, run = trial.counted, trial.first
    if not counted.expanded:  # it asks the problem by other members than `successors`
        return None
    assert run.result is not None  # it is valid
    said, different = run.result.statistics, len(set(run.order))
    right: dict[str, tuple[float, float]] = {
        "expanded": (len(counted.expanded),) * 2,
        "generated": (counted.generated,) * 2,
    }
    if keeps_states(trial.spec):
        right["reopened"] = len(run.order) - different, inf
        right["reached"] = different, len(trial.space.edges)
    wrong = [
        f"{name} = {getattr(said, name)}, counted {least}{f' to {most}' if most > least else ''}"
        for name, (least, most) in right.items()
        if not least <= getattr(said, name) <= most
    ]
    return fails(f"its statistics say {'; '.join(wrong)} from outside") if wrong else HOLDS


@promise("deterministic", "ties are broken the same way in every run, whatever the hashes of the states")
def _deterministic(trial: Trial) -> Outcome:
    differences = (_difference(run, trial, other, "in another run") for run, other in trial.again)
    return next((found for found in differences if found is not HOLDS), HOLDS)


@promise("resumable", "if it is paused at any state and resumed in a new generator, its result is the same")
def _resumable(trial: Trial) -> Outcome:
    return _difference(trial.plain, trial, trial.paused[0], "with pauses")


@promise(
    "repeatable",
    "if a call of the problem raises once, also while it starts, the resumed search has the same answer",
)
def _repeatable(trial: Trial) -> Outcome:
    for call, run in trial.resumed():
        when = f"resumed after the call with the number {call + 1} of the problem had raised once"
        found = _difference(trial.first, trial, run, when, ("the status", "the cost"))
        if found is not HOLDS:
            return found
    return HOLDS


@promise(
    "compiled", "machine code gives the same status, cost, path, expanded and generated as the form in Python"
)
def _compiled(trial: Trial) -> Outcome:
    if not trial.spec.kernel:
        return None
    if isinstance(trial.compiled.error, MissingCapabilityError | MissingExtraError):
        return None
    # the path of an engine that expands whole layers depends on an order that is not defined
    path = () if trial.spec.machine_code_only else ("the path",)
    names = ("the status", "the cost", *path, "expanded", "generated")
    return _difference(trial.plain, trial, trial.compiled, "as machine code", names)


def _difference(first: Run, trial: Trial, other: Run, when: str, names: Collection[str] = ()) -> Outcome:
    """Return how another run of the same search differs from the first one, in some facts or in all of them."""
    if first.result is None or other.result is None:
        return fails(f"{when}, {other.fault}") if other.fault else None
    # an engine's own nodes are equal to nothing
    own_nodes = not all(is_in(getattr(state, "state", state), trial.space.edges) for state in first.order)
    orders = [len(run.order) if own_nodes else run.order for run in (first, other)]
    if not names and orders[0] != orders[1]:
        said = f"{when}, it expanded {_listed(other.order)} instead of {_listed(first.order)}"
        return fails(said, other.states)
    one, two = _facts(first.result), _facts(other.result)
    for name in names or one:
        costs = name == "the cost" and None not in (one[name], two[name])
        if one[name] != two[name] and not (costs and same(one[name], two[name])):
            return fails(f"{when}, {name} is {two[name]} instead of {one[name]}", other.states)
    return HOLDS


def _facts(result: Result[Any, Any]) -> dict[str, Any]:
    """Return the parts of a result that two runs of one search share, in the order of reporting."""
    said = result.statistics
    counts = ("expanded", "generated", "reopened", "reached")
    return {
        "the status": result.status.value,
        "the cost": result.cost,
        "the path": result.solution,
        **{name: getattr(said, name) for name in counts},
        "the lower bound": result.lower_bound,
        "the warnings": result.warnings,
    }


def judge(trial: Trial, promises: Collection[str]) -> dict[str, Finding]:
    """Return the finding on each promise that the trial can judge.

    If a search raised, did not end, or has an invalid path, nothing else is judged.
    """
    if not trial.space.whole or (trial.spec.memory == "depth" and trial.paths > PATHS):
        return dict.fromkeys(promises, TOO_LARGE)
    findings: dict[str, Finding] = {}
    for name in (*FIRST, *(name for name in promises if name not in FIRST)):
        found = JUDGES[name](trial)
        if found is not None and name in promises:
            findings[name] = _told(trial, name, found) if found.outcome == "fails" else found
        if name == "terminates" and trial.first.endless:
            unsure = found if found and found.outcome == "undecided" else UNENDING
            return {**dict.fromkeys(promises, unsure), **findings}
        if name in FIRST and found is not HOLDS:
            break
    return findings


def _told(trial: Trial, promise: str, found: Finding) -> Finding:
    """Return a failure with the paths that show it, and the line that shows it again."""
    contender, options = trial.contender, trial.options
    if not isinstance(trial.first.answer, list | tuple | None):  # no problem is needed to see that
        return found
    paths = [(f"the path of {trial.spec.name}", path) for _, path in found.paths]
    best = trial.space.best_path
    if best is not None and best not in [path for _, path in paths]:
        paths.append((f"a path of least cost, {trial.space.least_cost}", best))
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    call = f"{contender.reference}(problem)"
    if promise in RUNS:
        call = f'check_engine({contender.reference}, "{promise}", problems=problem{given})'
    elif contender.form != "function":
        call = f"solve(problem, {contender.reference}{given})"
    return evolve(found, paths=tuple(paths), call=call, problem=trial.problem)


def _listed(states: Sequence[Any]) -> str:
    return ", ".join(map(repr, states)) or "nothing"


def promises_of(contender: Contender, promises: Iterable[str] | None) -> dict[str, str]:
    """Return the promises to check, in the order of reports."""
    promised = chosen_promises(_defaults(contender) if promises is None else promises, PROMISES, ALWAYS)
    beyond = promised.keys() & set(ENGINE_FORM_ONLY) if contender.form == "function" else set()
    if beyond:
        raise InvalidOptionError(
            f"a function of a problem can't promise {min(beyond)!r}; only a generator function (problem, tree) can"
        )
    return promised


def _defaults(contender: Contender) -> set[str]:
    spec = contender.spec
    names = {"terminates", "valid", *(ENGINE_FORM if contender.form != "function" else ())}
    if contender.form != "engine":
        return names | {"complete", "optimal"}
    if spec.complete or spec.exhaustive:
        names.add("complete")
    if spec.optimal:
        names.add("optimal")
        if spec.heuristic != "unused" and not spec.consistent:
            names.add("optimal-with-inconsistent-heuristics")
        if keeps_states(spec) and spec.expands_once:
            names.add("expands-once")
    return names


def keeps_states(spec: EngineSpec) -> bool:
    """Whether an engine stores an arrival at every state that it reached."""
    return spec.memory == "states" and spec.arrivals
