"""The problem: a path through an explicit graph."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from inspect import signature
from typing import Any

from attrs import field

from searchkit import ArrayLayout, Cost, SearchProblem
from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import InvalidOptionError, InvalidProblemError, option, with_options
from searchkit_graph.network import Network, StraightLine


@with_options
class ExplicitGraph(SearchProblem[Any, Any]):
    """A path through a graph. `cost` and the heuristics are None where the graph has none: then every edge costs 1.

    A state is the name of a node. An action is the name of the head of an edge; of parallel edges, the second is
    (name, 2), the third (name, 3), and so on, or, if edges have keys, each is (name, key). Successors are returned in
    the order in which the edges were given.

    Raises:
        InvalidProblemError: there is no start, or a start or a goal is not a node.
        InvalidOptionError: `heuristic` is not one, or the straight line is always 0 here.

    """

    network: Network = field()
    """The graph, shared between problems."""
    starts: Sequence[Any] = field(converter=lambda names: tuple(dict.fromkeys(names)))
    """The names of the start nodes, at least one."""
    goals: Sequence[Any] = field(default=(), converter=lambda names: tuple(dict.fromkeys(names)))
    """The names of the goal nodes, any of which ends the search; none for a distance map."""
    heuristic_name: str | None = option(
        "straight-line (needs coordinates; admissible: scaled by the least cost of a unit of distance), none, or in "
        "Python a function of a node, or of a node and a goal; by default straight-line if coordinates are given and "
        "it is a lower bound other than 0",
        default=None,
        choices=("none", "straight-line"),
        alias="heuristic",
    )
    function: Callable[..., Any] | None = field(default=None)
    """A function of a node, or of a node and a goal, in place of the straight line."""

    def __attrs_post_init__(self) -> None:
        if not self.starts:
            raise InvalidProblemError("the graph has no start; give the name of a node, start=…")
        names = self.network.names
        for what, nodes in (("start", self.starts), ("goal", self.goals)):
            for name in nodes:
                if self.network.find(name) is None:
                    some = ", ".join(map(repr, names[:3])) + ", …" * (len(names) > 3)
                    known = f"whose {len(names):,} nodes are {some}" if names else "which has no nodes"
                    raise InvalidProblemError(f"the {what} {name!r} is not a node of the graph, {known}")
        missing = ["cost"] * (self.network.costs is None or not self.network.heads)
        if self.straight_line is None:
            missing += ["backward_heuristic"] if self.function else ["heuristic", "backward_heuristic"]
        vars(self).update(dict.fromkeys(missing))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments; everything else is computed again."""
        return type(self), (self.network, self.starts, self.goals, self.heuristic_name, self.function)

    @cached_property
    def straight_line(self) -> StraightLine | None:
        """The straight line as the heuristic; None if it is not asked for, or always 0."""
        if self.function is not None or self.heuristic_name == "none":
            return None
        line, asked = self.network.straight_line, self.heuristic_name is not None
        if asked and line is None:
            raise InvalidOptionError(
                "heuristic=straight-line: the nodes have no coordinates; give coordinates, or heuristic=none"
            )
        if asked and line is not None and line.rate == 0 and line.edge is not None:
            tail, head = (self.network.names[node] for node in line.edge)
            raise InvalidOptionError(
                f"heuristic=straight-line: the edge from {tail} to {head} costs 0 and leads to another place, so the "
                "distance between two places is not a lower bound on the cost; use heuristic=none"
            )
        return line if line is not None and (line.rate or asked) else None

    @cached_property
    def _guess(self) -> Callable[[Any], Any]:
        """The function as one of a node."""
        function, goals = self.function, self.goals
        assert function is not None  # else `heuristic` is the straight line, or None
        try:
            signature(function).bind(None)
        except TypeError:  # it takes two arguments, as in networkx
            return lambda node: min((function(node, goal) for goal in goals), default=0)
        except ValueError:  # some functions of C have no signature
            pass
        return function

    @cached_property
    def _goals(self) -> frozenset[Any]:
        return frozenset(self.goals)

    def aimed(self, starts: Iterable[Hashable], goals: Iterable[Hashable]) -> "ExplicitGraph":
        """Return the problem with other starts and goals on the same graph.

        Raises the same errors as the constructor.
        """
        return type(self)(self.network, tuple(starts), tuple(goals), self.heuristic_name, self.function)

    def initial_states(self) -> Sequence[Any]:
        """Return the starts in the order in which they were given."""
        return self.starts

    def goal_states(self) -> Sequence[Any]:
        """Return the goals in the order in which they were given."""
        return self.goals

    def is_goal(self, state: Any) -> bool:
        """Whether the node is one of the goals."""
        return state in self._goals

    def cost(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the cost of the edge."""
        network = self.network
        assert network.costs is not None  # else `cost` is None
        return network.costs[network.edge(network.number(state), action, network.number(successor))]

    def heuristic(self, state: Any) -> Cost:
        """Return the cost of a straight line to the nearest goal (see `StraightLine`), or what the function returns."""
        if self.straight_line is None:
            return self._guess(state)  # type: ignore[no-any-return]  # engines check it
        number = self.network.number
        return self.straight_line(number(state), map(number, self.goals))

    def backward_heuristic(self, state: Any) -> Cost:
        """Return the cost of a straight line from the nearest start, which is a bound in either direction."""
        assert self.straight_line is not None
        number = self.network.number
        return self.straight_line(number(state), map(number, self.starts))

    def successors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return (action, head) of each edge that leaves a node."""
        network = self.network
        here, names = network.number(state), network.names
        heads = network.heads[network.begins[here] : network.begins[here + 1]]
        return list(zip(network.actions(here), [names[head] for head in heads], strict=True))

    def predecessors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return (action, tail) of each edge that leads to a node."""
        network, here = self.network, self.network.number(state)
        edges = network.into.heads[network.into.begins[here] : network.into.begins[here + 1]]
        return [
            (network.actions(tail)[edge - network.begins[tail]], network.names[tail])
            for edge, tail in ((edge, network.tails[edge]) for edge in edges)
        ]

    def compiled(self) -> CompiledProblem:
        """Return the compiled view of the problem, which shares the arrays of edges.

        Raises `MissingExtraError` if Numba is not installed, and `MissingCapabilityError` if more than 65,534 edges
        leave a node.
        """
        from searchkit_graph.compiled import looked_up, values_of

        line, goals = self.straight_line, list(map(self.network.number, self.goals))
        return CompiledProblem(
            self.network.compiled,
            pack=self.network.number,
            unpack=self.network.names.__getitem__,
            goals=goals,
            heuristic=None if line is None else looked_up,
            table=None if line is None else values_of(line, goals),
            whole=self.network.whole,
        )

    def array_layout(self) -> ArrayLayout[Any]:
        """Return the layout of an array of the nodes, in the order of their names in `network`."""
        names, number = self.network.names, self.network.number
        return ArrayLayout(
            (len(names),), lambda name: (number(name),), whole=self.network.whole, strides=(1,), labels=names
        )

    def __repr__(self) -> str:
        places = ", ".join(
            f"{what} {' '.join(map(str, nodes[:3]))}{' …' if len(nodes) > 3 else ''}"
            for what, nodes in (("start", self.starts), ("goal", self.goals))
            if nodes
        )
        nodes, edges = len(self.network.names), len(self.network.heads)
        return f"<{type(self).__name__}: {nodes:,} nodes, {edges:,} edges, {places}>"
