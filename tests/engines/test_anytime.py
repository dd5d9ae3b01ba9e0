"""Anytime search: each path that is reported is better than the one before, and no worse than what is proved."""

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, load, record, solve
from searchkit.errors import InvalidOptionError
from searchkit.testing import WeightedDigraph, digraph, explore
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import walk

MAZE = load("crypt")


@given(
    weighted_digraphs(heuristic="admissible"),
    st.sampled_from([1, 1.5, 3, "2.5"]),
    st.sampled_from([0.5, "0.3", 2]),
)
@settings(max_examples=150)
def test_each_path_is_better_and_its_factor_is_true(problem: WeightedDigraph, weight: Any, step: Any) -> None:
    """Whatever the weights: paths that can be walked, the last one optimal, and factors that are true."""
    best = explore(problem).least_cost
    recording = record(problem, "anytime", weight=weight, step=step)
    result = recording.result
    assert result is not None
    if best == inf:
        assert result.status is Status.UNSOLVABLE
        return
    costs = [solution.cost for solution in result.solutions]
    assert costs == sorted(set(costs))
    assert costs[0] == result.cost == best == result.lower_bound
    for solution in result.solutions:
        assert walk(problem, solution, problem.starts) == solution.cost
        assert problem.is_goal(solution.goal)
    reports = [note.facts for note in recording.notes if note.kind == "path"]
    assert [fact["cost"] for fact in reports] == sorted((fact["cost"] for fact in reports), reverse=True)
    assert all(fact["lower_bound"] <= best <= fact["cost"] for fact in reports)
    assert len(reports) == len(result.details["paths"])  # type: ignore[arg-type]  # a tuple of texts


@given(weighted_digraphs("int", 20, heuristic="consistent"), st.integers(1, 40))
@settings(max_examples=150)
def test_a_cutoff_keeps_the_best_path_and_the_bound(problem: WeightedDigraph, most: int) -> None:
    """After a path was found, `partial` leads to a goal, and its cost and the bound enclose the optimum."""
    best = explore(problem).least_cost
    search = Search(problem, "anytime")
    result = search.run(Limits(expansions=most))
    if result.status is Status.CUTOFF:
        assert result.solution is None
        assert not result.optimal
        assert result.lower_bound <= best
        if search.tree.incumbent is not None:
            assert result.partial is not None
            assert problem.is_goal(result.partial.goal)
            assert best <= result.partial.cost <= search.tree.incumbent
    assert search.run().cost == (None if best == inf else best)


def test_a_first_path_comes_long_before_the_optimum_is_proved() -> None:
    """On a maze: the counters of the moment at which a first path is known, and of the end."""
    search = Search(MAZE, "anytime")
    first = next(search.statistics.expanded for _ in search if search.tree.incumbent is not None)
    result = search.run()
    assert result.optimal
    assert first < result.statistics.expanded / 2
    assert result.cost == solve(MAZE, "astar").cost


def test_an_inconsistent_heuristic_is_named_and_does_no_harm() -> None:
    """The paper's bound needs a consistent heuristic; here w = 1 is repeated until the path is proved optimal."""
    graph = digraph("0 -3→ 2, 0 -1→ 1, 1 -1→ 2, 2 -4→ 3", [0], [3], {1: 5})
    for weight in (1, 3):
        result = solve(graph, "anytime", weight=weight)
        assert (result.cost, result.lower_bound) == (6, 6)
    assert any("inconsistent between 1 and 2" in text for text in solve(graph, "anytime", weight=1).warnings)


def test_no_factor_is_claimed_without_a_bound() -> None:
    """If the heuristic is 0 everywhere and an action costs nothing, nothing is proved before the end."""
    graph = digraph("0 -0→ 1, 1 -5→ 2, 1 -4→ 3, 3 -0→ 2", [0], [2], {0: 0, 1: 0, 3: 0})
    result = solve(graph, "anytime")
    assert result.details["paths"][-1] == "cost 4, optimal"  # type: ignore[index]  # a tuple
    assert all("0 times" not in text for text in result.details["paths"])  # type: ignore[attr-defined]


def test_rounds_without_an_expansion_end_at_a_limit() -> None:
    """A weight of 10²⁰ falls by 0.5 in each round, and most rounds expand nothing: limits were not looked at."""
    search = Search(MAZE, "anytime", weight=1e20)
    assert search.run(Limits(seconds=0.2)).partial is not None
    assert search.run(Limits(seconds=0.2)).status is Status.CUTOFF


@pytest.mark.parametrize("option", [{"weight": 0.5}, {"step": 0}, {"step": "inf"}, {"step": "x"}])
def test_invalid_options_are_refused(option: dict[str, Any]) -> None:
    """A weight below 1, or a step that does not lower it."""
    with pytest.raises(InvalidOptionError):
        solve(MAZE, "anytime", **option)
