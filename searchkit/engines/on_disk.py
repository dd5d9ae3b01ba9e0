"""The engines on disk: what they promise. They are machine code only, in `searchkit.disk`."""

from functools import partial
from typing import Any, NoReturn

from searchkit.engines.kit import engine
from searchkit.errors import MissingCapabilityError
from searchkit.plugin.options import Parameter
from searchkit.problem import Compilable, SearchProblem
from searchkit.tree import SearchTree

ON_DISK = (
    Parameter(
        "directory",
        "the folder for the files of the search, which is resumed if it was begun there; by default a temporary one",
        default="",
    ),
    Parameter(
        "workers",
        "who expands large layers: serial (a thread of this process), threads:N, processes:N, or a cluster such as ray",
        default="serial",
        convert=lambda value: value if hasattr(value, "submit") else str(value),  # it may be an Executor
    ),
)

on_disk = partial(
    engine, optimal=True, arrivals=False, requires=(Compilable,), options=ON_DISK, machine_code_only=True
)
"""Declares an engine on disk above its function."""


@on_disk(
    "external_bfs",
    "breadth-first on disk: fewest actions, beyond the memory of the machine (Korf 2003)",
    aliases=("external breadth-first", "delayed duplicate detection", "disk-based search"),
    costs="unit",
    kernel="external_bfs",
)
def external_bfs(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> NoReturn:
    """Breadth-first search on disk: expand one layer after the other, and then remove its duplicates (Korf 2003).

    Goals are looked for in a layer that is complete, before any state of it is expanded: `expanded` counts the states
    of all layers before the goal's, `reached` the states of the layers that are complete, and `peak_frontier` is the
    size of the largest of these.

    Complete; optimal where every action costs 1. Time O(actions) and that of sorting them; files of O(states).

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("maze"), "external_bfs")
        >>> result.cost, result.statistics.expanded
        (160, 535)

    """
    machine_code_only("external_bfs")


@on_disk(
    "external_dijkstra",
    "uniform cost on disk: least whole cost, beyond the memory of the machine (Dijkstra 1959; Korf 2003)",
    aliases=("external dijkstra", "external uniform cost"),
    costs="whole",
    kernel="external_dijkstra",
)
def external_dijkstra(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> NoReturn:
    """Dijkstra's algorithm on disk: expand the states of the same cost so far together (Dijkstra 1959; Korf 2003).

    As `external_astar`, with a heuristic of 0. Complete; optimal for whole costs ≥ 1; any other cost is an error.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("vault"), "external_dijkstra")
        >>> result.cost, result.statistics.expanded
        (187, 454)

    """
    machine_code_only("external_dijkstra")


@on_disk(
    "external_astar",
    "A* on disk: least whole cost, beyond the memory of the machine (Edelkamp, Jabbar and Schrödl 2004)",
    aliases=("external A*", "external a star"),
    costs="whole",
    heuristic="required",
    consistent=True,
    kernel="external_astar",
)
def external_astar(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> NoReturn:
    """Expand the states of the same f = g + h and g together, A* on disk (Edelkamp, Jabbar and Schrödl 2004).

    A round takes the bucket (f, g) of the least f, and of these the least g, removes the states that an earlier bucket
    has, looks for a goal, and expands the others. Costs are whole numbers ≥ 1 and the heuristic is consistent, so that
    nothing arrives in a bucket once its turn has come, and no state is reopened. Both are checked while the search
    runs. `expanded` counts the states of all buckets before the goal's, `reached` those of the buckets that are merged.

    Complete; optimal for whole costs ≥ 1 and whole values of a consistent heuristic; all others are errors. Time
    O(actions) and that of sorting them; files of O(actions).

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("vault"), "external_astar")
        >>> result.cost, result.statistics.expanded
        (187, 46)

    """
    machine_code_only("external_astar")


def machine_code_only(engine: str) -> NoReturn:
    """Raise the error for an engine that has no form in Python."""
    raise MissingCapabilityError(
        f"engine {engine!r} is machine code only: leave out backend='python', and an observer or recording of each "
        "state; bfs, dijkstra and astar are also Python"
    )
