"""`searchkit new`: the beginning of something of one's own."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def new() -> None:
    """Begin a package of your own.

    Example: searchkit new plugin jugs
    """


@app.command()
def plugin(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What the plugin and its kind of problem are called.")
    ],
    dir: Annotated[
        Path | None,
        typer.Option("--dir", metavar="D", help="The directory to make (default: searchkit-NAME)."),
    ] = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="The least that works: one module and its pyproject.toml.")
    ] = False,
) -> None:
    """Write a plugin package that installs, passes its tests and type checks as it is.

    A small problem with a heuristic, a text format that is read and written, a drawing, a Hypothesis strategy, an
    example, tests, and a README that says what to do with them. Nothing that exists is overwritten.

    Example: searchkit new plugin jugs
    """
    from shlex import quote

    from searchkit.cli._scaffold import write_package

    root, made = write_package(name, dir, bare)
    if bare:
        typer.echo(f"{root}: {len(made)} files, to begin with {made[0].name}. Next:")
        typer.echo(f"  cd {quote(str(root))} && python -m pip install --editable .")
        typer.echo(f"  echo {name} 100 > first.txt && searchkit solve first.txt")
        return
    package = next(path for path in made if path.name == "problem.py")
    typer.echo(f"{root}: {len(made)} files, to begin with {package.relative_to(root)}. Next:")
    typer.echo(f'  cd {quote(str(root))} && python -m pip install --editable ".[dev]"')
    typer.echo("  python -m pytest && python -m mypy")
    typer.echo(f"  searchkit solve first-{name} --draw")
