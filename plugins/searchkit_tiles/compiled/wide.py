"""Boards of 17 to 32 cells: five bits for each, twelve cells in a word.

The 24-puzzle therefore fits into two words: four bits are left in each, and its last cell is stored there.
"""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import (
    compiled_function,
    copy_state,
    lowest_bit,
    wide_expand_function,
    wide_goal_function,
    wide_heuristic_function,
)
from searchkit.compiled.layout import Layout
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_tiles.board import Board
from searchkit_tiles.compiled.table import (
    CELLS,
    DISTANCES,
    FIELDS,
    GOAL,
    GROUPS,
    MOST_CELLS,
    NEAR,
    ONE,
    WEIGHTS,
    all_leaving,
    looked_up,
)

IN_A_WORD, BITS, LAST = 12, np.uint64(5), np.uint64(31)
TILES = Layout(tiles=[range(32)] * MOST_CELLS)["tiles"]
TWENTY_FOUR = 24
"""The cell that two-word states store in two parts."""
SMALL = Layout(tiles=[range(32)] * TWENTY_FOUR, low=range(16), high=range(2))
LOW, HIGH = SMALL["low"], SMALL["high"]
LOWS = np.uint64(sum(1 << 5 * place for place in range(IN_A_WORD)))
HIGHS = LOWS << np.uint64(4)


@compiled_function
def tile_at(state: Any, cell: Any) -> Any:
    """Return the tile in a cell."""
    if cell == TWENTY_FOUR and state.size == 2:
        return LOW.get(state) + 16 * HIGH.get(state)
    return TILES.get(state, cell)


@compiled_function
def put_tile(state: Any, cell: Any, tile: Any) -> None:
    """Change the tile in a cell."""
    if cell == TWENTY_FOUR and state.size == 2:
        LOW.set(state, tile & 15)
        HIGH.set(state, tile >> 4)
    else:
        TILES.set(state, cell, tile)


@compiled_function
def blank_of(state: Any) -> Any:
    """Return the cell of the blank (by Mycroft's test for a zero in a word)."""
    for word in range(state.size):
        zeros = (state[word] - LOWS) & ~state[word] & HIGHS
        if zeros != 0:
            return IN_A_WORD * word + np.int64(lowest_bit(zeros) // BITS)
    return np.int64(TWENTY_FOUR)


@wide_expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Slide each tile next to the blank into it."""
    blank = blank_of(state)
    count = np.uint64(0)
    for side in range(4):
        cell = table[NEAR + 4 * blank + side]
        if cell < 0:
            break
        copy_state(out_states[count], state)
        put_tile(out_states[count], blank, tile_at(state, cell))
        put_tile(out_states[count], cell, 0)
        out_costs[count] = 1.0
        count += ONE
    return count


@wide_goal_function
def is_goal(table: Any, state: Any) -> bool:
    """Compare with the goal."""
    for word in range(state.size):  # noqa: SIM110  # Numba compiles no generator expressions
        if np.int64(state[word]) != table[GOAL + word]:
            return False
    return True


@wide_heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0."""
    return 0.0


@wide_heuristic_function
def unsolvable(table: Any, state: Any) -> float:
    """Return infinity: the board can't be solved."""
    return inf


@compiled_function
def summed_distances(table: Any, state: Any) -> Any:
    """Return the Manhattan distance."""
    total = np.int64(0)
    for cell in range(table[CELLS]):
        total += table[DISTANCES + MOST_CELLS * cell + tile_at(state, cell)]
    return total


@wide_heuristic_function
def manhattan(table: Any, state: Any) -> Any:
    """Sum the distances."""
    return float(summed_distances(table, state))


@wide_heuristic_function
def linear_conflict(table: Any, state: Any) -> Any:
    """Add two for each tile that has to leave its row or its column."""
    return float(summed_distances(table, state) + 2 * all_leaving(table, state, tile_at))


@wide_heuristic_function
def pattern_database(table: Any, state: Any) -> Any:
    """Add the entries of the pattern databases."""
    places, more = np.uint64(0), np.uint64(0)
    for cell in range(table[CELLS]):
        tile = tile_at(state, cell)
        places += np.uint64(cell) * np.uint64(table[WEIGHTS + tile])
        more += np.uint64(cell) * np.uint64(table[WEIGHTS + MOST_CELLS + tile])
    return float(
        looked_up(table, places, 0, min(FIELDS, table[GROUPS]))
        + looked_up(table, more, FIELDS, table[GROUPS])
    )


HEURISTICS = {
    "zero": zero,
    "manhattan": manhattan,
    "linear-conflict": linear_conflict,
    "pattern-database": pattern_database,
    "unsolvable": unsolvable,
}


def view(cells: int, goal: Board, table: Any, heuristic: str) -> CompiledProblem:
    """Return the compiled view of such a board."""
    in_two = cells == TWENTY_FOUR + 1
    words = 2 if cells <= TWENTY_FOUR + 1 else 3
    places = range(TWENTY_FOUR if in_two else cells)
    shifts = [64 * (cell // IN_A_WORD) + 5 * (cell % IN_A_WORD) for cell in places]

    def pack(board: Board) -> int:
        packed = sum([tile << shift for tile, shift in zip(board, shifts, strict=not in_two)])
        return HIGH.set(LOW.set(packed, board[-1] & 15), board[-1] >> 4) if in_two else packed

    def unpack(packed: int) -> Board:
        tiles = [packed >> shift & 31 for shift in shifts]
        return (*tiles, LOW.get(packed) + 16 * HIGH.get(packed)) if in_two else tuple(tiles)

    for word in range(words):
        table[GOAL + word] = np.uint64(pack(goal) >> 64 * word & 2**64 - 1).astype(np.int64)
    bound, functions = HEURISTICS[heuristic], Functions(expand, is_goal, 4)
    return CompiledProblem(functions, pack, unpack, (), bound, table, undirected=True, words=words)
