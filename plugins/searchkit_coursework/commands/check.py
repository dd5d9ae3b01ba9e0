"""`searchkit check`: checks a search, a heuristic or a problem in a plain file."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from searchkit.cli import kit
from searchkit.errors import InvalidLimitError, InvalidOptionError

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Kind(StrEnum):
    """What is checked."""

    engine = "engine"
    heuristic = "heuristic"
    problem = "problem"


@app.command()
def check(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="engine, heuristic or problem.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE:NAME",
            help="A Python file and a name in it, student.py:astar; a file with one problem needs no name.",
            autocompletion=kit.complete_source,
        ),
    ],
    promise: Annotated[
        list[str] | None,
        typer.Option(
            "--promise",
            metavar="P",
            help="A promise to check, instead of those checked by default; repeatable.",
        ),
    ] = None,
    problem: Annotated[
        str | None,
        typer.Option(
            "--problem",
            metavar="P",
            help="Problems to try it on: a kind of problem, an example, a file, or a problem in a Python file, "
            "FILE.py:NAME.",
            autocompletion=kit.complete_source,
        ),
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="An option of the problem given with --problem, or of the one that is checked; repeatable.",
        ),
    ] = None,
    examples: Annotated[
        int | None, typer.Option("--examples", metavar="N", min=1, help="How many cases to try.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="The same seed gives the same cases.")
    ] = 0,
    max_seconds: Annotated[
        float, typer.Option("--max-seconds", metavar="S", min=0, help="The time limit of the whole check.")
    ] = 60,
    max_memory: Annotated[
        float, typer.Option("--max-memory", metavar="MB", min=0, help="The memory limit of the code.")
    ] = 512,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the report to FILE as well, as a page."),
    ] = None,
    json: kit.Json = False,
) -> int:
    """Check a plain file: a search, a heuristic or a problem.

    An engine is a function of a problem that returns a list of states, or None if there is no path; a generator
    function of a problem and a tree; or its EngineSpec. It is tried on many small problems. A heuristic is a function
    of a state and its problem that returns a number, or a problem that has one; it is compared with the exact
    distances. A problem is an object, or a class or function that makes one; it is checked for the promises that
    searches depend on.

    It runs with limits of time and memory: a search that never ends is a failure. Exit code 0: everything that was
    checked holds; 1: something fails; 2: wrong use, or a file that can't be loaded.

    Example: searchkit check engine student.py:astar --promise optimal
    """
    from searchkit_coursework.checking import check_file
    from searchkit_coursework.commands.report import show_report, write_page

    if html is not None:
        kit.refuse_unwritable("--html", html)
    if not max_seconds or not max_memory:
        raise InvalidLimitError("--max-seconds, --max-memory: expected numbers > 0")
    for name, given in {"--problem": problem, "--promise": promise}.items():
        if kind is Kind.problem and given:
            raise InvalidOptionError(f"{name} does not go with the check of a problem")
    options = kit.read_settings(set or ())
    if options and problem is None and kind is Kind.engine:
        raise InvalidOptionError(
            f"--set {next(iter(options))}: it is an option of a problem; give that with --problem"
        )
    report = check_file(
        kind.value,
        target,
        promises=tuple(promise or ()),
        problem=problem,
        options=options,
        examples=examples,
        seed=seed,
        seconds=max_seconds,
        memory=max_memory,
    )
    if json:
        kit.write_json("check", report.to_dict())
    else:
        show_report(kit.result_console(), report)
    if html is not None:
        write_page(html, report.subject, lambda console: show_report(console, report))
    return kit.DONE if report.holds else kit.FAILED
