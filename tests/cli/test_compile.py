"""`searchkit compile`: all that is installed, from the registry; what fails is named."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def bundled(unblock: Callable[..., Any]) -> Any:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    return unblock("dungeon", "robots", "graph")


def test_what_is_compiled_is_counted(bundled: Any) -> None:
    """It is compiled once; the command says where it is. What has no compiled form is not a failure."""
    words = ("compile", "--problem", "robots", "--engine", "bfs")
    assert bundled(*words).code == 0
    again = bundled(*words)
    assert again.code == 0
    assert again.out.startswith("0 functions compiled, ")
    assert " MB, " in again.out


def test_what_fails_is_named(bundled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard error, and in the exit code."""

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.setattr("searchkit.Search.run", fail)
    failed = bundled("compile", "--engine", "bfs", "--problem", "graph")
    assert failed.code == 1
    assert "not compiled: bfs on " in failed.err
    assert "RuntimeError: out of luck" in failed.err


SOLVE = """
from searchkit import Limits, Search, available_problems, load
for example in available_problems()["graph"].examples:
    Search(load(example.name), "bfs", backend="compiled").run(Limits(expansions=3_000))
"""


def test_after_it_nothing_is_compiled(tmp_path: Path) -> None:
    """In any example of a problem; of all kinds and engines, that takes several minutes."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "searchkit", "compile", "-e", "bfs", "-p", "graph"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    before = set(tmp_path.rglob("*.nbc"))
    assert before
    subprocess.run([sys.executable, "-c", SOLVE], env=environment, check=True, capture_output=True)
    assert set(tmp_path.rglob("*.nbc")) == before
