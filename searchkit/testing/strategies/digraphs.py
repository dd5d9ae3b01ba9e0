"""Small weighted digraphs, full of traps."""

from fractions import Fraction
from typing import Any, Literal

from hypothesis import strategies as st

from searchkit.testing.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies.heuristics import estimated
from searchkit.testing.strategies.notes import noted

Costs = Literal["int", "Fraction", "float", "huge", "zero-one", "unit"]
Heuristic = Literal["admissible", "consistent", "inadmissible", "inconsistent"]

COSTS: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(0, 6),
    "Fraction": st.builds(Fraction, st.integers(0, 12), st.integers(1, 4)),
    "float": st.integers(0, 12).map(lambda n: n / 4),  # quarters: their sums are exact
    "huge": st.integers(0, 3).map(lambda n: n * 10**15),
    "zero-one": st.integers(0, 1),
    "unit": st.none(),
}
KINDS = ("unit", "int", "zero-one", "Fraction", "float", "huge")
"""The simplest first: what Hypothesis shrinks to."""


def weighted_digraphs(
    costs: Costs | None = None, nodes: int = 7, heuristic: Heuristic | Literal[False] = False
) -> st.SearchStrategy[WeightedDigraph]:
    """Draw a digraph of at most `nodes` nodes: cycles, self-loops, parallel edges, zero costs, dead ends.

    It has one to three starts, the same one twice now and then, and up to two goals: solvable or not. It shrinks
    to few nodes and edges, and its repr is one line.

    Args:
        costs: `int` (0 to 6), `Fraction`, `float` (quarters, whose sums are exact), `huge` (multiples of 10¹⁵),
            `zero-one`, or `unit` (a problem without costs); None for any of these.
        nodes: the most nodes.
        heuristic: False for none; or what it is: `admissible` (it may be consistent), `consistent`,
            `inconsistent` (admissible, but not consistent) or `inadmissible`. For the last two, two edges are added to
            a graph that has no such heuristic. Half of the graphs that are to have an admissible or an inconsistent
            one hold a trap for an A* that never reopens a state.

    """
    return noted(_digraphs(costs, nodes, heuristic))


@st.composite
def _digraphs(draw: st.DrawFn, costs: str | None, nodes: int, heuristic: Heuristic | Literal[False]) -> Any:
    kind = costs or draw(st.sampled_from(KINDS))
    trap = TRAPS.get(kind, PLAIN_TRAP) if heuristic in STEEP and draw(st.booleans()) else ()
    least = 1 + max((max(tail, head) for tail, head, _ in trap), default=0)
    trap = trap if least <= nodes else ()
    size = draw(st.integers(least if trap else 1, nodes))
    node = st.integers(0, size - 1)
    fewest = draw(st.sampled_from([int(kind != "unit" and not trap), 2 * size]))  # half of them hang together
    edges = draw(st.lists(st.builds(Edge, node, node, COSTS[kind]), min_size=fewest, max_size=2 * size + 2))
    starts, goals = [0], [3]
    if not trap:
        starts = draw(st.lists(node, min_size=1, max_size=3))
        goals = draw(st.lists(node, max_size=2))
    unit = ONE[kind]
    graph = digraph(
        [*(Edge(tail, head, unit and unit * times) for tail, head, times in trap), *edges], starts, goals
    )
    return draw(estimated(graph, heuristic, unit)) if heuristic else graph


STEEP = ("admissible", "inconsistent")
PLAIN_TRAP = ((0, 2, 3), (0, 1, 1), (1, 2, 1), (2, 3, 2))
"""Edges as (tail, head, units of cost) on which A* has to reopen node 2, if h(1) is exact and h(2) is 0.

Node 2 is expanded at cost 3, before node 1, through which it costs 2. Without reopening the path to 3 costs 5, not 4.
"""
TRAPS = {
    "zero-one": ((0, 2, 1), (0, 1, 0), (1, 2, 0), (2, 4, 1), (4, 3, 1)),
    "unit": ((0, 4, 1), (4, 5, 1), (5, 2, 1), (0, 1, 1), (1, 2, 1), (2, 6, 1), (6, 3, 1)),
}
"""The same where costs are 0 and 1, or all 1."""
ONE: dict[str, Any] = {
    "int": 1,
    "Fraction": Fraction(1, 2),
    "float": 0.25,
    "huge": 10**15,
    "zero-one": 1,
    "unit": None,
}
