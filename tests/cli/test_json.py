"""`--json`: one object, strictly valid, and nothing else."""

import json
from collections.abc import Callable
from typing import Any

import pytest


def strictly(text: str) -> Any:
    """Read JSON, refusing the NaN and infinity that Python's reader takes."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_a_solved_problem(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Every field, in its order; cells are [x, y]."""
    outcome = run("solve", file("field", "S.G"), "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("\n") == 1
    value = strictly(outcome.out)
    seconds = value["statistics"].pop("seconds")
    assert seconds > 0
    assert list(value.items()) == [
        ("problem", "field"),
        ("engine", "astar"),
        ("backend", "python"),
        ("status", "solved"),
        ("cost", 2),
        ("actions", ["E", "E"]),
        ("states", [[0, 0], [1, 0], [2, 0]]),
        ("statistics", {"expanded": 2, "generated": 3, "reopened": 0, "reached": 3, "peak_frontier": 1}),
        ("lower_bound", 2),
        ("warnings", []),
    ]


def test_an_unsolvable_problem(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """No cost, and an infinite lower bound, which JSON has no number for."""
    outcome = run("solve", file("field", "S#G"), "--json")
    value = strictly(outcome.out)
    assert outcome.code == 1
    assert (value["status"], value["cost"], value["lower_bound"]) == ("unsolvable", None, None)
    assert (value["actions"], value["states"]) == ([], [])


def test_a_cutoff(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """No cost, and the lower bound that is proved."""
    outcome = run("solve", file("line 0 99"), "--json", "--max-expansions", "10")
    value = strictly(outcome.out)
    assert outcome.code == 3
    assert (value["status"], value["cost"], value["states"]) == ("cutoff", None, [])
    assert value["lower_bound"] == 6
    assert value["statistics"]["expanded"] == 10


@pytest.mark.parametrize(("cost", "number"), [("4/2", 2), ("1/4", 0.25), ("1/3", 1 / 3)])
def test_costs_and_states_that_json_has_no_form_for(
    run: Callable[..., Any], file: Callable[..., Any], cost: str, number: float
) -> None:
    """A whole fraction is an integer, another a float; a state that does not fit is its `repr`."""
    value = strictly(run("solve", file(f"odd {cost}"), "--json").out)
    assert value["problem"] == "odd"
    assert (value["cost"], value["lower_bound"]) == (number, number)
    assert type(value["cost"]) is type(number)
    assert value["states"] == ["frozenset({1})", "(inf, 'end')"]
    assert value["actions"][0].startswith("Fraction(")


def test_the_warnings_are_strings(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """As the result gives them."""
    value = strictly(run("solve", file("odd 1/3"), "--engine", "bfs", "--json").out)
    assert value["lower_bound"] == 0
    assert len(value["warnings"]) == 1
    assert value["warnings"][0].startswith("bfs ignores costs")


def test_an_error_leaves_stdout_empty(run: Callable[..., Any]) -> None:
    """It goes to stderr, with exit code 2."""
    outcome = run("solve", "nothing", "--json")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: nothing is not a file")


def test_drawing_and_json_exclude_each_other(run: Callable[..., Any]) -> None:
    """The drawing would be a second thing on stdout."""
    outcome = run("solve", "meadow", "--json", "--draw")
    assert (outcome.code, outcome.out) == (2, "")
    assert (
        outcome.err == "error: --draw: with --json nothing but one object is printed; leave one of them out\n"
    )


def test_not_drawing_and_json_go_together(run: Callable[..., Any]) -> None:
    """It asks for what happens anyway."""
    assert strictly(run("solve", "meadow", "--json", "--no-draw").out)["cost"] == 16
