"""The compiled view of the 3×3×3 cube: five bits for the place of each piece, corners in one word and edges in another.

The first word also has the face turned last. The places of edges are counted from 0 here.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from searchkit.compiled.functions import (
    compiled_function,
    lowest_bit,
    wide_expand_function,
    wide_goal_function,
    wide_heuristic_function,
)
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_classics.cubes.geometry import HOME, START, STICKERS
from searchkit_classics.cubes.patterns import FIRST_CORNER, FIRST_EDGE, PIECES, database

CORNERS, EDGES, BITS, LAST = 8, 12, 5, 31
OF_CORNERS = 24
"""The number of stickers of all corners."""
AT_FACE = BITS * CORNERS
PLACES = np.uint64((1 << AT_FACE) - 1)
SOLVED_CORNERS, SOLVED_EDGES = (
    np.uint64(sum((place % OF_CORNERS) << BITS * index for index, place in enumerate(some)))
    for some in (HOME[:CORNERS], HOME[CORNERS:])
)
ONE, ZERO = np.uint64(1), np.uint64(0)
WORDS = 1 << BITS * PIECES - 4
"""The number of words of a database: an entry has four bits, and its index is the places of its pieces."""
ENTRIES = np.uint64(16 * WORDS - 1)
AT_CORNERS, AT_EDGES, AFTER, TURNS, STRIDE = 0, WORDS, 2 * WORDS, 2 * WORDS + 8, 1 + len(STICKERS)
"""Places in the table: the databases of corners and of edges; for each face turned last, the set of the turns that may
come next; and for each turn, its face and where it takes each sticker."""


@compiled_function
def turned(table: Any, word: Any, turn: Any, pieces: Any) -> Any:
    """Return a word of pieces after a turn."""
    after = np.uint64(0)
    for index in range(pieces):
        shift = np.uint64(BITS * index)
        after |= np.uint64(table[turn + (np.int64(word >> shift) & LAST)]) << shift
    return after


@wide_expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Make each turn."""
    left = np.uint64(table[AFTER + (np.int64(state[0] >> np.uint64(AT_FACE)) & 7)])
    count = ZERO
    while left != ZERO:
        turn = TURNS + STRIDE * np.int64(lowest_bit(left))
        left &= left - ONE
        corners = turned(table, state[0], turn + 1, CORNERS)
        out_states[count, 0] = corners | np.uint64(table[turn]) << np.uint64(AT_FACE)
        out_states[count, 1] = turned(table, state[1], turn + 1 + OF_CORNERS, EDGES)
        out_costs[count] = 1.0
        count += ONE
    return count


@wide_goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the solved cube."""
    return state[0] & PLACES == SOLVED_CORNERS and state[1] == SOLVED_EDGES


@compiled_function
def entry(table: Any, begin: Any, word: Any) -> Any:
    """Return the entry of a database for the first pieces of a word."""
    index = np.int64(word & ENTRIES)
    return (table[begin + (index >> 4)] >> 4 * (index & 15)) & 15


@wide_heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0."""
    return 0.0


@wide_heuristic_function
def small(table: Any, state: Any) -> float:
    """Return the larger entry of three corners and three edges."""
    return float(max(entry(table, AT_CORNERS, state[0]), entry(table, AT_EDGES, state[1])))


HEURISTICS = {"zero": zero, "small": small}
Turn = tuple[str, int, tuple[int, ...]]


def compile_cube3(
    following: Sequence[Sequence[Turn]], pruned: bool, metric: str, heuristic: str
) -> CompiledProblem:
    """Return the compiled view for the turns that may follow each face; `pruned` if states know the last face."""
    turns = list(following[START])
    table = np.zeros(TURNS + STRIDE * len(turns) + LAST, np.int64)
    if heuristic == "small":
        table[:AFTER] = databases(metric)
    for face, allowed in enumerate(following):
        table[AFTER + face] = sum(1 << turns.index(turn) for turn in allowed)
    for number, (_, face, turn) in enumerate(turns):
        begin = TURNS + STRIDE * number
        table[begin : begin + STRIDE] = [face, *[place % OF_CORNERS for place in turn]]

    return CompiledProblem(
        Functions(expand, is_goal, len(turns)),
        pack,
        unpack,
        (),
        HEURISTICS[heuristic],
        table,
        undirected=not pruned,
        words=2,
    )


@cache
def databases(metric: str) -> Any:
    """Return the databases of corners and of edges as they are in the table."""
    entries = np.zeros((2, 16 * WORDS), np.uint64)
    for of_kind, first in zip(entries, (FIRST_CORNER, FIRST_EDGE), strict=True):
        for places, turns in database(first, metric).items():
            of_kind[sum(place % OF_CORNERS << BITS * index for index, place in enumerate(places))] = turns
    shifted = entries.reshape(-1, 16) << np.arange(0, 64, 4, dtype=np.uint64)
    return np.bitwise_or.reduce(shifted, axis=1).view(np.int64)


def pack(state: tuple[int, ...]) -> int:
    """Return the number of a state."""
    *places, last = state
    packed = last << AT_FACE
    for index, place in enumerate(places[:CORNERS]):
        packed |= place << BITS * index
    for index, place in enumerate(places[CORNERS:]):
        packed |= place - OF_CORNERS << 64 + BITS * index
    return packed


def unpack(packed: int) -> tuple[int, ...]:
    """Return the state of a number."""
    corners = [packed >> BITS * index & LAST for index in range(CORNERS)]
    edges = [(packed >> 64 + BITS * index & LAST) + OF_CORNERS for index in range(EDGES)]
    return (*corners, *edges, packed >> AT_FACE & 7)
