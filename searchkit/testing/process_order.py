"""Whether a problem answers in the same order in every process: hashes of text differ between processes."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import evolve

from searchkit.plugin.loading import write
from searchkit.problem import SearchProblem
from searchkit.testing.survey import Breach, last_line, only_itself, same, short

PROCESS, SAME_ORDER = "every process", "successors gives the same order in every process"
HASH_SEEDS = ("1", "2", "3")
STATES, PROBLEMS = 100, 40
"""The largest numbers of states of a problem, and of problems."""
SECONDS = 60
SCRIPT = """
import pickle, sys
from io import StringIO
from itertools import islice

asked, answers, sys.stdout = sys.stdin.buffer, sys.stdout.buffer, sys.stderr  # what a problem prints is not an answer
try:
    sys.path[:], most, problems = pickle.load(asked)
    walks = []
    for text in problems:
        problem = pickle.loads(text)
        if not hasattr(problem, "successors"):  # what a plugin has written
            from searchkit.plugin.loading import load

            problem = load(StringIO(problem.text), problem.kind, **problem.options)
        states, walk = list(problem.initial_states()), []
        met = set(states)
        for state in states:
            if len(walk) == most:
                break
            walk.append((state, [(action, to) for action, to in islice(problem.successors(state), 200)]))
            for _, to in walk[-1][1]:
                if to not in met:
                    met.add(to)
                    states.append(to)
        walks.append(walk)
    answer = pickle.dumps((None, walks))
except Exception as error:
    answer = pickle.dumps((f"{type(error).__name__}: {error}", []))
answers.write(answer)
"""
"""Reads a pickle of (import path, number of states, pickled problems); writes one of (error or None, walks)."""


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
    question = pickle.dumps(([path for path in sys.path if path], STATES, [text for text, _ in sent]))
    told = []
    for seed in HASH_SEEDS:
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SCRIPT]
        try:
            done = subprocess.run(
                command, env=environment, input=question, capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return f"another process took more than {SECONDS} seconds", None
        reason, walks = pickle.loads(done.stdout) if done.stdout else ("it ended without an answer", [])
        if reason is not None:
            return f"another process could not answer: {reason}", None
        told.append(walks)
    differing = []
    for (_, problem), walks in zip(sent, zip(*told, strict=True), strict=True):
        breach = _difference(walks)
        if breach is not None:
            differing.append((len(walks[0]), breach, problem))
    return min(differing, key=lambda case: case[0])[1:] if differing else (None, None)


def _packed(problem: SearchProblem[Any, Any]) -> bytes:
    """Return the problem as bytes: a pickle of itself, or of what a plugin writes."""
    try:
        return pickle.dumps(problem)
    except Exception:
        written = write(problem)
        if written is None:
            raise
        return pickle.dumps(evolve(written, options=dict(written.options)))


def _difference(walks: Sequence[list[Any]]) -> Breach | None:
    """Return the first difference between the answers of several processes about one problem."""
    for (state, first), *others in zip(*walks, strict=False):
        for other, second in others:
            if same((other, second), (state, first)):
                continue
            if not same(other, state):
                call, one, two = "initial_states()", state, other
                said = f"{call} begins with {short(state)}, and in another process with {short(other)}"
            else:
                call, one, two = f"successors({short(state)})", first, second
                said = f"{call} come in another order in another process"
            return Breach(
                PROCESS,
                f"{said}; is a set iterated over? Sort it",
                numbers=(("in one process", short(one)), ("in another", short(two))),
                paths=(("the path to this state", _path(walks[0], state)),),
            )
    return None


def _path(walk: list[Any], state: Any) -> tuple[Any, ...]:
    """Return the states of the path on which a walk reached a state."""
    path = [state]
    parents: dict[Any, Any] = {}
    for before, pairs in walk:
        for _, successor in pairs:
            parents.setdefault(successor, before)
    while path[-1] != walk[0][0] and path[-1] in parents and parents[path[-1]] not in path:
        path.append(parents[path[-1]])
    return tuple(reversed(path))
