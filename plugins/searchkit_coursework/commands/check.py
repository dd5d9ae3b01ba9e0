"""`searchkit check`: checks a search, a heuristic or a problem in a plain file."""

from concurrent.futures import wait
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import evolve

from searchkit.cli import kit
from searchkit.errors import InvalidLimitError, InvalidOptionError

if TYPE_CHECKING:
    from searchkit_coursework.checking import Kind
    from searchkit_coursework.sandbox.endings import RunLimits

SIGNAL_SECONDS = 0.1
"""The longest time until Ctrl-C is noticed while workers check."""
app = typer.Typer(add_completion=False, rich_markup_mode=None)

Target = Annotated[
    str,
    typer.Argument(
        metavar="FILE:NAME",
        help="A Python file and a name in it: student.py:astar.",
        autocompletion=kit.complete_source,
    ),
]
Promises = Annotated[
    list[str] | None,
    typer.Option(
        "--promise", metavar="P", help="A promise to check, instead of those checked by default; repeatable."
    ),
]
Examples = Annotated[
    int | None, typer.Option("--examples", metavar="N", min=1, help="How many cases to try.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="The same seed gives the same cases.")]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--max-seconds", metavar="S", min=0, help="The time limit of the whole check (default: 60)."
    ),
]
Memory = Annotated[
    float | None,
    typer.Option("--max-memory", metavar="MB", min=0, help="The memory limit of the code (default: 512)."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="An option of the problem given with --problem; repeatable."
    ),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write the report to FILE as well, as a page.")
]


@app.callback()
def check() -> None:
    """Check a plain file: a search, a heuristic or a problem.

    It runs in a separate process with limits: a search that never ends is a failure. Exit code 0: everything that was
    checked holds; 1: something fails; 2: wrong use, or a file that can't be loaded.

    Example: searchkit check engine student.py:astar
    """


@app.command()
def engine(
    target: Target,
    promise: Promises = None,
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
    set: Settings = None,
    examples: Examples = None,
    seed: Seed = 0,
    max_seconds: Seconds = None,
    max_memory: Memory = None,
    workers: kit.Workers = None,
    html: Html = None,
    json: kit.Json = False,
) -> int:
    """Check a search on many small problems.

    FILE:NAME is a function of a problem that returns a list of states, or None if there is no path; or an engine, a
    generator function of a problem and a tree, or its EngineSpec.

    Example: searchkit check engine student.py:astar --promise optimal
    """
    return _check(
        "engine", target, promise, problem, set, examples, seed, max_seconds, max_memory, workers, html, json
    )


@app.command()
def heuristic(
    target: Target,
    problem: Annotated[
        str,
        typer.Option(
            "--problem",
            metavar="P",
            help="The problem of the heuristic: a kind of problem, an example, a file, or a problem in a Python file, "
            "FILE.py:NAME.",
            autocompletion=kit.complete_source,
        ),
    ],
    promise: Promises = None,
    set: Settings = None,
    examples: Examples = None,
    seed: Seed = 0,
    max_seconds: Seconds = None,
    max_memory: Memory = None,
    workers: kit.Workers = None,
    html: Html = None,
    json: kit.Json = False,
) -> int:
    """Check a heuristic against the exact distances.

    FILE:NAME is a function of a state and its problem that returns a number.

    Example: searchkit check heuristic student.py:h --problem keys --set contracted=false
    """
    return _check(
        "heuristic",
        target,
        promise,
        problem,
        set,
        examples,
        seed,
        max_seconds,
        max_memory,
        workers,
        html,
        json,
    )


@app.command()
def problem(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE[:NAME]",
            help="A Python file and a name in it: student.py:Maze; a file with one problem needs no name.",
            autocompletion=kit.complete_source,
        ),
    ],
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="An argument of the class or function; repeatable.",
        ),
    ] = None,
    examples: Examples = None,
    seed: Seed = 0,
    max_seconds: Seconds = None,
    max_memory: Memory = None,
    workers: kit.Workers = None,
    html: Html = None,
    json: kit.Json = False,
) -> int:
    """Check that a problem keeps the promises that searches depend on.

    FILE:NAME is a problem, or a class or function that makes one; --set gives its arguments.

    Example: searchkit check problem student.py:Maze
    """
    return _check(
        "problem", target, None, None, set, examples, seed, max_seconds, max_memory, workers, html, json
    )


def _check(
    kind: "Kind",
    target: str,
    promises: list[str] | None,
    problem: str | None,
    settings: list[str] | None,
    examples: int | None,
    seed: int,
    max_seconds: float | None,
    max_memory: float | None,
    workers: str | None,
    html: Path | None,
    json: bool,
) -> int:
    from searchkit.disk.executors import open_executor
    from searchkit_coursework.checking import LIMITS, check_elsewhere, check_file
    from searchkit_coursework.sandbox.jobs import Sandbox

    if html is not None:
        kit.refuse_unwritable("--html", html)
    options = kit.read_settings(settings or ())
    if options and problem is None and kind != "problem":
        raise InvalidOptionError(
            f"--set {next(iter(options))}: it is an option of a problem; give that with --problem"
        )
    asked = partial(
        check_file,
        kind,
        target,
        promises=tuple(promises or ()),
        problem=problem,
        options=options,
        examples=examples,
        seed=seed,
        limits=run_limits(LIMITS, max_seconds, max_memory),
    )
    if workers is None:
        sandbox = Sandbox()
        with kit.interruptible() as interruption:
            interruption.watch(sandbox)
            report = asked(sandbox=sandbox)
    else:
        with open_executor(workers) as opened:
            future = opened.submit(check_elsewhere, asked, str(Path.cwd()))
            while not future.done():  # in short periods, so that Ctrl-C is noticed
                wait([future], SIGNAL_SECONDS)
            report = future.result()
    if json:
        kit.write_json(f"check {kind}", report.to_dict())
    else:
        from searchkit_coursework.commands.report import show_report

        show_report(kit.result_console(), report)
    if html is not None:
        from searchkit_coursework.commands.report import write_page

        write_page(html, report)
    return kit.DONE if report.holds else kit.FAILED


def run_limits(default: "RunLimits", seconds: float | None, memory: float | None) -> "RunLimits":
    """Return the limits that `--max-seconds` and `--max-memory` set. Raises `InvalidLimitError`."""
    if seconds == 0 or memory == 0:
        raise InvalidLimitError("--max-seconds, --max-memory: expected numbers > 0")
    return evolve(
        default,
        seconds=default.seconds if seconds is None else seconds,
        memory=default.memory if memory is None else memory,
    )
