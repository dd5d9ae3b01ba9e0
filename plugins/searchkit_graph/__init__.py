"""Explicit graphs for searchkit: edge lists, DIMACS files, sparse matrices of scipy and graphs of networkx.

This module defines the hooks of the plugin; the other modules implement them.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Places, ProblemSpec, Source, Written, hookimpl
from searchkit_graph.conversion import explicit_graph, from_networkx, from_scipy
from searchkit_graph.files import graph, load, write
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.render import places
from searchkit_graph.spec import SPEC

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


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> ExplicitGraph | None:
    """Read a graph. Returns None if the file does not look like one and `format` does not name it."""
    return load(source, format, options)


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of a graph; None for any other problem."""
    return places(problem) if isinstance(problem, ExplicitGraph) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write a graph as an edge list.

    Returns None for other problems, and if an edge list can't express a node's name.
    """
    return write(problem)
