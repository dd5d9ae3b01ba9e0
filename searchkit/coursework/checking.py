"""The checks of `searchkit.testing` on a plain file: `check_engine`, `check_heuristic` and `check_problem`."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal

from searchkit.coursework.endings import Ending, RunLimits
from searchkit.coursework.sandbox import Sandbox
from searchkit.coursework.submission import SubmissionError, split_target
from searchkit.errors import InvalidOptionError, SearchkitError, UnknownNameError
from searchkit.loading import load
from searchkit.plugins import registry
from searchkit.testing.reports import Check, Counterexample, Report

if TYPE_CHECKING:
    from searchkit.coursework.guard import Guard

Kind = Literal["engine", "heuristic", "problem"]
LIMITS = RunLimits(seconds=60)


def check_file(
    kind: Kind,
    target: str,
    *,
    promises: tuple[str, ...] = (),
    problem: str | None = None,
    examples: int | None = None,
    seed: int = 0,
    limits: RunLimits = LIMITS,
    sandbox: Sandbox | None = None,
) -> Report:
    """Check what a plain file holds, in a process of its own; return the report, whether it holds or not.

    Args:
        kind: what the name stands for. An engine is `find(problem)` or `run(problem, tree)`; a heuristic is
            `h(state, problem)`; a problem is an instance, or a class or a function that makes one without arguments.
        target: a file and a name in it, `student.py:astar`.
        promises: what to check; what `searchkit.testing` checks by itself where it is empty.
        problem: the problem to check it on: a kind of problem, an example, or a file.
        examples: how many cases to try.
        seed: the same seed gives the same cases.
        limits: what the code may take; the time is for the whole check.
        sandbox: where to run it.

    Raises:
        SubmissionError: the file can't be loaded, or has no such name.
        SearchkitError: a promise or a problem that there is not, or a function of another form.

    """
    file, name = split_target(target)
    job = {
        "kind": "check",
        "file": str(file),
        "name": name,
        "check": kind,
        "promises": list(promises),
        "problem": problem
        if problem is None or not Path(problem).is_file()
        else str(Path(problem).resolve()),
        "examples": examples,
        "seed": seed,
    }
    outcome = (sandbox or Sandbox()).run(job, limits)
    said = outcome.answers[-1] if outcome.answers else {}
    if "report" in said:
        return report_from(said["report"])
    failure = outcome.failure
    if failure.ending is Ending.UNUSABLE:
        raise SubmissionError(failure.reason(limits))
    if failure.ending is Ending.MISUSE:
        raise InvalidOptionError(failure.detail)
    if failure.ending is Ending.STOPPED:
        raise KeyboardInterrupt
    case = Counterexample(said["drawing"], reproduce=tuple(said["reproduce"])) if said else None
    ends = Check(
        "answers", "it comes back with an answer, within the limits", "fails", failure.reason(limits), case
    )
    return Report(f"{kind} {name}", (ends,))


def report_from(data: Mapping[str, Any]) -> Report:
    """Return the report that `Report.to_dict` made plain."""
    checks = []
    for check in data["checks"]:
        case = check["counterexample"]
        if case is not None:
            paths = tuple((path["name"], path["drawing"]) for path in case["paths"])
            case = Counterexample(
                case["drawing"], paths, tuple(case["numbers"].items()), tuple(case["reproduce"])
            )
        checks.append(Check(check["name"], check["promise"], check["outcome"], check["detail"], case))
    return Report(data["subject"], tuple(checks), data["examples"], data["facts"])


def prepared(job: Mapping[str, Any]) -> Callable[["Guard"], None]:
    """Import the check, in the worker, before the student's code is there; return what runs it.

    Raises what is wrong with the job.
    """
    from searchkit import testing
    from searchkit.testing import _processes

    check = getattr(testing, f"check_{job['check']}")
    given = {name: job[name] for name in ("examples", "seed") if job[name] is not None}
    if job["check"] != "problem" and job["promises"]:
        given["promises"] = tuple(job["promises"])
    subject = None if job["problem"] is None else subject_named(job["problem"])

    def work(guard: "Guard") -> None:
        from searchkit.coursework.worker import end_with, load_function

        guard.may_start_processes = frozenset({_processes.__file__})
        found = load_function(guard, job["file"], job["name"], is_function=job["check"] != "problem")
        guard.at_time_limit = lambda frame: _tell_problem(guard, frame)
        guard.begin()
        try:
            report = _run(check, job, found, subject, given)
        except testing.CheckFailure as failure:
            report = failure.report
        except SearchkitError as error:
            guard.channel.end("misuse", str(error))
        except BaseException as error:
            end_with(guard, error)
        guard.pause()
        guard.channel.send(answer={"report": report.to_dict()})

    return work


def subject_named(name: str) -> Any:
    """Return the kind of problem of that name, or the problem that a file or an example is. Raises as `load` does."""
    if name in registry().problems:
        return name
    try:
        return load(name)
    except UnknownNameError as error:
        kinds = ", ".join(registry().problems)
        raise UnknownNameError(f"--problem {name} is no kind of problem ({kinds}), and {error}") from error


def _run(
    check: Callable[..., Report], job: Mapping[str, Any], found: Any, subject: Any, given: Mapping[str, Any]
) -> Report:
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
    return check(_made(job["name"], found), **given)


def _made(name: str, found: Any) -> Any:
    """Return a problem: what was found, or what it makes if it is called."""
    if hasattr(found, "successors") and not isinstance(found, type):
        return found
    if not callable(found):
        raise InvalidOptionError(f"{name} is {found!r:.60}; expected a problem, or a class that makes one")
    try:
        inspect.signature(found).bind()
    except TypeError as error:
        raise InvalidOptionError(
            f"{name} can't be called without arguments: {error}; "
            f"make a problem in the file, such as problem = {name}(…), and name that"
        ) from error
    return found()


def _tell_problem(guard: "Guard", frame: FrameType | None) -> None:
    """Report the problem that the student's code was at work on, if one of its arguments is one."""
    from searchkit.testing.pictures import picture
    from searchkit.testing.reproduction import reproduce

    outermost = None
    while frame is not None:
        if frame.f_code.co_filename == guard.file:
            outermost = frame
        frame = frame.f_back
    if outermost is None:
        return
    code = outermost.f_code
    arguments: list[Any] = [outermost.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    for given in arguments:
        if hasattr(given, "successors") and hasattr(given, "initial_states"):
            problem = getattr(given, "_problem", given)
            shown = ", ".join("problem" if argument is given else repr(argument) for argument in arguments)
            is_generator = code.co_flags & inspect.CO_GENERATOR
            call = f"solve(problem, {code.co_name})" if is_generator else f"{code.co_name}({shown})"
            guard.channel.send(answer={"drawing": picture(problem), "reproduce": reproduce(problem, call)})
            return
