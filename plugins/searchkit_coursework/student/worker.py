"""The process in which a student's code is graded. It contains no map, no rubric and no engine.

It reads its job as a frame (see `channel.py`), and writes these messages:

    {"process": 17}                    the number by which it can be killed, if it is in a namespace
    {"ready": true}                    from here on, the student's code is responsible for errors
    {"protected": [...]}               these protections are active; the student's file is loaded next
    {"loaded": true}                   the function was found; the grader sends the first map
    ["expand", 3]                      a question about the problem (see `remote.py`); the grader answers with a frame
    {"answer": {…}}                    the result of the map; the grader sends the next one
    {"end": {"kind": …, …}}            why there will be no more answers
"""

import ast
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn

from searchkit.basics.programs import find_name, load_module
from searchkit.errors import ProgramError
from searchkit_coursework.student import exploring, observing
from searchkit_coursework.student.channel import MEMORY_EXIT, Channel
from searchkit_coursework.student.containment import FILES, NETWORK, confine, isolate
from searchkit_coursework.student.guard import Guard, place_of_error
from searchkit_coursework.student.imports import forbid
from searchkit_coursework.student.remote import Overexpanded, RemoteProblem
from searchkit_coursework.student.submission import find_function

Answer = dict[str, Any]


def main() -> None:
    """Do the job, and end the process."""
    channel = Channel()
    alone = "--alone" in sys.argv and isolate(lambda process: channel.send({"process": process}))
    if alone is None:
        channel.end("refused")
    job = channel.receive()
    file = job["file"]
    sys.argv = [file]
    sys.path += job["path"]
    guard = Guard(
        channel, file, job["seconds"], job["memory"], 1 + job["cases"], job["readable"], job["private"]
    )
    guard.limit_resources()
    channel.send({"ready": True})
    tree = None
    if _is_engine(file, job["name"]):  # searchkit's files may be unreadable from here on
        from searchkit.tree import SearchTree

        tree = SearchTree
    protections = [NETWORK] if alone else []
    if confine(job["readable"], [guard.own, os.devnull]):
        protections.insert(0, FILES)
    guard.arm()
    channel.send({"protected": protections})
    forbid(job["forbidden"], file)
    function = load_function(guard, file, job["name"], folder=job["folder"])
    channel.send({"loaded": True})
    while True:
        opening = channel.receive()
        guard.begin()
        answer = attempt(guard, lambda: _observe(channel, function, tree, opening))  # noqa: B023  # called at once
        guard.pause()
        channel.send({"answer": answer})


def _observe(channel: Channel, function: Callable[..., Any], tree: Any, opening: dict[str, Any]) -> Answer:
    def ask(*question: Any) -> Any:
        channel.send(question)
        return channel.receive()

    if opening["kind"] == "problem":
        return exploring.observe_problem(function, opening["text"], opening["most"])
    problem = RemoteProblem(ask, opening)
    if opening["kind"] == "estimate":
        return observing.observe_estimates(function, problem, opening["states"])
    return observing.observe_search(function, problem, tree)


def load_function(
    guard: Guard, file: str, name: str, *, is_function: bool = True, folder: bool = True
) -> Any:
    """Return the student's function. If there is none, end the process with the reason."""
    module = load_file(guard, file, folder=folder)
    guard.begin()
    try:
        found = (find_function if is_function else find_name)(module, file, name)
    except ProgramError as error:
        guard.channel.end("missing", str(error))
    except BaseException as error:
        end_with(guard, error, sys.exc_info()[2], loading=True)
    guard.pause()
    return found


def load_file(guard: Guard, file: str, *, folder: bool = True) -> ModuleType:
    """Run the student's file. If that fails, end the process with the reason."""
    guard.begin()
    try:
        module = load_module(file, folder=folder)
    except ProgramError as error:
        guard.channel.end("unusable", str(error))
    except BaseException as error:
        end_with(guard, error, sys.exc_info()[2], loading=True)
    guard.pause()
    return module


def attempt(guard: Guard, call: Callable[[], Answer]) -> Answer:
    """Return the result of the student's function, or what it raised. A lack of memory ends the process."""
    try:
        return call()
    except Overexpanded as error:
        place = place_of_error(guard.file, error.__traceback__)
        return {"failure": {"kind": "expansions", "detail": f"{error.args[0]:,}", "place": place}}
    except observing.RaisedAtError as error:
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


def _is_engine(file: str, name: str) -> bool:
    """Whether the function has the form of an engine. The file is parsed, not run."""
    try:
        body = ast.parse(Path(file).read_bytes()).body
    except Exception:  # the error is reported when the file is loaded
        return False
    definitions = [each for each in body if isinstance(each, ast.FunctionDef) and each.name == name]
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for each in definitions for node in ast.walk(each))


def run(work: Callable[[], None] = main) -> None:
    """Do the work, and end the process in any case."""
    try:
        work()
    except MemoryError:
        os._exit(MEMORY_EXIT)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
