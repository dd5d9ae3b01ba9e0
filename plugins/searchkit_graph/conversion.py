"""Graphs of other libraries as search problems. Neither scipy nor networkx is imported here."""

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
    """Return the graph that a sparse matrix of scipy holds: an entry (i, j) is an edge from i to j at that cost.

    A stored zero is an edge that costs 0, as in `scipy.sparse.csgraph`; in a matrix of truth values every edge costs 1.
    Nodes are numbered from 0. Takes O(nodes + edges) time, none of it per edge in Python.

    Args:
        matrix: square; any format of scipy, or anything with `tocsr()`.
        start: a node, or several.
        goal: a node, or several; none for a distance map.
        coordinates: (x, y) of each node, for the heuristic.
        heuristic: `straight-line`, `none`, or None for the first where it is proved and says something.

    Raises:
        InvalidProblemError: the matrix is not square, or an entry is no finite number ≥ 0.
        InvalidOptionError: the straight line is asked for, and proves nothing here.

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
    """Return a graph of networkx as a problem: directed or not, with parallel edges or without.

    Its states are the graph's own nodes. A node that is a tuple has to be in a list, `start=[(0, 0)]`, as several are.

    Args:
        graph: a `Graph`, `DiGraph`, `MultiGraph` or `MultiDiGraph`.
        start: a node, or several.
        goal: a node, or several; none for a distance map.
        weight: the attribute of an edge that is its cost, 1 where it is missing; None: every edge costs 1.
        coordinates: node → (x, y), such as networkx calls `pos`, for the heuristic.
        heuristic: `straight-line`, `none`, or None for the first where it is proved and says something.

    Raises:
        InvalidProblemError: a cost is no finite number ≥ 0, or a start or a goal is no node.
        InvalidOptionError: the straight line is asked for, and proves nothing here.

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
    """Return the problem on a graph that is given edge by edge.

    Args:
        edges: (tail, head, cost) each, or (tail, head) each in a graph where every edge costs 1.
        start: a node, or several in a list. (A node that is a tuple has to be in a list.)
        goal: a node, or several in a list; none for a distance map.
        coordinates: node → (x, y) of every node, for the heuristic.
        heuristic: `straight-line`: the straight line to the nearest goal, times the least that any edge costs for a
            unit of distance, which is admissible and consistent; `none`; or None for the first where it is proved and
            says something.

    Raises:
        InvalidProblemError: an edge has no cost and others have one, or a cost is no finite number ≥ 0; a start or a
            goal is no node.
        InvalidOptionError: the straight line is asked for, and proves nothing here.

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
        numbers.setdefault(name, len(numbers))  # a node that no edge leads to
    names = list(numbers)
    rows = rows_of(len(names), tails, heads, packed(costs) if costs else None)
    return make_graph(rows, names, nodes_of(start), nodes_of(goal), _plane(names, coordinates), heuristic)


def checked_cost(tail: Hashable, head: Hashable, cost: Any) -> int | float:
    """Return a cost as an integer or a float. Raises `InvalidProblemError` for what is no finite number ≥ 0."""
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
    """Return costs as an array: of integers where all are."""
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
