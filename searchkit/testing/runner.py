"""Trying problems: what was found about each promise, and the smallest problem that breaks it."""

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from math import inf
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from types import MappingProxyType
from typing import Any

from attrs import Factory, define, frozen
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from searchkit.basics.text import state_text
from searchkit.errors import InvalidOptionError, MissingCapabilityError, SearchkitError, shortened, unknown
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.testing.reports import Check, Counterexample, Outcome, Report, picture, reproduce, smallest

STRENGTH: Mapping[Outcome, int] = {"skipped": 0, "undecided": 1, "holds": 2, "fails": 3}
"""What is found on one problem replaces what is weaker and was found on others."""
HERE = Path(__file__).parent
SECONDS_AFTER_FAILURE = 20
"""So long, other failures and smaller problems are looked for: some code takes seconds for each problem."""


@frozen
class Finding:
    """What became of a promise on one problem."""

    outcome: Outcome
    detail: str = ""
    """What happened instead, or the reason if it is skipped or undecided."""
    paths: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """(title, states)."""
    call: str = ""
    """An expression that shows the failure again; the check itself if empty."""
    problem: Any = None
    """The problem that breaks the promise."""


HOLDS = Finding("holds")


def fails(detail: str, path: Collection[Any] | None = None, title: str = "") -> Finding:
    """Return the finding that a promise fails, with a path that shows it, if any."""
    return Finding("fails", detail, ((title, tuple(path)),) if path else ())


Judge = Callable[[Any, Collection[str]], Mapping[str, Finding]]
"""(case, names of promises) → what is found about these promises, or about some of them."""


@define
class Trials:
    """The cases that were tried, and the strongest finding about each promise."""

    promises: Mapping[str, str]
    judge: Judge
    check: str
    """The expression that runs the check again; {} is the name of the promise."""
    named: tuple[Any, ...] = ()
    """The functions that the expression names."""
    examples: int = 0
    until: float = inf
    findings: dict[str, Finding] = Factory(dict)

    def add(self, case: Any) -> None:
        """Try one case."""
        self.examples += 1
        for name, finding in self.judge(case, self.promises).items():
            self.enter(name, finding)

    def run(self, cases: Any, examples: int, seed: int) -> None:
        """Try one case, or those of a strategy.

        Each round looks for the smallest case that breaks one of the remaining promises, until there is none.
        """
        if not isinstance(cases, SearchStrategy):
            self.add(cases)
            return
        left, most = [name for name in self.promises if not self.has_failed(name)], 0
        while left and monotonic() < self.until:
            tried, failing = 0, dict[str, Finding]()

            def breaks(case: Any) -> bool:
                nonlocal tried, failing
                if monotonic() > self.until:
                    return False
                found = self.judge(case, left)  # it is called in this round
                faults = {name: finding for name, finding in found.items() if finding.outcome == "fails"}
                if faults:
                    self.until = min(self.until, monotonic() + SECONDS_AFTER_FAILURE)
                if not faults and not failing:
                    tried += 1
                    for name, finding in found.items():
                        self.enter(name, finding)
                failing = faults or failing
                return bool(faults)

            with suppress(Flaky):  # it fails only sometimes, or time is up: a case that failed is shown
                smallest(cases, breaks, examples=examples, seed=seed)
            for name, finding in failing.items():
                self.enter(name, finding)
                left.remove(name)
            most = max(most, tried)
            if not failing:
                break
        self.examples += most

    def enter(self, name: str, finding: Finding) -> None:
        """Keep a finding if it is stronger than the one before."""
        known = self.findings.get(name)
        if known is None or STRENGTH[finding.outcome] > STRENGTH[known.outcome]:
            self.findings[name] = finding

    def has_failed(self, name: str) -> bool:
        """Whether a case breaks the promise."""
        return name in self.findings and self.findings[name].outcome == "fails"

    def report(self, subject: str, facts: Mapping[str, Any] = MappingProxyType({})) -> Report:
        """Return the report with the check of each promise, or raise it as a `CheckFailure` if one fails."""
        unsaid = Finding("skipped", "no example says anything about it")
        if any(map(self.has_failed, self.promises)):
            unsaid = Finding("undecided", "no example got as far as this; see the failures")
        checks = []
        for name, promise in self.promises.items():
            found = self.findings.get(name, unsaid)
            case = self._counterexample(name, found) if found.problem is not None else None
            checks.append(Check(name, promise, found.outcome, found.detail, case))
        return Report(subject, tuple(checks), self.examples, facts).or_raise()

    def _counterexample(self, promise: str, found: Finding) -> Counterexample:
        """Return the drawn counterexample. What can't be drawn or written is left out."""
        problem, check = found.problem, self.check.format(promise)
        otherwise = (
            f"from searchkit.testing import {check.partition('(')[0]}",
            f"# {type(problem).__name__} can't be written as text; the report holds it, as `counterexample.problem`",
            check,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # another promise is about plugins that fail to draw or write
            paths = [(name, _drawn(problem, states)) for name, states in found.paths if states]
            try:
                lines = reproduce(problem, found.call or check, otherwise, self.named)
            except Exception:  # a repr or a writer may raise
                lines = otherwise
            return Counterexample(_drawn(problem), tuple(paths), lines, problem)


def _drawn(problem: Any, path: tuple[Any, ...] = ()) -> str:
    try:
        return picture(problem, path)
    except Exception:  # a faulty problem is shown as well
        with suppress(Exception):
            return shortened(state_text(problem), 160)
        return f"a {type(problem).__name__}"


def cases_of(subject: Any) -> tuple[str, Any]:
    """Return what reports call the subject of a check, and the strategy of its problems, or the one problem that it is.

    Raises:
        UnknownNameError: there is no kind of problem with this name.
        MissingCapabilityError: the kind of problem has no strategy.

    """
    if isinstance(subject, SearchStrategy):
        return "a strategy", subject
    spec = registry().problem(subject) if isinstance(subject, str) else subject
    if not isinstance(spec, ProblemSpec):
        return type(subject).__name__, subject
    if spec.strategy is None:
        raise MissingCapabilityError(
            f"problem {spec.name!r} has no Hypothesis strategy; give its ProblemSpec one, or check one problem"
        )
    return spec.name, spec.strategy()


def chosen_promises(names: str | Iterable[str], promises: Mapping[str, str], always: str) -> dict[str, str]:
    """Return name → sentence of the promises with these names, and of the one that is always checked.

    Raises `InvalidOptionError` for an unknown name.
    """
    wanted = {names} if isinstance(names, str) else set(names)
    for name in sorted(map(str, wanted - promises.keys())):
        there_are = f"there are {', '.join(promises)}"
        raise InvalidOptionError(unknown(f"there is no promise {name!r}", name, promises, there_are))
    return {name: promise for name, promise in promises.items() if name in wanted or name == always}


def last_line(error: BaseException) -> str:
    """Return an exception as one line: its message, and where the code under test raised it."""
    while isinstance(error.__cause__, BaseException):
        error = error.__cause__
    said = f"{type(error).__name__}: {error}".strip().removesuffix(":").splitlines()[0]
    if isinstance(error, AttributeError):
        close = get_close_matches(error.name or "", dir(error.obj), 1)
        said += f" (did you mean {close[0]}?)" if close else ""
    frames = [frame for frame in extract_tb(error.__traceback__) if HERE not in Path(frame.filename).parents]
    for frame in () if isinstance(error, SearchkitError) else frames[-1:]:
        said += f", raised in {frame.name}, {Path(frame.filename).name}:{frame.lineno}"
    return said
