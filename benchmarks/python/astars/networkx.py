"""networkx: `astar_path`."""

from importlib import import_module
from typing import Any

from benchmarks.python.astars.explicit import numbered
from searchkit import SearchProblem

PACKAGE = "networkx"


def astar(problem: SearchProblem[Any, Any]) -> list[Any] | None:
    """Return the states of the path that networkx finds; None where it finds none."""
    graph = numbered(problem)
    library: Any = import_module("networkx")
    digraph = library.DiGraph()
    digraph.add_nodes_from(range(graph.target + 1))
    digraph.add_weighted_edges_from(
        (*edge, weight) for edge, weight in zip(graph.edges, graph.weights, strict=True)
    )
    try:
        nodes = library.astar_path(
            digraph, graph.start, graph.target, heuristic=lambda node, _: graph.estimates[node]
        )
    except library.NetworkXNoPath:
        return None
    return graph.path(nodes)
