"""Students' files, and grading them."""

import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from searchkit import SearchProblem
from searchkit_coursework.grader import Grade, Grader
from searchkit_coursework.maps import Instance
from searchkit_coursework.rubric import read_rubric
from searchkit_coursework.service import Service
from searchkit_coursework.student.observing import UnusableError, observe

MAZE = "#####\n#S..#\n#.#.#\n#..G#\n#####\n"
Student = Callable[[str], Path]
GradeCode = Callable[..., Grade]
CRITERION = '[[criteria]]\nname = "{0}"\nfunction = "{1}"\nproperty = "{0}"\nmaps = "all"\npoints = 1\n'


@pytest.fixture
def student(tmp_path: Path) -> Student:
    """Return what writes a student's file."""

    def write(code: str) -> Path:
        path = tmp_path / "student" / "student.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(code), encoding="utf-8")
        return path

    return write


@pytest.fixture
def maze(tmp_path: Path) -> Path:
    """Return the file of a small maze."""
    path = tmp_path / "maze.txt"
    path.write_text(MAZE, encoding="utf-8")
    return path


@pytest.fixture
def grade(student: Student, maze: Path, tmp_path: Path) -> GradeCode:
    """Return what grades code by some properties of a function, `find` by default."""

    def grade(
        code: str,
        *properties: str,
        function: str = "find",
        seconds: float = 5,
        maps: int = 1,
        top: str = "",
    ) -> Grade:
        for number in range(1, maps):
            (tmp_path / f"maze{number}.txt").write_text(MAZE, encoding="utf-8")
        names = [maze.name, *(f"maze{number}.txt" for number in range(1, maps))]
        rubric = tmp_path / "rubric.toml"
        rubric.write_text(
            f"{top}\n[limits]\nseconds = {seconds}\nmemory = 256\n[maps]\nall = {names}\n"
            + "".join(CRITERION.format(name, function) for name in properties or ["valid"]),
            encoding="utf-8",
        )
        return Grader(read_rubric(rubric)).grade(student(code))

    return grade


def message(grade: Grade) -> str:
    """Return why the submission lost its points."""
    return grade.trouble or grade.marks[0].message


def instance_of(problem: SearchProblem[Any, Any]) -> Instance:
    """Return a problem as a map of a rubric."""
    made = Instance("map")
    vars(made)["problem"] = problem
    return made


def observed(function: Callable[..., Any], service: Service) -> Any:
    """Return the observation of a function, as its own process would report it."""

    def ask(*question: Any) -> Any:
        return service.answer(json.loads(json.dumps(question)))

    try:
        said = observe(function, service.opening(), ask)
    except UnusableError as error:
        said = {"failure": str(error)}
    return service.observation(json.loads(json.dumps(said)))
