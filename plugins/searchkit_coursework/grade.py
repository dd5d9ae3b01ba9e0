"""`searchkit grade`: points for submissions, by a rubric."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from searchkit.cli import kit
from searchkit.errors import InvalidOptionError, SearchkitError

if TYPE_CHECKING:
    from searchkit_coursework.grader import Grade, Grader

SIGNAL_SECONDS = 0.1
"""The longest time until Ctrl-C is noticed."""
PATTERNS = ("*.py", "*/*.py")
"""The default patterns of submissions in a directory."""


def grade(
    rubric: Annotated[Path, typer.Argument(metavar="RUBRIC", help="A rubric, RUBRIC.toml.")],
    submissions: Annotated[
        list[Path] | None,
        typer.Argument(metavar="SUBMISSION…", help="Python files, or a directory of them, one level deep."),
    ] = None,
    check_rubric: Annotated[
        bool,
        typer.Option("--check-rubric", help="Run typical mistakes, and name each criterion that none fails."),
    ] = False,
    results: Annotated[
        Path | None,
        kit.option("--results", "FILE", "Write Gradescope's results.json, of one submission."),
    ] = None,
    csv: Annotated[
        Path | None, kit.option("--csv", "FILE", "Write a table with a row for each submission to FILE.")
    ] = None,
    html: Annotated[
        Path | None, kit.option("--html", "FILE", "Write a report of the class to FILE, as a page.")
    ] = None,
    jobs: Annotated[int, kit.option("--jobs", "N", "Grade N submissions at once.", min=1)] = 1,
    json: kit.Json = False,
) -> int:
    """Grade submissions by a rubric.

    Students' code runs in contained processes with limits on time, memory and disk: whatever it does costs
    points, with the reason, and the grader continues. Exit code 0: all were graded, whatever their points; 1: with
    --check-rubric, a criterion can't be failed; 2: wrong use, a faulty rubric, or a submission that is missing (the
    others are graded); 3: Ctrl-C, after which the results so far are there.

    Example: searchkit grade rubric.toml student.py --results results.json
    """
    from searchkit_coursework import report
    from searchkit_coursework.grader import Grader
    from searchkit_coursework.planted import check_criterion
    from searchkit_coursework.rubric import read_rubric

    if rubric.is_dir() or rubric.suffix == ".py":
        raise InvalidOptionError(f"{rubric}: expected the rubric first: searchkit grade rubric.toml {rubric}")
    read = read_rubric(rubric)
    if check_rubric:
        checks = [check_criterion(criterion) for criterion in read.criteria]
        for line, _ in checks:
            kit.result_console().print(line, soft_wrap=True)
        return kit.DONE if all(can_fail for _, can_fail in checks) else kit.FAILED
    if not submissions:
        raise InvalidOptionError("Missing argument 'SUBMISSION…': give Python files, or a directory")
    files = named(submissions, read.submissions)
    several = len(files) > 1
    if results is not None and several:
        raise InvalidOptionError(
            "--results is for one submission; of a class, --json, --csv and --html have all"
        )
    outputs = {
        "--csv": (csv, report.csv_table),
        "--results": (results, report.results_json),
        "--html": (html, report.page),
    }
    for option, (path, _) in outputs.items():
        if path is not None:
            kit.refuse_unwritable(option, path)
    grades = grade_all(Grader(read), files, jobs)
    if json:
        each = [{"submission": grade.name, **report.gradescope(grade)} for grade in grades]
        kit.write_json("grade", {"rubric": read.title, "max_score": read.points, "submissions": each})
    else:
        report.show_grades(kit.result_console(), read, grades, several=several)
    for path, make in outputs.values():
        if path is not None and grades:
            kit.write_file(path, make(read, grades))
    if len(grades) < len(files):
        raise KeyboardInterrupt
    missing = [grade for grade in grades if grade.ungraded]
    if missing:
        raise SearchkitError("; ".join(f"{grade.name} has no points: {grade.trouble}" for grade in missing))
    return kit.DONE


def named(paths: Sequence[Path], patterns: Sequence[str] = ()) -> dict[str, Path]:
    """Return name → file of each submission; of a directory, the files that match one of the patterns.

    A pattern of two parts, such as `*/student.py`, means one file in each directory, even if it does not exist. Raises
    `InvalidOptionError` for a directory without submissions, and a file given twice.
    """
    files: dict[str, Path] = {}
    for path in paths:
        for file in _in_directory(path, patterns) if path.is_dir() else [path]:
            if file in files.values():
                raise InvalidOptionError(f"{file} is given twice")
            short = str(file.relative_to(path)) if path.is_dir() else str(file)
            names = (short, str(file), str(file.absolute()))
            files[next(name for name in names if name not in files)] = file
    return files


def _in_directory(path: Path, patterns: Sequence[str]) -> list[Path]:
    found = set[Path]()
    for pattern in patterns or PATTERNS:
        folder, _, name = pattern.rpartition("/")
        for each in path.glob(folder) if folder else [path]:
            if each.is_dir():
                found.update(each.glob(name) if set(name) & set("*?[") else [each / name])
    if not patterns:
        found = {file for file in found if file.name != "__init__.py"}
    if not found:
        what = f"files match {' or '.join(patterns)}" if patterns else "Python files are in this directory"
        raise InvalidOptionError(f"{path}: no {what}")
    return sorted(found)


def grade_all(grader: "Grader", files: Mapping[str, Path], jobs: int) -> "list[Grade]":
    """Grade all submissions, `jobs` at once, with progress on stderr; after Ctrl-C, return the grades so far."""
    grades: list[Future[Grade]] = []

    def progress() -> str:
        return f"{sum(grade.done() for grade in grades)} of {len(files)} graded"

    with kit.interruptible() as interruption, kit.progress(progress), ThreadPoolExecutor(jobs) as pool:
        interruption.watch(grader)
        grades += [pool.submit(grader.grade, file, name) for name, file in files.items()]
        while wait(grades, SIGNAL_SECONDS).not_done:
            pass  # a signal that another thread receives does not end the wait
    return [grade.result() for grade in grades if not grade.result().stopped]
