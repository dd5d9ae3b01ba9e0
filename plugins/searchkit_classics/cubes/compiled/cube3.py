"""The compiled view of the 3×3×3 cube: five bits for the place of each piece, corners in one word and edges in another.

The first word also has the face turned last. The places of edges are counted from 0 here. The table is the memory of
the pattern databases; what is before them belongs to the view. Functions read it as bytes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from searchkit.compiled.functions import (
    bits_set,
    compiled_function,
    wide_expand_function,
    wide_goal_function,
    wide_heuristic_function,
)
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_classics.cubes.geometry import HOME
from searchkit_classics.cubes.patterns import (
    BEGIN,
    CORNERS,
    LARGE_PATTERNS,
    SMALL,
    STICKERS,
    Databases,
    size_of,
)

EDGES, BITS, LAST = 12, 5, 31
AT_FACE, FACES = np.uint64(BITS * CORNERS), 6
COUNT, ALLOWED, TURNS, TURN, FACE = 0, 8, 64, 64, 60
"""Places in the table, in bytes: the number of turns; for each face turned last, 1 for each face that may be turned
next; and for each turn, in `TURN` bytes, where it takes the stickers of corners and those of edges, and its face."""
SOLVED = tuple(
    sum((place % STICKERS) << BITS * index for index, place in enumerate(some))
    for some in (HOME[:CORNERS], HOME[CORNERS:])
)
SOLVED_CORNERS, SOLVED_EDGES = map(np.uint64, SOLVED)
ONE = np.uint64(1)
AT_EDGES = BEGIN + size_of(LARGE_PATTERNS[0])
AT_OTHER_EDGES = AT_EDGES + size_of(LARGE_PATTERNS[1])
AT_SMALL_EDGES = BEGIN + size_of(SMALL[0])


@compiled_function
def turned(bytes_: Any, word: Any, turn: Any, pieces: Any) -> Any:
    """Return a word of pieces after a turn."""
    after = np.uint64(0)
    for index in range(pieces):
        shift = np.uint64(BITS * index)
        after |= np.uint64(bytes_[turn + (np.int64(word >> shift) & LAST)]) << shift
    return after


@wide_expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Make each turn."""
    bytes_ = table.view(np.uint8)
    allowed, count = ALLOWED + (FACES + 1) * np.int64(state[0] >> AT_FACE), np.uint64(0)
    for number in range(np.int64(bytes_[COUNT])):
        turn = TURNS + TURN * number
        face = bytes_[turn + FACE]
        if bytes_[allowed + face] != 0:
            out_states[count, 0] = turned(bytes_, state[0], turn, CORNERS) | np.uint64(face) << AT_FACE
            out_states[count, 1] = turned(bytes_, state[1], turn + STICKERS, EDGES)
            out_costs[count] = 1.0
            count += ONE
    return count


@wide_goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the solved cube."""
    return state[0] & ((ONE << AT_FACE) - ONE) == SOLVED_CORNERS and state[1] == SOLVED_EDGES


@compiled_function
def entry(table: Any, begin: Any, word: Any, first: Any, pieces: Any, slots: Any, ways: Any) -> Any:
    """Return the entry of the database that begins at a byte, for some pieces of a word: see `Pattern.number`."""
    arrangement, twist, taken, twists = np.int64(0), np.int64(0), np.uint64(0), np.int64(1)
    for index in range(pieces):
        place = np.int64(word >> np.uint64(BITS * (first + index))) & LAST
        slot = place // ways
        bit = ONE << np.uint64(slot)
        free = slot - np.int64(bits_set(taken & (bit - ONE)))
        arrangement = arrangement * (slots - index) + free
        twist = twist * ways + place - slot * ways
        twists *= ways
        taken |= bit
    number = arrangement * twists + twist
    return (np.int64(table.view(np.uint8)[begin + (number >> 1)]) >> (number & 1) * 4) & 15


@compiled_function
def corners_of(table: Any, state: Any) -> Any:
    """Return the entry of all corners."""
    return entry(table, BEGIN, state[0], 0, 7, 8, 3)


@compiled_function
def edges_of(table: Any, state: Any) -> Any:
    """Return the larger entry of the two groups of edges."""
    return max(
        entry(table, AT_EDGES, state[1], 0, 6, 12, 2), entry(table, AT_OTHER_EDGES, state[1], 6, 6, 12, 2)
    )


@wide_heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0."""
    return 0.0


@wide_heuristic_function
def small(table: Any, state: Any) -> float:
    """Return the larger entry of three corners and three edges."""
    return float(
        max(entry(table, BEGIN, state[0], 0, 3, 8, 3), entry(table, AT_SMALL_EDGES, state[1], 0, 3, 12, 2))
    )


@wide_heuristic_function
def corners(table: Any, state: Any) -> float:
    """Return the entry of all corners."""
    return float(corners_of(table, state))


@wide_heuristic_function
def edges(table: Any, state: Any) -> float:
    """Return the larger entry of the two groups of edges."""
    return float(edges_of(table, state))


@wide_heuristic_function
def largest(table: Any, state: Any) -> float:
    """Return the largest entry of all."""
    return float(max(corners_of(table, state), edges_of(table, state)))


HEURISTICS = {"zero": zero, "small": small, "corners": corners, "edges": edges, "max": largest}


def compile_cube3(
    turns: Sequence[Sequence[tuple[str, int, Sequence[int]]]], databases: Databases, heuristic: str
) -> CompiledProblem:
    """Return the compiled view; the turns, of a face, from place to place, are those allowed after each last face."""
    head = np.zeros(BEGIN, np.uint8)
    for last, allowed in enumerate(turns):
        for _, face, _ in allowed:
            head[ALLOWED + (FACES + 1) * last + face] = 1
    every = turns[-1]
    head[COUNT] = len(every)
    for number, (_, face, turn) in enumerate(every):
        begin = TURNS + TURN * number
        head[begin : begin + 2 * STICKERS] = np.array(turn) % STICKERS
        head[begin + FACE] = face
    databases.memory[:BEGIN] = head.tobytes()
    table = np.frombuffer(databases.memory, np.int64)
    return CompiledProblem(
        Functions(expand, is_goal, len(every)), pack, unpack, (), HEURISTICS[heuristic], table, words=2
    )


def pack(state: tuple[int, ...]) -> int:
    """Return the number of a state."""
    *places, last = state
    packed = last << int(AT_FACE)
    for index, place in enumerate(places):
        packed |= (
            place << BITS * index if index < CORNERS else (place - STICKERS) << 64 + BITS * (index - CORNERS)
        )
    return packed


def unpack(packed: int) -> tuple[int, ...]:
    """Return the state of a number."""
    corners = [packed >> BITS * index & LAST for index in range(CORNERS)]
    edges = [(packed >> 64 + BITS * index & LAST) + STICKERS for index in range(EDGES)]
    return (*corners, *edges, packed >> int(AT_FACE) & 7)
