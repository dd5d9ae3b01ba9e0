"""NetworkX including the time to build the graph: the cost of one search in an implicit graph."""

from collections import deque
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

from benchmarks.python.answer import Answer, Searches, instances, total
from benchmarks.python.problems import Instance

LIBRARIES = ("networkx",)
EASIER: dict[str, str] = {}
CANNOT = ""


def bfs(arrays: dict[str, Any]) -> Searches:
    """`shortest_path` without weights, which searches from both ends; `bfs_edges` for the whole space."""
    library: Any = import_module("networkx")

    def search(graph: Any, instance: Instance) -> Answer:
        if instance.goal is None:
            return Answer(1 + sum(1 for _ in library.bfs_edges(graph, instance.start)))
        return path(graph, library.shortest_path(graph, instance.start, instance.goal))

    return with_building(arrays, library, search)


def dijkstra(arrays: dict[str, Any]) -> Searches:
    """`dijkstra_path`."""
    library: Any = import_module("networkx")
    return with_building(
        arrays,
        library,
        lambda graph, each: path(graph, library.dijkstra_path(graph, each.start, each.goal)),
    )


def astar(arrays: dict[str, Any]) -> Searches:
    """`astar_path`."""
    library: Any = import_module("networkx")
    return with_building(
        arrays,
        library,
        lambda graph, each: path(
            graph, library.astar_path(graph, each.start, each.goal, heuristic=each.heuristic)
        ),
    )


def with_building(
    arrays: dict[str, Any], library: Any, search: Callable[[Any, Instance], Answer]
) -> Searches:
    """Return the search that builds the graph first, one for all problems: they differ in their start only."""
    given = instances(arrays)
    if str(arrays["workload"]).startswith("puzzle15"):
        raise ValueError("needs the whole graph built: 10¹³ states")

    def run() -> list[Answer]:
        graph = build(library, given)
        return [search(graph, instance) for instance in given]

    return run, lambda answers: total(given, answers)


def build(library: Any, given: list[Instance]) -> Any:
    """Return the graph of all states that can be reached, with costs and actions on its edges."""
    graph, edges = library.DiGraph(), given[0].edges
    waiting = deque(dict.fromkeys(instance.start for instance in given))
    seen = set(waiting)
    while waiting:
        state = waiting.popleft()
        for successor, cost, action in edges(state):
            graph.add_edge(state, successor, weight=cost, action=action)
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return graph


def path(graph: Any, states: list[Any]) -> Answer:
    """Return the path with the costs and actions of its edges."""
    edges = [graph.edges[edge] for edge in pairwise(states)]
    cost = sum(edge["weight"] for edge in edges)
    return Answer(cost, tuple(states), tuple(edge["action"] for edge in edges))
