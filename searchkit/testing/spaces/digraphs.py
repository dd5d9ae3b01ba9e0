"""Weighted digraphs as search problems, written and read as one line of text, and problems with another heuristic."""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from attrs import field, frozen

from searchkit.errors import InvalidProblemError
from searchkit.problem import Cost, SearchProblem, has_cost
from searchkit.trace.file import read_number

States = Literal["int", "opaque"]
EDGE = re.compile(r"\s*(\d+)\s*(?:-(\S+?))?(?:→|->)\s*(\d+)\s*")
"""tail, cost or nothing, head."""


@frozen
class Edge:
    """An action from `tail` to `head`."""

    tail: int
    head: int
    cost: Cost | None = None
    """None in a graph without costs, where every action costs 1."""

    def __str__(self) -> str:
        return f"{self.tail} {'' if self.cost is None else f'-{_as_text(self.cost)}'}→ {self.head}"


@frozen
class Opaque:
    """A state that supports only equality and hashing."""

    node: int

    def __lt__(self, other: object) -> bool:
        raise TypeError(
            f"{self} and {other} have no order: put a number that is never used again before the state in a heap"
        )

    def __repr__(self) -> str:
        return f"Opaque({self.node})"


LABELS: Mapping[str, Callable[[int], Any]] = {"int": int, "opaque": Opaque}


@frozen(slots=False, repr=False)
class WeightedDigraph(SearchProblem[Any, int]):
    """A digraph with starts and goals: a state is a node, an action the index of the edge that it follows.

    It has costs if its edges have, and a heuristic if there is a table. It is `Reversible`.
    """

    edges: tuple[Edge, ...]
    starts: tuple[int, ...]
    goals: frozenset[int]
    table: Mapping[int, Cost] | None = field(default=None, hash=False)
    """Node → heuristic value, 0 for other nodes; None for a problem without a heuristic."""
    states: States | Callable[[int], Any] = "int"
    """The type of the states (see `digraph`), or node → state."""

    def __attrs_post_init__(self) -> None:
        own = {"cost": self._cost} if self.edges and self.edges[0].cost is not None else {}
        vars(self).update(own if self.table is None else {**own, "heuristic": self._estimate})

    def _cost(self, state: Any, action: int, successor: Any) -> Any:
        return self.edges[action].cost

    def _estimate(self, state: Any) -> Cost:
        assert self.table is not None
        return self.table.get(self._numbers.get(state, -1), 0)

    @property
    def nodes(self) -> tuple[int, ...]:
        """All nodes, in order."""
        ends = {node for edge in self.edges for node in (edge.tail, edge.head)}
        return tuple(sorted(ends | {*self.starts, *self.goals}))

    @cached_property
    def _labels(self) -> dict[int, Any]:
        """Node → state."""
        label = self.states if callable(self.states) else LABELS[self.states]
        return {node: label(node) for node in self.nodes}

    def state(self, node: int) -> Any:
        """Return the state of a node. Raises `KeyError` if the graph does not have the node."""
        return self._labels[node]

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        """State → node."""
        return {state: node for node, state in self._labels.items()}

    def node(self, state: Any) -> int:
        """Return the node of a state. Raises `KeyError` if it is not a state of this problem."""
        return self._numbers[state]

    @cached_property
    def _out(self) -> dict[Any, list[tuple[int, Any]]]:
        out: dict[Any, list[tuple[int, Any]]] = {}
        label = self._labels
        for index, edge in enumerate(self.edges):
            out.setdefault(label[edge.tail], []).append((index, label[edge.head]))
        return out

    @cached_property
    def _goals(self) -> frozenset[Any]:
        return frozenset(self._labels[goal] for goal in self.goals)

    def initial_states(self) -> tuple[Any, ...]:
        """Return the starts, in the order given."""
        return tuple(self._labels[start] for start in self.starts)

    def goal_states(self) -> list[Any]:
        """Return the goals, in the order of their nodes."""
        return [self._labels[goal] for goal in sorted(self.goals)]

    def is_goal(self, state: Any) -> bool:
        """Whether the node is one of the goals."""
        return state in self._goals

    def successors(self, state: Any) -> list[tuple[int, Any]]:
        """Return (index, head) of each edge out of a node."""
        return list(self._out.get(state, ()))

    def predecessors(self, state: Any) -> list[tuple[int, Any]]:
        """Return (index, tail) of each edge into a node."""
        head = self._numbers.get(state)
        return [
            (index, self._labels[edge.tail]) for index, edge in enumerate(self.edges) if edge.head == head
        ]

    def __repr__(self) -> str:
        edges = ", ".join(map(str, self.edges))
        parts = [f'digraph("{edges}"', f"starts={list(self.starts)}", f"goals={sorted(self.goals)}"]
        if self.table is not None:
            parts.append(f"heuristic={dict(self.table)}")
        if self.states != "int":
            parts.append(f"states={self.states!r}")
        return ", ".join(parts) + ")"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the repr in Hypothesis's reports instead of the fields."""
        printer.text(repr(self))


def digraph(
    edges: str | Iterable[Edge],
    starts: Iterable[int],
    goals: Iterable[int],
    heuristic: Mapping[int, Cost] | None = None,
    states: States | Callable[[int], Any] = "int",
) -> WeightedDigraph:
    """Return the problem on a digraph; its `repr` is a call of this function that makes an equal one.

    Args:
        edges: each as `tail -cost→ head` with commas between them, or as `Edge`s. A cost is an integer, a fraction
            such as `1/2` or a float such as `0.25`; `tail → head` is an edge of a graph in which every action costs
            1. `->` is allowed as an arrow, and so are parallel edges and self-loops.
        starts: nodes, numbered from 0.
        goals: nodes; none for a problem that can't be solved.
        heuristic: node → heuristic value, 0 for other nodes.
        states: the states of the nodes. `int`: the numbers. `opaque`: an object that has no order, such as
            `Opaque(3)`. A function: node → state.

    Raises:
        InvalidProblemError: an edge can't be read, or only some edges have costs, or `states` is unknown.

    Example:
        >>> from searchkit import solve
        >>> from searchkit.testing.spaces.digraphs import digraph
        >>> graph = digraph("0 -9→ 2, 0 -1→ 1, 1 -1/2→ 2", starts=[0], goals=[2], heuristic={0: 1})
        >>> graph
        digraph("0 -9→ 2, 0 -1→ 1, 1 -1/2→ 2", starts=[0], goals=[2], heuristic={0: 1})
        >>> solve(graph, "astar").cost
        Fraction(3, 2)

    """
    if not callable(states) and states not in LABELS:
        raise InvalidProblemError(f"states={states!r}: expected one of {', '.join(map(repr, LABELS))}")
    read = tuple(_edges(edges) if isinstance(edges, str) else edges)
    without = [edge for edge in read if edge.cost is None]
    if without and len(without) < len(read):
        raise InvalidProblemError(
            f"the edge {without[0]} has no cost, and others have one; give all edges a cost, or none"
        )
    return WeightedDigraph(read, tuple(starts), frozenset(goals), heuristic, states)


def _edges(text: str) -> Iterable[Edge]:
    for part in text.split(",") if text.strip() else ():
        match = EDGE.fullmatch(part)
        if match is None:
            raise InvalidProblemError(
                f"{part.strip()!r} is not an edge; expected tail -cost→ head such as 0 -3→ 1 or 0 -1/2→ 1, "
                "or 0 → 1 in a graph without costs"
            )
        yield Edge(int(match[1]), int(match[3]), None if match[2] is None else _number(match[2]))


def _number(text: str) -> Cost:
    """Return the number that a text represents: an integer, a fraction or a float."""
    try:
        return read_number(text)
    except (ValueError, ZeroDivisionError) as error:
        raise InvalidProblemError(f"{text!r} is not a number, such as 3, 1/2, 0.25 or inf") from error


def _as_text(cost: Cost) -> str:
    return f"{cost.numerator}/{cost.denominator}" if isinstance(cost, Fraction) else repr(cost)


class WithHeuristic:
    """The same problem with `values` as its heuristic: state → cost, 0 for other states.

    It has the capabilities of the problem, and costs if the problem has costs: its public members are those of the
    problem.
    """

    def __init__(self, problem: SearchProblem[Any, Any], values: Mapping[Any, Cost]):
        hidden = {"heuristic"} if has_cost(problem) else {"heuristic", "cost"}
        names = [name for name in dir(problem) if not name.startswith("_") and name not in hidden]
        self.__dict__.update({name: getattr(problem, name) for name in names})
        self.problem, self.values = problem, values

    def heuristic(self, state: Any) -> Cost:
        """Return the value of the table."""
        return self.values.get(state, 0)

    def __repr__(self) -> str:
        return f"{self.problem!r}\nheuristic: {self.values!r}"


def with_heuristic(problem: Any, values: Mapping[Any, Cost]) -> Any:
    """Return the problem with another heuristic, a table; a `WeightedDigraph` if it is one."""
    if isinstance(problem, WithHeuristic):
        problem = problem.problem
    if isinstance(problem, WeightedDigraph):
        table = {problem.node(state): cost for state, cost in values.items()}
        return digraph(problem.edges, problem.starts, problem.goals, table, problem.states)
    return WithHeuristic(problem, values)
