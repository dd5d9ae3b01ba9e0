"""`check` and `grade` by workers: the same verdicts, in the same sandbox, from other processes."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.cli import main
from searchkit.disk.executors import open_executor
from searchkit_coursework.grading.elsewhere import Elsewhere, grade_task
from searchkit_coursework.grading.grader import Grade, Grader
from searchkit_coursework.grading.rubric import read_rubric

RUBRIC = """
[limits]
seconds = 100
memory = 256

[maps]
mazes = ["maze.txt"]

[[criteria]]
name = "shortest"
function = "find"
property = "optimal"
maps = "mazes"
points = 3
"""
MAZE = "#####\n#S..#\n#.#.#\n#..G#\n#####\n"
RIGHT = """
def find(problem):
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
"""
ENDLESS = "def find(problem):\n    while True:\n        pass\n"


@pytest.fixture
def class_(tmp_path: Path) -> Path:
    """Return a folder with a rubric and three submissions."""
    for name, text in {
        "rubric.toml": RUBRIC,
        "maze.txt": MAZE,
        "class/right/student.py": RIGHT,
        "class/raises/student.py": "def find(problem):\n    return {}[1]\n",
        "class/opens/student.py": f"print(open({str(tmp_path / 'rubric.toml')!r}).read())\n{RIGHT}",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return exit code and output of a command."""
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def runs(pid: int) -> bool:
    """Whether a process of this id runs."""
    try:
        return not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" Z")
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started and that run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(what)


@pytest.mark.long  # each submission and each process of the workers starts Python
def test_grades_are_those_of_this_process(class_: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the same reasons, and with the rubric hidden from submissions; a missing submission is reported."""
    words = ["grade", str(class_ / "rubric.toml"), str(class_ / "class"), "--json"]
    here, elsewhere = (
        json.loads(command(capsys, *words, *more)[1]) for more in ((), ("--workers", "processes:2"))
    )
    for submission in (*here["submissions"], *elsewhere["submissions"]):
        submission["execution_time"] = 0
    assert elsewhere == here
    assert [each["score"] for each in here["submissions"]] == [0, 0, 3]
    (class_ / "class" / "right" / "student.py").unlink()
    more = ["--pattern", "*/student.py", "--workers", "processes:1"]
    code, _, err = command(capsys, *words, *more)
    assert code == 2
    assert "right/student.py has no points" in err


@pytest.mark.long  # as above
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_interruption_ends_students_processes_too(class_: Path) -> None:
    """Grades that exist are kept, and neither workers nor what they started are left."""
    endless = class_ / "class" / "endless" / "student.py"
    endless.parent.mkdir()
    endless.write_text(ENDLESS, encoding="utf-8")
    with open_executor("processes:1") as workers:
        grader = Grader.of(read_rubric(class_ / "rubric.toml"))
        first = class_ / "class" / "right" / "student.py"
        rubric = str(class_ / "rubric.toml")
        assert workers.submit(grade_task, rubric, str(first), "right", []).result().score == 3
        process = workers.submit(os.getpid).result()
        elsewhere = Elsewhere(grader, workers)
        workers.submit(grade_task, rubric, str(endless), "endless", [])
        until(lambda: children(process), "the submission was not run")
        started = children(process)
        elsewhere.interrupt()
        done: dict[str, Grade] = {}
        elsewhere.grade({"right": first}, done)
    assert done == {}
    until(lambda: not any(map(runs, started)), "a student's process is left")


@pytest.mark.long  # as above
def test_check_by_workers(class_: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report is the same."""
    target = f"{class_ / 'class' / 'right' / 'student.py'}:find"
    words = ["check", "engine", target, "--examples", "5", "--json"]
    here, elsewhere = (command(capsys, *words, *more) for more in ((), ("--workers", "processes:1")))
    assert elsewhere == here
    assert json.loads(here[1])["command"] == "check engine"
