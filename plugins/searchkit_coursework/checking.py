"""The checks of `searchkit.testing` on a plain file: `check_engine`, `check_heuristic` and `check_problem`."""

import faulthandler
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from inspect import isfunction
from pathlib import Path
from types import FrameType
from typing import Any, Literal

from attrs import evolve

from searchkit.basics.programs import find_name, line_of_error, load_module, loaded_module, split_program
from searchkit.errors import InvalidOptionError, ProgramError, UnknownNameError
from searchkit.plugin.loading import load
from searchkit.plugin.programs import Program
from searchkit.plugin.registry import registry
from searchkit.testing.reports import Check, Report
from searchkit_coursework.student.guard import MEGABYTE, UNLIMITED, memory_taken, set_limit

Kind = Literal["engine", "heuristic", "problem"]
GRACE_SECONDS = 5.0
"""So long after the time limit, the command ends even if no line of Python runs any more."""


class TimeLimitError(BaseException):
    """The time is up. Not an `Exception`, so that `except Exception` does not catch it."""


def check_file(
    kind: Kind,
    target: str,
    *,
    promises: tuple[str, ...] = (),
    problem: str | None = None,
    options: Mapping[str, str] | None = None,
    examples: int | None = None,
    seed: int = 0,
    seconds: float = 60,
    memory: float = 512,
) -> Report:
    """Check what a plain file holds; return the report, whether it holds or not. What the code prints goes to stderr.

    Args:
        kind: what the name stands for. An engine is `find(problem)` or `run(problem, tree)`; a heuristic is
            `h(state, problem)`; a problem is an instance, or a class or a function that makes one from the options.
        target: a file and a name in it, `student.py:astar`. For a problem, the name may be left out if the file holds
            one problem.
        promises: what to check; if empty, the defaults of `searchkit.testing`.
        problem: the problem to check it on: a kind of problem, an example, a file, or a problem in a Python file,
            `student.py:Romania`.
        options: options of that problem, or of the one that is checked, as text.
        examples: how many cases to try.
        seed: the same seed gives the same cases.
        seconds: the time limit of the whole check.
        memory: the limit of memory in megabytes, in addition to those that are used already.

    Raises:
        ProgramError: the file can't be loaded, or has no such name.
        SearchkitError: an unknown promise or problem, or a function of another form.

    """
    from searchkit import testing

    file, name = split_program(target) or (Path(target), "")
    if not name.isidentifier() and (name or kind != "problem"):
        raise ProgramError(
            f"{target}: expected a file and a name in it, with a colon between: student.py:astar"
        )
    if not file.is_file():
        what = "is not a regular file" if file.exists() else "does not exist"
        raise ProgramError(f"{file} {what}; expected a Python file")
    given: dict[str, Any] = {"seed": seed} | ({"promises": promises} if promises else {})
    given |= {} if examples is None else {"examples": examples}
    chosen = dict(options or {})

    def check() -> Report:
        if kind == "problem":
            return testing.check_problem(Program.of(file, name).make(chosen), **given)
        found = _found(file, name)
        if kind == "heuristic" and problem is None:  # that of a problem
            if isfunction(found):
                raise InvalidOptionError(
                    "Missing option '--problem': the problem that the heuristic is written for"
                )
            return testing.check_heuristic(Program.holding(file, name, found).make(chosen), **given)
        subject: Any = None if problem is None else subject_named(problem, chosen)
        if kind == "heuristic":
            return testing.check_heuristic(subject, found, **given)
        if isinstance(subject, str):
            subject = _strategy(subject)
        return testing.check_engine(found, problems=subject, **given)

    try:
        with limited(seconds, memory), redirect_stdout(sys.stderr):
            report = check()
    except testing.CheckFailure as failure:
        report = failure.report
    except (TimeLimitError, SystemExit, MemoryError, RecursionError) as error:
        ends = Check(
            "answers", "it comes back with an answer, within the limits", "fails", _reason(error, seconds)
        )
        return Report(f"{kind} {name or file.name}", (ends,))
    listed = ", ".join(f"{option}={value}" for option, value in chosen.items())
    return evolve(report, subject=report.subject.replace("a strategy", f"{problem} ({listed})"))


@contextmanager
def limited(seconds: float, memory: float) -> Iterator[None]:
    """Raise `TimeLimitError`, and again, when the time is up, and MemoryError when the memory is used up."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeLimitError

    has_clock = hasattr(signal, "setitimer")  # not on Windows
    before = signal.signal(signal.SIGALRM, stop) if has_clock else None
    faulthandler.dump_traceback_later(seconds + GRACE_SECONDS, exit=True, file=sys.__stderr__ or 2)
    allowed = memory_taken() + int(memory * MEGABYTE)
    limits = set_limit("RLIMIT_AS", allowed, UNLIMITED)  # the hard limit stays: only root can raise it again
    try:
        if has_clock:
            signal.setitimer(signal.ITIMER_REAL, seconds, 1)
        yield
    finally:
        set_limit("RLIMIT_AS", *limits)
        if has_clock:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


def _found(file: Path, name: str) -> Any:
    try:
        return find_name(load_module(file.absolute()), file, name)
    except ProgramError:
        raise
    except Exception as error:
        raise ProgramError(
            f"{file.name}: loading the file raised {type(error).__name__}: {error}{_place(error)}"
        ) from error


def _reason(error: BaseException, seconds: float) -> str:
    if isinstance(error, TimeLimitError):
        return f"time limit: still running after {seconds:g} s{_place(error)}"
    return f"raised {type(error).__name__}: {error}{_place(error)}"


def _place(error: BaseException) -> str:
    line = line_of_error(error)
    return f", in line {line[0].rpartition(':')[2]} ({line[1]})" if line else ""


def subject_named(name: str, options: Mapping[str, str]) -> Any:
    """Return the kind of problem of that name, or the problem of a file or an example. Raises as `load` does.

    A kind of problem that is made without a file is made with the options.
    """
    program = split_program(name)
    if program is not None:
        module = loaded_module(program[0].absolute())  # the function that is checked may have imported it
        if module is None or not program[1]:
            return Program.of(*program).make(options)
        return Program.holding(*program, find_name(module, *program)).make(options)
    if name in registry().problems:
        spec = registry().problem(name)
        if spec.instance is not None and (options or spec.strategy is None):
            return spec.make(**options)
        if options:
            raise InvalidOptionError(f"--set needs one problem: give a file or an example in place of {name}")
        return name
    try:
        return load(name, **options)
    except UnknownNameError as error:
        if options:
            raise
        kinds = ", ".join(registry().problems)
        raise UnknownNameError(f"--problem {name} is not a kind of problem ({kinds}), and {error}") from error


def _strategy(kind: str) -> Any:
    strategy = registry().problem(kind).strategy
    if strategy is None:
        raise InvalidOptionError(f"--problem {kind}: it has no Hypothesis strategy to draw problems from")
    return strategy()
