"""How many functions stand between a command and the engine that it runs."""

from collections.abc import Callable
from typing import Any

from tests.cli.call_path import CallPath

FUNCTIONS, FILES, STACK = 63, 18, 11
"""Upper bounds. Lower them when the path gets shorter; before they are raised, look for a detour."""


def test_the_path_from_the_command_to_the_engine_is_short(run: Callable[..., Any]) -> None:
    """Parsing, loading the plugins, reading the problem, choosing the engine: each is a few functions."""
    assert run("engines").code == 0  # the toy plugin is installed, and typer is imported
    path = CallPath()
    called = [
        each for each in path.functions(["solve", "meadow", "--no-draw"]) if each.startswith("searchkit/")
    ]
    assert called[0] == "searchkit/cli/__init__.py:main"
    assert "searchkit/cli/commands/solve.py:solve" in called
    assert path.stack[-1].co_name == "astar"
    assert len(called) <= FUNCTIONS, "\n".join(called)
    assert len({each.partition(":")[0] for each in called}) <= FILES
    assert len(path.stack) <= STACK
