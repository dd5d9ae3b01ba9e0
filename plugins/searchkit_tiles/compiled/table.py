"""The table that the compiled functions of a board read, and the functions that all boards share."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit_tiles.board import Board
from searchkit_tiles.heuristics.patterns import FIELD, patterns_of

MOST_CELLS, MOST_GROUPS, NARROW_CELLS = 32, 8, 16
WIDTH, CELLS, GROUPS, GOAL = range(4)
NEAR = GOAL + 4
DISTANCES = NEAR + 4 * MOST_CELLS
PLACES = DISTANCES + MOST_CELLS * MOST_CELLS
WEIGHTS = PLACES + MOST_CELLS * MOST_CELLS
OFFSETS = WEIGHTS + 2 * MOST_CELLS
ENTRIES = OFFSETS + MOST_GROUPS
"""Indices into the table that the functions read: the words of the goal; four neighbours of each cell, −1 for none; for
each cell the distance of each of 32 tiles; the tiles that belong in the cell's row, one bit
of 32 each, and in its column, 32 more; the weights of a tile's cell in the pattern databases of the first three groups,
and of three more; and the beginning of each group's database, in bytes after `ENTRIES`."""
FIELDS, MASK = 64 // FIELD, np.uint64((1 << FIELD) - 1)
"""How many groups have a field in a word of weights; and the bits of a field."""
THREE, SEVEN, BYTE = np.uint64(3), np.uint64(7), np.int64(0xFF)
ONE, LINE = np.uint64(1), np.uint64(0xFFFFFFFF)


@compiled_function
def leaving(table: Any, state: Any, tile_at: Any, shift: Any, first: Any, step: Any, length: Any) -> Any:
    """Return the number of tiles that have to leave a line of cells: first, first + step, ….

    As `leaving` in `heuristics/linear_conflict.py`; `last` is the set of the last places of the increasing subsequences
    of each length. A tile that does not belong in the line has no place and changes nothing, so no branch is needed.
    """
    last, leave = np.uint64(0), np.int64(0)
    for index in range(length):
        cell = first + step * index
        place = np.uint64(table[PLACES + MOST_CELLS * cell + tile_at(state, cell)] >> shift) & LINE
        above = last & ~(place - ONE)
        leave += np.int64(above != 0)
        last = (last ^ (above & (~above + ONE))) | place
    return leave


@compiled_function
def all_leaving(table: Any, state: Any, tile_at: Any) -> Any:
    """Return the number of tiles that have to leave their row, and that have to leave their column."""
    width = table[WIDTH]
    height = table[CELLS] // width
    leave = np.int64(0)
    for y in range(height):
        leave += leaving(table, state, tile_at, 0, y * width, 1, width)
    for x in range(width):
        leave += leaving(table, state, tile_at, 32, x, width, height)
    return leave


@compiled_function
def looked_up(table: Any, places: Any, first: Any, end: Any) -> Any:
    """Return the sum of the entries of some groups; their indices in their databases are the fields of a word."""
    total = np.int64(0)
    for group in range(first, end):
        place = np.uint64(table[OFFSETS + group]) + (places & MASK)
        total += (table[np.uint64(ENTRIES) + (place >> THREE)] >> np.int64((place & SEVEN) << THREE)) & BYTE
        places >>= np.uint64(FIELD)
    return total


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
    table[DISTANCES:PLACES].reshape(MOST_CELLS, MOST_CELLS)[:cells, tiles] = across + down
    places = table[PLACES:WEIGHTS].view(np.uint64).reshape(MOST_CELLS, MOST_CELLS)
    places[:cells, tiles] = (down == 0) << x[homes] | (across == 0) << 32 + y[homes]
    return table


def with_patterns(table: Any, width: int, goal: Board) -> Any:
    """Return the table, which is complete otherwise, with the pattern databases of the board at its end."""
    patterns = patterns_of(width, goal)
    table[GROUPS] = len(patterns.groups)
    for tile, weight in enumerate(patterns.weights):
        table[WEIGHTS + tile] = weight & (1 << FIELDS * FIELD) - 1
        table[WEIGHTS + MOST_CELLS + tile] = weight >> FIELDS * FIELD
    begins = list(accumulate(map(len, patterns.tables), initial=0))[:-1]
    table[OFFSETS : OFFSETS + len(begins)] = begins
    content = b"".join(patterns.tables)
    return np.concatenate([table, np.frombuffer(content.ljust(-(-len(content) // 8) * 8, b"\0"), np.int64)])
