"""`searchkit plugins --check`: runs the checks of every installed problem, heuristic and engine."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen
from rich.console import Console
from rich.text import Text

from searchkit.cli import kit
from searchkit.errors import UnknownNameError, unknown
from searchkit.plugin.registry import Registry
from searchkit.problem import has_heuristic

if TYPE_CHECKING:
    from searchkit.plugin.specs import ProblemSpec
    from searchkit.testing import Report

LEAST_DRAWS = 100
"""Shares of fewer problems say little."""


@frozen
class Outcome:
    """The result of one check of a problem, a heuristic or an engine of a plugin."""

    plugin: str
    kind: str
    """`problem`, `heuristic` or `engine`."""
    name: str
    report: "Report | None"
    error: str = ""
    """The reason if there is no report."""

    @property
    def holds(self) -> bool:
        """Whether every promise was checked, and none fails."""
        return self.report is not None and self.report.holds

    def row(self) -> Iterator[str | Text]:
        """Yield the cells of the table."""
        yield from (self.plugin, self.kind, self.name)
        counts = Counter(check.outcome for check in self.report.checks) if self.report else Counter()
        skipped = counts["skipped"] + counts["undecided"]
        figures = (counts["holds"], counts["fails"], skipped, self.report.examples if self.report else 0)
        yield from (str(figure) if self.report else "" for figure in figures)
        yield Text("✓", style="green") if self.holds else Text("✗", style="bold red")


def check_plugins(
    console: Console, found: Registry, names: Iterable[str], examples: int, seed: int, json: bool = False
) -> int:
    """Run the checks of the plugins, print a table and the reports of failures; return the exit code.

    With `json`, print one object instead, with the report of each check. Raises `UnknownNameError` for a plugin that
    is not there, and `MissingExtraError` if Hypothesis is missing.
    """
    every = {record.name for record in found.plugins if record.status != "blocked"}
    chosen = set(names) or every
    for name in sorted(chosen - every):
        listing = f"there are {', '.join(sorted(every))}"
        raise UnknownNameError(unknown(f"there is no plugin {name!r} to check", name, every, listing))
    subjects = list(_subjects(found, chosen))
    outcomes: list[Outcome] = []

    def status() -> kit.Progress:
        _, kind, spec = subjects[min(len(outcomes), len(subjects) - 1)]
        text = f"{len(outcomes)} of {len(subjects)} checked  {kind} {spec.name}"
        return kit.Progress(text, len(outcomes) / len(subjects))

    with kit.progress(status):
        for plugin, kind, spec in subjects:
            outcomes.append(check(plugin, kind, spec, examples, seed))
    failed = [record for record in found.plugins if record.status == "failed" and record.name in chosen]
    code = kit.DONE if all(outcome.holds for outcome in outcomes) and not failed else kit.FAILED
    warnings = [
        line for _, kind, spec in subjects if kind == "problem" for line in _trivial(spec, examples, seed)
    ]
    if json:
        checks = [
            {
                "plugin": outcome.plugin,
                "kind": outcome.kind,
                "name": outcome.name,
                "holds": outcome.holds,
                "error": outcome.error or None,
                "report": None if outcome.report is None else outcome.report.to_dict(),
            }
            for outcome in outcomes
        ]
        missing = [{"plugin": record.name, "reason": record.reason} for record in failed]
        kit.write_json("plugins --check", {"checks": checks, "warnings": warnings, "failed": missing})
        return code
    columns = ("plugin", "what", "name", "holds", "fails", "skipped", "examples", "")
    console.print(kit.table(columns, [outcome.row() for outcome in outcomes]))
    for outcome in outcomes:
        if not outcome.holds:
            text = (
                f"{outcome.kind} {outcome.name}: {outcome.error}"
                if outcome.report is None
                else outcome.report
            )
            console.print(f"\n{text}", soft_wrap=True)
    for warning in warnings:
        console.print(f"\n{warning}", soft_wrap=True, style="yellow")
    for record in failed:
        console.print(
            f"\nplugin {record.name!r} can't be loaded: {record.reason}", soft_wrap=True, style="red"
        )
    return code


def _subjects(found: Registry, chosen: set[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield what to check, plugin by plugin: (plugin, kind, problem or engine)."""
    import searchkit.testing  # noqa: F401  # before the first check: it says what to install if Hypothesis is missing

    used: dict[str, Mapping[str, Any]] = {"problem": found.problems, "engine": found.engines}
    for kind in used:
        for plugin, call in found.calls(f"searchkit_{kind}s"):
            for spec in call() if plugin in chosen else ():
                if spec.name in used[kind]:
                    yield plugin, kind, spec
                    if kind == "problem" and _offers_heuristic(spec):
                        yield plugin, "heuristic", spec


def check(plugin: str, kind: str, spec: Any, examples: int, seed: int) -> Outcome:
    """Run one check."""
    from searchkit import testing

    checks: dict[str, Any] = {
        "problem": testing.check_problem,
        "heuristic": testing.check_heuristic,
        "engine": testing.check_engine,
    }
    try:
        return Outcome(plugin, kind, spec.name, checks[kind](spec, examples=examples, seed=seed))
    except testing.CheckFailure as failure:
        return Outcome(plugin, kind, spec.name, failure.report)
    except Exception as error:
        said = f"the check itself ended in {type(error).__name__}: {error}"
        return Outcome(plugin, kind, spec.name, None, said)


def _offers_heuristic(spec: "ProblemSpec") -> bool:
    """Whether the first problem of its strategy has a heuristic; if that fails, `check_problem` reports it."""
    from searchkit.testing.reports import smallest

    try:
        problem = spec.strategy and smallest(spec.strategy(), lambda problem: True, examples=1)
        return problem is not None and has_heuristic(problem)
    except Exception:
        return False


def _trivial(spec: "ProblemSpec", examples: int, seed: int) -> Iterator[str]:
    """Yield a warning for each strategy that draws too many trivial problems: tests with these reveal little."""
    from searchkit.testing.strategies.shares import EXPECTED, measure_draws

    strategies = dict(spec.strategies)
    if spec.strategy is not None and spec.strategy not in strategies.values():
        strategies["strategy"] = spec.strategy
    for name, make in strategies.items():
        try:
            shares = measure_draws(make(), draws=max(examples, LEAST_DRAWS), seed=seed)
        except Exception:  # check_problem reports it
            continue
        missed = shares.missed(besides=["unsolvable"] if spec.always_solvable else [])
        if missed:
            lines = "".join(f"\n  {shares.told(share)}\n    {EXPECTED[share][2]}" for share in missed)
            yield (
                f"warning: problem {spec.name}: many of the problems that its strategy {name!r} draws are trivial, and "
                f"hide faults; of {shares.draws}:{lines}"
            )
