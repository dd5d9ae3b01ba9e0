"""The edges of sparse rows, many at a time: to find moves, and to prove the distances of a saved map."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.kit.graph import CSRArrays
from searchkit.compiled.kit.records import PIECE


def edges_from(indptr: Any, nodes: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the edges of an array of nodes, in pieces: for each edge the place of its node in the array, and its own.

    A piece has the edges of whole nodes, at most so many unless they are of one node.
    """
    degrees = indptr[nodes + 1] - indptr[nodes]
    ends, begin = np.cumsum(degrees), 0
    while begin < len(nodes):
        last = (ends[begin - 1] if begin else 0) + PIECE
        end = max(begin + 1, int(np.searchsorted(ends, last, "right")))
        counts = degrees[begin:end]
        owner = np.repeat(np.arange(begin, end), counts)
        edge = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        yield owner, indptr[nodes[owner]] + edge
        begin = end


def fault_of(rows: CSRArrays, distances: Any, order: Any, places: Any, parents: Any, moved: Any) -> str:
    """Return what is wrong with distances that Dijkstra's algorithm is said to have found; "" if nothing.

    No edge leads to a state more cheaply, and the parent of a state is the first from which an edge is as cheap.

    Args:
        rows: the graph, whose costs are whole.
        distances: uint32: the distance of each state; the largest number for those that were not reached.
        order: the expanded states, in order.
        places: the place of each state in it; the number of states for those that are not there.
        parents: the parent of each state.
        moved: the states that were reached, without the starts.

    """
    size = len(distances)
    first = np.full(size, size, np.int64)
    for owner, at in edges_from(rows.indptr, order.astype(np.int64)):
        new = distances[order[owner]] + rows.costs[at].astype(np.int64)
        heads = rows.indices[at]
        if (new < distances[heads]).any():
            return "a distance is too large"
        tight = new == distances[heads]
        np.minimum.at(first, heads[tight], owner[tight])
    if (parents[moved] >= size).any():
        return "there is no such parent"
    before = places[parents[moved]]
    if (before != first[moved]).any() or (before >= len(order)).any():
        return "a parent is not the first that led there"
    return "a state is its own parent" if (before >= places[moved]).any() else ""
