"""Checking the promises that every problem makes."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from attrs import Factory, define
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from searchkit.errors import InvalidOptionError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SupportsSearch
from searchkit.testing.problems.counterexamples import counterexample
from searchkit.testing.problems.process_order import PROBLEMS, PROCESS, SAME_ORDER, in_every_process
from searchkit.testing.problems.promises import PROMISES, Finding, examine
from searchkit.testing.problems.specs import check_examples, check_parameters
from searchkit.testing.problems.survey import Breach, last_line, short
from searchkit.testing.reports import EXAMPLES, Check, Outcome, Report, smallest

PER_EXAMPLE = 10
"""The part of `max_states` that is expanded of each problem of a strategy."""
STRATEGY, DRAWS = "strategy", "its strategy draws problems"


def check_problem(
    subject: SupportsSearch[Any, Any] | ProblemSpec | SearchStrategy[Any] | str,
    *,
    max_states: int = 2_000,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Report:
    """Check that a problem keeps every promise that the protocol makes, in every reachable state.

    States are hashable, equal states have equal hashes, and states never change. The same call has the same answer, in
    the same order, after any other calls and in every process. Costs are finite numbers ≥ 0; the heuristic value of a
    goal is 0. `predecessors`, if present, are the inverse of `successors`. Each state can be drawn, and a written
    problem can be read again. Promises that a problem does not make are skipped.

    Args:
        subject: a problem; a Hypothesis strategy of problems; or a kind of problem, by its `ProblemSpec` or its name:
            then its strategy, its examples and its options are checked.
        max_states: the largest number of states of a problem that are expanded; for drawn problems, a tenth of it.
        examples: the number of problems to draw from a strategy.
        seed: the seed of the drawn problems. The same arguments give the same report.

    Raises:
        CheckFailure: a promise does not hold. The report shows the smallest case found.
        UnknownNameError: no kind of problem of that name is installed.
        InvalidOptionError: the subject is none of these.

    Example:
        >>> from searchkit.testing import check_problem
        >>> from searchkit_dungeon import grid
        >>> report = check_problem(grid(["S.#G", "...."]))
        >>> report.holds, report.facts["states"]
        (True, 7)

    """
    if max_states < 1 or examples < 1:
        raise InvalidOptionError(
            f"max_states={max_states}, examples={examples}: expected whole numbers of at least 1"
        )
    if isinstance(subject, str):
        subject = registry().problem(subject)
    if isinstance(subject, ProblemSpec):
        return _check_kind(subject, max_states, examples, seed)
    trials = Trials(max_states)
    if isinstance(subject, SearchStrategy):
        trials.draw(subject, examples, seed)
        return Report(f"problems of {short(subject, 80)}", tuple(trials.checks()), trials.count).or_raise()
    if isinstance(subject, type) and issubclass(subject, ProblemSpec):
        raise InvalidOptionError(
            f"{subject!r} is not a kind of problem; expected a ProblemSpec, a problem, or a name"
        )
    trials.add(subject)
    report = Report(
        f"problem {type(subject).__name__}", tuple(trials.checks()), trials.count, {"states": trials.states}
    )
    return report.or_raise()


def _check_kind(spec: ProblemSpec, max_states: int, examples: int, seed: int) -> Report:
    again = (
        "from searchkit.testing import check_problem",
        f"check_problem({spec.name!r}, examples={examples}, seed={seed})",
    )
    trials = Trials(max_states, again)
    if spec.strategy is not None:
        trials.draw(spec.strategy(), examples, seed)
    shipped = check_examples(spec, trials.add_example)
    checks = (check_parameters(spec, again), shipped, *trials.checks())
    return Report(f"problem {spec.name}", checks, trials.count).or_raise()


@define
class Trials:
    """The problems that were examined, and the finding on each promise."""

    max_states: int
    again: tuple[str, ...] = ()
    """Lines that reproduce a failure if a problem can't be written as Python."""
    count: int = 0
    states: int = 0
    _findings: dict[str, Finding] = Factory(dict)
    _cases: dict[str, Any] = Factory(dict)
    _kept: list[Any] = Factory(list)

    def add(self, problem: Any, max_states: int | None = None) -> None:
        """Examine one problem."""
        for name, finding in self._examine(problem, max_states or self.max_states).items():
            self._enter(name, finding, problem)

    def add_example(self, problem: Any) -> None:
        """Examine an example of a plugin, which may be large."""
        self.add(problem, self._part)

    def draw(self, strategy: SearchStrategy[Any], examples: int, seed: int) -> None:
        """Examine the problems of a strategy; record the smallest that breaks each promise."""
        broken: set[str] = set()

        def look(problem: Any) -> bool:
            for name, finding in self._examine(problem, self._part).items():
                if isinstance(finding, Breach):
                    broken.add(name)
                else:
                    self._enter(name, finding, problem)
            return False

        try:
            smallest(strategy, look, examples=examples, seed=seed)
        except Exception as error:
            self._enter(STRATEGY, Breach(STRATEGY, f"drawing a problem raised {last_line(error)}"), None)
            return
        self._enter(STRATEGY, None, None)
        for name in PROMISES:
            if name in broken:
                self._enter(name, *self._smallest(strategy, name, examples, seed))

    def checks(self) -> Iterator[Check]:
        """Yield the check of each promise."""
        held = not any(isinstance(finding, Breach) for finding in self._findings.values())
        if held and self._kept:
            self._enter(PROCESS, *in_every_process(self._kept))
        else:
            self._findings[PROCESS] = "looked at once everything else holds" if self._kept else None
        for name, promise in {STRATEGY: DRAWS, **PROMISES, PROCESS: SAME_ORDER}.items():
            if name in self._findings:
                yield self._check(name, promise)
            elif name != STRATEGY:
                yield Check(
                    name, promise, "skipped", "there was no problem to try: no strategy, and no example"
                )

    @property
    def _part(self) -> int:
        return max(1, self.max_states // PER_EXAMPLE)

    def _examine(self, problem: Any, max_states: int) -> Mapping[str, Finding]:
        findings, states = examine(problem, max_states)
        self.count += 1
        self.states += states
        if len(self._kept) < PROBLEMS:
            self._kept.append(problem)
        return findings

    def _enter(self, name: str, finding: Finding, problem: Any) -> None:
        """Record a finding: a breach replaces a promise that holds, and that replaces one that does not apply."""
        known = self._findings.get(name, "")
        if isinstance(known, Breach) or (isinstance(finding, str) and known is None):
            return
        self._findings[name] = finding
        self._cases[name] = problem

    def _smallest(
        self, strategy: SearchStrategy[Any], name: str, examples: int, seed: int
    ) -> tuple[Finding, Any]:
        failing: list[tuple[Finding, Any]] = []

        def broken(problem: Any) -> bool:
            finding = examine(problem, self._part)[0][name]
            if isinstance(finding, Breach):
                failing.append((finding, problem))
            return isinstance(finding, Breach)

        with suppress(
            Flaky
        ):  # the problem is not the same each time: the last one that failed is small enough
            smallest(strategy, broken, examples=examples, seed=seed)
        if failing:
            return failing[-1]
        return Breach(name, "it failed once, and not when the same problems were drawn again"), None

    def _check(self, name: str, promise: str) -> Check:
        finding = self._findings[name]
        if not isinstance(finding, Breach):
            outcome: Outcome = "holds" if finding is None else "skipped"
            return Check(name, promise, outcome, finding or "")
        problem = self._cases.get(name)
        case = None if problem is None else counterexample(problem, finding, self.again)
        return Check(name, promise, "fails", finding.detail, case)
