"""The check of a plain file in its own process; what checks find is tried in this process by `tests/testing`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.errors import SearchkitError
from searchkit_coursework.checking import check_file, limited

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

def h(state, problem):
    robots, held = state
    keys = [cell for letter, cell in problem.vault.keys.items() if not held >> (ord(letter) - ord("a")) & 1]
    return max((min(abs(x - kx) + abs(y - ky) for x, y in robots) for kx, ky in keys), default=0)
"""


def test_a_loop_is_ended_with_its_line(student: Student) -> None:
    """And a check of a problem may start processes: it asks them for the order of successors."""
    (check,) = check_file("engine", f"{student(CODE)}:circles", problem="maze", seconds=1).failures
    assert check.detail.startswith("time limit: still running after 1 s, in line 1")
    report = check_file("problem", f"{student(CODE)}:Line")
    assert {check.name: check.outcome for check in report.checks}["every process"] == "holds"


def test_a_heuristic_is_checked_on_the_problem_that_it_is_written_for(student: Student) -> None:
    """The options decide: a vault step by step, and not its contraction."""
    target = f"{student(CODE)}:h"
    report = check_file("heuristic", target, problem=KEYRING, options={"contracted": "false"}, examples=10)
    assert report.holds, report
    contracted = check_file("heuristic", target, problem=KEYRING, options={"contracted": "true"}, examples=10)
    assert [check.name for check in contracted.failures] == ["numbers"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("problem", "options", "message"),
    [
        ("keys", {"contracted": "true"}, "--set needs one problem"),
        (KEYRING, {"nosuch": "1"}, "nosuch"),
        (KEYRING, {"contracted": "perhaps"}, "contracted"),
    ],
)
def test_an_option_that_there_is_not_is_wrong_use(
    student: Student, problem: str, options: dict[str, str], message: str
) -> None:
    """The message lists the options."""
    with pytest.raises(SearchkitError, match=message):
        check_file("heuristic", f"{student(CODE)}:h", problem=problem, options=options)


def test_the_limit_of_memory_ends_with_the_check(student: Student) -> None:
    """What the process does afterwards has the memory that it had before."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    with limited(5.0, 500.0):
        assert resource.getrlimit(resource.RLIMIT_AS)[0] != before[0]
    assert resource.getrlimit(resource.RLIMIT_AS) == before
