"""`searchkit compare`: several engines on one problem, each a row."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from searchkit import available_engines


def rows(out: str) -> dict[str, list[str]]:
    """Return the words of each row of the table, by engine."""
    lines = out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("engine "))
    return {line.split()[0]: line.split()[1:] for line in lines[first + 1 :] if line and ":" not in line}


def test_every_engine_is_a_row(run: Callable[..., Any]) -> None:
    """Cost, whether it is optimal, and what it took; `auto` is listed under the name of the engine that it chose."""
    outcome = run("compare", "meadow", "--engines", "bfs,auto,greedy")
    assert (outcome.code, outcome.err) == (0, "")
    table = rows(outcome.out)
    assert list(table) == ["bfs", "astar", "greedy"]
    assert [words[0] for words in table.values()] == ["16", "16", "16"]
    assert table["bfs"][1] == "yes"
    assert table["greedy"][1:5] == ["≤", "1.6", "×", "optimum"]


def test_without_engines_those_that_suit_the_problem_run(
    run: Callable[..., Any], file: Callable[..., Any]
) -> None:
    """The one that auto chooses first, none that keeps only one path, and none that ignores the costs."""
    names = ["astar", "bfs", "dijkstra", "bucket", "greedy", "wastar", "beam"]
    assert list(rows(run("compare", "meadow").out)) == names
    assert list(rows(run("compare", file("line 0 9")).out)) == ["bfs", "dijkstra", "bucket"]
    assert list(rows(run("compare", file("odd 1/2")).out)) == ["dijkstra", "bucket"]


def test_engines_all_runs_all_that_can(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Each with a limit, because some would never end; an option goes to the engines that have it."""
    outcome = run("compare", file("field", "S.G"), "--engines", "all", "--set", "weight=3")
    able = {name for name, spec in available_engines().items() if not spec.requires}
    assert set(rows(outcome.out)) == able
    endless = run("compare", file("line 0 99"), "--engines", "all", "--max-expansions", "7")
    assert "cut off by the limit of 7 expansions" in endless.out


@pytest.mark.parametrize(
    ("lines", "engines", "limit", "code"),
    [
        (["line 0 3"], "bfs,dijkstra", 1, 3),
        (["line 0 3"], "bfs,dijkstra", 5, 0),
        (["field", "S#G"], "bfs,astar", 5, 1),
        (["line 0 3"], "astar,greedy", 5, 2),
        (["faulty"], "bfs", 5, 2),
    ],
)
def test_the_exit_code_is_that_of_the_best_outcome(
    run: Callable[..., Any], file: Callable[..., Any], lines: list[str], engines: str, limit: int, code: int
) -> None:
    """Solved by one is solved; an error of all is wrong input."""
    outcome = run("compare", file(*lines), "--engines", engines, "--max-expansions", limit)
    assert (outcome.code, outcome.err.startswith("error: no engine can run")) == (code, code == 2)


def test_as_json(run: Callable[..., Any]) -> None:
    """One object: for each engine what `solve --json` gives, or the error."""
    outcome = run("compare", "meadow", "--engines", "wastar,bidirectional,bfs", "--json")
    alone = json.loads(run("solve", "meadow", "--engine", "bfs", "--json").out)
    value = json.loads(outcome.out)
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (0, "", 1)
    first, second, third = value["engines"]
    assert "needs goal_states" in second["error"]
    assert (first["engine"], first["optimal"], third["optimal"]) == ("wastar", False, True)
    for result in (alone, third):
        result["statistics"].pop("seconds")
    assert alone.pop("checkpoint") is None  # an option of `solve` only
    assert {"schema": 1, "command": "solve", **third} == alone


def test_drawings_stand_side_by_side(run: Callable[..., Any]) -> None:
    """Only where they are asked for; with what each engine found, and one legend."""
    assert "wall" not in run("compare", "meadow", "--engines", "astar,bfs").out
    out = run("compare", "meadow", "--engines", "astar,bfs", "--draw").out
    assert out.splitlines()[0].split() == ["astar", "bfs"]
    assert out.splitlines()[2].split() == ["So#++++.", "S+#+++++"]
    assert out.count("# wall") == 1
    assert "o expanded" in out
