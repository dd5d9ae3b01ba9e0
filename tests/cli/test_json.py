"""`--json`: one object, strictly valid, and nothing else."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from searchkit import Limits, load, solve
from searchkit.cli.app import Commands
from tests.cli.schema import commands, documented, strictly


def test_a_solved_problem(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Every field, in its order; cells are [x, y]."""
    outcome = run("solve", file("field", "S.G"), "--json")
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


def test_an_unsolvable_problem(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """No cost, and an infinite lower bound, which JSON has no number for."""
    outcome = run("solve", file("field", "S#G"), "--json")
    value = strictly(outcome.out)
    assert outcome.code == 1
    assert (value["status"], value["cost"], value["lower_bound"]) == ("unsolvable", None, None)
    assert (value["actions"], value["states"]) == ([], [])


def test_a_cutoff(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """No cost, the reason, the lower bound that is proved, and the path so far."""
    outcome = run("solve", file("line 0 99"), "--json", "--max-expansions", "10")
    value = strictly(outcome.out)
    assert outcome.code == 3
    assert (value["status"], value["cost"], value["states"]) == ("cutoff", None, [])
    assert value["cutoff"] == "the limit of 10 expansions"
    assert (value["optimal"], value["lower_bound"]) == (False, 6)
    assert value["partial"] == {"cost": 5, "actions": ["down"] * 5, "states": [0, -1, -2, -3, -4, -5]}
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
        outcome.err
        == "error: --json, --draw: with --json nothing but one object is printed; leave one of them out\n"
    )


def test_not_drawing_and_json_go_together(run: Callable[..., Any]) -> None:
    """It asks for what happens anyway."""
    assert strictly(run("solve", "meadow", "--json", "--no-draw").out)["cost"] == 16


def options_of(command: Any, name: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each command and its options, those of `check engine` and the like too."""
    below = getattr(command, "commands", None)
    if below:
        for child, one in below.items():
            yield from options_of(one, f"{name} {child}")
    else:
        yield name, {option for parameter in command.params for option in parameter.opts}


def test_every_command_with_json_is_documented() -> None:
    """The schema has a form for each command that takes --json, those of bundled plugins too, and none for others."""
    found = {
        name
        for command, found_command in Commands().items()
        for name, options in options_of(found_command, command)
        if "--json" in options
    }
    assert commands() - {"plugins --check"} == found
    assert {"engines", "problems", "plugins", "solve", "compare"} <= found
    Draft202012Validator.check_schema(documented())


def test_engines_problems_and_plugins(run: Callable[..., Any]) -> None:
    """What the tables say, for scripts."""
    engines = {each["name"]: each for each in strictly(run("engines", "--json").out)["engines"]}
    assert (engines["astar"]["optimal"], engines["astar"]["heuristic"]) == (True, "required")
    assert engines["astar"]["options"][0]["choices"] == ["high-g", "lifo", "fifo", "low-h"]
    problems = {each["name"]: each for each in strictly(run("problems", "--json").out)["problems"]}
    assert [example["name"] for example in problems["field"]["examples"]] == ["meadow"]
    plugins = {each["name"]: each for each in strictly(run("plugins", "--json").out)["plugins"]}
    assert (plugins["toy"]["status"], plugins["toy"]["version"]) == ("active", "1.2")
    assert plugins["dungeon"]["status"] == "blocked"


def test_the_checks_of_plugins(run: Callable[..., Any]) -> None:
    """Each with its report; the exit code says whether all hold."""
    outcome = run("plugins", "--check", "toy", "--examples", "2", "--json")
    assert outcome.code == 1
    checks = {each["name"]: each for each in strictly(outcome.out)["checks"]}
    assert (checks["faulty"]["holds"], checks["line"]["holds"]) == (False, True)
    assert "option 'silent' has no help" in json.dumps(checks["faulty"]["report"])


def test_the_other_commands(run: Callable[..., Any], file: Callable[..., Any], tmp_path: Any) -> None:
    """A comparison with an engine that can't run, a certificate made and checked, one that was not asked for."""
    field = file("field", "S.G")
    compared = strictly(run("compare", field, "--engines", "bfs,astar,bidirectional", "--json").out)
    assert [each.get("optimal") for each in compared["engines"]] == [True, True, None]
    assert "needs Reversible" in compared["engines"][-1]["error"]
    made = strictly(run("solve", field, "--certificate", tmp_path / "proof", "--json").out)
    assert made["certificate"]["file"] == str(tmp_path / "proof")
    assert strictly(run("certify", field, tmp_path / "proof", "--json").out)["accepted"]


def test_python_gives_the_same_fields(run: Callable[..., Any]) -> None:
    """`Result.to_dict` is what `solve --json` prints, without what only the command knows."""
    for limit in (3, 1000):
        printed = strictly(
            run("solve", "meadow", "--engine", "dijkstra", "--max-expansions", limit, "--json").out
        )
        fields = solve(load("meadow"), "dijkstra", limits=Limits(expansions=limit)).to_dict()
        for each in (printed, fields):
            each["statistics"].pop("seconds")
        command = {"schema": 1, "command": "solve", "problem": "field"}
        assert list(printed.items()) == [*command.items(), *fields.items(), ("checkpoint", None)]
