"""`searchkit compare`: one problem, several engines."""

from typing import Annotated

import typer

from searchkit.cli import _options

SECONDS = 5
"""What an engine may take that nobody asked for."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def compare(
    source: _options.Source,
    engines: Annotated[
        str | None,
        typer.Option(
            "--engines",
            metavar="A,B,…",
            help="The engines, separated by commas; all for all that can run. By default those that suit the problem.",
        ),
    ] = None,
    problem: _options.Problem = None,
    backend: _options.Backend = "auto",
    start: _options.Starts = None,
    goal: _options.Goals = None,
    set: _options.Settings = None,
    max_expansions: _options.MaxExpansions = None,
    max_seconds: _options.MaxSeconds = None,
    max_memory: _options.MaxMemory = None,
    json: _options.Json = False,
    draw: _options.Draw = None,
) -> int:
    """Solve a problem with several engines.

    Prints what each found and what it took. Limits hold for each engine by itself. Without --engines, those that suit
    the problem run, the one that auto would choose first. Engines that are not named, those of --engines all too, run
    for at most 5 seconds each, unless a limit is given.
    An engine that can't run on the problem is listed with the reason. Exit code 0: an engine solved it; 1: one
    proved it unsolvable; 2: wrong use or input, or none could run; 3: all were cut off.

    Example: searchkit compare arena.map --start 3,4 --goal 40,30 --engines dijkstra,astar,bucket
    """
    from searchkit.cli._comparison import exit_code, run_engines
    from searchkit.cli._limits import read_limits
    from searchkit.cli._request import Request
    from searchkit.errors import InvalidOptionError
    from searchkit.plugin.registry import available_engines
    from searchkit.search.auto import engines_to_compare, fitting_engines
    from searchkit.search.limits import Limits

    _options.refuse_drawing_as_json(json, draw)
    limits = read_limits(max_expansions, max_seconds, max_memory)
    request = Request.of(source, problem, start, goal, set)
    if engines is None or engines.strip() == "all":
        fitting = engines_to_compare if engines is None else fitting_engines
        names = fitting(request.resolve(list(available_engines())).problem)
        if limits == Limits():
            limits = Limits(seconds=SECONDS)
    else:
        names = list(dict.fromkeys(name.strip() for name in engines.split(",") if name.strip()))
    if not names:
        raise InvalidOptionError(
            f"--engines {engines!r}: expected names separated by commas: --engines bfs,astar"
        )
    task = request.resolve(names)
    rows = run_engines(task, names, backend, limits)
    if json:
        from searchkit.cli._json import result_object
        from searchkit.cli._output import write_json

        write_json(
            "compare",
            {
                "problem": task.kind,
                "engines": [
                    {"engine": row.engine, "error": row.reason}
                    if row.result is None
                    else result_object(task.kind, row.result)
                    for row in rows
                ],
            },
        )
    else:
        from searchkit.cli._comparison import print_comparison
        from searchkit.cli._console import result_console
        from searchkit.cli._drawing import gallery

        console = result_console()
        if draw:
            for part in gallery(rows, console.width, console.drawing_height, console.means):
                console.print(part)
        print_comparison(console, rows)
    return exit_code(rows)
