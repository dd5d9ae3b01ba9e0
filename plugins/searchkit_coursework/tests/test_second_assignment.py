"""The assignment about Pac-Man: points for the solution, the starter file and each typical mistake."""

import re
import runpy
from collections.abc import Iterable
from pathlib import Path

import pytest
from attrs import evolve

from searchkit_coursework.grading.grader import Grade, Grader
from searchkit_coursework.grading.rubric import read_rubric

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "coursework" / "pacman"
SOLUTIONS = FOLDER / "solutions"
ROW = re.compile(r"^\| `(\w+\.py)` \| (\d+) \| ([\d, ]+) \| (.*) \|$", re.MULTILINE)
MISTAKES = {
    name: (int(points), {int(number) for number in numbers.split(",")}, message)
    for name, points, numbers, message in ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8"))
}
"""Submission → the points that it loses, the numbers of the criteria that it fails, and what the grader says."""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wrong solutions."""
    folder = tmp_path_factory.mktemp("wrong")
    for name, text in runpy.run_path(str(FOLDER.parent / "wrong.py"))["wrong_solutions"]("pacman"):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def grader() -> Grader:
    """Return the grader of the assignment, its maps loaded once."""
    return Grader.of(read_rubric(FOLDER / "rubric.toml"))


def only(grader: Grader, functions: Iterable[str]) -> Grader:
    """Return the grader of some functions of the assignment alone."""
    kept = tuple(each for each in grader.rubric.criteria if each.function in functions)
    return evolve(grader, rubric=evolve(grader.rubric, criteria=kept))


def lost(grader: Grader, grade: Grade) -> tuple[float, set[int]]:
    """Return the points that a submission lost, and the numbers of the criteria that it fails."""
    numbers = {each.name: number for number, each in enumerate(grader.rubric.criteria, 1)}
    return grade.most - grade.score, {numbers[mark.criterion.name] for mark in grade.marks if not mark.passed}


def test_the_solution_gets_full_points(grader: Grader) -> None:
    """On every map."""
    grade = grader.grade(SOLUTIONS / "solution.py")
    assert [mark.message for mark in grade.marks if not mark.passed] == []
    assert grade.score == grade.most == 20


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_fails_the_criteria_that_it_should(grader: Grader, wrong: Path, name: str) -> None:
    """The function with the mistake is graded; the next test grades the others as well."""
    points, numbers, message = MISTAKES[name]
    functions = {grader.rubric.criteria[number - 1].function for number in numbers}
    grade = only(grader, functions).grade(wrong / name, others=wrong.glob("*.py"))
    assert lost(grader, grade) == (points, numbers)
    said = next(mark.message for mark in grade.marks if not mark.passed)
    assert message in said.replace(
        "max() iterable argument is empty", "max() arg is an empty sequence"
    )  # 3.12


@pytest.mark.long
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_loses_nothing_else(grader: Grader, wrong: Path, name: str) -> None:
    """All functions are graded."""
    points, numbers, _ = MISTAKES[name]
    grade = grader.grade(wrong / name, others=wrong.glob("*.py"))
    assert lost(grader, grade) == (points, numbers)


def test_the_handout_has_the_points_of_the_rubric(grader: Grader) -> None:
    """In total, and for each function."""
    handout = (ROOT / "docs" / "tutorial" / "pacman-assignment.md").read_text(encoding="utf-8")
    assert f" {grader.rubric.points:g} points." in handout
    points: dict[str, float] = {}
    for criterion in grader.rubric.criteria:
        points[criterion.function] = points.get(criterion.function, 0) + criterion.points
    sections = re.findall(r"^## .*\((\d+) points\)\n\n`(\w+)\(", handout, re.MULTILINE)
    assert {function: int(number) for number, function in sections} == points
