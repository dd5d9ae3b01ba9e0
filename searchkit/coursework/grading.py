"""Grading a submission: the functions run in the sandbox, the judgement made here."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from attrs import define, frozen

from searchkit.coursework.endings import Ending, Failure
from searchkit.coursework.instances import Instance, prepare
from searchkit.coursework.rubric import Criterion, Rubric
from searchkit.coursework.sandbox import Sandbox
from searchkit.coursework.submission import SubmissionError, existing
from searchkit.coursework.verdicts import Verdict
from searchkit.errors import InputFormatError, SearchkitError

RESTARTS = 2
"""Maps on which a function may be ended from outside; those after the last one are not tried any more."""
TOLD = 3
"""Maps that are named of those on which a property fails."""


@frozen
class Mark:
    """What a submission gets for one criterion."""

    criterion: Criterion
    score: float
    right: int
    judged: int
    """Maps that have a say in the property; on `right` of them it holds."""
    message: str

    @property
    def passed(self) -> bool:
        """Whether the property holds on all maps."""
        return self.right == self.judged


@frozen
class Grade:
    """What a submission gets."""

    name: str
    marks: tuple[Mark, ...]
    printed: str = ""
    """The beginning of what its code printed."""
    seconds: float = 0.0
    stopped: bool = False
    """Whether the grader was stopped before it was done with this submission."""

    @property
    def score(self) -> float:
        """The sum of the points."""
        return round(sum(mark.score for mark in self.marks), 2)

    @property
    def most(self) -> float:
        """What there was to get."""
        return sum(mark.criterion.points for mark in self.marks)


@define
class Grader:
    """A rubric with its maps loaded, and a sandbox to run submissions in."""

    rubric: Rubric
    instances: Mapping[str, Instance]
    sandbox: Sandbox

    @classmethod
    def of(cls, rubric: Rubric) -> "Grader":
        """Load the maps. Raises `InputFormatError` for what can't be read, or a criterion that no map has a say in."""
        instances: dict[str, Instance] = {}
        for group, entries in rubric.maps.items():
            for index, entry in enumerate(entries):
                try:
                    instances[repr(entry)] = prepare(entry, rubric.path.parent)
                except SearchkitError as error:
                    raise InputFormatError(
                        f"maps.{group}[{index}]: {error}", source=str(rubric.path)
                    ) from error
        return cls(rubric, instances, Sandbox())

    def grade(self, submission: str | Path, name: str = "") -> Grade:
        """Return the points of a submission. Whatever is wrong with it is in the marks; nothing is raised for it."""
        begin, name = perf_counter(), name or str(submission)
        try:
            file = str(existing(submission))
        except SubmissionError as error:
            failure = Failure(Ending.UNUSABLE, str(error))
            return Grade(
                name, tuple(self._mark(criterion, {}, failure) for criterion in self.rubric.criteria)
            )
        runs: dict[tuple[str, str], Mapping[str, Any]] = {}
        printed = []
        for key, instances in self._needed().items():
            runs[key], output = self._run(file, key, instances)
            printed.append(output)
        marks = tuple(
            self._mark(criterion, runs[criterion.function, criterion.property.kind])
            for criterion in self.rubric.criteria
        )
        return Grade(name, marks, "".join(printed), perf_counter() - begin, self.sandbox.stopped)

    def _needed(self) -> dict[tuple[str, str], dict[str, Instance]]:
        """Return (function, kind) → the maps that it has to be run on, each once."""
        needed: dict[tuple[str, str], dict[str, Instance]] = {}
        for criterion in self.rubric.criteria:
            maps = needed.setdefault((criterion.function, criterion.property.kind), {})
            maps |= {repr(entry): self.instances[repr(entry)] for entry in self.rubric.entries(criterion)}
        return needed

    def _run(
        self, file: str, key: tuple[str, str], instances: Mapping[str, Instance]
    ) -> tuple[dict[str, Any], str]:
        """Run one function on maps; return for each what was seen, or the `Failure`, and what was printed.

        Where the process ends on a map, another one goes on with the next map.
        """
        name, kind = key
        left = list(instances)
        seen: dict[str, Any] = {}
        printed, ended = "", 0
        while left:
            cases = [instances[each].case() for each in left]
            job = {"kind": kind, "file": file, "name": name, "cases": cases}
            outcome = self.sandbox.run(job, self.rubric.limits)
            printed = printed or outcome.printed
            for answer in outcome.answers:
                failure = answer.get("failure")
                seen[left.pop(0)] = answer if failure is None else Failure.of(failure)
            if outcome.finished:
                break
            if outcome.failure.ending is Ending.MISUSE:
                raise InputFormatError(outcome.failure.detail, source=str(self.rubric.path))
            ended += 1
            if not outcome.began or outcome.failure.ending is Ending.STOPPED or ended > RESTARTS:
                seen |= dict.fromkeys(left, outcome.failure)
                break
            seen[left.pop(0)] = outcome.failure
        return seen, printed

    def _mark(self, criterion: Criterion, seen: Mapping[str, Any], failure: Failure | None = None) -> Mark:
        verdicts: list[tuple[str, Verdict]] = []
        for entry in self.rubric.entries(criterion):
            instance = self.instances[repr(entry)]
            what = failure or seen[repr(entry)]
            if isinstance(what, Failure):
                verdict = Verdict(False, what.reason(self.rubric.limits))
            else:
                verdict = criterion.property.judge(instance, what, criterion.settings)
            if verdict.right is not None:
                verdicts.append((instance.name, verdict))
        if not verdicts:
            raise InputFormatError(
                f"criterion {criterion.name!r}: none of its maps has a say in {criterion.property.name!r}; "
                "it needs, for instance, a map that can be solved",
                source=str(self.rubric.path),
            )
        right = sum(verdict.right is True for _, verdict in verdicts)
        share = right / len(verdicts) if criterion.partial else float(right == len(verdicts))
        return Mark(
            criterion, round(criterion.points * share, 2), right, len(verdicts), _message(criterion, verdicts)
        )


def _message(criterion: Criterion, verdicts: Sequence[tuple[str, Verdict]]) -> str:
    """Return what the student is told."""
    wrong = [(name, verdict) for name, verdict in verdicts if not verdict.right]
    maps = f"{len(verdicts)} map{'s' * (len(verdicts) != 1)}"
    if not wrong:
        return f"right on {maps}"
    if len({verdict.message for _, verdict in wrong}) == 1 and len(wrong) == len(verdicts):
        lines = [wrong[0][1].message]
    else:
        lines = [f"right on {len(verdicts) - len(wrong)} of {maps}"]
        lines += [f"{name}: {verdict.message}" for name, verdict in wrong[:TOLD]]
        if len(wrong) > TOLD:
            lines.append(f"and {len(wrong) - TOLD} more")
    if criterion.hint:
        lines.append(f"Hint: {criterion.hint}")
    name, first = wrong[0]
    if first.drawing:
        lines += ["", f"{name}:", first.drawing]
    return "\n".join(lines)
