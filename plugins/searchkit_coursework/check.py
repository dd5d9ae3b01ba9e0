"""`searchkit check`: the checks of `searchkit.testing` on a plain file, within limits of time and memory."""

import faulthandler
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from enum import StrEnum
from inspect import isfunction
from io import StringIO
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import kit
from searchkit.errors import InvalidLimitError, InvalidOptionError, ProgramError, UnknownNameError, unknown
from searchkit.plugin.programs import find_name, line_of_error, load_module, loaded_module, split_program
from searchkit.plugin.registry import registry
from searchkit_coursework.student.worker import MEGABYTE, UNLIMITED, memory_taken, set_limit, set_timer

if TYPE_CHECKING:
    from searchkit.testing import Report

app = typer.Typer(add_completion=False, rich_markup_mode=None)
GRACE_SECONDS = 2.0
"""So long after the time limit, the program ends with a traceback: no line of Python runs that could be interrupted."""
CALL_SHARE = 4
"""A single call of the code may take this part of the time limit: a check makes thousands of calls."""
MAX_PRINTED = 20_000
"""The largest number of characters that the code prints; the rest is dropped."""


class Kind(StrEnum):
    """What is checked."""

    engine = "engine"
    heuristic = "heuristic"
    problem = "problem"


def read_kind(text: str) -> Kind:
    """Return the kind of that name. Raises `UnknownNameError`, which names the command that may be meant."""
    if text in list(Kind):
        return Kind(text)
    example = f"searchkit check engine {text if split_program(text) else 'FILE:NAME'}"
    expected = f"first say what it is, engine, heuristic or problem, as in: {example}"
    raise UnknownNameError(unknown(f"check {text}", text, list(Kind), expected))


@app.command()
def check(
    kind: Annotated[
        Kind,
        typer.Argument(
            metavar="KIND",
            help="engine, heuristic or problem.",
            parser=read_kind,
            autocompletion=lambda: list(Kind),
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE:NAME",
            help="A Python file and a name in it, student.py:astar; a file with one problem needs no name.",
            autocompletion=kit.complete_source,
        ),
    ],
    promise: Annotated[
        list[str] | None,
        kit.option("--promise", "P", "A promise to check, instead of the default ones; repeatable."),
    ] = None,
    problem: Annotated[
        str | None,
        kit.option(
            "--problem",
            "P",
            "What to try it on: a kind of problem, an example, a file, or a problem in a Python file, FILE.py:NAME.",
            kit.complete_source,
        ),
    ] = None,
    set: Annotated[
        list[str] | None,
        kit.option("--set", "NAME=VALUE", "An option of the problem, of --problem if given; repeatable."),
    ] = None,
    examples: Annotated[int | None, kit.option("--examples", "N", "How many cases to try.", min=1)] = None,
    seed: Annotated[int, kit.option("--seed", "N", "The same seed gives the same cases.", min=0)] = 0,
    max_seconds: Annotated[
        float, kit.option("--max-seconds", "S", "The time limit of the whole check.", min=0)
    ] = 60,
    max_memory: Annotated[
        float, kit.option("--max-memory", "MB", "The memory limit of the code.", min=0)
    ] = 512,
    json: kit.Json = False,
) -> int:
    """Check a plain file: a search, a heuristic or a problem.

    An engine is a function of a problem that returns a list of states, or None if there is no path; a generator
    function of a problem and a tree; or its EngineSpec. It is tried on many small problems. A heuristic is a function
    of a state and its problem that returns a number, or a problem that has one; it is compared with the exact
    distances. A problem is an object, or a class or function that makes one; it is checked for the promises that
    searches depend on.

    It runs with limits of time and memory: a search that never ends is a failure. Exit code 0: everything that was
    checked holds; 1: something fails; 2: wrong use, or a file that can't be loaded.

    Example: searchkit check engine student.py:astar --promise optimal
    """
    if not all(0.001 <= limit <= 1e6 for limit in (max_seconds, max_memory)):
        raise InvalidLimitError("--max-seconds, --max-memory: expected numbers from 0.001 to 1,000,000")
    for name, given in {"--problem": problem, "--promise": promise}.items():
        if kind is Kind.problem and given:
            raise InvalidOptionError(f"{name} does not go with the check of a problem")
    if set and problem is None and kind is Kind.engine:
        raise InvalidOptionError(f"--set {set[0]}: it is an option of a problem; give that with --problem")
    how: dict[str, Any] = {"seed": seed} | ({"promises": tuple(promise)} if promise else {})
    how |= {} if examples is None else {"examples": examples}
    report = within_limits(
        lambda: check_file(kind, target, problem, set or (), how), target, max_seconds, max_memory
    )
    if json:
        kit.write_json("check", report.to_dict())
    else:
        colours = {"✓": "green", "✗": "bold red", "?": "yellow"}
        console = kit.result_console()
        for line in str(report).splitlines():
            console.print(line, style=colours.get(line.strip()[:1], ""), soft_wrap=True)
    return kit.DONE if report.holds else kit.FAILED


class TimeLimitError(BaseException):
    """The time is up. Not an `Exception`, so that `except Exception` does not catch it."""


class Printed(StringIO):
    """What the code prints goes to stderr, the beginning of it."""

    left = MAX_PRINTED

    def write(self, text: str) -> int:
        """Write a text, as far as there is room."""
        sys.stderr.write(text[: self.left])
        self.left = max(0, self.left - len(text))
        return len(text)


def within_limits(check: Callable[[], "Report"], target: str, seconds: float, memory: float) -> "Report":
    """Return the report of a check that may use so many megabytes more than are used already.

    A check that exceeds a limit, or ends the program, is a failure. Raises `SearchkitError` for wrong use, and for a
    file that can't be loaded.
    """
    from searchkit.testing import Check, CheckFailure, Report

    file, begin = (split_program(target) or (Path(target), ""))[0].absolute(), monotonic()
    call, since = None, begin

    def tick(number: int, frame: FrameType | None) -> None:
        nonlocal call, since
        now, outermost = monotonic(), None
        while frame is not None:
            outermost = frame if Path(frame.f_code.co_filename).absolute() == file else outermost
            frame = frame.f_back
        if call is not outermost:
            call, since = outermost, now
        if now - begin >= seconds:
            raise TimeLimitError(f"still running after {seconds:g} s")
        if call is not None and now - since >= seconds / CALL_SHARE:
            raise TimeLimitError(
                f"a call of {call.f_code.co_name} has not returned after {now - since:.0f} s"
            )

    set_limit("RLIMIT_AS", memory_taken() + int(memory * MEGABYTE), UNLIMITED)
    faulthandler.dump_traceback_later(seconds + GRACE_SECONDS, exit=True, file=sys.__stderr__ or sys.stderr)
    if hasattr(signal, "SIGALRM"):  # not on Windows
        signal.signal(signal.SIGALRM, tick)
    set_timer(min(1.0, seconds))  # and then each second
    try:
        with redirect_stdout(Printed()):
            return check()
    except CheckFailure as failure:
        return failure.report
    except TimeLimitError as error:
        reason = f"time limit: {error}{_place(error)}"
    except (SystemExit, MemoryError, RecursionError) as error:
        reason = f"raised {type(error).__name__}: {error}{_place(error)}"
    finally:
        set_timer(0)
        faulthandler.cancel_dump_traceback_later()
        set_limit("RLIMIT_AS", UNLIMITED, UNLIMITED)
    answers = Check("answers", "it comes back with an answer, within the limits", "fails", reason)
    return Report(target, (answers,))


def check_file(
    kind: Kind, target: str, problem: str | None, settings: Sequence[str], how: dict[str, Any]
) -> "Report":
    """Return the report of a check with the other arguments `how`. Raises `CheckFailure`."""
    from searchkit import testing

    def made(source: str) -> Any:
        return kit.Request.of(source, settings=settings).resolve().problem

    if kind is Kind.problem:
        return testing.check_problem(made(target), **how)
    if kind is Kind.heuristic and problem is None and target.endswith(".py"):  # that of its only problem
        return testing.check_heuristic(made(target), **how)
    subject: Any = None
    if problem is not None:  # first: the file that is checked may import its class
        spec = registry().problems.get(problem)
        if spec is None or spec.strategy is None or settings:
            subject = made(problem)
        else:
            subject = problem if kind is Kind.heuristic else spec.strategy()
    file, name = split_program(target) or (Path(target), "")
    if not name.isidentifier():
        raise ProgramError(f"{target}: expected a file, a colon and a name in it: student.py:astar")
    found = find_name(loaded_module(file) or load_module(file), file, name)
    if kind is Kind.engine:
        return testing.check_engine(found, problems=subject, **how)
    if subject is not None:
        return testing.check_heuristic(subject, found, **how)
    if isfunction(found):
        raise InvalidOptionError("Missing option '--problem': the problem that the heuristic is written for")
    return testing.check_heuristic(made(target), **how)


def _place(error: BaseException) -> str:
    line = line_of_error(error)
    return f", in line {line[0].rpartition(':')[2]} ({line[1]})" if line else ""
