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
            help="Python files; of a directory, all Python files in it and in the directories in it.",
        ),
    ],
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            metavar="PATH",
            help="Write Gradescope's results.json to PATH; of several submissions, one each into the directory PATH.",
        ),
    ] = None,
    jobs: Annotated[str, typer.Option("--jobs", metavar="N", help="Grade N submissions at once.")] = "1",
    json: _options.Json = False,
) -> int:
    """Grade submissions by a rubric.

    Students' code runs in processes of their own with limits on time, memory and output: whatever it does costs
    points, with the reason, and the grader goes on. Exit code 0: all were graded, whatever their points; 2: wrong
    use or a faulty rubric; 3: Ctrl-C, after which the results so far are there.

    Example: searchkit grade rubric.toml student.py --results results.json
    """
    from searchkit.cli._grades import grade_all, named, show_grades, write_results
    from searchkit.cli._limits import whole_number
    from searchkit.coursework.gradescope import results as gradescope
    from searchkit.coursework.grading import Grader
    from searchkit.coursework.rubric import read_rubric

    files = named(submissions)
    grader = Grader.of(read_rubric(rubric))
    grades, whole = grade_all(grader, files, whole_number("--jobs", jobs, least=1) or 1)
    if results is not None:
        write_results(results, grades, several=len(files) > 1)
    if json:
        from searchkit.cli._output import write_json

        write_json(
            {
                "rubric": grader.rubric.title,
                "max_score": grader.rubric.points,
                "submissions": [{"submission": grade.name, **gradescope(grade)} for grade in grades],
            }
        )
    else:
        from searchkit.cli._console import result_console

        show_grades(result_console(), grader.rubric, grades, several=len(files) > 1)
    if not whole:
        raise KeyboardInterrupt
    return 0
