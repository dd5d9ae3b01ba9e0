"""`compare`: several engines on one problem, as a table."""

from typing import Any

import pytest

from searchkit import Limits, compare, problem_from, solve
from searchkit.errors import (
    InvalidOptionError,
    UnknownNameError,
)
from searchkit.search.comparison import SECONDS, Comparison
from searchkit.testing import Edge, digraph

ROADS = [Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 1)]
GUIDED = digraph(ROADS, [0], [3], {0: 3, 1: 2, 2: 1, 3: 0})


def words(table: Comparison) -> list[list[str]]:
    """Return the words of each line of the table, without the seconds."""
    return [line.split()[:-1] for line in str(table).splitlines()]


def test_each_engine_is_a_row_with_its_result() -> None:
    """As `solve` returns it, in the order that was given."""
    table = compare(GUIDED, ["dijkstra", "astar", "bfs"])
    assert [row.engine for row in table] == ["dijkstra", "astar", "bfs"]
    for row in table:
        alone = solve(GUIDED, row.engine)
        assert row.result is not None
        assert (row.result.solution, row.result.lower_bound) == (alone.solution, alone.lower_bound)
        assert row.result.statistics.expanded == alone.statistics.expanded
    assert words(table)[:4] == [
        ["engine", "cost", "optimal?", "expanded", "generated", "reopened", "peak", "frontier"],
        ["dijkstra", "3", "yes", "3", "4", "0", "2"],
        ["astar", "3", "if", "admissible", "3", "4", "0", "2"],
        ["bfs", "9", "not", "known", "1", "1", "0", "1"],
    ]
    assert str(table).splitlines()[4].startswith("bfs: bfs ignores costs")
    assert repr(table) == str(table)


def test_rows_are_found_by_number_and_by_name() -> None:
    """An unknown name is an error that says which names there are."""
    table = compare(GUIDED, ["dijkstra", "astar"])
    assert table[0] is table["dijkstra"]
    assert (len(table), table[-1].engine) == (2, "astar")
    with pytest.raises(UnknownNameError, match="no row of 'astra': did you mean astar"):
        table["astra"]


def test_an_engine_that_can_t_run_is_a_row() -> None:
    """The other ones run all the same, and the reason stands below the table."""
    table = compare(digraph(ROADS, [0], [3]), ["astar", "dijkstra"])
    assert [row.result is None for row in table] == [True, False]
    assert "needs heuristic(state)" in table["astar"].error
    assert str(table).splitlines()[1].split() == ["astar", "can't", "run"]
    assert str(table).splitlines()[-1].startswith("astar: engine 'astar' needs")
    assert table["astar"].to_dict() == {"engine": "astar", "error": table["astar"].error}


def test_a_fault_of_the_problem_is_the_row_of_those_that_meet_it() -> None:
    """A cost that only some engines ask for."""
    faulty = problem_from([0], lambda n: [(0, 1)], lambda n: n == 1, cost=lambda *edge: -1)
    table = compare(faulty, ["dijkstra", "bfs", "astar"])
    assert "is -1; expected a finite number" in table["dijkstra"].error
    assert "is -1; expected a finite number" in table["bfs"].error  # when it adds up its path
    assert "needs heuristic" in table["astar"].error


def test_without_engines_those_that_suit_run_with_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ones as in `searchkit compare`; a limit that was given replaces the default one."""
    seen: list[Limits | None] = []
    monkeypatch.setattr("searchkit.search.driver.Search.run", lambda search, limits: seen.append(limits))
    chosen = ["astar", "dijkstra", "bucket", "greedy", "wastar"]
    assert set(chosen) <= {row.engine for row in compare(GUIDED)}
    assert compare(GUIDED)[0].engine == "astar"
    assert {limits.seconds for limits in seen if limits} == {SECONDS}
    assert not {"dfs", "idastar", "bfs"} & {row.engine for row in compare(GUIDED)}
    assert {"dfs", "idastar", "bfs"} <= {row.engine for row in compare(GUIDED, "all")}
    for arguments, seconds in (
        ((None, Limits(seconds=2)), 2),
        (("all", None), SECONDS),
        ((["bfs"], None), None),
    ):
        seen.clear()
        compare(GUIDED, arguments[0], limits=arguments[1])
        assert {limits.seconds for limits in seen if limits} == {seconds}


def test_options_go_to_the_engines_that_have_them() -> None:
    """Those of one engine alone are a part of its name."""
    table = compare(GUIDED, [("wastar", {"weight": 3}), "wastar", "dijkstra"], ties="fifo")
    assert [row.engine for row in table] == ["wastar weight=3", "wastar", "dijkstra"]
    assert all(row.result is not None for row in table)
    own, shared = compare(GUIDED, [("astar", {"ties": "fifo"}), "astar"], ties="first")
    assert own.result is not None
    assert "ties=first: expected one of" in shared.error
    assert "weight" in compare(GUIDED, [("wastar", {"weight": "heavy"})])[0].error
    with pytest.raises(UnknownNameError, match=r"tie: there is no such option: did you mean ties\?"):
        compare(GUIDED, ["astar", "bfs"], tie="fifo")
    assert "expected one of" in compare(GUIDED, ["astar"], ties="first")[0].error


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("astar",), InvalidOptionError, "expected one list of engines"),
        (("bfs", "dijkstra"), InvalidOptionError, "expected one list of engines"),
        ((["asta"],), UnknownNameError, "did you mean astar"),
    ],
)
def test_wrong_use_is_an_error_before_any_search(
    arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    """It is not a matter of one engine."""
    with pytest.raises(error, match=message):
        compare(GUIDED, *arguments)
