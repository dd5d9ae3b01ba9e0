"""rustworkx: `astar_shortest_path`, written in Rust."""

from importlib import import_module
from typing import Any

from benchmarks.python.astars.explicit import numbered
from searchkit import SearchProblem

PACKAGE = "rustworkx"


def astar(problem: SearchProblem[Any, Any]) -> list[Any] | None:
    """Return the states of the path that rustworkx finds; None where it finds none."""
    graph = numbered(problem)
    library: Any = import_module("rustworkx")
    digraph = library.PyDiGraph()
    digraph.add_nodes_from(range(graph.target + 1))
    digraph.add_edges_from([(*edge, weight) for edge, weight in zip(graph.edges, graph.weights, strict=True)])
    try:
        nodes = library.astar_shortest_path(
            digraph, graph.start, lambda node: node == graph.target, float, graph.estimates.__getitem__
        )
    except library.NoPathFound:
        return None
    return graph.path(list(nodes))
