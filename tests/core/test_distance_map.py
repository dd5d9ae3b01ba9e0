"""Distance maps: every reachable state's distance to the nearest start, and the way back."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, distance_map, problem_from
from tests.graphs import GraphProblem, graphs
from tests.oracle import distances_from_starts, walk


@given(graphs())
def test_distances_are_those_of_the_oracle(graph: GraphProblem) -> None:
    """Exact distances; unreachable states absent, not infinite; every path can be walked at that cost."""
    distances = distance_map(graph)
    assert distances.complete
    exact = {node: distance for node, distance in distances_from_starts(graph).items() if distance != inf}
    assert dict(distances) == exact
    assert len(distances) == len(exact)
    for state, distance in distances.items():
        path = distances.path_to(state)
        assert path.goal == state
        assert walk(graph, path, graph.starts) == path.cost == distance
        step = distances.descend(state)
        assert (step is None) == (state in graph.starts and distance == 0 and len(path.states) == 1)
        assert step == distances.parent(state)
        assert step is None or distances[step] <= distance
    assert set(distances.farthest()) == {node for node in exact if exact[node] == max(exact.values())}


def test_a_row() -> None:
    """From both ends of a row the middle is farthest, and descending leads to the nearer end."""
    row = problem_from([0, 9], lambda x: [(y, y) for y in (x - 1, x + 1) if 0 <= y <= 9], lambda x: x == 1)
    distances = distance_map(row)
    assert [distances[x] for x in range(10)] == [0, 1, 2, 3, 4, 4, 3, 2, 1, 0]
    assert distances.farthest() == [4, 5]
    way, x = [4], 4
    while (step := distances.descend(x)) is not None:
        x = step
        way.append(x)
    assert way == [4, 3, 2, 1, 0]
    assert 12 not in distances
    for ask in (distances.__getitem__, distances.descend, distances.path_to, distances.parent):
        with pytest.raises(KeyError):
            ask(12)


def test_limits_leave_only_settled_distances() -> None:
    """Where a limit came first, the map holds what is certain, and says that it is not complete."""
    plane = problem_from(
        [(0, 0)],
        lambda c: [(d, (c[0] + d[0], c[1] + d[1])) for d in ((1, 0), (0, 1), (-1, 0), (0, -1))],
        lambda c: False,
        cost=lambda before, action, after: 3 if action[0] else 1,
    )
    distances = distance_map(plane, limits=Limits(cost=6))
    assert not distances.complete
    assert distances.items() >= {(x, y): 3 * abs(x) + abs(y) for x in (-1, 0, 1) for y in (-3, 0, 3)}.items()
    assert max(distances.values()) == 6
    assert all(distance == 3 * abs(x) + abs(y) for (x, y), distance in distances.items())
    assert len(distances) == sum(3 * abs(x) + abs(y) <= 6 for x in range(-9, 10) for y in range(-9, 10))
    assert repr(distances) == f"<DistanceMap of {len(distances)} states, incomplete>"


@given(graphs(), st.integers(0, 6))
def test_whatever_the_limit_what_is_in_the_map_is_exact(graph: GraphProblem, expansions: int) -> None:
    """Cut off anywhere, a map never holds a distance that could still fall."""
    distances = distance_map(graph, limits=Limits(expansions=expansions))
    exact = distances_from_starts(graph)
    assert all(exact[state] == distance for state, distance in distances.items())
    assert all(walk(graph, distances.path_to(state), graph.starts) == distances[state] for state in distances)
    if distances.complete:
        assert distances.keys() == {state for state, distance in exact.items() if distance != inf}


def test_a_radius_on_unit_costs_is_whole() -> None:
    """With a cost limit of 3, every state at distance 3 is there."""
    both_ways = problem_from([0], lambda x: [(-1, x - 1), (1, x + 1)], lambda x: False)
    assert sorted(distance_map(both_ways, limits=Limits(cost=3))) == [-3, -2, -1, 0, 1, 2, 3]
