"""Checking that a problem answers in the same order in every process: hashes of text differ between processes."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import evolve

from searchkit.plugin.loading import write
from searchkit.problem import SearchProblem
from searchkit.testing.problems.survey import Breach, last_line, only_itself, same, short

PROCESS, SAME_ORDER = "every process", "successors gives the same order in every process"
SCRIPT = Path(__file__).with_name("process_script.py")
HASH_SEEDS = ("1", "2", "3")
STATES, PROBLEMS = 100, 40
"""The largest numbers of states of a problem, and of problems."""
SECONDS = 60


def in_every_process(problems: Iterable[SearchProblem[Any, Any]]) -> tuple[Breach | str | None, Any]:
    """Compare processes with different hash seeds; return a breach, the reason why that is impossible, or None.

    The second item is the smallest problem whose order differs.
    """
    try:
        sent = [(_packed(problem), problem) for problem in list(problems)[:PROBLEMS]]
        for _, problem in sent:
            for start in problem.initial_states():
                if not same(pickle.loads(pickle.dumps(start)), start) or only_itself(start):
                    return f"{short(start)} is not equal to itself in another process", None
    except Exception as error:
        return (
            f"the problem can't be sent to another process ({last_line(error)}); one whose class is at the top of a "
            "module can, and one that a plugin writes (hook searchkit_write)",
            None,
        )
    told = _ask([text for text, _ in sent])
    if isinstance(told, str):
        return told, None
    differing = []
    for (_, problem), answers in zip(sent, zip(*told, strict=True), strict=True):
        breach = _difference(answers)
        if breach is not None:
            differing.append((len(answers[0]), breach, problem))
    if not differing:
        return None, None
    _, breach, problem = min(differing, key=lambda case: case[0])
    return breach, problem


def _difference(answers: Sequence[list[Any]]) -> Breach | None:
    """Return the first difference between the answers of several processes about one problem."""
    for place, ((state, first), *others) in enumerate(zip(*answers, strict=False)):
        for other, second in others:
            if not same((other, second), (state, first)):
                return _breach(answers[0], place, (state, first), (other, second))
    return None


def _packed(problem: SearchProblem[Any, Any]) -> bytes:
    """Return the problem as bytes: a pickle of itself, or of what a plugin writes."""
    try:
        return pickle.dumps(problem)
    except Exception:
        written = write(problem)
        if written is None:
            raise
        return pickle.dumps(evolve(written, options=dict(written.options)))


def _ask(problems: list[bytes]) -> list[list[Any]] | str:
    """Return the answers of each process, or the reason why one failed."""
    question = pickle.dumps(([path for path in sys.path if path], STATES, problems))
    processes = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for seed in HASH_SEEDS
    ]
    told = []
    with ExitStack() as stack:
        for process in processes:
            stack.enter_context(process)
            stack.callback(process.kill)
        for process in processes:
            try:
                answer, _ = process.communicate(question, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return f"another process took more than {SECONDS} seconds"
            reason, walks = pickle.loads(answer) if answer else ("it ended without an answer", [])
            if reason is not None:
                return f"another process could not answer: {reason}"
            told.append(walks)
    return told


def _breach(walk: list[Any], place: int, one: tuple[Any, Any], another: tuple[Any, Any]) -> Breach:
    (state, first), (other, second) = one, another
    if place == 0 and not same(state, other):
        call = "initial_states()"
        return Breach(
            PROCESS,
            f"{call} begins with {short(state)}, and in another process with {short(other)}; is a set iterated over? "
            "Sort it",
            numbers=(("in one process", short(state)), ("in another", short(other))),
        )
    return Breach(
        PROCESS,
        f"successors({short(state)}) come in another order in another process; is a set iterated over? Sort it",
        (("the path to this state", _path(walk, place)),),
        (("in one process", short(first)), ("in another", short(second))),
    )


def _path(walk: list[Any], place: int) -> tuple[Any, ...]:
    """Return the states of the path on which a walk reached a state."""
    path = [walk[place][0]]
    parents: dict[Any, Any] = {}
    for state, pairs in walk:
        for _, successor in pairs:
            parents.setdefault(successor, state)
    met = {state for state, _ in walk}
    while path[-1] in parents and parents[path[-1]] in met and parents[path[-1]] not in path:
        path.append(parents[path[-1]])
    return tuple(reversed(path))
