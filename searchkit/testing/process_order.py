"""Whether a problem answers in the same order in every process: hashes of text differ between processes."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from searchkit.problem import SearchProblem
from searchkit.testing.runner import HOLDS, Finding, last_line
from searchkit.testing.survey import only_itself, same, short

PROCESS, SAME_ORDER = "every process", "successors gives the same order in every process"
HASH_SEEDS = ("1", "2", "3")
STATES, PROBLEMS = 100, 40
"""The largest numbers of states of a problem, and of problems."""
SCRIPT = """
import pickle, sys
from itertools import islice

asked, answers, sys.stdout = sys.stdin.buffer, sys.stdout.buffer, sys.stderr  # what a problem prints is not an answer
sys.path[:], most, problems = pickle.load(asked)
walks = []
for text in problems:
    problem = pickle.loads(text)
    states = list(dict.fromkeys(problem.initial_states()))
    walk, met = [("initial_states()", list(states))], set(states)
    for state in states:
        if len(walk) > most:
            break
        walk.append((f"successors({state!r})", list(islice(problem.successors(state), 200))))
        new = dict.fromkeys(to for _, to in walk[-1][1] if to not in met)
        met |= new.keys()
        states += new
    walks.append(walk)
answers.write(pickle.dumps(walks))
"""
"""Reads a pickle of (import path, number of states, pickled problems); writes one of (call, answer) pairs for each."""


def in_every_process(problems: Iterable[SearchProblem[Any, Any]]) -> Finding:
    """Compare processes with different hash seeds. The smallest problem whose order differs is shown."""
    asked = list(problems)
    try:
        packed = [pickle.dumps(problem) for problem in asked]
        for start in (start for problem in asked for start in problem.initial_states()):
            if not same(pickle.loads(pickle.dumps(start)), start) or only_itself(start):
                return Finding("skipped", f"{short(start)} is not equal to itself in another process")
    except Exception as error:
        return Finding(
            "skipped",
            f"the problem can't be sent to another process ({last_line(error)}); one whose class is at the top of a "
            "module can",
        )
    question = pickle.dumps(([path for path in sys.path if path], STATES, packed))
    told = []
    for seed in HASH_SEEDS:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            input=question,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            return Finding("skipped", f"another process could not answer: {''.join(reason)}")
        told.append(pickle.loads(done.stdout))
    differing = []
    for problem, walks in zip(asked, zip(*told, strict=True), strict=True):
        for (call, first), *others in zip(*walks, strict=False):
            other = [answer for _, answer in others if not same(answer, first)]
            if other:
                said = f"{call} is {short(first)} in one process, and {short(other[0])} in another"
                fault = Finding("fails", f"{said}; is a set iterated over? Sort it", problem=problem)
                differing.append((len(walks[0]), fault))
                break
    return min(differing, key=lambda case: case[0])[1] if differing else HOLDS
