"""Grids with steps of length 408 and 577: the same paths, at whole costs."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Search, available_engines, load, solve
from searchkit.testing import check_compiled, check_heuristic
from searchkit.testing.strategies import grids
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.spec import write

ENGINES = [
    spec.name
    for spec in available_engines().values()
    if spec.kernel and not spec.requires and spec.name != "zero_one"  # whose costs are 0 and 1
]
SOME = ["astar", "bfs"]
"""The suite compiles these for grids in any case; each of the others takes seconds."""


def whole(problem: Grid) -> Grid:
    """Return the problem with 8 moves and whole lengths."""
    return Grid(problem.terrain, problem.starts, problem.goals, 8, problem.corners, "whole")


@pytest.mark.parametrize("engines", [SOME, pytest.param(ENGINES, marks=pytest.mark.long)])
@given(problem=grids(), data=st.data())
@settings(max_examples=200)
def test_both_backends_agree(engines: list[str], problem: Any, data: st.DataObject) -> None:
    """Cost, path and counters, and all numbers are integers."""
    made, engine = whole(problem), data.draw(st.sampled_from(engines))
    answers = []
    for backend in ("python", "compiled"):
        result = solve(made, engine, backend=backend)
        counters = result.statistics
        answers.append(
            (result.status, result.solution, result.lower_bound, counters.expanded, counters.generated)
        )
        if result.solution is not None:
            assert type(result.cost) is int
    assert answers[0] == answers[1]


@given(grids())
@settings(max_examples=100)
def test_costs_are_those_of_real_lengths_to_six_digits(problem: Any) -> None:
    """577/408 differs from √2 by two millionths of it, so costs in cells do at most."""
    exact = solve(Grid(problem.terrain, problem.starts, problem.goals, 8, problem.corners), "dijkstra")
    found = solve(whole(problem), "astar")
    assert found.status is exact.status
    if found.cost is not None and exact.cost is not None:
        assert found.cost / 408 == pytest.approx(exact.cost, rel=3e-6)


def test_the_heuristic_and_the_compiled_view_hold() -> None:
    """The octile distance in whole numbers is admissible and consistent, the same in both forms."""
    problem = grid(["S.1..", "..#4.", ".2..G"], moves=8, lengths="whole")
    assert problem.heuristic((0, 0)) == 2 * 408 + 2 * 577
    assert check_heuristic(problem, promises=("admissible", "consistent")).holds
    assert check_compiled(problem).holds


def test_it_is_chosen_by_the_option_lengths() -> None:
    """In Python, in files, when it is written, and when it is aimed elsewhere."""
    problem = grid(["S..", "...", "..G"], moves=8, lengths="whole")
    assert solve(problem).cost == 2 * 577
    written = write(problem)
    assert written is not None
    assert written[1]["lengths"] == "whole"
    assert "whole lengths" in repr(problem)
    assert problem.aimed([(1, 1)], [(2, 2)]).lengths == "whole"
    assert solve(grid(["S.G"], lengths="whole")).cost == 2, "with 4 moves all lengths are 1"
    assert isinstance(solve(load("random512", "dungeon", lengths="whole")).cost, int)
    assert Search(problem, "astar", backend="compiled").run().cost == 2 * 577
