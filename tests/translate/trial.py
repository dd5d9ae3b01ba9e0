"""One program in both forms: its states one by one, and whole searches. In a child process, which may crash."""

import contextlib
import json
import linecache
import subprocess
import sys
import threading
import traceback
import types
from itertools import count
from pathlib import Path
from typing import Any

from attrs import frozen

from searchkit import Limits, solve
from searchkit.errors import InvalidProblemError
from searchkit.translate.profile import Sample
from searchkit.translate.translation import DifferenceError, Translation
from searchkit.translate.values import TranslationError
from searchkit.translate.view import Maker

SAME, REFUSED, FAULT = "same", "refused", "fault"
ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0
"""Seconds that a child has for one program."""
MOST = 120
"""States that are compared one by one."""
numbers = count()


@frozen
class Verdict:
    """What came of a program."""

    kind: str
    """`SAME`, `REFUSED` or `FAULT`."""
    why: str = ""


def module_of(source: str) -> dict[str, Any]:
    """Return the names of a program, run so that its source is found."""
    name = f"<program {next(numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": name}
    exec(compile(source, name, "exec"), names)
    return names


def sample_of(problem: Any) -> Sample:
    """Return some states, those for which a member of the problem raises at the end; none if all are such."""
    sample, failing = Sample(), []
    seen = dict.fromkeys(problem.initial_states())
    waiting = list(seen)
    while waiting and len(sample.states) < MOST:
        state = waiting.pop(0)
        try:
            found = members_of(problem, state)[1]
        except Exception:
            failing.append(state)
            continue
        sample.states.append(state)
        sample.branching = max(sample.branching, len(found))
        new = dict.fromkeys(each for _, each, _ in found if each not in seen)
        seen |= new
        waiting += new
    sample.states += failing if sample.states else []
    return sample


def members_of(problem: Any, state: Any) -> tuple[bool, list[tuple[Any, Any, Any]], Any]:
    """Return what Python says of a state: goal, successors with their costs, heuristic."""
    goal = bool(problem.is_goal(state))
    cost = getattr(problem, "cost", lambda *edge: 1)
    found = [] if goal else [(a, t, cost(state, a, t)) for a, t in problem.successors(state)]
    return goal, found, problem.heuristic(state) if hasattr(problem, "heuristic") else 0


def translate(problem: Any, sample: Sample | None = None, *, seconds: float = 1.0) -> Translation:
    """Return the machine code of a problem, compared with Python in this process."""
    maker = Maker(problem, seconds=seconds)
    if sample is not None:
        maker.take({"states": sample.states, "branching": sample.branching + 4})
    return maker.make(here=True)[0]


def judge(source: str, engines: tuple[str, ...] = (), seconds: float = 3.0) -> Verdict:
    """Translate a program, compare it with Python, and search it with some engines in both forms."""
    problem = module_of(source)["P"]()
    sample = sample_of(problem)
    if not sample.states:
        return Verdict(REFUSED, "every state raises an exception")
    try:
        translation = translate(problem, sample, seconds=seconds)
    except DifferenceError as error:
        return Verdict(FAULT, f"different: {error}")
    except TranslationError as error:
        return Verdict(REFUSED, str(error))
    except Exception as error:
        return Verdict(FAULT, f"raises {error!r}\n{traceback.format_exc()}")
    for engine in engines:
        if engine == "astar" and not hasattr(problem, "heuristic"):
            continue
        verdict = searched(problem, translation, engine)
        if verdict.kind == FAULT:
            return verdict
    return Verdict(SAME)


class Case:
    """A problem that is one function: its states are pairs of an argument and a result."""

    def __init__(self, function: Any, states: list[Any]):
        self.function, self.states = function, states

    def initial_states(self) -> list[Any]:
        """Return each argument with its own result, as far as there is one."""
        found = []
        for state in self.states:
            with contextlib.suppress(Exception):
                found.append((state, self.function(state)))
        return found

    def is_goal(self, pair: Any) -> bool:
        """Nothing is a goal."""
        return False

    def successors(self, pair: Any) -> Any:
        """Yield the same pair, made anew."""
        state, _ = pair
        yield "f", (state, self.function(state))


def agree(function: Any, states: list[Any]) -> None:
    """Compare a function in both forms for some arguments. Raises `AssertionError` or `TranslationError`."""
    problem = Case(function, states)
    starts = problem.initial_states()
    raising = [(state, starts[0][1]) for state in states if state not in [each for each, _ in starts]]
    translate(problem, Sample(starts + raising, 4), seconds=10.0)


def searched(problem: Any, translation: Translation, engine: str) -> Verdict:
    """Search a problem in both forms."""
    view = translation.view()
    cls: Any = types.new_class(
        "Viewed", (type(problem),), {}, lambda names: names.update(compiled=lambda self: view)
    )
    viewed = cls.__new__(cls)
    viewed.__dict__.update(problem.__dict__)
    limits = Limits(expansions=2_000)
    translation.machine.failure[0] = 0
    try:
        wanted = outcome(solve(problem, engine, backend="python", limits=limits))
    except InvalidProblemError as error:
        wanted = ("raises", error)
    try:
        found = outcome(solve(viewed, engine, backend="compiled", limits=limits))
    except Exception as error:
        found = ("stops", error)
    stopped, translation.machine.failure[0] = bool(translation.machine.failure[0]), 0
    both_raise = wanted[0] == "raises" and found[0] == "stops"
    if found == wanted or both_raise or (stopped and found[0] == "stops"):
        return Verdict(SAME)
    return Verdict(FAULT, f"{engine}: {found} instead of {wanted}")


def outcome(result: Any) -> tuple[Any, ...]:
    """Return what has to be equal in both forms."""
    counts, found = result.statistics, result.solution
    path = None if found is None else (tuple(found.states), tuple(found.actions))
    return (result.status.name, result.cost, counts.expanded, counts.generated, path)


class Child:
    """A process that judges programs. One that has crashed is followed by another."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def judge(self, source: str, engines: tuple[str, ...] = (), seconds: float = 3.0) -> Verdict:
        """Return what came of a program; a crash is a fault."""
        if self.process is None:
            command, pipe = [sys.executable, "-m", "tests.translate.trial"], subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        end = threading.Timer(PATIENCE, process.kill)
        end.start()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps([source, engines, seconds]) + "\n")
            process.stdin.flush()
        answer = process.stdout.readline()
        end.cancel()
        if answer:
            return Verdict(*json.loads(answer))
        self.close()
        return Verdict(FAULT, f"the process ended with exit code {process.returncode}")

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def serve() -> None:
    """Judge the programs that come in, one a line."""
    for line in sys.stdin:
        source, engines, seconds = json.loads(line)
        try:
            verdict = judge(source, tuple(engines), seconds)
        except Exception:
            verdict = Verdict(FAULT, f"raises {traceback.format_exc()}")
        print(json.dumps([verdict.kind, verdict.why]), flush=True)


if __name__ == "__main__":
    serve()
