"""Grading a class: which files are submissions, grading them all, and the files of results."""

import csv
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from io import StringIO
from pathlib import Path

from searchkit.basics.files import write_text
from searchkit.cli._progress import Status, progress
from searchkit.coursework.gradescope import results
from searchkit.coursework.grading import Grade, Grader
from searchkit.coursework.rubric import Rubric
from searchkit.coursework.wording import clean, shown
from searchkit.errors import InvalidOptionError, SearchkitError

SIGNAL_SECONDS = 0.1
"""How long Ctrl-C may go unnoticed while a grade is waited for."""
PATTERNS = ("*.py", "*/*.py")
"""The submissions in a directory, where nobody says which."""
FORMULAS = tuple("=+-@")
"""What a spreadsheet takes for the beginning of a formula."""


def named(paths: Sequence[Path], patterns: Sequence[str] = ()) -> dict[str, Path]:
    """Return name → file of each submission: directories stand for the files in them that match one of the patterns.

    A pattern of two parts, such as `*/student.py`, stands for one file in each directory, whether it is there or not.
    Raises `InvalidOptionError` for a directory without any, for a file given twice, and for a pattern that is none.
    """
    files: dict[str, Path] = {}
    for path in paths:
        found = _in_directory(path, patterns) if path.is_dir() else [path]
        for file in found:
            name = str(file.relative_to(path)) if path.is_dir() else str(file)
            name = str(file) if name in files else name
            if name in files:
                raise InvalidOptionError(f"{name} is given twice")
            files[name] = file
    return files


def _in_directory(path: Path, patterns: Sequence[str]) -> list[Path]:
    found: set[Path] = set()
    for pattern in patterns or PATTERNS:
        try:
            found.update(path.glob(pattern))
        except (ValueError, NotImplementedError) as error:
            raise InvalidOptionError(
                f"{pattern!r} is not a pattern of file names in a directory: {error}; "
                "expected one such as '*/student.py'"
            ) from error
        folder, slash, name = pattern.rpartition("/")
        if patterns and slash and not any(mark in name for mark in "*?["):
            found.update(each / name for each in path.glob(folder) if each.is_dir())
    if not patterns:
        found = {each for each in found if each.name != "__init__.py"}
    if not found:
        what = f"match {' or '.join(patterns)}" if patterns else "are in this directory"
        raise InvalidOptionError(f"{path}: no {'files' if patterns else 'Python files'} {what}")
    return sorted(found)


def grade_all(grader: Grader, files: Mapping[str, Path], jobs: int) -> tuple[list[Grade], bool]:
    """Grade all, `jobs` at once, with progress on stderr; return the grades, and whether they are all there.

    When the grader's sandbox is stopped, by Ctrl-C, the grades so far are left. Whatever is raised while one
    submission is graded is that submission's grade.
    """
    done: dict[str, Grade] = {}
    others = [file.resolve() for file in files.values()]

    def grade(file: Path, name: str) -> Grade:
        try:
            return grader.grade(file, name, others)
        except Exception as error:
            reason = f"it was not graded, and that is not its own fault: {type(error).__name__}: {error}"
            return grader.without(clean(name), clean(reason), ungraded=True)

    def status() -> Status:
        return Status(f"{len(done)} of {len(files)} graded", len(done) / len(files))

    with ThreadPoolExecutor(jobs) as pool, progress(status):
        waiting = {pool.submit(grade, file, name): name for name, file in files.items()}
        try:
            pending = set(waiting)
            while pending:
                # with a timeout: a signal that comes just before the lock is waited for does not end the waiting
                ended, pending = wait(pending, SIGNAL_SECONDS, FIRST_COMPLETED)
                done |= {waiting[future]: future.result() for future in ended}
        except BaseException as error:
            grader.sandbox.stop()
            pool.shutdown(cancel_futures=True)
            if not isinstance(error, KeyboardInterrupt):
                raise
            # What was ready when Ctrl-C came again, before it was counted here.
            ready = [future for future in waiting if not future.cancelled()]
            done |= {waiting[future]: future.result() for future in ready}
    kept = [done[name] for name in files if name in done and not done[name].stopped]
    return kept, len(kept) == len(files)


def refuse_missing(grades: Sequence[Grade]) -> None:
    """Raise `SearchkitError` if some submissions are missing or could not be graded; the others are reported by now."""
    missing = [grade for grade in grades if grade.missing or grade.ungraded]
    if len(missing) == 1:
        raise SearchkitError(f"{missing[0].name} has no points: {missing[0].trouble}")
    if missing:
        names = ", ".join(grade.name for grade in missing)
        raise SearchkitError(f"{len(missing)} submissions are missing or could not be graded: {names}")


def refuse_nowhere(path: Path) -> None:
    """Raise `InvalidOptionError` for a file in no directory, before anything is graded for it."""
    if not path.parent.is_dir():
        raise InvalidOptionError(
            f"{path} can't be written: {path.parent} is not a directory; expected a file in a directory that exists"
        )


def write_results(path: Path, grades: Sequence[Grade], *, several: bool) -> None:
    """Write Gradescope's file for one submission to `path`, those of several into the directory `path`.

    Raises `InvalidOptionError` where they can't be written.
    """
    if several:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(path, error, "a directory for the results") from error
    for grade in grades:
        stem = grade.name.removesuffix(".py").replace("/", "_").replace("\\", "_").replace("..", "")
        file = path / f"{stem.strip('_')}.json" if several else path
        _write(file, json.dumps(results(grade), indent=2, ensure_ascii=False) + "\n")


def write_csv(path: Path, rubric: Rubric, grades: Sequence[Grade]) -> None:
    """Write a table with a column for each criterion. Raises `InvalidOptionError` where it can't be written."""
    lines = StringIO()
    table = csv.writer(lines)
    names = [criterion.name for criterion in rubric.criteria]
    table.writerow(map(_cell, ["submission", "points", *names, "note"]))
    for grade in grades:
        scores = [shown(mark.score) for mark in grade.marks]
        table.writerow([_cell(grade.name), shown(grade.score), *scores, _cell(grade.trouble)])
    _write(path, lines.getvalue())


def _cell(text: str) -> str:
    """Return a text that a spreadsheet does not calculate."""
    return f"'{text}" if text.startswith(FORMULAS) else text


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise _unwritable(path, error, "a file in a directory that exists") from error


def _unwritable(path: Path, error: OSError, expected: str) -> InvalidOptionError:
    return InvalidOptionError(f"{path} can't be written: {error.strerror}; expected {expected}")
