"""`tree_search` expands a state on every path to it: its answers are right, its counters larger."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, problem_from, solve
from searchkit.engines.tree_search import ORDERS, tree_search
from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.testing import Edge, WeightedDigraph, digraph, explore
from searchkit.testing.strategies import weighted_digraphs
from tests.engines.test_memory_bounded import romania
from tests.helpers import walk

LIMIT = 1_000
BEST_FIRST = ("uniform-cost", "astar")
every_order = pytest.mark.parametrize("order", ORDERS)


@every_order
@given(problem=weighted_digraphs(heuristic="admissible"), pause=st.integers(1, 60))
def test_answers_are_right(order: str, problem: WeightedDigraph, pause: int) -> None:
    """True bounds, a path that can be walked, the least cost; "unsolvable" only if no path exists."""
    best = explore(problem).least_cost
    search = Search(problem, tree_search, order=order)
    search.run(Limits(expansions=pause))
    result = search.run(Limits(expansions=LIMIT))
    assert result.lower_bound <= best or result.status is Status.UNSOLVABLE
    if result.solution is not None:
        assert walk(problem, result.solution, problem.starts) == result.cost
        assert result.solution.goal in problem.goals
        if order in BEST_FIRST:
            assert result.cost == best == result.lower_bound
    elif result.status is Status.UNSOLVABLE:
        assert best == float("inf")


def ladder(rungs: int) -> WeightedDigraph:
    """Return squares in a row, each with two ways to the next: 2 to the power of their number paths to the end."""
    edges = [
        Edge(3 * square + before, 3 * square + after, 1)
        for square in range(rungs)
        for before, after in ((0, 1), (0, 2), (1, 3), (2, 3))
    ]
    return digraph(edges, [0], [], {})


@pytest.mark.parametrize("rungs", [1, 4, 8])
@every_order
def test_the_counters_show_why_engines_remember(order: str, rungs: int) -> None:
    """Each path is expanded: 4·2ⁿ − 3 of them lead to the 3n + 1 states of n squares."""
    result = solve(ladder(rungs), tree_search, order=order)
    assert result.status is Status.UNSOLVABLE
    assert result.statistics.expanded == 4 * 2**rungs - 3
    assert solve(ladder(rungs), "dijkstra").statistics.expanded == 3 * rungs + 1


def test_in_romania() -> None:
    """The answers are those of graph search; Dijkstra's algorithm expands every walk that costs less than the best."""
    for order, engine, expanded in (("uniform-cost", "dijkstra", 52), ("astar", "astar", 5)):
        result = solve(romania(), tree_search, order=order)
        assert result.solution == solve(romania(), engine).solution
        assert result.statistics.expanded == expanded


def test_depth_first_follows_a_cycle_without_end() -> None:
    """There is a cycle on its way to the goal: only a limit ends it."""
    ring = problem_from([0], lambda n: [("back", (n - 1) % 3), ("out", 9)], lambda n: n == 9)
    result = solve(ring, tree_search, order="depth-first", limits=Limits(expansions=500))
    assert (result.status, result.statistics.expanded, result.statistics.reached) == (Status.CUTOFF, 500, 4)
    assert solve(ring, tree_search, order="breadth-first").cost == 1


@every_order
def test_an_expansion_that_raised_is_done_again(order: str) -> None:
    """The problem raises at each of its calls once: the answer is the same."""
    calls = {"left": 0}

    def once(value: Any) -> Any:
        calls["left"] -= 1
        if calls["left"] == 0:
            raise OSError("the disk is gone")
        return value

    problem: Any = problem_from(
        [0],
        lambda n: once([("+1", n + 1), ("*2", n * 2)]),
        lambda n: once(n == 6),
        lambda *edge: once(1),
        lambda n: once(0),
    )
    whole = solve(problem, tree_search, order=order, limits=Limits(expansions=60))
    for call in range(1, 12):
        calls["left"] = call
        search = Search(problem, tree_search, order=order)
        with pytest.raises(InvalidProblemError, match="the disk is gone"):
            search.run()
        assert search.run(Limits(expansions=60)).cost == whole.cost


def test_an_unknown_order_is_an_error() -> None:
    """It names the orders."""
    with pytest.raises(InvalidOptionError, match="order='bfs': expected one of breadth-first, depth-first"):
        solve(ladder(1), tree_search, order="bfs")
