"""NetworkX, written in Python: searches in graphs of dictionaries."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.peers.arrays import estimates, grid_edges, length_of, tails_of

LIBRARIES = ("networkx",)
CANNOT = "graphs that are given whole"
EASIER: dict[str, str] = {}


def field(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[Any], float]]:
    """`single_source_shortest_path_length`."""
    library, ground = import_module("networkx"), arrays["ground"]
    column, row = arrays["source"].tolist()
    tails, heads, _ = grid_edges(ground, 4)
    made = library.DiGraph()
    made.add_edges_from(zip(tails.tolist(), heads.tolist(), strict=True))
    source = row * ground.shape[1] + column
    return lambda: library.single_source_shortest_path_length(made, source), _total


def queries8(arrays: dict[str, Any]) -> Callable[[], float]:
    """`astar_path`."""
    return _queries(arrays, 8)


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """Search the same with 4 moves."""
    return _queries(arrays, 4)


def _queries(arrays: dict[str, Any], moves: int) -> Callable[[], float]:
    library, grounds, pairs = import_module("networkx"), arrays["grounds"], arrays["pairs"].tolist()
    graphs = [_graph(library, *grid_edges(ground, moves)) for ground in grounds]
    _, height, width = grounds.shape

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            guess = estimates((height, width), gx, gy, moves).tolist()
            path = library.astar_path(
                graphs[number],
                sy * width + sx,
                gy * width + gx,
                heuristic=lambda node, _, guess=guess: guess[node],
            )
            total += length_of(path, width)
        return total

    return run


def graph(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[Any], float]]:
    """`single_source_dijkstra_path_length`."""
    library = import_module("networkx")
    tails, heads, weights = tails_of(arrays["begins"]), arrays["heads"], arrays["weights"]
    made = library.MultiDiGraph()  # for there may be two edges from one node to another
    made.add_weighted_edges_from(zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True))
    return lambda: library.single_source_dijkstra_path_length(made, 0), _total


def _graph(library: Any, tails: Any, heads: Any, lengths: Any) -> Any:
    made = library.DiGraph()
    made.add_weighted_edges_from(zip(tails.tolist(), heads.tolist(), lengths.tolist(), strict=True))
    return made


def _total(distances: dict[int, float]) -> float:
    return float(sum(distances.values()))
