"""python-igraph: `Graph.get_shortest_path_astar`, written in C."""

from importlib import import_module
from typing import Any

from benchmarks.python.astars.explicit import numbered
from searchkit import SearchProblem

PACKAGE = "igraph"


def astar(problem: SearchProblem[Any, Any]) -> list[Any] | None:
    """Return the states of the path that igraph finds; None where it finds none."""
    graph = numbered(problem)
    library: Any = import_module("igraph").Graph(n=graph.target + 1, edges=graph.edges, directed=True)
    if not library.subcomponent(graph.start, mode="out").count(graph.target):
        return None  # igraph warns and gives an empty path
    nodes = library.get_shortest_path_astar(
        graph.start, graph.target, lambda _, node, target: graph.estimates[node], weights=graph.weights
    )
    return graph.path(nodes)
