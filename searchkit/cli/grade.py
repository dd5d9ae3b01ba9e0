"""`searchkit grade`: points for submissions, by a rubric."""

from pathlib import Path
from typing import Annotated

import typer

from searchkit.cli import _options

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def grade(
    rubric: Annotated[Path, typer.Argument(metavar="RUBRIC", help="A rubric, RUBRIC.toml.")],
    submissions: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUBMISSION…",
            help="Python files; of a directory, what the rubric or --pattern names, or all Python files in it and in "
            "the directories in it.",
        ),
    ],
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            "--pattern",
            metavar="GLOB",
            help="Which files of a directory are submissions, such as '*/student.py'; repeatable.",
        ),
    ] = None,
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
    jobs: Annotated[str, typer.Option("--jobs", metavar="N", help="Grade N submissions at once.")] = "1",
    json: _options.Json = False,
) -> int:
    """Grade submissions by a rubric.

    Students' code runs in processes of its own with limits on time, memory and output: whatever it does costs
    points, with the reason, and the grader goes on. Exit code 0: all were graded, whatever their points; 2: wrong
    use, a faulty rubric, or a submission that is missing (the others are graded); 3: Ctrl-C, after which the results
    so far are there.

    Example: searchkit grade rubric.toml student.py --results results.json
    """
    from searchkit.cli._codes import DONE
    from searchkit.cli._grades import (
        grade_all,
        named,
        refuse_missing,
        refuse_nowhere,
        write_csv,
        write_results,
    )
    from searchkit.cli._interruption import interruptible
    from searchkit.cli._limits import whole_number
    from searchkit.coursework.gradescope import results as gradescope
    from searchkit.coursework.grading import Grader
    from searchkit.coursework.rubric import read_rubric
    from searchkit.coursework.sandbox import Sandbox

    read = read_rubric(rubric)
    files = named(submissions, pattern or read.submissions)
    workers, sandbox = whole_number("--jobs", jobs, least=1) or 1, Sandbox()
    for path in (csv, results):
        if path is not None:
            refuse_nowhere(path)
    with interruptible() as interruption:
        interruption.watch(sandbox)
        grader = Grader.of(read, sandbox)
        grades, whole = grade_all(grader, files, workers)
    if json:
        from searchkit.cli._output import write_json

        write_json(
            "grade",
            {
                "rubric": read.title,
                "max_score": read.points,
                "submissions": [{"submission": grade.name, **gradescope(grade)} for grade in grades],
            },
        )
    else:
        from searchkit.cli._class_table import show_grades
        from searchkit.cli._console import result_console

        show_grades(result_console(), read, grades, several=len(files) > 1)
    if results is not None:
        write_results(results, grades, several=len(files) > 1)
    if csv is not None:
        write_csv(csv, read, grades)
    if not whole:
        raise KeyboardInterrupt
    refuse_missing(grades)
    return DONE
