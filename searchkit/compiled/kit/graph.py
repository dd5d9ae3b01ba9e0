"""Packed states, the graph and the heuristic of a view as kernels take them; the compiler inlines the form in use."""

from math import inf
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import types

from searchkit.basics.text import kind_of
from searchkit.compiled.functions import (
    call_expand,
    call_goal,
    call_heuristic,
    compiled_function,
    copy_state,
    kernel,
)
from searchkit.compiled.inlining import bits_set, lowest_bit
from searchkit.compiled.variants import variants
from searchkit.compiled.view import CSR, CompiledProblem, Functions, GridDistance, Stencil
from searchkit.errors import InexactError, InvalidProblemError

ZERO, ONE = np.uint64(0), np.uint64(1)


def as_words(packed: int, words: int) -> Any:
    """Return a packed state as kernels take it: 64 bits, or an array of such words. Raises `OverflowError`."""
    if words == 1:
        return np.uint64(packed)
    return np.frombuffer(packed.to_bytes(8 * words, "little"), "<u8").astype(np.uint64)


def as_number(state: Any) -> int:
    """Return a packed state, taken out of an array, as `CompiledProblem.unpack` takes it."""
    return int(state) if np.ndim(state) == 0 else int.from_bytes(state.astype("<u8").tobytes(), "little")


def state_array(size: int, words: int) -> Any:
    """Return an uninitialised array for `size` packed states."""
    return np.empty(size if words == 1 else (size, words), np.uint64)


@compiled_function
def mixed(key: Any) -> Any:
    """Return 64 bits that all depend on all bits of the key (the finaliser of SplitMix64, Steele et al. 2014)."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


@variants("state")
def hash_of(state: Any) -> Any:
    """Return 64 bits that all depend on all bits of a state. In compiled code only."""


@hash_of.when(types.Array)
def _(state: Any) -> Any:
    key = mixed(state[0])
    for word in range(np.uint64(1), np.uint64(state.size)):
        key = mixed(key ^ state[word])
    return key


@hash_of.when(object)
def _(state: Any) -> Any:
    return mixed(state)


@variants("state")
def are_same(state: Any, other: Any) -> Any:
    """Whether two states are equal. In compiled code only."""


@are_same.when(types.Array)
def _(state: Any, other: Any) -> Any:
    for word in range(np.uint64(state.size)):  # noqa: SIM110  # Numba compiles no generator expressions
        if state[word] != other[word]:
            return False
    return True


@are_same.when(object)
def _(state: Any, other: Any) -> Any:
    return state == other


@variants("state")
def put_state(record: Any, state: Any) -> None:
    """Write a state into the field `state` of a record. In compiled code only."""


@put_state.when(types.Array)
def _(record: Any, state: Any) -> None:
    copy_state(record.state, state)


@put_state.when(object)
def _(record: Any, state: Any) -> None:
    record.state = state


class StencilArrays(NamedTuple):
    """`searchkit.compiled.view.Stencil`, as arrays."""

    masks: Any
    offsets: Any
    lengths: Any
    weights: Any
    sound: Any
    """Whether all costs are finite and ≥ 0, so that kernels need not look at each."""


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
    sound: Any = False


_kept: WeakKeyDictionary[Any, tuple[Any, int]] = WeakKeyDictionary()


def arrays_of(graph: Stencil | CSR | Functions) -> tuple[Any, int]:
    """Return the form of a graph that kernels take, and the largest number of successors of a state, at least 1.

    It is computed once for a graph: the same objects each time, in all threads.
    """
    kept = _kept.get(graph)
    return _kept.setdefault(graph, _computed(graph)) if kept is None else kept


def _computed(graph: Stencil | CSR | Functions) -> tuple[Any, int]:
    if isinstance(graph, Functions):
        is_goal = graph.is_goal.address if graph.is_goal else 0
        return FunctionPointers(graph.expand.address, is_goal), graph.branching
    if isinstance(graph, CSR):
        costs = np.asarray(graph.costs)
        costs = np.ascontiguousarray(costs, np.float32 if costs.dtype == np.float32 else np.float64)
        begins = np.ascontiguousarray(graph.indptr, np.int64)
        heads = np.ascontiguousarray(graph.indices, np.uint32)
        most = max(1, int(np.diff(begins).max(initial=0)))
        return CSRArrays(begins, heads, costs, _are_sound(costs)), most
    offsets, lengths = np.array(graph.offsets, np.int64), np.array(graph.lengths, np.float64)
    masks, weights = np.frombuffer(graph.masks, getattr(graph.masks, "dtype", np.uint8)), graph.weights
    if weights is not None:
        weights = np.frombuffer(weights, np.uint8) if isinstance(weights, bytes) else np.array(weights, float)
    return StencilArrays(masks, offsets, lengths, weights, _are_sound(lengths)), len(offsets)


def _are_sound(costs: Any) -> bool:
    return bool(((costs >= 0) & (costs < np.inf)).all())


NO_TABLE = np.zeros(1, np.int64)
NO_TABLE.flags.writeable = False


@variants("graph")
def begin(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Begin to expand a state: return the number of its actions, and the first and the last place for `step`.

    In compiled code only.
    """


@begin.when(StencilArrays)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    mask = np.uint64(graph.masks[state])
    return np.int64(bits_set(mask)), mask, ZERO


@begin.when(CSRArrays)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    first, end = np.uint64(graph.indptr[state]), np.uint64(graph.indptr[state + ONE])
    return np.int64(end - first), first, end


@begin.when(FunctionPointers)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
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
def expand(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Write the successors of a state and the costs of its actions; return their number. In compiled code only."""


@expand.when(FunctionPointers)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    return call_expand(graph.expand, table, state, out_states, out_costs)


@expand.when(object)
def _(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    count, first, _ = begin(graph, table, state, out_states, out_costs)
    at = first
    for index in range(count):
        _, out_states[index], out_costs[index], at = step(graph, state, first, at, out_states, out_costs)
    return count


@variants("heuristic")
def evaluate(heuristic: Any, table: Any, state: Any) -> Any:
    """Return the heuristic value of a state. In compiled code only."""


@evaluate.when(GridDistance)
def _(heuristic: Any, table: Any, state: Any) -> Any:
    cell = np.uint32(state)  # a division of 32 bits takes half the time of one of 64
    row = cell // heuristic.stride
    x, y = np.int64(cell - row * heuristic.stride), np.int64(row)
    least = inf
    for number in range(heuristic.rectangles.shape[0]):
        left, right, top, bottom = heuristic.rectangles[number]
        across = max(left - x, x - right, 0)
        down = max(top - y, y - bottom, 0)
        distance = heuristic.straight * max(across, down) + (heuristic.diagonal - heuristic.straight) * min(
            across, down
        )
        least = min(least, distance)
    return least if heuristic.rectangles.shape[0] else 0.0


@evaluate.when(object)
def _(heuristic: Any, table: Any, state: Any) -> Any:
    return call_heuristic(heuristic, table, state)


@kernel
def _expand_one(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    return expand(graph, table, state, out_states, out_costs)


@kernel
def _evaluate_one(heuristic: Any, table: Any, state: Any) -> Any:
    return evaluate(heuristic, table, state)


@kernel
def _is_goal(graph: Any, table: Any, state: Any) -> Any:
    return graph.is_goal != 0 and call_goal(graph.is_goal, table, state)


class SearchSpace:
    """A compiled view as kernels take it. It also answers questions about single packed states, as kernels see them.

    Args:
        view: the view, which has to be kept as long as kernels use the addresses of its functions.
        guided: whether the heuristic is used.

    Raises:
        InvalidProblemError: functions of the view are not made for states of `view.words` words.

    """

    def __init__(self, view: CompiledProblem, guided: bool = True):
        graph, heuristic, words = view.graph, view.heuristic, view.words
        self.view, self.words = view, words
        self.graph, self.branching = arrays_of(graph)
        self.is_hashed = isinstance(graph, Functions)
        """Whether the states are not numbered, so that kernels find them by their hashes."""
        functions = {"expand": graph.expand, "is_goal": graph.is_goal} if isinstance(graph, Functions) else {}
        if isinstance(heuristic, GridDistance):  # a grid has one kernel, with and without its distance
            stride: Any = np.uint32(heuristic.stride)
            sides = np.array(heuristic.rectangles, np.int64).reshape(-1, 4)
            lengths = float(heuristic.straight), float(heuristic.diagonal)
            self.heuristic: Any = GridDistance(stride, *lengths, sides)
        else:
            functions["heuristic"] = heuristic
            self.heuristic = getattr(heuristic, "address", 0) if guided else 0
        if words > 1 and not self.is_hashed:
            raise InvalidProblemError(f"words={words}: the states of {kind_of(graph)} have one")
        for role, function in functions.items():
            made = getattr(function, "role", ""), getattr(function, "is_wide", None)
            if function is not None and made != (role, words > 1):
                decorator = f"made by searchkit.compiled.functions.{role.removeprefix('is_')}_function"
                expected = decorator if words == 1 else f"MachineCode({role!r}, …, is_wide=True)"
                raise InvalidProblemError(f"words={words}: expected {function!r} to be {expected}")
        self.table = NO_TABLE
        if view.table is not None:
            self.table = np.ascontiguousarray(view.table, np.int64).view()
            self.table.flags.writeable = False  # of the view: the plugin may write to its own array
        failure = getattr(graph, "failure", None)
        self.failure = NO_TABLE if failure is None else failure
        """Array of one number, not 0 if the functions of the view have given up: see `Functions.failure`."""
        self.out = state_array(self.branching, words), np.empty(self.branching)
        """Arrays for the successors of one state, and for their costs."""

    def gave_up(self) -> InexactError:
        """Return the error to raise where `failure` is not 0."""
        return InexactError(
            f"machine code gave up a state or a number of the problem (reason {self.failure[0]})"
        )

    def successors(self, packed: int) -> list[tuple[int, float]]:
        """Return (packed successor, cost) of each action of a state."""
        states, costs = self.out
        count = int(_expand_one(self.graph, self.table, as_words(packed, self.words), states, costs))
        return list(zip(map(as_number, states[:count]), map(float, costs[:count]), strict=True))

    def value(self, packed: int) -> float:
        """Return the heuristic value of a state; 0 in a view without a heuristic."""
        if self.view.heuristic is None:
            return 0.0
        return float(_evaluate_one(self.heuristic, self.table, as_words(packed, self.words)))

    def is_goal(self, packed: int) -> bool:
        """Whether a state is a goal."""
        if self.is_hashed:
            return bool(_is_goal(self.graph, self.table, as_words(packed, self.words)))
        return packed in self.view.goals
