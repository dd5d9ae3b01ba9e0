"""Distance maps: every reachable state's distance to the nearest start, and the path back."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import DistanceMap, Limits, distance_map, problem_from
from searchkit.errors import InvalidProblemError, MissingCapabilityError, UnknownNameError
from searchkit.testing import WeightedDigraph, explore
from searchkit.testing.strategies import weighted_digraphs
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.strategies import grids
from searchkit_graph import explicit_graph
from tests.helpers import walk
from tests.kernels.views import compilable


@given(weighted_digraphs())
def test_distances_are_those_of_the_oracle(graph: WeightedDigraph) -> None:
    """Exact distances; unreachable states absent, not infinite; every path can be walked at that cost."""
    distances = distance_map(graph)
    assert distances.complete
    exact = explore(graph).from_starts
    assert dict(distances) == exact
    assert len(distances) == len(exact)
    for state, distance in distances.items():
        path = distances.path_to(state)
        assert path.goal == state
        assert walk(graph, path, graph.starts) == path.cost == distance
        step = distances.descend(state)
        assert (step is None) == (state in graph.starts and distance == 0 and len(path.states) == 1)
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
    for ask in (distances.__getitem__, distances.descend, distances.path_to):
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
    distances = distance_map(plane, limits=Limits(expansions=30))
    assert not distances.complete
    far = max(distances.values())
    exact = {(x, y): 3 * abs(x) + abs(y) for x in range(-9, 10) for y in range(-9, 10)}
    assert distances == {cell: distance for cell, distance in exact.items() if distance <= far}
    assert repr(distances) == f"<DistanceMap of {len(distances)} states, incomplete>"


@given(weighted_digraphs(), st.integers(0, 6))
def test_whatever_the_limit_what_is_in_the_map_is_exact(graph: WeightedDigraph, expansions: int) -> None:
    """Cut off anywhere, a map never has a distance that could still decrease."""
    distances = distance_map(graph, limits=Limits(expansions=expansions))
    exact = explore(graph).from_starts
    assert all(exact[state] == distance for state, distance in distances.items())
    assert all(walk(graph, distances.path_to(state), graph.starts) == distances[state] for state in distances)
    if distances.complete:
        assert distances.keys() == exact.keys()


FORMS = ("rows", "functions")
COSTS: list[Any] = ["int", "float", "zero-one", "unit"]


def same_map(one: DistanceMap[Any, Any], other: DistanceMap[Any, Any]) -> None:
    """Hold two maps against each other in everything that they say."""
    assert one.complete == other.complete
    assert list(one) == list(other)
    assert list(one.items()) == list(other.items())
    assert list(one.values()) == list(other.values())
    assert len(one) == len(other) == len(list(other))
    assert one.farthest() == other.farthest()
    assert list(one.values()) == sorted(one.values()), "the nearest first"
    for state in one:
        assert state in other
        assert one[state] == other[state]
        assert one.descend(state) == other.descend(state)
        assert one.path_to(state) == other.path_to(state)


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data(), expansions=st.one_of(st.none(), st.integers(0, 6)))
@settings(max_examples=300)
def test_backends_give_the_same_map(form: str, data: st.DataObject, expansions: int | None) -> None:
    """Compiled or not: the same distances in the same order, the same paths, cut off or not."""
    graph = compilable(data.draw(weighted_digraphs(data.draw(st.sampled_from(COSTS)))), form)
    limits = Limits(expansions=expansions)
    expected = distance_map(graph, backend="python", limits=limits)
    same_map(expected, distance_map(graph, backend="compiled", limits=limits))
    assert dict(expected).items() <= explore(graph).from_starts.items()


@given(grids(), st.one_of(st.none(), st.integers(0, 6)))
def test_backends_give_the_same_map_of_a_grid(problem: Grid, expansions: int | None) -> None:
    """From one start or several, over terrain, by 4 or 8 moves."""
    limits = Limits(expansions=expansions)
    same_map(
        distance_map(problem, backend="python", limits=limits),
        distance_map(problem, backend="compiled", limits=limits),
    )


SNAKE = ["S....", "####.", ".....", ".####", "....."]
HALL = ["S" + "." * 14] + ["." * 15] * 14
TREE = [((head - 1) // 2, head, head * 7 % 8) for head in range(1, 4000)]


@pytest.mark.parametrize(
    "problem",
    [grid(SNAKE, goal=()), grid(HALL, goal=()), explicit_graph(TREE, 0)],
    ids=["beside walls", "in the open", "many at once"],
)
def test_backends_give_the_same_map_of_more_states(problem: Any) -> None:
    """Different loops run on these grids; the leaves of a tree wait all at once."""
    same_map(distance_map(problem, backend="python"), distance_map(problem, backend="compiled"))


def test_a_door_of_one_direction() -> None:
    """Kernels of grids must not take for granted that there is a way back."""
    room: Any = grid([".....", "..S..", "....."], goal=())
    view = room.compiled()
    cell, beside = (0, 0), (1, 0)
    masks, move = (
        bytearray(view.graph.masks),
        list(view.graph.offsets).index(view.pack(beside) - view.pack(cell)),
    )
    masks[view.pack(cell)] &= ~(1 << move)

    class Door(type(room)):  # type: ignore[misc]
        def compiled(self) -> Any:
            return evolve(view, graph=evolve(view.graph, masks=bytes(masks)))

        def successors(self, state: Any) -> Any:
            return [pair for pair in super().successors(state) if (state, pair[1]) != (cell, beside)]

    for start in (cell, (2, 1)):
        problem = Door(room.terrain, [start], [])
        same_map(distance_map(problem, backend="python"), distance_map(problem, backend="compiled"))


def test_a_compiled_grid_knows_what_is_off_the_map() -> None:
    """No cell off the map or inside a wall is in it, whatever number it would be packed into."""
    distances = distance_map(grid(["S.#", "..."], goal=()), backend="compiled")
    assert dict(distances) == {(0, 0): 0, (1, 0): 1, (0, 1): 1, (1, 1): 2, (2, 1): 3}
    assert repr(distances) == "<DistanceMap of 5 states>"
    for cell in ((2, 0), (-1, 1), (-3, 1), (3, 0), (0, 9), (0, -1), "x", (1,), None):
        assert cell not in distances
        for ask in (distances.__getitem__, distances.descend, distances.path_to):
            with pytest.raises(KeyError):
                ask(cell)  # type: ignore[arg-type]  # some are no cells


def test_backends_that_do_not_fit_are_refused() -> None:
    """As `solve` refuses them."""
    row = problem_from([0], lambda x: [(print("from", x), x + 1)], lambda x: False)
    with pytest.raises(MissingCapabilityError, match="can't be made into machine code"):
        distance_map(row, backend="compiled")
    with pytest.raises(UnknownNameError, match="there is no backend 'fast'"):
        distance_map(row, backend="fast")
    with pytest.raises(InvalidProblemError, match="a search needs a start"):
        distance_map(problem_from([], lambda x: [], lambda x: False))
