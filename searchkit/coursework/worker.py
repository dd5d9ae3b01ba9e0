"""The process in which a student's code runs: `python -m searchkit.coursework.worker`, the job as JSON on stdin.

It answers with messages, one JSON object per line on what was its stdout:

    {"ready": true}                    the limits hold, and the student's file is about to be loaded
    {"case": 3}                        case 3 begins, and so does its time
    {"answer": {…}}                    what became of the case
    {"end": {"kind": …, …}}            the last one
"""

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from searchkit.coursework import observing
from searchkit.coursework.channel import Channel, read_job
from searchkit.coursework.endings import MEMORY_EXIT
from searchkit.coursework.guard import Guard
from searchkit.coursework.places import place_of_error
from searchkit.coursework.submission import SubmissionError, find, load_module
from searchkit.errors import PluginWarning, SearchkitError

OBSERVERS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "search": observing.observe_search,
    "estimate": observing.observe_estimates,
}


def main() -> None:
    """Do the job, and end the process."""
    warnings.simplefilter("ignore", PluginWarning)  # the grader itself says it
    channel = Channel()
    job = read_job()
    calls = 1 + len(job.get("cases", ()))
    guard = Guard(channel, job["file"], job["seconds"], job["memory"], calls)
    try:
        work = prepare_check(job) if job["kind"] == "check" else prepare_cases(job)
    except SearchkitError as error:  # the teacher's maps or options, not the student's code
        channel.end("misuse", str(error))
    guard.arm()
    channel.send(ready=True)
    work(guard)
    channel.end("finished")


def prepare_cases(job: Mapping[str, Any]) -> Callable[[Guard], None]:
    """Load the problems while the student's code has no part in it; return what runs it on each of them."""
    problems = [observing.load_case(case) for case in job["cases"]]
    observe = OBSERVERS[job["kind"]]

    def work(guard: Guard) -> None:
        function = load_function(guard, job["file"], job["name"])
        for index, (problem, case) in enumerate(zip(problems, job["cases"], strict=True)):
            guard.channel.send(case=index)
            guard.begin()
            answer = attempt(guard, lambda: observe(function, problem, case))  # noqa: B023  # called at once
            guard.pause()
            guard.channel.send(answer=answer)

    return work


def prepare_check(job: Mapping[str, Any]) -> Callable[[Guard], None]:
    """Import what the check needs; return what runs it."""
    from searchkit.coursework.checking import prepared

    return prepared(job)


def load_function(guard: Guard, file: str, name: str, *, is_function: bool = True) -> Any:
    """Return the student's function; where there is none, end the process with the reason."""
    guard.begin()
    try:
        module = load_module(file)
        found = find(module, file, name, callable=is_function)
    except SubmissionError as error:
        guard.channel.end("unusable", str(error))
    except BaseException as error:
        end_with(guard, error, loading=True)
    guard.pause()
    return found


def attempt(guard: Guard, call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what the student's function did, also where it raised something; a lack of memory ends the process."""
    try:
        return call()
    except observing.Overexpanded as error:
        place = place_of_error(guard.file, error.__traceback__)
        return {"failure": {"kind": "expansions", "detail": f"{error.args[0]:,}", "place": place}}
    except MemoryError as error:
        end_with(guard, error)
    except BaseException as error:
        return {"failure": failure(guard.file, error)}


def failure(file: str, error: BaseException) -> dict[str, str]:
    """Return what was raised, and where in the student's file."""
    place = place_of_error(file, error.__traceback__)
    if isinstance(error, SystemExit):
        return {
            "kind": "exit",
            "detail": f"sys.exit({'' if error.code is None else repr(error.code)})",
            "place": place,
        }
    text = str(error)[:300]
    return {"kind": "raised", "detail": f"{type(error).__name__}{text and ': '}{text}", "place": place}


def end_with(guard: Guard, error: BaseException, *, loading: bool = False) -> NoReturn:
    """End the process because of what was raised."""
    if isinstance(error, MemoryError):
        guard.end_for_memory(place_of_error(guard.file, error.__traceback__))
    reason = failure(guard.file, error)
    kind = "unusable" if loading and reason["kind"] == "raised" else reason["kind"]
    guard.channel.end(kind, reason["detail"], reason["place"])


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        os._exit(MEMORY_EXIT)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
