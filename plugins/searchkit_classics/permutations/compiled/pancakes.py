"""The compiled view of a stack of up to twelve pancakes: five bits each, the top one lowest.

Four bits are the size, counted from 0, and the fifth is set if the burnt side is up.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, expand_function, goal_function, heuristic_function
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.plugin import MissingCapabilityError

MOST, BITS, SIZE, SIDE = 12, 5, 15, 16
GOAL, COUNT, BURNT, IGNORED = range(4)
"""Places in the table: the sorted stack; the number of pancakes; `SIDE` if they have a burnt side, else 0; and how many
of the smallest the heuristic ignores."""
FIELD, ALL = np.uint64(BITS), np.uint64(SIZE + SIDE)


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Flip each number of pancakes: those of the flip before, and one more on top of them."""
    flipped, rest, other = np.uint64(0), state, np.uint64(table[BURNT])
    count = np.uint64(0)
    for top in range(1, table[COUNT] + 1):
        flipped = flipped << FIELD | (rest & ALL ^ other)
        rest >>= FIELD
        if top > 1 or other != 0:
            out_states[count] = flipped | rest << np.uint64(BITS * top) if top < MOST else flipped
            out_costs[count] = 1.0
            count += np.uint64(1)
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the sorted stack."""
    return np.int64(state) == table[GOAL]


@compiled_function
def size_of(state: Any, index: Any) -> Any:
    """Return the size of a pancake from 1 on, negative if its burnt side is up."""
    field = np.int64(state >> np.uint64(BITS * index)) & (SIZE + SIDE)
    size = (field & SIZE) + 1
    return -size if field & SIDE else size


@heuristic_function
def gap(table: Any, state: Any) -> float:
    """Count the neighbours that don't belong together, plate included."""
    count, gaps = table[COUNT], 0
    for index in range(count):
        upper = size_of(state, index)
        lower = size_of(state, index + 1) if index + 1 < count else count + 1
        together = lower - upper == 1 or (table[BURNT] == 0 and upper - lower == 1)
        gaps += not together and min(abs(upper), abs(lower)) > table[IGNORED]
    return float(gaps)


@heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0."""
    return 0.0


def compile_pancakes(goal: tuple[int, ...], burnt: bool, ignored: int | None) -> CompiledProblem:
    """Return the compiled view; `ignored` is None for no heuristic.

    Raises `MissingCapabilityError` for more than twelve pancakes.
    """
    if len(goal) > MOST:
        raise MissingCapabilityError(
            f"a stack of {len(goal)} pancakes has no compiled form, as it has more than {MOST}; use backend='python'"
        )
    shifts = range(0, BITS * len(goal), BITS)

    def pack(state: tuple[int, ...]) -> int:
        fields = [abs(size) - 1 | (SIDE if size < 0 else 0) for size in state]
        return sum([field << shift for field, shift in zip(fields, shifts, strict=True)])

    def unpack(packed: int) -> tuple[int, ...]:
        fields = [packed >> shift for shift in shifts]
        return tuple([-(field & SIZE) - 1 if field & SIDE else (field & SIZE) + 1 for field in fields])

    table = np.array([pack(goal), len(goal), SIDE if burnt else 0, ignored or 0], np.int64)
    functions = Functions(expand, is_goal, len(goal))
    heuristic = zero if ignored is None else gap
    return CompiledProblem(functions, pack, unpack, (), heuristic, table, undirected=True)
