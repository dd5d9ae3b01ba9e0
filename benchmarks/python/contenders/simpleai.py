"""SimpleAI: a subclass of its `SearchProblem`, with `graph_search=True`, without which loops never end."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.python.answer import Answer
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.workloads import Workload

PACKAGE = "simpleai"
EASIER = ""
FUNCTIONS = {"bfs": "breadth_first", "dijkstra": "uniform_cost", "astar": "astar"}


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Return the run of the function that is the algorithm."""
    library: Any = import_module("simpleai.search")
    search = getattr(library, FUNCTIONS[workload.algorithm])
    seen = Counter()
    if workload.exhaustive:  # the library does not tell how many states it has seen
        workload = workload.counted(seen)
    problems = [subclass(library.SearchProblem, instance)(instance.start) for instance in workload.instances]
    return lambda: [find(search, problem, seen) for problem in problems]


def subclass(base: Any, instance: Instance) -> Any:
    """Return the subclass that one would write for the problem."""
    members = {
        "actions": staticmethod(instance.actions),
        "result": staticmethod(instance.result),
        "is_goal": staticmethod(instance.goal_test()),
        "heuristic": staticmethod(instance.heuristic),
    }
    if instance.cost is not None:
        members["cost"] = staticmethod(instance.cost)
    return type("Problem", (base,), members)


def find(search: Any, problem: Any, seen: Counter) -> Answer:
    """Find the path, which begins with the pair (None, start), or see all states there are."""
    seen.calls = 0
    node = search(problem, graph_search=True)
    if node is None:
        return Answer(seen.calls)
    actions, states = zip(*node.path(), strict=True)
    return Answer(node.cost, states, actions[1:])
