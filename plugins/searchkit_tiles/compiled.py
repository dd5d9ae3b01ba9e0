"""The compiled view of a board of up to 16 cells: four bits for each, the first cell lowest."""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from searchkit.compiled import CompiledProblem, Functions
from searchkit.compiling import compiled_function, expand_function, goal_function, heuristic_function, kernel
from searchkit.errors import MissingCapabilityError
from searchkit_tiles.board import Board, distance
from searchkit_tiles.patterns import FIELD, patterns_of, spread

if TYPE_CHECKING:
    from searchkit_tiles.problem import SlidingTiles

MOST_CELLS = 16
"""That fit into a word of 64 bits."""
WIDTH, CELLS, GOAL, GROUPS, NEAR = 0, 1, 2, 3, 4
DISTANCES = NEAR + 4 * MOST_CELLS
HOMES = DISTANCES + MOST_CELLS * MOST_CELLS
WEIGHTS = HOMES + MOST_CELLS
OFFSETS = WEIGHTS + MOST_CELLS
ENTRIES = OFFSETS + MOST_CELLS
"""Where what is in the table that the functions read: four neighbours of each cell, −1 for none; for each cell the
distance of each of 16 tiles; where each tile belongs; what its cell is multiplied with for pattern databases, and
where, in bytes behind `ENTRIES`, the database of each group begins."""
BITS, LAST, MASK = np.uint64(4), np.uint64(15), np.uint64((1 << FIELD) - 1)
LOWS, HIGHS = np.uint64(0x1111111111111111), np.uint64(0x8888888888888888)
ONE = np.uint64(1)


@compiled_function
def tile_at(state: Any, cell: Any) -> Any:
    """Return the tile in a cell."""
    return np.int64((state >> (np.uint64(cell) * BITS)) & LAST)


@compiled_function
def blank_of(state: Any) -> Any:
    """Return the cell of the blank: the lowest four bits that are 0 (Mycroft's test for a zero in a word)."""
    lowest = (state - LOWS) & ~state & HIGHS
    lowest &= ~lowest + ONE
    cell = np.int64(0)
    if lowest >= np.uint64(1 << 32):
        cell += 8
        lowest >>= np.uint64(32)
    if lowest >= np.uint64(1 << 16):
        cell += 4
        lowest >>= np.uint64(16)
    if lowest >= np.uint64(1 << 8):
        cell += 2
        lowest >>= np.uint64(8)
    return cell + (1 if lowest >= np.uint64(1 << 4) else 0)


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Slide each tile next to the blank into it."""
    blank = blank_of(state)
    count = np.uint64(0)
    for side in range(4):
        cell = table[NEAR + 4 * blank + side]
        if cell < 0:
            break
        tile = np.uint64(tile_at(state, cell))
        moved = (tile << (np.uint64(blank) * BITS)) | (tile << (np.uint64(cell) * BITS))
        out_states[count] = state ^ moved
        out_costs[count] = 1.0
        count += ONE
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the goal."""
    return np.int64(state) == table[GOAL]


@heuristic_function
def zero(table: Any, state: Any) -> float:
    """Know nothing."""
    return 0.0


@heuristic_function
def unsolvable(table: Any, state: Any) -> float:
    """Know that there is no way."""
    return inf


@compiled_function
def summed_distances(table: Any, state: Any) -> Any:
    """Return the Manhattan distance."""
    total = np.int64(0)
    for cell in range(table[CELLS]):
        total += table[DISTANCES + MOST_CELLS * cell + tile_at(state, cell)]
    return total


@compiled_function
def leaving(table: Any, state: Any, first: Any, step: Any, length: Any, across: Any) -> Any:
    """Return how many tiles have to leave the line of cells first, first + step, …: a row if `across`, or a column.

    As `searchkit_tiles.linear_conflict.leaving`; `last` has four bits for each length of an increasing subsequence.
    """
    width = table[WIDTH]
    line = first // width if across else first
    last, longest, here = np.uint64(0), np.uint64(0), np.int64(0)
    for index in range(length):
        tile = tile_at(state, first + step * index)
        home = table[HOMES + tile]
        if tile == 0 or (home // width if across else home % width) != line:
            continue
        here += 1
        place = np.uint64(home % width if across else home // width)
        at = np.uint64(0)
        while at < longest and (last >> (at * BITS)) & LAST < place:
            at += ONE
        if at == longest:
            longest += ONE
        last = (last & ~(LAST << (at * BITS))) | (place << (at * BITS))
    return here - np.int64(longest)


@heuristic_function
def manhattan(table: Any, state: Any) -> Any:
    """Sum the distances."""
    return float(summed_distances(table, state))


@heuristic_function
def linear_conflict(table: Any, state: Any) -> Any:
    """Add two for each tile that has to leave its row or its column."""
    width = table[WIDTH]
    height = table[CELLS] // width
    leave = np.int64(0)
    for y in range(height):
        leave += leaving(table, state, y * width, np.int64(1), width, True)
    for x in range(width):
        leave += leaving(table, state, x, width, height, False)
    return float(summed_distances(table, state) + 2 * leave)


@heuristic_function
def pattern_database(table: Any, state: Any) -> Any:
    """Look each group's tiles up."""
    places = np.uint64(0)
    for cell in range(np.uint64(table[CELLS])):
        places += cell * np.uint64(table[WEIGHTS + np.int64(state & LAST)])
        state >>= BITS
    entries = table[ENTRIES:].view(np.uint8)
    total = np.int64(0)
    for group in range(table[GROUPS]):
        total += np.int64(entries[table[OFFSETS + group] + np.int64(places & MASK)])
        places >>= np.uint64(FIELD)
    return float(total)


HEURISTICS = {
    "zero": zero,
    "manhattan": manhattan,
    "linear-conflict": linear_conflict,
    "pattern-database": pattern_database,
}
_spread = kernel(spread)


def compiled_spread(cells: int, near: Any, start: int, costs: Any, now: Any, later: Any, places: Any) -> None:
    """Run `searchkit_tiles.patterns.spread` in machine code."""
    arrays = np.frombuffer(costs, np.uint8), np.frombuffer(now, np.uint32), np.frombuffer(later, np.uint32)
    _spread(cells, np.array(near, np.int64), start, *arrays, np.array(places, np.int64))


def pack(board: Sequence[int]) -> int:
    """Return the bits of a board."""
    packed = 0
    for tile in reversed(board):
        packed = packed << 4 | tile
    return packed


def compile_tiles(problem: "SlidingTiles") -> CompiledProblem:
    """Return the compiled view of a board. Raises `MissingCapabilityError` for one of more than 16 cells."""
    cells = len(problem.tiles)
    if cells > MOST_CELLS:
        raise MissingCapabilityError(
            f"a board of {problem.width}x{problem.height} does not fit into one word of 64 bits, as states of compiled "
            f"engines have to (boards of up to {MOST_CELLS} cells do, with 4 bits for each); use backend='python'"
        )
    shifts = range(0, 4 * cells, 4)

    def unpack(packed: int) -> Board:
        return tuple([packed >> shift & 15 for shift in shifts])

    return CompiledProblem(
        Functions(expand, is_goal, 4),
        pack=pack,
        unpack=unpack,
        heuristic=HEURISTICS[problem.bound.name] if problem.solvable else unsolvable,
        table=table_of(problem),
    )


def table_of(problem: "SlidingTiles") -> Any:
    """Return the table that the functions read."""
    cells, width = len(problem.goal), problem.width
    table = np.zeros(ENTRIES, np.int64)
    table[WIDTH], table[CELLS] = width, cells
    table[GOAL] = np.uint64(pack(problem.goal)).astype(np.int64)
    table[NEAR:DISTANCES] = -1
    for blank, around in enumerate(problem.slides):
        table[NEAR + 4 * blank : NEAR + 4 * blank + len(around)] = [cell for _, cell in around]
    for home, tile in enumerate(problem.goal):
        table[HOMES + tile] = home
        for cell in range(cells):
            table[DISTANCES + MOST_CELLS * cell + tile] = distance(width, cell, home) if tile else 0
    if problem.bound.name != "pattern-database" or not problem.solvable:
        return table
    patterns = patterns_of(width, problem.goal)
    content = b"".join(map(bytes, patterns.tables))
    table[GROUPS] = len(patterns.groups)
    table[WEIGHTS : WEIGHTS + cells] = patterns.weights
    begin = 0
    for group, entries in enumerate(patterns.tables):
        table[OFFSETS + group] = begin
        begin += len(entries)
    return np.concatenate([table, np.frombuffer(content.ljust(-(-len(content) // 8) * 8, b"\0"), np.int64)])
