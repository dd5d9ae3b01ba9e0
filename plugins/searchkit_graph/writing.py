"""Writing a graph as an edge list, the inverse of reading it."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from searchkit.plugin import Written
from searchkit_graph.edge_list import NAME, WORDS
from searchkit_graph.graph import KINDS, ExplicitGraph

PLAIN = re.compile(r"[^\s#]\S*")


def write(problem: object) -> Written | None:
    """Return the graph as an edge list with options.

    None where it is of no class of this plugin, and where its nodes are called what an edge list can't say.
    """
    if not isinstance(problem, ExplicitGraph) or type(problem) not in KINDS.values():
        return None
    if not _can_be_written(problem.names):
        return None
    options: dict[str, Any] = {}
    if problem.plane is not None:
        options["heuristic"] = "none" if problem.estimate is None else "straight-line"
    if not problem.goals:
        options["goal"] = ()
    return Written("graph", "".join(f"{line}\n" for line in _lines(problem)), options)


def _can_be_written(names: Iterable[Any]) -> bool:
    names = list(names)
    if all(type(name) is int for name in names):
        return True
    if not all(type(name) is str and PLAIN.fullmatch(name) and name not in WORDS for name in names):
        return False
    return not all(map(NAME.fullmatch, names))  # else they would come back as integers


def _lines(problem: ExplicitGraph) -> Iterator[str]:
    rows, names, plane = problem.rows, problem.names, problem.plane
    yield from (f"start {name}" for name in problem.starts)
    yield from (f"goal {name}" for name in problem.goals)
    for node, name in enumerate(names):
        yield f"node {name}" + (f" {plane.xs[node]!r} {plane.ys[node]!r}" if plane is not None else "")
    for edge, (tail, head) in enumerate(zip(rows.tails(), rows.heads, strict=True)):
        yield f"{names[tail]} {names[head]}" + (f" {rows.costs[edge]!r}" if rows.costs is not None else "")
