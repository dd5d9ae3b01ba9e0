"""The one oracle that all engines are held against: Bellman-Ford on the explicit graph. Shares no code with them."""

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Any

from searchkit import Cost, SearchProblem, Solution

if TYPE_CHECKING:
    from tests.graphs import GraphProblem


def relax(distance: dict[int, Cost], edges: list[tuple[int, int, Cost]]) -> dict[int, Cost]:
    """Relax all edges as often as there are nodes (Bellman 1958)."""
    for _ in range(len(distance)):
        for tail, head, cost in edges:
            if distance[tail] + cost < distance[head]:
                distance[head] = distance[tail] + cost
    return distance


def nodes_of(graph: "GraphProblem") -> set[int]:
    """Return every node that the graph mentions."""
    return {node for edge in graph.edges for node in (edge.tail, edge.head)} | {*graph.starts, *graph.goals}


def distances_from_starts(graph: "GraphProblem") -> dict[int, Cost]:
    """Return the distance of each node from the nearest start; infinite where there is no path."""
    begin: dict[int, Cost] = {node: 0 if node in graph.starts else inf for node in nodes_of(graph)}
    return relax(begin, [(edge.tail, edge.head, edge.cost) for edge in graph.edges])


def distances_to_goals(graph: "GraphProblem") -> dict[int, Cost]:
    """Return h*: the distance of each node to the nearest goal; infinite where there is no path."""
    begin: dict[int, Cost] = {node: 0 if node in graph.goals else inf for node in nodes_of(graph)}
    return relax(begin, [(edge.head, edge.tail, edge.cost) for edge in graph.edges])


def least_cost(graph: "GraphProblem", unit: bool = False) -> Cost:
    """Return the least cost from a start to a goal (with `unit`, the fewest actions); infinite if there is no path."""
    if unit:
        return relax_unit(graph)
    reached = distances_from_starts(graph)
    return min((reached[goal] for goal in graph.goals), default=inf)


def relax_unit(graph: "GraphProblem") -> Cost:
    """Return the fewest actions from a start to a goal."""
    begin: dict[int, Cost] = {node: 0 if node in graph.starts else inf for node in nodes_of(graph)}
    reached = relax(begin, [(edge.tail, edge.head, 1) for edge in graph.edges])
    return min((reached[goal] for goal in graph.goals), default=inf)


def walk(problem: SearchProblem[Any, Any], solution: Solution[Any, Any], starts: Iterable[Any]) -> Cost:
    """Walk a path step by step by the problem's own rules; return what it costs. Fails where a step is not one."""
    assert solution.states[0] in starts, "the path begins in a start"
    assert len(solution.states) == len(solution.actions) + 1
    total: Cost = 0
    for before, action, after in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        assert (action, after) in list(problem.successors(before)), (
            f"{before} -{action}-> {after} is not a step"
        )
        total += problem.cost(before, action, after)
    return total
