"""The compiled view of the 3×3×3 cube: five bits for the place of each piece, corners in one word and edges in another.

The first word also has the face turned last, and above it what is the same in all states of a problem: its turns, and
whether states know the last face. So all views share one table, the memory of the pattern databases: what is before
them belongs to the views, which all write the same there. The places of edges are counted from 0 here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from searchkit.compiled.functions import (
    bits_set,
    compiled_function,
    lowest_bit,
    wide_expand_function,
    wide_goal_function,
    wide_heuristic_function,
)
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_classics.cubes.geometry import ALLOWED, HOME, START, TURNS
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
AT_FACE, AT_TURNS, AT_PLAIN = 40, 43, 61
"""Places in the first word, in bits: the face turned last; for each turn, 1 if it belongs to the problem; and 1 if
states do not know the last face, which is `START` in all of them."""
ALL_TURNS, ABOVE = np.uint64((1 << len(TURNS)) - 1), ~np.uint64((1 << AT_TURNS) - 1)
PLACES = np.uint64((1 << AT_FACE) - 1)
AFTER, MOVED, STRIDE = 0, 64, 48
"""Places in the table, in bytes: for each face turned last, a word with the turns that may come next; and for each
turn, in `STRIDE` bytes, where it takes the stickers of corners and those of edges."""
SOLVED = tuple(
    sum((place % STICKERS) << BITS * index for index, place in enumerate(some))
    for some in (HOME[:CORNERS], HOME[CORNERS:])
)
SOLVED_CORNERS, SOLVED_EDGES = map(np.uint64, SOLVED)
ONE, ZERO = np.uint64(1), np.uint64(0)
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
    bytes_, above = table.view(np.uint8), state[0] & ABOVE
    plain = state[0] >> np.uint64(AT_PLAIN) != ZERO
    last = np.int64(state[0] >> np.uint64(AT_FACE)) & 7
    left = state[0] >> np.uint64(AT_TURNS) & ALL_TURNS & np.uint64(table[AFTER + last])
    count = ZERO
    while left != ZERO:
        number = np.int64(lowest_bit(left))
        left &= left - ONE
        turn, face = MOVED + STRIDE * number, START if plain else number // 3
        corners = turned(bytes_, state[0], turn, CORNERS)
        out_states[count, 0] = corners | np.uint64(face) << np.uint64(AT_FACE) | above
        out_states[count, 1] = turned(bytes_, state[1], turn + STICKERS, EDGES)
        out_costs[count] = 1.0
        count += ONE
    return count


@wide_goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Compare with the solved cube."""
    return state[0] & PLACES == SOLVED_CORNERS and state[1] == SOLVED_EDGES


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
    turns: Sequence[str], pruned: bool, databases: Databases, heuristic: str
) -> CompiledProblem:
    """Return the compiled view of a problem with some turns; `pruned` if states know the last face."""
    names = list(TURNS)
    constant = sum(1 << AT_TURNS + names.index(name) for name in turns) | (0 if pruned else 1 << AT_PLAIN)

    def pack(state: tuple[int, ...]) -> int:
        *places, last = state
        packed = constant | last << AT_FACE
        for index, place in enumerate(places[:CORNERS]):
            packed |= place << BITS * index
        for index, place in enumerate(places[CORNERS:]):
            packed |= place - STICKERS << 64 + BITS * index
        return packed

    databases.memory[:BEGIN] = head()
    return CompiledProblem(
        Functions(expand, is_goal, len(turns)),
        pack,
        unpack,
        (),
        HEURISTICS[heuristic],
        np.frombuffer(databases.memory, np.int64),
        undirected=not pruned,
        words=2,
    )


def unpack(packed: int) -> tuple[int, ...]:
    """Return the state of a number."""
    corners = [packed >> BITS * index & LAST for index in range(CORNERS)]
    edges = [(packed >> 64 + BITS * index & LAST) + STICKERS for index in range(EDGES)]
    return (*corners, *edges, packed >> AT_FACE & 7)


def head() -> bytes:
    """Return what is before the databases: the same for all problems."""
    after = [sum(7 << 3 * face for face in allowed) for allowed in ALLOWED]
    moved = [place % STICKERS for turn in TURNS.values() for place in turn]
    return (np.array(after, np.int64).tobytes().ljust(MOVED, b"\0") + bytes(moved)).ljust(BEGIN, b"\0")
