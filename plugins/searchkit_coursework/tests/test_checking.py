"""The check of a plain file: its report arrives unchanged, and shows the problem that a function hangs on.

Each check is a process that takes a second: the suite runs a part of the cases that are alike, and CI the others.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.errors import InvalidOptionError
from searchkit_coursework.checking import check_file
from searchkit_coursework.sandbox.endings import RunLimits

Student = Callable[[str], Path]
HANGING = """
def find(problem):
    while True:
        pass

def engine(problem, tree):
    while True:
        if problem is tree:
            yield

def h(state, problem):
    while True:
        pass
"""


@pytest.mark.long  # the next test has such a process; CI runs this one
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kind", "name", "call"),
    [
        ("engine", "find", "find(problem)"),
        ("engine", "engine", "solve(problem, engine)"),
        ("heuristic", "h", "h((1, 1), problem)"),
    ],
)
def test_what_it_hangs_on_can_be_seen_again(
    student: Student, maze: Path, kind: str, name: str, call: str
) -> None:
    """The problem is drawn, and made again by lines of Python that end with the call that hangs."""
    file = student(HANGING)
    report = check_file(kind, f"{file}:{name}", problem=str(maze), limits=RunLimits(seconds=0.5))  # type: ignore[arg-type]
    (check,) = report.failures
    assert check.detail.startswith("time limit: still running after 0.5 s, in line ")
    assert check.counterexample is not None
    assert "█S··█" in check.counterexample.drawing
    assert check.counterexample.reproduce[-1] == call


def test_a_check_may_start_processes_and_the_student_s_code_may_not(student: Student) -> None:
    """`check_problem` asks other processes for the order of successors; the problem itself can't start any."""
    code = """
    import subprocess

    class Line:
        def initial_states(self):
            return [0]
        def successors(self, state):
            return [("on", state + 1)] if state < 2 else []
        def is_goal(self, state):
            return state == 2

    class Shell(Line):
        def successors(self, state):
            subprocess.run(["true"])
            return super().successors(state)
    """
    file = student(code)
    report = check_file("problem", f"{file}:Line")
    assert {check.name: check.outcome for check in report.checks}["every process"] == "holds"
    (failure,) = check_file("problem", f"{file}:Shell").failures
    assert failure.detail.startswith("tried to start another process (subprocess.Popen), in line 14")


EXAMPLE = Path(__file__).parents[3] / "examples" / "coursework" / "search"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("problem", [str(EXAMPLE / "mazes" / "keyring.txt"), "keys"])
def test_a_heuristic_is_checked_on_the_problem_that_it_is_written_for(student: Student, problem: str) -> None:
    """The options decide: a vault step by step, and not its contraction."""
    code = """
    def h(state, problem):
        robots, held = state
        keys = [cell for letter, cell in problem.vault.keys.items() if not held >> (ord(letter) - ord("a")) & 1]
        return max((min(abs(x - kx) + abs(y - ky) for x, y in robots) for kx, ky in keys), default=0)
    """
    target = f"{student(code)}:h"
    report = check_file("heuristic", target, problem=problem, options={"contracted": "false"}, examples=10)
    assert report.holds, report
    contracted = check_file("heuristic", target, problem=problem, options={"contracted": "true"}, examples=10)
    assert [check.name for check in contracted.failures] == ["numbers"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("problem", "options", "message"),
    [
        ("keys", {"nosuch": "1"}, "problem 'keys' has no option 'nosuch'; it"),
        (str(EXAMPLE / "mazes" / "keyring.txt"), {"nosuch": "1"}, "nosuch"),
        ("keys", {"contracted": "perhaps"}, "contracted"),
    ],
)
def test_an_option_that_there_is_not_is_wrong_use(
    student: Student, problem: str, options: dict[str, str], message: str
) -> None:
    """The message lists the options."""
    with pytest.raises(InvalidOptionError, match=message):
        check_file("heuristic", f"{student(HANGING)}:h", problem=problem, options=options)
