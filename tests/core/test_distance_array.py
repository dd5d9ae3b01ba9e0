"""The array of a distance map: it says what the mapping says, and no later search changes it."""

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import ArrayLayout, DistanceMap, Limits, SearchProblem, distance_map, problem_from
from searchkit.compiled.view import CompiledProblem, Stencil
from searchkit.errors import MissingCapabilityError, MissingExtraError
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.strategies import grids
from searchkit_graph import ExplicitGraph, explicit_graph
from searchkit_graph.strategies import graphs

BACKENDS = ("python", "compiled")


def faults(distances: DistanceMap[Any, Any], layout: ArrayLayout[Any]) -> list[str]:
    """Return in what the array of a map differs from the mapping, which knows nothing of arrays."""
    array, found = distances.array(), []
    if array.shape != layout.shape:
        found.append("shape")
    if array.flags.writeable:
        found.append("it can be written to")
    if array is not distances.array():
        found.append("made again")
    if array.dtype not in ((np.int32, np.int64) if layout.whole else (np.float64,)):
        found.append("type")
    expected = np.full(layout.shape, -1 if layout.whole else np.inf)
    for state, distance in distances.items():
        expected[layout.place(state)] = distance
    if not np.array_equal(array, expected):
        found.append("distances")
    return found


@given(grids(), st.one_of(st.none(), st.integers(0, 6)))
@settings(max_examples=25)
def test_the_array_of_a_grid_is_its_mapping(problem: Grid, expansions: int | None) -> None:
    """For every kind of grid, both backends, cut off or not; and the arrays of both backends are the same."""
    arrays: list[Any] = []
    for backend in BACKENDS:
        distances = distance_map(problem, backend=backend, limits=Limits(expansions=expansions))
        assert not faults(distances, problem.array_layout())
        arrays.append(distances.array())
    assert arrays[0].dtype == arrays[1].dtype
    assert np.array_equal(arrays[0], arrays[1])


@given(graphs(), st.one_of(st.none(), st.integers(0, 6)))
@settings(max_examples=40)
def test_the_array_of_a_graph_is_its_mapping(problem: ExplicitGraph, expansions: int | None) -> None:
    """One entry for each node, in the order of the layout's labels."""
    arrays: list[Any] = []
    for backend in BACKENDS:
        distances = distance_map(problem, backend=backend, limits=Limits(expansions=expansions))
        assert not faults(distances, problem.array_layout())
        labels, array = list(problem.array_layout().labels or ()), distances.array()
        assert len(labels) == len(array)
        assert {labels[at]: array[at] for at in np.flatnonzero((array >= 0) & (array < np.inf))} == dict(
            distances
        )
        arrays.append(array)
    assert arrays[0].dtype == arrays[1].dtype
    assert np.array_equal(arrays[0], arrays[1])


SNAKE = ["S....", "####.", ".....", ".####", "....."]
OPEN = ["....."] * 2 + ["..S.."] + ["....."] * 2


def test_large_distances() -> None:
    """They have 64 bits where they need them; more than that is an error in which the other way is named."""
    for backend in BACKENDS:
        array = distance_map(explicit_graph([(0, 1, 2**31 - 1), (1, 2, 1)], 0), backend=backend).array()
        assert array.dtype == np.int64
        assert array.tolist() == [0, 2**31 - 1, 2**31]
        assert distance_map(explicit_graph([(0, 1, 2**31 - 1)], 0), backend=backend).array().dtype == np.int32
    huge = distance_map(explicit_graph([(0, 1, 2**63 - 1), (1, 2, 1)], 0))
    with pytest.raises(MissingCapabilityError, match="does not fit into 64 bits"):
        huge.array()


class Cube(SearchProblem[tuple[int, int, int], str]):
    """A box of cells in three dimensions, as a plugin of somebody else may have it; all of them are open."""

    shape = 2, 3, 4

    def initial_states(self) -> list[tuple[int, int, int]]:
        return [(0, 1, 2)]

    def is_goal(self, state: tuple[int, int, int]) -> bool:
        return False

    def successors(self, state: tuple[int, int, int]) -> list[tuple[str, tuple[int, int, int]]]:
        found = []
        for axis, step in ((0, 1), (1, 1), (2, 1), (0, -1), (1, -1), (2, -1)):
            beside = [*state]
            beside[axis] += step
            if 0 <= beside[axis] < self.shape[axis]:
                found.append((f"{axis}{step:+}", (beside[0], beside[1], beside[2])))
        return found

    def pack(self, state: tuple[int, int, int]) -> int:
        """Return z · 12 + y · 4 + x."""
        return state[0] * 12 + state[1] * 4 + state[2]

    def unpack(self, packed: int) -> tuple[int, int, int]:
        """Return the inverse."""
        return packed // 12, packed // 4 % 3, packed % 4

    def compiled(self) -> CompiledProblem:
        """Return the view."""
        offsets, masks = [12, 4, 1, -12, -4, -1], []
        for packed in range(24):
            led = [self.pack(successor) - packed for _, successor in self.successors(self.unpack(packed))]
            masks.append(sum(1 << move for move, offset in enumerate(offsets) if offset in led))
        return CompiledProblem(Stencil(bytes(masks), offsets, [1] * 6), pack=self.pack, unpack=self.unpack)

    def array_layout(self) -> ArrayLayout[tuple[int, int, int]]:
        """Return the layout."""
        return ArrayLayout(self.shape, lambda state: state, whole=True, strides=(12, 4, 1))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_plugin_of_somebody_else_has_arrays(backend: str) -> None:
    """Of three dimensions, with strides or without."""

    class Plain(Cube):
        def array_layout(self) -> ArrayLayout[tuple[int, int, int]]:
            return evolve(super().array_layout(), strides=None)

    for problem in (Cube(), Plain()):
        distances = distance_map(problem, backend=backend)
        assert not faults(distances, problem.array_layout())
        assert distances.array()[1, 2, 0] == 4


def test_what_has_no_array_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what has one, or what is to be installed."""
    row = problem_from([0], lambda x: [(1, x + 1)] if x < 3 else [], lambda x: False)
    with pytest.raises(MissingCapabilityError, match=r"grids and explicit graphs have.* array_layout\(\)"):
        distance_map(row).array()
    distances = distance_map(grid(["S."], goal=()), backend="python")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtraError, match=r"needs numpy; install it with: pip install '.*\[fast\]'$"):
        distances.array()


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_array_can_not_be_written_to(backend: str) -> None:
    """Whoever wants to change it makes a copy."""
    array = distance_map(grid(OPEN, goal=()), backend=backend).array()
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 9


def test_held_arrays_do_not_change() -> None:
    """Many are held, and dropped in random order, while threads make others of the same sizes."""
    rng = Random(5)
    problems: list[Any] = [grid(OPEN, start=(x, y), goal=()) for x, y in ((0, 0), (4, 4), (2, 1))] + [
        grid(SNAKE, goal=())
    ]
    edges = [(rng.randrange(25), rng.randrange(25), rng.randrange(9)) for _ in range(80)]
    problems += [explicit_graph([(0, 24, 9), *edges], start) for start in (0, 24)]
    exact = [distance_map(problem, backend="python").array() for problem in problems]

    def hold(seed: int) -> None:
        own, held = Random(seed), list[tuple[Any, int]]()
        for _ in range(60):
            number = own.randrange(len(problems))
            distances = distance_map(problems[number], backend="compiled")
            held.append((distances.array()[1:] if own.random() < 0.3 else distances.array(), number))
            del distances
            if len(held) > own.randrange(1, 12):
                held.pop(own.randrange(len(held)))
            for array, which in held:
                assert np.array_equal(array, exact[which][len(exact[which]) - len(array) :])

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(hold, range(3)))
