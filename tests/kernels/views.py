"""Weighted digraphs with compiled views of every form: rows of edges as data, and functions over a table of them."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numba
import numpy as np
from attrs import evolve, frozen

from searchkit.compiled.functions import TYPES, expand_function, goal_function, heuristic_function
from searchkit.compiled.view import CSR, CompiledProblem, Functions, MachineCode
from searchkit.errors import InexactError
from searchkit.testing import WeightedDigraph

SPREAD = 0x9E3779B97F4A7C15
"""Packed states are multiples of this odd number, spread over 64 bits; its inverse takes them back."""
INVERSE = pow(SPREAD, -1, 1 << 64)


@heuristic_function
def tabled(table: Any, state: Any) -> Any:
    """Return the heuristic value of a node: table = [number of nodes, heuristic values as bits, …]."""
    return table.view(np.float64)[1 + np.int64(state)]


@heuristic_function
def tabled_spread(table: Any, state: Any) -> Any:
    """Return the heuristic value of a spread state."""
    return table.view(np.float64)[1 + np.int64(state * np.uint64(INVERSE))]


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Look the goal up after the heuristic values."""
    return table[1 + table[0] + np.int64(state * np.uint64(INVERSE))] == 1


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Read the edges after the goals: for each node where they begin, then (head, cost as bits) pairs."""
    nodes = table[0]
    first = 1 + 2 * nodes
    node = np.int64(state * np.uint64(INVERSE))
    count = np.uint64(0)
    for edge in range(table[first + node], table[first + node + 1]):
        place = first + nodes + 1 + 2 * edge
        out_states[count] = np.uint64(table[place]) * np.uint64(SPREAD)
        out_costs[count] = table.view(np.float64)[place + 1]
        count += np.uint64(1)
    return count


@numba.njit
def node_of(state: Any) -> Any:
    """Return the node of a state of several words, which are its digits to base 3."""
    node = np.int64(0)
    for word in range(state.size):
        node = 3 * node + np.int64(state[state.size - 1 - word])
    return node


def wide(role: str) -> Callable[[Any], MachineCode]:
    """Return what compiles a function of states of several words."""

    def made(function: Any) -> MachineCode:
        code = numba.cfunc(TYPES[role, True])(function)
        return MachineCode(role, code.address, is_wide=True, owner=code)

    return made


@wide("heuristic")
def wide_tabled(table: Any, state: Any) -> Any:
    """Return the heuristic value of a node."""
    return table.view(np.float64)[1 + node_of(state)]


@wide("is_goal")
def wide_is_goal(table: Any, state: Any) -> Any:
    """Look the goal up after the heuristic values."""
    return table[1 + table[0] + node_of(state)] == 1


@wide("expand")
def wide_expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Read the edges as `expand` does."""
    nodes = table[0]
    first = 1 + 2 * nodes
    node = node_of(state)
    count = np.uint64(0)
    for edge in range(table[first + node], table[first + node + 1]):
        place = first + nodes + 1 + 2 * edge
        rest = table[place]
        for word in range(state.size - 1):
            out_states[count, word] = np.uint64(rest % 3)
            rest //= 3
        out_states[count, state.size - 1] = np.uint64(rest)
        out_costs[count] = table.view(np.float64)[place + 1]
        count += np.uint64(1)
    return count


def as_floats(numbers: Iterable[Any]) -> list[float]:
    """Return costs as a view takes them: floats, which are 2⁵³ for larger integers."""
    made = [min(number, 1 << 53) if isinstance(number, int) else number for number in numbers]
    if not all(isinstance(number, int | float) for number in made):
        raise InexactError("a cost is neither an integer nor a float")
    return [float(number) for number in made]


def rows_of(graph: WeightedDigraph) -> tuple[int, list[int], list[int], list[float]]:
    """Return how many nodes there are, where the edges of each begin, and their heads and costs."""
    nodes = max(graph.nodes, default=0) + 1
    begins, heads, costs = [0], list[int](), list[Any]()
    for node in range(nodes):
        for index, head in graph.successors(node):
            heads.append(head)
            costs.append(graph.edges[index].cost if graph.edges[index].cost is not None else 1)
        begins.append(len(heads))
    return nodes, begins, heads, as_floats(costs)


def estimates_of(graph: WeightedDigraph, nodes: int) -> Any:
    """Return the heuristic values as bits."""
    table = graph.table or {}
    return np.array(as_floats(table.get(node, 0) for node in range(nodes)), np.float64).view(np.int64)


def is_whole(graph: WeightedDigraph) -> bool:
    """Whether no number of the graph is a float."""
    numbers = [edge.cost for edge in graph.edges] + list((graph.table or {}).values())
    return not any(isinstance(number, float) and number != float("inf") for number in numbers)


def as_rows(graph: WeightedDigraph) -> CompiledProblem:
    """Return the graph as sparse rows."""
    nodes, begins, heads, costs = rows_of(graph)
    return CompiledProblem(
        CSR(begins, heads, costs),
        int,
        int,
        goals=sorted(graph.goals),
        heuristic=None if graph.table is None else tabled,
        table=np.concatenate([[nodes], estimates_of(graph, nodes)]),
        whole=is_whole(graph),
    )


def as_functions(graph: WeightedDigraph) -> CompiledProblem:
    """Return the graph as functions over states that are spread over 64 bits."""
    nodes, begins, heads, costs = rows_of(graph)
    edges = np.empty(2 * len(heads), np.int64)
    edges[::2], edges[1::2] = heads, np.array(costs, np.float64).view(np.int64)
    goals = [int(node in graph.goals) for node in range(nodes)]
    return CompiledProblem(
        Functions(expand, is_goal, max(1, len(heads))),
        lambda node: node * SPREAD % (1 << 64),
        lambda packed: packed * INVERSE % (1 << 64),
        heuristic=None if graph.table is None else tabled_spread,
        table=np.concatenate([[nodes], estimates_of(graph, nodes), goals, begins, edges]),
        whole=is_whole(graph),
    )


def as_words(graph: WeightedDigraph, words: int) -> CompiledProblem:
    """Return the graph as functions over states of several words; nodes differ only if all words are compared."""

    def pack(node: int) -> int:
        packed = 0
        for word in range(words - 1):
            node, digit = divmod(node, 3)
            packed |= digit << 64 * word
        return packed | node << 64 * (words - 1)

    def unpack(packed: int) -> int:
        return sum((packed >> 64 * word & 2**64 - 1) * 3**word for word in range(words))

    return evolve(
        as_functions(graph),
        graph=Functions(wide_expand, wide_is_goal, max(1, len(graph.edges))),
        pack=pack,
        unpack=unpack,
        heuristic=None if graph.table is None else wide_tabled,
        words=words,
    )


FORMS: dict[str, Callable[[WeightedDigraph], CompiledProblem]] = {
    "rows": as_rows,
    "functions": as_functions,
    "two words": partial(as_words, words=2),
    "four words": partial(as_words, words=4),
}


def compilable(graph: WeightedDigraph, form: str) -> WeightedDigraph:
    """Return the graph with a compiled view of that form."""
    return viewed(graph, cache(partial(FORMS[form], graph)))


def view_of(graph: WeightedDigraph, view: CompiledProblem) -> WeightedDigraph:
    """Return the graph with that compiled view, right or wrong."""
    return viewed(graph, lambda: view)


def viewed(graph: WeightedDigraph, view: Callable[[], CompiledProblem]) -> WeightedDigraph:
    """Return the graph with the compiled view that a function makes."""

    @frozen(slots=False, repr=False)
    class Viewed(type(graph)):  # type: ignore[misc]  # the subclass that has the costs and the heuristic
        def compiled(self) -> CompiledProblem:
            return view()

    return Viewed(graph.edges, graph.starts, graph.goals, graph.table)
