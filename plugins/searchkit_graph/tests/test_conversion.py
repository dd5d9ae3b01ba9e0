"""Graphs of scipy and networkx: the results of the libraries themselves."""

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import solve
from searchkit.plugin import InvalidProblemError
from searchkit_graph import from_networkx, from_scipy

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
        from_networkx(grid, [(0, 0)], "x")
    problem = from_networkx(grid, [(0, 0)], [(2, 2)], weight=None, coordinates={cell: cell for cell in grid})
    assert (solve(problem, "astar").cost, problem.heuristic((0, 0))) == (4, 2)
    grid.edges[(0, 0), (0, 1)]["weight"] = numpy.float64(0.5)
    assert solve(from_networkx(grid, [(0, 0)], [(0, 2)])).cost == 1.5
    grid.edges[(0, 0), (0, 1)]["weight"] = None
    with pytest.raises(InvalidProblemError, match=r"the edge from \(0, 0\) to \(0, 1\) costs None"):
        from_networkx(grid, [(0, 0)], [(0, 2)])
