"""What a check found: one readable report, with the smallest case drawn and the lines that reproduce it."""

from collections.abc import Iterable, Mapping
from math import isfinite
from textwrap import indent
from typing import Any, Literal

from attrs import field, frozen

Outcome = Literal["holds", "fails", "skipped", "undecided"]
SIGNS: Mapping[Outcome, str] = {"holds": "✓", "fails": "✗", "skipped": "–", "undecided": "?"}


@frozen
class Counterexample:
    """A case that breaks a promise, as small as it could be made."""

    drawing: str
    """The problem, drawn as text."""
    paths: tuple[tuple[str, str], ...] = ()
    """(what it is, the path drawn as text): the path that was found, and the one that should have been."""
    numbers: tuple[tuple[str, str], ...] = ()
    """(name, value) pairs that show the contradiction, such as h(s) and h*(s)."""
    reproduce: tuple[str, ...] = ()
    """Lines of Python that show the failure again."""
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
    """One promise, and what became of it."""

    name: str
    """A few words, the same in every report: `optimal`, `costs not negative`."""
    promise: str
    """What was promised, as a sentence."""
    outcome: Outcome
    detail: str = ""
    """What happened instead; or why the check was skipped or could not decide."""
    counterexample: Counterexample | None = None

    def __str__(self) -> str:
        head = f"{SIGNS[self.outcome]} {self.name}: {self.promise}"
        if self.outcome != "holds":
            head = f"{head}\n  {self.outcome}: {self.detail}"
        if self.counterexample is not None:
            head += "\n\n" + indent(str(self.counterexample), "    ") + "\n"
        return head


def _checks(checks: Iterable[Check]) -> tuple[Check, ...]:
    return tuple(checks)  # `tuple` itself as a converter hides from mypy what it takes


@frozen
class Report:
    """The outcome of a check of one subject. True where nothing that was promised fails."""

    subject: str
    """What was checked: `engine astar`, `the heuristic of dungeon`."""
    checks: tuple[Check, ...] = field(converter=_checks)
    examples: int = 0
    """Cases that were tried, over all checks."""
    facts: Mapping[str, Any] = field(factory=dict)
    """What was measured on the way, by name: error statistics of a heuristic, states seen."""

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
        """Return the report, or raise it as a `CheckFailure` where a promise fails."""
        if not self.holds:
            raise CheckFailure(self)
        return self


class CheckFailure(AssertionError):  # noqa: N818  # it is to a check what AssertionError is to assert
    """A promise that does not hold; `report` says which, and shows the smallest case."""

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
    if isinstance(value, float) and not isfinite(value):  # JSON has no number for it
        return str(value)
    return value if isinstance(value, str | int | float | None) else str(value)
