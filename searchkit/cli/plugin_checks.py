"""`searchkit plugins --check`: runs the checks of every installed problem, heuristic and engine."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from searchkit.cli import kit
from searchkit.errors import UnknownNameError, unknown
from searchkit.plugin.registry import Registry
from searchkit.problem import has_heuristic

if TYPE_CHECKING:
    from searchkit.testing import Report


def check_plugins(found: Registry, names: Iterable[str], examples: int, seed: int) -> int:
    """Run the checks of the plugins, print a table and the reports of failures; return the exit code.

    Raises `UnknownNameError` for a plugin that is not there, and `MissingExtraError` if Hypothesis is missing.
    """
    import searchkit.testing  # noqa: F401  # before the first check: it says what to install if Hypothesis is missing

    every = {record.name for record in found.plugins if record.status != "blocked"}
    chosen = set(names) or every
    for name in sorted(chosen - every):
        listing = f"there are {', '.join(sorted(every))}"
        raise UnknownNameError(unknown(f"there is no plugin {name!r} to check", name, every, listing))
    subjects = list(subjects_of(found, chosen))
    outcomes: list[Report | str] = []

    def status() -> kit.Progress:
        _, kind, spec = subjects[min(len(outcomes), len(subjects) - 1)]
        text = f"{len(outcomes)} of {len(subjects)} checked  {kind} {spec.name}"
        return kit.Progress(text, len(outcomes) / len(subjects))

    with kit.progress(status):
        for _, kind, spec in subjects:
            outcomes.append(check(kind, spec, examples, seed))
    failed = [record for record in found.plugins if record.status == "failed" and record.name in chosen]
    rows, reports = [], []
    for (plugin, kind, spec), outcome in zip(subjects, outcomes, strict=True):
        holds = not isinstance(outcome, str) and outcome.holds
        figures: tuple[str, ...] = ("",) * 4
        if not isinstance(outcome, str):
            counts = Counter(check.outcome for check in outcome.checks)
            skipped = counts["skipped"] + counts["undecided"]
            figures = tuple(map(str, (counts["holds"], counts["fails"], skipped, outcome.examples)))
        rows.append((plugin, kind, spec.name, *figures, "✓" if holds else "✗"))
        if not holds:
            reports.append(f"{kind} {spec.name}: {outcome}" if isinstance(outcome, str) else str(outcome))
    console = kit.result_console()
    columns = ("plugin", "what", "name", "holds", "fails", "skipped", "examples", "")
    console.print(kit.table(columns, rows))
    for report in reports:
        console.print(f"\n{report}", soft_wrap=True)
    for record in failed:
        line = f"\nplugin {record.name!r} can't be loaded: {record.reason}"
        console.print(line, soft_wrap=True, style="red")
    return kit.FAILED if reports or failed else kit.DONE


def check(kind: str, spec: Any, examples: int, seed: int) -> "Report | str":
    """Return the report of a check, or the reason if there is none."""
    from searchkit import testing

    try:
        report: Report = getattr(testing, f"check_{kind}")(spec, examples=examples, seed=seed)
    except testing.CheckFailure as failure:
        return failure.report
    except Exception as error:
        return f"the check itself ended in {type(error).__name__}: {error}"
    return report


def subjects_of(found: Registry, chosen: set[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield (plugin, kind, spec) of what to check: problems of the plugins with their heuristics, and engines."""
    records = [record for record in found.plugins if record.name in chosen]
    for kind, used in (("problem", found.problems), ("engine", found.engines)):
        for record in records:
            for spec in record.declared.get(kind, ()):
                if spec.name in used:
                    yield record.name, kind, spec
                    if kind == "problem" and offers_heuristic(spec):
                        yield record.name, "heuristic", spec


def offers_heuristic(spec: Any) -> bool:
    """Whether the first problem of its strategy has a heuristic; if that fails, `check_problem` reports it."""
    from searchkit.testing.reports import smallest

    try:
        problem = spec.strategy and smallest(spec.strategy(), lambda problem: True, examples=1)
        return problem is not None and has_heuristic(problem)
    except Exception:
        return False
