"""Near-optimal bidirectional search, with heuristics from both ends: optimal, and near the fewest expansions."""

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    BackwardHeuristic,
    Cost,
    Limits,
    Search,
    SearchProblem,
    Status,
    distance_map,
    load,
    solve,
)
from searchkit.engines.kit import exceeds
from searchkit.testing import Edge, WeightedDigraph, digraph, explore
from searchkit.testing.strategies import problems, weighted_digraphs
from tests.helpers import distances_to_goals, drawn, kinds_with


class Guided(SearchProblem[Any, int]):
    """A digraph with a heuristic from each end."""

    def __init__(self, graph: WeightedDigraph, to_goals: Mapping[Any, Cost], from_starts: Mapping[Any, Cost]):
        self.graph, self.to_goals, self.from_starts = graph, to_goals, from_starts
        self.initial_states, self.goal_states = graph.initial_states, graph.goal_states  # type: ignore[method-assign]
        self.successors, self.predecessors = graph.successors, graph.predecessors  # type: ignore[method-assign]
        self.is_goal, self.cost = graph.is_goal, graph.cost  # type: ignore[method-assign]

    def initial_states(self) -> Any: ...
    def successors(self, state: Any) -> Any: ...
    def is_goal(self, state: Any) -> bool: ...

    def heuristic(self, state: Any) -> Cost:
        return self.to_goals.get(state, inf)

    def backward_heuristic(self, state: Any) -> Cost:
        return self.from_starts.get(state, inf)

    def __repr__(self) -> str:
        return f"{self.graph!r} with {self.to_goals} and {self.from_starts}"


def from_starts(graph: WeightedDigraph) -> dict[Any, Cost]:
    """Return the least cost from a start to each node, by the same oracle on the reversed graph."""
    turned = [Edge(edge.head, edge.tail, edge.cost) for edge in graph.edges]
    return distances_to_goals(digraph(turned, graph.goals, graph.starts))


@st.composite
def guided(draw: st.DrawFn, consistent: bool = False) -> Guided:
    """Draw a digraph with admissible heuristics from both ends; a fixed share of h* is a consistent one."""
    graph = draw(weighted_digraphs("int", 9, states=None if not consistent else "int"))
    graph = digraph([Edge(e.tail, e.head, e.cost or 0) for e in graph.edges], graph.starts, graph.goals)
    tables = []
    for exact in (distances_to_goals(graph), from_starts(graph)):
        if consistent:
            share = Fraction(draw(st.integers(0, 4)), 4)
            tables.append({node: h if h == inf or h == 0 else h * share for node, h in exact.items()})
        else:
            shares = {node: draw(st.sampled_from((0, 1, 2, 4))) for node in exact}
            tables.append(
                {n: h if h == inf or h == 0 else Fraction(h) * shares[n] / 4 for n, h in exact.items()}
            )
    return Guided(graph, *tables)


@given(guided())
@settings(max_examples=200)
def test_it_is_optimal_with_inconsistent_heuristics_from_both_ends(problem: Guided) -> None:
    """Each state has any share of its exact cost; a state that is reached more cheaply is opened again."""
    best = explore(problem.graph).least_cost
    result = solve(problem, "nbs", certificate=True)
    assert (inf if result.cost is None else result.cost) == best == result.lower_bound
    assert result.status is (Status.UNSOLVABLE if best == inf else Status.SOLVED)
    assert bool(result.statistics.reopened) == any("inconsistent" in text for text in result.warnings)
    assert result.certificate is not None
    assert result.certificate.lower_bound == best


def matching(pairs: Mapping[Any, list[Any]]) -> int:
    """Return the size of a largest matching of a bipartite graph: that of a least vertex cover (Kőnig 1931)."""
    partner: dict[Any, Any] = {}

    def place(left: Any, tried: set[Any]) -> bool:
        for right in pairs[left]:
            if right not in tried:
                tried.add(right)
                if right not in partner or place(partner[right], tried):
                    partner[right] = left
                    return True
        return False

    return sum(place(left, set()) for left in pairs)


def fewest_expansions(problem: Guided, best: Cost) -> int:
    """Return how many expansions cover all pairs (u, v) with lb(u, v) < C*: u forwards, or v backwards."""
    g_forward, g_backward = from_starts(problem.graph), distances_to_goals(problem.graph)
    f_forward = {u: g + problem.heuristic(u) for u, g in g_forward.items() if g < inf}
    f_backward = {v: g + problem.backward_heuristic(v) for v, g in g_backward.items() if g < inf}
    return matching(
        {
            u: [
                v for v in f_backward if max(f_forward[u], f_backward[v], g_forward[u] + g_backward[v]) < best
            ]
            for u in f_forward
        }
    )


@given(guided(consistent=True))
@settings(max_examples=200)
def test_it_expands_at_most_twice_the_fewest(problem: Guided) -> None:
    """With consistent heuristics, below the optimum: a least vertex cover of the pairs, by a largest matching."""
    best = explore(problem.graph).least_cost
    search = Search(problem, "nbs")
    below = sum(search.tree.lower_bound < best for _ in search)
    assert below <= 2 * fewest_expansions(problem, best)
    assert search.statistics.reopened == 0


def test_a_backward_heuristic_that_overestimates_is_named() -> None:
    """On the path found; the bound is then what the costs so far prove."""
    graph = digraph("0 -1→ 1, 1 -1→ 2, 0 -3→ 2", [0], [2])
    result = solve(Guided(graph, {0: 0, 1: 0, 2: 0}, {0: 0, 1: 2, 2: 0}), "nbs")
    assert result.cost == 2
    assert result.lower_bound <= 2
    assert "backward_heuristic is not admissible: backward_heuristic(1) is 2" in result.warnings[0]


@pytest.mark.parametrize("name", ["maze", "crypt"])
def test_bundled_problems_guide_both_halves(name: str) -> None:
    """It costs what A* finds, with fewer expansions than without heuristics."""
    problem = load(name)
    assert solve(problem, "nbs").cost == solve(problem, "astar").cost
    guided, blind = (solve(problem, engine).statistics.expanded for engine in ("nbs", "bidirectional"))
    assert guided < blind


@pytest.mark.parametrize("kind", kinds_with(BackwardHeuristic))
def test_backward_heuristics_of_bundled_problems_never_overestimate(kind: str) -> None:
    """In each state that is near a start, they are at most its distance; at a start they are 0."""
    for problem in drawn(problems(kind), 8, 0):
        if isinstance(problem, BackwardHeuristic) and callable(problem.backward_heuristic):
            for state, distance in distance_map(
                problem, backend="python", limits=Limits(expansions=200)
            ).items():
                assert not exceeds(problem.backward_heuristic(state), distance, 200)
