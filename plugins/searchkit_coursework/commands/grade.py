"""`searchkit grade`: points for submissions, by a rubric."""

from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from searchkit.cli import kit
from searchkit.errors import InvalidOptionError, SearchkitError

if TYPE_CHECKING:
    from searchkit_coursework.grading.grader import Grade, Grader

app = typer.Typer(add_completion=False, rich_markup_mode=None)

SIGNAL_SECONDS = 0.1
"""The longest time until Ctrl-C is noticed while waiting for a grade."""
PATTERNS = ("*.py", "*/*.py")
"""The default patterns of submissions in a directory."""


@app.command()
def grade(
    rubric: Annotated[Path, typer.Argument(metavar="RUBRIC", help="A rubric, RUBRIC.toml.")],
    submissions: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SUBMISSION…",
            help="Python files; of a directory, what the rubric names, or all Python files in it and in the "
            "directories in it.",
        ),
    ] = None,
    check_rubric: Annotated[
        bool,
        typer.Option(
            "--check-rubric",
            help="Instead of submissions, run typical mistakes on the maps, and name each criterion that no map can "
            "fail.",
        ),
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            metavar="PATH",
            help="Write Gradescope's results.json to PATH; of several submissions, one each into the directory PATH.",
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write a table with a row for each submission to FILE."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a report of the class to FILE, as a page."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Grade N submissions at once.")] = 1,
    json: kit.Json = False,
) -> int:
    """Grade submissions by a rubric.

    Students' code runs in contained processes with limits on time, memory, output and disk: whatever it does costs
    points, with the reason, and the grader continues. Exit code 0: all were graded, whatever their points; 1: with
    --check-rubric, a criterion can't be failed; 2: wrong use, a faulty rubric, or a submission that is missing (the
    others are graded); 3: Ctrl-C, after which the results so far are there.

    Example: searchkit grade rubric.toml student.py --results results.json
    """
    from searchkit_coursework.commands.class_table import show_grades, show_page
    from searchkit_coursework.commands.report import write_page
    from searchkit_coursework.grading.grader import Grader
    from searchkit_coursework.grading.planted import check_grader
    from searchkit_coursework.grading.results import csv_table, gradescope, results_files
    from searchkit_coursework.grading.rubric import read_rubric

    read = read_rubric(rubric)
    if check_rubric:
        reports = check_grader(Grader.of(read))
        for report in reports:
            kit.result_console().print(str(report), soft_wrap=True)
        return kit.DONE if all(report.can_fail for report in reports) else kit.FAILED
    if not submissions:
        raise InvalidOptionError("Missing argument 'SUBMISSION…': give Python files, or a directory")
    files = named(submissions, read.submissions)
    for option, path in (("--csv", csv), ("--results", results), ("--html", html)):
        if path is not None and not (path == results and len(files) > 1):
            kit.refuse_unwritable(option, path)
    grader = Grader.of(read)
    with kit.interruptible() as interruption:
        interruption.watch(grader.sandbox)
        grades, whole = grade_all(grader, files, jobs)
    if json:
        kit.write_json(
            "grade",
            {
                "rubric": read.title,
                "max_score": read.points,
                "submissions": [{"submission": grade.name, **gradescope(grade)} for grade in grades],
            },
        )
    else:
        show_grades(kit.result_console(), read, grades, several=len(files) > 1)
    if results is not None:
        if len(files) > 1:
            results.mkdir(exist_ok=True)
        for file, text in results_files(results, grades, several=len(files) > 1).items():
            kit.write_file(file, text)
    if csv is not None:
        kit.write_file(csv, csv_table(read, grades))
    if html is not None:
        write_page(html, read.title, lambda console: show_page(console, read, grades))
    if not whole:
        raise KeyboardInterrupt
    refuse_missing(grades)
    return kit.DONE


def named(paths: Sequence[Path], patterns: Sequence[str] = ()) -> dict[str, Path]:
    """Return name → file of each submission; of a directory, the files that match one of the patterns.

    A pattern of two parts, such as `*/student.py`, means one file in each directory, even if it does not exist. Raises
    `InvalidOptionError` for a directory without submissions, a file given twice, and an invalid pattern.
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
        found.update(path.glob(pattern))
        folder, slash, name = pattern.rpartition("/")
        if patterns and slash and not any(mark in name for mark in "*?["):
            found.update(each / name for each in path.glob(folder) if each.is_dir())
    if not patterns:
        found = {each for each in found if each.name != "__init__.py"}
    if not found:
        what = f"match {' or '.join(patterns)}" if patterns else "are in this directory"
        raise InvalidOptionError(f"{path}: no {'files' if patterns else 'Python files'} {what}")
    return sorted(found)


def grade_all(grader: "Grader", files: Mapping[str, Path], jobs: int) -> "tuple[list[Grade], bool]":
    """Grade all submissions, `jobs` at once, with progress on stderr; return the grades, and whether they are complete.

    If Ctrl-C stops the sandbox of the grader, the grades so far are returned.
    """
    done: dict[str, Grade] = {}
    others = list(files.values())

    def progress() -> kit.Progress:
        return kit.Progress(f"{len(done)} of {len(files)} graded", len(done) / len(files))

    with ThreadPoolExecutor(jobs) as pool, kit.progress(progress):
        waiting = {pool.submit(graded, grader, file, name, others): name for name, file in files.items()}
        try:
            pending = set(waiting)
            while pending:
                # with a timeout, because a signal just before the wait does not end it
                ended, pending = wait(pending, SIGNAL_SECONDS, FIRST_COMPLETED)
                done |= {waiting[future]: future.result() for future in ended}
        except BaseException as error:
            grader.sandbox.stop()
            pool.shutdown(cancel_futures=True)
            if not isinstance(error, KeyboardInterrupt):
                raise
            # What was ready when Ctrl-C was pressed again, and not counted here yet.
            ready = [future for future in waiting if not future.cancelled()]
            done |= {waiting[future]: future.result() for future in ready}
    kept = [done[name] for name in files if name in done and not done[name].stopped]
    return kept, len(kept) == len(files)


def graded(grader: "Grader", file: Path, name: str, others: Sequence[Path]) -> "Grade":
    """Return the grade of a submission. An exception, which is not its own fault, becomes a grade that says so."""
    try:
        return grader.grade(file, name, others)
    except Exception as error:
        reason = f"it was not graded, and that is not its own fault: {type(error).__name__}: {error}"
        return grader.without(name, reason, ungraded=True)


def refuse_missing(grades: "Sequence[Grade]") -> None:
    """Raise `SearchkitError` if submissions are missing or could not be graded; the others have been reported."""
    missing = [grade for grade in grades if grade.missing or grade.ungraded]
    if len(missing) == 1:
        raise SearchkitError(f"{missing[0].name} has no points: {missing[0].trouble}")
    if missing:
        names = ", ".join(grade.name for grade in missing)
        raise SearchkitError(f"{len(missing)} submissions are missing or could not be graded: {names}")
