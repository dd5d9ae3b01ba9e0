"""`solve` with other workers and on disk: `--workers` and `--spill`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_the_engine_on_disk_answers(unblock: Callable[..., Any], tmp_path: Path) -> None:
    """JSON names it, and a warning says that the search began again."""
    outcome = unblock("tiles")(
        "solve", "8puzzle", "--engine", "astar", "--max-memory", "1", "--spill", tmp_path / "states", "--json"
    )
    assert outcome.code == 0
    told = json.loads(outcome.out)
    assert (told["engine"], told["cost"]) == ("external_astar", 31)
    assert "external_astar began from the start on disk" in told["warnings"][-1]
    assert (tmp_path / "states" / "manifest.json").is_file()


def test_an_engine_without_a_form_on_disk(run: Callable[..., Any], tmp_path: Path) -> None:
    """One line, before the search begins."""
    refusal = run("solve", "meadow", "--engine", "dfs", "--max-memory", 9, "--spill", tmp_path).refusal()
    assert refusal.startswith("engine 'dfs' has no form on disk")


@pytest.mark.parametrize(("engine", "is_named"), [("bfs", True), ("idastar", False)])
def test_a_limit_of_memory_names_the_option(engine: str, is_named: bool, unblock: Callable[..., Any]) -> None:
    """If the engine has a form on disk."""
    outcome = unblock("tiles")("solve", "8puzzle", "--engine", engine, "--max-memory", "1")
    assert outcome.code == 3
    assert ("--spill DIR" in outcome.out) == is_named


def test_workers_are_a_setting_of_the_engine(run: Callable[..., Any]) -> None:
    """The same as `--set workers=…`, and so it is given once; other engines have no such option."""
    words = ("solve", "meadow", "--workers", "serial", "--engine")
    assert "--workers: engines that can share their work are" in run(*words, "astar").refusal()
    assert "--set workers is given twice" in run(*words, "external_bfs", "--set", "workers=serial").refusal()
