"""The process in which a student's code is graded. It contains no map, no rubric and no engine.

It writes these messages:

    {"protected": [...]}               these protections are active; the student's file is loaded next
    {"loaded": true}                   the function was found; the grader sends the first map
    ["expand", 3]                      a question about the problem (see `problem.py`); the grader answers
    {"answer": {…}}                    the result of the map; the grader sends the next one
    {"end": {"kind": …, …}}            why there will be no more answers
"""

import os
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn

from searchkit_coursework.student.channel import MEMORY_EXIT, Channel
from searchkit_coursework.student.containment import confine
from searchkit_coursework.student.guard import Guard, place_of_error
from searchkit_coursework.student.observing import (
    RaisedAtError,
    observe_estimates,
    observe_problem,
    observe_search,
)
from searchkit_coursework.student.problem import Overexpanded, RemoteProblem

Answer = dict[str, Any]


def main() -> None:
    """Do the job, and end the process."""
    channel = Channel()
    job = channel.receive()
    sys.argv = [job["file"]]
    sys.path += job["path"]
    guard = Guard(channel, job["file"], job["seconds"], job["memory"])
    guard.limit_resources()
    channel.send({"protected": confine(job["readable"], job["path"], [str(Path.cwd()), os.devnull])})
    function = under(guard, lambda: _function(job["file"], job["name"]))
    channel.send({"loaded": True})
    while True:
        opening = channel.receive()
        guard.set_timer(guard.seconds)
        answer = attempt(guard, lambda: _observe(channel, function, opening))  # noqa: B023  # called at once
        guard.set_timer(0)
        channel.send({"answer": answer})


def under(guard: Guard, load: Callable[[], Any]) -> Any:
    """Return what is loaded from the student's file. If that fails, end the process with the reason."""
    guard.set_timer(guard.seconds)
    try:
        found = load()
    except BaseException as error:
        end_with(guard, error, sys.exc_info()[2], loading=True)
    guard.set_timer(0)
    return found


class UnusableError(Exception):
    """The student's file can't be used; the message is for the student. `kind` is that of the last message."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def _function(file: str, name: str) -> Any:
    path = Path(file)
    try:
        code = compile(path.read_bytes(), file, "exec")
    except (SyntaxError, ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        text = (getattr(error, "text", None) or "").strip()
        said = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
        raise UnusableError(
            "unusable", f"{path.name}{where}: not valid Python: {said}{text and ': '}{text[:100]}"
        ) from error
    usable = path.stem.isidentifier() and path.stem not in sys.stdlib_module_names
    module = ModuleType(path.stem if usable else "student")
    module.__file__ = file
    sys.modules[module.__name__] = module
    exec(code, vars(module))
    names = [other for other in vars(module) if not other.startswith("__")]
    if name not in names:
        close = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(names) or 'no functions'}"
        raise UnusableError("missing", f"{path.name} has no {name!r}; {hint}")
    found = vars(module)[name]
    if not callable(found):
        raise UnusableError("missing", f"{name} in {path.name} is {found!r:.60}; expected a function")
    return found


def _observe(channel: Channel, function: Callable[..., Any], opening: Mapping[str, Any]) -> Answer:
    if opening["kind"] == "problem":
        return observe_problem(function, opening["text"], opening["most"])
    problem = RemoteProblem(channel.ask, opening)
    if opening["kind"] == "estimate":
        return observe_estimates(function, problem, opening["states"])
    return observe_search(function, problem)


def attempt(guard: Guard, call: Callable[[], Answer]) -> Answer:
    """Return the result of the student's function, or what it raised. A lack of memory ends the process."""
    try:
        return call()
    except Overexpanded as error:
        place = place_of_error(guard.file, error.__traceback__)
        return {"failure": {"kind": "expansions", "detail": f"{error.args[0]:,}", "place": place}}
    except RaisedAtError as error:
        cause = error.__cause__
        assert cause is not None
        return {"failure": failure(guard.file, cause, cause.__traceback__), "state": error.number}
    except MemoryError as error:
        end_with(guard, error, sys.exc_info()[2])
    except BaseException as error:
        return {"failure": failure(guard.file, error, sys.exc_info()[2])}


def failure(file: str, error: BaseException, trace: TracebackType | None) -> dict[str, str]:
    """Return what was raised, and the line of the student's file."""
    place = place_of_error(file, trace)
    if isinstance(error, SystemExit):
        code = "" if error.code is None else _text(lambda: repr(error.code))
        return {"kind": "exit", "detail": f"sys.exit({code})", "place": place}
    text = _text(lambda: str(error))
    name = _text(lambda: type.__getattribute__(type(error), "__name__"))
    return {"kind": "raised", "detail": f"{name}{text and ': '}{text}", "place": place}


def end_with(
    guard: Guard, error: BaseException, trace: TracebackType | None, *, loading: bool = False
) -> NoReturn:
    """End the process because of what was raised."""
    if isinstance(error, UnusableError):
        guard.channel.end(error.kind, str(error))
    if isinstance(error, MemoryError):
        guard.end_for_memory(place_of_error(guard.file, trace))
    reason = failure(guard.file, error, trace)
    kind = "unusable" if loading and reason["kind"] == "raised" else reason["kind"]
    guard.channel.end(kind, reason["detail"], reason["place"])


def _text(make: Callable[[], str]) -> str:
    """Return the beginning of a text that the student's code makes, or a placeholder if that fails."""
    try:
        return "".join(make()[:300])
    except BaseException:
        return "(it can't be shown)"


def run(work: Callable[[], None] = main) -> None:
    """Do the work, and end the process in any case."""
    try:
        work()
    except MemoryError:
        os._exit(MEMORY_EXIT)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
