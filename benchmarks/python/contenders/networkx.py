"""NetworkX on a graph that was built before: the time is that of the search in its dictionaries."""

from collections import deque
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

from benchmarks.python.answer import Answer, NotApplicableError
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.workloads import Workload

PACKAGE = "networkx"
EASIER = "graph built beforehand"


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Build the graph; return the run of the search."""
    networkx, graph_class = setup(workload, counter)
    graph = build(graph_class, workload)
    search = SEARCHES[workload.algorithm]
    if counter:
        counter.calls = 0  # building asked for successors too
    return lambda: [search(networkx, graph, instance) for instance in workload.instances]


def setup(workload: Workload, counter: Counter | None) -> tuple[Any, Any]:
    """Return the library and the class of graph: one that counts which nodes are looked at, if need be."""
    if not workload.finite:
        raise NotApplicableError("needs the whole graph built: 10¹³ states")
    networkx: Any = import_module("networkx")
    if counter is None:
        return networkx, networkx.DiGraph

    counting = type("CountingDict", (dict,), {"__getitem__": counter.wrap(dict.__getitem__)})
    return networkx, type("CountingGraph", (networkx.DiGraph,), {"adjlist_outer_dict_factory": counting})


def build(graph_class: Any, workload: Workload) -> Any:
    """Return the graph of all states that can be reached, with costs and actions on its edges.

    It is one graph for all instances: those of a finite workload differ in their start only.
    """
    graph, edges = graph_class(), workload.instances[0].edges
    waiting = deque(dict.fromkeys(instance.start for instance in workload.instances))
    seen = set(waiting)
    while waiting:
        state = waiting.popleft()
        for successor, cost, action in edges(state):
            graph.add_edge(state, successor, weight=cost, action=action)
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return graph


def breadth_first(networkx: Any, graph: Any, instance: Instance) -> Answer:
    """`shortest_path` without weights, which searches from both ends; `bfs_edges` for the whole space."""
    if instance.goal is None:
        return Answer(1 + sum(1 for _ in networkx.bfs_edges(graph, instance.start)))
    return path(graph, networkx.shortest_path(graph, instance.start, instance.goal))


def dijkstra(networkx: Any, graph: Any, instance: Instance) -> Answer:
    """`dijkstra_path`."""
    return path(graph, networkx.dijkstra_path(graph, instance.start, instance.goal))


def astar(networkx: Any, graph: Any, instance: Instance) -> Answer:
    """`astar_path`."""
    return path(
        graph, networkx.astar_path(graph, instance.start, instance.goal, heuristic=instance.heuristic)
    )


SEARCHES = {"bfs": breadth_first, "dijkstra": dijkstra, "astar": astar}


def path(graph: Any, states: list[Any]) -> Answer:
    """Return the path with what the edges on it say."""
    edges = [graph.edges[edge] for edge in pairwise(states)]
    cost = sum(edge["weight"] for edge in edges)
    return Answer(cost, tuple(states), tuple(edge["action"] for edge in edges))
