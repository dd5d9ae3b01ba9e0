"""Students' files, and running them."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from searchkit.coursework.endings import RunLimits
from searchkit.coursework.sandbox import Outcome, Sandbox

MAZE = "#####\n#S..#\n#.#.#\n#..G#\n#####\n"
Student = Callable[[str], Path]
Run = Callable[..., Outcome]


@pytest.fixture
def student(tmp_path: Path) -> Student:
    """Return what writes a student's file."""

    def write(code: str) -> Path:
        path = tmp_path / "student.py"
        path.write_text(dedent(code), encoding="utf-8")
        return path

    return write


@pytest.fixture
def case(tmp_path: Path) -> dict[str, Any]:
    """Return a case of a job: a small maze."""
    path = tmp_path / "maze.txt"
    path.write_text(MAZE, encoding="utf-8")
    return {"source": str(path), "problem": "dungeon", "options": {}, "most": 100}


@pytest.fixture
def run(student: Student, case: dict[str, Any]) -> Run:
    """Return what runs a function `find` of a student's file on some copies of the maze."""

    def run(code: str, limits: RunLimits | None = None, cases: int = 1, kind: str = "search") -> Outcome:
        job = {"kind": kind, "file": str(student(code)), "name": "find", "cases": [case] * cases}
        return Sandbox().run(job, limits or RunLimits(seconds=20, memory=256))

    return run
