"""Kernels over arrays of packed states: expanding, dividing by hash, removing duplicates, subtracting.

An array of states has one dimension if a state is one word, and otherwise a row for each state. States are ordered as
the numbers that they are: of several words, the last one counts most. Each call runs without Python's global lock.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
from numba import types

from searchkit.compiled.functions import call_goal, compiled_function, copy_state, kernel
from searchkit.compiled.kit.control import BAD_COST, BAD_HEURISTIC, EXACT, INCONSISTENT, TOO_LARGE, WORKED
from searchkit.compiled.kit.graph import (
    SearchSpace,
    are_same,
    as_number,
    evaluate,
    expand,
    hash_of,
    state_array,
)
from searchkit.compiled.variants import variants
from searchkit.errors import InvalidProblemError, MissingCapabilityError, quoted
from searchkit.problem import SearchProblem

PIECE = 1 << 17
"""Successors that are written and divided at a time: they stay in the processor's cache."""
KEYS = 64
"""Buckets that one call of the kernel tells apart at least."""
ZERO, ONE, WHOLE = np.uint64(0), np.uint64(1), np.uint64(64)
Key = tuple[int, int]
"""f and g of a bucket."""


@variants("state")
def is_less(state: Any, other: Any) -> Any:
    """Whether a state comes before another in sorted arrays. In compiled code only."""


@is_less.when(types.Array)
def _(state: Any, other: Any) -> Any:
    word = np.uint64(state.size)
    while word > 0:
        word -= ONE
        if state[word] != other[word]:
            return state[word] < other[word]
    return False


@is_less.when(object)
def _(state: Any, other: Any) -> Any:
    return state < other


@variants("state")
def put(states: Any, place: Any, state: Any) -> None:
    """Write a state into an array of states. In compiled code only."""


@put.when(types.Array)
def _(states: Any, place: Any, state: Any) -> None:
    copy_state(states[place], state)


@put.when(object)
def _(states: Any, place: Any, state: Any) -> None:
    states[place] = state


@compiled_function
def part_of(state: Any, bits: Any) -> Any:
    """Return which of 2**bits parts a state belongs to: the first bits of its hash. In compiled code only."""
    return hash_of(state) >> (WHOLE - bits) if bits > 0 else ZERO


@kernel
def _expand(
    graph: Any, table: Any, heuristic: Any, guided: Any, unit: Any, states: Any, first: Any, f: Any, g: Any, bits: Any,
    out: Any, costs: Any, slots: Any, keys: Any,
) -> Any:  # fmt: skip
    """Expand states from the place `first` on while there is room in `out` and in `keys`.

    The rows of `keys` become the f and g of the buckets that are met; `slots` becomes, for each successor in `out`, the
    row of its bucket times 2**bits plus its part. If `unit`, each action costs 1 and the heuristic is not used.

    Return why it stopped, the next place, and the numbers of states in `out`, of successors (those with an infinite
    heuristic value are not in `out`), and of rows. After a fault, the place is that of the state, and the number of
    rows is that of the successor.
    """
    place, count, generated, used, slot = np.uint64(first), ZERO, ZERO, ZERO, ZERO
    end, room, branching = np.uint64(states.shape[0]), np.uint64(slots.size), np.uint64(costs.size)
    rows, width = np.uint64(keys.shape[0]), np.uint64(bits)
    while place < end and count + branching <= room and used + branching <= rows:
        successors = np.uint64(expand(graph, table, states[place], out[count : count + branching], costs))
        written = count
        for number in range(successors):
            cost, state = 1.0 if unit else costs[number], out[count + number]
            if not (1.0 <= cost < inf and cost == np.floor(cost)):
                return BAD_COST, place, count, generated, number
            h = evaluate(heuristic, table, state) if guided else 0.0
            if not (h >= 0.0 and (h == inf or h == np.floor(h))):
                return BAD_HEURISTIC, place, count, generated, number
            if h == inf:
                continue
            to = g + cost
            if to + h < f:
                return INCONSISTENT, place, count, generated, number
            if to + h >= EXACT:
                return TOO_LARGE, place, count, generated, number
            if slot >= used or keys[slot, 1] != to or keys[slot, 0] != to + h:
                slot = ZERO
                while slot < used and (keys[slot, 1] != to or keys[slot, 0] != to + h):
                    slot += ONE
                if slot == used:
                    keys[slot, 0], keys[slot, 1] = to + h, to
                    used += ONE
            put(out, written, state)
            slots[written] = (slot << width) + part_of(state, width)
            written += ONE
        generated += successors
        count = written
        place += ONE
    return WORKED, place, count, generated, used


@kernel
def _divide(states: Any, bits: Any, slots: Any) -> None:
    width = np.uint64(bits)
    for index in range(np.uint64(states.shape[0])):
        slots[index] = part_of(states[index], width)


@kernel
def _distribute(states: Any, slots: Any, ends: Any, out: Any) -> None:
    """Write the states into `out` in the order of their slots; `ends` becomes where each slot ends."""
    size, before = np.uint64(states.shape[0]), 0
    for slot in range(ends.size):
        ends[slot] = 0
    for place in range(size):
        ends[slots[place]] += 1
    for slot in range(ends.size):
        ends[slot], before = before, before + ends[slot]
    for place in range(size):
        slot = slots[place]
        put(out, np.uint64(ends[slot]), states[place])
        ends[slot] += 1


@kernel
def _unique(states: Any) -> Any:
    """Remove the duplicates of a sorted array, in place; return how many states are left."""
    count = ONE
    for place in range(ONE, np.uint64(states.shape[0])):  # without branches, which would be taken at random
        is_new = not are_same(states[place], states[place - ONE])
        put(states, count, states[place])
        count += np.uint64(is_new)
    return count


@kernel
def _subtract(states: Any, others: Any) -> Any:
    """Remove the states of a sorted array from another one, in place; return how many are left."""
    read = write = place = ZERO
    end, size = np.uint64(states.shape[0]), np.uint64(others.shape[0])
    while read < end and place < size:  # without branches, which would be taken at random
        state, other = states[read], others[place]
        put(states, write, state)
        less, more = np.uint64(is_less(state, other)), np.uint64(is_less(other, state))
        write += less
        read += ONE - more
        place += ONE - less
    while write < read < end:
        put(states, write, states[read])
        write += ONE
        read += ONE
    return write + (end - read)


@kernel
def _first_goal(graph: Any, table: Any, states: Any) -> Any:
    """Return the place of the first goal; −1 if there is none."""
    for place in range(np.uint64(states.shape[0])):
        if graph.is_goal != 0 and call_goal(graph.is_goal, table, states[place]):
            return np.int64(place)
    return np.int64(-1)


def sorted_unique(states: Any) -> Any:
    """Sort states in place and remove duplicates; return the beginning of the array, which holds what is left."""
    if states.ndim == 1:
        states.sort()
    elif len(states) > 1:
        states[:] = states[np.lexsort(states.T)]
    return states[: int(_unique(states))] if len(states) > 1 else states


def divided(states: Any, bits: int) -> list[Any]:
    """Return the states of each of 2**bits parts, in the order in which they were."""
    slots, out, ends = np.empty(len(states), np.uint32), np.empty_like(states), np.empty(1 << bits, np.int64)
    _divide(states, bits, slots)
    _distribute(states, slots, ends, out)
    return [out[begin:end] for begin, end in pairwise([0, *ends.tolist()])]


def without(states: Any, arrays: Iterable[Any]) -> Any:
    """Remove the states of sorted arrays from another one, in place; return what is left of it."""
    some = sorted(filter(len, arrays), key=len)
    short = [others for others in some if len(others) < len(states)]
    if len(short) > 2:  # each takes a pass over all states
        some[: len(short)] = [sorted_unique(np.concatenate(short))]
    for others in some:
        states = states[: int(_subtract(states, others))]
    return states


class Expander(SearchSpace):
    """The graph and the heuristic of a compiled view, applied to arrays of states.

    Args:
        problem: the problem, which has a compiled view.
        engine: the name of the engine, for messages.
        unit: whether each action counts as 1; the heuristic is not used then.
        guided: whether the heuristic is used.

    Raises:
        InvalidProblemError: the functions of the view are not made for states of its number of words.
        MissingCapabilityError: the view has no heuristic, and `guided`.

    """

    def __init__(self, problem: SearchProblem[Any, Any], engine: str, unit: bool, guided: bool):
        super().__init__(problem.compiled(), guided)  # type: ignore[attr-defined]  # it is Compilable
        self.problem, self.engine, self.unit, self.guided = problem, engine, unit, guided
        if guided and self.view.heuristic is None:
            raise MissingCapabilityError(
                f"the compiled view of {type(problem).__name__} has no heuristic; use astar"
            )
        self._goals = None if self.is_hashed else np.unique(np.array(self.view.goals, np.uint64))

    def __reduce__(self) -> Any:
        return Expander, (self.problem, self.engine, self.unit, self.guided)

    def h(self, packed: int) -> float:
        """Return the heuristic value of a packed state; 0 if it is not used. Raises `InvalidProblemError`."""
        h = self.value(packed) if self.guided else 0.0
        if h == inf or (0 <= h < EXACT and h % 1 == 0):
            return h
        raise self._fault(f"the heuristic value of {quoted(self.view.unpack(packed))} is {quoted(h)}")

    def pieces(self, states: Any, key: Key, bits: int = 0) -> Iterator[tuple[int, dict[Key, list[Any]]]]:
        """Expand the states of a bucket piece by piece.

        Yield the number of successors of a piece, and bucket → for each of 2**bits parts an array of its successors,
        with duplicates, in memory of their own.

        Raises:
            InvalidProblemError: a number is not what the engine takes, or the heuristic is inconsistent.

        """
        f, g = map(float, key)
        room = max(self.branching, min(PIECE, len(states) * self.branching))
        out, costs = state_array(room, self.words), np.empty(self.branching, np.float64)
        slots, keys = np.empty(room, np.uint32), np.empty((KEYS + self.branching, 2))
        place = 0
        while place < len(states):
            why, place, count, generated, used = map(
                int,
                _expand(
                    self.graph, self.table, self.heuristic, self.guided, self.unit, states, place, f, g, bits, out,
                    costs, slots, keys,
                ),
            )  # fmt: skip
            if self.failure[0]:
                raise self.gave_up()
            if why != WORKED:
                self._raise_fault(as_number(states[place]), used, key)
            ends, parts = np.empty(used << bits, np.int64), np.empty_like(out[:count])
            _distribute(out[:count], slots[:count], ends, parts)
            arrays = [parts[begin:end] for begin, end in pairwise([0, *ends.tolist()])]
            to = [(int(row[0]), int(row[1])) for row in keys[:used]]
            yield generated, {to[slot]: arrays[slot << bits : slot + 1 << bits] for slot in range(used)}

    def first_goal(self, states: Any) -> Any:
        """Return the first goal in a sorted array; None if there is none."""
        if self._goals is not None:
            found = self._goals[np.isin(self._goals, states)]
            return found[0] if len(found) else None
        place = int(_first_goal(self.graph, self.table, states))
        if self.failure[0]:
            raise self.gave_up()
        return states[place].copy() if place >= 0 else None

    def _raise_fault(self, packed: int, number: int, key: Key) -> None:
        """Raise the error for the successor `number` of a packed state of a bucket."""
        parent = self.view.unpack(packed)
        action, state = list(self.problem.successors(parent))[number]
        after, cost = self.successors(packed)[number]
        said = f"the step {quoted(action)} from {quoted(parent)} to {quoted(state)} costs {quoted(cost)}"
        if self.guided:
            said += f" and its heuristic value is {self.h(after)!r}, that of the parent {key[0] - key[1]}"
        raise self._fault(said)

    def _fault(self, what: str) -> InvalidProblemError:
        """Return the error for numbers that the engine does not take."""
        drop = ", and the heuristic must not drop by more than a step costs (it is inconsistent otherwise)"
        return InvalidProblemError(
            f"{what}; engine {self.engine!r} takes only whole costs ≥ 1{' and whole values' if self.guided else ''}, "
            f"with sums below 2**53{drop if self.guided else ''}: multiply all costs by a common denominator, or use "
            f"{'astar' if self.guided else 'dijkstra'}"
        )
