"""The process in which a plain file is checked: `python -m searchkit_coursework.check_process`.

The user runs it: the process may use all of searchkit, and read every file. It writes the messages of `worker.py`, and
`{"answer": …}` with the report at the end.
"""

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from inspect import isfunction
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import evolve

from searchkit.basics.programs import find_name, load_module, loaded_module, split_program
from searchkit.errors import InvalidOptionError, PluginWarning, ProgramError, SearchkitError, UnknownNameError
from searchkit.plugin import parse_options
from searchkit.plugin.loading import instance_of, load, write
from searchkit.plugin.programs import Program, only_problem
from searchkit.plugin.registry import registry
from searchkit.testing.reports import Report
from searchkit_coursework.student.channel import Channel
from searchkit_coursework.student.guard import Guard
from searchkit_coursework.student.worker import UnusableError, end_with, run, under


def main() -> None:
    """Do the job, and end the process."""
    warnings.simplefilter("ignore", PluginWarning)  # the command itself shows these
    channel = Channel()
    job = channel.receive()
    try:
        work = prepared(job)
    except SearchkitError as error:  # an error in the options, not in the student's code
        channel.send({"ready": True})
        channel.end("misuse", str(error))
    guard = Guard(channel, job["file"], job["seconds"], job["memory"])
    guard.limit_resources()
    channel.send({"ready": True})
    work(guard)
    channel.end("finished")


def prepared(job: Mapping[str, Any]) -> Callable[[Guard], None]:
    """Import the check before the student's code is loaded; return the function that runs it.

    Raises `SearchkitError` if the job is invalid.
    """
    from searchkit import testing

    check = getattr(testing, f"check_{job['check']}")
    given = {name: job[name] for name in ("examples", "seed") if job[name] is not None}
    if job["check"] != "problem" and job["promises"]:
        given["promises"] = tuple(job["promises"])
    program = split_program(job["problem"] or "")  # a student's file too: it is loaded under guard
    subject = None
    if program is None and job["problem"] is not None:
        subject = subject_named(job["problem"], job["options"])
    # Once the student's code is loaded, no file may be written outside the directory of this process.
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(Path.cwd() / ".hypothesis")

    def work(guard: Guard) -> None:
        found = under(guard, lambda: _found(job["file"], job["name"]))
        guard.set_timer(guard.seconds)
        try:
            of_program = None if program is None else _made(*program, None, job["options"])
            report = _run(check, job, found, subject if program is None else of_program, given)
        except testing.CheckFailure as failure:
            report = failure.report
        except SearchkitError as error:
            guard.channel.end("misuse", str(error))
        except BaseException as error:
            end_with(guard, error, sys.exc_info()[2])
        guard.set_timer(0)
        if job["options"]:
            given_too = ", ".join(f"{name}={value}" for name, value in job["options"].items())
            report = evolve(
                report, subject=report.subject.replace("a strategy", f"{job['problem']} ({given_too})")
            )
        guard.channel.send({"answer": report.to_dict()})

    return work


def _found(file: str, name: str) -> Any:
    """Return what the student's file holds. Raises `UnusableError`, and what the file raises."""
    try:
        module = load_module(file)
        return find_name(module, file, name) if name else module
    except ProgramError as error:
        raise UnusableError("unusable", str(error)) from error


def subject_named(name: str, options: Mapping[str, str]) -> Any:
    """Return the kind of problem of that name, or the problem of a file or an example. Raises as `load` does.

    For a kind of problem with options, return the instance that it makes from them without a file, or else a strategy
    that draws problems with these options.
    """
    if name in registry().problems:
        spec = registry().problem(name)
        if spec.instance is not None and (options or spec.strategy is None):
            return instance_of(spec, options)
        return _drawn(name, options) if options else name
    try:
        return load(name, **options)
    except UnknownNameError as error:
        if options:
            raise
        kinds = ", ".join(registry().problems)
        raise UnknownNameError(f"--problem {name} is not a kind of problem ({kinds}), and {error}") from error


def _drawn(kind: str, options: Mapping[str, str]) -> Any:
    """Return a strategy of problems of a kind. Each is written as text and read again with these options."""
    spec = registry().problem(kind)
    parse_options(f"problem {kind!r}", spec.parameters, options)
    if spec.strategy is None:
        raise InvalidOptionError(f"--problem {kind}: it has no Hypothesis strategy to draw problems from")

    def again(problem: Any) -> Any:
        written = write(problem)
        if written is None:
            return None
        for given in ({**written.options, **options}, options):  # some options can't be combined
            try:
                return load(StringIO(written.text), kind, **given)
            except SearchkitError:
                continue
        return None

    return spec.strategy().map(again).filter(lambda problem: problem is not None)


def _run(
    check: Callable[..., Report], job: Mapping[str, Any], found: Any, subject: Any, given: Mapping[str, Any]
) -> Report:
    if job["check"] == "heuristic" and subject is None:  # that of a problem
        if isfunction(found):
            raise InvalidOptionError(
                "Missing option '--problem': the problem that the heuristic is written for"
            )
        return check(_made(Path(job["file"]), job["name"], found, job["options"]), **given)
    if job["check"] == "heuristic":
        return check(subject, found, **given)
    if job["check"] == "engine":
        if isinstance(subject, str):
            strategy = registry().problem(subject).strategy
            if strategy is None:
                raise InvalidOptionError(
                    f"--problem {subject}: it has no Hypothesis strategy to draw problems from"
                )
            subject = strategy()
        return check(found, problems=subject, **given)
    return check(_made(Path(job["file"]), job["name"], found, job["options"]), **given)


def _made(file: Path, name: str, found: Any, options: Mapping[str, str]) -> Any:
    """Return a problem: the object found, or the result of calling it with the options.

    What was not found yet is looked up in the file, which is loaded only if it was not before: the student's code may
    have imported it. Raises what the student's code raises.
    """
    if found is None or not name:
        module = loaded_module(file)
        if module is None:
            return _raising_its_own(lambda: Program.of(file, name).make(options))
        name = name or only_problem(Path(file.name), module)
        found = find_name(module, file, name)
    return _raising_its_own(lambda: Program.holding(Path(file.name), name, found).make(options))


def _raising_its_own(make: Callable[[], Any]) -> Any:
    """Return the result; of an error about what the student's code raised, raise that."""
    try:
        return make()
    except ProgramError as error:
        if error.__cause__ is None or isinstance(error.__cause__, ProgramError):
            raise
        raise error.__cause__ from None


if __name__ == "__main__":
    run(main)
