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
REJECTED = sorted((HERE / "rejected").glob("*.py"))
CHECKERS = ("mypy", "pyright")


def run(*command: str) -> str:
    """Run a type checker in this environment; its exit code says whether it found errors, so both are right."""
    done = subprocess.run(
        [sys.executable, "-m", *command, *map(str, ACCEPTED + REJECTED)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def mypy_errors() -> Iterator[tuple[Path, str]]:
    """Yield the file and the message of each error of mypy."""
    for line in run("mypy", "--strict", "--output=json").splitlines():
        if line.startswith("{"):
            finding = json.loads(line)
            yield ROOT / finding["file"], finding["message"] + (finding["hint"] or "")


def pyright_errors() -> Iterator[tuple[Path, str]]:
    """Yield the file and the message of each error of pyright."""
    report: dict[str, Any] = json.loads(run("pyright", "--outputjson", f"--pythonpath={sys.executable}"))
    for finding in report["generalDiagnostics"]:
        if finding["severity"] == "error":
            yield Path(finding["file"]), finding["message"]


@pytest.fixture(scope="module")
def errors() -> dict[tuple[str, Path], list[str]]:
    """Return the messages of both type checkers, by checker and file."""
    found: dict[tuple[str, Path], list[str]] = {}
    for checker, findings in (("mypy", mypy_errors()), ("pyright", pyright_errors())):
        for path, message in findings:
            found.setdefault((checker, path), []).append(message)
    return found


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_accepts(errors: dict[tuple[str, Path], list[str]], checker: str, path: Path) -> None:
    """A correct problem has no error, and the types that the file asserts are the inferred ones."""
    assert errors.get((checker, path), []) == []


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_names_the_wrong_member(errors: dict[tuple[str, Path], list[str]], checker: str, path: Path) -> None:
    """A wrong problem has an error, and it names the member that the file says is wrong."""
    named = re.search(r"^Named: (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert named
    messages = errors.get((checker, path), [])
    assert any(re.search(rf"\b{named[1]}\b", message) for message in messages), messages


def test_every_member_is_covered() -> None:
    """There is a wrong problem for each member of the protocol."""
    named = {re.findall(r"^Named: (\w+)$", path.read_text("utf-8"), re.MULTILINE)[0] for path in REJECTED}
    assert named >= {"initial_states", "successors", "is_goal", "cost", "heuristic"}
