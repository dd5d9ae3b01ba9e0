"""The commands, by name; each is imported only when it is asked for."""

from collections import UserDict
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from searchkit import __version__

COMMANDS = (
    "solve",
    "certify",
    "compare",
    "scenario",
    "demo",
    "generate",
    "contract",
    "precompute",
    "compile",
    "check",
    "grade",
    "engines",
    "problems",
    "plugins",
    "new",
)
"""Each is a module of this package with a Typer app `app` of one command, or of several: `check engine`."""


class LazyCommands(UserDict[str, Any]):
    """The commands by name; looking one up imports it."""

    def __getitem__(self, name: str) -> Any:
        if name not in self.data:
            raise KeyError(name)
        command = get_command(import_module(f"searchkit.cli.{name}").app)
        command.name = name  # a command of several has no name of its own
        return command


class LazyGroup(TyperGroup):
    """A group of commands that are imported when they are asked for."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self.commands = LazyCommands(dict.fromkeys(COMMANDS))


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Print the version and end, if `--version` was given."""
    if wanted:
        typer.echo(f"searchkit {__version__}")
        raise typer.Exit


@app.callback()
def searchkit(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> int:
    """Describe a search problem once, solve it with any engine, and know that the answer is right.

    Example: searchkit demo
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        return 2
    return 0
