"""The shipped assignments: points for the solution, and for each typical mistake the message that the page shows."""

import re
import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve

from searchkit_coursework.grader import NOT_TRIED, Grade, Grader
from searchkit_coursework.planted import check_criterion
from searchkit_coursework.rubric import read_rubric
from searchkit_coursework.sandbox import RunLimits

ROOT = Path(__file__).parents[3]
COURSEWORK = ROOT / "examples" / "coursework"
WRONG = runpy.run_path(str(COURSEWORK / "wrong.py"))["wrong_solutions"]
HANDOUTS = {"search": "coursework.md", "pacman": "pacman-assignment.md"}
PAGE = (COURSEWORK / "search" / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+\.py)` \| (.*?) \| ([^:|]+): (.*) \|$", re.MULTILINE)
MISTAKES = {name: (criterion, message) for name, _, criterion, message in ROW.findall(PAGE)}
"""Submission for `search` → the criterion and the grader's message on the page."""
LOSSES_ROW = re.compile(r"^\| `(\w+\.py)` \| (\d+) \| ([\d, ]+) \| (.*) \|$", re.MULTILINE)
LOSSES = {
    name: (int(points), {int(number) for number in numbers.split(",")}, message)
    for name, points, numbers, message in LOSSES_ROW.findall(
        (COURSEWORK / "pacman" / "README.md").read_text(encoding="utf-8")
    )
}
"""Submission for `pacman` → the points that it loses, the numbers of the criteria, and the grader's message."""


@cache
def grader_of(assignment: str) -> Grader:
    """Return the grader of an assignment, its maps loaded once."""
    return Grader(read_rubric(COURSEWORK / assignment / "rubric.toml"))


def solution(assignment: str) -> str:
    """Return the text of the reference solution."""
    return (COURSEWORK / assignment / "solutions" / "solution.py").read_text(encoding="utf-8")


@pytest.fixture
def graded(tmp_path: Path) -> Callable[[Grader, str], Grade]:
    """Return what grades a text as a submission."""

    def graded(grader: Grader, code: str) -> Grade:
        path = tmp_path / "submission.py"
        path.write_text(code, encoding="utf-8")
        return grader.grade(path, "submission")

    return graded


Graded = Callable[[Grader, str], Grade]


@pytest.mark.parametrize(("assignment", "points"), [("search", 21), ("pacman", 20)])
def test_the_reference_solution_gets_all_points(graded: Graded, assignment: str, points: float) -> None:
    """On every map, so that partial credit does not hide a fault."""
    grade = graded(grader_of(assignment), solution(assignment))
    assert [mark.message for mark in grade.marks if not mark.passed] == []
    assert grade.score == points


@pytest.mark.one_in(6)  # CI runs the others
@pytest.mark.parametrize("name", MISTAKES)
def test_the_grader_says_what_the_page_says(graded: Graded, name: str) -> None:
    """From the criterion that the page names; criteria that the mistake does not affect lose none."""
    criterion, message = MISTAKES[name]
    grader = grader_of("search")
    # The others get all the time they need, however busy the machine is.
    if "still running after 2 s" in message:
        message = message.replace("still running after 2 s", "still running after 0.3 s")
        limits = RunLimits(seconds=0.3)
        grader = evolve(grader, rubric=evolve(grader.rubric, limits=limits))
    grade = graded(grader, dict(WRONG("search"))[name])
    mark = next(mark for mark in grade.marks if mark.criterion.name == criterion)
    assert message in mark.message
    assert mark.score < mark.criterion.points
    assert {each.criterion.function for each in grade.marks if not each.passed} == {mark.criterion.function}


@pytest.mark.one_in(4)  # CI runs the others
@pytest.mark.parametrize("name", LOSSES)
def test_a_mistake_fails_the_criteria_that_it_should(graded: Graded, name: str) -> None:
    """And no others."""
    points, numbers, message = LOSSES[name]
    grade = graded(grader_of("pacman"), dict(WRONG("pacman"))[name])
    assert 20 - grade.score == points
    assert {number for number, mark in enumerate(grade.marks, 1) if not mark.passed} == numbers
    said = next(mark.message for mark in grade.marks if not mark.passed)
    assert message in said.replace(
        "max() iterable argument is empty", "max() arg is an empty sequence"
    )  # 3.12


@pytest.mark.parametrize("assignment", HANDOUTS)
def test_the_handout_has_the_points_of_the_rubric(assignment: str) -> None:
    """In total, and for each function."""
    rubric = grader_of(assignment).rubric
    handout = (ROOT / "docs" / "tutorial" / HANDOUTS[assignment]).read_text(encoding="utf-8")
    assert f" {rubric.points:g} points." in handout
    points: dict[str, float] = {}
    for criterion in rubric.criteria:
        points[criterion.function] = points.get(criterion.function, 0) + criterion.points
    sections = re.findall(r"^## .*\((\d+) points\)\n", handout, re.MULTILINE)
    assert sorted(map(int, sections)) == sorted(points.values())


@pytest.mark.parametrize("assignment", ["search", pytest.param("pacman", marks=pytest.mark.long)])
def test_each_criterion_can_be_failed(assignment: str) -> None:
    """By a mistake that its property is there to find, on one of its maps."""
    grader = grader_of(assignment)
    checks = [check_criterion(criterion) for criterion in grader.rubric.criteria]
    assert [line for line, can_fail in checks if not can_fail] == []


def test_a_file_that_can_t_be_loaded_gets_no_points_and_the_reason_once(graded: Graded) -> None:
    """Not once for each criterion."""
    grade = graded(grader_of("search"), "def bfs(:\n")
    assert grade.score == 0
    assert grade.trouble == "submission.py, line 1: not valid Python: invalid syntax: def bfs(:"
    assert {mark.message for mark in grade.marks} == {NOT_TRIED}


def test_a_function_that_is_missing_costs_its_own_criteria_alone(graded: Graded) -> None:
    """The others are graded."""
    grade = graded(grader_of("search"), solution("search").replace("def bfs(", "def bsf("))
    assert (grade.trouble, grade.score) == ("", 14)
    assert grade.marks[0].message == "submission.py has no 'bfs'; did you mean bsf?"


def test_points_are_shared_between_maps(graded: Graded) -> None:
    """A search that gives up on the second map gets half of the points for finding paths on four."""
    code = solution("search").replace("def bfs(problem):", "def bfs(problem, calls=[]):", 1)
    code = code.replace(
        "    frontier = deque(parents)\n",
        "    frontier = deque(parents)\n    calls.append(1)\n    if 2 <= len(calls) <= 3:\n        return None\n",
        1,
    )
    marks = {mark.criterion.name: mark for mark in graded(grader_of("search"), code).marks}
    assert (marks["bfs finds a path"].score, marks["bfs finds a path"].right) == (1, 2)
    assert marks["bfs finds a path"].message.startswith(
        "right on 2 of 4 maps\nmazes/loops.txt: it returned None"
    )
    assert marks["bfs expands layer by layer"].score == 0  # without partial credit
    assert marks["astar finds the cheapest path"].passed


def test_ties_cost_no_points_and_dijkstra_for_a_star_does(graded: Graded) -> None:
    """`Few states` are those that every search by f may need."""
    oldest_first = solution("search").replace("-next(number)", "next(number)")
    assert graded(grader_of("search"), oldest_first).score == 21
    by_g = solution("search").replace(
        "best_first(problem, problem.heuristic)", "best_first(problem, lambda state: 0)"
    )
    grade = graded(grader_of("search"), by_g)
    assert [mark.criterion.name for mark in grade.marks if not mark.passed] == ["astar expands few states"]
    assert "in 31 states, f is not above that of the best goal" in grade.marks[7].message


def test_the_problem_s_own_heuristic_is_not_given_where_one_is_asked_for(graded: Graded) -> None:
    """It would get all points."""
    code = "def vault_heuristic(state, problem): return problem.heuristic(state)"
    grade = graded(grader_of("search"), code)
    assert grade.score == 0
    assert "AttributeError: problem.heuristic is not given here" in grade.marks[-1].message
