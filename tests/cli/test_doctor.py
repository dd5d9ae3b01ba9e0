"""`searchkit plugins --check`: what is installed, held to its promises."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from searchkit import available_engines


def rows(text: str) -> dict[tuple[str, str], list[str]]:
    """Return the table's rows, by what is checked and its name."""
    lines = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines() if line.startswith("│")
    ]
    return {(kind, name): [plugin, *counts] for plugin, kind, name, *counts in lines}


def test_a_fault_is_a_red_row(run: Callable[..., Any]) -> None:
    """The toy plugin has one, successors that raise: exit code 1, and the report says why."""
    outcome = run("plugins", "--check", "toy", "--examples", "2")
    assert outcome.code == 1
    table = rows(outcome.out)
    assert table["problem", "faulty"][-1] == "✗"
    assert "by nought" in outcome.out
    assert ("engine", "astar") not in table
    assert table["problem", "line"][-1] == "✓"


def test_what_holds_is_exit_code_0(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every engine has a row, with as many examples as were asked for."""
    outcome = run("plugins", "--check", "engines", "--examples", "2")
    assert outcome.code == 0, outcome.out
    engines = {name for kind, name in rows(outcome.out) if kind == "engine"}
    assert {"astar", "bfs", "dijkstra"} <= engines
    assert engines == available_engines().keys()
    assert rows(outcome.out)["engine", "astar"][-1] == "✓"


def test_a_check_that_ends_in_an_error_is_a_failure(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not take the others down."""

    def broken(*_: object, **__: object) -> Any:
        raise RuntimeError("out of patience")

    monkeypatch.setattr("searchkit.testing.check_problem", broken)
    outcome = run("plugins", "--check", "toy", "--examples", "1")
    assert outcome.code == 1
    assert "problem field: the check itself ended in RuntimeError: out of patience" in outcome.out


def test_without_the_extra(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what to install, and nothing is checked."""
    monkeypatch.delitem(sys.modules, "searchkit.testing", raising=False)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    outcome = run("plugins", "--check")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.endswith("install it with: pip install 'statespace-searchkit[testing]'\n")
    assert outcome.err.count("\n") == 1


def test_names_that_do_not_fit(run: Callable[..., Any]) -> None:
    """An unknown plugin, and a name without --check."""
    outcome = run("plugins", "--check", "toys")
    assert outcome.code == 2
    assert (
        "there is no plugin 'toys' to check: did you mean toy? There are coursework, engines, toy"
        in outcome.err
    )
    outcome = run("plugins", "toy")
    assert outcome.code == 2
    assert "searchkit plugins --check toy" in outcome.err
