"""The graph and the heuristic of a view as kernels take them; the compiler inlines the form in use."""

from math import inf
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import types

from searchkit.basics.rounding import SPARE, UNIT
from searchkit.compiled.functions import call_expand, call_goal, call_heuristic, kernel
from searchkit.compiled.inlining import bits_set, lowest_bit
from searchkit.compiled.kit.state import as_number, as_words, check_words, state_array
from searchkit.compiled.variants import variants
from searchkit.compiled.view import CSR, CompiledProblem, Functions, GridDistance, Stencil
from searchkit.errors import InexactError

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
ROUNDING = float(UNIT) * SPARE / 2
"""By what part of a path's cost the heuristic may exceed the rest of it: half of what is allowed; rests are rounded."""
NO_ARRIVAL_MOVE = 255
"""The place in `back` for a state that was not reached by a move."""


class StencilArrays(NamedTuple):
    """`searchkit.compiled.view.Stencil`, as arrays."""

    masks: Any
    offsets: Any
    lengths: Any
    weights: Any
    back: Any
    """For each move by which a state may have been reached, the moves that do not lead back; going back is never
    cheaper."""
    sound: Any
    """Whether all costs are finite and ≥ 0."""


class CSRArrays(NamedTuple):
    """`searchkit.compiled.view.CSR`, as arrays."""

    indptr: Any
    indices: Any
    costs: Any
    sound: Any


class FunctionPointers(NamedTuple):
    """`searchkit.compiled.view.Functions`: the addresses of two functions of fixed types; 0 for no goals."""

    expand: Any
    is_goal: Any
    sound: Any
    """False: the costs are not known before the function is called."""


class GridDistanceArrays(NamedTuple):
    """`searchkit.compiled.view.GridDistance`, as kernels take it."""

    stride: Any
    straight: Any
    slant: Any
    """How much more a diagonal step costs than a straight one."""
    sides: Any


class Prepared(NamedTuple):
    """What is computed once for a graph."""

    arrays: StencilArrays | CSRArrays | FunctionPointers
    """The form that kernels take."""
    branching: int
    """The largest number of successors of a state, at least 1."""
    actions: Any
    """Array of the action of each move of a stencil that has them; else None."""
    is_float: Any
    """For each move of a stencil, whether its length is a float for Python; None if none is."""


_prepared: WeakKeyDictionary[Any, Prepared] = WeakKeyDictionary()


def prepared(graph: Stencil | CSR | Functions) -> Prepared:
    """Return what is computed once for a graph; the same object each time, in all threads."""
    known = _prepared.get(graph)
    return _prepared.setdefault(graph, _prepare(graph)) if known is None else known


def arrays_of(graph: Stencil | CSR | Functions) -> StencilArrays | CSRArrays | FunctionPointers:
    """Return the form of a graph that kernels take."""
    return prepared(graph).arrays


def _prepare(graph: Stencil | CSR | Functions) -> Prepared:
    if isinstance(graph, Stencil):
        offsets, lengths = np.array(graph.offsets, np.int64), np.array(graph.lengths, np.float64)
        back = np.full(NO_ARRIVAL_MOVE + 1, 0xFFFFFFFF, np.uint32)
        for move, offset in enumerate(offsets):
            back[move] &= ~np.uint32(sum(1 << other for other in np.flatnonzero(offsets == -offset)))
        masks, weights = np.frombuffer(graph.masks, getattr(graph.masks, "dtype", np.uint8)), graph.weights
        if weights is not None:
            weights = (
                np.frombuffer(weights, np.uint8) if isinstance(weights, bytes) else np.array(weights, float)
            )
        actions: Any = None if graph.actions is None else np.empty(len(graph.actions), object)
        for move, action in enumerate(graph.actions or ()):
            actions[move] = action
        arrays = StencilArrays(masks, offsets, lengths, weights, back, _are_sound(lengths))
        is_float = np.array([isinstance(length, float) for length in graph.lengths])
        return Prepared(arrays, len(offsets), actions, is_float if is_float.any() else None)
    if isinstance(graph, CSR):
        costs = np.asarray(graph.costs)
        costs = np.ascontiguousarray(costs, np.float32 if costs.dtype == np.float32 else np.float64)
        begins, heads = (
            np.ascontiguousarray(graph.indptr, np.int64),
            np.ascontiguousarray(graph.indices, np.uint32),
        )
        rows = CSRArrays(begins, heads, costs, _are_sound(costs))
        return Prepared(rows, max(1, int(np.diff(begins).max(initial=0))), None, None)
    is_goal = graph.is_goal.address if graph.is_goal else 0
    return Prepared(FunctionPointers(graph.expand.address, is_goal, False), graph.branching, None, None)


def check_failure(graph: Any) -> None:
    """Raise `InexactError` if the functions of a view have set `Functions.failure`."""
    failure = getattr(graph, "failure", None)
    if failure is not None and failure[0]:
        raise InexactError(f"machine code gave up a state or a number of the problem (reason {failure[0]})")


def _are_sound(costs: Any) -> bool:
    return bool(((costs >= 0) & (costs < np.inf)).all())


NO_TABLE = np.zeros(1, np.int64)
NO_TABLE.flags.writeable = False


def table_of(view: CompiledProblem) -> Any:
    """Return the table of a view as kernels take it: a read-only array of int64, of one zero if the view has none."""
    if view.table is None:
        return NO_TABLE
    table = np.ascontiguousarray(view.table, np.int64).view()
    table.flags.writeable = False  # of the view: the plugin may write to its own array
    return table


@variants("graph")
def begin(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
    """Begin to expand a state: return the number of its actions, and the first and the last place for `step`.

    `arrived_by` is the move by which the state was reached, or `NO_ARRIVAL_MOVE`: actions that lead back may be
    skipped. In compiled code only.
    """


@begin.when(StencilArrays)
def _(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
    mask = np.uint64(graph.masks[state])
    return (
        np.int64(bits_set(mask)),
        mask & np.uint64(graph.back[arrived_by & np.uint64(NO_ARRIVAL_MOVE)]),
        ZERO,
    )


@begin.when(CSRArrays)
def _(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
    first, end = np.uint64(graph.indptr[state]), np.uint64(graph.indptr[state + ONE])
    return np.int64(end - first), first, end


@begin.when(FunctionPointers)
def _(graph: Any, table: Any, state: Any, arrived_by: Any, out_states: Any, out_costs: Any) -> Any:
    count = call_expand(graph.expand, table, state, out_states, out_costs)
    return np.int64(count), ZERO, np.uint64(count)


@variants("graph")
def step(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
    """Return the number of a move, its successor, its cost, and the next place.

    `first` is the first place that `begin` returned, `at` the present one. In compiled code only.
    """


@step.when(StencilArrays)
def _(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
    move = lowest_bit(at)
    successor = state + np.uint64(graph.offsets[move])
    return move, successor, _weighted(graph.lengths[move], graph.weights, successor), at & (at - ONE)


@step.when(CSRArrays)
def _(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
    return at - first, np.uint64(graph.indices[at]), np.float64(graph.costs[at]), at + ONE


@step.when(FunctionPointers)
def _(graph: Any, state: Any, first: Any, at: Any, out_states: Any, out_costs: Any) -> Any:
    return at, out_states[at], out_costs[at], at + ONE


@variants("weights")
def _weighted(length: Any, weights: Any, successor: Any) -> Any:
    """Return the cost of a move of a stencil."""


@_weighted.when(types.NoneType)
def _(length: Any, weights: Any, successor: Any) -> Any:
    return length


@_weighted.when(object)
def _(length: Any, weights: Any, successor: Any) -> Any:
    return length * weights[successor]


@variants("graph")
def moves_up_to(graph: Any, state: Any, move: Any) -> Any:
    """Return the number of actions of a state up to a move, including it. In compiled code only."""


@moves_up_to.when(StencilArrays)
def _(graph: Any, state: Any, move: Any) -> Any:
    return np.int64(bits_set(np.uint64(graph.masks[state]) & ((TWO << move) - ONE)))


@moves_up_to.when(object)
def _(graph: Any, state: Any, move: Any) -> Any:
    return np.int64(move + ONE)


@variants("graph")
def expand(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Write the successors of a state and the costs of its actions; return their number. In compiled code only."""


@expand.when(FunctionPointers)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    return call_expand(graph.expand, table, state, out_states, out_costs)


@expand.when(object)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    count, first, _ = begin(graph, table, state, np.uint64(NO_ARRIVAL_MOVE), out_states, out_costs)
    at = first
    for index in range(count):
        _, out_states[index], out_costs[index], at = step(graph, state, first, at, out_states, out_costs)
    return count


def heuristic_of(view: CompiledProblem, used: bool = True) -> Any:
    """Return the heuristic of a view as kernels take it; 0 if the view has none, or if it is not used.

    A function is given by its address: the view has to be kept as long as that is used.
    """
    heuristic = view.heuristic if used else None
    if isinstance(heuristic, GridDistance):
        return GridDistanceArrays(
            np.uint32(heuristic.stride),
            float(heuristic.straight),
            float(heuristic.diagonal - heuristic.straight),
            np.array(heuristic.rectangles, np.int64).reshape(-1, 4),
        )
    return 0 if heuristic is None else heuristic.address


@variants("heuristic")
def evaluate(heuristic: Any, table: Any, state: Any) -> Any:
    """Return the heuristic value of a state. In compiled code only."""


@evaluate.when(GridDistanceArrays)
def _(heuristic: Any, table: Any, state: Any) -> Any:
    cell = np.uint32(state)  # a division of 32 bits takes half the time of one of 64
    row = cell // heuristic.stride
    x, y = np.int64(cell - row * heuristic.stride), np.int64(row)
    least = inf
    for number in range(heuristic.sides.shape[0]):
        left, right, top, bottom = heuristic.sides[number]
        across = max(left - x, x - right, 0)
        down = max(top - y, y - bottom, 0)
        distance = heuristic.straight * max(across, down) + heuristic.slant * min(across, down)
        least = min(least, distance)
    return least if heuristic.sides.shape[0] else 0.0


@evaluate.when(object)
def _(heuristic: Any, table: Any, state: Any) -> Any:
    return call_heuristic(heuristic, table, state)


@kernel
def _exceeds(heuristic: Any, table: Any, states: Any, costs: Any, spare: Any) -> Any:
    """Whether the heuristic exceeds the cost of the rest of a path by more than a part `spare` of the path's cost."""
    total, rest, place = 0.0, 0.0, np.uint64(costs.size)
    for cost in costs:
        total += cost
    while evaluate(heuristic, table, states[place]) <= rest + spare * total:
        if place == ZERO:
            return False
        place -= ONE
        rest += costs[place]
    return True


def overestimates(heuristic: Any, table: Any, states: Any, costs: Any, whole: bool) -> bool:
    """Whether the heuristic may exceed the cost of the rest of a path by more than rounding can.

    Args:
        heuristic: as kernels take it.
        table: what it reads.
        states: the packed states of the path.
        costs: the costs of the actions between them.
        whole: whether all numbers are integers.

    """
    return bool(_exceeds(heuristic, table, states, costs, 0.0 if whole else ROUNDING))


@kernel
def _expand_one(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    return expand(graph, table, state, out_states, out_costs)


@kernel
def _evaluate_one(heuristic: Any, table: Any, state: Any) -> Any:
    return evaluate(heuristic, table, state)


@kernel
def _is_goal(graph: Any, table: Any, state: Any) -> Any:
    return graph.is_goal != 0 and call_goal(graph.is_goal, table, state)


class Probe:
    """Answers questions about single states of a compiled view, as kernels see them. Used to check views."""

    def __init__(self, view: CompiledProblem):
        check_words(view)
        self.view, self.table = view, table_of(view)
        self._graph, self._heuristic = arrays_of(view.graph), heuristic_of(view)
        self.branching = prepared(view.graph).branching

    def successors(self, state: int) -> list[tuple[int, float]]:
        """Return (packed successor, cost) of each action of a packed state."""
        states, costs = state_array(self.branching, self.view.words), np.zeros(self.branching, np.float64)
        count = int(_expand_one(self._graph, self.table, as_words(state, self.view.words), states, costs))
        return list(zip(map(as_number, states[:count]), map(float, costs[:count]), strict=True))

    def heuristic(self, state: int) -> float:
        """Return the heuristic value of a packed state; 0 in a view without a heuristic."""
        if self.view.heuristic is None:
            return 0.0
        return float(_evaluate_one(self._heuristic, self.table, as_words(state, self.view.words)))

    def is_goal(self, state: int) -> bool:
        """Whether a packed state is a goal."""
        if isinstance(self.view.graph, Functions):
            return bool(_is_goal(self._graph, self.table, as_words(state, self.view.words)))
        return state in self.view.goals
