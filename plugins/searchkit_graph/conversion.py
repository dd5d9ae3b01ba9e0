"""Graphs of other libraries as search problems. This module imports neither scipy nor networkx."""

from array import array
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any, TypeAlias

from searchkit.plugin import InvalidProblemError
from searchkit_graph.network import MOST, Costs, EdgeList, Network, Places
from searchkit_graph.problem import ExplicitGraph

Heuristic: TypeAlias = str | Callable[..., Any] | None


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
    begins, heads = rows.indptr.astype("int64").tobytes(), rows.indices.astype("uint32").tobytes()
    network = Network(range(nodes), array("q", begins), array("I", heads), _costs(rows.data))
    return _problem(network, nodes_of(start), nodes_of(goal), coordinates, heuristic)


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
    code, kind = ("d", "float64") if data.dtype.kind == "f" else ("q", "int64")
    return array(code, data.astype(kind).tobytes())


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
    network = network_of_networkx(graph, weight)
    return _problem(network, nodes_of(start, graph), nodes_of(goal, graph), coordinates, heuristic)


def network_of_networkx(graph: Any, weight: str | Callable[[Any, Any, Any], Any] | None) -> Network:
    """Return the edges and the names of the nodes; see `from_networkx`."""
    if not (hasattr(graph, "adjacency") and hasattr(graph, "is_multigraph")):
        raise InvalidProblemError(f"{type(graph).__name__} is not a graph of networkx")
    read = EdgeList({name: number for number, name in enumerate(graph)})
    attributes: dict[Any, None] = {}
    for tail, row in graph.adjacency():
        for head, data in row.items():
            for key, edge in data.items() if graph.is_multigraph() else ((None, data),):
                cost = weight(tail, head, edge) if callable(weight) else edge.get(weight, 1)
                if cost is None and callable(weight):
                    continue
                attributes.update(dict.fromkeys(edge))
                read.add(tail, head, None if weight is None else checked_cost(tail, head, cost), key)
    if isinstance(weight, str) and weight != "weight" and weight not in attributes:
        known = f"edges have {', '.join(map(str, attributes))}" if attributes else "edges have no attributes"
        raise InvalidProblemError(
            f"no edge has the attribute {weight!r}; {known}; weight=None if each costs 1"
        )
    return read.network(keyed=graph.is_multigraph())


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
    read = EdgeList()
    for edge in edges:
        if len(edge) not in (2, 3) or (read.tails and (len(edge) == 3) != bool(read.costs)):
            raise InvalidProblemError(
                f"the edge is {edge!r}; expected (tail, head, cost) for all edges, or (tail, head) for all"
            )
        read.add(edge[0], edge[1], checked_cost(*edge) if len(edge) == 3 else None)
    starts, goals = nodes_of(start, read.numbers), nodes_of(goal, read.numbers)
    for name in [*starts, *goals, *(coordinates or ())]:
        read.node(name)  # it may have no edges
    return _problem(read.network(), starts, goals, coordinates, heuristic)


def _problem(
    network: Network,
    starts: Iterable[Hashable],
    goals: Iterable[Hashable],
    coordinates: Places | None,
    heuristic: Heuristic,
) -> ExplicitGraph:
    name, function = (None, heuristic) if callable(heuristic) else (heuristic, None)
    return ExplicitGraph(network.located(coordinates), tuple(starts), tuple(goals), name, function)


def nodes_of(value: Any, known: Container[Any] = ()) -> tuple[Hashable, ...]:
    """Read names of nodes: one, or several in an iterable that is neither a text nor one of the `known` names.

    Raises `TypeError` for names that can't be hashed.
    """
    one = isinstance(value, str) or not isinstance(value, Iterable)
    if not one and isinstance(value, Hashable):
        with suppress(TypeError):  # a tuple may hold what has no hash
            one = value in known
    return (value,) if one else tuple(dict.fromkeys(value))


def checked_cost(tail: Hashable, head: Hashable, cost: Any) -> int | float:
    """Return a cost as an integer or a float. Raises `InvalidProblemError` if it is not a finite number ≥ 0."""
    try:
        number: int | float = cost if isinstance(cost, int | float) else cost.item()  # of numpy
        fits = 0 <= number < inf and (isinstance(number, float) or number <= MOST)
    except (AttributeError, TypeError, ValueError):
        fits = False
    if not fits:
        raise InvalidProblemError(
            f"the edge from {tail!r} to {head!r} costs {cost!r}; expected a float, or an integer ≤ {MOST}, ≥ 0"
        )
    return number
