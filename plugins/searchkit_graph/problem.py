"""The problem: a path through an explicit graph."""

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from functools import cached_property
from inspect import signature
from typing import Any, TypeAlias

from searchkit import ArrayLayout, Cost, SearchProblem
from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import InvalidOptionError, InvalidProblemError
from searchkit_graph.rows import Rows
from searchkit_graph.straight_line import Plane, StraightLine, least_rate

LONG = 64
"""In rows with more edges than this, edges are looked up in a dictionary."""
HEURISTICS = ("none", "straight-line")
Heuristic: TypeAlias = str | Callable[..., Any] | None


class ExplicitGraph(SearchProblem[Any, Any]):
    """A path through a graph. `cost` and the heuristics are None where the graph has none: then every edge costs 1.

    A state is the name of a node. An action is the name of the head of an edge; of parallel edges, the second is
    (name, 2), the third (name, 3), and so on, or, if edges have keys, each is (name, key). Successors are returned in
    the order in which the edges were given.

    Args:
        rows: the edges between nodes, which are numbered from 0.
        names: the distinct names of the nodes; a range takes no memory.
        starts: the names of the start nodes, at least one.
        goals: the names of the goal nodes, any of which ends the search; none for a distance map.
        plane: the coordinates of the nodes, if they are known.
        heuristic: `straight-line`; `none`; a function of a node, or of a node and a goal; or None for the straight line
            if it is a lower bound other than 0.

    Raises:
        InvalidProblemError: two nodes have the same name, there is no start, or a start or a goal is not a node.
        InvalidOptionError: `heuristic` is something else, or the straight line is always 0 here.

    """

    def __init__(
        self,
        rows: Rows,
        names: Sequence[Hashable],
        starts: Iterable[Hashable],
        goals: Iterable[Hashable] = (),
        plane: Plane | None = None,
        heuristic: Heuristic = None,
    ):
        self.rows, self.names, self.plane = rows, names, plane
        self.number = numbering(names)
        self.function = _function_of_goals(heuristic) if callable(heuristic) else None
        self.straight_line = None if callable(heuristic) else _straight_line(rows, names, plane, heuristic)
        self._long: dict[int, dict[int, int]] = {}
        missing = ["cost"] if rows.costs is None or not rows.heads else []
        if self.straight_line is None:
            missing += ["backward_heuristic"] if self.function else ["heuristic", "backward_heuristic"]
        vars(self).update(dict.fromkeys(missing))
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
        self._goal_numbers, self._start_numbers = (
            [self.number(name) for name in names] for names in (self.goals, self.starts)
        )

    def aimed(self, starts: Iterable[Hashable], goals: Iterable[Hashable]) -> "ExplicitGraph":
        """Return the problem with other starts and goals on the same graph.

        Raises the same errors as the constructor.
        """
        other = copy(self)
        other._aim(starts, goals)
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

    def cost(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the cost of the edge."""
        costs = self.rows.costs
        assert costs is not None  # else `cost` is None
        return costs[self.edge(state, action, successor)]

    def heuristic(self, state: Any) -> Cost:
        """Return the cost of a straight line to the nearest goal (see `StraightLine`), or what the function returns."""
        if self.straight_line is None:
            assert self.function is not None  # else `heuristic` is None
            return self.function(state, self.goals)  # type: ignore[no-any-return]  # engines check it
        return self.straight_line(self.number(state), self._goal_numbers)

    def backward_heuristic(self, state: Any) -> Cost:
        """Return the cost of a straight line from the nearest start, which is a bound in either direction."""
        assert self.straight_line is not None
        return self.straight_line(self.number(state), self._start_numbers)

    def successors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return (action, head) of each edge that leaves a node."""
        here, names = self.number(state), self.names
        heads = self.rows.heads[self.rows.begins[here] : self.rows.begins[here + 1]]
        return list(zip(self._actions(here), [names[head] for head in heads], strict=True))

    def _actions(self, node: int) -> list[Any]:
        """Return the action of each edge that leaves a node."""
        rows, begin = self.rows, self.rows.begins[node]
        heads = rows.heads[begin : rows.begins[node + 1]]
        names = [self.names[head] for head in heads]
        if len(set(heads)) == len(heads):
            return names
        if rows.keys is not None:
            keys = rows.keys[begin : rows.begins[node + 1]]
            often = Counter(heads)
            return [
                (name, key) if often[head] > 1 else name
                for name, head, key in zip(names, heads, keys, strict=True)
            ]
        seen: Counter[int] = Counter()
        found: list[Any] = []
        for name, head in zip(names, heads, strict=True):
            seen[head] += 1
            found.append(name if seen[head] == 1 else (name, seen[head]))
        return found

    def predecessors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return (action, tail) of each edge that leads to a node."""
        rows, here = self.rows, self.number(state)
        edges = rows.into.heads[rows.into.begins[here] : rows.into.begins[here + 1]]
        tails = [self._tails[edge] for edge in edges]
        if len(set(tails)) == len(tails):
            return [(state, self.names[tail]) for tail in tails]
        return [
            (self._actions(tail)[edge - rows.begins[tail]], self.names[tail])
            for edge, tail in zip(edges, tails, strict=True)
        ]

    @cached_property
    def _tails(self) -> "array[int]":
        return array("I", self.rows.tails())

    def edge(self, state: Any, action: Any, successor: Any) -> int:
        """Return the number of an edge. O(1) time for the first of parallel edges, O(edges of the node) for others."""
        rows, here, head = self.rows, self.number(state), self.number(successor)
        begin, end = rows.begins[here], rows.begins[here + 1]
        if action != successor:
            return begin + self._actions(here).index(action)
        return self._first_edges(here)[head] if end - begin > LONG else rows.heads.index(head, begin, end)

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

        goals, line, table = self._goal_numbers, self.straight_line, None
        if line is not None:
            table = straight_line_table(goals, line.whole, line.rate, line.plane.xs, line.plane.ys)
        return CompiledProblem(
            self.rows.compiled,
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
        actions = [self._actions(node)[place] for node, place in zip(numbers, edges, strict=False)]
        return [self.names[number] for number in numbers], actions

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


def _straight_line(
    rows: Rows, names: Sequence[Hashable], plane: Plane | None, heuristic: Any
) -> StraightLine | None:
    """Return the straight line as a heuristic; None if it is not asked for, or always 0."""
    if heuristic not in (None, *HEURISTICS):
        raise InvalidOptionError(
            f"heuristic={heuristic!r}: expected straight-line, none, or a function of a node, or of a node and a goal"
        )
    if plane is None:
        if heuristic == "straight-line":
            raise InvalidOptionError(
                "heuristic=straight-line: the nodes have no coordinates; give coordinates, or heuristic=none"
            )
        return None
    if heuristic == "none":
        return None
    rate = least_rate(rows, plane)
    if rate.least == 0 and rate.edge is not None and heuristic == "straight-line":
        tail, head = (names[node] for node in rate.edge)
        raise InvalidOptionError(
            f"heuristic=straight-line: the edge from {tail} to {head} costs 0 and leads to another place, so the "
            "distance between two places is not a lower bound on the cost; use heuristic=none"
        )
    return StraightLine.of(rows, plane, rate) if rate.least or heuristic else None


def _function_of_goals(function: Callable[..., Any]) -> Callable[[Any, Sequence[Any]], Any]:
    """Return (node, goals) → the heuristic value, for a function of a node, or of a node and a goal as in networkx."""
    try:
        signature(function).bind(None)
    except TypeError:
        return lambda node, goals: min((function(node, goal) for goal in goals), default=0)
    except ValueError:  # some functions of C have no signature
        pass
    return lambda node, goals: function(node)


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
