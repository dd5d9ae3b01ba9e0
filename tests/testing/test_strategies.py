"""Strategies draw difficult problems of each kind that shrink to what a person can check by hand."""

from collections.abc import Callable
from fractions import Fraction
from io import StringIO
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import pretty

from searchkit import SearchProblem, available_problems, load, solve
from searchkit.errors import InvalidProblemError, MissingCapabilityError, UnknownNameError
from searchkit.plugin import has_cost, has_heuristic
from searchkit.testing import WeightedDigraph, digraph, explore, strategies
from searchkit.testing.spaces.space import is_consistent
from searchkit.testing.strategies.heuristics import steep_edges
from tests.helpers import drawn

Problem = SearchProblem[Any, Any]
PLENTY = settings(
    max_examples=3000,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    deadline=None,
    phases=[Phase.generate],
)


def least(problem: Problem) -> float:
    """Return the least cost; infinite if there is no path."""
    cost = solve(problem).cost
    return inf if cost is None else float(cost)


ADDED = sorted({name for spec in available_problems().values() for name in spec.strategies})
MAPS = ("agents", "grids", "masked_grids", "mazes")


def test_every_strategy_of_the_bundled_plugins_is_there() -> None:
    """Strategies of plugins are attributes of the module, like its own; a misspelt name lists the known ones."""
    assert set(ADDED) >= {*MAPS, "vaults"}
    assert set(ADDED) <= set(dir(strategies))
    with pytest.raises(AttributeError, match=r"there is no strategy 'maze'; plugins add agents, "):
        strategies.maze  # noqa: B018  # it is the access that raises


def test_hypothesis_shows_the_drawing() -> None:
    """In its reports, a problem is its repr and not the fields of its class."""
    assert pretty(load(StringIO("S.#\n..G\n"), "dungeon")) == "<Grid 3x2, 4 moves>\nS.#\n..G\n"


def test_small_mazes_are_mixed_in() -> None:
    """Some goals are a few steps away, and few mazes are as large as they may be."""
    drawn_mazes = list(drawn(strategies.mazes(), 100, 0))
    assert sum(maze.terrain.width == maze.terrain.height == 15 for maze in drawn_mazes) < 30  # type: ignore[attr-defined]
    assert {2, 4, 6} <= {solve(maze, "bfs").cost for maze in drawn_mazes}


@pytest.mark.parametrize("name", ADDED)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_plugins_draw_are_problems(name: str, data: st.DataObject) -> None:
    """Ready problems with a start; a repr that is a map has rows of the same width."""
    problem = data.draw(getattr(strategies, name)())
    assert list(problem.initial_states())
    head, *rows = repr(problem).split("\n")
    assert not head.startswith("<") or len({len(row) for row in rows}) <= 1


def test_a_kind_that_is_not_there_or_has_no_strategy() -> None:
    """One error each."""
    with pytest.raises(UnknownNameError, match="there is no problem 'chess'"):
        strategies.problems("chess")
    kinds = [name for name, spec in available_problems().items() if spec.strategy is None]
    for name in kinds:
        with pytest.raises(MissingCapabilityError, match=f"problem '{name}' has no Hypothesis strategy"):
            strategies.problems(name)


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
    "a long way": lambda graph: len(explore(graph).best_path or ()) > 3,
}


@pytest.mark.parametrize("trait", TRAITS)
def test_digraphs_are_full_of_traps(trait: str) -> None:
    """Each trap is drawn, early enough for a test."""
    assert find(strategies.weighted_digraphs(), TRAITS[trait], settings=PLENTY)


@settings(max_examples=200, deadline=None)
@given(st.one_of(strategies.weighted_digraphs(), strategies.weighted_digraphs(heuristic="admissible")))
def test_the_repr_of_a_digraph_makes_an_equal_one(graph: WeightedDigraph) -> None:
    """In one line; costs keep their types."""
    again = eval(repr(graph), {"digraph": digraph, "Fraction": Fraction, "inf": inf})
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
        ("0 -x→ 1", "'x' is not a number, such as 3, 1/2, 0.25 or inf"),
        ("0 -1/0→ 1", "'1/0' is not a number"),
        ("0 -1→ 1, 1 → 2", "the edge 1 → 2 has no cost, and others have one"),
    ],
)
def test_faulty_digraphs_are_one_error(edges: str, message: str) -> None:
    """It says what was read, and what was expected."""
    with pytest.raises(InvalidProblemError, match=message):
        digraph(edges, [0], [1])


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
    exact = space.to_goals
    table = {state: problem.heuristic(state) for state in space.edges}
    admissible = all(estimate <= exact.get(state, inf) for state, estimate in table.items())
    return admissible, is_consistent(table, space)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_problem_gets_a_heuristic(data: st.DataObject) -> None:
    """Exactly as requested if that is possible, and everything else is unchanged."""
    problem = data.draw(st.one_of(strategies.grids(4), strategies.vaults(3, 2, 1), strategies.agents(1)))
    kind = data.draw(st.sampled_from(["admissible", "consistent", "inadmissible", "inconsistent"]))
    estimated = data.draw(strategies.heuristics_for(problem, kind))
    space = explore(problem)
    assert explore(estimated) == space
    assert (has_cost(estimated), has_heuristic(estimated)) == (has_cost(problem), True)
    for member in ("goal_states", "predecessors", "region"):
        assert hasattr(estimated, member) == hasattr(problem, member)
    is_admissible, consistently = properties(estimated)
    assert is_admissible == (kind != "inadmissible" or not space.to_goals)
    if kind in ("consistent", "inconsistent"):
        assert consistently == (kind == "consistent" or not steep_edges(space))
    assert repr(estimated).startswith(repr(problem))


def test_a_space_that_is_too_large_is_one_error() -> None:
    """Its exact distances are needed."""
    with pytest.raises(InvalidProblemError, match="has more than 2 states"):
        strategies.heuristics_for(digraph("0 → 1, 1 → 2", [0], [2]), max_states=2)
