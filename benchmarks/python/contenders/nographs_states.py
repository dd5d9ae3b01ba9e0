"""NoGraphs without labels: only the states of the path, which is less work than the other contenders do."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.python.answer import Answer
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.workloads import Workload

PACKAGE = "nographs"
EASIER = "gives no actions"


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Return the run of the traversal that is the algorithm, up to the goal."""
    nographs: Any = import_module("nographs")
    search = {"bfs": breadth_first, "dijkstra": dijkstra, "astar": astar}[workload.algorithm]
    return lambda: [search(nographs, instance) for instance in workload.instances]


def breadth_first(nographs: Any, instance: Instance) -> Answer:
    """`TraversalBreadthFirst`; without paths where the whole space is seen."""
    traversal = nographs.TraversalBreadthFirst(instance.neighbours)
    traversal.start_from(instance.start, build_paths=instance.goal is not None)
    if instance.goal is None:
        return Answer(1 + sum(1 for _ in traversal))
    traversal.go_to(instance.goal)
    return Answer(traversal.depth, tuple(traversal.paths[instance.goal]))


def dijkstra(nographs: Any, instance: Instance) -> Answer:
    """`TraversalShortestPaths`."""
    traversal = nographs.TraversalShortestPaths(instance.edges)
    traversal.start_from(instance.start, build_paths=True)
    traversal.go_to(instance.goal)
    return Answer(traversal.distance, tuple(traversal.paths[instance.goal]))


def astar(nographs: Any, instance: Instance) -> Answer:
    """`TraversalAStar`."""
    traversal = nographs.TraversalAStar(instance.edges)
    traversal.start_from(instance.heuristic, instance.start, build_paths=True)
    traversal.go_to(instance.goal)
    return Answer(traversal.path_length, tuple(traversal.paths[instance.goal]))
