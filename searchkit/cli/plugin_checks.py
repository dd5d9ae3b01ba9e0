"""`searchkit plugins --check`: runs the checks of every installed problem, heuristic and engine."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from searchkit.cli import kit
from searchkit.errors import UnknownNameError, unknown
from searchkit.plugin.registry import Registry
from searchkit.problem import has_heuristic

if TYPE_CHECKING:
    from searchkit.plugin.specs import ProblemSpec
    from searchkit.testing import Report


@frozen
class Subject:
    """A problem, a heuristic or an engine that is to be checked."""

    plugin: str
    kind: str
    """`problem`, `heuristic` or `engine`."""
    spec: Any

    def check(self, examples: int, seed: int) -> "tuple[Report | None, str]":
        """Return the report of the check, or None and the reason if there is none."""
        from searchkit import testing

        checks: dict[str, Any] = {
            "problem": testing.check_problem,
            "heuristic": testing.check_heuristic,
            "engine": testing.check_engine,
        }
        try:
            return checks[self.kind](self.spec, examples=examples, seed=seed), ""
        except testing.CheckFailure as failure:
            return failure.report, ""
        except Exception as error:
            return None, f"the check itself ended in {type(error).__name__}: {error}"


def check_plugins(found: Registry, names: Iterable[str], examples: int, seed: int, json: bool = False) -> int:
    """Run the checks of the plugins, print a table and the reports of failures; return the exit code.

    With `json`, print one object instead, with the report of each check. Raises `UnknownNameError` for a plugin that
    is not there, and `MissingExtraError` if Hypothesis is missing.
    """
    import searchkit.testing  # noqa: F401  # before the first check: it says what to install if Hypothesis is missing

    every = {record.name for record in found.plugins if record.status != "blocked"}
    chosen = set(names) or every
    for name in sorted(chosen - every):
        listing = f"there are {', '.join(sorted(every))}"
        raise UnknownNameError(unknown(f"there is no plugin {name!r} to check", name, every, listing))
    subjects = list(subjects_of(found, chosen))
    outcomes: list[tuple[Subject, Report | None, str]] = []

    def status() -> kit.Progress:
        subject = subjects[min(len(outcomes), len(subjects) - 1)]
        text = f"{len(outcomes)} of {len(subjects)} checked  {subject.kind} {subject.spec.name}"
        return kit.Progress(text, len(outcomes) / len(subjects))

    with kit.progress(status):
        for subject in subjects:
            outcomes.append((subject, *subject.check(examples, seed)))
    failed = [record for record in found.plugins if record.status == "failed" and record.name in chosen]
    holds = all(report is not None and report.holds for _, report, _ in outcomes) and not failed
    if json:
        checks = [
            {
                "plugin": subject.plugin,
                "kind": subject.kind,
                "name": subject.spec.name,
                "holds": report is not None and report.holds,
                "error": error or None,
                "report": None if report is None else report.to_dict(),
            }
            for subject, report, error in outcomes
        ]
        missing = [{"plugin": record.name, "reason": record.reason} for record in failed]
        kit.write_json("plugins --check", {"checks": checks, "failed": missing})
        return kit.DONE if holds else kit.FAILED
    console = kit.result_console()
    columns = ("plugin", "what", "name", "holds", "fails", "skipped", "examples", "")
    console.print(kit.table(columns, [row(subject, report) for subject, report, _ in outcomes]))
    for subject, report, error in outcomes:
        if report is None or not report.holds:
            said = f"{subject.kind} {subject.spec.name}: {error}" if report is None else report
            console.print(f"\n{said}", soft_wrap=True)
    for record in failed:
        line = f"\nplugin {record.name!r} can't be loaded: {record.reason}"
        console.print(line, soft_wrap=True, style="red")
    return kit.DONE if holds else kit.FAILED


def row(subject: Subject, report: "Report | None") -> Iterator[Any]:
    """Yield the cells of the table."""
    from rich.text import Text

    yield from (subject.plugin, subject.kind, subject.spec.name)
    counts = Counter(check.outcome for check in report.checks) if report else Counter()
    figures = (counts["holds"], counts["fails"], counts["skipped"] + counts["undecided"])
    yield from (str(figure) if report else "" for figure in (*figures, report and report.examples))
    yield Text("✓", style="green") if report and report.holds else Text("✗", style="bold red")


def subjects_of(found: Registry, chosen: set[str]) -> Iterator[Subject]:
    """Yield what to check: the problems of the plugins with their heuristics, and the engines."""
    records = [record for record in found.plugins if record.name in chosen]
    for kind, used in (("problem", found.problems), ("engine", found.engines)):
        for record in records:
            for spec in record.declared.get(kind, ()):
                if spec.name in used:
                    yield Subject(record.name, kind, spec)
                    if kind == "problem" and offers_heuristic(spec):
                        yield Subject(record.name, "heuristic", spec)


def offers_heuristic(spec: "ProblemSpec") -> bool:
    """Whether the first problem of its strategy has a heuristic; if that fails, `check_problem` reports it."""
    from searchkit.testing.reports import smallest

    try:
        problem = spec.strategy and smallest(spec.strategy(), lambda problem: True, examples=1)
        return problem is not None and has_heuristic(problem)
    except Exception:
        return False
