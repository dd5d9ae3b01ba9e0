"""A graph as arrays: its edges in compressed sparse rows, and the names and the coordinates of its nodes."""

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from math import inf, sqrt
from operator import le
from sys import float_info
from typing import Any, TypeAlias

from attrs import Factory, define, evolve, frozen

from searchkit import Cost
from searchkit.compiled.view import CSR
from searchkit.plugin import InvalidProblemError

Costs: TypeAlias = "array[int] | array[float] | None"
"""The cost of each edge: integers (type code q), floats (d), or None if every edge costs 1."""
Places: TypeAlias = Mapping[Any, Sequence[float]] | Sequence[Sequence[float]]
"""Node → (x, y)."""
MOST = 2**63 - 1
"""The largest integer cost."""
MAX_SCANNED, MAX_KEPT = 32, 64
"""Up to so many edges of a node are scanned for one; of others, those of so many nodes are kept by action."""
LARGEST, SMALLEST = 1e150, 1e-150
"""The range in which the squares of distances are precise enough."""
SAFE = 1 - 2**-30
"""The factor for the cost of a unit of distance that keeps rounding errors from making the heuristic inadmissible."""
Plane: TypeAlias = tuple["array[float]", "array[float]"]
"""The x and the y of each node."""


@frozen(eq=False)
class StraightLine:
    """The heuristic of a graph whose nodes have coordinates: the cost of a straight line to the nearest goal.

    No edge costs less than `rate` times the distance between its ends, and the distance to the goal is at most the sum
    of the distances on a path (triangle inequality). So the heuristic is admissible and consistent. This still holds if
    it is rounded down to an integer for integer costs.
    """

    plane: Plane
    rate: float
    """Slightly less than the least cost of a unit of distance; 0 if no edge joins nodes with different coordinates."""
    whole: bool
    edge: tuple[int, int] | None
    """Tail and head of an edge with this rate."""

    def __call__(self, node: int, goals: Iterable[int]) -> Cost:
        """Return the heuristic value of a node. O(goals)."""
        xs, ys = self.plane
        x, y = xs[node], ys[node]
        squares = [(x - xs[goal]) * (x - xs[goal]) + (y - ys[goal]) * (y - ys[goal]) for goal in goals]
        # Infinity would say that no goal can be reached.
        cost = min(self.rate * sqrt(min(squares, default=0)), float_info.max)
        return int(cost) if self.whole else cost


@frozen(eq=False, slots=False, getstate_setstate=True)
class Network:
    """Edges numbered from 0; those that leave node i are `begins[i]` up to, not including, `begins[i + 1]`.

    The arrays are of the standard library, so ten million edges fit into memory without numpy, and numpy can read them
    in place. Problems with other starts and goals share them.
    """

    names: Sequence[Hashable]
    """The distinct names of the nodes; a range takes no memory."""
    begins: "array[int]"
    """Type code q; one element more than there are nodes."""
    heads: "array[int]"
    """Type code I: the head of each edge."""
    costs: Costs = None
    keys: Sequence[Hashable] | None = None
    """The key of each edge, which tells parallel edges apart; None if they are numbered."""
    plane: Plane | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        one, two = ((n.begins, n.heads, n.costs, n.keys, n.plane, list(n.names)) for n in (self, other))
        return one == two

    def __hash__(self) -> int:
        return hash((len(self.names), len(self.heads)))

    @property
    def whole(self) -> bool:
        """Whether costs are integers."""
        return self.costs is None or self.costs.typecode == "q"

    @cached_property
    def number(self) -> Callable[[Any], int]:
        """The function name → number, which raises `KeyError` or `ValueError` for unknown names."""
        if isinstance(self.names, range):
            return self.names.index
        return {name: number for number, name in enumerate(self.names)}.__getitem__

    def find(self, name: Any) -> int | None:
        """Return the number of a node; None if the name is unknown."""
        try:
            return self.number(name)
        except (LookupError, ValueError, TypeError):
            return None

    @cached_property
    def tails(self) -> "array[int]":
        """The tail of each edge. O(edges)."""
        tails = array("I")
        for node, (begin, end) in enumerate(zip(self.begins, islice(self.begins, 1, None), strict=False)):
            tails.extend([node] * (end - begin))
        return tails

    @cached_property
    def into(self) -> "Network":
        """The edges grouped by head: its `heads` are numbers of edges, in order. O(nodes + edges)."""
        return network_of(self.names, self.heads, range(len(self.heads)))

    @cached_property
    def actions(self) -> Callable[[int], list[Any]]:
        """The function node → the action of each edge that leaves it, which keeps its last values."""
        return lru_cache(MAX_KEPT)(self._actions)

    def _actions(self, node: int) -> list[Any]:
        edges = slice(self.begins[node], self.begins[node + 1])
        names = [self.names[head] for head in self.heads[edges]]
        often = Counter(names)
        if len(often) == len(names):
            return names
        if self.keys is not None:
            pairs = zip(names, self.keys[edges], strict=True)
            return [(name, key) if often[name] > 1 else name for name, key in pairs]
        seen: Counter[Hashable] = Counter()
        for place, name in enumerate(names):
            seen[name] += 1
            names[place] = name if seen[name] == 1 else (name, seen[name])
        return names

    def edge(self, node: int, action: Any, head: int) -> int:
        """Return the number of an edge, in constant time if many leave the node and the last calls were of this one."""
        begin, end = self.begins[node], self.begins[node + 1]
        if end - begin <= MAX_SCANNED and action == self.names[head]:
            return self.heads.index(head, begin, end)
        return self._edges(node)[action, head]

    @cached_property
    def _edges(self) -> Callable[[int], dict[tuple[Any, int], int]]:
        """The function node → (action, head) → edge, which keeps its last values."""

        @lru_cache(MAX_KEPT)
        def edges(node: int) -> dict[tuple[Any, int], int]:
            begin, end = self.begins[node], self.begins[node + 1]
            pairs = zip(self.actions(node), self.heads[begin:end], strict=True)
            return {pair: edge for edge, pair in enumerate(pairs, begin)}

        return edges

    @cached_property
    def straight_line(self) -> StraightLine | None:
        """The straight line as a heuristic, which may be always 0; None without coordinates. O(edges)."""
        if self.plane is None:
            return None
        (xs, ys), least, edge = self.plane, inf, None
        costs = self.costs or [1] * len(self.heads)
        for tail, head, cost in zip(self.tails, self.heads, costs, strict=True):
            across, up = xs[tail] - xs[head], ys[tail] - ys[head]
            if across == up == 0:
                continue  # the edge covers no distance
            distance = sqrt(across * across + up * up)
            rate = cost / distance if distance >= SMALLEST else 0.0
            if rate < least:
                least, edge = rate, (tail, head)
        return StraightLine(self.plane, 0.0 if edge is None else least * SAFE, self.whole, edge)

    @cached_property
    def compiled(self) -> CSR:
        """The edges for compiled engines. Raises `MissingCapabilityError` if too many edges leave a node."""
        from searchkit_graph.compiled import compiled_rows

        return compiled_rows(self)

    def located(self, places: Places | None) -> "Network":
        """Return the graph with coordinates of its nodes.

        Raises `InvalidProblemError` if a node has none, or they are not two numbers.
        """
        if places is None:
            return self
        xs, ys = array("d"), array("d")
        for name in self.names:
            try:
                place: Any = places[name]  # type: ignore[call-overload]  # a sequence is asked for numbers only
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
        return evolve(self, plane=(xs, ys))


def network_of(
    names: Sequence[Hashable],
    tails: Sequence[int],
    heads: Sequence[int],
    costs: Costs = None,
    keys: Sequence[Hashable] | None = None,
) -> Network:
    """Return the graph of a list of edges; edges of one node keep their order. O(nodes + edges)."""
    count = [0] * (len(names) + 1)
    for tail in tails:
        count[tail + 1] += 1
    begins = array("q", accumulate(count))
    if all(map(le, tails, islice(tails, 1, None))):  # the edges are grouped by tail, as in most files
        return Network(names, begins, array("I", heads), costs, keys)
    order = sorted(range(len(tails)), key=tails.__getitem__)
    ordered = None if costs is None else array(costs.typecode, map(costs.__getitem__, order))
    moved = array("I", map(heads.__getitem__, order))
    return Network(names, begins, moved, ordered, keys and [keys[edge] for edge in order])


@define
class EdgeList:
    """The edges of a graph while it is read."""

    numbers: dict[Any, int] = Factory(dict)
    """Name → number of the node."""
    tails: "array[int]" = Factory(lambda: array("I"))
    heads: "array[int]" = Factory(lambda: array("I"))
    costs: list[int | float] = Factory(list)
    """The cost of each edge; empty if every edge costs 1."""
    keys: list[Hashable] = Factory(list)

    def node(self, name: Hashable) -> int:
        """Return the number of a node, which may be a new one."""
        return self.numbers.setdefault(name, len(self.numbers))

    def add(self, tail: Hashable, head: Hashable, cost: float | None, key: Hashable = None) -> None:
        """Add an edge."""
        self.tails.append(self.node(tail))
        self.heads.append(self.node(head))
        self.keys.append(key)
        if cost is not None:
            self.costs.append(cost)

    def network(self, keyed: bool = False) -> Network:
        """Return the graph. Costs are integers if all are integers."""
        code = "q" if all(isinstance(cost, int) for cost in self.costs) else "d"
        costs = array(code, self.costs) if self.costs else None
        return network_of(list(self.numbers), self.tails, self.heads, costs, self.keys if keyed else None)
