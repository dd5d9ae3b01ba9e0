"""The command `searchkit`: finding a command by name, running it, and turning every error into one message."""

import logging
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, redirect_stderr, redirect_stdout, suppress
from functools import cached_property
from io import StringIO
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from typer.core import TyperGroup
from typer.main import get_command

from searchkit import __version__
from searchkit.basics.text import visible
from searchkit.cli.completion import VARIABLE
from searchkit.errors import RESUME, PluginError, PluginWarning, ProgramError, SearchkitError, shortened

if TYPE_CHECKING:
    from searchkit.plugin.specs import CommandSpec

COMMANDS = {
    "solve": "solve:solve",
    "certify": "certify:certify",
    "compare": "compare:compare",
    "watch": "watch:watch",
    "scenario": "scenario:scenario",
    "demo": "demo:demo",
    "generate": "generate:app",
    "contract": "contract:contract",
    "compile": "compile:compile_all",
    "translate": "translate:translate",
    "engines": "lists:engines",
    "problems": "lists:problems",
    "plugins": "lists:plugins",
    "new": "new:app",
}
"""The commands of searchkit itself → their modules in `searchkit.cli.commands`, each with a function or a Typer app."""

DONE = 0
"""Exit code: solved, or done."""
UNSOLVABLE = FAILED = 1
"""Exit code: it is proved that no path exists; or something that was checked does not hold."""
WRONG_USE = 2
"""Exit code: wrong use or wrong input. A command raises a `SearchkitError` instead of returning it."""
CUT_OFF = 3
"""Exit code: ended by a limit or by Ctrl-C."""
TYPER_INTERRUPTED = 130
"""What typer returns for a command that a KeyboardInterrupt ended."""


class Commands(Mapping[str, Any]):
    """The commands by name. Looking one up imports it; plugins are loaded only for names that are not searchkit's."""

    def __getitem__(self, name: str) -> Any:
        if name in COMMANDS:
            found = resolve_name(f"searchkit.cli.commands.{COMMANDS[name]}")
        else:
            found = _imported(self.of_plugins[name])
        return command_from(found, name)

    def __iter__(self) -> Iterator[str]:
        yield from COMMANDS
        yield from self.of_plugins

    def __len__(self) -> int:
        return len(COMMANDS) + len(self.of_plugins)

    @cached_property
    def of_plugins(self) -> "dict[str, CommandSpec]":
        """The commands of plugins, by name."""
        from searchkit.plugin.registry import registry

        return {name: spec for name, spec in registry().commands.items() if name not in COMMANDS}


def command_from(found: Any, name: str) -> Any:
    """Return the command that a function, or a Typer app, describes."""
    app = found
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command()(found)
    command = get_command(app)
    command.name = name  # a group of commands has no name of its own
    return command


def _imported(spec: "CommandSpec") -> Any:
    """Import a command of a plugin. Raises `PluginError`."""
    try:
        found = resolve_name(spec.target)
    except Exception as error:
        raise PluginError(
            f"command {spec.name!r} can't be imported from {spec.target!r}: {type(error).__name__}: {error}"
        ) from error
    if not callable(found):
        raise PluginError(f"command {spec.name!r}: {spec.target!r} is {found!r:.60}, expected a function")
    return found


class LazyGroup(TyperGroup):
    """A group of commands that are imported when they are used."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self.commands: Any = Commands()

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands; typer would import each."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of the commands for `--help`; commands of plugins are listed without importing them."""
        of_plugins, width = self.commands.of_plugins, formatter.width - 6 - max(map(len, self.commands))
        own = {name: self.commands[name].get_short_help_str(width) for name in COMMANDS}
        rows = own | {name: spec.summary for name, spec in of_plugins.items()}
        with formatter.section("Commands"):
            formatter.write_dl(list(rows.items()))


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Print the version and exit, if `--version` was given."""
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
        return WRONG_USE
    return DONE


def run(arguments: Sequence[str] | None) -> int:
    """Run the command line and return the exit code; see `searchkit.cli.main`."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if os.environ.get(VARIABLE):
        return _complete(arguments)
    if sys.stdout is None:  # closed by the shell, as in `searchkit … >&-`
        sys.stdout = StringIO()
    if hasattr(sys.stdout, "reconfigure"):  # a terminal that can't show a character shows a question mark
        sys.stdout.reconfigure(errors="replace")
    with warnings.catch_warnings():
        warnings.simplefilter("always", PluginWarning)
        warnings.showwarning = _shown_once()
        logger = logging.getLogger("searchkit")  # it says, for example, that an engine is being compiled
        logger.setLevel(logging.INFO)
        logger.handlers = [logging.StreamHandler()]
        _stdout.append(sys.stdout)
        json = "--json" in arguments and sys.stderr is not None
        try:
            # What a problem or a plugin prints goes to stderr then: stdout is for the object alone.
            with redirect_stdout(sys.stderr) if json else nullcontext():
                code = _run_command(arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            silence_stdout()
            code = DONE
        except OSError as error:  # a full disk
            silence_stdout()
            code = _report(f"the output can't be written: {error.strerror}")
        finally:
            _stdout.pop()
    return code


def _complete(arguments: Sequence[str]) -> int:
    """Answer the shell, which asks what to offer on TAB; nothing else is printed."""
    with warnings.catch_warnings(), redirect_stderr(None):
        warnings.simplefilter("ignore")
        try:
            get_command(app).main(arguments, prog_name="searchkit", standalone_mode=False)
        except SystemExit as end:
            return int(end.code or DONE)
    return DONE


_stdout: list[TextIO] = []
"""The streams of the commands that run, the last one now."""


def json_stream() -> TextIO:
    """Return the stream for the object that `--json` prints."""
    return _stdout[-1] if _stdout else sys.stdout


def _run_command(arguments: Sequence[str]) -> int:
    """Run the command; report every error but a broken pipe as one message."""
    try:
        code = get_command(app).main(arguments, prog_name="searchkit", standalone_mode=False)
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # typer, when the reader of its help has gone
            return DONE
        frame = list(traceback.walk_tb(error.__traceback__))[-1][0]
        if frame.f_globals["__name__"] == "typer.completion":  # how --show-completion ends
            return int(error.code or DONE)
        place = f"{frame.f_code.co_name} ({frame.f_code.co_filename}:{frame.f_lineno})"
        return _report(
            f"{place} called sys.exit({error.code!r}); a problem, an engine or a plugin must not end the program"
        )
    except KeyboardInterrupt:
        code = TYPER_INTERRUPTED
    except typer.TyperException as error:
        context, name = getattr(error, "ctx", None), getattr(error, "option_name", "")
        hint = f"; see: {context.command_path} --help" if context is not None else ""
        if "extra argument" in error.format_message() and "--engines" in arguments:
            hint = f"; a list has no spaces: --engines bfs,astar{hint}"
        if name.startswith("--") and context and any(each.name == "set" for each in context.command.params):
            hint = f"; an option of the problem or of the engine: --set {name[2:]}=VALUE{hint}"
        return _report(" ".join(error.format_message().split()).rstrip(".") + hint)
    except BrokenPipeError:
        raise
    except Exception as error:
        return _report(explained(error))
    if code == TYPER_INTERRUPTED:
        _say("interrupted")
        return CUT_OFF
    return int(code or DONE)


def explained(error: Exception) -> str:
    """Return an error that was caught as the message that a user reads; with SEARCHKIT_DEBUG, print its traceback."""
    if os.environ.get("SEARCHKIT_DEBUG", "") not in ("", "0"):
        traceback.print_exc()
    if isinstance(error, MemoryError):
        return (
            "the memory that this process may take is used up; --max-memory MB ends a search in time, and "
            "--checkpoint FILE saves it then"
        )
    from searchkit.plugin.programs import line_of_error  # it takes time to import

    message, ending = str(error).replace(RESUME, "; correct it, and run the command again"), ""
    cause = None if isinstance(error, ProgramError) else error.__cause__
    if not isinstance(error, SearchkitError | OSError):  # a property of a problem may have raised it
        message, cause = f"{type(error).__name__}: {error}", error
        ending = "; this is a fault in searchkit or in a plugin: SEARCHKIT_DEBUG=1 shows where it happened"
    line = cause and line_of_error(cause)
    return f"{message}; it was raised in {line[0]}: {line[1]}" if line else message + ending


def _report(message: str) -> int:
    _say(f"error: {message}")
    return WRONG_USE


def _shown_once() -> Callable[..., None]:
    """Return a replacement of `warnings.showwarning` that shows each warning once, even if a file is read twice."""
    shown: set[str] = set()

    def show(message: Warning, category: type[Warning], *place: Any) -> None:
        own = issubclass(category, PluginWarning)
        text = (
            f"warning: {message}" if own else warnings.formatwarning(message, category, *place[:2]).rstrip()
        )
        if text not in shown:
            shown.add(text)
            _say(text)

    return show


def _say(message: str) -> None:
    text = re.sub(r"\S{300,}", lambda word: shortened(word[0], 200), visible(message))
    typer.echo(text, err=True)


def silence_stdout() -> None:
    """Discard all further output, so that the interpreter's last flush does not fail when the reader has gone."""
    with suppress(OSError, ValueError):  # in tests, stdout is not a file, and nothing flushes it at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), json_stream().fileno())
