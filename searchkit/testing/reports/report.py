"""The report of a check, with a drawing of the smallest case and the lines that reproduce it."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import isfinite
from textwrap import indent
from typing import Any, Literal

from attrs import field, frozen

from searchkit.basics.notebooks import CELL, SPACE, chosen
from searchkit.basics.text import quantity, visible

Outcome = Literal["holds", "fails", "skipped", "undecided"]
COLOURS: Mapping[str, str] = {"holds": "#1b7a3d", "fails": "#c62828"}
"""Of the signs of outcomes in a notebook. The signs differ in shape as well."""
SIGNS: Mapping[Outcome, str] = {"holds": "✓", "fails": "✗", "skipped": "–", "undecided": "?"}


@frozen
class Counterexample:
    """A case that breaks a promise, reduced as far as possible."""

    drawing: str
    """The problem, drawn as text."""
    paths: tuple[tuple[str, str], ...] = ()
    """(name, drawing as text) of paths: the path that was found, and the expected one."""
    numbers: tuple[tuple[str, str], ...] = ()
    """(name, value) pairs that show the contradiction, such as h(s) and h*(s)."""
    reproduce: tuple[str, ...] = ()
    """Lines of Python that reproduce the failure."""
    problem: Any = field(default=None, eq=False, repr=False)
    """The problem itself."""

    def __str__(self) -> str:
        parts = [self.drawing]
        parts += [f"{name}:\n{path}" for name, path in self.paths]
        if self.numbers:
            parts.append("\n".join(f"{name} = {value}" for name, value in self.numbers))
        if self.reproduce:
            parts.append("to see it again:\n" + indent("\n".join(self.reproduce), "    "))
        return "\n\n".join(part for part in parts if part)


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

    def __str__(self) -> str:
        head = f"{SIGNS[self.outcome]} {self.name}: {self.promise}"
        if self.outcome != "holds":
            head = f"{head}\n  {self.outcome}: {self.detail}"
        if self.counterexample is not None:
            head += "\n\n" + indent(str(self.counterexample), "    ") + "\n"
        return head


def _checks(checks: Iterable[Check]) -> tuple[Check, ...]:
    return tuple(checks)  # mypy does not see the argument type of `tuple` as a converter


@frozen
class Report:
    """The outcome of the checks of one subject. It is true if no promise fails."""

    subject: str
    """What was checked: `engine astar`, `the heuristic of dungeon`."""
    checks: tuple[Check, ...] = field(converter=_checks)
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

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        verdict = "holds" if self.holds else f"{len(self.failures)} of {len(self.checks)} promises fail"
        lines = [f"{self.subject}: {verdict} ({quantity(self.examples, 'example')})"]
        lines += [indent(str(check), "  ").rstrip() for check in self.checks]
        lines += [f"  {name}: {value}" for name, value in self.facts.items()]
        return "\n".join(lines)

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, Any]:
        """Return the forms in which a notebook can show the report, by MIME type."""
        forms = {"text/plain": visible(str(self)), "text/html": "".join(_html_lines(self))}
        return chosen(forms, include, exclude)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, ready for JSON."""
        return {
            "subject": self.subject,
            "holds": self.holds,
            "examples": self.examples,
            "facts": {name: _plain(value) for name, value in self.facts.items()},
            "checks": [
                {
                    "name": check.name,
                    "promise": check.promise,
                    "outcome": check.outcome,
                    "detail": check.detail,
                    "counterexample": check.counterexample and _as_dict(check.counterexample),
                }
                for check in self.checks
            ],
        }

    def or_raise(self) -> "Report":
        """Return the report, or raise `CheckFailure` if a promise fails."""
        if not self.holds:
            raise CheckFailure(self)
        return self


class CheckFailure(AssertionError):  # noqa: N818  # it is to a check what AssertionError is to assert
    """A promise does not hold. `report` says which, and shows the smallest case."""

    def __init__(self, report: Report):
        super().__init__(str(report))
        self.report = report


def _as_dict(case: Counterexample) -> dict[str, Any]:
    return {
        "drawing": case.drawing,
        "paths": [{"name": name, "drawing": path} for name, path in case.paths],
        "numbers": dict(case.numbers),
        "reproduce": list(case.reproduce),
    }


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):  # JSON has no such number
        return str(value)
    return value if isinstance(value, str | int | float | None) else str(value)


def _html_lines(report: Report) -> Iterator[str]:
    verdict = "holds" if report.holds else f"{len(report.failures)} of {len(report.checks)} promises fail"
    yield f"<p {SPACE}><b>{_text(report.subject)}</b>: {verdict} ({quantity(report.examples, 'example')})</p><table>"
    for check in report.checks:
        colour = COLOURS.get(check.outcome, "inherit")
        yield (
            f'<tr><td style="padding:0.1em 0.6em;color:{colour}">{SIGNS[check.outcome]}</td>'
            f"<td {CELL}>{_text(check.name)}</td>"
            f"<td {CELL}>{_text(_said(check))}</td></tr>"
        )
    yield "</table>"
    for check in report.failures:
        if check.counterexample is not None:
            yield f"<p {SPACE}><b>{_text(check.name)}</b>: {_text(check.detail)}</p>"
            yield from _case(check.counterexample)
    short = [(name, value) for name, value in report.facts.items() if not _is_long(value)]
    yield f"<table>{''.join(map(_row, short))}</table>"
    for name, value in report.facts.items():
        if _is_long(value):
            yield f"<p {SPACE}>{_text(name)}:</p>{_long(value)}"


def _said(check: Check) -> str:
    return check.promise if check.outcome == "holds" else f"{check.promise} – {check.outcome}: {check.detail}"


def _case(case: Counterexample) -> Iterator[str]:
    """Yield the smallest case: as a picture if the problem is known, as text otherwise."""
    from searchkit.render.draw import draw  # where nothing is shown, nothing that draws is imported

    if case.problem is None:
        yield _lines(case.drawing)
    else:
        yield draw(case.problem)._repr_mimebundle_()["text/html"]
    for name, path in case.paths:
        yield f"<p {SPACE}>{_text(name)}:</p>{_lines(path)}"
    if case.numbers:
        yield f"<table>{''.join(map(_row, case.numbers))}</table>"
    if case.reproduce:
        yield f"<p {SPACE}>to see it again:</p>{_lines(chr(10).join(case.reproduce))}"


def _is_long(value: object) -> bool:
    """Whether a fact is a table, or a text of several lines."""
    return _is_table(value) or "\n" in str(value)


def _is_table(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _long(value: object) -> str:
    return _table(value) if _is_table(value) else _lines(value)


def _lines(value: object) -> str:
    return f'<pre style="overflow:auto">{_text(value)}</pre>'


def _row(fact: tuple[str, object]) -> str:
    name, value = fact
    return f"<tr><th {CELL}>{_text(name)}</th><td {CELL}>{_text(value)}</td></tr>"


def _table(rows: Any) -> str:
    head = "".join(f"<th {CELL}>{_text(name)}</th>" for name in rows[0])
    lines = ("".join(f"<td {CELL}>{_text(value)}</td>" for value in row.values()) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _text(value: object) -> str:
    return escape(visible(str(value)))
