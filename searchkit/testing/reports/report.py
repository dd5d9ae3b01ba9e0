"""The report of a check, with a drawing of the smallest case and the lines that reproduce it."""

from collections.abc import Iterable, Mapping
from math import isfinite
from textwrap import indent
from typing import Any, Literal

from attrs import field, frozen

Outcome = Literal["holds", "fails", "skipped", "undecided"]
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
        lines = [f"{self.subject}: {verdict} ({self.examples} examples)"]
        lines += [indent(str(check), "  ").rstrip() for check in self.checks]
        lines += [f"  {name}: {value}" for name, value in self.facts.items()]
        return "\n".join(lines)

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
