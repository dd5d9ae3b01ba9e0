"""python-astar: a subclass of its `AStar`. Its only algorithm is A*; without a heuristic that is Dijkstra's."""

from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

from benchmarks.python.answer import Answer, NotApplicableError
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.workloads import Workload

PACKAGE = "astar"
EASIER = "gives no actions"


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Return the run of `AStar.astar` with the instance's own functions as its methods."""
    if workload.algorithm == "bfs":
        raise NotApplicableError("A* only")
    base: Any = import_module("astar").AStar
    guided = workload.algorithm == "astar"
    searches = [(subclass(base, instance, guided)(), instance) for instance in workload.instances]
    return lambda: [find(search, instance) for search, instance in searches]


def subclass(base: Any, instance: Instance, guided: bool) -> Any:
    """Return the subclass that one would write for the problem."""
    heuristic = instance.heuristic if guided else (lambda state, goal: 0)
    members = {
        "neighbors": staticmethod(instance.neighbours),
        "distance_between": staticmethod(instance.distance),
        "heuristic_cost_estimate": staticmethod(heuristic),
    }
    return type("Problem", (base,), members)


def find(search: Any, instance: Instance) -> Answer:
    """Find the path; its cost is added up from the problem, as the library does not tell it."""
    states = tuple(search.astar(instance.start, instance.goal) or ())
    return Answer(sum(instance.distance(*step) for step in pairwise(states)), states)
