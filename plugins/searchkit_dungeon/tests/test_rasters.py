"""Grids from arrays of numpy."""

import pickle
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import solve
from searchkit.plugin import InvalidProblemError
from searchkit.testing import check_heuristic, explore
from searchkit_dungeon import grid_from_array

numpy = pytest.importorskip("numpy")
KINDS = ("uint8", "int16", ">i4", "uint64", "float16", "float32", "float64", "longdouble", "bool")


@given(st.binary(min_size=30, max_size=30), st.sampled_from(KINDS), st.sampled_from([4, 8]))
@settings(max_examples=120)
def test_least_costs_are_those_of_the_oracle(numbers: bytes, kind: str, moves: int) -> None:
    """Of any type of numbers, in Python and as machine code; 9 is a wall."""
    costs = (
        numpy.array([byte % 10 / (3 if numpy.dtype(kind).kind == "f" else 1) for byte in numbers])
        .astype(kind)
        .reshape(5, 6)
    )
    wall = costs.max() if costs.max() > 1 else 77
    costs[0, 0] = costs[4, 5] = 1
    problem: Any = grid_from_array(costs, (0, 0), (5, 4), moves, walls=wall)
    least = explore(problem).least_cost
    for backend in ("python", "compiled"):
        result = solve(problem, "astar", backend=backend)
        assert (inf if result.cost is None else result.cost) == pytest.approx(least, rel=1e-12)
        assert result.warnings == ()
    assert check_heuristic(problem).holds


@pytest.mark.parametrize("kind", ["int32", "float32"])
def test_masked_cells_are_walls(kind: str) -> None:
    """As libraries of maps read cells without data."""
    costs = numpy.ma.array(numpy.ones((2, 3)).astype(kind), mask=[[0, 1, 0], [0, 0, 0]])
    for backend in ("python", "compiled"):
        assert solve(grid_from_array(costs, (0, 0), (2, 0)), "astar", backend=backend).cost == 4


def test_another_process_gets_the_same_grid() -> None:
    """With the least cost of a cell, by which its heuristic is admissible."""
    problem = grid_from_array(numpy.array([[0.5, 0.25, 9.0], [1.0, 0.5, 0.25]]), (0, 0), (2, 1), 8)
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    assert again.heuristic((0, 0)) == problem.heuristic((0, 0)) < 0.25 * 3


@pytest.mark.parametrize(
    ("costs", "options", "message"),
    [
        ([[1, 2]], {}, "costs is list; expected a numpy array of numbers"),
        (numpy.ones(3), {}, "costs is ndarray; expected a numpy array of numbers with rows and columns"),
        (numpy.array([["a"]]), {}, "costs is ndarray; expected a numpy array of numbers"),
        (SimpleNamespace(ndim=2), {}, "costs is SimpleNamespace; expected a numpy array of numbers"),
        (numpy.array([[1.0, -2.0]]), {}, r"a cell costs -2.0; expected numbers ≥ 0, or walls=-2.0"),
        (numpy.array([[inf, 1]]), {}, r"the start \(0, 0\) is inside a wall"),
        (numpy.array([[numpy.nan, 1]]), {}, r"the start \(0, 0\) is inside a wall"),
        (numpy.ones((2, 2)), {"moves": 6}, "moves=6: expected 4 or 8"),
    ],
)
def test_faulty_arrays_are_refused(costs: Any, options: dict[str, Any], message: str) -> None:
    """The message says what was expected."""
    with pytest.raises(InvalidProblemError, match=message):
        grid_from_array(costs, (0, 0), **options)
