"""`solve --spill`: a search that reaches its limit of memory begins again on disk."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.plugin.registry import DISABLE_VARIABLE
from tests.without_numba import with_numba


@with_numba
def test_the_engine_on_disk_answers(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON names it, and a warning says that the search began again."""
    monkeypatch.delenv(DISABLE_VARIABLE)  # for a problem with a compiled view
    outcome = run(
        "solve", "8puzzle", "--engine", "astar", "--max-memory", "1", "--spill", tmp_path / "states", "--json"
    )
    assert outcome.code == 0
    told = json.loads(outcome.out)
    assert (told["engine"], told["cost"]) == ("external_astar", 31)
    assert "external_astar began from the start on disk" in told["warnings"][-1]
    assert (tmp_path / "states" / "manifest.json").is_file()


def test_an_engine_without_a_form_on_disk(run: Callable[..., Any], tmp_path: Path) -> None:
    """One line, before the search begins."""
    outcome = run("solve", "meadow", "--engine", "dfs", "--max-memory", 9, "--spill", tmp_path)
    assert outcome.code == 2
    assert "engine 'dfs' has no form on disk" in outcome.err


@pytest.mark.parametrize(("engine", "is_named"), [("bfs", True), ("idastar", False)])
def test_a_limit_of_memory_names_the_option(
    engine: str, is_named: bool, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the engine has a form on disk."""
    monkeypatch.delenv(DISABLE_VARIABLE)
    outcome = run("solve", "8puzzle", "--engine", engine, "--max-memory", "1")
    assert outcome.code == 3
    assert ("--spill DIR" in outcome.out) == is_named
