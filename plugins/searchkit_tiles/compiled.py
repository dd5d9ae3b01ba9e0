"""The compiled view of boards of up to 16 cells: four bits for each, the first cell lowest."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import (
    compiled_function,
    expand_function,
    goal_function,
    heuristic_function,
    kernel,
    lowest_bit,
)
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_tiles.board import Board, slides
from searchkit_tiles.spread import spread

MAX_CELLS, MAX_GROUPS = 16, 3
WIDTH, CELLS, GROUPS, GOAL = range(4)
NEAR = GOAL + 1
DISTANCES = NEAR + 4 * MAX_CELLS
PLACES = DISTANCES + MAX_CELLS * MAX_CELLS
WEIGHTS = PLACES + MAX_CELLS * MAX_CELLS
OFFSETS = WEIGHTS + MAX_CELLS
ENTRIES = OFFSETS + MAX_GROUPS
"""Indices into the table that the functions read: the goal; four neighbours of each cell, −1 for none; for each cell
the distance of each tile; the bit of each tile that belongs in the cell's row, and 32 bits above it in its column; the
weight of a tile's cell in the indices of the pattern databases, 20 bits for each; and the beginning of each group's
database, in bytes after `ENTRIES`."""
FIELD = 20
"""The bits of an index in a database: none has more than 2²⁰ entries."""
MASK = np.uint64((1 << FIELD) - 1)
THREE, SEVEN, BYTE = np.uint64(3), np.uint64(7), np.int64(0xFF)
ONE, LINE = np.uint64(1), np.uint64(0xFFFFFFFF)
BITS, LAST = np.uint64(4), np.uint64(15)
LOWS, HIGHS = np.uint64(0x1111111111111111), np.uint64(0x8888888888888888)
_spread = kernel(spread)


def compiled_spread(cells: int, near: Any, start: int, costs: Any, now: Any, later: Any, places: Any) -> None:
    """Run `spread` in machine code."""
    arrays = np.frombuffer(costs, np.uint8), np.frombuffer(now, np.uint32), np.frombuffer(later, np.uint32)
    _spread(cells, np.array(near, np.int64), start, *arrays, np.array(places, np.int64))


@compiled_function
def tile_at(state: Any, cell: Any) -> Any:
    """Return the tile in a cell."""
    return np.int64((state >> BITS * np.uint64(cell)) & LAST)


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
    # A constant number of times: so it is done for all cells at once.
    for cell in range(np.uint64(MAX_CELLS)):
        total += table[np.uint64(DISTANCES) + np.uint64(MAX_CELLS) * cell + ((state >> BITS * cell) & LAST)]
    return total


@compiled_function
def leaving(table: Any, state: Any, shift: Any, first: Any, step: Any, length: Any) -> Any:
    """Return the number of tiles that have to leave a line of cells: first, first + step, ….

    As in `SlidingTiles.heuristic`; `last` is the set of the last places of the increasing subsequences
    of each length. A tile that does not belong in the line has no place and changes nothing, so no branch is needed.
    """
    last, leave = np.uint64(0), np.int64(0)
    for index in range(length):
        cell = first + step * index
        place = np.uint64(table[PLACES + MAX_CELLS * cell + tile_at(state, cell)] >> shift) & LINE
        above = last & ~(place - ONE)
        leave += np.int64(above != 0)
        last = (last ^ (above & (~above + ONE))) | place
    return leave


@compiled_function
def all_leaving(table: Any, state: Any) -> Any:
    """Return the number of tiles that have to leave their row, and that have to leave their column."""
    width = table[WIDTH]
    height = table[CELLS] // width
    leave = np.int64(0)
    for y in range(height):
        leave += leaving(table, state, 0, y * width, 1, width)
    for x in range(width):
        leave += leaving(table, state, 32, x, width, height)
    return leave


@heuristic_function
def manhattan(table: Any, state: Any) -> Any:
    """Sum the distances."""
    return float(summed_distances(table, state))


@heuristic_function
def linear_conflict(table: Any, state: Any) -> Any:
    """Add two for each tile that has to leave its row or its column."""
    return float(summed_distances(table, state) + 2 * all_leaving(table, state))


@heuristic_function
def pattern_database(table: Any, state: Any) -> Any:
    """Add the entries of the pattern databases."""
    places, total = np.uint64(0), np.int64(0)
    for cell in range(np.uint64(table[CELLS])):
        places += cell * np.uint64(table[WEIGHTS + np.int64(state & LAST)])
        state >>= BITS
    for group in range(table[GROUPS]):
        place = np.uint64(table[OFFSETS + group]) + (places & MASK)
        total += (table[np.uint64(ENTRIES) + (place >> THREE)] >> np.int64((place & SEVEN) << THREE)) & BYTE
        places >>= np.uint64(FIELD)
    return float(total)


HEURISTICS = {
    "zero": zero,
    "manhattan": manhattan,
    "linear-conflict": linear_conflict,
    "pattern-database": pattern_database,
    "": unsolvable,
}


@lru_cache(maxsize=32)
def compile_tiles(width: int, goal: Board, heuristic: str, patterns: Any = None) -> CompiledProblem:
    """Return the compiled view of a board.

    Args:
        width: cells in a row.
        goal: the tile in each cell, in order.
        heuristic: its name; "" for a board that can't be solved, on which nothing moves.
        patterns: the pattern databases, if it is their heuristic.

    """
    shifts = range(0, 4 * len(goal), 4)

    def pack(board: Board) -> int:
        return sum([tile << shift for tile, shift in zip(board, shifts, strict=True)])

    def unpack(packed: int) -> Board:
        return tuple([packed >> shift & 15 for shift in shifts])

    table = table_of(width, goal, slides(width, len(goal) // width) if heuristic else [])
    table[GOAL] = np.uint64(pack(goal)).astype(np.int64)
    if patterns is not None:
        table = with_patterns(table, patterns)
    functions = Functions(expand, is_goal, 4)
    return CompiledProblem(functions, pack, unpack, (), HEURISTICS[heuristic], table, undirected=True)


def table_of(width: int, goal: Board, slides: Sequence[Sequence[tuple[str, int]]]) -> Any:
    """Return the table that the functions read, without the goal and the pattern databases."""
    cells = len(goal)
    table = np.zeros(ENTRIES, np.int64)
    table[WIDTH], table[CELLS] = width, cells
    table[NEAR:DISTANCES] = -1
    for blank, around in enumerate(slides):
        table[NEAR + 4 * blank : NEAR + 4 * blank + len(around)] = [cell for _, cell in around]
    y, x = np.divmod(np.arange(cells), width)
    homes, tiles = np.arange(cells)[np.array(goal) > 0], np.array(goal)[np.array(goal) > 0]
    across, down = np.abs(x[:, None] - x[homes]), np.abs(y[:, None] - y[homes])
    table[DISTANCES:PLACES].reshape(MAX_CELLS, MAX_CELLS)[:cells, tiles] = across + down
    places = table[PLACES:WEIGHTS].view(np.uint64).reshape(MAX_CELLS, MAX_CELLS)
    places[:cells, tiles] = (down == 0) << x[homes] | (across == 0) << 32 + y[homes]
    return table


def with_patterns(table: Any, patterns: Any) -> Any:
    """Return the table, which is complete otherwise, with the pattern databases of the board at its end."""
    table[GROUPS], content = len(patterns.groups), patterns.entries
    for tile, (group, weight) in enumerate(patterns.weights):
        table[WEIGHTS + tile] = weight << FIELD * group
    table[OFFSETS : OFFSETS + len(patterns.begins)] = patterns.begins
    return np.concatenate([table, np.frombuffer(content.ljust(-(-len(content) // 8) * 8, b"\0"), np.int64)])
