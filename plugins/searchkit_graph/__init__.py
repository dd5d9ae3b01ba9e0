"""Explicit graphs for searchkit: edge lists, DIMACS files, sparse matrices of scipy and graphs of networkx.

The plugin's hooks are here; what they do is in the modules beside.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Drawing, ProblemSpec, Source, Written, hookimpl
from searchkit_graph.conversion import explicit_graph, from_networkx, from_scipy
from searchkit_graph.files import graph, load, write
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.render import draw
from searchkit_graph.spec import SPEC

__all__ = ["ExplicitGraph", "explicit_graph", "from_networkx", "from_scipy", "graph"]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kind of problem that this plugin brings."""
    return [SPEC]


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> ExplicitGraph | None:
    """Read a graph; None for a file that looks like none, unless it is said to be one."""
    return load(source, format, options)


@hookimpl
def searchkit_render(
    problem: SearchProblem[Any, Any], path: tuple[Any, ...], expanded: frozenset[Any]
) -> Drawing | None:
    """Draw a small graph whose nodes lie in the plane; None for any other problem."""
    return draw(problem, path, expanded) if isinstance(problem, ExplicitGraph) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write a graph as an edge list; None for any other problem, and for nodes that it can't name."""
    return write(problem)
