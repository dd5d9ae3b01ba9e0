"""Hypothesis strategies of graphs, for property tests. Needs the extra `testing`."""

from typing import Any

from hypothesis import strategies as st

from searchkit.testing.strategies import weighted_digraphs
from searchkit_graph.conversion import explicit_graph
from searchkit_graph.graph import HEURISTICS, ExplicitGraph

COSTS = ("int", "unit", "zero-one", "float")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NUMBERS = st.one_of(st.integers(-6, 6), st.floats(-6, 6).map(lambda number: round(number, 2)))


@st.composite
def graphs(draw: st.DrawFn, nodes: int = 7, located: bool | None = None) -> ExplicitGraph:
    """Draw a graph with one to three starts and up to two goals: cycles, self-loops, parallel edges, zero costs.

    Its nodes are numbers or letters; perhaps they lie in the plane, in places of their own or not.

    `nodes` is the most nodes, 26; `located` says whether they lie in the plane (None: perhaps).
    """
    costs: Any = draw(st.sampled_from(COSTS))
    drawn = draw(weighted_digraphs(costs, nodes))
    named = draw(st.booleans())
    names = {node: LETTERS[node] if named else node for node in drawn.nodes}
    coordinates, heuristic, least = None, None, 0
    if draw(st.booleans()) if located is None else located:
        least = draw(st.integers(0, 1))  # an edge without cost leaves nothing of most heuristics
        coordinates = {names[node]: draw(st.tuples(NUMBERS, NUMBERS)) for node in drawn.nodes}
        heuristic = draw(st.sampled_from([None, None, None, HEURISTICS[0]]))
    edges = [
        (names[edge.tail], names[edge.head], *(() if edge.cost is None else (edge.cost + least,)))
        for edge in drawn.edges
    ]
    return explicit_graph(
        edges,
        [names[node] for node in drawn.starts],
        [names[node] for node in drawn.goal_states()],
        coordinates,
        heuristic,
    )
