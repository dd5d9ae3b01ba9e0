"""python-igraph, written in C: searches in graphs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.arrays import grid_edges, length_of, tails_of

LIBRARIES = ("igraph",)
CANNOT = "graphs that are given whole"
EASIER: dict[str, str] = {}


def field(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`distances` without weights."""
    ground, (column, row) = arrays["ground"], arrays["source"].tolist()
    tails, heads, _ = grid_edges(ground, 4)
    made = _graph(ground.size, tails, heads)
    return lambda: made.distances(source=row * ground.shape[1] + column)[0]


def queries8(arrays: dict[str, Any]) -> Callable[[], float]:
    """`get_shortest_path`: Dijkstra's algorithm; its A* calls a function in Python for each heuristic value."""
    return _queries(arrays, 8)


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """Search the same without weights."""
    return _queries(arrays, 4)


def _queries(arrays: dict[str, Any], moves: int) -> Callable[[], float]:
    grounds, pairs = arrays["grounds"], arrays["pairs"].tolist()
    graphs = []
    for ground in grounds:
        tails, heads, lengths = grid_edges(ground, moves)
        graphs.append(_graph(ground.size, tails, heads))
        graphs[-1].es["length"] = lengths.tolist()
    width = grounds.shape[2]

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            path = graphs[number].get_shortest_path(
                sy * width + sx, gy * width + gx, weights="length" if moves == 8 else None
            )
            total += length_of(path, width)
        return total

    return run


def graph(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`distances` with weights."""
    begins = arrays["begins"]
    made = _graph(len(begins) - 1, tails_of(begins), arrays["heads"])
    made.es["weight"] = arrays["weights"].tolist()
    return lambda: made.distances(source=0, weights="weight")[0]


def _graph(nodes: int, tails: Any, heads: Any) -> Any:
    return import_module("igraph").Graph(n=nodes, edges=np.column_stack((tails, heads)), directed=True)
