"""Grading a submission: its functions run in the sandbox, and their answers are judged here."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

from attrs import define, evolve, frozen

from searchkit.basics.text import quantity
from searchkit_coursework.maps import Failure, Instance
from searchkit_coursework.rubric import Criterion, Rubric
from searchkit_coursework.sandbox import Submission, run
from searchkit_coursework.service import Observation, Service, clean

RESTARTS = 2
"""The number of maps on which a function may end the process; after that, its remaining maps are not tried."""
MAX_NAMED = 3
"""The number of maps that are named if a property fails on many."""
NOT_TRIED = "not tried: the file could not be loaded"
Call = tuple[str, str, Instance]
"""A function to run, the kind of its properties, and the map."""


@frozen
class Mark:
    """The points of a submission for one criterion."""

    criterion: Criterion
    score: float
    right: int
    judged: int
    """The number of maps that can show whether the property holds; it holds on `right` of them."""
    message: str
    """What the student reads."""
    reason: str = ""
    """Why the property fails, in one line."""

    @property
    def passed(self) -> bool:
        """Whether the property holds on all of these maps."""
        return self.right == self.judged


@frozen
class Grade:
    """The points of a submission."""

    name: str
    marks: tuple[Mark, ...]
    trouble: str = ""
    """Why no function could be run; the marks do not repeat it."""
    ungraded: bool = False
    """Whether the file does not exist, or searchkit or the machine failed: not the submission."""
    printed: str = ""
    """The beginning of its printed output."""
    protections: tuple[str, ...] = ()
    """The protections that were active while its code ran."""
    stopped: bool = False
    """Whether the grader was stopped before this submission was graded completely."""

    @property
    def score(self) -> float:
        """The sum of the points."""
        return round(sum(mark.score for mark in self.marks), 2)


@define
class Grader:
    """Grades by a rubric, several submissions at once if several threads ask it to."""

    rubric: Rubric
    stopped: bool = False

    def interrupt(self) -> None:
        """End all processes of submissions soon, and start no other ones."""
        self.stopped = True

    def grade(self, submission: str | Path, name: str = "") -> Grade:
        """Return the points of a submission. It raises nothing: what fails is in the marks, or why it has none.

        It may read and import files of its folder if the rubric says that each submission has one (`*/student.py`).
        """
        path, name = Path(submission), clean(name or submission)
        if not path.is_file():
            what = "is not a regular file" if path.exists() else "does not exist"
            return self._without(name, f"{submission} {what}; expected a Python file", ungraded=True)
        file = path.resolve()
        patterns = (pattern.rpartition("/") for pattern in self.rubric.submissions)
        own = any(slash and fnmatch(file.name, last) for _, slash, last in patterns)
        try:
            return self._graded(name, Submission(file, file.parent if own else file))
        except Exception as error:
            reason = f"it was not graded, and that is not its own fault: {type(error).__name__}: {error}"
            return self._without(name, reason, ungraded=True)

    def _without(self, name: str, trouble: str, *, ungraded: bool = False) -> Grade:
        """Return the grade of a submission whose functions could not be run."""
        marks = tuple(
            Mark(criterion, 0.0, 0, len(criterion.maps), NOT_TRIED) for criterion in self.rubric.criteria
        )
        return Grade(clean(name), marks, clean(trouble, 1_000), ungraded)

    def _graded(self, name: str, submission: Submission) -> Grade:
        """Run every function on its maps. If the process ends on a map, another one continues with the next map.

        Each function has a process of its own: a heuristic is told every state of a map, and a problem is given its
        text, which a search has to ask for.
        """
        left: dict[tuple[str, str], dict[Instance, None]] = {}
        for criterion in self.rubric.criteria:
            maps = dict.fromkeys(criterion.maps)
            left.setdefault((criterion.function, criterion.property.kind), {}).update(maps)
        observations: dict[Call, Observation | Failure] = {}
        printed, protections = "", tuple[str, ...]()
        for (function, kind), maps in left.items():
            results, ends = list[Observation | Failure](), 0
            while len(results) < len(maps):
                services = [Service(each, kind, function) for each in list(maps)[len(results) :]]
                outcome = run(submission, self.rubric.limits, services, lambda: self.stopped)
                printed, protections = printed or outcome.printed, protections or tuple(outcome.protections)
                results += outcome.answers
                if outcome.failure is not None:
                    if self.stopped or not (outcome.loaded or observations or results):
                        grade = self._without(name, outcome.failure.reason)
                        return evolve(grade, printed=printed, protections=protections, stopped=self.stopped)
                    ends += 1
                    results += [outcome.failure] * (1 if ends <= RESTARTS else len(maps) - len(results))
            observations |= {
                (function, kind, each): result for each, result in zip(maps, results, strict=True)
            }
        marks = tuple(self._mark(criterion, observations) for criterion in self.rubric.criteria)
        return Grade(name, marks, printed=printed, protections=protections)

    def _mark(self, criterion: Criterion, observations: Mapping[Call, Observation | Failure]) -> Mark:
        judged = 0
        wrong: list[tuple[Instance, Failure]] = []
        for instance in criterion.maps:
            what = observations[criterion.function, criterion.property.kind, instance]
            if isinstance(what, Observation) and instance not in criterion.deciding:
                continue
            judged += 1
            fault = criterion.property.fault(instance, what, criterion.settings)
            if fault is not None:
                wrong.append((instance, fault))
        right = judged - len(wrong)
        share = right / max(1, judged) if criterion.partial else float(not wrong)
        score = round(criterion.points * share, 2)
        wrong.sort(key=lambda each: len(each[0].states))
        reasons = [f"{instance.name}: {failure.reason}" for instance, failure in wrong]
        if len(wrong) == judged > 1 and len({failure.reason for _, failure in wrong}) == 1:
            reasons = [wrong[0][1].reason]
        message = _message(criterion.hint, wrong, judged, reasons)
        return Mark(criterion, score, right, judged, message, next(iter(reasons), ""))


def _message(
    hint: str, wrong: Sequence[tuple[Instance, Failure]], judged: int, reasons: Sequence[str]
) -> str:
    """Return the message for the student. The smallest map comes first, and is drawn."""
    maps = quantity(judged, "map")
    if not wrong:
        return f"right on {maps}"
    lines = list(reasons[:MAX_NAMED])
    if len(reasons) == len(wrong):  # not the same reason on all maps
        lines.insert(0, f"right on {judged - len(wrong)} of {maps}")
    if len(reasons) > MAX_NAMED:
        lines.append(f"and {len(reasons) - MAX_NAMED} more")
    if hint:
        lines.append(f"Hint: {hint}")
    instance, first = wrong[0]
    if first.drawing:
        lines += ["", f"{instance.name}:", first.drawing]
    return "\n".join(lines)
