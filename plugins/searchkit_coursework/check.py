"""`searchkit check`: the checks of `searchkit.testing` on a plain file, within limits of time and memory."""

import faulthandler
import json
import os
import pickle
import signal
import subprocess
import sys
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from inspect import isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from searchkit.cli import kit
from searchkit.compiled.cache import user_cache
from searchkit.errors import (
    InvalidLimitError,
    InvalidOptionError,
    PluginWarning,
    SearchkitError,
)
from searchkit.plugin.programs import object_in, split_program
from searchkit.plugin.registry import registry
from searchkit_coursework.student.worker import (
    MEGABYTE,
    UNLIMITED,
    memory_taken,
    place_of_error,
    set_limit,
)

if TYPE_CHECKING:
    from searchkit.testing import Report


def check(
    kind: Annotated[
        Literal["engine", "heuristic", "problem"],
        typer.Argument(metavar="KIND", help="engine, heuristic or problem."),
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
        float, kit.option("--max-memory", "MB", "The memory limit of the code, at least 16.", min=16)
    ] = 512,
    json: kit.Json = False,
) -> int:
    """Check a plain file: a search, a heuristic or a problem.

    An engine is a function of a problem that returns a list of states, or None if there is no path; a generator
    function of a problem and a tree; its EngineSpec; or the name of an installed one. It is tried on many small
    problems. A heuristic is a function of a state and its problem that returns a number, or a problem that has one; it
    is compared with the exact distances. A problem is an object, a class or function that makes one, or the name of a
    kind of problem; it is checked for the promises that searches depend on.

    It runs with limits of time and memory: a search that never ends is a failure. Exit code 0: everything that was
    checked holds; 1: something fails; 2: wrong use, or a file that can't be loaded.

    Example: searchkit check engine student.py:astar --promise optimal
    """
    if not all(0.001 <= limit <= 1e6 for limit in (max_seconds, max_memory)):
        raise InvalidLimitError("--max-seconds, --max-memory: expected numbers from 0.001 to 1,000,000")
    for name, given in {"--problem": problem, "--promise": promise}.items():
        if kind == "problem" and given:
            raise InvalidOptionError(f"{name} does not go with the check of a problem")
    if set and problem is None and kind == "engine":
        raise InvalidOptionError(f"--set {set[0]}: it is an option of a problem; give that with --problem")
    if find_spec("hypothesis") is None:
        import searchkit.testing  # noqa: F401  # which says how to install it
    how: dict[str, Any] = {"seed": seed} | ({"promises": tuple(promise)} if promise else {})
    how |= {} if examples is None else {"examples": examples}
    answer = in_own_process(target, max_seconds, max_memory, kind, problem, set or [], how)
    if json:
        kit.write_json("check", answer["report"])
    else:
        colours = {"✓": "green", "✗": "bold red", "?": "yellow"}
        console = kit.result_console()
        for line in answer["text"].splitlines():
            console.print(line, style=colours.get(line.strip()[:1], ""), soft_wrap=True)
    return kit.DONE if answer["report"]["holds"] else kit.FAILED


def in_own_process(target: str, *arguments: Any) -> dict[str, Any]:
    """Return what `answer` says about a target and these arguments in a new process.

    A check that does not come back is a failure, whatever the code does. Raises `SearchkitError` for wrong use, and for
    a file that can't be loaded.
    """
    path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    # Not beside the student's file.
    kept = {"HYPOTHESIS_STORAGE_DIRECTORY": str(user_cache("hypothesis") or "")}
    done = subprocess.run(  # Ctrl-C kills it
        [sys.executable, "-P", "-c", "from searchkit_coursework.check import answer; answer()"],
        input=pickle.dumps((target, *arguments)),
        stdout=subprocess.PIPE,
        stderr=None if sys.stderr else subprocess.DEVNULL,
        env={**kept, **os.environ, "PYTHONPATH": path},
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    if not said.startswith("{"):
        from searchkit_coursework.sandbox import reason_of_end

        return _failed(target, reason_of_end(said, done.returncode, _file_of(target), arguments[0]))
    answer: dict[str, Any] = json.loads(said)
    if "error" in answer:
        raise SearchkitError(answer["error"])
    return answer


def answer() -> None:
    """Make the check whose arguments stdin has; write `report` and `text` of it, or an `error`, to stdout, as JSON.

    If the time is up, or the code crashes, the traceback is written instead, and the process ends.
    """
    from searchkit.testing import CheckFailure

    answers, sys.stdout = os.dup(1), sys.stderr  # what the code prints goes to stderr, line by line
    os.dup2(2, 1)
    target, seconds, memory, *arguments = pickle.load(sys.stdin.buffer)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends this process
    warnings.simplefilter("ignore", PluginWarning)  # the command has shown them
    registry()  # plugins are not loaded in the time of the code
    faulthandler.enable(answers)
    faulthandler.dump_traceback_later(seconds, exit=True, file=answers)  # its thread needs memory, too
    set_limit("RLIMIT_AS", memory_taken() + int(memory * MEGABYTE), UNLIMITED)
    try:
        said = _said(check_file(target, *arguments))
    except CheckFailure as failure:
        said = _said(failure.report)
    except (SystemExit, MemoryError, RecursionError) as error:
        set_limit("RLIMIT_AS", UNLIMITED, UNLIMITED)
        where = place_of_error(str(_file_of(target)), error.__traceback__)
        reason = f"raised {type(error).__name__}: {error}"
        if isinstance(error, MemoryError):
            reason = f"memory limit: it asked for more than {memory:g} MB"
        said = _failed(target, reason + where)
    except Exception as error:
        said = {"error": kit.explained(error)}
    faulthandler.cancel_dump_traceback_later()
    with os.fdopen(answers, "w", encoding="utf-8") as file:
        json.dump(said, file)


def _said(report: "Report") -> dict[str, Any]:
    return {"report": report.to_dict(), "text": str(report)}


def _failed(target: str, reason: str) -> dict[str, Any]:
    from searchkit.testing import Check, Report

    check = Check("answers", "it comes back with an answer, within the limits", "fails", reason)
    return _said(Report(target, (check,)))


def _file_of(target: str) -> Path:
    """Return the file of a target, as tracebacks name it."""
    return (split_program(target) or (Path(target), ""))[0].absolute()


def check_file(
    target: str, kind: str, problem: str | None, settings: Sequence[str], how: dict[str, Any]
) -> "Report":
    """Return the report of a check with the other arguments `how`. Raises `CheckFailure`.

    A problem is that of a source, or if this is the name of a kind, and there are no settings, those of its strategy.
    """
    from searchkit import testing

    def problem_of(source: str) -> Any:
        spec = registry().problems.get(source)
        drawn = spec is not None and spec.strategy is not None and not settings
        return source if drawn else kit.Request.of(source, settings=settings).resolve().problem

    if kind == "problem":
        return testing.check_problem(problem_of(target), **how)
    program = split_program(target)
    if kind == "heuristic" and problem is None:
        if program and program[1] and isfunction(object_in(target)):
            raise InvalidOptionError(
                "Missing option '--problem': the problem that the heuristic is written for"
            )
        return testing.check_heuristic(problem_of(target), **how)
    subject = None if problem is None else problem_of(problem)  # first: the target may import its class
    if kind == "engine":
        engine = target if target in registry().engines else object_in(target)
        return testing.check_engine(engine, problems=subject, **how)
    return testing.check_heuristic(subject, object_in(target), **how)
