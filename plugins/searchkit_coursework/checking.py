"""The checks of `searchkit.testing` on a plain file: `check_engine`, `check_heuristic` and `check_problem`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from searchkit.basics.programs import split_program
from searchkit.errors import InvalidOptionError, ProgramError
from searchkit.testing.reports import Check, Counterexample, Report
from searchkit_coursework.sandbox.endings import Ending, RunLimits
from searchkit_coursework.sandbox.session import Sandbox

Kind = Literal["engine", "heuristic", "problem"]
LIMITS = RunLimits(seconds=60)


def check_file(
    kind: Kind,
    target: str,
    *,
    promises: tuple[str, ...] = (),
    problem: str | None = None,
    options: Mapping[str, str] | None = None,
    examples: int | None = None,
    seed: int = 0,
    limits: RunLimits = LIMITS,
    sandbox: Sandbox | None = None,
) -> Report:
    """Check what a plain file holds, in a process of its own; return the report, whether it holds or not.

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
        limits: the limits of the process; the time is for the whole check.
        sandbox: where to run it.

    Raises:
        ProgramError: the file can't be loaded, or has no such name.
        SearchkitError: an unknown promise or problem, or a function of another form.

    """
    file, name = split_program(target) or (Path(target), "")
    if not name.isidentifier() and (name or kind != "problem"):
        raise ProgramError(
            f"{target}: expected a file and a name in it, with a colon between: student.py:astar"
        )
    file = _existing(file)
    job = {
        "file": str(file),
        "name": name,
        "check": kind,
        "promises": list(promises),
        "problem": _absolute(problem),
        "options": dict(options or {}),
        "examples": examples,
        "seed": seed,
    }
    outcome = (sandbox or Sandbox()).check(job, limits)
    if outcome.answers:
        return report_from(outcome.answers[-1])
    failure = outcome.failure
    if failure.ending in (Ending.UNUSABLE, Ending.MISSING):
        where = f"{file.name}: " if failure.place else ""  # without a place, the reason names the file
        raise ProgramError(f"{where}{failure.reason(limits)}")
    if failure.ending is Ending.MISUSE:
        raise InvalidOptionError(failure.detail)
    if failure.ending is Ending.STOPPED:
        raise KeyboardInterrupt
    ends = Check(
        "answers", "it comes back with an answer, within the limits", "fails", failure.reason(limits)
    )
    return Report(f"{kind} {name or file.name}", (ends,))


def _existing(file: Path) -> Path:
    if not file.is_file():
        what = "is not a regular file" if file.exists() else "does not exist"
        raise ProgramError(f"{file} {what}; expected a Python file")
    return file.resolve()


def _absolute(problem: str | None) -> str | None:
    """Return the problem with the whole path of its file: the check runs in another folder."""
    if problem is None:
        return None
    if Path(problem).is_file():
        return str(Path(problem).resolve())
    program = split_program(problem)
    return problem if program is None else f"{_existing(program[0])}:{program[1]}"


def report_from(data: Mapping[str, Any]) -> Report:
    """Return the report whose `Report.to_dict` is given."""
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
