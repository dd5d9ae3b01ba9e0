"""Costs of numpy in everything that reads costs besides engines: no sum wraps around or is rounded to 24 bits."""

from typing import Any

import pytest

from searchkit import compare, count_optimal_paths, distance_map, k_best, problem_from, solve

np = pytest.importorskip("numpy")


def line(cost: Any, length: int = 3) -> Any:
    """Return a line whose step into x costs cost[x]."""
    return problem_from(
        [0],
        lambda x: [("E", x + 1)] if x < length else [],
        lambda x: x == length,
        cost=lambda x, action, y: cost[y],
    )


def field(raster: Any) -> Any:
    """Return a grid from one corner to the opposite one; a cell is entered at its value."""
    height, width = raster.shape

    def steps(cell: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        x, y = cell
        near = [("E", (x + 1, y)), ("S", (x, y + 1)), ("W", (x - 1, y)), ("N", (x, y - 1))]
        return [(name, (a, b)) for name, (a, b) in near if 0 <= a < width and 0 <= b < height]

    return problem_from(
        [(0, 0)], steps, lambda cell: cell == (width - 1, height - 1), cost=lambda c, a, d: raster[d[1], d[0]]
    )


@pytest.mark.parametrize("kind", ["uint8", "int64"])
def test_three_costs_of_100(kind: str) -> None:
    """They are 300, in every reader and by every engine that `compare` takes; integers choose the bucket queue."""
    problem = line(np.full(4, 100, kind))
    assert distance_map(problem)[3] == 300
    assert [path.cost for path in k_best(problem, 2)] == [300]
    assert count_optimal_paths(problem) == 1
    assert {row.result.cost for row in compare(problem) if row.result is not None} == {300}
    assert solve(problem).engine == "bucket"
    assert type(distance_map(problem)[3]) is int


def test_a_raster_of_bytes_ends() -> None:
    """The parents of a search formed a circle, and no limit was reached."""
    problem = field(np.full((3, 5), 100, np.uint8))
    assert solve(problem).cost == distance_map(problem)[4, 2] == 600
    assert count_optimal_paths(problem) == 15


def test_a_step_that_is_cheaper_than_two_that_wrap() -> None:
    """250, and never 144 or a negative cost."""
    steps = {0: [(200, 1), (250, 2)], 1: [(200, 2)], 2: []}
    problem = problem_from(
        [0], steps.__getitem__, lambda s: s == 2, cost=lambda s, action, t: np.uint8(action)
    )
    assert solve(problem).actions == (250,)
    assert dict(distance_map(problem)) == {0: 0, 1: 200, 2: 250}
    assert [path.cost for path in k_best(problem, 2)] == [250, 400]
    signed = problem_from([0], lambda s: [("+", s + 1)], lambda s: s == 5, cost=lambda *step: np.int8(100))
    assert solve(signed).cost == 500


def test_single_precision_is_added_in_double_precision() -> None:
    """The sum is not that of 24 bits."""
    row = np.full(20_001, 0.1, np.float32)
    exact = float(row[1:].astype(np.float64).sum())
    assert solve(line(row, 20_000), "dijkstra").cost == pytest.approx(exact, rel=1e-12)
    assert distance_map(line(row, 20_000))[20_000] == pytest.approx(exact, rel=1e-12)
