"""Distance maps in files: read as they were written, or refused with one clear error."""

import copy
import pickle
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import DistanceMap, Limits, Search, distance_map, problem_from
from searchkit.errors import InputFormatError, SavingError
from searchkit.search.distances import goalless, with_distances
from searchkit_dungeon import Grid, Terrain, grid, make_grid
from searchkit_dungeon.strategies import grids
from searchkit_graph import ExplicitGraph, explicit_graph
from searchkit_graph.strategies import graphs
from tests.kernels.test_saved_runs import begun, restored, written
from tests.kernels.together import answer

SNAKE = ["S....", "####.", ".....", ".####", "....."]
BACKENDS = ("python", "compiled")


def assert_same(problem: Any, found: DistanceMap[Any, Any], path: Path) -> None:
    """Save and load a map of a problem, and compare all that both say."""
    found.save(path)
    loaded = DistanceMap.load(path, problem)
    assert type(loaded) is type(found)
    assert list(loaded.items()) == list(found.items())
    assert (loaded.complete, loaded.warnings) == (found.complete, found.warnings)
    assert loaded.farthest() == found.farthest()
    assert [loaded.parent(state) for state in found] == [found.parent(state) for state in found]
    assert [loaded.path_to(state) for state in found] == [found.path_to(state) for state in found]
    assert np.array_equal(loaded.array(), found.array())
    assert loaded.array().dtype == found.array().dtype
    again = path.with_suffix(".again")
    loaded.save(again)
    assert list(DistanceMap.load(again, problem).items()) == list(found.items())


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a file of the module."""
    return tmp_path_factory.mktemp("maps") / "map"


@given(problem=st.one_of(grids(), graphs()), expansions=st.one_of(st.none(), st.integers(0, 6)))
@settings(max_examples=30)
def test_a_loaded_map_is_the_one_that_was_saved(
    problem: Grid | ExplicitGraph, expansions: int | None, path: Path
) -> None:
    """Of grids and graphs, of both backends, complete or cut off."""
    for backend in BACKENDS:
        limits = Limits(expansions=expansions)
        assert_same(problem, distance_map(problem, backend=backend, limits=limits), path)


def hall(seed: int) -> Grid:
    """Return a map with two starts and a few walls, so that machine code searches it as a field."""
    random = Random(seed)
    rows = [bytearray(random.random() > 0.1 for _ in range(30)) for _ in range(20)]
    rows[0][0] = rows[9][17] = 1
    return make_grid(Terrain([bytes(row) for row in rows]), [(0, 0), (17, 9)], [])


def streets(seed: int, nodes: int = 400) -> ExplicitGraph:
    """Return a graph with edges that cost 0, and of which many entries of a queue are outdated."""
    random = Random(seed)
    edges = [
        (tail, random.randrange(nodes), random.choice([0, 1, 1, 7, 40]))
        for tail in range(nodes)
        for _ in range(5)
    ]
    return explicit_graph(edges, [0, 5])


@pytest.mark.parametrize(("problem", "engine"), [(hall(1), "bfs"), (streets(1), "dijkstra")])
@pytest.mark.parametrize("step", [1, 37])
def test_a_search_of_distances_goes_on(problem: Any, engine: str, step: int) -> None:
    """Restored after each slice, it has the same counters, and ends with the same distances."""
    spec, everywhere = with_distances(engine), goalless(problem)
    whole = Search(everywhere, spec, backend="compiled")
    expected = whole.run()
    search = begun(everywhere, spec)
    while not search.ended:
        search._advance(step)
        search = restored(search, written(search))
    assert answer(search.run()) == answer(expected)
    assert dict(search.tree.reached) == dict(whole.tree.reached)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_map_of_another_problem(backend: str, tmp_path: Path) -> None:
    """The file names the problem."""
    path = tmp_path / "map"
    distance_map(grid(SNAKE, goal=()), backend=backend).save(path)
    with pytest.raises(SavingError, match="saved with another problem"):
        DistanceMap.load(path, grid(SNAKE, goal=(), moves=8))


def test_a_saved_search_is_not_a_map(tmp_path: Path) -> None:
    """Nor is a map a search of the problem itself."""
    path, problem = tmp_path / "search", grid(SNAKE, goal=())
    search = Search(problem, "bfs")
    search.run(Limits(expansions=3))
    search.save(path)
    with pytest.raises(InputFormatError, match="expected a distance map, and the file is a saved search"):
        DistanceMap.load(path, problem)
    distance_map(problem).save(path)
    with pytest.raises(SavingError, match="saved with another problem"):
        Search.load(path, problem)


@pytest.mark.parametrize("backend", BACKENDS)
def test_any_damage_is_found(backend: str, tmp_path: Path) -> None:
    """A wrong byte anywhere, and a missing end."""
    path, problem = tmp_path / "map", grid(SNAKE, goal=())
    distance_map(problem, backend=backend).save(path)
    whole = path.read_bytes()
    refused = 0
    for place in range(0, len(whole), 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert len(DistanceMap.load(path, problem)) == 17, "a byte between two sections"
        except (InputFormatError, SavingError):
            refused += 1
    assert refused > 10
    path.write_bytes(whole[:-1])
    with pytest.raises(InputFormatError, match="cut short"):
        DistanceMap.load(path, problem)


def test_a_map_that_claims_to_be_complete(tmp_path: Path) -> None:
    """Its search has not ended."""
    path, problem = tmp_path / "map", problem_from([0], line, never)
    found = distance_map(problem, limits=Limits(expansions=2))
    found.complete = True
    found.save(path)
    with pytest.raises(InputFormatError, match="a map is complete if its search has ended"):
        DistanceMap.load(path, problem)


def test_a_copy_has_no_search(tmp_path: Path) -> None:
    """It says the same, and can't be saved."""
    found = distance_map(problem_from([0], line, never))
    for other in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert other == found
        with pytest.raises(SavingError, match="a copy of a distance map can't be saved"):
            other.save(tmp_path / "map")


class Named:
    """A problem whose states have a class that files do not know."""

    def initial_states(self) -> list[Any]:
        """Return the start."""
        return [np.int16(0)]

    def successors(self, state: Any) -> list[tuple[str, Any]]:
        """Return the next one."""
        return [("on", np.int16(state + 1))] if state < 3 else []

    def is_goal(self, state: Any) -> bool:
        """Return False."""
        return False


def test_states_of_numpy(tmp_path: Path) -> None:
    """They have the same type again."""
    path = tmp_path / "map"
    distance_map(Named()).save(path)
    loaded = DistanceMap.load(path, Named())
    assert dict(loaded) == {0: 0, 1: 1, 2: 2, 3: 3}
    assert all(type(state) is np.int16 for state in loaded)


def line(state: int) -> list[tuple[int, int]]:
    """Return the successors on a line."""
    return [(to, to) for to in (state - 1, state + 1) if 0 <= to < 6]


def never(state: int) -> bool:
    """Return False."""
    return False
