"""searchkit through its public functions, as machine code."""

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.data import Sparse
from benchmarks.limit import graph_of
from searchkit import distance_map, solve
from searchkit_dungeon import Grid, Terrain
from searchkit_graph import explicit_graph

LIBRARIES = ("searchkit.kernels.best_first",)
CANNOT = ""
EASIER: dict[str, str] = {}
Total = Callable[[Any], float]


def warm() -> None:
    """Load the compiled engines, by searches of next to nothing."""
    room = Terrain([bytes([1, 1]), bytes([1, 1])])
    for moves in (4, 8):
        distance_map(Grid(room, [(0, 0)], moves=moves), backend="compiled")
        solve(Grid(room, [(0, 0)], [(1, 1)], moves), "astar", backend="compiled")
    solve(Grid(room, [(0, 0)], [(1, 1)], 8), "jps", backend="compiled")
    distance_map(explicit_graph([(0, 1, 2)], 0), backend="compiled")


def field(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Total]:
    """`distance_map`, and one distance looked up; the others are made when they are asked for."""
    column, row = arrays["source"].tolist()
    grid = Grid(Terrain([bytes(line) for line in arrays["ground"]]), [(column, row)])

    def run() -> Any:
        distances = distance_map(grid, backend="compiled")
        assert distances[column + 1, row] == 1
        return distances

    return run, _total


def queries(arrays: dict[str, Any], moves: int, engine: str) -> Callable[[], float]:
    """Make a problem for each query, and solve it."""
    pairs = arrays["pairs"].tolist()
    terrains = [Terrain([bytes(line) for line in ground]) for ground in arrays["grounds"]]

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            grid = Grid(terrains[number], [(sx, sy)], [(gx, gy)], moves)
            solution: Any = solve(grid, engine, backend="compiled").solution
            total += float(solution.cost)
        return total

    return run


queries8, queries4 = partial(queries, moves=8, engine="astar"), partial(queries, moves=4, engine="astar")


def graph(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Total]:
    """`distance_map`, and one distance looked up."""
    problem = graph_of(Sparse(arrays["begins"], arrays["heads"], arrays["weights"]))

    def run() -> Any:
        distances = distance_map(problem, backend="compiled")
        assert distances[0] == 0
        return distances

    return run, _total


def _total(distances: Any) -> float:
    return float(sum(distances.values()))
