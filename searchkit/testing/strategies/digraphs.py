"""A strategy of small, difficult weighted digraphs."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice, pairwise
from typing import Any, Literal, TypeVar

from attrs import evolve
from hypothesis import strategies as st

from searchkit.problem import Cost
from searchkit.testing.spaces.digraphs import Edge, States, WeightedDigraph, digraph
from searchkit.testing.strategies.heuristics import Kind, heuristics_for

Value = TypeVar("Value")
Costs = Literal["int", "Fraction", "float", "huge", "zero-one", "unit"]

COSTS: dict[str, tuple[Any, ...]] = {
    "int": tuple(range(7)),
    "Fraction": tuple(
        dict.fromkeys(
            Fraction(numerator, denominator) for denominator in (1, 2, 3, 4) for numerator in range(13)
        )
    ),
    "float": tuple(number / 4 for number in range(13)),  # quarters: their sums are exact
    "huge": tuple(number * 10**15 for number in range(4)),
    "zero-one": (0, 1),
    "unit": (None,),
}
"""What an edge may cost, the simplest first."""
KINDS = ("unit", "int", "zero-one", "Fraction", "float", "huge")
"""The simplest first, to which Hypothesis shrinks."""


def weighted_digraphs(
    costs: Costs | None = None,
    nodes: int = 7,
    heuristic: Kind | Literal[False] = False,
    states: States | None = "int",
) -> st.SearchStrategy[WeightedDigraph]:
    """Draw a digraph of at most `nodes` nodes: cycles, self-loops, parallel edges, zero costs, dead ends.

    Most have a path from a start to a goal through most of the nodes, and shortcuts that cost a little more or a little
    less: a search has to choose. In one of six no goal can be reached; one of fifty starts at a goal. There are one
    or two starts, sometimes the same start twice, and up to two goals. A graph shrinks to few nodes and edges, and
    its repr is one line.

    Args:
        costs: `int` (0 to 6), `Fraction`, `float` (quarters, whose sums are exact), `huge` (multiples of 10¹⁵),
            `zero-one`, or `unit` (a problem without costs); None for any of these. A shortcut may cost more: a little
            more than the path that it replaces.
        nodes: the largest number of nodes.
        heuristic: False for none, or its kind (see `heuristics_for`). Half of the graphs that are to have an
            admissible or an inconsistent one hold a trap for an A* that never reopens a state.
        states: the type of the states: `int`, or `opaque`, which can't be ordered (see
            `searchkit.testing.spaces.digraphs.digraph`); None for either.

    """
    return _digraphs(costs, nodes, heuristic, states)


@st.composite
def _digraphs(
    draw: st.DrawFn,
    costs: Costs | None,
    nodes: int,
    heuristic: Kind | Literal[False],
    states: States | None,
) -> Any:
    # Everything is drawn as one string of bytes. That is fast, and Hypothesis, which copies drawn values to other
    # places of the same type, finds no such places. Otherwise most cases would be nearly the same.
    drawn = draw(_bytes(nodes))
    draws = Draws(drawn)
    kind = draws.one_of(KINDS if costs is None else (costs,))
    named = draws.one_of(STATES if states is None else (states,))
    trapped = draws.rarely(2) and heuristic in STEEP and kind in NEARBY and nodes >= 4
    graph = (_trapped if trapped else _ways)(draws, kind, nodes)
    if heuristic:
        graph = draw(heuristics_for(graph, heuristic, strict=True))
    return graph if named == "int" else evolve(graph, states=named)


class Draws:
    """Numbers made of drawn bytes, one after the other. Smaller bytes mean simpler values."""

    def __init__(self, drawn: bytes):
        self._left = iter(drawn)

    def below(self, most: int) -> int:
        """Return an integer ≥ 0 that is less than `most`."""
        return next(self._left) % most

    def one_of(self, values: Sequence[Value]) -> Value:
        """Return one of the values; the first is the simplest."""
        return values[self.below(len(values))]

    def rarely(self, often: int) -> bool:
        """Return True once in `times` calls on average."""
        return next(self._left) >= 256 - 256 // often

    def edges(self, most: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield up to `most` edges as four bytes: tail, head, cost, and the sort of edge."""
        for _ in range(next(self._left) % (most + 1)):
            sort, tail, head, cost = islice(self._left, 4)
            if sort >= NO_EDGE:  # bytes that mean no edge let a graph shrink edge by edge
                yield tail, head, cost, sort


@cache
def _bytes(nodes: int) -> st.SearchStrategy[bytes]:
    # Strategies are kept, because Hypothesis examines each new one at its first draw, which takes longer than the draw.
    number = FIXED + 2 * nodes + 4 * (nodes + MORE_EDGES)
    return st.binary(min_size=number, max_size=number)


FIXED, MORE_EDGES = 14, 3
NO_EDGE = 24
"""A smaller byte means no edge: one of ten."""
STATES: tuple[States, ...] = ("int", "opaque")
STEEP = ("admissible", "inconsistent")
TRAP = ((0, 2, 3), (0, 1, 1), (1, 2, 1), (2, 3, 2))
"""Edges as (tail, head, units of cost) on which A* has to reopen node 2, if h(1) is exact and h(2) is 0.

Node 2 is expanded at cost 3, before node 1, through which it costs 2. Without reopening the path to 3 costs 5, not 4.
"""


def _trapped(draws: Draws, kind: str, nodes: int) -> WeightedDigraph:
    """Return a trap among other edges; in some graphs, without the edges to its goal."""
    size = 4 + draws.below(nodes - 3)
    unit, costs = NEARBY[kind], COSTS[kind]
    cut = draws.rarely(6)
    others = [
        Edge(tail % size, head % size, costs[cost % len(costs)]) for tail, head, cost, _ in draws.edges(size)
    ]
    edges = [*(Edge(tail, head, unit * times) for tail, head, times in TRAP), *others]
    return digraph([edge for edge in edges if not cut or edge.head != 3], [0], [3])


def _ways(draws: Draws, kind: str, nodes: int) -> WeightedDigraph:
    """Return a path through most nodes, in the order of their numbers, and other edges."""
    # Missing nodes have a place and a cost, so that other nodes keep theirs, and a graph shrinks node by node.
    places, costs = [draws.below(256) for _ in range(nodes)], COSTS[kind]
    there = [number for number, place in enumerate(places) if place >= LEFT_OUT] or [0]
    way = [index for index, number in enumerate(there) if places[number] < BESIDE_THE_WAY] or [0]
    onto = [draws.one_of(costs) for _ in range(nodes)]
    edges = [Edge(tail, head, onto[there[head]]) for tail, head in pairwise(way)]
    starts, goals = [way[0]], [way[-1]]
    more, node = draws.below(16), draws.below(nodes)
    if more in (1, 2):  # the same start again, or any node, even the goal
        starts.append(way[0] if more == 1 else _place(there, node))
    elif more in (3, 4, 5):  # in the first half
        starts.insert(more % 2, _place(there, node // 2))
    elif more in (6, 7):  # in the second half
        goals.append(_place(there, nodes - 1 - node // 2))
    elif more == 8:
        goals = []
    cut = max(1, _place(there, draws.below(nodes))) if draws.rarely(6) else 0
    others_first, turned = draws.rarely(2), draws.rarely(2)
    others = _others(draws, kind, nodes, there, edges)
    edges = [*others, *edges] if others_first else [*edges, *others]
    edges = [edge for edge in edges if not edge.tail < cut <= edge.head]
    if turned:
        last = len(there) - 1
        edges = [Edge(last - edge.tail, last - edge.head, edge.cost) for edge in edges]
        starts, goals = [[last - index for index in indices] for indices in (starts, goals)]
    return digraph(edges, starts, goals)


def _others(draws: Draws, kind: str, nodes: int, there: list[int], way: list[Edge]) -> list[Edge]:
    """Return edges beside a path: shortcuts, edges back, parallel edges and self-loops.

    Most shortcuts cost about as much as the path between their ends. Shortcuts that can't are short.
    """
    costs, unit = COSTS[kind], NEARBY.get(kind)
    so_far: list[Cost] = [0] * len(there)
    for edge in way:
        so_far[edge.tail + 1 : edge.head + 1] = [so_far[edge.tail] + (edge.cost or 0)] * (
            edge.head - edge.tail
        )
    edges = []
    for number, onto, amount, sort in draws.edges(nodes + MORE_EDGES):
        tail, head = _place(there, number % nodes), _place(there, onto % nodes)
        cost, beside = costs[amount % len(costs)], SHORTCUT_COSTS[sort % len(SHORTCUT_COSTS)]
        if beside is not None and sort >= TO_THE_END and way:
            head = way[-1].head
        if head > tail and beside is not None:
            if unit is None:
                head = min(head, tail + SHORT)
            else:
                cost = max(0 * unit, so_far[head] - so_far[tail] + beside * unit)
        edges.append(Edge(tail, head, cost))
    return edges


def _place(there: list[int], number: int) -> int:
    """Return the index of a node among the present nodes; if it is missing, that of the next or the last."""
    return min(bisect_left(there, number), len(there) - 1)


LEFT_OUT, BESIDE_THE_WAY = 12, 244
"""A byte below the first means a missing node, one from the second on a node off the path. One of twenty each."""
SHORT = 2
SHORTCUT_COSTS = (None, 1, 6, 2, 1, -1)
"""The additional cost of a shortcut in units, compared with the path; None for any cost."""
TO_THE_END = 170
"""From this byte on, a shortcut leads to the end of the path: one of three."""
NEARBY: dict[str, Any] = {"int": 1, "Fraction": Fraction(1, 4), "float": 0.25, "huge": 10**15}
"""The unit of costs."""
