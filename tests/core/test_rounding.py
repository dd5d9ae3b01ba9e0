"""Costs are compared at their own scale: right sums of floats are accepted, and lies of a few percent are not."""

from fractions import Fraction
from math import inf
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchkit import Limits, Result, Search, Status, certify, solve
from searchkit.basics.rounding import bound_from_weighted_f
from searchkit.testing import CheckFailure, Edge, WeightedDigraph, check_heuristic, digraph

MIXED = st.builds(lambda part, size: part * size, st.floats(0.1, 1), st.sampled_from([1e9, 1.0, 1e-9]))
SCALES = st.integers(-300, 290).map(lambda power: float(f"1e{power}"))
LIES = st.sampled_from([0.25, 0.97, 1.03, 4.0])


def scaled(graph: WeightedDigraph, scale: float) -> WeightedDigraph:
    """Return a graph with every cost and heuristic value multiplied."""
    edges = [evolve(edge, cost=(edge.cost or 0) * scale) for edge in graph.edges]
    h = None if graph.table is None else {state: value * scale for state, value in graph.table.items()}
    return digraph(edges, graph.starts, graph.goals, h)


DETOUR = digraph([Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 1)], [0], [3])


@given(SCALES, LIES, st.sampled_from(["dijkstra", "bidirectional"]))
@settings(max_examples=60)
def test_a_lie_about_the_cost_or_the_bound_is_rejected_at_every_scale(
    scale: float, lie: float, engine: str
) -> None:
    """A fourfold lie was accepted where costs are 1e-10."""
    problem = scaled(DETOUR, scale)
    result: Result[Any, Any] = solve(problem, engine)
    assert result.solution is not None
    assert certify(problem, result)
    cost = result.solution.cost * lie
    false = evolve(result, solution=evolve(result.solution, cost=cost), lower_bound=cost)
    assert not certify(problem, false)
    if lie > 1:
        assert not certify(problem, evolve(result, solution=None, status=Status.CUTOFF, lower_bound=cost))


@given(SCALES, st.sampled_from([1.03, 4.0]))
@settings(max_examples=60)
def test_an_overestimate_is_noticed_at_every_scale(scale: float, lie: float) -> None:
    """A path that an inadmissible heuristic chose is not called optimal, nor certified as that."""
    edges = [Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 1)]
    problem = scaled(digraph(edges, [0], [3], {0: 3, 1: min(2 * lie, 7), 2: 1, 3: 0}), scale)
    result = solve(problem, "astar")
    assert any("not admissible" in warning for warning in result.warnings)
    dear = scaled(digraph(edges, [0], [3], {0: 9 * lie, 1: 10, 2: 10, 3: 0}), scale)
    wrong = solve(dear, "astar")
    assert wrong.cost == 9 * scale
    assert not wrong.optimal
    assert not certify(dear, evolve(wrong, lower_bound=wrong.cost))


@st.composite
def mixed_digraphs(draw: st.DrawFn) -> WeightedDigraph:
    """Return a graph whose costs are of very different sizes, with the exact heuristic, as floats give it."""
    nodes = draw(st.integers(3, 7))
    node = st.integers(0, nodes - 1)
    drawn = draw(st.lists(st.tuples(node, node, MIXED), min_size=nodes, max_size=3 * nodes))
    edges = [Edge(tail, head, cost) for tail, head, cost in drawn]
    edges += [Edge(i, i + 1, draw(MIXED)) for i in range(nodes - 1)]
    distances = {nodes - 1: 0.0}
    for _ in range(nodes):  # Bellman and Ford
        for edge in edges:
            known = distances.get(edge.tail, inf)
            distances[edge.tail] = min(known, edge.cost + distances.get(edge.head, inf))
    return digraph(edges, [0], [nodes - 1], distances)


@pytest.mark.parametrize("engine", ["astar", "dijkstra", "idastar", "bucket", "bidirectional"])
@given(problem=mixed_digraphs())
@settings(max_examples=40)
def test_right_results_of_mixed_sizes_are_accepted(engine: str, problem: WeightedDigraph) -> None:
    """Three were rejected, with costs of 1e9 and 1e-9: sums of floats lost the precision of a heuristic value."""
    result = solve(problem, engine)
    verdict = certify(problem, result)
    assert verdict.accepted, verdict.objection
    assert result.optimal


def test_an_estimate_below_the_last_place_of_the_cost_is_no_overestimate() -> None:
    """One of the three: after the expensive step, the heuristic leaves 1.2e-9, and a difference of floats leaves 0."""
    edges = [
        Edge(0, 1, 1e9),
        Edge(1, 2, 8.26053022404662e-10),
        Edge(2, 3, 4.082535331471533e-10),
        Edge(0, 3, 3e9),
    ]
    problem = digraph(edges, [0], [3], {0: 1e9, 1: 1.2343065555518152e-09, 2: 4.082535331471533e-10, 3: 0})
    result = solve(problem, "astar")
    assert result.optimal
    assert not result.warnings
    assert certify(problem, result)


@pytest.mark.parametrize("scale", [1e-300, 1e-10, 1.0, 1e290])
def test_a_tested_heuristic_overestimates_at_every_scale(scale: float) -> None:
    """`check heuristic` took any overestimate of less than 1e-9 for rounding; an error in the last place still is."""

    def problem(lie: float) -> WeightedDigraph:
        h = {0: 2.0 * lie, 1: 1.0, 2: 0.0}
        return scaled(digraph([Edge(0, 1, 1), Edge(1, 2, 1)], [0], [2], h), scale)

    assert check_heuristic(problem(1 + 2**-50)).holds
    with pytest.raises(CheckFailure, match=r"too much"):
        check_heuristic(problem(1.03))


WEIGHTS = st.one_of(
    st.sampled_from([1.1, 1.2, 1.5, 2, 3, Fraction(3, 2)]),
    st.integers(1, 52).map(lambda power: 1 + 2.0**-power),
    st.floats(1, 1e9, exclude_min=True),
)


@given(st.integers(0, 2**52), st.integers(0, 2**52), WEIGHTS)
@example(0, 3, 1.1)
@example(0, 10**17, 3)
def test_a_bound_of_weighted_astar_is_not_above_the_truth_by_rounding(g: int, h: int, weight: Any) -> None:
    """A w-th of f = g + w·h, as floats round it, is at most g + h: what is whole is compared exactly."""
    assert bound_from_weighted_f(g + weight * h, weight) <= g + h


def test_a_bound_that_needs_no_rounding_is_as_it_is() -> None:
    """Rounding down takes off only what was rounded."""
    assert [
        bound_from_weighted_f(8, 2),
        bound_from_weighted_f(9, 2),
        bound_from_weighted_f(6.0, 1.5),
        bound_from_weighted_f(0.0, 1.5),
    ] == [4, 4.5, 4, 0]
    assert bound_from_weighted_f(10**400, 3) == 10**400 // 3
    assert bound_from_weighted_f(Fraction(7), 1.5) == Fraction(14, 3)


def test_a_bound_beside_fractions_is_exact() -> None:
    """With the weight 1.5, which is a float: 4.666666666666667 is more than 14/3."""
    problem = digraph(
        "0 -1/1→ 1, 1 -1/1→ 2, 2 -8/3→ 3",
        [0],
        [3],
        {0: Fraction(14, 3), 1: Fraction(11, 3), 2: Fraction(8, 3)},
    )
    search = Search(problem, "wastar")
    bounds = [search.run(Limits(expansions=count)).lower_bound for count in (0, 1, 1)]
    assert all(bound <= Fraction(14, 3) for bound in bounds)
    assert bounds[0] == Fraction(14, 3)
