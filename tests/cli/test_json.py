"""`--json`: one object, strictly valid, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from searchkit import Limits, load, solve
from tests.cli.schema import commands, documented, strictly


def test_a_solved_problem(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Every field, in its order; cells are [x, y]."""
    outcome = run("solve", file("field", "S.G"), "--json", "--no-draw")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("\n") == 1
    value = strictly(outcome.out)
    seconds = value["statistics"].pop("seconds")
    assert seconds > 0
    assert list(value.items()) == [
        ("schema", 1),
        ("command", "solve"),
        ("problem", "field"),
        ("engine", "astar"),
        ("engine_choice", "auto chose astar: the problem has a heuristic"),
        ("backend", "python"),
        ("status", "solved"),
        ("cutoff", None),
        ("optimal", True),
        ("assumes", "the heuristic never overestimates"),
        ("cost", 2),
        ("actions", ["E", "E"]),
        ("states", [[0, 0], [1, 0], [2, 0]]),
        ("partial", None),
        ("solutions", []),
        ("statistics", {"expanded": 2, "generated": 3, "reopened": 0, "reached": 3, "peak_frontier": 1}),
        ("lower_bound", 2),
        ("warnings", []),
        ("details", {}),
        ("certificate", None),
        ("checkpoint", None),
    ]


def test_other_outcomes(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """An infinite lower bound, for which JSON has no number; a path so far; no path; an error."""
    outcome = run("solve", file("field", "S#G"), "--json")
    value = strictly(outcome.out)
    assert (outcome.code, value["status"], value["cost"], value["lower_bound"]) == (
        1,
        "unsolvable",
        None,
        None,
    )
    outcome = run("solve", file("line 0 99"), "--json", "--max-expansions", "10")
    value = strictly(outcome.out)
    assert (outcome.code, value["status"], value["cost"], value["states"]) == (3, "cutoff", None, [])
    assert (value["cutoff"], value["lower_bound"]) == ("the limit of 10 expansions", 6)
    assert value["partial"] == {"cost": 5, "actions": ["down"] * 5, "states": [0, -1, -2, -3, -4, -5]}
    assert run("solve", "nothing", "--json").refusal().startswith("nothing is not a file")
    refusal = run("solve", "meadow", "--json", "--draw").refusal()
    assert refusal == "--json, --draw: with --json nothing but one object is printed; leave one of them out"


@pytest.mark.parametrize(("cost", "number"), [("4/2", 2), ("1/4", 0.25), ("1/3", 1 / 3)])
def test_costs_and_states_that_json_has_no_form_for(
    run: Callable[..., Any], file: Callable[..., Any], cost: str, number: float
) -> None:
    """A whole fraction is an integer, another a float; a state that does not fit is its `repr`."""
    value = strictly(run("solve", file(f"odd {cost}"), "--json").out)
    assert (value["cost"], value["lower_bound"]) == (number, number)
    assert type(value["cost"]) is type(number)
    assert value["states"] == ["frozenset({1})", "(inf, 'end')"]
    assert value["actions"][0].startswith("Fraction(")


def test_every_command_with_json_is_documented(unblock: Callable[..., Any]) -> None:
    """The schema has a form for each command that takes --json, those of bundled plugins too, and none for others."""
    run = unblock("local")
    found = set()
    pending = [[]]
    while pending:
        words = pending.pop()
        text = run(*words, "--help").out
        if "Commands:" in text:
            listed = text.split("Commands:\n")[1].splitlines()
            names = [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "]
            pending += [[*words, name] for name in names]
        elif "--json" in text:
            found.add(" ".join(words))
    assert commands() == found - {"starts"}
    Draft202012Validator.check_schema(documented())


def test_python_gives_the_same_fields(run: Callable[..., Any]) -> None:
    """`Result.to_dict` is what `solve --json` prints, without what only the command knows."""
    words = ("solve", "meadow", "--engine", "dijkstra", "--json", "--max-expansions")
    for limit in (3, 1000):
        printed = strictly(run(*words, limit).out)
        fields = solve(load("meadow"), "dijkstra", limits=Limits(expansions=limit)).to_dict()
        for each in (printed, fields):
            each["statistics"].pop("seconds")
        command = {"schema": 1, "command": "solve", "problem": "field"}
        assert list(printed.items()) == [*command.items(), *fields.items(), ("checkpoint", None)]
