"""Explicit graphs for searchkit: edge lists, DIMACS files, sparse matrices of scipy and graphs of networkx.

This module defines the hooks of the plugin; the other modules implement them.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import EngineSpec, Places, Precomputed, ProblemSpec, Source, Written, hookimpl
from searchkit_graph.conversion import explicit_graph, from_networkx, from_scipy
from searchkit_graph.files import graph, load, precompute, write
from searchkit_graph.precomputed.distances import distances_between
from searchkit_graph.precomputed.labels.making import NAME as LABELS_METHOD
from searchkit_graph.precomputed.labels.making import SUFFIX as LABELS_SUFFIX
from searchkit_graph.precomputed.labels.making import labels_of
from searchkit_graph.precomputed.labels.making import make as make_labels
from searchkit_graph.precomputed.labels.table import HubLabels
from searchkit_graph.precomputed.labels.table_file import written as written_labels
from searchkit_graph.precomputed.network import Network, stencil_network
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.render import places
from searchkit_graph.spec import CONTRACTION_HIERARCHIES, HUB_LABELS, SPEC

__all__ = [
    "LABELS_METHOD",
    "LABELS_SUFFIX",
    "ExplicitGraph",
    "HubLabels",
    "Network",
    "distances_between",
    "explicit_graph",
    "from_networkx",
    "from_scipy",
    "graph",
    "labels_of",
    "make_labels",
    "stencil_network",
    "written_labels",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kind of problem that graphs are."""
    return [SPEC]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines that use precomputed tables."""
    return [HUB_LABELS, CONTRACTION_HIERARCHIES]


@hookimpl
def searchkit_precompute(
    source: Source, format: str | None, options: dict[str, object], method: str | None
) -> Precomputed | None:
    """Compute the table of a graph for an engine. Returns None for another method, and if the file is not a graph."""
    engines = {engine.name for engine in (HUB_LABELS, CONTRACTION_HIERARCHIES)}
    return precompute(source, format, options, method) if method is not None and method in engines else None


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
