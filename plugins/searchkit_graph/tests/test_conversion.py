"""Graphs of scipy and networkx: the results of the libraries themselves."""

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import solve
from searchkit.plugin import InvalidOptionError, InvalidProblemError
from searchkit_graph import explicit_graph, from_networkx, from_scipy

numpy = pytest.importorskip("numpy")
networkx = pytest.importorskip("networkx")
EDGES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 9)), max_size=20)


class Matrix:
    """The part of scipy's sparse matrices that is used: what `tocsr()` returns."""

    def __init__(self, size: int, edges: list[tuple[int, int, Any]], kind: str = "int32", columns: int = 0):
        edges = sorted(edges, key=lambda edge: edge[0])
        self.shape = size, columns or size
        counts = numpy.bincount([tail for tail, _, _ in edges], minlength=size)
        self.indptr = numpy.concatenate([[0], numpy.cumsum(counts)]).astype("int32")
        self.indices = numpy.array([head for _, head, _ in edges], "int32")
        self.data = numpy.array([cost for _, _, cost in edges], kind)

    def tocsr(self) -> "Matrix":
        """Return itself: it is in that format."""
        return self


def least(graph: Any, start: int, goal: int) -> float:
    """Return what networkx finds."""
    try:
        return float(networkx.dijkstra_path_length(graph, start, goal))
    except networkx.NetworkXNoPath:
        return inf


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
@given(edges=EDGES)
def test_networkx_finds_the_same(kind: str, edges: list[tuple[int, int, int]]) -> None:
    """In graphs of all four kinds."""
    graph = getattr(networkx, kind)()
    graph.add_nodes_from(range(7))
    graph.add_weighted_edges_from(edges)
    cost = solve(from_networkx(graph, 0, 6)).cost
    assert (inf if cost is None else cost) == least(graph, 0, 6)
    steps = solve(from_networkx(graph, 0, 6, weight=None)).cost
    assert steps is None or steps == networkx.shortest_path_length(graph, 0, 6)


# Compiled A* has another queue for costs that are not whole, which takes seconds to compile for such graphs.
@pytest.mark.parametrize(
    "kinds", [["int32", "int64", "uint8"], pytest.param(["float32", "float64"], marks=pytest.mark.long)]
)
@given(edges=EDGES, data=st.data())
def test_a_matrix_is_the_same_graph(
    edges: list[tuple[int, int, int]], kinds: list[str], data: st.DataObject
) -> None:
    """For any of its numbers, integers stay integers."""
    kind = data.draw(st.sampled_from(kinds))
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(range(7))
    graph.add_weighted_edges_from(edges)
    problem = from_scipy(Matrix(7, edges, kind), 0, [6])
    result = solve(problem, "dijkstra")
    assert (inf if result.cost is None else result.cost) == least(graph, 0, 6)
    assert result.cost is None or 0 in problem.goals or isinstance(result.cost, int) == ("int" in kind)
    compiled = solve(problem, "dijkstra", backend="compiled")
    assert (compiled.solution, compiled.statistics.expanded) == (
        result.solution,
        result.statistics.expanded,
    )


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (Matrix(2, [(0, 1, -1)]), "the entries range from -1 to -1; expected finite numbers"),
        (Matrix(2, [(0, 1, inf)], "float64"), "range from inf to inf"),
        (Matrix(2, [(0, 1, numpy.nan)], "float64"), "range from nan to nan"),
        (Matrix(2, [(0, 1, 1j)], "complex128"), "of type complex128"),
        (Matrix(2, [(0, 1, 1)], columns=3), "the matrix is 2 by 3"),
        ([[0, 1], [1, 0]], r"list has no tocsr\(\); expected a sparse matrix"),
    ],
)
def test_faulty_matrices_are_refused(matrix: Any, message: str) -> None:
    """The error says what is wrong and what was expected."""
    with pytest.raises(InvalidProblemError, match=message):
        from_scipy(matrix, 0, 1)


def test_graphs_that_are_none_and_nodes_that_are_none() -> None:
    """The message names them; nodes may be tuples, and their coordinates their own."""
    with pytest.raises(InvalidProblemError, match="dict is not a graph of networkx"):
        from_networkx({}, 0)
    grid = networkx.grid_2d_graph(3, 3)
    with pytest.raises(
        InvalidProblemError, match="the goal 'x' is not a node of the graph, whose 9 nodes are"
    ):
        from_networkx(grid, (0, 0), "x")
    problem = from_networkx(grid, (0, 0), (2, 2), weight=None, coordinates={cell: cell for cell in grid})
    assert (solve(problem, "astar").cost, problem.heuristic((0, 0))) == (4, 2)
    grid.edges[(0, 0), (0, 1)]["weight"] = numpy.float64(0.5)
    assert solve(from_networkx(grid, [(0, 0)], [(0, 2)])).cost == 1.5
    grid.edges[(0, 0), (0, 1)]["weight"] = None
    with pytest.raises(InvalidProblemError, match=r"the edge from \(0, 0\) to \(0, 1\) costs None"):
        from_networkx(grid, [(0, 0)], [(0, 2)])


def test_a_tuple_that_is_a_node_is_one_node() -> None:
    """Even if its parts are nodes, too; a list has several."""
    roads = networkx.Graph([((1, 2), 9), (1, 5), (5, 9), (2, 7), (7, 9)])
    result = solve(from_networkx(roads, (1, 2), 9))
    assert (result.cost, result.states) == (1, ((1, 2), 9))
    assert solve(from_networkx(roads, [1, 2], 9)).cost == 2
    assert solve(explicit_graph([((0, 0), (0, 1), 3)], (0, 0), (0, 1))).cost == 3


def test_a_weight_is_an_attribute_or_a_function() -> None:
    """A name that no edge has is an error, and a function may leave edges out."""
    net = networkx.DiGraph()
    net.add_weighted_edges_from([("in", "mid", 10), ("mid", "out", 20), ("in", "out", 60)], weight="km")
    assert solve(from_networkx(net, "in", "out", weight=lambda tail, head, data: data["km"])).cost == 30
    assert (
        solve(from_networkx(net, "in", "out", lambda tail, head, data: None if tail == "mid" else 7)).cost
        == 7
    )
    assert solve(from_networkx(net, "in", "out", weight="km")).cost == 30
    assert solve(from_networkx(net, "in", "out")).cost == 1
    with pytest.raises(
        InvalidProblemError, match="no edge has the attribute 'kms'; edges have km; weight=None"
    ):
        from_networkx(net, "in", "out", weight="kms")


def test_a_heuristic_is_a_function_of_a_node_or_of_a_node_and_a_goal() -> None:
    """As in networkx, where there is one goal; anything else is refused."""
    road = networkx.path_graph(6)
    for function in (lambda node: min(node, 5 - node), lambda node, goal: abs(goal - node)):
        problem = from_networkx(road, 2, [0, 5], heuristic=function)
        assert solve(problem, "astar").cost == 2
        assert problem.heuristic(1) == 1
        assert not hasattr(problem, "backward_heuristic") or problem.backward_heuristic is None
    assert problem.aimed([0], [5]).heuristic(1) == 4
    for wrong in ("foo", 7):
        with pytest.raises(
            InvalidOptionError,
            match=f"heuristic={wrong}: .*xpected one of none, straight-line.* function of a node",
        ):
            from_networkx(road, 0, 5, heuristic=wrong)  # type: ignore[arg-type]


def test_parallel_edges_have_their_keys_as_actions() -> None:
    """In both directions, and in a path."""
    lines = networkx.MultiDiGraph()
    lines.add_edge("A", "B", key="bus", weight=9)
    lines.add_edge("A", "B", key="train", weight=4)
    lines.add_edge("B", "C", key="bus", weight=1)
    problem = from_networkx(lines, "A", "C")
    assert problem.successors("A") == [(("B", "bus"), "B"), (("B", "train"), "B")]
    assert problem.predecessors("B") == [(("B", "bus"), "A"), (("B", "train"), "A")]
    for backend in ("python", "compiled"):
        result = solve(problem, "dijkstra", backend=backend)
        assert (result.cost, result.actions) == (5, (("B", "train"), "C"))


def test_missing_coordinates_are_said_to_be_missing() -> None:
    """And wrong ones are shown."""
    road: Any = networkx.path_graph(3)
    wrong: Any = {0: (0, 0), 1: ("a", 0), 2: (0, 1)}
    with pytest.raises(InvalidProblemError, match="node 2 has no coordinates; give"):
        from_networkx(road, 0, 2, coordinates={0: (0, 0), 1: (1, 0)})
    with pytest.raises(
        InvalidProblemError, match=r"the coordinates of node 1 are \('a', 0\); expected two numbers"
    ):
        from_networkx(road, 0, 2, coordinates=wrong)
