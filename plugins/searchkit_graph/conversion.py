"""Graphs of other libraries as search problems. This module imports neither scipy nor networkx."""

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import Any

from searchkit.plugin import InvalidProblemError
from searchkit_graph.options import nodes_of
from searchkit_graph.problem import ExplicitGraph, make_graph
from searchkit_graph.rows import MOST, Costs, Rows, rows_of
from searchkit_graph.straight_line import LARGEST, Plane

Places = Mapping[Any, Sequence[float]] | Sequence[Sequence[float]]
"""Node → (x, y)."""


def from_scipy(
    matrix: Any,
    start: Any,
    goal: Any = (),
    coordinates: Places | None = None,
    heuristic: str | None = None,
) -> ExplicitGraph:
    """Return the problem of a sparse matrix of scipy: entry (i, j) is the cost of the edge from i to j.

    A stored zero is an edge that costs 0, as in `scipy.sparse.csgraph`; in a boolean matrix every edge costs 1. Nodes
    are numbered from 0. Takes O(nodes + edges) time, without Python code for each edge.

    Args:
        matrix: a square matrix in any format of scipy, or any object with `tocsr()`.
        start: a node, or several.
        goal: a node, or several; none for a distance map.
        coordinates: (x, y) of each node, for the heuristic.
        heuristic: `straight-line`, `none`, or None for the straight line if it is a lower bound other than 0.

    Raises:
        InvalidProblemError: the matrix is not square, or an entry is not a finite number ≥ 0.
        InvalidOptionError: `heuristic` is `straight-line`, which is always 0 here.

    """
    if not hasattr(matrix, "tocsr"):
        raise InvalidProblemError(
            f"{type(matrix).__name__} has no tocsr(); expected a sparse matrix: scipy.sparse.csr_array(…) makes one"
        )
    rows = matrix.tocsr()
    nodes, columns = rows.shape
    if nodes != columns:
        raise InvalidProblemError(f"the matrix is {nodes} by {columns}; expected as many columns as rows")
    begins, heads = array("q"), array("I")
    begins.frombytes(rows.indptr.astype("int64").tobytes())
    heads.frombytes(rows.indices.astype("uint32").tobytes())
    problem_rows = Rows(begins, heads, _costs(rows.data))
    plane = _plane(range(nodes), coordinates)
    return make_graph(problem_rows, range(nodes), nodes_of(start), nodes_of(goal), plane, heuristic)


def _costs(data: Any) -> Costs:
    if data.dtype.kind == "b" or not len(data):
        return None
    if data.dtype.kind not in "iuf":
        raise InvalidProblemError(f"the entries are of type {data.dtype}; expected integers or floats")
    least, most = data.min(), data.max()
    if not (least >= 0 and most < inf and (data.dtype.kind == "f" or most <= MOST)):
        raise InvalidProblemError(
            f"the entries range from {least} to {most}; expected finite numbers ≥ 0, for each entry is a cost"
        )
    if data.dtype.kind == "f":
        floats = array("d")
        floats.frombytes(data.astype("float64").tobytes())
        return floats
    whole = array("q")
    whole.frombytes(data.astype("int64").tobytes())
    return whole


def from_networkx(
    graph: Any,
    start: Any,
    goal: Any = (),
    weight: str | None = "weight",
    coordinates: Places | None = None,
    heuristic: str | None = None,
) -> ExplicitGraph:
    """Return the problem of a graph of networkx, directed or undirected, with or without parallel edges.

    States are the nodes of the graph. A node that is a tuple must be given in a list, as in `start=[(0, 0)]`.

    Args:
        graph: a `Graph`, `DiGraph`, `MultiGraph` or `MultiDiGraph`.
        start: a node, or several.
        goal: a node, or several; none for a distance map.
        weight: the attribute of edges with the cost, 1 if it is missing; None if every edge costs 1.
        coordinates: node → (x, y), called `pos` in networkx, for the heuristic.
        heuristic: `straight-line`, `none`, or None for the straight line if it is a lower bound other than 0.

    Raises:
        InvalidProblemError: a cost is not a finite number ≥ 0, or a start or a goal is not a node.
        InvalidOptionError: `heuristic` is `straight-line`, which is always 0 here.

    """
    if not (hasattr(graph, "adjacency") and hasattr(graph, "is_multigraph")):
        raise InvalidProblemError(f"{type(graph).__name__} is not a graph of networkx")
    names: list[Hashable] = list(graph)
    numbers = {name: number for number, name in enumerate(names)}
    tails, heads, costs = array("I"), array("I"), list[int | float]()
    for tail, row in graph.adjacency():
        for head, data in row.items():
            for edge in data.values() if graph.is_multigraph() else (data,):
                tails.append(numbers[tail])
                heads.append(numbers[head])
                if weight is not None:
                    costs.append(checked_cost(tail, head, edge.get(weight, 1)))
    rows = rows_of(len(names), tails, heads, None if weight is None else packed(costs))
    return make_graph(rows, names, nodes_of(start), nodes_of(goal), _plane(names, coordinates), heuristic)


def explicit_graph(
    edges: Iterable[Sequence[Any]],
    start: Any,
    goal: Any = (),
    coordinates: Mapping[Any, Sequence[float]] | None = None,
    heuristic: str | None = None,
) -> ExplicitGraph:
    """Return the problem of a list of edges.

    Args:
        edges: (tail, head, cost) for each edge, or (tail, head) if every edge costs 1.
        start: a node, or several in a list. A node that is a tuple must be in a list.
        goal: a node, or several in a list; none for a distance map.
        coordinates: node → (x, y) of every node, for the heuristic.
        heuristic: `straight-line`: the distance to the nearest goal times the least cost of an edge for a unit of
            distance, which is admissible and consistent; `none`; or None for the straight line if it is a lower bound
            other than 0.

    Raises:
        InvalidProblemError: some edges have costs and others do not, a cost is not a finite number ≥ 0, or a start or a
            goal is not a node.
        InvalidOptionError: `heuristic` is `straight-line`, which is always 0 here.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_graph import explicit_graph
        >>> roads = explicit_graph([("A", "B", 7), ("A", "C", 2), ("C", "B", 3)], start="A", goal="B")
        >>> solve(roads).solution.states
        ('A', 'C', 'B')

    """
    numbers: dict[Hashable, int] = {}
    tails, heads, costs = array("I"), array("I"), list[int | float]()
    for edge in edges:
        if len(edge) not in (2, 3) or (tails and (len(edge) == 3) != bool(costs)):
            raise InvalidProblemError(
                f"the edge is {edge!r}; expected (tail, head, cost) for all edges, or (tail, head) for all"
            )
        tail, head = edge[0], edge[1]
        tails.append(numbers.setdefault(tail, len(numbers)))
        heads.append(numbers.setdefault(head, len(numbers)))
        if len(edge) == 3:
            costs.append(checked_cost(tail, head, edge[2]))
    for name in [*nodes_of(start), *nodes_of(goal), *(coordinates or ())]:
        numbers.setdefault(name, len(numbers))  # a node without edges
    names = list(numbers)
    rows = rows_of(len(names), tails, heads, packed(costs) if costs else None)
    return make_graph(rows, names, nodes_of(start), nodes_of(goal), _plane(names, coordinates), heuristic)


def checked_cost(tail: Hashable, head: Hashable, cost: Any) -> int | float:
    """Return a cost as an integer or a float. Raises `InvalidProblemError` if it is not a finite number ≥ 0."""
    try:
        number: int | float = cost if isinstance(cost, int | float) else cost.item()  # of numpy
        fits = 0 <= number < inf and (isinstance(number, float) or number <= MOST)
    except (AttributeError, TypeError, ValueError):
        fits = False
    if not fits:
        raise InvalidProblemError(
            f"the edge from {tail!r} to {head!r} costs {cost!r}; expected an integer or a float, finite and ≥ 0"
        )
    return number


def packed(costs: Sequence[int | float]) -> Costs:
    """Return costs as an array, of integers if all are integers."""
    return array("q" if all(isinstance(cost, int) for cost in costs) else "d", costs)


def _plane(names: Sequence[Hashable], coordinates: Places | None) -> Plane | None:
    if coordinates is None:
        return None
    xs, ys = array("d"), array("d")
    for name in names:
        try:
            x, y = map(float, coordinates[name])  # type: ignore[call-overload]  # a sequence is asked for numbers only
        except (LookupError, TypeError, ValueError):
            x = y = inf
        if not (abs(x) <= LARGEST and abs(y) <= LARGEST):
            raise InvalidProblemError(
                f"the coordinates of node {name!r} are not two numbers; expected (x, y)"
            )
        xs.append(x)
        ys.append(y)
    return Plane(xs, ys)
