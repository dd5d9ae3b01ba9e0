"""Comparing two engines, two heuristics or two backends."""

from collections.abc import Callable
from inspect import isgeneratorfunction, signature
from math import inf
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from searchkit.errors import InvalidOptionError, MissingCapabilityError, MissingExtraError
from searchkit.problem import SearchProblem
from searchkit.search.auto import BACKENDS, choose_engine
from searchkit.testing.engines.contender import Contender, contender_for
from searchkit.testing.engines.promises import cost_found, facts_of, found_by
from searchkit.testing.engines.sources import given_sources
from searchkit.testing.engines.trial import CIRCLE, STATES, Trial, last_line
from searchkit.testing.heuristics.check import name_of
from searchkit.testing.reports.pictures import picture, reproduce
from searchkit.testing.reports.report import Check, Counterexample, Report
from searchkit.testing.reports.smallest import EXAMPLES, smallest
from searchkit.testing.spaces.paths import fault_of_list, same
from searchkit.testing.spaces.space import checked_space

NAME = "agree"


@frozen
class Side:
    """One side of a comparison: an engine with its backend, or a heuristic."""

    name: str
    engine: Any = None
    backend: str = "python"
    heuristic: Callable[[Any, Any], Any] | None = None

    @property
    def call(self) -> str:
        """The Python expression that applies it to `problem`."""
        backend = "" if self.backend == "python" else f', backend="{self.backend}"'
        if self.engine == "auto":
            return f"solve(problem{backend})"
        contender = contender_for(self.engine)
        options: dict[str, Any] = {"backend": self.backend} if backend else {}
        return contender.call_with(options)

    def contender(self, problem: SearchProblem[Any, Any]) -> Contender:
        """Return the engine that takes the problem."""
        return contender_for(choose_engine(problem)[0] if self.engine == "auto" else self.engine)


@frozen
class Difference:
    """How two sides differ on one problem."""

    detail: str
    numbers: tuple[tuple[str, str], ...]
    paths: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    call: str = ""


class _TooLargeError(Exception):
    """A problem with too many states for exact distances."""


Compare = Callable[[SearchProblem[Any, Any]], Difference | None]


def check_pair(a: Any, b: Any, strategy: Any, *, examples: int = EXAMPLES, seed: int = 0) -> Report:
    """Find the smallest problem on which two engines, two heuristics or two backends differ.

    Engines have to agree in the status and in the cost of the path; two backends of one engine in everything but the
    seconds, and of an engine that expands whole layers in everything but the seconds and the path; heuristics in the
    value of every reachable state. The check does not say which side is wrong:
    `check_engine` and `check_heuristic` compare one with an oracle.

    Args:
        a: an engine: its name, an `EngineSpec`, a generator function `(problem, tree, **options)`, a plain function of
            a problem that returns a list of states or None; an engine with a backend, `("astar", "python")`; a backend,
            `"python"` or `"compiled"`, with the engine that `auto` chooses; or a heuristic, `h(state, problem)`.
        b: the same kind of thing.
        strategy: a Hypothesis strategy of problems, several of them, or one problem. If a space has more than 2,000
            states, engines are not run, and heuristics are compared on a part of it.
        examples: the number of problems.
        seed: the same seed gives the same problems.

    If a backend is not available, or no problem has what an engine requires, the check is skipped with the reason.

    Raises:
        CheckFailure: they differ.
        InvalidOptionError: `a` and `b` are not two engines or two heuristics, or `strategy` is not one.
        UnknownNameError: there is no such engine or backend.

    Example:
        >>> from searchkit.testing import check_pair
        >>> from searchkit.testing.strategies import weighted_digraphs
        >>> check_pair("dijkstra", "bucket", weighted_digraphs()).holds
        True

    """
    one, two = _side(a), _side(b)
    if (one.heuristic is None) != (two.heuristic is None):
        raise InvalidOptionError(
            f"{a!r} and {b!r}: one is a heuristic, a function of two arguments, and the other an engine; "
            "expected two engines or two heuristics"
        )
    if one.name == two.name:
        one, two = evolve(one, name=f"{one.name} (a)"), evolve(two, name=f"{two.name} (b)")
    compare = _heuristics(one, two) if one.heuristic else _engines(one, two)
    promise = f"{one.name} and {two.name} " + (
        "give the same value for every state"
        if one.heuristic
        else f"agree in everything but the seconds{' and the path' if _layered(one) else ''}"
        if _same_engine(one, two)
        else "find paths of the same cost, or both find none"
    )
    told, reasons = 0, list[str]()

    def differs(problem: SearchProblem[Any, Any]) -> bool:
        nonlocal told
        try:
            difference = compare(problem)
        except (MissingCapabilityError, MissingExtraError, _TooLargeError) as error:
            reasons.append(str(error))
            return False
        told += 1
        return difference is not None

    problem = smallest(st.one_of(given_sources(strategy)), differs, examples=examples, seed=seed)
    subject = f"{one.name} and {two.name}"
    if problem is not None:
        difference = compare(problem)
        detail = "the difference is not there in every run" if difference is None else difference.detail
        case = None if difference is None else _counterexample(problem, difference)
        return Report(subject, [Check(NAME, promise, "fails", detail, case)], told).or_raise()
    if not told:
        why = reasons[0] if reasons else "there are no examples"
        return Report(subject, [Check(NAME, promise, "skipped", why)])
    return Report(subject, [Check(NAME, promise, "holds")], told)


def _side(given: Any) -> Side:
    """Return one side. Raises `InvalidOptionError` and `UnknownNameError`."""
    if isinstance(given, tuple):
        if len(given) != 2 or given[1] not in BACKENDS:
            raise InvalidOptionError(
                f'{given!r}: expected an engine and a backend out of {", ".join(BACKENDS)}, such as ("astar", "python")'
            )
        return Side(f"{contender_for(given[0]).name} ({given[1]})", given[0], given[1])
    if given == "auto":
        return Side("auto", "auto")
    if isinstance(given, str) and given in BACKENDS:
        return Side(f"auto ({given})", "auto", given)
    if callable(given) and not isgeneratorfunction(given) and _takes_two(given):
        return Side(name_of(given), heuristic=given)
    return Side(contender_for(given).name, given)


def _takes_two(function: Callable[..., Any]) -> bool:
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False
    return sum(parameter.default is parameter.empty for parameter in parameters) == 2


def _same_engine(one: Side, two: Side) -> bool:
    return one.heuristic is None and one.engine == two.engine


def _layered(side: Side) -> bool:
    """Whether the order within a layer, on which the path depends, is not defined."""
    spec = None if side.engine == "auto" else contender_for(side.engine).spec
    return spec is not None and spec.layered


def _engines(one: Side, two: Side) -> Compare:
    def compare(problem: SearchProblem[Any, Any]) -> Difference | None:
        trials = [Trial(side.contender(problem), problem, backend=side.backend) for side in (one, two)]
        if not all(trial.fits for trial in trials):
            raise _TooLargeError(f"no example is small enough: at most {STATES} states")
        facts = [_facts(trial, whole=_same_engine(one, two)) for trial in trials]
        if _layered(one) and _layered(two):
            facts = [_without_order(trial, fact) for trial, fact in zip(trials, facts, strict=True)]
        name = next((name for name in facts[0] if facts[0][name] != facts[1].get(name)), None)
        if name is None or (name == "the cost" and same(*(fact[name] or 0 for fact in facts))):
            return None
        values = [str(fact.get(name)) for fact in facts]
        names = (one.name, two.name)
        paths = [
            (f"the path of {name}", found)
            for name, trial in zip(names, trials, strict=True)
            if (found := _path(trial))
        ]
        best = trials[0].space.best_path()
        if best is not None and best not in [path for _, path in paths]:
            paths.append((f"a path of least cost, {trials[0].best}", best))
        return Difference(
            f"{name} is {values[0]} for {one.name}, and {values[1]} for {two.name}",
            tuple((f"{name}, {side}", value) for side, value in zip(names, values, strict=True)),
            tuple(paths),
            f"print({one.call}, {two.call}, sep='\\n')",
        )

    return compare


def _facts(trial: Trial, *, whole: bool) -> dict[str, Any]:
    """Return the parts of an engine's answer to compare: first the status, then the cost, then the rest."""
    run = trial.first
    if isinstance(run.error, MissingCapabilityError | MissingExtraError):
        raise run.error
    fault = ""
    if run.error is not None:
        fault = f"an error, {last_line(run.error)}"
    elif run.endless:
        fault = f"not settled within {trial.budget} expansions"
    elif run.circle:
        fault = f"no path: {CIRCLE}"
    elif run.result is None and run.answer is not None and fault_of_list(trial.space, run.answer):
        fault = f"no path: {fault_of_list(trial.space, run.answer)}"
    if fault:
        return {"the status": fault}
    if run.result is not None and whole:
        return {**facts_of(run.result), "the details": dict(run.result.details)}
    found = found_by(trial)
    if run.result is not None:
        return {"the status": run.result.status.value, "the cost": run.result.cost}
    cost = None if found is None else cost_found(trial, found)
    return {"the status": "unsolvable" if found is None else "solved", "the cost": cost}


def _without_order(trial: Trial, facts: dict[str, Any]) -> dict[str, Any]:
    """Leave out what depends on the order within a layer: the path, and which action an error names."""
    error = trial.first.error
    if error is not None:
        return {"the status": f"an error, {type(error).__name__}"}
    return {name: fact for name, fact in facts.items() if name != "the path"}


def _path(trial: Trial) -> tuple[Any, ...] | None:
    run = trial.first
    if run.result is None and run.answer is not None and fault_of_list(trial.space, run.answer):
        return None
    return None if run.error or run.endless or run.circle else found_by(trial)


def _heuristics(one: Side, two: Side) -> Compare:
    def compare(problem: SearchProblem[Any, Any]) -> Difference | None:
        for state in checked_space(problem, STATES).edges:
            values = [_value(side, state, problem) for side in (one, two)]
            if _unequal(*values):
                return Difference(
                    f"for the state {state!r}, {one.name} is {values[0]}, and {two.name} is {values[1]}",
                    (
                        ("s", repr(state)),
                        (f"{one.name}(s)", str(values[0])),
                        (f"{two.name}(s)", str(values[1])),
                    ),
                    (("the state s", (state,)),),
                    f"print({', '.join(f'{name_of(side.heuristic)}({state!r}, problem)' for side in (one, two))})",
                )
        return None

    return compare


def _value(side: Side, state: Any, problem: SearchProblem[Any, Any]) -> Any:
    assert side.heuristic is not None
    try:
        return side.heuristic(state, problem)
    except Exception as error:
        return f"an error, {last_line(error)}"


def _unequal(one: Any, two: Any) -> bool:
    """Whether two values differ. Values that are not numbers, such as NaN, are compared by their repr."""
    try:
        numbers = 0 <= one <= inf and 0 <= two <= inf
    except TypeError:
        numbers = False
    return not same(one, two) if numbers else repr(one) != repr(two)


def _counterexample(problem: SearchProblem[Any, Any], difference: Difference) -> Counterexample:
    otherwise = (
        "from searchkit.testing import check_pair",
        f"# {type(problem).__name__} can't be written as text; the report holds it, as `counterexample.problem`",
        difference.call,
    )
    return Counterexample(
        drawing=picture(problem),
        paths=tuple((name, picture(problem, path)) for name, path in difference.paths),
        numbers=difference.numbers,
        reproduce=reproduce(problem, difference.call, otherwise),
        problem=problem,
    )
