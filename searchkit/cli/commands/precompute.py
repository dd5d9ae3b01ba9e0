"""`searchkit precompute`: computes data that makes later searches of a file faster, and writes it beside the file."""

from time import perf_counter

import typer

from searchkit.cli import kit

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def precompute(
    source: kit.Source,
    problem: kit.Problem = None,
    set: kit.Settings = None,
) -> None:
    """Compute data that makes later searches of a file faster, and write it beside the file.

    For example, the jump distances of a grid map, which engine jps+ reads and refuses if the map has changed.

    Example: searchkit precompute arena.map
    """
    from searchkit.plugin.loading import precompute as work_out

    begin = perf_counter()
    path, made = work_out(source, problem, kit.Request.of(source, problem, settings=set).settings)
    size = sum(map(len, made.parts))
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
    typer.echo(f"{path}: {made.summary}; {shown}, {perf_counter() - begin:.1f} s")
