"""`searchkit check`: plain files, reports, exit codes. What checks find is tried by `tests/testing`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STUDENT = """
class Maze:
    def initial_states(self):
        return [0]
    def successors(self, state):
        return [("on", state + 1)] if state < 3 else []
    def is_goal(self, state):
        return state == 3

class Debts(Maze):
    def cost(self, state, action, successor):
        return -1

class Sized(Maze):
    def __init__(self, size):
        self.size = size

class Broken(Maze):
    def __init__(self):
        raise ValueError("no walls")

class Endless(Maze):
    def successors(self, state):
        while True:
            state

ready = Maze()
number = 3

def bfs(problem):
    waiting = [[state] for state in problem.initial_states()]
    reached = {path[0] for path in waiting}
    while waiting:
        path = waiting.pop(0)
        if problem.is_goal(path[-1]):
            return path
        for action, state in problem.successors(path[-1]):
            if state not in reached:
                reached.add(state)
                waiting.append([*path, state])

def dijkstra(problem, tree):
    from searchkit.engines.uninformed.dijkstra import dijkstra
    yield from dijkstra(problem, tree)

def stays(problem):
    return list(problem.initial_states())[:1]

def h(state, problem):
    return 0

def doubled(state, problem):
    return 2 * problem.heuristic(state)

class Rises(Maze):
    def heuristic(self, state):
        return 99
"""


@pytest.fixture
def student(tmp_path: Path) -> str:
    """Return the path of a student's file."""
    path = tmp_path / "student.py"
    path.write_text(STUDENT, encoding="utf-8")
    return str(path)


@pytest.mark.one_in(7)
@pytest.mark.parametrize(
    ("arguments", "code", "shown"),
    [
        (
            ("engine", "bfs", "--promise", "complete", "--examples", "20"),
            0,
            "function bfs: holds (20 examples)",
        ),
        (
            ("engine", "dijkstra", "--promise", "optimal", "--examples", "20"),
            0,
            "engine dijkstra: holds (20 examples)",
        ),
        (("engine", "stays", "--promise", "valid", "--examples", "20"), 1, "✗ valid: "),
        (("engine", "bfs", "--promise", "optimal", "--problem", "meadow"), 0, "✓ optimal: "),
        (("heuristic", "h", "--problem", "meadow"), 0, "✓ admissible: "),
        (("heuristic", "doubled", "--problem", "meadow"), 1, "✗ admissible: "),
        (("heuristic", "Rises"), 1, "heuristic of Rises: 1 of 2 promises fail"),
        (("problem", "Maze"), 0, "problem Maze: holds"),
        (("problem", "ready"), 0, "problem Maze: holds"),
        (("problem", "Debts"), 1, "✗ costs: "),
        (("problem", "Endless", "--max-seconds", "0.5"), 1, "time limit: "),
    ],
)
def test_a_plain_file_is_checked(
    run: Callable[..., Any], student: str, arguments: tuple[str, ...], code: int, shown: str
) -> None:
    """Exit code 0 if it holds and 1 if something fails, an endless search too."""
    kind, name, *options = arguments
    outcome = run("check", kind, f"{student}:{name}", *options)
    assert (outcome.code, outcome.err) == (code, "")
    assert shown in " ".join(outcome.out.split())


def test_problems_in_python_files(run: Callable[..., Any], student: str) -> None:
    """The arguments of a class come from --set; the problem of a heuristic is the class that its file imports."""
    outcome = run("check", "problem", f"{student}:Sized", "--set", "size=3")
    assert (outcome.code, outcome.err) == (0, "")
    Path(student).with_name("guess.py").write_text(
        "from student import Sized\ndef guess(state, problem):\n    return isinstance(problem, Sized) * problem.size\n"
    )
    guess = str(Path(student).with_name("guess.py:guess"))
    outcome = run("check", "heuristic", guess, "--problem", f"{student}:Sized", "--set", "size=3")
    assert outcome.code == 1
    assert "largest overestimate h − h*: 3" in " ".join(outcome.out.split())


@pytest.mark.one_in(9)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("engine", "{}:bsf"), "student.py has no 'bsf': did you mean bfs?"),
        (("engine", "{}:number"), "3 is not an engine; expected the name of an engine, an EngineSpec"),
        (("engine", "{}"), "{}: expected a file, a colon and a name in it: student.py:astar"),
        (("engine", "nosuch.py:bfs"), "there is no file nosuch.py"),
        (
            ("engine", "{}:bfs", "--promise", "Optimal"),
            "there is no promise 'Optimal': did you mean optimal? There are",
        ),
        (("engine", "{}:bfs", "--problem", "nosuch"), "nosuch is not a file"),
        (("engine", "{}:bfs", "--max-seconds", "1e-9"), "--max-seconds, --max-memory: expected numbers"),
        (("engine", "{}:bfs", "--max-memory", "inf"), "--max-seconds, --max-memory: expected numbers"),
        (("engine", "{}:bfs", "--max-memory", "1"), "Invalid value for '--max-memory': 1.0 is not in"),
        (("heuristic", "{}:h"), "Missing option '--problem'"),
        (
            ("engine", "{}:bfs", "--set", "a=1"),
            "--set a=1: it is an option of a problem; give that with --problem",
        ),
        (
            ("problem", "{}:Sized", "--set", "sice=3"),
            "problem 'student.py:Sized' has no option 'sice': did you mean size?",
        ),
        (("heuristic", "{}:h", "--problem", "nosuch.py:x"), "there is no file nosuch.py"),
    ],
)
def test_wrong_use_is_one_message(
    run: Callable[..., Any], student: str, arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2, and nothing on stdout."""
    outcome = run("check", *(argument.format(student) for argument in arguments))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"error: {message.format(student)}")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def bfs(:\n", "student.py:1: loading it raised SyntaxError: invalid syntax, in: def bfs(:"),
        (
            "1 / 0\n",
            "student.py:1: loading it raised ZeroDivisionError: division by zero, in: 1 / 0",
        ),
    ],
)
def test_a_file_that_can_t_be_loaded_is_wrong_use(
    run: Callable[..., Any], student: str, code: str, message: str
) -> None:
    """With the line that is at fault."""
    Path(student).write_text(code, encoding="utf-8")
    outcome = run("check", "engine", f"{student}:bfs")
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"error: {message}\n")


def test_without_the_extra_there_is_one_message(student: str) -> None:
    """It says what to install, and no traceback of the process that checks is before it."""
    blocked = "import sys; sys.modules['hypothesis'] = None; from searchkit.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", blocked, "check", "engine", f"{student}:bfs"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "pip install 'statespace-searchkit[testing]'" in done.stderr


def test_json_is_the_whole_report(run: Callable[..., Any], student: str) -> None:
    """One object, with the counterexample."""
    outcome = run("check", "heuristic", f"{student}:doubled", "--problem", "meadow", "--json")
    assert (outcome.code, outcome.err) == (1, "")
    report = json.loads(outcome.out)
    assert report["holds"] is False
    failing = [check for check in report["checks"] if check["outcome"] == "fails"]
    assert [check["name"] for check in failing] == ["admissible"]
    assert failing[0]["counterexample"]["drawing"]
