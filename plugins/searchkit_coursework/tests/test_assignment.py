"""The shipped assignment: the solution gets all points, and each mistake gets the message that the page shows."""

import re
import runpy
from pathlib import Path

import pytest
from attrs import evolve

from searchkit_coursework.grading.grader import NOT_TRIED, Grade, Grader
from searchkit_coursework.grading.rubric import read_rubric

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "coursework" / "search"
SOLUTIONS = FOLDER / "solutions"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+\.py)` \| (.*?) \| ([^:|]+): (.*) \|$", re.MULTILINE)
MISTAKES = {name: (criterion, message) for name, _, criterion, message in ROW.findall(PAGE)}
"""Submission → the criterion and the grader's message on the page, without the line numbers of a timer."""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wrong solutions."""
    folder = tmp_path_factory.mktemp("wrong")
    for name, text in runpy.run_path(str(FOLDER.parent / "wrong.py"))["wrong_solutions"]("search"):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def grader() -> Grader:
    """Return the grader of the assignment, its maps loaded once."""
    return Grader.of(read_rubric(FOLDER / "rubric.toml"))


def test_the_reference_solution_gets_all_points(grader: Grader) -> None:
    """On every map, so that partial credit does not hide a fault."""
    grade = grader.grade(SOLUTIONS / "solution.py")
    assert [mark.message for mark in grade.marks if not mark.passed] == []
    assert grade.score == grade.most == 21


@pytest.mark.one_in(6)  # each is graded in a process for each map; CI runs the others
@pytest.mark.parametrize("name", MISTAKES)
def test_the_grader_says_what_the_page_says(grader: Grader, wrong: Path, name: str) -> None:
    """From the criterion that the page names; criteria that the mistake does not affect lose none."""
    criterion, message = MISTAKES[name]
    if (
        "still running after 2 s" in message
    ):  # the others get all the time they need, however busy the machine is
        limits = evolve(grader.rubric.limits, seconds=0.3)
        message = message.replace("still running after 2 s", "still running after 0.3 s")
        grader = evolve(grader, rubric=evolve(grader.rubric, limits=limits))
    grade = grader.grade(wrong / name, others=wrong.glob("*.py"))
    mark = next(mark for mark in grade.marks if mark.criterion.name == criterion)
    assert message in mark.message
    assert mark.score < mark.criterion.points
    assert {each.criterion.function for each in grade.marks if not each.passed} == {mark.criterion.function}


def test_the_handout_has_the_points_of_the_rubric(grader: Grader) -> None:
    """In total, and for each function."""
    handout = (ROOT / "docs" / "tutorial" / "coursework.md").read_text(encoding="utf-8")
    assert f" {grader.rubric.points:g} points." in handout
    points: dict[str, float] = {}
    for criterion in grader.rubric.criteria:
        points[criterion.function] = points.get(criterion.function, 0) + criterion.points
    sections = re.findall(
        r"^## .*\((\d+) points\)\n\n`(\w+)\(|^## .*\((\d+) points\)\n", handout, re.MULTILINE
    )
    assert [int(first or last) for first, _, last in sections] == list(points.values())


def grade_of(grader: Grader, path: Path, code: str) -> Grade:
    """Return the grade of a file with this code."""
    path.write_text(code, encoding="utf-8")
    return grader.grade(path, "submission")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def bfs(:\n", "submission.py, line 1: not valid Python: invalid syntax: def bfs(:"),
        (
            "import nosuch\n",
            "loading the file raised ModuleNotFoundError: No module named 'nosuch', in line 1",
        ),
        ("import os\nos.fork()\n", "tried to start another process (os.fork), in line 2 (os.fork())"),
        ("import sys\nsys.exit()\n", "it ended the program with sys.exit(), in line 2"),
        ("x = bytearray(10**10)\n", "memory limit: it asked for more than 512 MB, in line 1"),
    ],
)
def test_a_file_that_can_t_be_loaded_gets_no_points_and_the_reason_once(
    grader: Grader, tmp_path: Path, code: str, message: str
) -> None:
    """Not once for each criterion."""
    grade = grade_of(grader, tmp_path / "submission.py", code)
    assert (grade.score, grade.most) == (0, 21)
    assert message in grade.trouble
    assert {mark.message for mark in grade.marks} == {NOT_TRIED}


def test_a_function_that_is_missing_costs_its_own_criteria_alone(grader: Grader, tmp_path: Path) -> None:
    """The others are graded."""
    code = (SOLUTIONS / "solution.py").read_text(encoding="utf-8").replace("def bfs(", "def bsf(")
    grade = grade_of(grader, tmp_path / "submission.py", code)
    assert grade.trouble == ""
    assert grade.score == 14
    assert grade.marks[0].message == "submission.py has no 'bfs'; did you mean bsf?"


def test_points_are_shared_between_maps(grader: Grader, tmp_path: Path) -> None:
    """A search that gives up on the second map gets half of the points for finding paths on four."""
    code = (SOLUTIONS / "solution.py").read_text(encoding="utf-8")
    code = code.replace("def bfs(problem):", "def bfs(problem, calls=[]):", 1).replace(
        "    frontier = deque(parents)\n",
        "    frontier = deque(parents)\n    calls.append(1)\n    if 2 <= len(calls) <= 3:\n        return None\n",
        1,
    )
    grade = grade_of(grader, tmp_path / "submission.py", code)
    marks = {mark.criterion.name: mark for mark in grade.marks}
    assert (marks["bfs finds a path"].score, marks["bfs finds a path"].right) == (1, 2)
    assert marks["bfs finds a path"].message.startswith(
        "right on 2 of 4 maps\nmazes/loops.txt: it returned None"
    )
    assert marks["bfs expands layer by layer"].score == 0  # without partial credit
    assert marks["astar finds the cheapest path"].passed


def test_ties_cost_no_points_and_dijkstra_for_a_star_does(grader: Grader, tmp_path: Path) -> None:
    """`Few states` are those that every search by f may need."""
    code = (SOLUTIONS / "solution.py").read_text(encoding="utf-8")
    oldest_first = code.replace("-next(number)", "next(number)")
    assert grade_of(grader, tmp_path / "submission.py", oldest_first).score == 21
    by_g = code.replace("best_first(problem, problem.heuristic)", "best_first(problem, lambda state: 0)")
    grade = grade_of(grader, tmp_path / "submission.py", by_g)
    assert [mark.criterion.name for mark in grade.marks if not mark.passed] == ["astar expands few states"]
    assert "in 31 states, f is not above that of the best goal" in grade.marks[7].message


def test_the_problem_s_own_heuristic_is_not_given_where_one_is_asked_for(
    grader: Grader, tmp_path: Path
) -> None:
    """It would get all points."""
    code = "def vault_heuristic(state, problem): return problem.heuristic(state)"
    grade = grade_of(grader, tmp_path / "submission.py", code)
    assert grade.score == 0
    assert "AttributeError: problem.heuristic is not given here" in grade.marks[-1].message
