"""The check of a plain file in its own process; what checks find is tried in this process by `tests/testing`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit_coursework.check import in_own_process

Student = Callable[[str], Path]
KEYRING = str(Path(__file__).parents[3] / "examples" / "coursework" / "search" / "mazes" / "keyring.txt")
CODE = """
class Line:
    def initial_states(self):
        return [0]
    def successors(self, state):
        return [("on", state + 1)] if state < 2 else []
    def is_goal(self, state):
        return state == 2

def circles(problem):
    while True: pass

def cheapest(problem):
    frontier = [(0, [state]) for state in problem.initial_states()]
    while frontier:
        cost, path = frontier.pop(frontier.index(min(frontier)))
        if problem.is_goal(path[-1]):
            return path
        for action, state in problem.successors(path[-1]):
            if state not in path:
                frontier.append((cost + problem.cost(path[-1], action, state), [*path, state]))

def counts(problem):
    from itertools import repeat
    sum(repeat(0))

def crashes(problem):
    import ctypes
    ctypes.string_at(0)

def leaves(problem):
    import os
    os._exit(0)

def hoards(problem):
    bytearray(10**10)

def h(state, problem):
    robots, held = state
    keys = [cell for letter, cell in problem.vault.keys.items() if not held >> (ord(letter) - ord("a")) & 1]
    return max((min(abs(x - kx) + abs(y - ky) for x, y in robots) for kx, ky in keys), default=0)
"""


def report_of(
    kind: str, target: str, problem: str | None = None, *settings: str, **more: Any
) -> dict[str, str]:
    """Return promise → its outcome, and what happened instead."""
    seconds = more.pop("seconds", 60)
    report = in_own_process(target, seconds, 512, kind, problem, settings, more)["report"]
    return {check["name"]: f"{check['outcome']} {check['detail']}" for check in report["checks"]}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("circles", "time limit: still running after 6 s, in line 11 (while True: pass)"),
        ("counts", "time limit: still running after 6 s, in line 25 (sum(repeat(0)))"),
        ("crashes", "crashed: SIGSEGV, in line 29 (ctypes.string_at(0))"),
        ("leaves", "it ended the program with exit code 0 (os._exit?)"),
        ("hoards", "raised MemoryError"),
    ],
)
def test_a_check_that_does_not_come_back_is_a_failure(student: Student, name: str, said: str) -> None:
    """With the line that was running, in Python or in C; no traceback."""
    found = report_of("engine", f"{student(CODE)}:{name}", "gates", seconds=6 if "time" in said else 60)
    assert said in next(iter(found.values()))


def test_a_check_may_start_processes(student: Student) -> None:
    """It asks them for the order of successors."""
    assert report_of("problem", f"{student(CODE)}:Line")["every process"] == "holds "


def test_what_is_installed_is_checked_by_its_name() -> None:
    """A kind of problem, of which some are drawn, and an engine."""
    assert report_of("problem", "queens", examples=5)["examples"] == "holds "
    assert set(report_of("engine", "dijkstra", examples=5).values()) == {"holds "}


def test_a_heuristic_is_checked_on_the_problem_that_it_is_written_for(student: Student) -> None:
    """The options decide: a vault step by step, and not its contraction."""
    target = f"{student(CODE)}:h"
    found = report_of("heuristic", target, KEYRING, "contracted=false", examples=10)
    assert found == {"numbers": "holds ", "admissible": "holds "}
    contracted = report_of("heuristic", target, KEYRING, "contracted=true", examples=10)
    assert contracted["numbers"].startswith("fails ")


def test_a_search_may_ask_a_problem_without_costs_for_a_cost(student: Student) -> None:
    """A problem has five methods here, as it has for the grader: each action costs 1."""
    path = student(CODE)
    found = report_of("engine", f"{path}:cheapest", f"{path}:Line")
    assert set(found.values()) == {"holds "}
