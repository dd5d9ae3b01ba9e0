"""Trying problems, and reports: what was found about each promise, and the smallest problem that breaks it, drawn."""

import ast
import builtins
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from textwrap import indent
from time import monotonic
from traceback import extract_tb
from typing import Any, Literal, TypeVar
from warnings import catch_warnings

from attrs import Factory, asdict, define, evolve, field, frozen
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import Flaky, NoSuchExample
from hypothesis.strategies import SearchStrategy

import searchkit
from searchkit.basics.text import kind_of, quantity, state_text
from searchkit.errors import (
    InvalidOptionError,
    MissingCapabilityError,
    SearchkitError,
    traceback_of_user,
    unknown,
)
from searchkit.plugin.loading import write
from searchkit.plugin.places import places_of
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SearchProblem, has_cost
from searchkit.render.draw import draw
from searchkit.render.drawings import Canvas, still
from searchkit.render.terminal import legend, to_text
from searchkit.testing.spaces.digraphs import WeightedDigraph, WithHeuristic

Outcome = Literal["holds", "fails", "skipped", "undecided"]
SIGNS: Mapping[Outcome, str] = {"holds": "✓", "fails": "✗", "skipped": "–", "undecided": "?"}


@frozen
class Counterexample:
    """A case that breaks a promise, reduced as far as possible."""

    drawing: str
    """The problem, drawn as text."""
    paths: tuple[tuple[str, str], ...] = ()
    """(name, drawing as text) of paths: the path that was found, and the expected one."""
    reproduce: tuple[str, ...] = ()
    """Lines of Python that reproduce the failure."""
    problem: Any = field(default=None, eq=False, repr=False)
    """The problem itself."""

    @property
    def parts(self) -> list[str]:
        """What a report shows of it."""
        drawn = any("\n" in path for _, path in self.paths)  # a path on a map shows the map, too
        parts = [] if drawn or not self.drawing else [self.drawing]
        parts += [f"{name}:\n{path}" for name, path in self.paths]
        again = ["to see it again:\n" + indent("\n".join(self.reproduce), "    ")]
        return parts + again * bool(self.reproduce)


@frozen
class Check:
    """One promise and its outcome."""

    name: str
    """A few words, the same in every report: `optimal`, `costs not negative`."""
    promise: str
    """The promise as a sentence."""
    outcome: Outcome
    detail: str = ""
    """What happened instead, or why the check was skipped or is undecided."""
    counterexample: Counterexample | None = None

    def text(self, shown: Collection[str] = ()) -> str:
        """Return the check as text, without parts of the counterexample that were shown before."""
        head = f"{SIGNS[self.outcome]} {self.name}: {self.promise}"
        if self.outcome != "holds":
            head = f"{head}\n  {self.outcome}: {self.detail}"
        parts = self.counterexample.parts if self.counterexample else []
        new = indent("\n\n".join(part for part in parts if part not in shown), "    ")
        return f"{head}\n\n{new}\n" if new else head


@frozen(repr=False)
class Report:
    """The outcome of the checks of one subject."""

    subject: str
    """What was checked: `engine astar`, `the heuristic of dungeon`."""
    checks: tuple[Check, ...]
    examples: int = 0
    """The number of cases, over all checks."""
    facts: Mapping[str, Any] = field(factory=dict)
    """Measured facts by name: error statistics of a heuristic, number of states."""

    @property
    def holds(self) -> bool:
        """Whether no check failed."""
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.outcome == "fails")

    def __repr__(self) -> str:
        outcomes = [check.outcome for check in self.checks]
        verdict = "holds" if "holds" in outcomes and "undecided" not in outcomes else "nothing fails"
        if not self.holds:
            verdict = f"{len(self.failures)} of {len(self.checks)} promises fail"
        lines = [f"{self.subject}: {verdict} ({quantity(self.examples, 'example')})"]
        reasons, shown = dict[str, list[str]](), list[str]()
        for check in self.checks:
            if check.outcome == "skipped":
                reasons.setdefault(check.detail, []).append(check.name)
            else:
                lines.append(indent(check.text(shown), "  ").rstrip())
                shown += check.counterexample.parts if check.counterexample else []
        skipped = [f"{', '.join(names)} ({reason})" for reason, names in reasons.items()]
        lines += [f"  {SIGNS['skipped']} skipped: {'; '.join(skipped)}"] if skipped else []
        lines += [f"  {name}: {value}" for name, value in self.facts.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, ready for JSON."""
        plain = asdict(self, filter=lambda attribute, _: attribute.name != "problem")
        return {"holds": self.holds, **plain}


class CheckFailure(AssertionError):  # noqa: N818  # it is to a check what AssertionError is to assert
    """A promise does not hold. `report` says which, and shows the smallest case."""

    _render_traceback_ = traceback_of_user

    def __init__(self, report: Report):
        super().__init__(str(report))
        self.report = report


Case = TypeVar("Case")
EXAMPLES = 200
"""The default number of cases of a check."""
PHASES = (Phase.generate, Phase.shrink)
"""What `smallest` does; tests of what is found, and not of how small it is, leave out shrinking."""


def smallest(
    strategy: SearchStrategy[Case],
    broken: Callable[[Case], bool],
    *,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Case | None:
    """Return the simplest case found for which `broken` is true, or None if it is false for `examples` cases.

    The same arguments give the same case.
    """
    how = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(strategy, broken, settings=how, random=Random(seed))
    except NoSuchExample:
        return None


WIDTH = 110
STEPS = 24
"""The largest number of steps of a path in words."""
MAX_REPR_CHARS = 2_000
"""The largest number of characters of a `repr` that is taken for an expression."""
HOMES: dict[str, str] = {
    **dict.fromkeys(("digraph", "WithHeuristic"), "searchkit.testing.spaces.digraphs"),
    "StringIO": "io",
    "Fraction": "fractions",
    "inf": "math",
    **{f"check_{name}": "searchkit.testing" for name in ("compiled", "engine", "heuristic", "problem")},
    **dict.fromkeys(searchkit.__all__, "searchkit"),
}
"""The modules of the names that a line may contain."""


def picture(problem: SearchProblem[Any, Any], path: Iterable[Any] = ()) -> str:
    """Return the problem, as it is in the first state of a path, and the path, as text of at most 110 columns.

    Without a path, the problem is shown as `draw` shows it. With one, the path in words follows: its states and the
    costs of its steps, which a drawing need not show.
    """
    states, shown = tuple(path), problem.problem if isinstance(problem, WithHeuristic) else problem
    if not states:
        drawn = str(draw(shown))
        return "" if drawn.startswith("This problem can't be drawn") else drawn
    places, words = places_of(shown), path_in_words(problem, states)
    if places.ground is not None and places.changes is not None and places.routes is not None:
        ground = Canvas(places.ground)
        ground.change(places.changes(states[0]))
        places = evolve(places, ground=ground.drawing())
    drawing = still(places, states)
    if drawing is None or not drawing.width:
        return words
    return f"{to_text(drawing, WIDTH, means='glyphs')}\n{legend([drawing], WIDTH, means='glyphs')}\n{words}"


def path_in_words(problem: SearchProblem[Any, Any], states: Sequence[Any]) -> str:
    """Return the states of a path, the cost of each step and of all: `0 -2→ 1 -1→ 2, cost 3`.

    A step without an action is marked with ?. The middle of a long path is left out. A problem's `label` is used.
    """
    text = problem.label if callable(getattr(problem, "label", None)) else state_text  # type: ignore[attr-defined]
    costs = [_cost_of_step(problem, before, after) for before, after in pairwise(states)]
    words = [text(states[0])]
    for cost, state in zip(costs, states[1:], strict=True):
        words.append(f"-{'?' if cost is None else cost}→ {text(state)}")
    if len(costs) > STEPS:
        words[1 + STEPS // 2 : -STEPS // 2] = [f"… {len(costs) - STEPS} steps more …"]
    total = f", cost {sum(costs)}" if costs and None not in costs else ""
    return " ".join(words) + total


def _cost_of_step(problem: SearchProblem[Any, Any], before: Any, after: Any) -> Any:
    """Return the least cost of an action from one state to the other; None if there is none or it is unknown."""
    try:
        costs = [
            problem.cost(before, action, successor) if has_cost(problem) else 1
            for action, successor in problem.successors(before)
            if successor is after or successor == after
        ]
        return min(costs, default=None)
    except Exception:  # a faulty problem is drawn as well
        return None


def reproduce(problem: SearchProblem[Any, Any], call: str, named: Iterable[Any] = ()) -> tuple[str, ...]:
    r"""Return three lines of Python: the imports, `problem = …`, and `call`; () if the problem can't be written.

    The problem is made by its expression, if it is a `WeightedDigraph`, or read from the text that its plugin writes
    (`ProblemSpec.write`), or made as its `repr` says. The functions that `call` calls are imported from
    `searchkit` and `searchkit.testing`.

    Args:
        problem: the problem; for a `WithHeuristic`, its problem and the table are written.
        call: an expression in which the problem is called `problem`, such as `solve(problem, "astar")`.
        named: other functions that `call` names; those at the top of a module are imported.

    Example:
        >>> from searchkit.testing.spaces.digraphs import digraph
        >>> print("\n".join(reproduce(digraph("0 -3→ 1", [0], [1]), 'solve(problem, "bfs")')))
        from searchkit import solve; from searchkit.testing.spaces.digraphs import digraph
        problem = digraph("0 -3→ 1", starts=[0], goals=[1])
        solve(problem, "bfs")

    """
    expression = express(problem)
    if expression is None:
        return ()
    homes = dict(HOMES)
    for thing in (type(problem.problem if isinstance(problem, WithHeuristic) else problem), *named):
        name, home = getattr(thing, "__qualname__", ""), getattr(thing, "__module__", "")
        if home in sys.modules and home != "__main__" and vars(sys.modules[home]).get(name) is thing:
            homes.setdefault(name, home)
    wanted: dict[str, list[str]] = {}
    for name in sorted(names_in(f"({expression}, {call})") & homes.keys()):
        wanted.setdefault(homes[name], []).append(name)
    modules = sorted(wanted, key=lambda home: (home != "searchkit", home))
    imports = "; ".join(f"from {home} import {', '.join(wanted[home])}" for home in modules)
    return (imports, f"problem = {expression}", call)


def express(problem: SearchProblem[Any, Any]) -> str | None:
    """Return an expression that makes the problem; None if there is none."""
    if isinstance(problem, WeightedDigraph):
        return repr(problem)
    if isinstance(problem, WithHeuristic):
        inner = express(problem.problem)
        return inner and f"WithHeuristic({inner}, {dict(problem.values)!r})"
    written = write(problem)
    if written is None:
        made, name = state_text(problem), type(problem).__qualname__
        if len(made) < MAX_REPR_CHARS and names_in(made) == {name}:
            return made
        with suppress(Exception):  # it takes arguments, or compares oddly
            return f"{name}()" if vars(type(problem)()) == vars(problem) else None
        return None
    options = "".join(f", {name}={value!r}" for name, value in written.options.items())
    return f"load(StringIO({written.text!r}), {written.kind!r}{options})"


def names_in(code: str) -> set[str]:
    """Return the names in an expression that are not built in; {"?"} if it is not an expression."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return {"?"}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(dir(builtins))


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

    def report(self, subject: str, facts: Mapping[str, Any] | None = None) -> Report:
        """Return the report with the check of each promise, or raise it as a `CheckFailure` if one fails."""
        unsaid = Finding("skipped", "no example says anything about it")
        if any(map(self.has_failed, self.promises)):
            unsaid = Finding("undecided", "no example got as far as this; see the failures")
        checks = []
        for name, promise in self.promises.items():
            found = self.findings.get(name, unsaid)
            case = self._counterexample(name, found) if found.problem is not None else None
            checks.append(Check(name, promise, found.outcome, found.detail, case))
        report = Report(subject, tuple(checks), self.examples, facts or {})
        if not report.holds:
            __tracebackhide__ = True
            raise CheckFailure(report)
        return report

    def _counterexample(self, promise: str, found: Finding) -> Counterexample:
        """Return the drawn counterexample. What can't be drawn or written is left out."""
        problem, check = found.problem, self.check.format(promise)
        otherwise = (
            f"from searchkit.testing import {check.partition('(')[0]}",
            f"# {type(problem).__name__} can't be written as text; the report holds it, as `counterexample.problem`",
            check,
        )
        with catch_warnings(action="ignore"):  # another promise is about plugins that fail to draw or write
            paths = [(name, _drawn(problem, states)) for name, states in found.paths if states]
            lines = tuple[str, ...]()
            with suppress(Exception):  # a repr or a writer may raise
                lines = reproduce(problem, found.call or check, self.named)
            return Counterexample(_drawn(problem), tuple(paths), lines or otherwise, problem)


def _drawn(problem: Any, path: tuple[Any, ...] = ()) -> str:
    try:
        return picture(problem, path)
    except Exception:  # a faulty problem is shown as well
        return short(problem)


def short(value: Any, most: int = 160) -> str:
    """Return the repr of a value; the middle of a long one is left out."""
    try:
        text = state_text(value)
    except Exception as error:
        return f"<{kind_of(value)} whose repr raised {type(error).__name__}>"
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 3 :]}"


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
