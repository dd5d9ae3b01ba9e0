"""`searchkit compare`: solves a problem with several engines."""

from pathlib import Path
from typing import Annotated

import typer

from searchkit.cli import completion, kit


def compare(
    source: kit.Source,
    engines: Annotated[
        str | None,
        typer.Option(
            "--engines",
            metavar="A,B,…",
            help="The engines, separated by commas; all for all that can run. By default those that suit the problem.",
            autocompletion=completion.engine_lists,
        ),
    ] = None,
    # Same lines as in searchkit.cli.commands.solve: the options are the same
    problem: kit.Problem = None,
    backend: kit.Backend = "auto",
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    max_expansions: kit.MaxExpansions = None,
    max_seconds: kit.MaxSeconds = None,
    max_memory: kit.MaxMemory = None,
    json: kit.Json = False,
    draw: kit.Draw = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Record the searches, in Python, and write a page that plays them side by side to FILE.",
        ),
    ] = None,
) -> int:
    """Solve a problem with several engines.

    Prints the result and the effort of each engine. Limits apply to each engine separately. Without --engines, the
    engines that suit the problem run, beginning with the one that auto chooses. Without a limit, engines that are not
    named (also with --engines all) run for at most 5 seconds each.
    An engine that can't run on the problem is listed with the reason. Exit code 0: an engine solved it; 1: one
    proved it unsolvable; 2: wrong use or input, or none could run; 3: all were cut off.

    Example: searchkit compare arena.map --start 3,4 --goal 40,30 --engines dijkstra,astar,bucket
    """
    from searchkit.cli.commands.watch import record_all
    from searchkit.cli.comparison import exit_code, gallery, print_comparison, run_engines
    from searchkit.errors import InvalidOptionError
    from searchkit.plugin.registry import available_engines
    from searchkit.render.player import save_html
    from searchkit.search.comparison import unnamed_engines, without_contradictions

    kit.check_options({"--json": json, "--draw": draw})
    if html is not None:
        kit.refuse_unwritable("--html", html)
    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory)
    request = kit.Request.of(source, problem, start, goal, set)
    if engines is None or engines.strip() == "all":
        suited = request.resolve(list(available_engines())).problem
        names, limits = unnamed_engines(
            suited, None if limits == kit.Limits() else limits, every=engines is not None
        )
    else:
        names = list(dict.fromkeys(name.strip() for name in engines.split(",") if name.strip()))
    if not names:
        raise InvalidOptionError(
            f"--engines {engines!r}: expected names separated by commas: --engines bfs,astar"
        )
    task = request.resolve(names)
    rows = without_contradictions(task.problem, run_engines(task, names, backend, limits))
    console = kit.result_console()
    if json:
        kit.write_json(
            "compare",
            {
                "problem": task.kind,
                "engines": [
                    row.to_dict() if row.result is None else {"problem": task.kind, **row.to_dict()}
                    for row in rows
                ],
            },
        )
    else:
        if draw:
            for part in gallery(rows, console.width, console.drawing_height, console.means):
                console.print(part)
        print_comparison(console, rows)
    if html is not None:
        solvable = [row.engine for row in rows if row.result is not None]
        if solvable:
            recordings = record_all(request, solvable, limits, None)
            save_html(list(recordings.values()), html, request.title)
            if not json:
                console.print(f"written: {html}, {html.stat().st_size:,} bytes", soft_wrap=True)
    return exit_code(rows)
