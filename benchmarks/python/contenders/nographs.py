"""NoGraphs: lazy traversals with labelled edges, so that the path has its actions.

Its documentation calls `GearForIntVertexIDs` the fastest gear in most cases, but that needs states that are numbers.
`GearDefault`, used here, is the gear for states that are tuples.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.python.answer import Answer
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.workloads import Workload

PACKAGE = "nographs"
EASIER = ""


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Return the run of the traversal that is the algorithm, up to the goal."""
    nographs: Any = import_module("nographs")
    search = {"bfs": breadth_first, "dijkstra": dijkstra, "astar": astar}[workload.algorithm]
    return lambda: [search(nographs, instance) for instance in workload.instances]


def breadth_first(nographs: Any, instance: Instance) -> Answer:
    """`TraversalBreadthFirst`. Of an edge it takes the first part, the successor, and the last, the label."""
    traversal = nographs.TraversalBreadthFirst(next_labeled_edges=instance.edges)
    traversal.start_from(instance.start, build_paths=True)
    if instance.goal is None:
        return Answer(1 + sum(1 for _ in traversal))
    traversal.go_to(instance.goal)
    return path(traversal, instance.goal, traversal.depth)


def dijkstra(nographs: Any, instance: Instance) -> Answer:
    """`TraversalShortestPaths`."""
    traversal = nographs.TraversalShortestPaths(next_labeled_edges=instance.edges)
    traversal.start_from(instance.start, build_paths=True)
    traversal.go_to(instance.goal)
    return path(traversal, instance.goal, traversal.distance)


def astar(nographs: Any, instance: Instance) -> Answer:
    """`TraversalAStar`."""
    traversal = nographs.TraversalAStar(next_labeled_edges=instance.edges)
    traversal.start_from(instance.heuristic, instance.start, build_paths=True)
    traversal.go_to(instance.goal)
    return path(traversal, instance.goal, traversal.path_length)


def path(traversal: Any, goal: Any, cost: int) -> Answer:
    """Return the path to the goal, which is given as (from, to, label) edges."""
    steps = list(traversal.paths.iter_labeled_edges_to_start(goal))[::-1]
    states = (steps[0][0], *(to for _, to, _ in steps))
    return Answer(cost, states, tuple(label for _, _, label in steps))
