"""Expanding many states at once, and dividing states by their hash."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import call_goal, kernel
from searchkit.compiled.kit.graph import arrays_of, branching_of, expand, table_of
from searchkit.compiled.kit.state import are_same, check_words, hash_of, state_array
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.errors import InvalidProblemError
from searchkit.kernels.settled import never
from searchkit.scale.arrays.sorting import distribute, sorted_unique

PIECE = 1 << 16
"""The most successors that one call of a kernel writes."""
ZERO, ONE, WHOLE = np.uint64(0), np.uint64(1), np.uint64(64)


@kernel
def _expand_all(graph: Any, table: Any, states: Any, first: Any, out_states: Any, out_costs: Any) -> Any:
    """Expand states from the place `first` on while there is room; return how many successors, and the next place."""
    place, count = np.uint64(first), ZERO
    end, room, branching = (
        np.uint64(states.shape[0]),
        np.uint64(out_states.shape[0]),
        np.uint64(out_costs.size),
    )
    while place < end and count + branching <= room:
        count += np.uint64(
            expand(graph, table, states[place], out_states[count : count + branching], out_costs)
        )
        place += ONE
    return count, place


@kernel
def _divide(states: Any, bits: Any, parts: Any, ends: Any, out: Any) -> None:
    """Write the states into `out` in the order of the first `bits` bits of their hashes.

    `parts` becomes the part of each state, and `ends` where each part ends.
    """
    shift = WHOLE - np.uint64(bits)
    for place in range(np.uint64(states.shape[0])):  # apart from what follows: several states at a time
        parts[place] = hash_of(states[place]) >> shift
    distribute(states, parts, ends, out)


@kernel
def _first_goal(graph: Any, table: Any, states: Any) -> Any:
    """Return the place of the first goal; −1 if there is none."""
    for place in range(np.uint64(states.shape[0])):
        if call_goal(graph.is_goal, table, states[place]):
            return np.int64(place)
    return np.int64(-1)


@kernel
def _first_parent(graph: Any, table: Any, states: Any, child: Any, out_states: Any, out_costs: Any) -> Any:
    """Return the place of the first state that has `child` as a successor; −1 if there is none."""
    for place in range(np.uint64(states.shape[0])):
        count = np.uint64(expand(graph, table, states[place], out_states, out_costs))
        for number in range(count):
            if are_same(out_states[number], child):
                return np.int64(place)
    return np.int64(-1)


class Expander:
    """The graph of a compiled view, applied to arrays of states.

    Args:
        view: the compiled view of a problem.

    Raises:
        InvalidProblemError: the functions of the view are not made for states of its number of words.

    """

    def __init__(self, view: CompiledProblem):
        check_words(view)
        self.view, self.words = view, view.words
        self.graph, self.table = arrays_of(view.graph), table_of(view)
        self.branching = branching_of(view.graph)
        self.size = None if isinstance(view.graph, Functions) else view.graph.size
        """The number of states of a graph whose states are numbered; None for a graph that is given by functions."""
        self._has_goals = not (isinstance(view.graph, Functions) and view.graph.is_goal is never)
        self._goals = sorted_unique(np.array(view.goals, np.uint64)) if self.size is not None else None

    def successors(self, states: Any, out: Any, first: int = 0) -> tuple[int, int]:
        """Write the successors of states from the place `first` on into `out`, at most about `PIECE` of them.

        Return how many were written and the place of the first state that was not expanded. There has to be room for
        the successors of one state, `branching`.
        """
        room = out[: max(PIECE, self.branching)]
        count, place = _expand_all(
            self.graph, self.table, states, first, room, np.empty(self.branching, np.float64)
        )
        return int(count), int(place)

    def first_goal(self, states: Any) -> int | None:
        """Return the place of the first goal in a sorted array; None if there is none."""
        if self._goals is not None:
            places = np.searchsorted(states, self._goals)
            found = places[places < len(states)]
            found = found[np.isin(states[found], self._goals)]
            return int(found[0]) if len(found) else None
        for begin in range(0, len(states) if self._has_goals else 0, PIECE):
            place = int(_first_goal(self.graph, self.table, states[begin : begin + PIECE]))
            if place >= 0:
                return begin + place
        return None

    def first_parent(self, states: Any, child: Any) -> int | None:
        """Return the place of the first state of which `child` is a successor; None if there is none."""
        out, costs = state_array(self.branching, self.words), np.empty(self.branching, np.float64)
        step = max(1, PIECE // self.branching)
        for begin in range(0, len(states), step):
            place = int(
                _first_parent(self.graph, self.table, states[begin : begin + step], child, out, costs)
            )
            if place >= 0:
                return begin + place
        return None

    def check(self, states: Any) -> None:
        """Raise `InvalidProblemError` if an array holds a number that is not a state of the graph."""
        if self.size is not None and len(states) and int(states.max()) >= self.size:
            raise InvalidProblemError(
                f"{int(states.max())} is not a state of a graph with {self.size} states"
            )


def part_array(size: int, bits: int) -> Any:
    """Return an uninitialised array for the parts, of 2**bits, of so many states."""
    return np.empty(size, np.uint16 if bits <= 16 else np.uint32)


def divided(states: Any, bits: int, out: Any = None, parts: Any = None) -> tuple[Any, Any]:
    """Divide states into 2**bits parts by the first bits of their hashes. The order within a part is kept.

    Return an array with the states of one part after the other, and an array of the places where the parts begin, with
    the length of the whole at its end. The arrays `out` and `parts` are written to, if they are given: new memory takes
    as long as half of the rest.
    """
    places = np.zeros((1 << bits) + 1, np.int64)
    size = len(states)
    if bits == 0:
        places[1] = size
        return states, places
    out = np.empty_like(states) if out is None else out[:size]
    _divide(states, bits, part_array(size, bits) if parts is None else parts[:size], places[1:], out)
    return out, places
