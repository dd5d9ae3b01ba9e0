"""Grading submissions by workers: in other processes, or on a cluster that shares the folders.

The task is the whole grading of a submission. Its process keeps the grader of the last rubric, and runs students' code
in the sandbox, as the command does without workers.
"""

import atexit
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from pathlib import Path
from threading import Event

from attrs import define, field

from searchkit.errors import WorkerError
from searchkit_coursework.grading.grader import Grade, Grader
from searchkit_coursework.grading.rubric import read_rubric
from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.submission import refuse_unseen, unseen

SIGNAL_SECONDS = 0.1
"""The longest time until Ctrl-C is noticed while waiting for a grade."""
_graders: dict[tuple[str, float], Grader] = {}
"""The rubric's file and the time of its last change → its grader; at most one."""


def graded(grader: Grader, file: Path, name: str, others: Iterable[Path]) -> Grade:
    """Return the grade of a submission. An exception becomes a grade that says so."""
    try:
        return grader.grade(file, name, others)
    except Exception as error:
        return ungraded(grader, name, error)


def ungraded(grader: Grader, name: str, error: BaseException) -> Grade:
    """Return the grade of a submission that could not be graded, and it is not its own fault."""
    reason = f"it was not graded, and that is not its own fault: {type(error).__name__}: {error}"
    return grader.without(clean(name), clean(reason), ungraded=True)


def grade_task(rubric: str, file: str, name: str, others: Sequence[str]) -> Grade:
    """Grade a submission in a process of the workers. Raises `WorkerError` if its computer does not see the rubric."""
    refuse_unseen(rubric)
    key = rubric, Path(rubric).stat().st_mtime
    grader = _graders.get(key)  # held here: a thread with another rubric may replace it
    if grader is None:
        grader = Grader.of(read_rubric(rubric))
        atexit.register(grader.sandbox.stop)  # students' processes end with this one
        _graders.clear()
        _graders[key] = grader
    return graded(grader, Path(file), name, [Path(other) for other in others])


@define
class Elsewhere:
    """Grades submissions by workers. `interrupt` ends that soon; grades that exist are kept."""

    grader: Grader
    """It has loaded the rubric here, so that its faults are errors before a task is sent."""
    workers: Executor
    _stopped: Event = field(factory=Event)

    def interrupt(self) -> None:
        """End the grading soon. Safe to call from a signal handler."""
        self._stopped.set()

    def grade(self, files: Mapping[str, Path], done: dict[str, Grade]) -> None:
        """Put the grade of each submission into `done` when it comes."""
        others = [str(file.resolve()) for file in files.values()]
        rubric = str(self.grader.rubric.path.absolute())
        waiting: dict[Future[Grade], str] = {
            self.workers.submit(grade_task, rubric, str(file.absolute()), name, others): name
            for name, file in files.items()
        }
        pending = set(waiting)
        try:
            while pending and not self._stopped.is_set():
                ended, pending = wait(pending, SIGNAL_SECONDS, FIRST_COMPLETED)
                for future in ended:
                    name = waiting[future]
                    done[name] = self._grade_of(future, name, files[name])
        finally:
            self.workers.shutdown(cancel_futures=True)

    def _grade_of(self, future: "Future[Grade]", name: str, file: Path) -> Grade:
        try:
            grade = future.result()
            if grade.missing and file.is_file():
                raise unseen(str(file.absolute()))
            return grade
        except (Exception, CancelledError) as error:
            if isinstance(error, WorkerError):
                return ungraded(self.grader, name, error)
            raise
