"""`searchkit compile`: all that is installed, from the registry; what fails is named."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from searchkit.cli import compile as command
from searchkit.plugin.registry import DISABLE_VARIABLE, registry


@pytest.fixture
def bundled(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    blocked = os.environ[DISABLE_VARIABLE].split(",")
    monkeypatch.setenv(DISABLE_VARIABLE, ",".join(name for name in blocked if name != "dungeon"))
    return run


def test_every_compiled_engine_and_every_problem_is_searched() -> None:
    """Nothing is kept by hand: the registry says what there is."""
    found = registry()
    tasks = list(command.tasks_of(found, set(), set()))
    assert {task.engine for task in tasks} == {spec.name for spec in found.engines.values() if spec.kernel}
    assert {task.problem for task in tasks} == {
        spec.name for spec in found.problems.values() if spec.examples
    }
    assert any(task.options for task in tasks)


def test_what_is_compiled_is_counted(bundled: Callable[..., Any]) -> None:
    """It is compiled once; the command says where it is."""
    first = bundled("compile", "--problem", "dungeon", "--engine", "bfs")
    assert first.code == 0
    again = bundled("compile", "--problem", "dungeon", "--engine", "bfs")
    assert again.code == 0
    assert again.out.startswith("0 functions compiled, ")
    assert " MB, " in again.out


def test_the_list_compiles_nothing(bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each search."""
    monkeypatch.setattr(command, "_try", None)
    listed = bundled("compile", "--list", "--engine", "bfs", "--problem", "dungeon")
    assert listed.code == 0
    assert all(line.startswith("bfs on ") for line in listed.out.splitlines())
    assert any(" moves=" in line or " lengths=" in line for line in listed.out.splitlines())


def test_what_fails_is_named(bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard error, and in the exit code."""
    monkeypatch.setattr(command, "_try", lambda task: "out of luck")
    failed = bundled("compile", "--engine", "bfs", "--problem", "dungeon")
    assert failed.code == 1
    assert "not compiled: bfs on " in failed.err
    assert ": out of luck" in failed.err


def test_wrong_names_are_wrong_use(bundled: Callable[..., Any]) -> None:
    """As everywhere."""
    assert bundled("compile", "--engine", "nosuch").code == 2
    assert bundled("compile", "--problem", "nosuch").code == 2


def test_without_numba_it_says_what_to_install(
    bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And compiles nothing."""
    monkeypatch.setattr(
        "searchkit.search.preparation.Broken.why", "machine code can't be used: install it again"
    )
    failed = bundled("compile")
    assert (failed.code, failed.out) == (2, "")
    assert "install it again" in failed.err


def test_what_has_no_compiled_form_has_nothing_to_compile() -> None:
    """It is not a failure."""
    assert command._try(command.Task("robots", "deadlock", {}, "bfs")) == ""
    assert command._try(command.Task("graph", "streets", {}, "zero_one")) is None


def test_an_engine_that_does_not_fit_the_smallest_examples_has_others(
    bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each searches as many as it fits: jump point search is not for weighted cells."""
    tried: list[str] = []

    def fits(task: command.Task) -> str | None:
        tried.append(task.example)
        return None if len(set(tried)) <= command.EXAMPLES else ""

    monkeypatch.setattr(command, "_try", fits)
    assert bundled("compile", "--engine", "jps", "--problem", "dungeon").code == 0
    assert len(set(tried)) == 2 * command.EXAMPLES
