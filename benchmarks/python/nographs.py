"""NoGraphs: lazy traversals with labelled edges, so that the path has its actions.

Its documentation calls `GearForIntVertexIDs` the fastest gear in most cases, but that needs states that are numbers.
`GearDefault`, used here, is the gear for states that are tuples.
"""

from importlib import import_module
from typing import Any

from benchmarks.python.answer import Answer, Searches, searches
from benchmarks.python.problems import Instance

LIBRARIES = ("nographs",)
EASIER: dict[str, str] = {}
CANNOT = ""


def bfs(arrays: dict[str, Any]) -> Searches:
    """`TraversalBreadthFirst`. Of an edge it takes the first part, the successor, and the last, the label."""
    library: Any = import_module("nographs")

    def search(instance: Instance) -> Answer:
        traversal = library.TraversalBreadthFirst(next_labeled_edges=instance.edges)
        traversal.start_from(instance.start, build_paths=True)
        if instance.goal is None:
            return Answer(1 + sum(1 for _ in traversal))
        traversal.go_to(instance.goal)
        return path(traversal, instance.goal, traversal.depth)

    return searches(arrays, search)


def dijkstra(arrays: dict[str, Any]) -> Searches:
    """`TraversalShortestPaths`."""
    library: Any = import_module("nographs")

    def search(instance: Instance) -> Answer:
        traversal = library.TraversalShortestPaths(next_labeled_edges=instance.edges)
        traversal.start_from(instance.start, build_paths=True)
        traversal.go_to(instance.goal)
        return path(traversal, instance.goal, traversal.distance)

    return searches(arrays, search)


def astar(arrays: dict[str, Any]) -> Searches:
    """`TraversalAStar`."""
    library: Any = import_module("nographs")

    def search(instance: Instance) -> Answer:
        traversal = library.TraversalAStar(next_labeled_edges=instance.edges)
        traversal.start_from(instance.heuristic, instance.start, build_paths=True)
        traversal.go_to(instance.goal)
        return path(traversal, instance.goal, traversal.path_length)

    return searches(arrays, search)


def path(traversal: Any, goal: Any, cost: int) -> Answer:
    """Return the path to the goal, which is given as (from, to, label) edges."""
    steps = list(traversal.paths.iter_labeled_edges_to_start(goal))[::-1]
    states = (steps[0][0], *(to for _, to, _ in steps))
    return Answer(cost, states, tuple(label for _, _, label in steps))
