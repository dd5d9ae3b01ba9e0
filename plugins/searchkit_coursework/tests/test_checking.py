"""The check of a plain file in its own process; what checks find is tried in this process by `tests/testing`."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.errors import SearchkitError
from searchkit_coursework.check import Kind, check_file, within_limits

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
    while True:
        pass

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
    report = within_limits(
        lambda: check_file(Kind(kind), target, problem, settings, more), target, seconds, 512
    )
    return {check.name: f"{check.outcome} {check.detail}" for check in report.checks}


def test_a_loop_is_ended_with_its_line(student: Student) -> None:
    """And a check of a problem may start processes: it asks them for the order of successors."""
    found = report_of("engine", f"{student(CODE)}:circles", "maze", seconds=1)
    assert found["answers"].startswith("fails time limit: still running after 1 s, in line ")
    assert report_of("problem", f"{student(CODE)}:Line")["every process"] == "holds "


def test_a_request_for_all_memory_is_a_failure(student: Student) -> None:
    """Not a traceback."""
    found = report_of("engine", f"{student(CODE)}:hoards", "gates")
    assert "raised MemoryError" in next(iter(found.values()))


@pytest.mark.parametrize("name", ["counts", "crashes"])
def test_code_in_c_ends_with_its_line(student: Student, name: str) -> None:
    """A loop in which no line of Python runs, and a crash: the program ends, and its traceback begins in the file."""
    path = student(CODE)
    command = [sys.executable, "-m", "searchkit", "check", "engine", f"{path}:{name}", "--problem", "gates"]
    done = subprocess.run(
        [*command, "--max-seconds", "1"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert name == "crashes" or f'{path.name}", line ' in done.stderr


def test_a_heuristic_is_checked_on_the_problem_that_it_is_written_for(student: Student) -> None:
    """The options decide: a vault step by step, and not its contraction."""
    target = f"{student(CODE)}:h"
    found = report_of("heuristic", target, KEYRING, "contracted=false", examples=10)
    assert found == {"numbers": "holds ", "admissible": "holds "}
    contracted = report_of("heuristic", target, KEYRING, "contracted=true", examples=10)
    assert contracted["numbers"].startswith("fails ")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("problem", "setting", "message"),
    [
        (KEYRING, "nosuch=1", "nosuch"),
        (KEYRING, "contracted=perhaps", "contracted"),
    ],
)
def test_an_option_that_there_is_not_is_wrong_use(
    student: Student, problem: str, setting: str, message: str
) -> None:
    """The message lists the options."""
    with pytest.raises(SearchkitError, match=message):
        report_of("heuristic", f"{student(CODE)}:h", problem, setting)


def test_a_search_may_ask_a_problem_without_costs_for_a_cost(student: Student) -> None:
    """A problem has five methods here, as it has for the grader: each action costs 1."""
    path = student(CODE)
    found = report_of("engine", f"{path}:cheapest", f"{path}:Line")
    assert set(found.values()) == {"holds "}
