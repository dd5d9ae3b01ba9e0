"""`searchkit grade`: a class in one call, with a table, files for Gradescope, and no submission that stops it."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

RUBRIC = """
title = "Fields"

[limits]
seconds = 20
memory = 256

[maps]
fields = ["meadow", "small.txt"]

[[criteria]]
name = "bfs finds a path"
function = "bfs"
property = "valid"
maps = "fields"
points = 2
partial = true

[[criteria]]
name = "bfs finds the shortest path"
function = "bfs"
property = "optimal"
maps = "fields"
points = 3
visibility = "hidden"
"""
RIGHT = """
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
"""
WRONG = {
    "depth": (RIGHT.replace("pop(0)", "pop()"), "its path costs"),
    "endless": (
        "def bfs(problem):\n    while True:\n        pass\n",
        "time limit: still running after",
    ),
    "forks": (
        "import os\ndef bfs(problem):\n    while True:\n        os.fork()\n",
        "raised PermissionError",
    ),
    "exits": ("import sys\ndef bfs(problem):\n    sys.exit(1)\n", "it ended the program with sys.exit(1)"),
    "hoards": (
        "def bfs(problem):\n    return bytearray(10**10)\n",
        "memory limit: it asked for more than 256 MB",
    ),
    "floods": ("def bfs(problem):\n    while True:\n        print('x' * 999)\n", "File too large"),
    "crashes": ("import ctypes\ndef bfs(problem):\n    ctypes.string_at(0)\n", "crashed: SIGSEGV"),
    "raises": ("def bfs(problem):\n    return {}[1]\n", "raised KeyError: 1, in line 2 (return {}[1])"),
    "syntax": ("def bfs(:\n", "not valid Python"),
    "misnamed": ("def bsf(problem):\n    pass\n", "did you mean bsf?"),
}


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    """Return the path of a rubric."""
    (tmp_path / "small.txt").write_text("field\nS.G\n...\n...\n", encoding="utf-8")
    path = tmp_path / "rubric.toml"
    path.write_text(RUBRIC, encoding="utf-8")
    return path


@pytest.fixture
def submission(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes a submission."""

    def write(name: str, code: str = RIGHT) -> Path:
        path = tmp_path / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
        return path

    return write


def test_one_submission_is_told_everything(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path]
) -> None:
    """Each criterion with its points, and what lost some; a long path stays in one line."""
    outcome = run("grade", rubric, submission(f"{'long' * 40}/ada.py"))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[1:] == [
        "✓ bfs finds a path  2 of 2",
        "✓ bfs finds the shortest path  3 of 3",
        "5 of 5 points",
        "",
        outcome.out.splitlines()[-1],
    ]
    assert outcome.out.splitlines()[-1].startswith("protected by ")
    outcome = run("grade", rubric, submission("bob.py", WRONG["raises"][0] + "print('hello')\n"))
    assert outcome.code == 0
    assert "✗ bfs finds a path  0 of 2\n    raised KeyError: 1, in line 2" in outcome.out
    assert "\n0 of 5 points\n\nIt printed:\nhello\n" in outcome.out


def test_a_class_in_one_call(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path], tmp_path: Path
) -> None:
    """Whatever some of them do, each has its row and its results, in order."""
    rubric.write_text(RUBRIC.replace("seconds = 20", "seconds = 4"), encoding="utf-8")
    submission("right.py")
    for name, (code, _) in WRONG.items():
        folder = submission(f"{name}/student.py", code)
    outcome = run("grade", rubric, folder.parents[1], "--csv", tmp_path / "class.csv", "--jobs", 2, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    graded = {each["submission"]: each for each in json.loads(outcome.out)["submissions"]}
    assert list(graded) == sorted(graded)
    with (tmp_path / "class.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["submission", "points", "bfs finds a path", "bfs finds the shortest path", "note"]
    assert [row[0] for row in rows[1:]] == sorted(["right.py", *(f"{name}/student.py" for name in WRONG)])
    points = {row[0]: row[1] for row in rows[1:]}
    assert points["right.py"] == "5"
    assert all(points[f"{name}/student.py"] == "0" for name in WRONG if name != "depth")
    for name, (_, told) in WRONG.items():
        results = graded[f"{name}/student.py"]
        assert told in results["tests"][1]["output"] + results.get("output", "")
    assert len(graded) == len(WRONG) + 1


def test_results_are_gradescope_s(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path], tmp_path: Path
) -> None:
    """Score, tests with their points, output and visibility."""
    path = tmp_path / "results.json"
    run("grade", rubric, submission("bob.py", WRONG["raises"][0]), "--results", path)
    results = json.loads(path.read_text(encoding="utf-8"))
    assert set(results.pop("extra_data")) == {"protections"}
    message = "raised KeyError: 1, in line 2 (return {}[1])"
    test = {"output": message, "output_format": "text", "score": 0.0, "status": "failed"}
    assert results == {
        "score": 0.0,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {**test, "name": "bfs finds a path", "max_score": 2, "visibility": "visible"},
            {**test, "name": "bfs finds the shortest path", "max_score": 3, "visibility": "hidden"},
        ],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nosuch.toml", "a.py"), "nosuch.toml: can't be read: No such file or directory"),
        (("{rubric}",), "Missing argument 'SUBMISSION…'"),
        (("{rubric}", "{folder}"), "{folder}: no Python files are in this directory"),
        (
            ("{folder}", "{rubric}"),
            "{folder}: expected the rubric first: searchkit grade rubric.toml {folder}",
        ),
        (("{rubric}", "a.py", "a.py"), "a.py is given twice"),
        (("{rubric}", "a.py", "--jobs", "0"), "Invalid value for '--jobs': "),
        (("{rubric}", "a.py", "b.py", "--results", "r.json"), "--results is for one submission"),
        (
            ("{rubric}", "a.py", "--results", "{folder}/no/r.json"),
            "--results {folder}/no/r.json: there is no directory {folder}",
        ),
    ],
)
def test_wrong_use_is_one_message(
    run: Callable[..., Any], rubric: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2, and nothing on stdout."""
    folder = tmp_path / "empty"
    folder.mkdir()
    outcome = run("grade", *(argument.format(rubric=rubric, folder=folder) for argument in arguments))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"error: {message.format(rubric=rubric, folder=folder)}")


def test_a_map_that_can_t_be_loaded_is_a_fault_of_the_rubric(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path]
) -> None:
    """Named by its key, before anything is graded."""
    rubric.write_text(RUBRIC.replace("small.txt", "nosuch.txt"), encoding="utf-8")
    outcome = run("grade", rubric, submission("a.py"))
    assert outcome.code == 2
    assert outcome.err.startswith(f"error: {rubric}: criterion ")
    assert "nosuch.txt is not a file" in outcome.err


def test_a_submission_that_is_missing_is_an_error_after_the_others_are_graded(
    run: Callable[..., Any],
    rubric: Path,
    submission: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Named alone, or as the file that a pattern expects in each folder."""
    there = submission("ada.py")
    monkeypatch.chdir(there.parent)  # a long path is folded in the table
    assert run("grade", rubric, there.parent, there.parent).err == f"error: {there} is given twice\n"
    outcome = run("grade", rubric, there.name, "nosuch.py")
    assert outcome.code == 2
    assert outcome.err == "error: nosuch.py has no points: nosuch.py does not exist; expected a Python file\n"
    assert "ada.py" in outcome.out
    submission("bob/student.py", WRONG["syntax"][0])
    submission("bob/helper.py")
    (there.parent / "eve").mkdir()
    rubric.write_text('submissions = "*/student.py"\n' + RUBRIC, encoding="utf-8")
    outcome = run("grade", rubric, there.parent, "--json")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "eve/student.py does not exist" in outcome.err
    graded = json.loads(outcome.out)["submissions"]
    assert [each["submission"] for each in graded] == ["bob/student.py", "eve/student.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_named_pipes_are_not_waited_for(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path]
) -> None:
    """As a submission in a class."""
    folder = submission("ada.py", "(").parent
    os.mkfifo(folder / "bob.py")
    outcome = run("grade", rubric, folder)
    assert outcome.code == 2
    assert outcome.err.startswith("error: bob.py has no points: ")
    assert "bob.py is not a regular file; expected a Python file" in outcome.err


def test_csv_has_nothing_that_a_spreadsheet_calculates(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path], tmp_path: Path
) -> None:
    """A file can have any name."""
    table = tmp_path / "class.csv"
    folder = submission("=1+1.py", "(").parent
    run("grade", rubric, folder, "--csv", table)
    assert table.read_text(encoding="utf-8").splitlines()[1].startswith("'=1+1.py,0,0,0,")


@pytest.mark.parametrize("ignored", [False, True])
def test_ctrl_c_leaves_the_results_so_far(
    rubric: Path, submission: Callable[..., Path], environment: dict[str, str], tmp_path: Path, ignored: bool
) -> None:
    """The children end, what was graded is printed and written, and the exit code is 3; also in a background job."""
    rubric.write_text(RUBRIC.replace("seconds = 20", "seconds = 600"), encoding="utf-8")
    codes = {"ada.py": RIGHT, "bob.py": WRONG["endless"][0]}
    names = [str(submission(name, code).relative_to(tmp_path)) for name, code in codes.items()]
    program = (
        "import sys; from searchkit_coursework import grader\n"
        "inner = grader.Grader.grade\n"
        "def grade(self, file, name=''):\n"
        "    print(name, file=sys.stderr, flush=True)\n"
        "    return inner(self, file, name)\n"
        "grader.Grader.grade = grade\n"
        "from searchkit.cli import main; sys.exit(main())"
    )
    command = [
        sys.executable,
        "-c",
        program,
        "grade",
        rubric,
        *names,
        "--csv",
        "class.csv",
    ]
    with subprocess.Popen(
        list(map(str, command)),
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignored else None,
    ) as process:
        assert process.stderr is not None
        assert [process.stderr.readline(), process.stderr.readline()] == [f"{name}\n" for name in names]
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (3, "interrupted\n")
    assert "ada.py" in out
    assert "bob.py" not in out
    assert (tmp_path / "class.csv").read_text(encoding="utf-8").count("\n") == 2


def test_the_page_of_a_class_is_one_file_that_runs_nothing(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path], tmp_path: Path
) -> None:
    """A row for each submission, what failed most, the drawings, and no element that a submission made."""
    evil = "<img src=x onerror=alert(1)>.py"
    submission(
        evil,
        'print("</pre><script>alert(2)</script>")\n'
        'def bfs(problem):\n    raise ValueError("<script>alert(3)</script>\\x1b[31m\\"")\n',
    )
    folder = submission("ada.py").parent
    submission("bob.py", WRONG["depth"][0])
    submission("eve.py", WRONG["syntax"][0])
    path = tmp_path / "class.html"
    path.write_text("old", encoding="utf-8")
    assert run("grade", rubric, folder, "--html", path).code == 0
    page = path.read_text(encoding="utf-8")
    assert not {tag for tag, _ in tags(page)} & {"script", "img", "iframe", "object", "link", "svg"}
    attributes = [name for _, given in tags(page) for name in given]
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "href")]
    assert "url(" not in page
    assert "&lt;script&gt;alert(3)&lt;/script&gt;\\x1b[31m" in page
    assert "\x1b" not in page
    text = re.sub(r"<[^>]*>", "", page)
    assert re.search(r"ada\.py +5 +2 +3", text)
    assert re.search(r"bob\.py +2 +2 +0", text)
    assert "its path costs" in text
    assert "5 of 5 points" in text
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("class.html")] == ["class.html"]


def tags(page: str) -> list[tuple[str, dict[str, str]]]:
    """Return the elements of a page, with their attributes."""
    found: list[tuple[str, dict[str, str]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, {name: value or "" for name, value in attrs}))

    Reader().feed(page)
    return found
