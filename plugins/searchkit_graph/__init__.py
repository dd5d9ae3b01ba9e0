"""Explicit graphs for searchkit: edge lists, DIMACS files, sparse matrices of scipy and graphs of networkx.

This module defines the hooks of the plugin; the other modules implement them.
"""

from searchkit.plugin import ProblemSpec, hookimpl
from searchkit_graph.conversion import explicit_graph, from_networkx, from_scipy
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.spec import SPEC, graph

__all__ = [
    "ExplicitGraph",
    "explicit_graph",
    "from_networkx",
    "from_scipy",
    "graph",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kind of problem that graphs are."""
    return [SPEC]
