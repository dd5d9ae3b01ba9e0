"""Sorted arrays of states: sorting, removing duplicates, subtracting one from another, finding a state."""

from typing import Any

import numpy as np
from numba import types

from searchkit.compiled.functions import compiled_function, copy_state, kernel
from searchkit.compiled.kit.state import are_same
from searchkit.compiled.variants import variants

ONE, TWO = np.uint64(1), np.uint64(2)
RUN = np.uint64(16)
"""Rows that are sorted by insertion, before they are merged."""
FAR = np.uint64(16)
"""If so many times more states are subtracted than there are, they are passed in steps that double."""
STEP = 1 << 18
"""The most states that one call of a kernel looks at."""


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
def distribute(states: Any, parts: Any, ends: Any, out: Any) -> None:
    """Write the states into `out` in the order of their parts; `ends` becomes where each part ends."""
    size, before = np.uint64(states.shape[0]), 0
    for part in range(ends.size):
        ends[part] = 0
    for place in range(size):
        ends[parts[place]] += 1
    for part in range(ends.size):
        ends[part], before = before, before + ends[part]
    for place in range(size):
        part = parts[place]
        put(out, np.uint64(ends[part]), states[place])
        ends[part] += 1


@kernel
def _sort_rows(rows: Any, spare: Any) -> None:
    """Sort rows: runs by insertion, then merges from the bottom up."""
    size = np.uint64(rows.shape[0])
    begin: Any = np.uint64(0)
    while begin < size:
        for place in range(begin + ONE, min(begin + RUN, size)):
            copy_state(spare[0], rows[place])
            at: Any = place
            while at > begin and is_less(spare[0], rows[at - ONE]):
                copy_state(rows[at], rows[at - ONE])
                at -= ONE
            copy_state(rows[at], spare[0])
        begin += RUN
    run: Any = RUN
    while run < size:
        begin = begin - begin
        while begin + run < size:
            middle, end = begin + run, min(begin + TWO * run, size)
            if is_less(rows[middle], rows[middle - ONE]):
                for place in range(begin, middle):
                    copy_state(spare[place], rows[place])
                left, right, at = begin, middle, begin
                while left < middle:
                    if right < end and is_less(rows[right], spare[left]):
                        copy_state(rows[at], rows[right])
                        right += ONE
                    else:
                        copy_state(rows[at], spare[left])
                        left += ONE
                    at += ONE
            begin = end
        run *= TWO


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
def _subtract(states: Any, read: Any, write: Any, end: Any, others: Any) -> Any:
    """Move the states from `read` on that are not in `others` to the place `write`, as far as `others` reaches.

    Return the first place that was not looked at, or `end`, and the next place to write to.
    """
    place: Any
    read, write, end = np.uint64(read), np.uint64(write), np.uint64(end)
    place, size = np.uint64(0), np.uint64(others.shape[0])
    if size > (end - read) * FAR:
        while read < end:
            state, step = states[read], ONE
            if place < size and is_less(others[place], state):
                while place + step < size and is_less(others[place + step], state):
                    place += step
                    step *= TWO
                while step > 0:
                    if place + step < size and is_less(others[place + step], state):
                        place += step
                    step //= TWO
                place += ONE
            if place == size:
                break
            if not are_same(others[place], state):
                put(states, write, state)
                write += ONE
            read += ONE
        return read, write
    while read < end and place < size:  # without branches, which would be taken at random
        state, other = states[read], others[place]
        put(states, write, state)
        less, more = np.uint64(is_less(state, other)), np.uint64(is_less(other, state))
        write += less
        read += ONE - more
        place += ONE - less
    return read, write


@kernel
def _ascends(states: Any) -> Any:
    """Whether each state is larger than the one before it."""
    faults = np.uint64(0)
    for place in range(ONE, np.uint64(states.shape[0])):  # to the end, which is several states at a time
        faults += np.uint64(not is_less(states[place - ONE], states[place]))
    return faults == 0


def sort(states: Any) -> None:
    """Sort states in place. O(n log n)."""
    if states.ndim == 1:
        states.sort()
    elif len(states) > 1:
        _sort_rows(states, np.empty_like(states))


def unique(states: Any) -> Any:
    """Return the beginning of a sorted array, to which its different states were moved."""
    return states[: int(_unique(states))] if len(states) > 1 else states


def sorted_unique(states: Any) -> Any:
    """Sort states in place and remove duplicates; return the beginning of the array, which holds what is left."""
    sort(states)
    return unique(states)


def added(arrays: list[Any], states: Any) -> list[Any]:
    """Return a list of sorted arrays with one more, each at most half as long as the one before it."""
    arrays = [*arrays, states]
    while len(arrays) > 1 and len(arrays[-2]) < 2 * len(arrays[-1]):
        last = arrays.pop()
        arrays[-1] = sorted_unique(np.concatenate([arrays[-1], last]))
    return arrays


def ascends(states: Any) -> bool:
    """Whether an array is sorted and without duplicates."""
    return bool(_ascends(states)) if len(states) > 1 else True


class Subtraction:
    """Removes from a sorted array, in place, what other sorted arrays hold.

    `take` is called with the others in ascending order, as they are read from a file block by block; `result` returns
    what is left.
    """

    def __init__(self, states: Any):
        self.states = states
        self._read = self._write = 0

    @property
    def next(self) -> Any:
        """The least state that was not looked at; None if there is none."""
        return self.states[self._read] if self._read < len(self.states) else None

    def take(self, others: Any) -> None:
        """Remove the states of a sorted array, whose states are all larger than those of the arrays before it."""
        while len(others):
            part, others = others[:STEP], others[STEP:]
            self._read, self._write = map(
                int, _subtract(self.states, self._read, self._write, len(self.states), part)
            )

    def result(self) -> Any:
        """Return the states that are left, at the beginning of the array."""
        rest = len(self.states) - self._read
        if self._write < self._read:
            self.states[self._write : self._write + rest] = self.states[self._read :]
        return self.states[: self._write + rest]


def without(states: Any, others: Any) -> Any:
    """Remove the states of a sorted array from another, in place; return what is left of it."""
    subtraction = Subtraction(states)
    subtraction.take(others)
    return subtraction.result()


def place_in(states: Any, state: Any) -> int | None:
    """Return the place of a state, as an element of such an array, in a sorted array; None if it is not there."""
    low, high = 0, len(states)
    wanted = _key(state)
    while low < high:
        middle = (low + high) // 2
        if _key(states[middle]) < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(states) and _key(states[low]) == wanted else None


def _key(state: Any) -> tuple[int, ...]:
    return tuple(np.atleast_1d(state)[::-1].tolist())
