"""`searchkit histogram`: a table with bars, one JSON object, and exit codes."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.schema import strictly


def test_a_table(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Depths, states, bars in proportion, and what was counted; exit code 0."""
    outcome = run("histogram", file("field", "S..", ".#.", "..G"))
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].split() == ["depth", "states"]
    assert [line.split()[:2] for line in lines[1:6]] == [
        ["0", "1"],
        ["1", "2"],
        ["2", "2"],
        ["3", "2"],
        ["4", "1"],
    ]
    assert [line.count("█") for line in lines[1:6]] == [30, 60, 60, 60, 30]
    assert lines[6].startswith("8 states, at depths up to 4 (mean 2.00), ")


def test_limits(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Exit code 3, with the counts that are known, as text and as JSON."""
    field = file("field", "S..", ".#.", "..G")
    outcome = run("histogram", field, "--max-depth", "2")
    assert outcome.code == 3
    assert "5 states at depths up to 2, and more beyond: cut off by the depth limit of 2" in outcome.out
    outcome = run("histogram", field, "--max-expansions", "1", "--json")
    assert outcome.code == 3
    value = strictly(outcome.out)
    assert value.pop("seconds") > 0
    assert value == {
        "schema": 1,
        "command": "histogram",
        "problem": "field",
        "counts": [1, 2],
        "complete": False,
        "cutoff": "the limit of 1 expansions",
        "warnings": [],
        "total": 3,
        "diameter": 1,
        "mean": 2 / 3,
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--max-depth", "-1"), "Invalid value for '--max-depth': "),
        (("--set", "speed=3"), "--set speed"),
    ],
)
def test_wrong_use(
    run: Callable[..., Any], file: Callable[..., Any], options: tuple[str, ...], message: str
) -> None:
    """Exit code 2, and one line."""
    outcome = run("histogram", file("field", "S.G"), *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
