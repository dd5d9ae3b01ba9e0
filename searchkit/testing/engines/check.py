"""Checking the promises of an engine on small, difficult problems, against an oracle that is not an engine."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from textwrap import indent
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import Flaky

from searchkit.errors import InvalidOptionError, unknown
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.testing.engines.contender import Contender, contender_for, with_options
from searchkit.testing.engines.promises import ENGINE_FORM_ONLY, INFORMAL, PROMISES, Fault, judge, terminates
from searchkit.testing.engines.quiet import QUIET, QUIET_AGAIN, SMALLER, EnoughError
from searchkit.testing.engines.reduction import reduced
from searchkit.testing.engines.sources import Strategy, given_sources, sources_for
from searchkit.testing.engines.trial import Trial
from searchkit.testing.reports.pictures import picture, reproduce
from searchkit.testing.reports.report import Check, Counterexample, Report
from searchkit.testing.reports.smallest import smallest

EXAMPLES = 500
"""The default number of problems: they take about 2 seconds."""
LISTED = 4
"""A map is preferred to a list of edges unless it has more than this many times as many states."""
ALWAYS = "raises nothing"
RUNS = ("terminates", "bound", "expands-once", "statistics", "deterministic", "resumable")
"""The promises whose failure one result does not show: to reproduce it, the check has to be repeated."""


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
            `optimal-with-inconsistent-heuristics`, `bound`, `expands-once`, `statistics`, `deterministic` and
            `resumable`. None: all promises of the `EngineSpec`. For a function, which has no spec: all promises of its
            form except `expands-once` and `optimal-with-inconsistent-heuristics`. A plain function can't promise
            `bound`, `statistics`, `deterministic` and `resumable`.
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
        why = f"no registered problem has a Hypothesis strategy and meets {_requirements(contender)}"
        skipped = [Check(name, PROMISES[name], "skipped", why) for name in promised]
        return Report(contender.subject, skipped)
    trials = Trials(contender, promised, _choices(contender, given), _informal(promised), problems is None)
    shares = _shares(examples, len(sources))
    for source, share in zip(sources, shares, strict=True):
        trials.search(source, share, seed)
    checks = [trials.check(name) for name in promised]
    return Report(contender.subject, checks, examples=trials.examples, facts=trials.facts()).or_raise()


def first_fault(
    engine: Any, promises: Iterable[str] | None = None, *, examples: int = EXAMPLES, seed: int = 0
) -> tuple[str, int] | None:
    """Return the promise that `check_engine` with these arguments finds broken first, and after how many problems.

    Return None if no promise is broken. This is faster: it does not reduce the problem or look for other failures.
    """
    contender = contender_for(engine)
    promised, sources = _promised(contender, promises), sources_for(contender.spec)
    trials = Trials(contender, promised, _choices(contender, with_options(contender, {})))
    for source, share in zip(sources, _shares(examples, len(sources)), strict=True):
        broken = trials.first(source, share, seed)
        if broken is not None:
            return broken, trials.examples + 1
    return None


class Trials:
    """All trials of one engine, and the smallest case found that breaks each promise."""

    def __init__(
        self,
        contender: Contender,
        promised: list[str],
        options: Strategy,
        informal: bool = False,
        reduce: bool = False,
    ):
        self.contender, self.promised, self.options = contender, promised, options
        self.informal = informal
        """Whether to report `INFORMAL` even if it is not promised."""
        self.reduce = reduce
        """Whether a digraph may be reduced. Problems of the caller may need their exact form."""
        self.examples = 0
        self.told: Counter[str] = Counter()
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
        left, tried = [*self.promised, *([INFORMAL] if self._to_tell() else [])], 0
        while left:
            seen: dict[str, tuple[Trial, Fault]] = {}
            find = _Finder(self, left, seen)
            try:
                case = smallest(st.tuples(source, self.options), find, examples=examples, seed=seed)
            except (
                Flaky,
                EnoughError,
            ):  # it fails only sometimes, or takes long: a case that failed is shown
                case = None
            tried = max(tried, find.tried)
            self.told |= find.told
            if case is not None:
                trial = Trial(self.contender, *case, quiet=self.quiet[0].quiet if self.quiet else QUIET)
                outcomes = judge(trial, left)
                again = {name: (trial, fault) for name, fault in outcomes.items() if isinstance(fault, Fault)}
                seen = again or seen
            for name, (trial, fault) in seen.items():
                self._keep(name, *self._sure(trial, fault))
                left.remove(name)
            if INFORMAL in left and self.informal and not self._to_tell():
                left.remove(INFORMAL)
            if not seen:
                break
        self.examples += tried

    def first(self, source: Strategy, examples: int, seed: int) -> str | None:
        """Run the engine on problems of one source until a promise is broken; return the promise."""
        seen: dict[str, tuple[Trial, Fault]] = {}
        find = _Finder(self, self.promised, seen)
        with suppress(Flaky, EnoughError):
            smallest(st.tuples(source, self.options), find, examples=examples, seed=seed, shrink=False)
        self.examples += find.tried
        return next(iter(seen), None)

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

        def broken(problem: SearchProblem[Any, Any]) -> bool:
            if self.stopped > 2 * SMALLER:
                return False
            quiet = QUIET_AGAIN if self.quiet else QUIET
            other = Trial(self.contender, problem, trial.options, quiet=quiet)
            outcome = judge(other, [name]).get(name)
            self.stopped += other.first.quiet
            if isinstance(outcome, Fault):
                found[id(problem)] = other, outcome
            return isinstance(outcome, Fault)

        return found[id(reduced(trial.problem, broken))]

    def check(self, name: str) -> Check:
        """Return the check of a promise."""
        if name in self.broken:
            _, fault, case = self.broken[name]
            return Check(name, PROMISES[name], "fails", fault.detail, case)
        if name in self.told:
            return Check(name, PROMISES[name], "holds")
        if self.broken:
            return Check(name, PROMISES[name], "undecided", "no example got as far as this; see the failures")
        if self.beyond:
            return Check(name, PROMISES[name], "undecided", self.beyond)
        return Check(name, PROMISES[name], "skipped", "no example says anything about it")

    def _to_tell(self) -> bool:
        return self.informal and not self.broken.keys() & {"optimal", INFORMAL}

    def facts(self) -> dict[str, str]:
        """Return the check of a property that was not promised."""
        if not self.informal or "optimal" in self.broken:
            return {}
        if INFORMAL in self.broken:
            trial, fault, _ = self.broken[INFORMAL]
            shown = indent(repr(trial.problem), "    ")
            said = f"not always optimal, which was not promised: {fault.detail}, in\n{shown}"
        elif self.told[INFORMAL]:
            said = f"still optimal, in all of {self.told[INFORMAL]} examples"
        else:
            return {}
        return {"with inconsistent heuristics": said}


class _Finder:
    """Whether, and how, an engine breaks a promise in a case; keeps the last such case."""

    def __init__(self, trials: Trials, left: list[str], seen: dict[str, tuple[Trial, Fault]]):
        self.trials, self.left, self.seen = trials, left, seen
        self.tried = 0
        """The number of cases before the first that breaks a promise."""
        self.told: Counter[str] = Counter()

    def __call__(self, case: tuple[Any, Any]) -> bool:
        quiet = QUIET_AGAIN if self.trials.quiet else QUIET
        trial = Trial(self.trials.contender, *case, quiet=quiet)
        outcomes = judge(trial, self.left)
        if trial.fits and trial.first.quiet:
            self._stopped(trial)
        elif trial.fits and trial.first.endless and not trial.surely_endless:
            self.trials.beyond = (
                f"it was still searching after {trial.budget} expansions of {len(trial.space.edges)} states, "
                "and was stopped; one that keeps no states may walk every path and end some day"
            )
        if not self.seen:
            self.told.update(outcomes.keys())
        faults = {name: fault for name, fault in outcomes.items() if isinstance(fault, Fault)}
        if faults:
            self.seen.clear()
            self.seen.update({name: (trial, fault) for name, fault in faults.items()})
        elif not self.seen:
            self.tried += 1
        return bool(faults)

    def _stopped(self, trial: Trial) -> None:
        """Count a search that did not call the problem. Raises `EnoughError` after some of them."""
        outcome = terminates(trial)
        if self.trials.quiet is None and isinstance(outcome, Fault):
            self.trials.quiet = trial, outcome
        if "terminates" not in self.trials.promised:
            self.trials.beyond = "it does not end on some problems; check the promise terminates too"
        self.trials.stopped += 1
        if self.trials.stopped > SMALLER:
            raise EnoughError


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


def _informal(promised: list[str]) -> bool:
    """Whether to report paths with inconsistent heuristics although nothing is promised about them."""
    return "optimal" in promised and INFORMAL not in promised


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


def _requirements(contender: Contender) -> str:
    requires = contender.spec.requires if contender.spec else ()
    return " and ".join(capability.__name__ for capability in requires)


def _size(trial: Trial, case: Counterexample) -> tuple[int, int]:
    """Order cases by the number of their states; a state of a list of edges counts `LISTED` times."""
    listed = case.drawing.startswith("starts: ")
    return len(trial.space.edges) * (LISTED if listed else 1), len(case.drawing)


def _counterexample(trial: Trial, promise: str, fault: Fault) -> Counterexample:
    contender = trial.contender
    name = contender.name
    paths = []
    if fault.found:
        paths.append((f"the path of {name}", picture(trial.problem, fault.found)))
    best = trial.space.best_path()
    if best is not None and best != fault.found:
        paths.append((f"a path of least cost, {trial.best}", picture(trial.problem, best)))
    if fault.order and not fault.found:
        paths.append((f"expanded by {name}", picture(trial.problem, (), fault.order)))
    options = tuple((f"option {option}", repr(value)) for option, value in trial.options.items())
    call = contender.call_with(trial.options)
    if promise in RUNS:
        given = "".join(f", {option}={value!r}" for option, value in trial.options.items())
        call = f'check_engine({contender.reference}, "{promise}", problems=problem{given})'
    return Counterexample(
        drawing=picture(trial.problem),
        paths=tuple(paths),
        numbers=fault.numbers + options,
        reproduce=reproduce(trial.problem, call, _again(trial)),
        problem=trial.problem,
    )


def _again(trial: Trial) -> tuple[str, ...]:
    """Return the lines for a problem that can't be written as Python."""
    return (
        "from searchkit.testing import check_engine",
        f"# {type(trial.problem).__name__} can't be written as text; `failure.report` holds it as `problem`",
        f"check_engine({trial.contender.reference})",
    )
