"""Type checkers accept a correct problem, and name the wrong member of a wrong one."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ACCEPTED = sorted((HERE / "accepted").glob("*.py"))
REJECTED = HERE / "rejected" / "members.py"
CHECKERS = ("mypy", "pyright")


def run(*command: str) -> str:
    """Run a type checker in this environment; its exit code says whether it found errors, so both are right."""
    done = subprocess.run(
        [sys.executable, "-m", *command, *map(str, [*ACCEPTED, REJECTED])],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def mypy_errors() -> Iterator[tuple[Path, int, str]]:
    """Yield the file, the line and the message of each error of mypy."""
    for line in run("mypy", "--strict", "--output=json").splitlines():
        if line.startswith("{"):
            finding = json.loads(line)
            yield ROOT / finding["file"], finding["line"], finding["message"] + (finding["hint"] or "")


def pyright_errors() -> Iterator[tuple[Path, int, str]]:
    """Yield the file, the line and the message of each error of pyright."""
    report: dict[str, Any] = json.loads(run("pyright", "--outputjson", f"--pythonpath={sys.executable}"))
    for finding in report["generalDiagnostics"]:
        if finding["severity"] == "error":
            yield Path(finding["file"]), finding["range"]["start"]["line"] + 1, finding["message"]


@pytest.fixture(scope="module")
def errors() -> dict[str, list[tuple[Path, int, str]]]:
    """Return the errors of each type checker."""
    return {"mypy": [*mypy_errors()], "pyright": [*pyright_errors()]}


def sections() -> list[tuple[str, int, int]]:
    """Return, for each wrong problem, what should be named, its first line and the line after it."""
    lines = REJECTED.read_text(encoding="utf-8").splitlines()
    begins = [number for number, line in enumerate(lines) if "Named: " in line]
    ends = [*begins[1:], len(lines) + 1]
    return [
        (lines[begin].split()[-1].strip('".'), begin, end) for begin, end in zip(begins, ends, strict=True)
    ]


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_accepts(errors: dict[str, list[tuple[Path, int, str]]], checker: str, path: Path) -> None:
    """A correct problem has no error, and the types that the file asserts are the inferred ones."""
    assert [error for error in errors[checker] if error[0] == path] == []


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize(("name", "begin", "end"), sections())
def test_names_the_wrong_member(
    errors: dict[str, list[tuple[Path, int, str]]], checker: str, name: str, begin: int, end: int
) -> None:
    """A wrong problem has an error, and it names the member that the file says is wrong."""
    messages = [text for path, line, text in errors[checker] if path == REJECTED and begin <= line < end]
    assert any(re.search(rf"\b{name}\b", message) for message in messages), messages


def test_every_member_is_covered() -> None:
    """There is a wrong problem for each member of the protocol."""
    assert {name for name, _, _ in sections()} >= {
        "initial_states",
        "successors",
        "is_goal",
        "cost",
        "heuristic",
    }
