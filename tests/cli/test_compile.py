"""`searchkit compile`: all that is installed, from the registry; what fails is named."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit import available_engines, available_problems


@pytest.fixture
def bundled(unblock: Callable[..., Any]) -> Any:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    return unblock("dungeon", "robots", "graph")


def test_every_compiled_engine_and_every_problem_is_searched(bundled: Any) -> None:
    """Nothing is kept by hand: the registry says what there is. The list compiles nothing."""
    listed = [line.split() for line in bundled("compile", "--list").out.splitlines()]
    assert {words[0] for words in listed} == {
        name for name, spec in available_engines().items() if spec.kernel
    }
    examples = {example.name for spec in available_problems().values() for example in spec.examples}
    assert {words[2] for words in listed} == examples
    some = bundled("compile", "--list", "--engine", "bfs", "--problem", "dungeon").out
    assert any(" moves=" in line or " lengths=" in line for line in some.splitlines())


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
import sys
from searchkit import Limits, Search, load
from searchkit.errors import SearchkitError
for line in sys.stdin:
    engine, _, example, *options = line.split()
    try:
        problem = load(example, **dict(option.split("=") for option in options))
        Search(problem, engine, backend="compiled").run(Limits(expansions=3_000))
    except SearchkitError:  # options that this example can't have, or an engine that does not fit
        continue
"""


def test_after_it_nothing_is_compiled(tmp_path: Path) -> None:
    """In any example of a problem, and with any option; of all kinds and engines, that takes several minutes."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "searchkit", "compile", "-e", "bfs", "-p", "graph"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    before = set(tmp_path.rglob("*.nbc"))
    assert before
    listed = subprocess.run([*command, "--list"], env=environment, check=True, capture_output=True)
    solve = [sys.executable, "-c", SOLVE]
    subprocess.run(solve, input=listed.stdout, env=environment, check=True, capture_output=True)
    assert set(tmp_path.rglob("*.nbc")) == before
