"""Graphs of other libraries as search problems. This module imports neither scipy nor networkx."""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import Any

from attrs import evolve

from searchkit.plugin import InvalidProblemError
from searchkit_graph.options import nodes_of
from searchkit_graph.problem import ExplicitGraph, Heuristic
from searchkit_graph.rows import MOST, Costs, Rows, rows_of
from searchkit_graph.straight_line import LARGEST, Plane

Places = Mapping[Any, Sequence[float]] | Sequence[Sequence[float]]
"""Node → (x, y)."""


def from_scipy(
    matrix: Any,
    start: Any,
    goal: Any = (),
    coordinates: Places | None = None,
    heuristic: Heuristic = None,
) -> ExplicitGraph:
    """Return the problem of a sparse matrix of scipy: entry (i, j) is the cost of the edge from i to j.

    A stored zero is an edge that costs 0, as in `scipy.sparse.csgraph`; in a boolean matrix every edge costs 1. Nodes
    are numbered from 0. Takes O(nodes + edges) time, without Python code for each edge.

    Args:
        matrix: a square matrix in any format of scipy, or any object with `tocsr()`.
        start: a node, or several.
        goal: a node, or several; none for a distance map.
        coordinates: (x, y) of each node, for the heuristic.
        heuristic: as for `ExplicitGraph`.

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
    known = range(nodes)
    return ExplicitGraph(problem_rows, known, nodes_of(start), nodes_of(goal), plane, heuristic)


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
    weight: str | Callable[[Any, Any, Any], Any] | None = "weight",
    coordinates: Places | None = None,
    heuristic: Heuristic = None,
) -> ExplicitGraph:
    """Return the problem of a graph of networkx, directed or undirected, with or without parallel edges.

    States are the nodes of the graph. Parallel edges have the actions (head, key).

    Args:
        graph: a `Graph`, `DiGraph`, `MultiGraph` or `MultiDiGraph`.
        start: a node, or several. What is a node, such as a tuple of a grid, is one, even if its parts are nodes, too.
        goal: a node, or several; none for a distance map.
        weight: the attribute of edges with the cost, 1 if it is missing; or a function (tail, head, attributes of the
            edge) → cost, None for an edge to leave out; or None if every edge costs 1.
        coordinates: node → (x, y), called `pos` in networkx, for the heuristic.
        heuristic: as for `ExplicitGraph`.

    Raises:
        InvalidProblemError: a cost is not a finite number ≥ 0, no edge has the attribute `weight`, a node has no
            coordinates, or a start or a goal is not a node.
        InvalidOptionError: `heuristic` is not one, or the straight line, which is always 0 here.

    """
    rows, names = rows_of_networkx(graph, weight)
    return ExplicitGraph(
        rows, names, nodes_of(start, graph), nodes_of(goal, graph), _plane(names, coordinates), heuristic
    )


def rows_of_networkx(
    graph: Any, weight: str | Callable[[Any, Any, Any], Any] | None
) -> tuple[Rows, list[Hashable]]:
    """Return the edges and the names of the nodes; see `from_networkx`."""
    if not (hasattr(graph, "adjacency") and hasattr(graph, "is_multigraph")):
        raise InvalidProblemError(f"{type(graph).__name__} is not a graph of networkx")
    names: list[Hashable] = list(graph)
    numbers = {name: number for number, name in enumerate(names)}
    tails, heads, costs, keys = array("I"), array("I"), list[Any](), list[Any]()
    attributes: dict[Any, None] = {}
    for tail, row in graph.adjacency():
        for head, data in row.items():
            for key, edge in data.items() if graph.is_multigraph() else ((None, data),):
                cost = weight(tail, head, edge) if callable(weight) else edge.get(weight, 1)
                if cost is None and callable(weight):
                    continue
                attributes.update(dict.fromkeys(edge))
                tails.append(numbers[tail])
                heads.append(numbers[head])
                keys.append(key)
                costs.append(1 if weight is None else checked_cost(tail, head, cost))
    if isinstance(weight, str) and weight != "weight" and weight not in attributes:
        known = f"edges have {', '.join(map(str, attributes))}" if attributes else "edges have no attributes"
        raise InvalidProblemError(
            f"no edge has the attribute {weight!r}; {known}; weight=None if each costs 1"
        )
    rows = rows_of(len(names), tails, heads, None if weight is None else packed(costs))
    if graph.is_multigraph():
        rows = evolve(rows, keys=keys)  # edges are grouped by tail
    return rows, names


def explicit_graph(
    edges: Iterable[Sequence[Any]],
    start: Any,
    goal: Any = (),
    coordinates: Mapping[Any, Sequence[float]] | None = None,
    heuristic: Heuristic = None,
) -> ExplicitGraph:
    """Return the problem of a list of edges.

    Args:
        edges: (tail, head, cost) for each edge, or (tail, head) if every edge costs 1.
        start: a node, or several in a list.
        goal: a node, or several in a list; none for a distance map.
        coordinates: node → (x, y) of every node, for the heuristic.
        heuristic: `straight-line`: the distance to the nearest goal times the least cost of an edge for a unit of
            distance, which is admissible and consistent; or another of `ExplicitGraph`.

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
    starts, goals = nodes_of(start, numbers), nodes_of(goal, numbers)
    for name in [*starts, *goals, *(coordinates or ())]:
        numbers.setdefault(name, len(numbers))  # a node without edges
    names = list(numbers)
    rows = rows_of(len(names), tails, heads, packed(costs) if costs else None)
    return ExplicitGraph(rows, names, starts, goals, _plane(names, coordinates), heuristic)


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
            place: Any = coordinates[name]  # type: ignore[call-overload]  # a sequence is asked for numbers only
        except LookupError:
            raise InvalidProblemError(
                f"node {name!r} has no coordinates; give (x, y) of every node, or no coordinates"
            ) from None
        try:
            x, y = map(float, place)
        except (TypeError, ValueError):
            x = y = inf
        if not (abs(x) <= LARGEST and abs(y) <= LARGEST):
            raise InvalidProblemError(
                f"the coordinates of node {name!r} are {place!r}; expected two numbers, (x, y)"
            )
        xs.append(x)
        ys.append(y)
    return Plane(xs, ys)
