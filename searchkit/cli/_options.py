"""The arguments and options that several commands share."""

from typing import Annotated

import typer

from searchkit.errors import InvalidOptionError

Source = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A file, or the name of an example (see: searchkit problems).")
]
Problem = Annotated[
    str | None,
    typer.Option(
        "--problem", metavar="P", help="The kind of problem to read SOURCE as, if several could read it."
    ),
]
Engine = Annotated[
    str, typer.Option("--engine", metavar="E", help="The engine (see: searchkit engines); auto chooses one.")
]
Backend = Annotated[
    str, typer.Option("--backend", metavar="B", help="python, compiled, or auto: the fastest there is.")
]
Starts = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="X,Y", help="Start here, not where SOURCE says; repeat it for several."),
]
Goals = Annotated[
    list[str] | None,
    typer.Option("--goal", metavar="X,Y", help="Go here, not where SOURCE says; repeat it for several."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="An option of the engine or of the problem; repeatable."
    ),
]
MaxExpansions = Annotated[
    str | None, typer.Option("--max-expansions", metavar="N", help="Stop after this many expanded states.")
]
MaxSeconds = Annotated[
    str | None, typer.Option("--max-seconds", metavar="S", help="Stop after this many seconds.")
]
MaxMemory = Annotated[
    str | None, typer.Option("--max-memory", metavar="MB", help="Stop when the process takes this many MB.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Draw = Annotated[
    bool | None, typer.Option("--draw/--no-draw", help="Draw the problem and its path, or don't.")
]
Animate = Annotated[
    bool, typer.Option("--animate", help="Show the path found state by state: in a terminal as an animation.")
]


def refuse_drawing_as_json(json: bool, draw: bool | None, animate: bool = False) -> None:
    """Raise `InvalidOptionError` for `--json --draw` or `--animate`: JSON output is one object and nothing else."""
    if json and (draw or animate):
        raise InvalidOptionError(
            f"{'--draw' if draw else '--animate'}: with --json nothing but one object is printed; leave one of them out"
        )
