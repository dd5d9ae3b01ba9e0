"""Grading a class: progress, tables, and the files of results."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from searchkit.cli._progress import Status, progress
from searchkit.coursework.gradescope import results
from searchkit.coursework.grading import Grade, Grader, Mark
from searchkit.coursework.rubric import Rubric
from searchkit.errors import InvalidOptionError


def named(paths: Sequence[Path]) -> dict[str, Path]:
    """Return name → file of each submission: directories stand for the Python files in them.

    Raises `InvalidOptionError` for a directory without any, and for a file given twice.
    """
    files: dict[str, Path] = {}
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(p for p in [*path.glob("*.py"), *path.glob("*/*.py")] if p.name != "__init__.py")
            if not found:
                raise InvalidOptionError(f"{path}: there are no Python files in this directory")
        for file in found:
            name = str(file.relative_to(path)) if path.is_dir() else str(file)
            name = str(file) if name in files else name
            if name in files:
                raise InvalidOptionError(f"{name} is given twice")
            files[name] = file
    return files


def grade_all(grader: Grader, files: Mapping[str, Path], jobs: int) -> tuple[list[Grade], bool]:
    """Grade all, `jobs` at once, with progress on stderr; return the grades, and whether they are all there.

    Ctrl-C ends what runs, and leaves the grades so far.
    """
    done: dict[str, Grade] = {}

    def status() -> Status:
        return Status(f"{len(done)} of {len(files)} graded", len(done) / len(files))

    with ThreadPoolExecutor(jobs) as pool, progress(status):
        waiting = {pool.submit(grader.grade, file, name): name for name, file in files.items()}
        try:
            for future in as_completed(waiting):
                done[waiting[future]] = future.result()
        except BaseException as error:
            grader.sandbox.stop()
            pool.shutdown(cancel_futures=True)
            if not isinstance(error, KeyboardInterrupt):
                raise
            # What was ready when Ctrl-C came, before it was counted here; an error stays for the next time.
            ready = [future for future in waiting if not future.cancelled() and future.exception() is None]
            done |= {waiting[future]: future.result() for future in ready}
    kept = [done[name] for name in files if name in done and not done[name].stopped]
    return kept, len(kept) == len(files)


def write_results(path: Path, grades: Sequence[Grade], *, several: bool) -> None:
    """Write Gradescope's file for one submission to `path`, those of several into the directory `path`.

    Raises `InvalidOptionError` where they can't be written.
    """
    try:
        if several:
            path.mkdir(parents=True, exist_ok=True)
        for grade in grades:
            stem = grade.name.removesuffix(".py").replace("/", "_").replace("\\", "_").replace("..", "")
            file = path / f"{stem.strip('_')}.json" if several else path
            file.write_text(json.dumps(results(grade), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        what = "a directory for the results" if several else "a file in a directory that exists"
        raise InvalidOptionError(f"{path} can't be written: {error.strerror}; expected {what}") from error


def show_grades(console: Console, rubric: Rubric, grades: Sequence[Grade], *, several: bool) -> None:
    """Print the table of a class; for one submission, all of what it is told."""
    if several:
        console.print(_class_table(rubric, grades))
        return
    for grade in grades:
        _show_one(console, rubric, grade)


def _class_table(rubric: Rubric, grades: Sequence[Grade]) -> Table:
    table = Table(title=rubric.title, header_style="bold", title_style="bold", show_lines=True)
    table.add_column("submission", overflow="fold")
    table.add_column(f"points of {rubric.points:g}", justify="right")
    table.add_column("lost on", overflow="fold")
    for grade in grades:
        lost = [
            Text.assemble((mark.criterion.name, "bold"), f": {_first_line(mark)}")
            for mark in grade.marks
            if not mark.passed
        ]
        style = "green" if grade.score >= rubric.points else ""
        table.add_row(grade.name, Text(f"{grade.score:g}", style=style), Group(*lost))
    return table


def _show_one(console: Console, rubric: Rubric, grade: Grade) -> None:
    console.print(Text.assemble((rubric.title, "bold"), f": {grade.name}"))
    for mark in grade.marks:
        sign, style = ("✓", "green") if mark.passed else ("✗", "bold red")
        points = f"{mark.score:g} of {mark.criterion.points:g}"
        console.print(Text.assemble((f"{sign} {mark.criterion.name}", style), f"  {points}"))
        for line in mark.message.splitlines() if not mark.passed else ():
            console.print(f"    {line}", soft_wrap=True)
    console.print(Text(f"{grade.score:g} of {grade.most:g} points", style="bold"))
    if grade.printed:
        console.print(f"\nIt printed:\n{grade.printed.rstrip()}", soft_wrap=True)


def _first_line(mark: Mark) -> str:
    lines = mark.message.splitlines()
    partly = lines[0].startswith("right on ") and len(lines) > 1
    return f"{lines[0]}; {lines[1]}" if partly else lines[0]
