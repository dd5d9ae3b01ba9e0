"""searchkit through its public functions, as machine code."""

from collections.abc import Callable
from typing import Any

from benchmarks.cpp.graphs import graph_of
from benchmarks.kit.data import Sparse
from searchkit import Compilable, available_engines, distance_map, solve
from searchkit_dungeon import Terrain, make_grid
from searchkit_graph import explicit_graph
from searchkit_keys import ContractedVault, Vault
from searchkit_tiles import SlidingTiles

LIBRARIES = ("searchkit.kernels.best_first",)
CANNOT = ""
EASIER: dict[str, str] = {}
Total = Callable[[Any], float]


def warm() -> None:
    """Load the compiled engines, by searches of next to nothing."""
    room = Terrain([bytes([1, 1]), bytes([1, 1])])
    for moves in (4, 8):
        distance_map(make_grid(room, [(0, 0)], moves=moves), backend="compiled")
        solve(make_grid(room, [(0, 0)], [(1, 1)], moves), "astar", backend="compiled")
    for engine in available_engines().keys() & {"jps"}:
        solve(make_grid(room, [(0, 0)], [(1, 1)], 8), engine, backend="compiled")
    distance_map(SlidingTiles(2, 2, range(4)), backend="compiled")
    solve(SlidingTiles(2, 2, [1, 0, 2, 3], heuristic="manhattan"), "astar", backend="compiled")
    distance_map(explicit_graph([(0, 1, 2)], 0), backend="compiled")


def field(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Total]:
    """`distance_map`, and one distance looked up; the others are made when they are asked for."""
    column, row = arrays["source"].tolist()
    grid = make_grid(Terrain([bytes(line) for line in arrays["ground"]]), [(column, row)])

    def run() -> Any:
        distances = distance_map(grid, backend="compiled")
        assert distances[column + 1, row] == 1
        return distances

    return run, _total


def queries8(arrays: dict[str, Any]) -> Callable[[], float]:
    """`astar`."""
    return queries(arrays, 8, "astar")


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """`astar` with 4 moves."""
    return queries(arrays, 4, "astar")


def queries(arrays: dict[str, Any], moves: int, engine: str) -> Callable[[], float]:
    """Make a problem for each query, and solve it."""
    pairs = arrays["pairs"].tolist()
    terrains = [Terrain([bytes(line) for line in ground]) for ground in arrays["grounds"]]

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            grid = make_grid(terrains[number], [(sx, sy)], [(gx, gy)], moves)
            solution: Any = solve(grid, engine, backend="compiled").solution
            total += float(solution.cost)
        return total

    return run


def tiles(arrays: dict[str, Any]) -> Callable[[], float]:
    """`astar`."""
    problems = [SlidingTiles(4, 4, board, heuristic="manhattan") for board in arrays["boards"].tolist()]
    return lambda: sum(float(solve(each, "astar", backend="compiled").cost or 0) for each in problems)


def eight(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Total]:
    """`distance_map`."""
    problem = SlidingTiles(3, 3, range(9))
    return lambda: distance_map(problem, backend="compiled"), lambda found: float(len(found))


def graph(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Total]:
    """`distance_map`, and one distance looked up."""
    problem = graph_of(Sparse(arrays["begins"], arrays["heads"], arrays["weights"]))

    def run() -> Any:
        distances = distance_map(problem, backend="compiled")
        assert distances[0] == 0
        return distances

    return run, _total


def vault(arrays: dict[str, Any]) -> Callable[[], float]:
    """Contract the vault, again for each run; `astar` with its default heuristic."""
    rows = tuple(bytes(row).decode() for row in arrays["text"])

    def run() -> float:
        problem = ContractedVault(Vault.of(rows))
        backend = "compiled" if isinstance(problem, Compilable) else "auto"
        return float(solve(problem, "astar", backend=backend).cost or 0)

    return run


def _total(distances: Any) -> float:
    return float(sum(distances.values()))
