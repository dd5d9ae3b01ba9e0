"""What the author of a command imports: options, the problem to load, limits, output, progress, Ctrl-C, exit codes.

The commands of searchkit and those of plugins (hook `searchkit_commands`) use the same names. Nothing else of
`searchkit.cli` is public.

    from searchkit.cli import kit

    def count(source: kit.Source, problem: kit.Problem = None, set: kit.Settings = None, json: kit.Json = False) -> int:
        '''Count the start states of a problem.'''
        task = kit.Request.of(source, problem, settings=set).resolve()
        starts = list(task.problem.initial_states())
        if json:
            kit.write_json("count", {"problem": task.kind, "starts": len(starts)})
        else:
            kit.result_console().print(f"{task.kind}: {len(starts)} start states")
        return kit.DONE

A command returns its exit code. It reports wrong use and wrong input by raising a subclass of `SearchkitError`: the
message is printed on stderr and the exit code is `WRONG_USE`.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.basics.files import reporting_unwritable
from searchkit.basics.files import write_file as write_contents
from searchkit.basics.values import json_number as json_number
from searchkit.basics.values import plain as plain
from searchkit.basics.values import readable as readable
from searchkit.basics.values import readable_seconds as readable_seconds
from searchkit.cli import completion
from searchkit.cli.app import CUT_OFF as CUT_OFF
from searchkit.cli.app import DONE as DONE
from searchkit.cli.app import FAILED as FAILED
from searchkit.cli.app import UNSOLVABLE as UNSOLVABLE
from searchkit.cli.app import WRONG_USE as WRONG_USE
from searchkit.cli.app import explained as explained
from searchkit.cli.app import json_stream
from searchkit.cli.app import silence_stdout as silence_stdout
from searchkit.cli.request import Request as Request
from searchkit.cli.request import Task as Task
from searchkit.cli.request import read_settings as read_settings
from searchkit.errors import InvalidOptionError
from searchkit.search.limits import Limits as Limits

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from searchkit.cli.console import ResultConsole


def option(
    name: str,
    metavar: str,
    help: str,
    complete: Callable[..., Any] | None = None,
    *,
    min: float | None = None,
) -> Any:
    """Return an option for Typer, as in `Annotated[str, kit.option("--engine", "E", "The engine.")]`.

    `metavar` is its value in the help, `complete` offers values on Tab, and `min` is the least number.
    """
    return typer.Option(name, metavar=metavar, help=help, autocompletion=complete, min=min)


complete_source = completion.sources
"""What a plugin's command passes as `autocompletion` for an argument or option like `Source`."""
SOURCE: Any = typer.Argument(
    metavar="SOURCE",
    help="A file, - for standard input, FILE.py:NAME for a problem in your own Python file, or the name of an example "
    "or of a problem without file (see: searchkit problems).",
    autocompletion=completion.sources,
)
Source = Annotated[str, SOURCE]
Problem = Annotated[
    str | None,
    option(
        "--problem",
        "P",
        "The kind of problem to read SOURCE as, if several could read it.",
        completion.problems,
    ),
]
Engine = Annotated[
    str,
    option("--engine", "E", "The engine, or your own: FILE.py:NAME; auto chooses one.", completion.engines),
]
Backend = Annotated[
    str, option("--backend", "B", "python, compiled, or auto: the fastest there is.", completion.backends)
]
Workers = Annotated[
    str | None, option("--workers", "W", "Where the tasks run: threads:N, processes:N, ray or ray://….")
]
Starts = Annotated[
    list[str] | None, option("--start", "X,Y", "Start here, not where SOURCE says; repeat it for several.")
]
Goals = Annotated[
    list[str] | None, option("--goal", "X,Y", "Go here, not where SOURCE says; repeat it for several.")
]
Settings = Annotated[
    list[str] | None,
    option("--set", "NAME=VALUE", "An option of the engine or of the problem; repeatable."),
]
MaxExpansions = Annotated[
    int | None, option("--max-expansions", "N", "Stop after this many expanded states.", min=0)
]
MaxSeconds = Annotated[float | None, option("--max-seconds", "S", "Stop after this many seconds.", min=0)]
MaxMemory = Annotated[
    float | None, option("--max-memory", "MB", "Stop when the process takes this many MB.", min=0)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Draw = Annotated[
    bool | None, typer.Option("--draw/--no-draw", help="Draw the problem and its path, or don't.")
]
EXCLUDING = {
    ("--json", "--draw"): "with --json nothing but one object is printed",
    ("--json", "--animate"): "with --json nothing but one object is printed",
    ("--spill", "--checkpoint"): "a search on disk is resumed from its directory",
}
"""Options that exclude each other → why."""
NEEDING = {
    ("--every", "--checkpoint"): "it is how often --checkpoint FILE is written",
    ("--changed-problem", "--resume"): "it is how --resume FILE loads the search",
    ("--spill", "--max-memory"): "it is where the search begins again at its limit of memory",
}
"""Options that need another one → what they are."""


def check_options(given: Mapping[str, object]) -> None:
    """Raise `InvalidOptionError` if options exclude each other (`EXCLUDING`), or one that is needed is missing.

    Args:
        given: the arguments of the command, as `locals()` in its first line; an option that was not given has the value
            None or False.

    """
    values = {f"--{name.replace('_', '-')}": value for name, value in given.items()}
    for (one, other), reason in EXCLUDING.items():
        if values.get(one) and values.get(other):
            raise InvalidOptionError(f"{one}, {other}: {reason}; leave one of them out")
    for (one, other), reason in NEEDING.items():
        if values.get(one) and values.get(other) is None:
            value = "" if values[one] is True else f" {values[one]}"
            raise InvalidOptionError(f"{one}{value}: {reason}; give {other} too")


SCHEMA = 1
"""The version of the form of all `--json` outputs: docs/reference/formats.md.

It is increased when a field is removed, is renamed or changes its meaning, and not when a field is added.
"""


def write_json(command: str, value: Mapping[str, object]) -> None:
    """Write the `--json` output of a command to stdout, as one line. Raises ValueError for NaN and infinity.

    The object begins with the fields `schema`, the version of the form, and `command`; those of `value` follow.
    """
    line = json.dumps({"schema": SCHEMA, "command": command, **value}, allow_nan=False)
    try:
        stream = json_stream()
        stream.write(f"{line}\n")
        stream.flush()
    except BrokenPipeError:
        silence_stdout()


def result_console() -> "ResultConsole":
    """Return a `rich` console on stdout. Without a terminal it has no colours and is 80 or $COLUMNS columns wide."""
    from searchkit.cli.console import ResultConsole

    return ResultConsole(highlight=False, markup=False, emoji=False)


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], *, show_lines: bool = False) -> "Table":
    """Return a `rich` table."""
    from rich import table as rich

    made = rich.Table(header_style="bold", show_lines=show_lines)
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def refuse_unwritable(option: str, path: Path | str, source: str = "") -> None:
    """Raise `InvalidOptionError`, which names the option, if no file can be written there, or it is the source."""
    target = Path(os.path.realpath(path))  # it raises nothing where links lead in a circle
    faults = {
        "it is a directory": target.is_dir(),
        "it is the source": target in [Path(name).resolve() for name in (source, source.rpartition(":")[0])],
        f"there is no directory {target.parent}": not target.parent.is_dir(),
        "it may not be written to": not os.access(target if target.exists() else target.parent, os.W_OK),
    }
    for fault in [fault for fault, holds in faults.items() if holds][:1]:
        raise InvalidOptionError(f"{option} {path}: {fault}; expected the name of a file that may be written")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, replacing what is there. Raises `InvalidOptionError` if the file can't be written."""
    with reporting_unwritable(path):
        write_contents(path, content)


DELAY_SECONDS = 0.5


@contextmanager
def progress(status: Callable[[], str]) -> Iterator[None]:
    """Show `status()` on stderr eight times a second while the block runs, beginning after half a second.

    `status` is called in a thread of its own, so that the work does not wait for it. If stderr is not a terminal,
    nothing is shown.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    shown: list[Live] = []

    def show() -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        console = Console(stderr=True)
        if not console.is_dumb_terminal:
            where: dict[str, Any] = {"console": console, "redirect_stdout": False, "redirect_stderr": False}
            how: dict[str, Any] = {"refresh_per_second": 8, "transient": True, **where}
            shown.append(Live(get_renderable=lambda: Text(status()), **how))
            shown[0].start()

    timer = threading.Timer(DELAY_SECONDS, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for live in shown:
            live.stop()


class Interruption:
    """Whether Ctrl-C was pressed, and the search that it ends."""

    def __init__(self) -> None:
        self.happened = False
        self.search: Any = None

    def watch(self, search: Any) -> None:
        """Let Ctrl-C end this search, by its method `interrupt()`; end it at once if Ctrl-C was pressed before."""
        self.search = search
        if self.happened:
            search.interrupt()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.happened:
            raise KeyboardInterrupt
        self.happened = True
        if self.search is not None:
            self.search.interrupt()


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Handle Ctrl-C while the block runs: the first ends the watched search, the second raises KeyboardInterrupt.

    Outside the main thread, which alone receives signals, nothing is changed.
    """
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = signal.signal(signal.SIGINT, interruption._handle)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
