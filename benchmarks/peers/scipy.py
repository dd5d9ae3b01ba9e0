"""scipy.sparse.csgraph, written in C: distances from one source to all nodes. It has no search that ends at a goal."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.arrays import grid_edges, length_of

LIBRARIES = ("scipy.sparse", "scipy.sparse.csgraph")
CANNOT = "graphs that are given whole"
EASIER = {"field": "order and parents, no distances"}


def field(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[Any], float]]:
    """`breadth_first_order`; its answer are the cells in order, and the one before each."""
    ground, (column, row) = arrays["ground"], arrays["source"]
    matrix = _matrix(ground.size, *grid_edges(ground, 4))
    search = import_module("scipy.sparse.csgraph").breadth_first_order
    source = int(row) * ground.shape[1] + int(column)

    def total(answer: tuple[Any, Any]) -> float:
        order, before = answer
        places = np.zeros(ground.size, np.int64)
        places[order] = np.arange(len(order))
        above = places[np.where(before[order] < 0, source, before[order])]
        distances = (above != np.arange(len(order))).astype(np.int64)
        while above.any():  # each round looks twice as far up
            distances += distances[above]
            above = above[above]
        return float(distances.sum())

    return lambda: search(matrix, source), total


def queries(arrays: dict[str, Any], moves: int) -> Callable[[], float]:
    """`dijkstra` with predecessors: all distances from the start, as it can't stop at a goal."""
    grounds, pairs = arrays["grounds"], arrays["pairs"].tolist()
    matrices = [_matrix(ground.size, *grid_edges(ground, moves)) for ground in grounds]
    width = grounds.shape[2]
    dijkstra = import_module("scipy.sparse.csgraph").dijkstra

    def search() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            start = sy * width + sx
            _, before = dijkstra(
                matrices[number], indices=start, unweighted=moves == 4, return_predecessors=True
            )
            nodes = [gy * width + gx]
            while nodes[-1] != start:
                nodes.append(int(before[nodes[-1]]))
            total += length_of(nodes, width)
        return total

    return search


queries8, queries4 = partial(queries, moves=8), partial(queries, moves=4)


def graph(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`dijkstra`."""
    sparse = import_module("scipy.sparse")
    nodes = len(arrays["begins"]) - 1
    # (Parallel edges of the arrays stay as they are: the shortest of them counts.)
    parts = (arrays["weights"].astype(np.float64), arrays["heads"], arrays["begins"])
    matrix = sparse.csr_array(parts, shape=(nodes, nodes))
    dijkstra = import_module("scipy.sparse.csgraph").dijkstra
    return lambda: dijkstra(matrix, indices=0)


def _matrix(nodes: int, tails: Any, heads: Any, lengths: Any) -> Any:
    return import_module("scipy.sparse").coo_array((lengths, (tails, heads)), shape=(nodes, nodes)).tocsr()
