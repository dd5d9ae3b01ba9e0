"""`rbfs`, `beam` and `dls`: what they leave out or forget, what they say about it, and published figures."""

from collections import Counter
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Search, SearchProblem, Status, certify, problem_from, solve
from searchkit.errors import InvalidOptionError
from searchkit.testing import WeightedDigraph, digraph, explore
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import walk

ROADS = """
    Arad Zerind 75, Arad Sibiu 140, Arad Timisoara 118, Zerind Oradea 71, Oradea Sibiu 151, Timisoara Lugoj 111,
    Lugoj Mehadia 70, Mehadia Drobeta 75, Drobeta Craiova 120, Craiova Rimnicu 146, Craiova Pitesti 138,
    Sibiu Rimnicu 80, Sibiu Fagaras 99, Rimnicu Pitesti 97, Fagaras Bucharest 211, Pitesti Bucharest 101,
    Bucharest Giurgiu 90, Bucharest Urziceni 85"""
STRAIGHT = """
    Arad 366, Bucharest 0, Craiova 160, Drobeta 242, Fagaras 176, Giurgiu 77, Lugoj 244, Mehadia 241, Oradea 380,
    Pitesti 100, Rimnicu 193, Sibiu 253, Timisoara 329, Urziceni 80, Zerind 374"""
ROAD = {(a, b): int(km) for a, b, km in (road.split() for road in ROADS.split(","))}
ROAD |= {(b, a): km for (a, b), km in ROAD.items()}
KM = {town: int(km) for town, km in (entry.split() for entry in STRAIGHT.split(","))}


def romania() -> SearchProblem[str, str]:
    """Return the part of the map of Romania that matters for the way from Arad to Bucharest."""
    return problem_from(
        ["Arad"],
        lambda town: [(b, b) for a, b in ROAD if a == town],
        lambda town: town == "Bucharest",
        cost=lambda town, road, to: ROAD[town, to],
        heuristic=lambda town: KM[town],
    )


# Recursive best-first search


def test_rbfs_walks_through_romania_as_in_the_book() -> None:
    """It leaves Rimnicu at 415 for Fagaras, and comes back at 417 (Russell and Norvig, figure 3.27)."""
    search = Search(romania(), "rbfs")
    assert list(search) == ["Arad", "Sibiu", "Rimnicu", "Fagaras", "Rimnicu", "Pitesti"]
    result = search.run()
    assert (result.cost, result.optimal) == (418, True)
    assert result.details["expanded again"] == 1


@given(weighted_digraphs(heuristic="admissible"))
@settings(max_examples=200)
def test_rbfs_knows_which_expansions_are_repetitions(problem: WeightedDigraph) -> None:
    """`expanded again` is the number of expansions at the end of a path that was expanded before."""
    paths: Counter[Any] = Counter()
    search = Search(problem, "rbfs")
    for _ in search:
        paths[tuple(search.tree.reached.items())] += 1
    result = search.run()
    assert result.details["expanded again"] == paths.total() - len(paths)
    assert result.statistics.expanded == paths.total()


@given(weighted_digraphs(heuristic="consistent"))
@settings(max_examples=100)
def test_rbfs_expands_no_state_that_can_not_be_on_a_cheapest_path(problem: WeightedDigraph) -> None:
    """As A*: with a consistent heuristic, nothing with f above the least cost."""
    best = explore(problem).least_cost
    search = Search(problem, "rbfs")
    for state in search:
        assert search.tree.reached[state][0] + problem.heuristic(state) <= best


# Beam search


@given(weighted_digraphs(heuristic="admissible"), st.integers(1, 3))
@settings(max_examples=200)
def test_beam_says_when_it_has_left_something_out(problem: WeightedDigraph, width: int) -> None:
    """No layer is wider; a path is right; "unsolvable" is true; and no state is expanded twice."""
    best = explore(problem).least_cost
    search = Search(problem, "beam", width=width)
    order = []
    for state in search:
        assert len(search.tree.frontier[0]) <= width
        order.append(state)
    result = search.run()
    assert len(order) == len(set(order))
    assert result.lower_bound <= best
    if result.solution is not None:
        assert walk(problem, result.solution, problem.starts) == result.cost
        assert result.solution.goal in problem.goals
    elif result.status is Status.CUTOFF:
        assert result.cutoff == f"the beam width of {width}"
    else:
        assert best == inf
    assert certify(problem, result)


def test_beam_misses_what_the_heuristic_hides() -> None:
    """Of two branches the worse one has the goal: one state wide it is missed, two wide it is found."""
    fork = digraph("0 -1→ 1, 0 -1→ 2, 1 -1→ 3, 2 -9→ 4", [0], [4], {0: 0, 1: 0, 2: 5, 3: 0, 4: 0})
    missed = solve(fork, "beam", width=1)
    assert (missed.status, missed.cutoff) == (Status.CUTOFF, "the beam width of 1")
    assert solve(fork, "beam", width=2).cost == 10
    open_end = digraph("0 -1→ 1, 1 -1→ 3", [0], [4], {})
    assert solve(open_end, "beam", width=1).status is Status.UNSOLVABLE


def test_beam_keeps_the_first_of_equals() -> None:
    """Ties are broken by the order in which states were reached."""
    fan = problem_from(
        ["s"],
        lambda state: [(name, name) for name in "badc"] if state == "s" else [],
        lambda state: False,
        heuristic=lambda state: 0,
    )
    assert "".join(Search(fan, "beam", width=3)) == "sbad"


# Depth-limited search


@given(weighted_digraphs("unit"), st.integers(0, 7))
@settings(max_examples=200)
def test_dls_finds_a_path_within_its_depth_and_says_why_not(problem: WeightedDigraph, depth: int) -> None:
    """Found if and only if one exists; cut off if and only if some path goes further; the bound is depth + 1."""
    best = explore(problem).least_cost
    longer = any(len(path) == depth + 2 for path in all_paths(problem, depth + 2))
    result = solve(problem, "dls", depth=depth)
    if best <= depth:
        assert result.solution is not None
        assert walk(problem, result.solution, problem.starts) == len(result.solution.actions) <= depth
    elif longer:
        assert (result.status, result.cutoff) == (Status.CUTOFF, f"the depth limit of {depth}")
        assert result.lower_bound == depth + 1 <= best
    else:
        assert result.status is Status.UNSOLVABLE
        assert best == inf
    assert certify(problem, solve(problem, "dls", depth=depth, certificate=True)).unproved == ()


def all_paths(problem: WeightedDigraph, nodes: int) -> list[tuple[int, ...]]:
    """Return the paths without repeated states, of at most so many nodes."""
    paths: list[tuple[int, ...]] = [(start,) for start in dict.fromkeys(problem.starts)]
    for path in paths:
        if len(path) < nodes:
            paths += [(*path, to) for _, to in problem.successors(path[-1]) if to not in path]
    return paths


@pytest.mark.parametrize(
    ("engine", "option", "value"),
    [("dls", "depth", -1), ("dls", "depth", "deep"), ("beam", "width", 0)],
)
def test_limits_of_engines_are_whole_numbers(engine: str, option: str, value: Any) -> None:
    """Others are refused, with what the option is."""
    with pytest.raises(InvalidOptionError, match=f"{option}={value}: .*; {option} is the "):
        solve(romania(), engine, **{option: value})
