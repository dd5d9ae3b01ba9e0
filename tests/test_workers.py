"""Tests are shared out among processes so that none does what another has done."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.workers import fcntl, locked, one_at_a_time, unit_of


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("docs/index.md::line:3,column:1", "docs/index.md"),
        ("tests/typing/test_type_checkers.py::test_accepts[a-mypy]", "tests/typing/test_type_checkers.py"),
        ("tests/a.py::test_b[x]", "tests/a.py::test_b"),
        ("tests/a.py::test_b[x::y]", "tests/a.py::test_b"),
        ("searchkit/tree.py::searchkit.tree.SearchTree", "searchkit/tree.py::searchkit.tree.SearchTree"),
    ],
)
def test_units(nodeid: str, unit: str) -> None:
    """A page is one, and so are all cases of a test."""
    assert unit_of(nodeid) == unit


@pytest.mark.skipif(fcntl is None, reason="files are not locked here")
def test_a_lock_keeps_other_processes_out(tmp_path: Path) -> None:
    """While it is held, and no longer."""
    path = tmp_path / "lock"
    code = (
        "import fcntl, sys\n"
        "try: fcntl.flock(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError: sys.exit(7)"
    )
    command = [sys.executable, "-c", code, str(path)]
    with locked(path):
        assert subprocess.run(command, check=False).returncode == 7
    assert subprocess.run(command, check=False).returncode == 0


@pytest.mark.skipif(fcntl is None, reason="files are not locked here")
def test_a_function_that_calls_itself_is_compiled(tmp_path: Path) -> None:
    """It does not wait for itself, and the lock is free again after an error."""
    pytest.importorskip("numba")
    depths = []

    def compile_(compiled: Any, depth: int) -> int:
        depths.append(depth)
        if depth == 2:
            raise KeyError(depth)
        return int(once(compiled, depth + 1)) if depth == 0 else depth

    once = one_at_a_time(tmp_path, compile_, lambda compiled: compiled.function)
    function = SimpleNamespace(function=test_units)
    assert once(function, 0) == 1
    with pytest.raises(KeyError):
        once(function, 2)
    assert once(function, 1) == 1
    assert depths == [0, 1, 2, 1]
