"""SimpleAI: a subclass of its `SearchProblem`, with `graph_search=True`, without which loops never end."""

from importlib import import_module
from typing import Any

from benchmarks.python.answer import Answer, Searches, searches
from benchmarks.python.problems import Instance

LIBRARIES = ("simpleai.search",)
EASIER: dict[str, str] = {}
CANNOT = ""


def bfs(arrays: dict[str, Any]) -> Searches:
    """`breadth_first`."""
    return by(arrays, "breadth_first")


def dijkstra(arrays: dict[str, Any]) -> Searches:
    """`uniform_cost`."""
    return by(arrays, "uniform_cost")


def astar(arrays: dict[str, Any]) -> Searches:
    """`astar`."""
    return by(arrays, "astar")


def by(arrays: dict[str, Any], function: str) -> Searches:
    """Return the searches by the subclass that one would write for the problem."""
    library: Any = import_module("simpleai.search")
    seen = 0

    def make(instance: Instance) -> Any:
        def counted(state: Any) -> list[Any]:  # the library does not say how many states it has seen
            nonlocal seen
            seen += 1
            return instance.actions(state)

        members = {
            "actions": staticmethod(counted if instance.goal is None else instance.actions),
            "result": staticmethod(instance.result),
            "is_goal": staticmethod(instance.goal_test()),
            "heuristic": staticmethod(instance.heuristic),
        }
        if instance.cost is not None:
            members["cost"] = staticmethod(instance.cost)
        return type("Problem", (library.SearchProblem,), members)(instance.start)

    def search(problem: Any) -> Answer:
        nonlocal seen
        seen = 0
        node = getattr(library, function)(problem, graph_search=True)
        if node is None:
            return Answer(seen)
        actions, states = zip(*node.path(), strict=True)  # it begins with the pair (None, start)
        return Answer(node.cost, states, actions[1:])

    return searches(arrays, search, make)
