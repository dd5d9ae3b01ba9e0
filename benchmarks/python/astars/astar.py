"""python-astar: a subclass of its `AStar`."""

from importlib import import_module
from typing import Any

from benchmarks.python.astars.explicit import numbered
from searchkit import SearchProblem

PACKAGE = "astar"


def astar(problem: SearchProblem[Any, Any]) -> list[Any] | None:
    """Return the states of the path that python-astar finds; None where it finds none."""
    graph = numbered(problem)
    weights = dict(zip(graph.edges, graph.weights, strict=True))
    heads: dict[int, list[int]] = {}
    for tail, head in graph.edges:
        heads.setdefault(tail, []).append(head)
    members = {
        "neighbors": lambda self, node: heads.get(node, []),
        "distance_between": lambda self, tail, head: weights[tail, head],
        "heuristic_cost_estimate": lambda self, node, target: graph.estimates[node],
    }
    search: Any = type("Problem", (import_module("astar").AStar,), members)()
    return graph.path(list(search.astar(graph.start, graph.target) or ()))
