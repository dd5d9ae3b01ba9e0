"""`searchkit local`: local search from the command line."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def local(unblock: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs `searchkit local` in this process."""
    run = unblock("local", "dungeon")
    return lambda *arguments: run("local", *arguments)


def test_the_command(local: Callable[..., Any]) -> None:
    """One run with its board; several runs with their shares."""
    one = local("complete_queens", "--set", "restarts=50")
    assert one.code == 0
    assert "a goal" in one.out
    assert "♛" in one.out
    many = local("complete_queens", "--runs", "20", "--no-draw", "--set", "n=6")
    assert many.out.startswith("hill_climbing, 20 runs, seeds 0 to 19\na goal: ")
    assert "♛" not in many.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["crypt"], 2, "has no values"),
        (["tour", "--method", "climbing"], 2, "no method 'climbing' of local search"),
        (["tour", "--set", "sideway=3"], 2, "method 'hill_climbing' has restarts, sideways"),
        (["tour", "--runs", "0"], 2, "--runs"),
        (["tour", "--set", "cities=2"], 2, "from 3 to "),
        (["tour", "--method", "annealing", "--max-steps", "5"], 3, ""),
        (["tour", "--max-seconds", "0.1", "--runs", "1000000000"], 3, ""),
    ],
)
def test_wrong_use_and_limits(
    local: Callable[..., Any], arguments: list[str], code: int, message: str
) -> None:
    """One line and exit code 2; a limit is exit code 3."""
    outcome = local(*arguments)
    assert outcome.code == code
    assert message in outcome.err
    assert outcome.err.count("\n") == (1 if code == 2 else 0)
