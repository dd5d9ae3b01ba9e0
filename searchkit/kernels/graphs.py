"""The three forms of a graph as a kernel sees them, and how each is expanded: the compiler inlines the one in use."""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from searchkit.compiled import CSR, Functions, Stencil
from searchkit.compiling import INLINED

ONE = np.uint64(1)


class StencilArrays(NamedTuple):
    """`searchkit.compiled.Stencil`, as arrays."""

    masks: Any
    offsets: Any
    lengths: Any
    weights: Any


class CSRArrays(NamedTuple):
    """`searchkit.compiled.CSR`, as arrays."""

    indptr: Any
    indices: Any
    costs: Any


class FunctionPointers(NamedTuple):
    """`searchkit.compiled.Functions`: two functions of fixed types."""

    expand: Any
    is_goal: Any


def arrays_of(graph: Stencil | CSR | Functions) -> StencilArrays | CSRArrays | FunctionPointers:
    """Return the form of a graph that kernels take."""
    if isinstance(graph, Stencil):
        return StencilArrays(
            np.frombuffer(graph.masks, np.uint8),
            np.array(graph.offsets, np.int64),
            np.array(graph.lengths, np.float64),
            np.frombuffer(graph.weights, np.uint8),
        )
    if isinstance(graph, CSR):
        return CSRArrays(
            np.ascontiguousarray(graph.indptr, np.int64),
            np.ascontiguousarray(graph.indices, np.uint32),
            np.ascontiguousarray(graph.costs, np.float64),
        )
    return FunctionPointers(graph.expand, graph.is_goal)


def branching_of(graph: Stencil | CSR | Functions) -> int:
    """Return the most successors that a state has, at least 1."""
    if isinstance(graph, Stencil):
        return len(graph.offsets)
    if isinstance(graph, CSR):
        return max(1, int(np.diff(graph.indptr).max(initial=0)))
    return graph.branching


def expand(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Write the successors of a state and what each action costs; return how many there are. For kernels only."""
    raise TypeError("searchkit.kernels.graphs.expand is called by compiled code only")


@overload(expand, jit_options=INLINED)
def _expand(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    form = graph.instance_class
    if form is StencilArrays:

        def stencil(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
            # No branch to mispredict: a move that is not open leads nowhere, and is written over.
            mask, count = np.uint64(graph.masks[state]), np.uint64(0)
            for move in range(np.uint64(graph.offsets.size)):
                is_open = (mask >> move) & ONE
                successor = state + np.uint64(graph.offsets[move]) * is_open
                out_states[count] = successor
                out_costs[count] = graph.lengths[move] * graph.weights[successor]
                count += is_open
            return count

        return stencil
    if form is CSRArrays:

        def rows(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
            begin, end = np.uint64(graph.indptr[state]), np.uint64(graph.indptr[state + ONE])
            for edge in range(begin, end):
                out_states[edge - begin] = graph.indices[edge]
                out_costs[edge - begin] = graph.costs[edge]
            return end - begin

        return rows

    def functions(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
        return graph.expand(table, state, out_states, out_costs)

    return functions


def neighbours(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Do what `expand` does; costs may be left unwritten. For kernels only."""
    raise TypeError("searchkit.kernels.graphs.neighbours is called by compiled code only")


@overload(neighbours, jit_options=INLINED)
def _neighbours(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    if graph.instance_class is StencilArrays:

        def stencil(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
            mask, count = np.uint64(graph.masks[state]), np.uint64(0)
            for move in range(np.uint64(graph.offsets.size)):
                out_states[count] = state + np.uint64(graph.offsets[move])
                count += (mask >> move) & ONE
            return count

        return stencil

    def others(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
        return expand(graph, table, state, out_states, out_costs)

    return others
