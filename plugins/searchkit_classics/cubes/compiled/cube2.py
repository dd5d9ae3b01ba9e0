"""The compiled view of the 2×2×2 cube: five bits for the place of each corner."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from searchkit.compiled.functions import expand_function, goal_function, heuristic_function
from searchkit.compiled.view import CompiledProblem, Functions

CORNERS, BITS, LAST = 7, 5, 31
GOAL, COUNT, TURNS = 0, 1, 2
"""Places in the table: the solved cube; the number of turns; and for each turn, where it takes 32 places."""


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Make each turn."""
    count = np.uint64(table[COUNT])
    for number in range(count):
        turn = TURNS + (LAST + 1) * np.int64(number)
        after = np.uint64(0)
        for corner in range(CORNERS):
            place = np.int64(state >> np.uint64(BITS * corner)) & LAST
            after |= np.uint64(table[turn + place]) << np.uint64(BITS * corner)
        out_states[number] = after
        out_costs[number] = 1.0
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the solved cube."""
    return np.int64(state) == table[GOAL]


@heuristic_function
def misplaced(table: Any, state: Any) -> float:
    """Return a quarter of the corners that are not home, rounded up."""
    others, wrong = state ^ np.uint64(table[GOAL]), 0
    for corner in range(CORNERS):
        wrong += (np.int64(others >> np.uint64(BITS * corner)) & LAST) != 0
    return float((wrong + 3) // 4)


@heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0."""
    return 0.0


HEURISTICS = {"misplaced": misplaced, "zero": zero}


def compile_cube2(
    turns: Sequence[tuple[str, Sequence[int]]],
    solved: tuple[int, ...],
    heuristic: str,
) -> CompiledProblem:
    """Return the compiled view for some turns, from place to place."""
    shifts = range(0, BITS * CORNERS, BITS)

    def pack(state: tuple[int, ...]) -> int:
        return sum([place << shift for place, shift in zip(state, shifts, strict=True)])

    def unpack(packed: int) -> tuple[int, ...]:
        return tuple([packed >> shift & LAST for shift in shifts])

    table = np.zeros(TURNS + (LAST + 1) * len(turns), np.int64)
    table[GOAL], table[COUNT] = pack(solved), len(turns)
    for number, (_, turn) in enumerate(turns):
        begin = TURNS + (LAST + 1) * number
        table[begin : begin + LAST + 1] = turn[: LAST + 1]
    functions = Functions(expand, is_goal, len(turns))
    bound = HEURISTICS[heuristic]
    return CompiledProblem(functions, pack, unpack, (), bound, table, undirected=True)
