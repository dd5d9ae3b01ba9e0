"""NetworKit, written in C++: searches in graphs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.arrays import estimates, grid_edges, length_of, tails_of

LIBRARIES = ("networkit",)
CANNOT = "graphs that are given whole"
EASIER: dict[str, str] = {}


def field(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`BFS` without paths."""
    library, ground = import_module("networkit"), arrays["ground"]
    tails, heads, _ = grid_edges(ground, 4)
    graph = library.GraphFromCoo((tails, heads), n=ground.size, directed=True)
    column, row = arrays["source"].tolist()
    return lambda: _distances(library.distance.BFS(graph, row * ground.shape[1] + column, False))


def queries8(arrays: dict[str, Any]) -> Callable[[], float]:
    """`AStar`, which takes the heuristic values of all cells as a list."""
    return _queries(arrays, 8)


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """Search the same with 4 moves."""
    return _queries(arrays, 4)


def _queries(arrays: dict[str, Any], moves: int) -> Callable[[], float]:
    library, grounds, pairs = import_module("networkit"), arrays["grounds"], arrays["pairs"].tolist()
    graphs = [_weighted(library, ground.size, *grid_edges(ground, moves)) for ground in grounds]
    _, height, width = grounds.shape

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            start, goal = sy * width + sx, gy * width + gx
            guess = estimates((height, width), gx, gy, moves).tolist()
            search = library.distance.AStar(graphs[number], guess, start, goal)
            search.run()
            total += length_of([start, *search.getPath(), goal], width)  # which is without its ends
        return total

    return run


def graph(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`Dijkstra` without paths."""
    library, begins = import_module("networkit"), arrays["begins"]
    edges = tails_of(begins), arrays["heads"].astype(np.int64), arrays["weights"].astype(np.float64)
    made = _weighted(library, len(begins) - 1, *edges)
    return lambda: _distances(library.distance.Dijkstra(made, 0, False))


def _weighted(library: Any, nodes: int, tails: Any, heads: Any, lengths: Any) -> Any:
    return library.GraphFromCoo((lengths, (tails, heads)), n=nodes, weighted=True, directed=True)


def _distances(search: Any) -> Any:
    search.run()
    return search.getDistances(asarray=True)
