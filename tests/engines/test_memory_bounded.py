"""`rbfs`, `smastar`, `beam` and `dls`: what they leave out or forget, what they say about it, and published figures."""

from collections import Counter
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, SearchProblem, Status, certify, problem_from, solve
from searchkit.engines.informed.smastar import Memory
from searchkit.errors import InvalidOptionError
from searchkit.testing import check_engine, explore
from searchkit.testing.spaces.digraphs import WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import facts, walk

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


def least_cost_within(problem: WeightedDigraph, nodes: int) -> Any:
    """Return the least cost of a path of at most so many nodes without repeated states, by trying all of them."""
    best: Any = inf
    paths: list[Any] = [(start, frozenset([start]), 0) for start in problem.starts]
    for state, on_path, cost in paths:
        if state in problem.goals:
            best = min(best, cost)
        elif len(on_path) < nodes:
            paths += [
                (to, on_path | {to}, cost + problem.cost(state, action, to))
                for action, to in problem.successors(state)
                if to not in on_path
            ]
    return best


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
    best = explore(problem).least_cost()
    search = Search(problem, "rbfs")
    for state in search:
        assert search.tree.reached[state][0] + problem.heuristic(state) <= best


# Simplified memory-bounded A*


@given(weighted_digraphs(nodes=6, heuristic="admissible"), st.integers(1, 9))
@settings(max_examples=600)
def test_smastar_finds_the_best_path_that_the_memory_holds(problem: WeightedDigraph, memory: int) -> None:
    """It never holds more nodes, and says what is not proved: never a false bound, nor a false "unsolvable"."""
    best, fitting = explore(problem).least_cost(), least_cost_within(problem, memory)
    search = Search(problem, "smastar", memory=memory)
    for _ in search:
        nodes: Memory = search.tree.frontier
        assert sum(1 for _ in nodes) == len(nodes) <= memory
        assert search.tree.lower_bound <= best
        assert search.tree.expanded < 20_000, "it does not go round for ever"
    result = search.run()
    assert result.statistics.peak_frontier <= memory
    assert result.lower_bound <= best
    if fitting < inf:
        assert result.solution is not None
        assert walk(problem, result.solution, problem.starts) == result.cost == fitting
        assert result.optimal or any(f"{memory} nodes hold no path" in text for text in result.warnings)
        if fitting > best:
            assert not result.optimal
    elif best < inf:
        assert result.status is Status.CUTOFF
    if result.status is Status.CUTOFF:
        assert result.cutoff == f"the memory of {memory} nodes"
    elif result.status is Status.UNSOLVABLE:
        assert best == inf
    assert certify(problem, result).accepted


def test_smastar_tells_unsolvable_from_unsolvable_in_its_memory() -> None:
    """A chain without a goal, and one whose goal is beyond the memory."""

    def chain(length: int, goal: int) -> SearchProblem[int, str]:
        return problem_from(
            [0],
            lambda n: [("on", n + 1)] if n < length else [],
            lambda n: n == goal,
            heuristic=lambda n: 0,
        )

    assert solve(chain(9, -1), "smastar", memory=11).status is Status.UNSOLVABLE
    cut = solve(chain(9, 9), "smastar", memory=9)
    assert (cut.status, cut.cutoff, cut.lower_bound) == (Status.CUTOFF, "the memory of 9 nodes", 8)
    assert solve(chain(9, 9), "smastar", memory=10).cost == 9


def test_smastar_drops_what_it_comes_back_to() -> None:
    """The tree of figure 4.11 of the first edition of the book, with room for three nodes: G makes room for the goal D.

    That no path by H, with f = 18, is cheaper takes a fourth node to prove.
    """
    edges = {"A": {"B": 10, "G": 8}, "B": {"C": 10, "D": 10}, "G": {"H": 8, "I": 16}, "D": {"E": 10, "F": 10}}
    h = {"A": 12, "B": 5, "C": 5, "D": 0, "E": 5, "F": 0, "G": 5, "H": 2, "I": 0}
    problem = problem_from(
        ["A"],
        lambda n: [(to, to) for to in edges.get(n, {})],
        lambda n: n in "DFI",
        cost=lambda n, action, to: edges[n][to],
        heuristic=lambda n: h[n],
    )
    search = Search(problem, "smastar", memory=3)
    assert list(search) == ["A", "G", "B"]
    result = search.run()
    assert result.solution is not None
    assert result.solution.states == ("A", "B", "D")
    assert (result.cost, result.lower_bound, result.details["nodes dropped"]) == (20, 18, 1)
    assert result.warnings == (
        "3 nodes hold no path of 3 or more actions: a cheaper one than this may exist",
    )
    assert solve(problem, "smastar", memory=4).optimal


@given(weighted_digraphs(nodes=5, heuristic="admissible"))
@settings(max_examples=100)
def test_smastar_with_room_expands_no_path_twice(problem: WeightedDigraph) -> None:
    """Nothing is dropped, and so nothing is repeated."""
    paths = []
    search = Search(problem, "smastar")
    for _ in search:
        paths.append(tuple(search.tree.reached.items()))
    assert len(paths) == len(set(paths))
    assert search.run().details["nodes dropped"] == 0


@given(weighted_digraphs(nodes=6, heuristic="admissible"), st.integers(2, 6), st.data())
@settings(max_examples=60)
def test_smastar_can_be_paused_when_its_memory_is_full(
    problem: WeightedDigraph, memory: int, data: st.DataObject
) -> None:
    """A new generator at each pause: the same expansions, and the same result."""
    whole = solve(problem, "smastar", memory=memory)
    search = Search(problem, "smastar", memory=memory)
    while not search.ended:
        search.continue_with(search.problem)
        search.run(Limits(expansions=data.draw(st.integers(1, 3))))
    assert facts(search.run()) == facts(whole)


# Beam search


@given(weighted_digraphs(heuristic="admissible"), st.integers(1, 3))
@settings(max_examples=200)
def test_beam_says_when_it_has_left_something_out(problem: WeightedDigraph, width: int) -> None:
    """No layer is wider; a path is right; "unsolvable" is true; and no state is expanded twice."""
    best = explore(problem).least_cost()
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
    best = explore(problem).least_cost()
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
    [("dls", "depth", -1), ("dls", "depth", "deep"), ("beam", "width", 0), ("smastar", "memory", 1.5)],
)
def test_limits_of_engines_are_whole_numbers(engine: str, option: str, value: Any) -> None:
    """Others are refused, with what the option is."""
    with pytest.raises(InvalidOptionError, match=f"{option}={value}: .*; {option} is the "):
        solve(romania(), engine, **{option: value})


@pytest.mark.parametrize(("engine", "options"), [("smastar", {"memory": 30}), ("beam", {"width": 2})])
def test_promises_hold_when_something_is_left_out(engine: str, options: dict[str, Any]) -> None:
    """With little memory, and a narrow beam: nothing fails."""
    assert check_engine(engine, examples=100, **options)
