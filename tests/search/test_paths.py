"""The k cheapest simple paths, and all paths of least cost, against the enumeration of every simple path."""

from itertools import islice
from math import comb, inf
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from searchkit import (
    Limits,
    Solution,
    k_best,
    optimal_paths,
    problem_from,
    solve,
)
from searchkit.errors import InfinitePathsError, InvalidOptionError, InvalidProblemError, LimitReachedError
from searchkit.testing import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import walk

MOST = 2_000
"""Simple paths of a drawn graph that are enumerated."""
SMALL = weighted_digraphs("int", 6)
GUIDED = weighted_digraphs("int", 6, heuristic="admissible")


def simple_paths(graph: WeightedDigraph) -> list[tuple[Any, ...]]:
    """Return (cost, states, actions) of every simple path from a start to a goal, by depth-first enumeration."""
    found = []
    stack: list[Any] = [(0, (start,), ()) for start in dict.fromkeys(graph.initial_states())]
    while stack:
        cost, states, actions = stack.pop()
        if graph.is_goal(states[-1]):
            found.append((cost, states, actions))
        for action, to in graph.successors(states[-1]):
            if to not in states:
                edge = graph.edges[action].cost
                stack.append((cost + (1 if edge is None else edge), (*states, to), (*actions, action)))
        if len(found) + len(stack) > MOST:
            reject()
    return found


def key(solution: Solution[Any, Any]) -> tuple[Any, ...]:
    """Return what tells a path from others."""
    return solution.cost, solution.states, solution.actions


@given(st.one_of(SMALL, GUIDED), st.integers(1, 12))
@settings(max_examples=250)
def test_the_k_cheapest_simple_paths(graph: WeightedDigraph, k: int) -> None:
    """Distinct simple paths whose costs are the k least of all, in order; all of them if there are fewer."""
    every = sorted(simple_paths(graph))
    found = k_best(graph, k)
    assert len({key(path) for path in found}) == len(found)
    assert {key(path) for path in found} <= set(every)
    assert [path.cost for path in found] == [cost for cost, _, _ in every[:k]]
    result = solve(graph, "k_best", k=k)
    assert list(result.solutions) == found
    assert ("simple paths" in result.details) == (0 < len(every) < k)


def test_k_best_goes_no_further_than_k_paths_need() -> None:
    """A space without end in which there are enough paths: a branch that leads past the goal is left."""
    ladder = problem_from([0], lambda n: [("+1", n + 1), ("+2", n + 2)], lambda n: n == 30)
    assert [path.cost for path in k_best(ladder, 40)] == [15, *[16] * 39]


def test_k_best_refuses_what_it_can_not_do() -> None:
    """No number below 1, no part of the answer as the whole, no states that can't be compared."""
    graph = digraph("0 -1→ 1", [0], [1])
    for k in (0, -1, "many", 1.5):
        with pytest.raises(InvalidOptionError, match="whole number"):
            k_best(graph, k)  # type: ignore[arg-type]
    with pytest.raises(LimitReachedError, match="limit of 1 expansions: 0 of 9 paths were found"):
        k_best(graph, 9, limits=Limits(expansions=1))
    with pytest.raises(InvalidProblemError, match="hash"):
        k_best(problem_from([[0]], lambda state: [], lambda state: False), 2)


@given(st.one_of(SMALL, GUIDED))
@settings(max_examples=250)
def test_all_optimal_paths(graph: WeightedDigraph) -> None:
    """Their number, and each of them once, also if actions that cost 0 form cycles."""
    every = simple_paths(graph)
    best = min((cost for cost, _, _ in every), default=inf)
    expected = {path for path in every if path[0] == best}
    paths = optimal_paths(graph)
    assert paths.number == len(expected)
    found = [key(path) for path in paths]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert paths.cost == (None if best == inf else best)
    assert all(walk(graph, path, graph.initial_states()) == best for path in paths)


def grid_steps(cell: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
    """Return the four steps of a grid without walls."""
    x, y = cell
    return [("E", (x + 1, y)), ("N", (x, y + 1)), ("W", (x - 1, y)), ("S", (x, y - 1))]


def corner(n: int) -> Any:
    """Return the problem from corner to corner of n × n steps, guided by the Manhattan distance."""
    return problem_from(
        [(0, 0)], grid_steps, lambda c: c == (n, n), heuristic=lambda c: abs(n - c[0]) + abs(n - c[1])
    )


def test_numbers_of_any_size_are_exact() -> None:
    """Binomial coefficients on grids, and 2 to the power of 1,000 in a chain of double edges, of 302 digits."""
    assert optimal_paths(corner(12)).number == comb(24, 12)
    chain = problem_from([0], lambda n: [("left", n + 1), ("right", n + 1)], lambda n: n == 1000)
    paths = optimal_paths(chain)
    assert paths.number == 2**1000
    assert paths.states == 1001
    assert set(paths[0].actions) == {"left"}
    assert set(paths[2**1000 - 1].actions) == {"right"}
    assert [path.actions[-2:] for path in islice(paths, 3)] == [
        ("left", "left"),
        ("left", "right"),
        ("right", "left"),
    ]
    with pytest.raises(IndexError, match="numbered from 0"):
        paths[2**1000]
    with pytest.raises(IndexError):
        paths[-1]


def test_all_states_on_cheapest_paths_are_expanded() -> None:
    """A limit of as many expansions suffices, and one less does not; a heuristic that hides some of them is named."""
    assert optimal_paths(corner(4), limits=Limits(expansions=25)).number == comb(8, 4)
    with pytest.raises(LimitReachedError, match="limit of 24 expansions: the paths are not counted"):
        optimal_paths(corner(4), limits=Limits(expansions=24))
    line = problem_from(
        [0], lambda n: [("+1", n + 1)] if n < 2 else [], lambda n: n == 2, heuristic=lambda n: 9 * (n == 1)
    )
    assert "not admissible: heuristic(1) is 9" in optimal_paths(line).warnings[0]


def test_floats_are_added_exactly() -> None:
    """In whatever order the diagonal steps come, a path costs the same; a float heuristic cuts off none of them."""
    root = 2**0.5
    steps = {"E": (1, 0, 1.0), "NE": (1, 1, root)}

    def octile(cell: tuple[int, int]) -> float:
        dx, dy = 12 - cell[0], 5 - cell[1]
        return inf if dx < dy or dy < 0 else dy * root + (dx - dy)

    def costly(heuristic: Any) -> Any:
        return problem_from(
            [(0, 0)],
            lambda c: [(name, (c[0] + dx, c[1] + dy)) for name, (dx, dy, _) in steps.items() if c[0] < 12],
            lambda c: c == (12, 5),
            cost=lambda c, name, to: steps[name][2],
            heuristic=heuristic,
        )

    assert optimal_paths(costly(None)).number == optimal_paths(costly(octile)).number == comb(12, 5)
    assert isinstance(optimal_paths(costly(None)).cost, float)


def test_an_edge_that_costs_nothing_in_both_directions() -> None:
    """The simple paths are listed and counted, and an error says that there are too many."""
    edges = "0 -1→ 1, 1 -1→ 2, 2 -1→ 3, 0 -1→ 4, 4 -0→ 1, 1 -0→ 4"
    paths = optimal_paths(digraph(edges, [0], [3]))
    assert {path.states for path in paths} == {(0, 1, 2, 3), (0, 4, 1, 2, 3)}
    assert (paths.number, paths.states) == (2, 5)
    clique = [Edge(one, other, 0) for one in range(12) for other in range(12) if one != other]
    with pytest.raises(InfinitePathsError, match="in more than 100,000 ways; k_best finds some"):
        optimal_paths(digraph(clique, [0], [11]))
    assert optimal_paths(digraph(edges + ", 0 -1→ 5, 5 -1→ 3", [0], [3])).number == 1


def test_nothing_is_asked_after_the_search() -> None:
    """So that its limits are those of the whole call: each state is expanded once."""
    asked: list[int] = []

    def successors(n: int) -> list[tuple[str, int]]:
        asked.append(n)
        return [("+1", n + 1), ("+2", n + 2)]

    paths = optimal_paths(problem_from([0], successors, lambda n: n == 6))
    assert (paths.number, len(asked)) == (1, len(set(asked)))
