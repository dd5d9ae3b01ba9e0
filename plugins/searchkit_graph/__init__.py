"""Explicit graphs for searchkit: edge lists, DIMACS files, sparse matrices of scipy and graphs of networkx.

This module defines the hooks of the plugin; the other modules implement them.
"""

from searchkit.plugin import ProblemSpec, hookimpl
from searchkit_graph.conversion import explicit_graph as explicit_graph
from searchkit_graph.conversion import from_networkx as from_networkx
from searchkit_graph.conversion import from_scipy as from_scipy
from searchkit_graph.problem import ExplicitGraph as ExplicitGraph
from searchkit_graph.spec import SPEC
from searchkit_graph.spec import graph as graph


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kind of problem that graphs are."""
    return [SPEC]
