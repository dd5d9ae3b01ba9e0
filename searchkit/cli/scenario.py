"""`searchkit scenario`: an engine against published answers."""

from typing import Annotated

import typer

from searchkit.cli import _options

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def scenario(
    file: Annotated[str, typer.Argument(metavar="FILE.scen", help="A file of queries with known answers.")],
    map: Annotated[
        str | None,
        typer.Option("--map", metavar="FILE.map", help="The map, if not the one that FILE.scen names."),
    ] = None,
    engine: _options.Engine = "auto",
    backend: _options.Backend = "auto",
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="Run at most N queries.")] = None,
    every: Annotated[
        str, typer.Option("--every", metavar="K", help="Run the first query and each Kth after it.")
    ] = "1",
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="N", help="Run N queries at a time; by default, one on each core."),
    ] = None,
    json: _options.Json = False,
) -> int:
    """Check an engine against published answers.

    Runs the queries of a scenario file and compares the costs found with the costs given.

    Exit code 0: all agree; 1: some do not; 2: wrong use or input; 3: Ctrl-C came first.

    Example: searchkit scenario arena.map.scen --engine astar --every 10
    """
    from searchkit.cli._agreement import Agreement, run_queries
    from searchkit.cli._limits import whole_number
    from searchkit.errors import InputFormatError
    from searchkit.plugin.loading import load_scenario
    from searchkit.plugin.registry import registry

    if engine != "auto":
        registry().engine(engine)
    most, step = whole_number("--limit", limit, 1), whole_number("--every", every, 1)
    at_a_time = whole_number("--threads", threads, 1)
    loaded = load_scenario(file, map)
    if not loaded.queries:
        raise InputFormatError("there is no query in it; expected at least one", source=file)
    agreement: Agreement = run_queries(loaded, loaded.queries[::step][:most], engine, backend, at_a_time)
    if json:
        from searchkit.cli._output import write_json

        write_json("scenario", agreement.as_object())
    else:
        from searchkit.cli._console import result_console

        console = result_console()
        for line in agreement.lines():
            console.print(line, soft_wrap=True)
    return agreement.exit_code
