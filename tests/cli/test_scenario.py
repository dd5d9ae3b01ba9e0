"""`searchkit scenario`: an engine is compared with published answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MAP = ("field", ".....", ".###.", ".....")
QUERIES = ("scenario map.txt", "0,0 4,0 4", "0,0 4,2 6", "0,1 4,1 6", "0,0 0,0 0")


@pytest.fixture
def scenario(file: Callable[..., Any]) -> Callable[..., Path]:
    """Return what writes a scenario beside its map."""
    file(*MAP, name="map.txt")

    def write(*lines: str) -> Path:
        path = file(*lines, name="test.scen")
        assert isinstance(path, Path)
        return path

    return write


def test_all_agree(run: Callable[..., Any], scenario: Callable[..., Any]) -> None:
    """Exit code 0, and one line that says so."""
    outcome = run("scenario", scenario(*QUERIES), "--engine", "astar")
    assert (outcome.code, outcome.err) == (0, "")
    assert "map.txt, astar: 4 of 4 queries agree with the published costs, " in outcome.out


def test_workers_answer(run: Callable[..., Any], scenario: Callable[..., Any]) -> None:
    """They are named as `open_workers` reads it; a wrong name is one error."""
    path = scenario(*QUERIES, "0,0 2,1 3")
    answered, expected = (
        json.loads(run("scenario", path, *more, "--json").out) for more in (("--workers", "serial"), ())
    )
    assert {**answered, "seconds": 0} == {**expected, "seconds": 0}
    wrong = run("scenario", path, "--workers", "proceses")
    assert (wrong.code, wrong.out) == (2, "")
    assert "there is no executor 'proceses': did you mean processes?" in wrong.err


def test_one_disagrees(run: Callable[..., Any], scenario: Callable[..., Any]) -> None:
    """Exit code 1; its line, what was expected and what was found."""
    outcome = run("scenario", scenario(*QUERIES, "0,0 2,0 7", "0,0 2,1 3"))
    assert outcome.code == 1
    lines = outcome.out.splitlines()
    assert lines[0] == "line 6: from [0, 0] to [2, 0]: expected 7, found 2"
    assert lines[1] == "line 7: from [0, 0] to [2, 1]: expected 3, found no path"
    assert "4 of 6 queries agree" in lines[2]


def test_as_json(run: Callable[..., Any], scenario: Callable[..., Any]) -> None:
    """Every field, in its order; what auto chose is named."""
    outcome = run("scenario", scenario(*QUERIES, "0,0 2,1 3"), "--json")
    value = json.loads(outcome.out)
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (1, "", 1)
    assert value.pop("map").endswith("map.txt")
    assert value.pop("seconds") > 0
    assert list(value.items()) == [
        ("schema", 1),
        ("command", "scenario"),
        ("engine", "astar"),
        ("queries", 5),
        ("agree", 4),
        ("disagree", [{"line": 6, "start": [0, 0], "goal": [2, 1], "expected": 3.0, "found": None}]),
    ]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ((), [2, 3, 4, 5, 6]),
        (("--limit", 2), [2, 3]),
        (("--every", 2), [2, 4, 6]),
        (("--every", 2, "--limit", 2), [2, 4]),
        (("--limit", 99), [2, 3, 4, 5, 6]),
    ],
)
def test_which_queries_are_run(
    run: Callable[..., Any], scenario: Callable[..., Any], options: tuple[object, ...], lines: list[int]
) -> None:
    """`--every` picks them, `--limit` then counts them."""
    value = json.loads(
        run("scenario", scenario("scenario map.txt", *["0,0 2,0 7"] * 5), "--json", *options).out
    )
    assert [entry["line"] for entry in value["disagree"]] == lines
    assert value["queries"] == len(lines)
