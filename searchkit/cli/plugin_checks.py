"""`searchkit plugins --check`: runs the checks of every installed problem, heuristic and engine."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen
from rich.console import Console
from rich.table import Table
from rich.text import Text

from searchkit.cli.kit import DONE, FAILED, Progress, progress, write_json
from searchkit.errors import UnknownNameError, unknown
from searchkit.plugin.registry import PluginRecord, Registry
from searchkit.problem import has_heuristic

if TYPE_CHECKING:
    from searchkit.plugin.specs import ProblemSpec
    from searchkit.testing import Report

EXAMPLES = 40
"""Problems that each check tries by default: checking everything that is bundled takes about a minute."""

LEAST_DRAWS = 100
"""Shares of fewer problems say little."""


@frozen
class Examination:
    """One check of a problem, a heuristic or an engine of a plugin."""

    plugin: str
    kind: str
    """`problem`, `heuristic` or `engine`."""
    name: str
    run: Callable[[], "Report"]


@frozen
class Outcome:
    """The result of an examination."""

    examination: Examination
    report: "Report | None"
    error: str = ""
    """The reason if there is no report."""

    @property
    def holds(self) -> bool:
        """Whether every promise was checked, and none fails."""
        return self.report is not None and self.report.holds


def examine_plugins(
    console: Console, found: Registry, names: Iterable[str], examples: int, seed: int, json: bool = False
) -> int:
    """Run the checks of the plugins, print a table and the reports of failures; return the exit code.

    With `json`, print one object instead, with the report of each check.
    """
    chosen = _chosen(found, set(names))
    examinations = list(_examinations(found, chosen, examples, seed))
    outcomes: list[Outcome] = []

    def status() -> Progress:
        now = examinations[min(len(outcomes), len(examinations) - 1)] if examinations else None
        doing = f"{now.kind} {now.name}" if now else ""
        return Progress(
            f"{len(outcomes)} of {len(examinations)} checked  {doing}",
            len(outcomes) / max(1, len(examinations)),
        )

    with progress(status):
        for examination in examinations:
            outcomes.append(_outcome(examination))
    failed = [record for record in found.plugins if record.status == "failed" and record.name in chosen]
    code = DONE if all(outcome.holds for outcome in outcomes) and not failed else FAILED
    warnings = list(_trivial(found, chosen, examples, seed))
    if json:
        write_json("plugins --check", _object(outcomes, failed, warnings))
        return code
    console.print(_table(outcomes))
    for outcome in outcomes:
        if outcome.report is None:
            console.print(f"\n{_subject(outcome.examination)}: {outcome.error}", soft_wrap=True)
        elif not outcome.holds:
            console.print(f"\n{outcome.report}", soft_wrap=True)
    for warning in warnings:
        console.print(f"\n{warning}", soft_wrap=True, style="yellow")
    for record in failed:
        console.print(
            f"\nplugin {record.name!r} can't be loaded: {record.reason}", soft_wrap=True, style="red"
        )
    return code


def _object(
    outcomes: Iterable[Outcome], failed: Iterable[PluginRecord], warnings: list[str]
) -> dict[str, Any]:
    return {
        "checks": [
            {
                "plugin": outcome.examination.plugin,
                "kind": outcome.examination.kind,
                "name": outcome.examination.name,
                "holds": outcome.holds,
                "error": outcome.error or None,
                "report": None if outcome.report is None else outcome.report.to_dict(),
            }
            for outcome in outcomes
        ],
        "warnings": warnings,
        "failed": [{"plugin": record.name, "reason": record.reason} for record in failed],
    }


def _chosen(found: Registry, names: set[str]) -> set[str]:
    every = {record.name for record in found.plugins if record.status != "blocked"}
    missing = sorted(names - every)
    if missing:
        listing = f"there are {', '.join(sorted(every))}"
        raise UnknownNameError(
            unknown(f"there is no plugin {missing[0]!r} to check", missing[0], every, listing)
        )
    return names or every


def _examinations(found: Registry, chosen: set[str], examples: int, seed: int) -> Iterator[Examination]:
    """Yield the checks of all problems, their heuristics, and all engines, plugin by plugin.

    Raises `MissingExtraError`, which says what to install, if Hypothesis is missing.
    """
    from searchkit.testing import check_engine, check_heuristic, check_problem

    def bound(check: Callable[..., Any], subject: Any) -> Callable[[], Any]:
        return lambda: check(subject, examples=examples, seed=seed)

    for plugin, call in found.calls("searchkit_problems"):
        for spec in call() if plugin in chosen else ():
            if found.problems.get(spec.name) is not None:
                yield Examination(plugin, "problem", spec.name, bound(check_problem, spec))
                if _offers_heuristic(spec):
                    yield Examination(plugin, "heuristic", spec.name, bound(check_heuristic, spec))
    for plugin, call in found.calls("searchkit_engines"):
        for spec in call() if plugin in chosen else ():
            if found.engines.get(spec.name) is not None:
                yield Examination(plugin, "engine", spec.name, bound(check_engine, spec))


def _offers_heuristic(spec: "ProblemSpec") -> bool:
    """Whether the first problem of its strategy has a heuristic; if that fails, `check_problem` reports it."""
    from searchkit.testing.reports import smallest

    try:
        problem = spec.strategy and smallest(spec.strategy(), lambda problem: True, examples=1)
        return problem is not None and has_heuristic(problem)
    except Exception:
        return False


def _trivial(found: Registry, chosen: set[str], examples: int, seed: int) -> Iterator[str]:
    """Yield a warning for each strategy that draws too many trivial problems: tests with these reveal little."""
    from searchkit.testing.strategies.shares import EXPECTED, measure_draws

    for plugin, call in found.calls("searchkit_problems"):
        for spec in call() if plugin in chosen else ():
            strategies = dict(spec.strategies)
            if spec.strategy is not None and spec.strategy not in strategies.values():
                strategies["strategy"] = spec.strategy
            for name, make in strategies.items() if spec.name in found.problems else ():
                try:
                    shares = measure_draws(make(), draws=max(examples, LEAST_DRAWS), seed=seed)
                except Exception:  # check_problem reports it
                    continue
                missed = shares.missed(besides=["unsolvable"] if spec.always_solvable else [])
                if missed:
                    lines = [f"  {shares.told(share)}\n    {EXPECTED[share][2]}" for share in missed]
                    yield "\n".join(
                        [
                            f"warning: problem {spec.name}: many of the problems that its strategy {name!r} draws are "
                            f"trivial, and hide faults; of {shares.draws}:",
                            *lines,
                        ]
                    )


def _outcome(examination: Examination) -> Outcome:
    from searchkit.testing import CheckFailure

    try:
        return Outcome(examination, examination.run())
    except CheckFailure as failure:
        return Outcome(examination, failure.report)
    except Exception as error:
        return Outcome(examination, None, f"the check itself ended in {type(error).__name__}: {error}")


def _table(outcomes: Iterable[Outcome]) -> Table:
    table = Table(header_style="bold")
    for column in ("plugin", "what", "name"):
        table.add_column(column, no_wrap=column == "name", overflow="fold")
    for column in ("holds", "fails", "skipped", "examples"):
        table.add_column(column, justify="right", min_width=len(column))
    table.add_column("", justify="left")
    for outcome in outcomes:
        examination, report = outcome.examination, outcome.report
        counts = Counter(check.outcome for check in report.checks) if report else Counter()
        verdict = Text("✓", style="green") if outcome.holds else Text("✗", style="bold red")
        table.add_row(
            examination.plugin,
            examination.kind,
            examination.name,
            *(str(counts[what]) if report else "" for what in ("holds", "fails")),
            str(counts["skipped"] + counts["undecided"]) if report else "",
            str(report.examples) if report else "",
            verdict,
            style=None if outcome.holds else "red",
        )
    return table


def _subject(examination: Examination) -> str:
    return f"{examination.kind} {examination.name}"
