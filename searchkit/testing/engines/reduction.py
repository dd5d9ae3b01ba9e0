"""Reducing a digraph that breaks a promise by steps that keep its shape.

Hypothesis shrinks one draw at a time. These steps remove a node and join its edges, scale all numbers, and reduce a
cost together with the heuristic values that it bounds.
"""

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from attrs import evolve

from searchkit.problem import Cost
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.spaces.space import explore

HUGE = 10**15
STEPS = 400
"""The largest number of problems to try."""


def reduced(problem: Any, broken: Callable[[Any], bool]) -> Any:
    """Return the smallest problem found for which `broken` is true; other problems than digraphs unchanged."""
    if not isinstance(problem, WeightedDigraph):
        return problem
    left, found = STEPS, True
    while found:
        found = False
        for smaller in _smaller(problem):
            left -= 1
            if left < 0:
                return problem
            if broken(smaller):
                problem, found = smaller, True
                break
    return problem


def _smaller(graph: WeightedDigraph) -> Iterator[WeightedDigraph]:
    """Yield graphs that are simpler by one step each."""
    yield from _without_a_node(graph)
    if graph.states != "int":
        yield evolve(graph, states="int")
    for index in range(len(graph.edges)):
        yield _made(graph, [*graph.edges[:index], *graph.edges[index + 1 :]])
    if len(graph.starts) > 1:
        for index in range(len(graph.starts)):
            yield evolve(graph, starts=graph.starts[:index] + graph.starts[index + 1 :])
    if len(graph.goals) > 1:
        for goal in sorted(graph.goals):
            yield evolve(graph, goals=graph.goals - {goal})
            for other in sorted(graph.goals - {goal}):
                yield _merged(graph, goal, other)
    yield from _with_lower_numbers(graph)


def _without_a_node(graph: WeightedDigraph) -> Iterator[WeightedDigraph]:
    """Yield the graph without each inner node, with its edges joined or removed."""
    for node in graph.nodes:
        if node in graph.starts or node in graph.goals:
            continue
        rest = [edge for edge in graph.edges if node not in (edge.tail, edge.head)]
        into = [edge for edge in graph.edges if edge.head == node != edge.tail]
        out = [edge for edge in graph.edges if edge.tail == node != edge.head]
        yield _made(graph, rest)
        if len(into) * len(out) <= len(into) + len(out):
            joined = [Edge(one.tail, two.head, _sum(one.cost, two.cost)) for one in into for two in out]
            yield _made(graph, [*rest, *joined])
            yield _made(graph, [*joined, *rest])


def _merged(graph: WeightedDigraph, goal: int, other: int) -> WeightedDigraph:
    """Return the graph in which another goal takes the place of this one."""
    now = {goal: other}
    edges = [
        evolve(edge, tail=now.get(edge.tail, edge.tail), head=now.get(edge.head, edge.head))
        for edge in graph.edges
    ]
    starts = tuple(now.get(start, start) for start in graph.starts)
    return _made(evolve(graph, starts=starts, goals=graph.goals - {goal}), edges)


def _sum(one: Cost | None, two: Cost | None) -> Cost | None:
    return None if one is None or two is None else one + two


def _with_lower_numbers(graph: WeightedDigraph) -> Iterator[WeightedDigraph]:
    table = dict(graph.table or {})
    costs = [edge.cost for edge in graph.edges if edge.cost is not None]
    scales = [HUGE] if costs and all(isinstance(cost, int) and cost % HUGE == 0 for cost in costs) else []
    for scale in scales if any(costs) else []:
        if all(isinstance(cost, int) and cost % scale == 0 for cost in table.values()):
            edges = [evolve(edge, cost=int(edge.cost or 0) // scale) for edge in graph.edges]
            yield _made(graph, edges, {node: int(cost) // scale for node, cost in table.items()})
    for node in table:
        yield _made(graph, graph.edges, {other: cost for other, cost in table.items() if other != node})
    for index, edge in enumerate(graph.edges):
        for cost in _lower(edge.cost):
            edges = [*graph.edges[:index], evolve(edge, cost=cost), *graph.edges[index + 1 :]]
            yield _made(graph, edges)
            yield _bounded(graph, edges)
            for other in range(index + 1, len(edges)):
                second = edges[other]
                if cost == _less(edge.cost) and second.cost:
                    both = [*edges[:other], evolve(second, cost=_less(second.cost)), *edges[other + 1 :]]
                    yield _bounded(graph, both)


def _lower(cost: Cost | None) -> list[Cost]:
    """Return simpler costs: 0, and one less."""
    return list(dict.fromkeys([cost * 0, _less(cost)])) if cost else []


def _less(cost: Cost | None) -> Cost:
    """Return a cost reduced by 1, or to the next lower integer."""
    assert cost is not None
    return cost - cost % 1 if cost % 1 else max(cost * 0, cost - 1)


def _bounded(graph: WeightedDigraph, edges: list[Edge]) -> WeightedDigraph:
    """Return the graph with these edges and heuristic values that are no larger than the distances to the goals."""
    plain = digraph(edges, graph.starts, graph.goals)
    exact = explore(plain).to_goals()
    table = {node: min(cost, exact.get(node, inf)) for node, cost in (graph.table or {}).items()}
    return _made(graph, edges, table)


def _made(graph: WeightedDigraph, edges: Any, table: dict[int, Cost] | None = None) -> WeightedDigraph:
    """Return the graph with other edges and heuristic values, with nodes numbered without gaps."""
    edges, values = tuple(edges), graph.table if table is None else table
    nodes = {*graph.starts, *graph.goals, *(end for edge in edges for end in (edge.tail, edge.head))}
    number = {node: index for index, node in enumerate(sorted(nodes))}
    return digraph(
        [Edge(number[edge.tail], number[edge.head], edge.cost) for edge in edges],
        [number[start] for start in graph.starts],
        [number[goal] for goal in graph.goals],
        None
        if graph.table is None or values is None
        else {number[node]: cost for node, cost in values.items() if node in number},
        graph.states,
    )
