"""Weighted digraphs with compiled views of every form: rows of edges as data, and functions over a table of them."""

from typing import Any

import numpy as np
from attrs import frozen

from searchkit.compiled import CSR, CompiledProblem, Functions
from searchkit.compiling import expand_function, goal_function, heuristic_function
from searchkit.testing.digraphs import WeightedDigraph

SPREAD = 0x9E3779B97F4A7C15
"""Packed states are multiples of this odd number, spread over 64 bits; its inverse takes them back."""
INVERSE = pow(SPREAD, -1, 1 << 64)


@heuristic_function
def tabled(table: Any, state: Any) -> Any:
    """Return the estimate of a node: table = [number of nodes, estimates as bits, …]."""
    return table.view(np.float64)[1 + np.int64(state)]


@heuristic_function
def tabled_spread(table: Any, state: Any) -> Any:
    """Return the estimate of a spread state."""
    return table.view(np.float64)[1 + np.int64(state * np.uint64(INVERSE))]


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Look the goal up behind the estimates."""
    return table[1 + table[0] + np.int64(state * np.uint64(INVERSE))] == 1


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Read the edges behind the goals: for each node where they begin, then (head, cost as bits) pairs."""
    nodes = table[0]
    first = 1 + 2 * nodes
    node = np.int64(state * np.uint64(INVERSE))
    count = np.uint64(0)
    for edge in range(table[first + node], table[first + node + 1]):
        place = first + nodes + 1 + 2 * edge
        out_states[count] = np.uint64(table[place]) * np.uint64(SPREAD)
        out_costs[count] = table.view(np.float64)[place + 1]
        count += np.uint64(1)
    return count


def rows_of(graph: WeightedDigraph) -> tuple[int, list[int], list[int], list[float]]:
    """Return how many nodes there are, where the edges of each begin, and their heads and costs."""
    nodes = max(graph.nodes, default=0) + 1
    begins, heads, costs = [0], [], []
    for node in range(nodes):
        for index, head in graph.successors(node):
            heads.append(head)
            costs.append(float(graph.edges[index].cost if graph.edges[index].cost is not None else 1))
        begins.append(len(heads))
    return nodes, begins, heads, costs


def estimates_of(graph: WeightedDigraph, nodes: int) -> Any:
    """Return the estimates as bits."""
    table = graph.table or {}
    return np.array([table.get(node, 0) for node in range(nodes)], np.float64).view(np.int64)


def is_whole(graph: WeightedDigraph) -> bool:
    """Whether no number of the graph is a float."""
    numbers = [edge.cost for edge in graph.edges] + list((graph.table or {}).values())
    return not any(isinstance(number, float) and number != float("inf") for number in numbers)


def as_rows(graph: WeightedDigraph) -> CompiledProblem:
    """Return the graph as sparse rows."""
    nodes, begins, heads, costs = rows_of(graph)
    return CompiledProblem(
        CSR(begins, heads, costs),
        int,
        int,
        goals=sorted(graph.goals),
        heuristic=None if graph.table is None else tabled,
        table=np.concatenate([[nodes], estimates_of(graph, nodes)]),
        whole=is_whole(graph),
    )


def as_functions(graph: WeightedDigraph) -> CompiledProblem:
    """Return the graph as functions over states that are spread over 64 bits."""
    nodes, begins, heads, costs = rows_of(graph)
    edges = np.empty(2 * len(heads), np.int64)
    edges[::2], edges[1::2] = heads, np.array(costs, np.float64).view(np.int64)
    goals = [int(node in graph.goals) for node in range(nodes)]
    return CompiledProblem(
        Functions(expand, is_goal, max(1, len(heads))),
        lambda node: node * SPREAD % (1 << 64),
        lambda packed: packed * INVERSE % (1 << 64),
        heuristic=None if graph.table is None else tabled_spread,
        table=np.concatenate([[nodes], estimates_of(graph, nodes), goals, begins, edges]),
        whole=is_whole(graph),
    )


FORMS = {"rows": as_rows, "functions": as_functions}


def compilable(graph: WeightedDigraph, form: str) -> WeightedDigraph:
    """Return the graph with a compiled view of that form."""

    @frozen(slots=False, repr=False)
    class Compiled(type(graph)):  # type: ignore[misc]  # the subclass that has the costs and the heuristic
        def compiled(self) -> CompiledProblem:
            return FORMS[form](self)

    return Compiled(graph.edges, graph.starts, graph.goals, graph.table)
