"""`searchkit check`: the checks of `searchkit.testing` on a plain file, within limits of time and memory."""

import faulthandler
import multiprocessing
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from enum import StrEnum
from inspect import isfunction
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import frozen

from searchkit.basics.programs import find_name, line_of_error, load_module, loaded_module, split_program
from searchkit.cli import kit
from searchkit.errors import InvalidLimitError, InvalidOptionError, ProgramError, SearchkitError
from searchkit.plugin.registry import registry
from searchkit_coursework.student.worker import MEGABYTE, NEVER_ENDS, UNLIMITED, memory_taken, set_limit

if TYPE_CHECKING:
    from searchkit.testing import Report

app = typer.Typer(add_completion=False, rich_markup_mode=None)
GRACE_SECONDS = 2.0
"""So long after the time limit, the process is killed: no line of Python runs any more that could be named."""


class Kind(StrEnum):
    """What is checked."""

    engine = "engine"
    heuristic = "heuristic"
    problem = "problem"


@app.command()
def check(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="engine, heuristic or problem.")],
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
    if not max_seconds or not max_memory:
        raise InvalidLimitError("--max-seconds, --max-memory: expected numbers > 0")
    for name, given in {"--problem": problem, "--promise": promise}.items():
        if kind is Kind.problem and given:
            raise InvalidOptionError(f"{name} does not go with the check of a problem")
    if set and problem is None and kind is Kind.engine:
        raise InvalidOptionError(f"--set {set[0]}: it is an option of a problem; give that with --problem")
    how: dict[str, Any] = {"seed": seed} | ({"promises": tuple(promise)} if promise else {})
    how |= {} if examples is None else {"examples": examples}
    report = FileCheck(kind, target, problem, tuple(set or ()), how, max_seconds, max_memory).report()
    text = report.pop("text")
    if json:
        kit.write_json("check", report)
    else:
        colours = {"✓": "green", "✗": "bold red", "?": "yellow"}
        console = kit.result_console()
        for line in text.splitlines():
            console.print(line, style=colours.get(line.strip()[:1], ""), soft_wrap=True)
    return kit.DONE if report["holds"] else kit.FAILED


class TimeLimitError(BaseException):
    """The time is up. Not an `Exception`, so that `except Exception` does not catch it."""


@frozen
class FileCheck:
    """What to check, and the limits."""

    kind: Kind
    target: str
    problem: str | None
    settings: Sequence[str]
    how: dict[str, Any]
    """The other arguments of the check."""
    seconds: float
    memory: float
    """Megabytes in addition to those that are used already."""

    def report(self) -> dict[str, Any]:
        """Return the report of the check as data, and its text. It runs in a process of its own.

        Raises `SearchkitError` for wrong use, and for a file that can't be loaded.
        """
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=self._run, args=(sender,))  # type: ignore[attr-defined]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # idle threads of libraries count for Python 3.12
            process.start()
        sender.close()
        try:
            answered = receiver.poll(self.seconds + GRACE_SECONDS)
            found: dict[str, Any] = receiver.recv() if answered else _sent(self._failure(""))
        except EOFError:
            from searchkit_coursework.sandbox import of_exit_code

            process.join()
            found = _sent(self._failure(of_exit_code(process.exitcode or 0).reason))
        finally:
            process.kill()
            process.join()
            receiver.close()
        if "error" in found:
            raise SearchkitError(found["error"])
        return found

    def _run(self, sender: Connection) -> None:
        """Check in the new process, and send the report, or the error."""
        from searchkit.testing import CheckFailure

        def stop(number: int, frame: FrameType | None) -> None:
            raise TimeLimitError

        faulthandler.disable()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        set_limit("RLIMIT_AS", memory_taken() + int(self.memory * MEGABYTE), UNLIMITED)
        if hasattr(signal, "setitimer"):  # not on Windows
            signal.signal(signal.SIGALRM, stop)
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 1)
        try:
            with redirect_stdout(sys.stderr):
                found = _sent(self._check())
        except CheckFailure as failure:
            found = _sent(failure.report)
        except TimeLimitError as error:
            found = _sent(self._failure(_place(error)))
        except (SystemExit, MemoryError, RecursionError) as error:
            found = _sent(self._failure(f"raised {type(error).__name__}: {error}{_place(error)}"))
        except SearchkitError as error:
            found = {"error": str(error)}
        finally:
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)
            set_limit("RLIMIT_AS", UNLIMITED, UNLIMITED)
        sender.send(found)

    def _check(self) -> "Report":
        """Check in this process. Raises `CheckFailure`."""
        from searchkit import testing

        if self.kind is Kind.problem:
            return testing.check_problem(self._made(self.target), **self.how)
        subject: Any = None
        if self.problem is not None:
            subject = self._subject(self.problem)  # first: the file that is checked may import its class
        file, name = split_program(self.target) or (Path(self.target), "")
        if not name.isidentifier():
            raise ProgramError(
                f"{self.target}: expected a file and a name in it, with a colon between: student.py:astar"
            )
        try:
            found = find_name(loaded_module(file.absolute()) or load_module(file.absolute()), file, name)
        except Exception as error:
            if isinstance(error, ProgramError):
                raise
            said = f"{type(error).__name__}: {error}{_place(error)}"
            raise ProgramError(f"{file.name}: loading the file raised {said}") from error
        if self.kind is Kind.engine:
            return testing.check_engine(found, problems=subject, **self.how)
        if subject is not None:
            return testing.check_heuristic(subject, found, **self.how)
        if isfunction(found):
            raise InvalidOptionError(
                "Missing option '--problem': the problem that the heuristic is written for"
            )
        return testing.check_heuristic(self._made(self.target), **self.how)

    def _made(self, source: str) -> Any:
        return kit.Request.of(source, settings=self.settings).resolve().problem

    def _subject(self, name: str) -> Any:
        """Return the problem that is named, or the strategy of a kind of problem, or its name for a heuristic."""
        spec = registry().problems.get(name)
        if spec is None or (spec.instance is not None and self.settings) or spec.strategy is None:
            return self._made(name)
        if self.settings:
            raise InvalidOptionError(f"--set needs one problem: give a file or an example in place of {name}")
        return name if self.kind is Kind.heuristic else spec.strategy()

    def _failure(self, reason: str) -> "Report":
        from searchkit.testing import Check, Report

        if not reason or reason.startswith(", in line"):
            reason = f"time limit: still running after {self.seconds:g} s{reason or NEVER_ENDS}"
        ends = Check("answers", "it comes back with an answer, within the limits", "fails", reason)
        return Report(f"{self.kind} {self.target}", (ends,))


def _sent(report: "Report") -> dict[str, Any]:
    return report.to_dict() | {"text": str(report)}


def _place(error: BaseException) -> str:
    line = line_of_error(error)
    return f", in line {line[0].rpartition(':')[2]} ({line[1]})" if line else ""
