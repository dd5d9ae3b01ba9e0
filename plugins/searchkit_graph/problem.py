"""The problem: a path through an explicit graph."""

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from attrs import evolve

from searchkit import ArrayLayout, Cost, SearchProblem
from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import InvalidOptionError, InvalidProblemError
from searchkit_graph.rows import Rows
from searchkit_graph.straight_line import Plane, StraightLine, least_rate

LONG = 64
"""In rows with more edges than this, edges are looked up in a dictionary."""
HEURISTICS = ("none", "straight-line")


class ExplicitGraph(SearchProblem[Any, Any]):
    """A graph without costs, where every edge costs 1. Subclasses have costs and heuristics; `make_graph` chooses one.

    A state is the name of a node. An action is the name of the head of an edge; of parallel edges, the second is
    (name, 2), the third (name, 3), and so on. Successors are returned in the order in which the edges were given.

    Args:
        rows: the edges between nodes, which are numbered from 0.
        names: the distinct names of the nodes; a range takes no memory.
        starts: the names of the start nodes, at least one.
        goals: the names of the goal nodes, any of which ends the search; none for a distance map.
        plane: the coordinates of the nodes, if they are known.
        straight_line: the heuristic as a function of node numbers; None for a problem without one.

    Raises:
        InvalidProblemError: two nodes have the same name, there is no start, or a start or a goal is not a node.

    """

    def __init__(
        self,
        rows: Rows,
        names: Sequence[Hashable],
        starts: Iterable[Hashable],
        goals: Iterable[Hashable] = (),
        plane: Plane | None = None,
        straight_line: StraightLine | None = None,
    ):
        self.rows, self.names, self.plane, self.straight_line = rows, names, plane, straight_line
        self.number = numbering(names)
        self._long: dict[int, dict[int, int]] = {}
        self._aim(starts, goals)

    def _aim(self, starts: Iterable[Hashable], goals: Iterable[Hashable]) -> None:
        self.starts, self.goals = tuple(dict.fromkeys(starts)), tuple(dict.fromkeys(goals))
        if not self.starts:
            raise InvalidProblemError("the graph has no start; give the name of a node, start=…")
        for what, nodes in (("start", self.starts), ("goal", self.goals)):
            for name in nodes:
                if find(self.number, name) is None:
                    raise InvalidProblemError(
                        f"the {what} {name!r} is not a node of the graph, {self.described()}"
                    )
        self._goals = frozenset(self.goals)
        self._from_starts: StraightLine | None = None

    def aimed(self, starts: Iterable[Hashable], goals: Iterable[Hashable]) -> "ExplicitGraph":
        """Return the problem with other starts and goals on the same graph.

        Raises the same errors as the constructor.
        """
        other = copy(self)
        other._aim(starts, goals)
        if self.straight_line is not None:
            other.straight_line = evolve(
                self.straight_line, goals=[self.number(goal) for goal in other.goals]
            )
        return other

    def initial_states(self) -> tuple[Any, ...]:
        """Return the starts in the order in which they were given."""
        return self.starts

    def goal_states(self) -> tuple[Any, ...]:
        """Return the goals in the order in which they were given."""
        return self.goals

    def is_goal(self, state: Any) -> bool:
        """Whether the node is one of the goals."""
        return state in self._goals

    def successors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return (action, head) of each edge that leaves a node."""
        rows, names, here = self.rows, self.names, self.number(state)
        heads = rows.heads[rows.begins[here] : rows.begins[here + 1]]
        if len(set(heads)) == len(heads):
            return [(name, name) for name in [names[head] for head in heads]]
        seen: dict[int, int] = {}
        found = []
        for head in heads:
            seen[head] = which = seen.get(head, 0) + 1
            found.append((names[head] if which == 1 else (names[head], which), names[head]))
        return found

    def predecessors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return (action, tail) of each edge that leads to a node."""
        into, here = self.rows.into, self.number(state)
        tails = self._tails
        found = []
        before, which = -1, 0
        for edge in into.heads[into.begins[here] : into.begins[here + 1]]:
            tail = tails[edge]  # in order, so parallel edges are adjacent
            which = which + 1 if tail == before else 1
            before = tail
            found.append((state if which == 1 else (state, which), self.names[tail]))
        return found

    @cached_property
    def _tails(self) -> "array[int]":
        return array("I", self.rows.tails())

    def edge(self, state: Any, action: Any, successor: Any) -> int:
        """Return the number of an edge. O(1) time, and O(k) more for the k-th of parallel edges."""
        rows, here, head = self.rows, self.number(state), self.number(successor)
        begin, end = rows.begins[here], rows.begins[here + 1]
        long = end - begin > LONG
        edge = self._first_edges(here)[head] if long else rows.heads.index(head, begin, end)
        if action != successor:
            for _ in range(action[1] - 1):
                edge = rows.heads.index(head, edge + 1, end)
        return edge

    def _first_edges(self, node: int) -> dict[int, int]:
        """Return head → first edge from a node to it."""
        if node not in self._long:
            begin, end = self.rows.begins[node], self.rows.begins[node + 1]
            self._long[node] = {self.rows.heads[edge]: edge for edge in range(end - 1, begin - 1, -1)}
        return self._long[node]

    def compiled(self) -> CompiledProblem:
        """Return the compiled view of the problem, which shares the arrays of edges.

        Raises `MissingExtraError` if Numba is not installed, and `MissingCapabilityError` if more than 65,534 edges
        leave a node.
        """
        from searchkit_graph.compiled import straight_line, straight_line_table

        rows, goals, table = self.rows, [self.number(goal) for goal in self.goals], None
        if self.straight_line is not None:
            plane = self.straight_line.plane
            table = straight_line_table(
                goals, self.straight_line.whole, self.straight_line.rate, plane.xs, plane.ys
            )
        return CompiledProblem(
            rows.compiled,
            pack=self.number,
            unpack=self.names.__getitem__,
            goals=goals,
            heuristic=None if table is None else straight_line,
            table=table,
            whole=self._whole,
        )

    def array_layout(self) -> ArrayLayout[Any]:
        """Return the layout of an array of the nodes, in the order of `names`."""
        return ArrayLayout(
            (len(self.names),),
            lambda name: (self.number(name),),
            whole=self._whole,
            strides=(1,),
            labels=self.names,
        )

    @property
    def _whole(self) -> bool:
        return self.rows.costs is None or self.rows.costs.typecode == "q"

    def steps(self, numbers: Sequence[int], edges: Sequence[int]) -> tuple[list[Any], list[Any]]:
        """Return the nodes with these numbers, and of all but the last the action at a place in its successors."""
        return [self.names[number] for number in numbers], list(map(self._action, numbers, edges))

    def _action(self, node: int, place: int) -> Any:
        """Return the action at a place in the successors of the node with a number."""
        rows = self.rows
        begin = rows.begins[node]
        head = rows.heads[begin + place]
        earlier = rows.heads[begin : begin + place].count(head)
        return (self.names[head], earlier + 1) if earlier else self.names[head]

    def described(self) -> str:
        """Return the number of nodes and the first names, for messages."""
        count = len(self.names)
        if not count:
            return "which has no nodes"
        first = ", ".join(repr(self.names[node]) for node in range(min(3, count)))
        return f"whose {count:,} nodes are {first}{', …' if count > 3 else ''}"

    def __repr__(self) -> str:
        places = ", ".join(
            f"{what} {' '.join(map(str, nodes[:3]))}{' …' if len(nodes) > 3 else ''}"
            for what, nodes in (("start", self.starts), ("goal", self.goals))
            if nodes
        )
        return f"<{type(self).__name__}: {len(self.names):,} nodes, {len(self.rows.heads):,} edges, {places}>"


class WeightedGraph(ExplicitGraph):
    """A graph with costs."""

    def cost(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the cost of the edge."""
        costs = self.rows.costs
        assert costs is not None  # `make_graph` chose this class because there are some
        return costs[self.edge(state, action, successor)]


class GuidedGraph(ExplicitGraph):
    """A graph with a heuristic."""

    def heuristic(self, state: Any) -> Cost:
        """Return the cost of a straight line to the nearest goal; see `StraightLine`."""
        assert self.straight_line is not None  # `make_graph` chose this class because there is one
        return self.straight_line(self.number(state))

    def backward_heuristic(self, state: Any) -> Cost:
        """Return the cost of a straight line from the nearest start, which is a bound in either direction."""
        assert self.straight_line is not None
        if self._from_starts is None:
            starts = [self.number(start) for start in self.starts]
            self._from_starts = evolve(self.straight_line, goals=starts)
        return self._from_starts(self.number(state))


class GuidedWeightedGraph(WeightedGraph, GuidedGraph):
    """A graph with costs and a heuristic."""


KINDS: dict[tuple[bool, bool], type[ExplicitGraph]] = {
    (False, False): ExplicitGraph,
    (True, False): WeightedGraph,
    (False, True): GuidedGraph,
    (True, True): GuidedWeightedGraph,
}


def make_graph(
    rows: Rows,
    names: Sequence[Hashable],
    starts: Iterable[Hashable],
    goals: Iterable[Hashable] = (),
    plane: Plane | None = None,
    heuristic: str | None = None,
) -> ExplicitGraph:
    """Return the problem on a graph, an instance of the class with its costs and its heuristic.

    Args:
        rows: the edges.
        names: the name of each node.
        starts: names of nodes, at least one.
        goals: names of nodes.
        plane: the coordinates of the nodes.
        heuristic: `straight-line`, `none`, or None for the straight line if it is a lower bound other than 0.

    Raises:
        InvalidProblemError: as for `ExplicitGraph`.
        InvalidOptionError: `heuristic` is `straight-line`, which is always 0 here.

    """
    goals = tuple(dict.fromkeys(goals))
    number, straight_line = numbering(names), None
    if heuristic == "straight-line" and plane is None:
        raise InvalidOptionError(
            "heuristic=straight-line: the nodes have no coordinates; give coordinates, or heuristic=none"
        )
    if plane is not None and heuristic != "none":
        rate = least_rate(rows, plane)
        if rate.least == 0 and rate.edge is not None and heuristic == "straight-line":
            tail, head = (names[node] for node in rate.edge)
            raise InvalidOptionError(
                f"heuristic=straight-line: the edge from {tail} to {head} costs 0 and leads to another place, so the "
                "distance between two places is not a lower bound on the cost; use heuristic=none"
            )
        if rate.least or heuristic:
            numbers = [found for goal in goals if (found := find(number, goal)) is not None]
            straight_line = StraightLine.of(rows, plane, numbers, rate)
    kind = KINDS[rows.costs is not None and len(rows.heads) > 0, straight_line is not None]
    return kind(rows, names, starts, goals, plane, straight_line)


def numbering(names: Sequence[Hashable]) -> Callable[[Any], int]:
    """Return the function name → number, which raises `KeyError` or `ValueError` for unknown names.

    Raises `InvalidProblemError` if a name is given twice.
    """
    if isinstance(names, range):
        return names.index
    numbers = {name: number for number, name in enumerate(names)}
    if len(numbers) < len(names):
        twice = next(name for number, name in enumerate(names) if numbers[name] != number)
        raise InvalidProblemError(f"two nodes are called {twice!r}; expected a name of its own for each")
    return numbers.__getitem__


def find(number: Callable[[Any], int], name: Any) -> int | None:
    """Return the number of a node; None if the name is unknown."""
    try:
        return number(name)
    except (LookupError, ValueError, TypeError):
        return None
