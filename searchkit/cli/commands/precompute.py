"""`searchkit precompute`: computes data that makes later searches of a file faster, and writes it beside the file."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from searchkit.cli import kit

Method = Annotated[
    str | None,
    typer.Option(
        "--method", metavar="ENGINE", help="The engine that is to use it. By default, what suits the problem."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write it to this file. An engine finds it only beside SOURCE."
    ),
]

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def precompute(
    source: kit.Source,
    problem: kit.Problem = None,
    set: kit.Settings = None,
    method: Method = None,
    output: Output = None,
) -> None:
    """Compute data that makes later searches of a file faster, and write it beside the file.

    For example, the jump distances of a grid map, which engine jps+ reads and refuses if the map has changed. With
    --method hub-labels, distances from which that engine reads any other: it does not search. With --method
    contraction-hierarchies, shortcuts in a graph.

    Example: searchkit precompute arena.map

    Example: searchkit precompute arena.map --method hub-labels
    """
    from searchkit.plugin.loading import precompute as work_out

    begin = perf_counter()
    settings = kit.Request.of(source, problem, settings=set).settings
    path, made = work_out(source, problem, settings, method, output)
    size = sum(map(len, made.parts))
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
    typer.echo(f"{path}: {made.summary}; {shown}, {perf_counter() - begin:.1f} s")
