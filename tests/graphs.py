"""Explicit graphs as search problems, and Hypothesis strategies of them: small, and full of traps."""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import inf
from typing import Any

from attrs import field, frozen
from hypothesis import strategies as st

from searchkit import Cost, EngineSpec, SearchProblem, available_engines
from tests.oracle import distances_to_goals


@frozen
class Edge:
    """An action from `tail` to `head`."""

    tail: int
    head: int
    cost: Cost = 1


@frozen
class GraphProblem(SearchProblem[int, int]):
    """A weighted digraph with starts and goals; an action is the index of the edge that it follows."""

    edges: tuple[Edge, ...] = field(converter=tuple)
    starts: tuple[int, ...] = field(converter=tuple)
    goals: frozenset[int] = field(converter=frozenset)

    def initial_states(self) -> Iterable[int]:
        return self.starts

    def goal_states(self) -> Iterable[int]:
        return sorted(self.goals)

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def successors(self, state: int) -> list[tuple[int, int]]:
        return [(index, edge.head) for index, edge in enumerate(self.edges) if edge.tail == state]

    def predecessors(self, state: int) -> list[tuple[int, int]]:
        return [(index, edge.tail) for index, edge in enumerate(self.edges) if edge.head == state]

    def region(self, state: int) -> int:
        return state // 2

    def neighbours(self, region: Hashable) -> list[int]:
        return sorted({edge.head // 2 for edge in self.edges if edge.tail // 2 == region})

    def goal_regions(self) -> Iterable[int]:
        return sorted({goal // 2 for goal in self.goals})


@frozen
class WeightedGraph(GraphProblem):
    """A graph whose edges cost what they say."""

    def cost(self, state: int, action: int, successor: int) -> Cost:
        return self.edges[action].cost


@frozen
class EstimatedGraph(WeightedGraph):
    """A weighted graph with a heuristic, given as a table."""

    table: dict[int, Cost] = field(factory=dict, hash=False)

    def heuristic(self, state: int) -> Cost:
        return self.table[state]


COSTS: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(0, 6),
    "Fraction": st.builds(Fraction, st.integers(0, 12), st.integers(1, 4)),
    "float": st.integers(0, 12).map(lambda n: n / 4),  # quarters: their sums are exact
    "huge": st.integers(0, 3).map(lambda n: n * 10**15),
    "zero-one": st.integers(0, 1),
    "unit": st.just(1),
}


@st.composite
def graphs(draw: st.DrawFn, costs: str | None = None, nodes: int = 7) -> GraphProblem:
    """Draw a digraph with cycles, self-loops, parallel edges, zero costs, several starts and goals, dead ends."""
    kind = costs or draw(st.sampled_from(sorted(COSTS)))
    size = draw(st.integers(1, nodes))
    node = st.integers(0, size - 1)
    edges = draw(st.lists(st.builds(Edge, node, node, COSTS[kind]), max_size=2 * size + 2))
    starts = draw(st.lists(node, min_size=1, max_size=3))
    goals = draw(st.frozensets(node, max_size=2))
    return (GraphProblem if kind == "unit" else WeightedGraph)(edges, starts, goals)


@st.composite
def estimated_graphs(draw: st.DrawFn, costs: str | None = None, nodes: int = 7) -> EstimatedGraph:
    """Draw a graph with an admissible heuristic, which need not be consistent: any part of h*, anywhere."""
    graph = draw(graphs(costs, nodes))
    exact = distances_to_goals(graph)
    table = {}
    for state, distance in exact.items():
        if distance == inf:
            table[state] = draw(st.sampled_from([0, 3, inf]))
        else:
            table[state] = distance * draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]))
            if isinstance(distance, int | float):
                table[state] = type(distance)(table[state])
    return EstimatedGraph(graph.edges, graph.starts, graph.goals, table)


def engines_for_graphs() -> list[EngineSpec]:
    """Return every registered engine that these graphs meet the requirements of, sorted by name."""
    graph = EstimatedGraph([], [0], [0], {0: 0})
    specs = sorted(available_engines().values(), key=lambda spec: spec.name)
    return [spec for spec in specs if all(isinstance(graph, capability) for capability in spec.requires)]
