"""Boards of up to 16 cells: four bits for each, the first cell lowest."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import (
    compiled_function,
    expand_function,
    goal_function,
    heuristic_function,
    lowest_bit,
)
from searchkit.compiled.layout import Layout
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_tiles.board import Board
from searchkit_tiles.compiled.table import (
    CELLS,
    DISTANCES,
    GOAL,
    GROUPS,
    MOST_CELLS,
    NARROW_CELLS,
    NEAR,
    ONE,
    WEIGHTS,
    all_leaving,
    looked_up,
)

BITS, LAST = np.uint64(4), np.uint64(15)
TILES = Layout(tiles=[range(16)] * 16)["tiles"]
LOWS, HIGHS = np.uint64(0x1111111111111111), np.uint64(0x8888888888888888)


@compiled_function
def tile_at(state: Any, cell: Any) -> Any:
    """Return the tile in a cell."""
    return TILES.get(state, cell)


@compiled_function
def blank_of(state: Any) -> Any:
    """Return the cell of the blank: the lowest four bits that are 0 (Mycroft's test for a zero in a word)."""
    return np.int64(lowest_bit((state - LOWS) & ~state & HIGHS) // BITS)


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Slide each tile next to the blank into it."""
    blank = blank_of(state)
    count = np.uint64(0)
    for side in range(4):
        cell = table[NEAR + 4 * blank + side]
        if cell < 0:
            break
        tile = (state >> BITS * np.uint64(cell)) & LAST
        out_states[count] = state ^ (tile << BITS * np.uint64(cell) | tile << BITS * np.uint64(blank))
        out_costs[count] = 1.0
        count += ONE
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the goal."""
    return np.int64(state) == table[GOAL]


@heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0."""
    return 0.0


@heuristic_function
def unsolvable(table: Any, state: Any) -> float:
    """Return infinity: the board can't be solved."""
    return inf


@compiled_function
def summed_distances(table: Any, state: Any) -> Any:
    """Return the Manhattan distance."""
    total = np.int64(0)
    for cell in range(
        np.uint64(NARROW_CELLS)
    ):  # a constant number of times: so it is done for all cells at once
        total += table[np.uint64(DISTANCES) + np.uint64(MOST_CELLS) * cell + ((state >> BITS * cell) & LAST)]
    return total


@heuristic_function
def manhattan(table: Any, state: Any) -> Any:
    """Sum the distances."""
    return float(summed_distances(table, state))


@heuristic_function
def linear_conflict(table: Any, state: Any) -> Any:
    """Add two for each tile that has to leave its row or its column."""
    return float(summed_distances(table, state) + 2 * all_leaving(table, state, tile_at))


@heuristic_function
def pattern_database(table: Any, state: Any) -> Any:
    """Add the entries of the pattern databases."""
    places = np.uint64(0)
    for cell in range(np.uint64(table[CELLS])):
        places += cell * np.uint64(table[WEIGHTS + np.int64(state & LAST)])
        state >>= BITS
    return float(looked_up(table, places, 0, table[GROUPS]))


HEURISTICS = {
    "zero": zero,
    "manhattan": manhattan,
    "linear-conflict": linear_conflict,
    "pattern-database": pattern_database,
    "unsolvable": unsolvable,
}


def view(cells: int, goal: Board, table: Any, heuristic: str) -> CompiledProblem:
    """Return the compiled view of such a board."""
    shifts = range(0, 4 * cells, 4)

    def pack(board: Board) -> int:
        return sum([tile << shift for tile, shift in zip(board, shifts, strict=True)])

    def unpack(packed: int) -> Board:
        return tuple([packed >> shift & 15 for shift in shifts])

    table[GOAL] = np.uint64(pack(goal)).astype(np.int64)
    bound, functions = HEURISTICS[heuristic], Functions(expand, is_goal, 4)
    return CompiledProblem(functions, pack, unpack, (), bound, table, undirected=True)
