"""Digraphs: what is drawn, how they are written, and the heuristics that they and other problems are given."""

from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.problem import has_cost, has_heuristic
from searchkit.testing import explore, strategies
from searchkit.testing.spaces.digraphs import WeightedDigraph, WithHeuristic, digraph, with_heuristic
from searchkit.testing.spaces.space import is_consistent
from searchkit.testing.strategies.heuristics import steep_edges
from tests.testing.drawing import PLENTY, Problem, least

TRAITS: dict[str, Callable[[WeightedDigraph], bool]] = {
    "unit": lambda graph: not has_cost(graph),
    "zero costs": lambda graph: any(edge.cost == 0 for edge in graph.edges),
    "fractions": lambda graph: any(type(edge.cost).__name__ == "Fraction" for edge in graph.edges),
    "floats": lambda graph: any(isinstance(edge.cost, float) for edge in graph.edges),
    "huge costs": lambda graph: any((edge.cost or 0) > 2**50 for edge in graph.edges),
    "a self-loop": lambda graph: any(edge.tail == edge.head for edge in graph.edges),
    "parallel edges": lambda graph: len({(edge.tail, edge.head) for edge in graph.edges}) < len(graph.edges),
    "a cycle": lambda graph: any(
        edge.tail in explore(digraph(graph.edges, [edge.head], [])).edges
        for edge in graph.edges
        if edge.tail != edge.head
    ),
    "several starts": lambda graph: len(set(graph.starts)) > 1,
    "several goals": lambda graph: len(graph.goals) > 1,
    "no way": lambda graph: bool(graph.goals) and least(graph) == inf,
    "a long way": lambda graph: len(explore(graph).best_path() or ()) > 3,
}


@pytest.mark.parametrize("trait", TRAITS)
def test_digraphs_are_full_of_traps(trait: str) -> None:
    """Each trap is drawn, early enough for a test."""
    assert find(strategies.weighted_digraphs(), TRAITS[trait], settings=PLENTY)


@settings(max_examples=200, deadline=None)
@given(st.one_of(strategies.weighted_digraphs(), strategies.weighted_digraphs(heuristic="admissible")))
def test_the_repr_of_a_digraph_makes_an_equal_one(graph: WeightedDigraph) -> None:
    """In one line, with only the name `digraph`; costs keep their types."""
    again = eval(repr(graph), {"digraph": digraph})
    assert again == graph
    assert type(again) is type(graph)
    assert [type(edge.cost) for edge in again.edges] == [type(edge.cost) for edge in graph.edges]
    assert explore(again) == explore(graph)
    assert "\n" not in repr(graph)
    assert (has_cost(graph), has_heuristic(graph)) == (
        any(edge.cost is not None for edge in graph.edges),
        graph.table is not None,
    )


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("0 to 1", "'0 to 1' is not an edge; expected tail -cost→ head such as 0 -3→ 1"),
        ("0 -1→ 1,", "'' is not an edge"),
        ("0 -x→ 1", "'x' is not a number; expected one such as 3, 1/2, 0.25 or inf"),
        ("0 -1/0→ 1", "'1/0' is not a number"),
        ("0 -1→ 1, 1 → 2", "the edge 1 → 2 has no cost, and others have one"),
    ],
)
def test_faulty_digraphs_are_one_error(edges: str, message: str) -> None:
    """It says what was read, and what was expected."""
    with pytest.raises(InvalidProblemError, match=message):
        digraph(edges, [0], [1])


def test_digraphs_can_be_typed() -> None:
    """With ASCII arrows, and costs of any kind, negative ones too: tests of checks need them."""
    graph = digraph("0 -1-> 1, 1 --2→ 0,1 -1/2-> 2", [0], [2], {0: "1/2", 1: "inf"})
    assert repr(graph) == (
        "digraph(\"0 -1→ 1, 1 --2→ 0, 1 -1/2→ 2\", starts=[0], goals=[2], heuristic={0: '1/2', 1: 'inf'})"
    )
    assert graph.heuristic(2) == 0


@pytest.mark.parametrize("kind", ["admissible", "consistent", "inconsistent", "inadmissible"])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_digraphs_have_the_heuristic_that_was_asked_for(kind: Any, data: st.DataObject) -> None:
    """By the definition, from the distances of the oracle; edges are added to a graph that has no such heuristic."""
    costs = data.draw(st.sampled_from([None, "int", "Fraction", "float", "huge", "zero-one", "unit"]))
    graph = data.draw(strategies.weighted_digraphs(costs, heuristic=kind))
    assert (
        properties(graph)
        == {
            "admissible": (True, properties(graph)[1]),
            "consistent": (True, True),
            "inconsistent": (True, False),
            "inadmissible": (False, False),
        }[kind]
    )


def properties(problem: Problem) -> tuple[bool, bool]:
    """Return whether the heuristic is admissible, and whether it is consistent."""
    space = explore(problem)
    exact = space.to_goals()
    table = {state: problem.heuristic(state) for state in space.edges}
    admissible = all(estimate <= exact.get(state, inf) for state, estimate in table.items())
    return admissible, is_consistent(table, space)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_problem_gets_a_heuristic(data: st.DataObject) -> None:
    """Exactly as requested if that is possible, and everything else is unchanged."""
    problem = data.draw(st.one_of(strategies.grids(4), strategies.vaults(3, 2, 1), strategies.agents(1)))
    admissible = data.draw(st.booleans())
    consistent = data.draw(st.sampled_from([None, False, True])) if admissible else False
    estimated = data.draw(strategies.heuristics_for(problem, admissible, consistent))
    space = explore(problem)
    assert explore(estimated) == space
    assert (has_cost(estimated), has_heuristic(estimated)) == (has_cost(problem), True)
    for member in ("goal_states", "predecessors", "region"):
        assert hasattr(estimated, member) == hasattr(problem, member)
    is_admissible, consistently = properties(estimated)
    assert is_admissible == (admissible or not space.to_goals())
    if is_admissible and consistent is not None:
        assert consistently == (consistent or not steep_edges(space)) or not admissible
    assert repr(estimated).startswith(repr(problem))


def test_what_no_heuristic_can_be_is_one_error() -> None:
    """Consistent and too high; and distances of a space that is too large to explore."""
    graph = digraph("0 → 1, 1 → 2", [0], [2])
    with pytest.raises(InvalidOptionError, match="every consistent heuristic is admissible"):
        strategies.heuristics_for(graph, admissible=False, consistent=True)
    with pytest.raises(InvalidProblemError, match="has more than 2 states"):
        strategies.heuristics_for(graph, max_states=2)


def test_a_heuristic_can_be_a_function() -> None:
    """It replaces the previous heuristic."""
    graph = digraph("0 -1→ 1", [0], [1], {0: 1})
    by_function = with_heuristic(graph, lambda state: 5)
    assert isinstance(by_function, WithHeuristic)
    assert by_function.heuristic(0) == 5
    table = {1: 3}
    again = with_heuristic(by_function, table)
    assert isinstance(again, WeightedDigraph)
    assert again.table == table
