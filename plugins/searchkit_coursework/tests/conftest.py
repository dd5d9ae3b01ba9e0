"""Students' files, and running them."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from searchkit_coursework.maps import MapEntry, prepare
from searchkit_coursework.sandbox.access import Access
from searchkit_coursework.sandbox.endings import RunLimits
from searchkit_coursework.sandbox.jobs import Outcome, Sandbox
from searchkit_coursework.sandbox.service import Book, Service

MAZE = "#####\n#S..#\n#.#.#\n#..G#\n#####\n"
ACCESS = Access()
Student = Callable[[str], Path]
Run = Callable[..., Outcome]


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
def book(maze: Path) -> Book:
    """Return what a student's process may know of the maze."""
    return Book(prepare(MapEntry(str(maze), "dungeon"), maze.parent))


def make_job(file: Path, access: Access = ACCESS) -> dict[str, Any]:
    """Return the job of running `find` of a file."""
    readable, folder = access.of(file.resolve())
    return {
        "file": str(file.resolve()),
        "name": "find",
        "folder": folder,
        "path": access.path,
        "readable": [*access.readable, *readable],
        "private": [str(place) for place in access.private],
        "forbidden": access.modules,
    }


@pytest.fixture
def job_of() -> Callable[[Path], dict[str, Any]]:
    """Return what makes the job of running `find` of a file."""
    return make_job


@pytest.fixture
def run(student: Student, book: Book) -> Run:
    """Return what runs a function `find` of a student's file on some copies of the maze."""

    def run(
        code: str,
        limits: RunLimits | None = None,
        cases: int = 1,
        kind: str = "search",
        services: list[Service] | None = None,
        access: Access = ACCESS,
    ) -> Outcome:
        services = services or [Service(book, kind) for _ in range(cases)]
        limits = limits or RunLimits(seconds=20, memory=256)
        return Sandbox().grade(make_job(student(code), access), limits, services)

    return run
