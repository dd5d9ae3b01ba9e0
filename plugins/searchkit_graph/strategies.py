"""Hypothesis strategies of graphs, for property tests. Needs the extra `testing`."""

from fractions import Fraction

from hypothesis import strategies as st

from searchkit import Cost
from searchkit.testing.strategies import weighted_digraphs
from searchkit.testing.strategies.frames import pick
from searchkit_graph.conversion import explicit_graph
from searchkit_graph.problem import ExplicitGraph

HUGE = 10**15
BYTE = st.integers(0, 255)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STEP = 20
"""Coordinates are multiples of 1/20, up to 6.35."""


@st.composite
def graphs(draw: st.DrawFn, nodes: int = 7, located: bool | None = None) -> ExplicitGraph:
    """Draw a graph as `weighted_digraphs` does: cycles, self-loops, parallel edges, zero costs.

    Nodes are numbers or letters; they may have coordinates, which may coincide.

    `nodes` is the largest number of nodes, at most 26. `located` chooses whether they have coordinates (None for
    either).
    """
    drawn = draw(weighted_digraphs(None, nodes))
    size = 5 + 2 * len(drawn.nodes)
    named, in_plane, least, bound, whole, *places = draw(st.lists(BYTE, min_size=size, max_size=size))
    names = {node: LETTERS[node] if named >= 128 else node for node in drawn.nodes}
    coordinates, heuristic = None, None
    if located or (located is None and in_plane >= 128):
        numbers = [_number(byte, whole >= 128) for byte in places]
        coordinates = dict(zip(names.values(), zip(numbers[::2], numbers[1::2], strict=True), strict=True))
        heuristic = pick(bound, (None, None, None, "none"))
        least = pick(least, (0, 1))  # an edge of cost 0 makes most heuristics 0
    else:
        least = 0
    edges = [
        (names[edge.tail], names[edge.head], *(() if edge.cost is None else (_plain(edge.cost) + least,)))
        for edge in drawn.edges
    ]
    return explicit_graph(
        edges,
        [names[node] for node in drawn.starts],
        [names[node] for node in drawn.goal_states()],
        coordinates,
        heuristic,
    )


def _plain(cost: Cost) -> float:
    """Return a cost that graph files can express: no fraction, and not a huge number."""
    if isinstance(cost, Fraction):
        return float(cost)
    return cost // HUGE if cost >= HUGE else cost


def _number(byte: int, whole: bool) -> float:
    """Return the coordinate for a byte: 0, 0, then positive and negative ones alternately."""
    number = (byte // 2) * (1 - byte % 2 * 2)
    return number // STEP if whole else number / STEP
