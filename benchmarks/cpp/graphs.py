"""Rows on explicit graphs: Dijkstra's algorithm on a sparse digraph."""

from collections.abc import Iterator
from ctypes import CDLL, c_int32, c_int64
from typing import Any

import numpy as np
from attrs import frozen

from benchmarks.cpp.reference import pointer
from benchmarks.cpp.work import Work
from benchmarks.kit import data
from searchkit import distance_map
from searchkit_graph import ExplicitGraph, from_scipy


@frozen(eq=False)
class Matrix:
    """What `from_scipy` reads of a sparse matrix, without scipy."""

    indptr: Any
    indices: Any
    data: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.indptr) - 1, len(self.indptr) - 1

    def tocsr(self) -> "Matrix":
        """Return the matrix itself: it is in compressed sparse rows."""
        return self


def graph_of(sparse: data.Sparse) -> ExplicitGraph:
    """Return the problem of all distances from node 0."""
    return from_scipy(Matrix(sparse.begins, sparse.heads, sparse.weights), 0)


def rows(library: CDLL, nodes: int = data.NODES) -> Iterator[Work]:
    """Yield the rows; with fewer nodes for tests."""
    sparse = data.sparse(nodes)
    graph = graph_of(sparse)
    distances = np.empty(nodes, np.int64)

    def search() -> None:
        library.csr_dijkstra_bucket(
            pointer(sparse.begins, c_int32), pointer(sparse.heads, c_int32), pointer(sparse.weights, c_int32),
            nodes, 0, pointer(distances, c_int64),
        )  # fmt: skip

    search()
    reached = distances < np.iinfo(np.int64).max
    last = int(np.flatnonzero(reached)[-1])

    def one_by_reference() -> float:
        search()
        return float(distances[last])

    def all_by_reference() -> float:
        search()
        return float(distances.sum(where=reached))

    def all_of_them() -> float:
        found = distance_map(graph, backend="compiled").array()
        return float(found.sum(where=found >= 0, dtype=np.int64))

    title = f"Dijkstra, sparse digraph, {nodes:,} nodes"
    yield Work(
        title,
        one_by_reference,
        lambda: float(distance_map(graph, backend="compiled")[last]),
        1.3,
        remark=f"{data.DEGREE} edges from each node; C++: a bucket queue; one distance looked up",
    )
    yield Work(
        f"{title}, all",
        all_by_reference,
        all_of_them,
        1.4,
        remark="ours: distances.array(), an array of numpy",
    )
