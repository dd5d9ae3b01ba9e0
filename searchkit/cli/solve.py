"""`searchkit solve`: one problem, one engine."""

from typing import Annotated, Any

import typer

from searchkit.cli import _options
from searchkit.cli._codes import OF_STATUS

app = typer.Typer(add_completion=False, rich_markup_mode=None)
DRAWN_AFTER_CTRL_C = 20_000
"""Expansions up to which an interrupted search is drawn without being asked: reading many states takes its time."""


@app.command()
def solve(
    source: _options.Source,
    problem: _options.Problem = None,
    engine: _options.Engine = "auto",
    backend: _options.Backend = "auto",
    start: _options.Starts = None,
    goal: _options.Goals = None,
    set: _options.Settings = None,
    max_expansions: _options.MaxExpansions = None,
    max_seconds: _options.MaxSeconds = None,
    max_memory: _options.MaxMemory = None,
    json: _options.Json = False,
    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate", metavar="FILE", help="Write a proof there; searchkit certify checks it."
        ),
    ] = None,
    draw: _options.Draw = None,
    animate: _options.Animate = False,
) -> int:
    """Solve a problem with one engine.

    Prints the cost, what is proved, what it took, and a drawing.

    Exit code 0: solved; 1: proved unsolvable; 2: wrong use or input; 3: cut off by a limit or Ctrl-C.

    Example: searchkit solve arena.map --start 3,4 --goal 40,30 --engine astar
    """
    from searchkit.cli._interruption import interruptible
    from searchkit.cli._limits import read_limits
    from searchkit.cli._progress import progress, search_status
    from searchkit.cli._request import Request
    from searchkit.search.driver import Search

    _options.refuse_drawing_as_json(json, draw, animate)
    if certificate is not None:
        from searchkit.cli._certificate import refuse_unwritable

        refuse_unwritable(certificate)
    limits = read_limits(max_expansions, max_seconds, max_memory)
    request = Request.of(source, problem, start, goal, set)
    task = request.resolve([engine])
    search: Search[Any, Any] = Search(task.problem, engine, backend=backend, **task.options[engine])
    with interruptible() as interruption, progress(search_status(search, limits)):
        interruption.watch(search)
        result = search.run(limits, certificate=certificate is not None)
    written: list[tuple[str, str]] = []
    if certificate is not None and result.certificate is not None:
        from searchkit.cli._certificate import certificate_row, labelled, save

        save(labelled(result.certificate, request, task, engine), certificate)
        written.append(("certificate", certificate_row(certificate, task, result)))
    if json:
        from searchkit.cli._json import result_object
        from searchkit.cli._output import write_json

        write_json("solve", result_object(task.kind, result, certificate))
    else:
        from searchkit.cli._console import result_console
        from searchkit.cli._drawing import drawing_of, print_drawing
        from searchkit.cli._report import report

        console = result_console()
        if animate:
            from searchkit.cli._animation import animate as show

            show(console, search, result)
        console.print(report(task.kind, search, result, interruption.happened, written))
        large = interruption.happened and result.statistics.expanded > DRAWN_AFTER_CTRL_C
        if draw is not False and (draw or not large):
            drawing = drawing_of(search, result)
            print_drawing(console, drawing, console.drawing_height, console.means)
    return OF_STATUS[result.status.value]
