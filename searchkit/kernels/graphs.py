"""The three forms of a graph as a kernel sees them, and how each is expanded: the compiler inlines the one in use."""

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import types

from searchkit.compiled.functions import chosen_for
from searchkit.compiled.view import CSR, Functions, Stencil
from searchkit.kernels.bits import bits_set, lowest_bit

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
ANYHOW = 255
"""The place in `back` for a state that was reached by no move."""
MOST_MOVES = 32


class StencilArrays(NamedTuple):
    """`searchkit.compiled.view.Stencil`, as arrays."""

    masks: Any
    offsets: Any
    lengths: Any
    weights: Any
    back: Any
    """By the move that a state was reached by: the moves that do not lead back. None that does is ever cheaper."""
    sound: Any
    """Whether all costs are finite and ≥ 0."""


class CSRArrays(NamedTuple):
    """`searchkit.compiled.view.CSR`, as arrays."""

    indptr: Any
    indices: Any
    costs: Any
    sound: Any


class FunctionPointers(NamedTuple):
    """`searchkit.compiled.view.Functions`: two functions of fixed types."""

    expand: Any
    is_goal: Any
    sound: Any
    """False: costs are known when the function is called."""


_made: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
_largest: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
_branching: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def arrays_of(graph: Stencil | CSR | Functions) -> StencilArrays | CSRArrays | FunctionPointers:
    """Return the form of a graph that kernels take: the same one for the same graph."""
    if graph not in _made:
        _made[graph] = _arrays_of(graph)
    made: StencilArrays | CSRArrays | FunctionPointers = _made[graph]
    return made


def _arrays_of(graph: Stencil | CSR | Functions) -> StencilArrays | CSRArrays | FunctionPointers:
    if isinstance(graph, Stencil):
        offsets, lengths = np.array(graph.offsets, np.int64), np.array(graph.lengths, np.float64)
        back = np.full(ANYHOW + 1, 0xFFFFFFFF, np.uint32)
        for move, offset in enumerate(offsets):
            back[move] &= ~np.uint32(sum(1 << other for other in np.flatnonzero(offsets == -offset)))
        masks = graph.masks
        return StencilArrays(
            np.frombuffer(masks, getattr(masks, "dtype", np.uint8)),
            offsets,
            lengths,
            None if graph.weights is None else np.frombuffer(graph.weights, np.uint8),
            back,
            _sound(lengths),
        )
    if isinstance(graph, CSR):
        costs = np.asarray(graph.costs)
        costs = np.ascontiguousarray(costs, np.float32 if costs.dtype == np.float32 else np.float64)
        return CSRArrays(
            np.ascontiguousarray(graph.indptr, np.int64),
            np.ascontiguousarray(graph.indices, np.uint32),
            costs,
            _sound(costs),
        )
    return FunctionPointers(graph.expand, graph.is_goal, False)


def _sound(costs: Any) -> bool:
    return bool(((costs >= 0) & (costs < np.inf)).all())


def largest_cost(graph: Stencil | CSR | Functions) -> float:
    """Return the largest cost of an action; 0 where the graph is no data."""
    if graph not in _largest:
        arrays, largest = arrays_of(graph), 0.0
        if isinstance(arrays, StencilArrays):
            largest = float(arrays.lengths.max(initial=0)) * 255
        elif isinstance(arrays, CSRArrays):
            largest = float(arrays.costs.max(initial=0))
        _largest[graph] = largest
    return _largest[graph]


def branching_of(graph: Stencil | CSR | Functions) -> int:
    """Return the most successors that a state has, at least 1."""
    if isinstance(graph, Stencil):
        return len(graph.offsets)
    if isinstance(graph, CSR):
        if graph not in _branching:
            _branching[graph] = max(1, int(np.diff(arrays_of(graph)[0]).max(initial=0)))
        return _branching[graph]
    return graph.branching


def begin(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
    """Begin to expand a state: return how many actions lead from it, and from where to where `step` has to go.

    Those that lead back where the state was reached from may be skipped. For kernels only.
    """
    raise TypeError("searchkit.kernels.graphs.begin is called by compiled code only")


@chosen_for(begin)
def _begin(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
    form = graph.instance_class
    if form is StencilArrays:

        def stencil(
            graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any
        ) -> Any:
            mask = np.uint64(graph.masks[state])
            return (
                np.int64(bits_set(mask)),
                mask & np.uint64(graph.back[arrived_by & np.uint64(ANYHOW)]),
                ZERO,
            )

        return stencil
    if form is CSRArrays:

        def rows(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
            first, end = np.uint64(graph.indptr[state]), np.uint64(graph.indptr[state + ONE])
            return np.int64(end - first), first, end

        return rows

    def functions(
        graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any
    ) -> Any:
        count = graph.expand(table, state, out_states, out_costs)
        return np.int64(count), ZERO, np.uint64(count)

    return functions


def step(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
    """Return the number of a move, where it leads, what it costs, and where to go on. For kernels only."""
    raise TypeError("searchkit.kernels.graphs.step is called by compiled code only")


@chosen_for(step)
def _step(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
    form = graph.instance_class
    if form is StencilArrays:
        weightless = graph.types[graph.fields.index("weights")] is types.none

        def stencil(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
            move = lowest_bit(at)
            successor = state + np.uint64(graph.offsets[move])
            cost = graph.lengths[move] if weightless else graph.lengths[move] * graph.weights[successor]
            return move, successor, cost, at & (at - ONE)

        return stencil
    if form is CSRArrays:

        def rows(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
            return at - first, np.uint64(graph.indices[at]), np.float64(graph.costs[at]), at + ONE

        return rows

    def functions(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
        return at, out_states[at], out_costs[at], at + ONE

    return functions


def upto(graph: Any, state: Any, move: Any) -> Any:
    """Return how many actions there are up to a move, itself included. For kernels only."""
    raise TypeError("searchkit.kernels.graphs.upto is called by compiled code only")


@chosen_for(upto)
def _upto(graph: Any, state: Any, move: Any) -> Any:
    if graph.instance_class is StencilArrays:
        return lambda graph, state, move: np.int64(
            bits_set(np.uint64(graph.masks[state]) & ((TWO << move) - ONE))
        )
    return lambda graph, state, move: np.int64(move + ONE)


def expand(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Write the successors of a state and what each action costs; return how many there are. For kernels only."""
    raise TypeError("searchkit.kernels.graphs.expand is called by compiled code only")


@chosen_for(expand)
def _expand(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    if graph.instance_class is FunctionPointers:

        def functions(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
            return graph.expand(table, state, out_states, out_costs)

        return functions

    def data(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
        count, first, _ = begin(graph, table, state, np.uint64(ANYHOW), out_states, out_costs)
        at = first
        for index in range(count):
            _, out_states[index], out_costs[index], at = step(graph, state, first, at, out_states, out_costs)
        return count

    return data
