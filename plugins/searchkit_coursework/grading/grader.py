"""Grading a submission: its functions run in the sandbox, and their answers are judged here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from attrs import define, evolve, field, frozen

from searchkit.errors import InputFormatError, InvalidOptionError, SearchkitError
from searchkit_coursework.grading.rubric import Criterion, Rubric
from searchkit_coursework.grading.verdicts import Verdict
from searchkit_coursework.maps import Instance, prepare
from searchkit_coursework.sandbox.container import Container, places_of
from searchkit_coursework.sandbox.endings import Ending, Failure
from searchkit_coursework.sandbox.service import Book, Service
from searchkit_coursework.sandbox.session import Sandbox
from searchkit_coursework.sandbox.wording import clean

RESTARTS = 2
"""The number of maps on which the process may end; after that, the remaining maps are not tried."""
TOLD = 3
"""The number of maps that are named if a property fails on many."""
NOT_TRIED = "not tried: the file could not be loaded"


@frozen
class Mark:
    """The points of a submission for one criterion."""

    criterion: Criterion
    score: float
    right: int
    judged: int
    """The number of maps that can show whether the property holds; it holds on `right` of them."""
    message: str

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
    missing: bool = False
    """Whether the file does not exist."""
    ungraded: bool = False
    """Whether searchkit or the machine failed, not the submission."""
    printed: str = ""
    """The beginning of its printed output."""
    seconds: float = 0.0
    protections: tuple[str, ...] = ()
    """The protections that were active while its code ran."""
    stopped: bool = False
    """Whether the grader was stopped before this submission was graded completely."""

    @property
    def score(self) -> float:
        """The sum of the points."""
        return round(sum(mark.score for mark in self.marks), 2)

    @property
    def most(self) -> float:
        """The points of a correct submission."""
        return sum(mark.criterion.points for mark in self.marks)


@define
class _Run:
    """A submission that is being graded, and the answers of its functions so far."""

    file: str
    container: Container
    seen: dict[tuple[str, str], Mapping[str, Any]] = field(factory=dict)
    printed: str = ""
    protections: tuple[str, ...] = ()
    trouble: Failure | None = None


@define
class Grader:
    """A rubric with its maps loaded, and a sandbox to run submissions in."""

    rubric: Rubric
    books: Mapping[str, Book]
    packages: tuple[str, ...]
    """The places of the packages that submissions may import."""
    sandbox: Sandbox

    @classmethod
    def of(cls, rubric: Rubric, sandbox: Sandbox | None = None) -> "Grader":
        """Load the maps. Raises `InputFormatError` for an invalid map, and for a criterion that no map can decide."""
        books: dict[str, Book] = {}
        source = str(rubric.path)
        for group, entries in rubric.maps.items():
            for index, entry in enumerate(entries):
                with _naming(f"maps.{group}[{index}]", source):
                    books[repr(entry)] = Book(prepare(entry, rubric.path.parent))
        with _naming("packages", source):
            packages = tuple(place for name in rubric.packages for place in places_of(name))
        for criterion in rubric.criteria:
            maps = [books[repr(entry)].instance for entry in rubric.entries(criterion)]
            with _naming(f"criterion {criterion.name!r}", source):
                # all of them, so that a faulty setting is an error whichever map comes first
                if not sum(criterion.property.has_say(each, criterion.settings) for each in maps):
                    raise InvalidOptionError(
                        f"none of its maps has a say in {criterion.property.name!r}; it needs, for instance, a map "
                        "that can be solved"
                    )
        return cls(rubric, books, packages, sandbox or Sandbox())

    def grade(self, submission: str | Path, name: str = "", others: Iterable[Path] = ()) -> Grade:
        """Return the points of a submission. Faults of the submission are in the marks; they raise no exception.

        The submission may read and import files of its folder, unless one of the `others` is in the same folder.
        """
        begin, name = perf_counter(), clean(name or submission)
        path = Path(submission)
        if not path.is_file():
            what = "is not a regular file" if path.exists() else "does not exist"
            return self.without(name, f"{submission} {what}; expected a Python file", missing=True)
        file = path.resolve()
        foreign = [self.rubric.path.resolve(), *(other.resolve() for other in others)]
        shared = any(each.is_relative_to(file.parent) for each in foreign if each != file)
        run = _Run(str(file), Container((str(file if shared else file.parent), *self.packages)))
        for key, maps in self._needed().items():
            if run.trouble is None:
                self._try(run, key, maps)
        if run.trouble is not None:
            grade = self.without(name, run.trouble.reason(self.rubric.limits))
        else:
            marks = tuple(
                self._mark(each, run.seen[each.function, each.property.kind]) for each in self.rubric.criteria
            )
            grade = Grade(name, marks)
        return evolve(
            grade,
            printed=run.printed,
            seconds=perf_counter() - begin,
            protections=run.protections,
            stopped=self.sandbox.stopped,
        )

    def without(self, name: str, trouble: str, *, missing: bool = False, ungraded: bool = False) -> Grade:
        """Return the grade of a submission whose functions could not be run."""
        marks = tuple(
            Mark(criterion, 0.0, 0, len(self.rubric.entries(criterion)), NOT_TRIED)
            for criterion in self.rubric.criteria
        )
        return Grade(clean(name), marks, clean(trouble, 1_000), missing=missing, ungraded=ungraded)

    def _needed(self) -> dict[tuple[str, str], list[str]]:
        """Return (function, kind) → the maps to run the function on, without duplicates."""
        needed: dict[tuple[str, str], dict[str, None]] = {}
        for criterion in self.rubric.criteria:
            maps = needed.setdefault((criterion.function, criterion.property.kind), {})
            maps |= dict.fromkeys(map(repr, self.rubric.entries(criterion)))
        return {key: list(maps) for key, maps in needed.items()}

    def _try(self, run: _Run, key: tuple[str, str], maps: Sequence[str]) -> None:
        """Run one function on maps; record the answer or the `Failure` for each.

        If the process ends on a map, another process continues with the next map.
        """
        function, kind = key
        folders = dict.fromkeys(str(Path(place).parent) for place in (run.file, *self.packages))
        job = {"file": run.file, "name": function, "path": list(folders)}
        left, ended = list(maps), 0
        seen: dict[str, Any] = {}
        run.seen[key] = seen
        while left:
            services = [Service(self.books[each], kind) for each in left]
            outcome = self.sandbox.grade(job, self.rubric.limits, services, run.container)
            run.printed = run.printed or outcome.printed
            run.protections = run.protections or outcome.protections
            for answer in outcome.answers:
                seen[left.pop(0)] = answer
            if outcome.finished:
                return
            failure = outcome.failure
            if not outcome.loaded and failure.ending not in (Ending.MISSING, Ending.STOPPED):
                run.trouble = failure
                return
            ended += 1
            if not outcome.loaded or failure.ending is Ending.STOPPED or ended > RESTARTS:
                seen |= dict.fromkeys(left, failure)
                return
            seen[left.pop(0)] = failure

    def _mark(self, criterion: Criterion, seen: Mapping[str, Any]) -> Mark:
        verdicts: list[tuple[Instance, Verdict]] = []
        for entry in self.rubric.entries(criterion):
            instance, what = self.books[repr(entry)].instance, seen[repr(entry)]
            if not criterion.property.has_say(instance, criterion.settings) and not isinstance(what, Failure):
                continue
            if isinstance(what, Failure):
                reason = what.reason(self.rubric.limits)
                verdict = Verdict(False, reason, answered=False, at_state=bool(what.state))
            else:
                verdict = criterion.property.judge(instance, what, criterion.settings)
            verdicts.append((instance, verdict))
        right = sum(verdict.right for _, verdict in verdicts)
        share = right / max(1, len(verdicts)) if criterion.partial else float(right == len(verdicts))
        return Mark(
            criterion, round(criterion.points * share, 2), right, len(verdicts), _message(criterion, verdicts)
        )


@contextmanager
def _naming(what: str, source: str) -> Iterator[None]:
    """Say in errors of the rubric which part of it is wrong."""
    try:
        yield
    except (SearchkitError, LookupError) as error:
        raise InputFormatError(f"{what}: {error}", source=source) from error


def _message(criterion: Criterion, verdicts: Sequence[tuple[Instance, Verdict]]) -> str:
    """Return the message for the student. The smallest map comes first, and is drawn."""
    ordered = sorted(verdicts, key=lambda each: len(each[0].space.edges))
    wrong = [(instance.name, verdict) for instance, verdict in ordered if not verdict.right]
    maps = f"{len(verdicts)} map{'s' * (len(verdicts) != 1)}"
    if not wrong:
        return f"right on {maps}"
    alike = len({verdict.message for _, verdict in wrong}) == 1 and len(wrong) == len(verdicts)
    if alike and not wrong[0][1].at_state:
        lines = [wrong[0][1].message]
    else:
        lines = [f"right on {len(verdicts) - len(wrong)} of {maps}"]
        lines += [f"{name}: {verdict.message}" for name, verdict in wrong[:TOLD]]
        if len(wrong) > TOLD:
            lines.append(f"and {len(wrong) - TOLD} more")
    if criterion.hint and any(verdict.answered for _, verdict in wrong):
        lines.append(f"Hint: {criterion.hint}")
    name, first = wrong[0]
    if first.drawing:
        lines += ["", f"{name}:", first.drawing]
    return "\n".join(lines)
