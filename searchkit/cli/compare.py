"""`searchkit compare`: one problem, several engines."""

from typing import Annotated

import typer

from searchkit.cli import _options

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def compare(
    source: _options.Source,
    engines: Annotated[
        str, typer.Option("--engines", metavar="A,B,…", help="The engines, separated by commas.")
    ],
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

    Prints what each found and what it took. Limits hold for each engine by itself.
    An engine that can't run on the problem is listed with the reason. Exit code 0: an engine solved it; 1: one
    proved it unsolvable; 2: wrong use or input, or none could run; 3: all were cut off.

    Example: searchkit compare arena.map --start 3,4 --goal 40,30 --engines dijkstra,astar,bucket
    """
    from searchkit.cli._comparison import exit_code, run_engines
    from searchkit.cli._limits import read_limits
    from searchkit.cli._request import Request
    from searchkit.errors import InvalidOptionError

    _options.refuse_drawing_as_json(json, draw)
    names = list(dict.fromkeys(name.strip() for name in engines.split(",") if name.strip()))
    if not names:
        raise InvalidOptionError(
            f"--engines {engines!r}: expected names separated by commas: --engines bfs,astar"
        )
    limits = read_limits(max_expansions, max_seconds, max_memory)
    task = Request.of(source, problem, start, goal, set).resolve(names)
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
