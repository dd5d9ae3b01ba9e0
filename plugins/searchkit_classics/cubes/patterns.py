"""Pattern databases of the cube: for each position of some pieces, the fewest turns that bring them home.

Korf, Finding optimal solutions to Rubik's Cube using pattern databases (AAAI 1997). Turns move the other pieces too, so
the fewest turns of the whole cube are at least as many. No turn changes an entry by more than 1: the heuristic is
consistent.
"""

from collections.abc import Sequence
from functools import cache

from searchkit_classics.cubes.geometry import FACES, HOME, turns_of

PIECES = 3
"""The number of pieces of a database: all positions of more pieces of the same kind take minutes to find in Python."""
FIRST_CORNER, FIRST_EDGE = 0, 8
"""Where the pieces of a database begin in a state: three corners, or three edges."""
STICKERS = 24
"""The number of stickers of all corners, and of all edges."""


@cache
def database(first: int, metric: str) -> bytes:
    """Return the fewest turns for each position of three pieces, by breadth-first search from the solved cube.

    The index of a position is `index(places, 0)`.
    """
    turns = [turn for _, turn in turns_of("".join(FACES), metric)]
    start = HOME[first : first + PIECES]
    fewest, newest = {start: 0}, [start]
    for places in newest:
        for turn in turns:
            after = tuple([turn[place] for place in places])
            if after not in fewest:
                fewest[after] = fewest[places] + 1
                newest.append(after)
    entries = bytearray(STICKERS**PIECES)
    for places, count in fewest.items():
        entries[index(places, 0)] = count
    return bytes(entries)


def index(places: Sequence[int], first: int) -> int:
    """Return the index of the places of three pieces, of which the first has this number."""
    one, two, three = places[first], places[first + 1], places[first + 2]
    return (one % STICKERS * STICKERS + two % STICKERS) * STICKERS + three % STICKERS
