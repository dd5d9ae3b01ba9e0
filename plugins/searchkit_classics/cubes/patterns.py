"""Pattern databases of the cube: for each position of some pieces, the fewest turns that bring them home.

Korf, Finding optimal solutions to Rubik's Cube using pattern databases (AAAI 1997). Turns move the other pieces too, so
the fewest turns of the whole cube are at least as many. No turn changes an entry by more than 1: the heuristic is
consistent.
"""

from collections.abc import Mapping
from functools import cache

from searchkit_classics.cubes.geometry import FACES, HOME, turns_of

PIECES = 3
"""The number of pieces of a database: all positions of more pieces of the same kind take minutes to find in Python."""
FIRST_CORNER, FIRST_EDGE = 0, 8
"""Where the pieces of a database begin in a state: three corners, or three edges."""


@cache
def database(first: int, metric: str) -> Mapping[tuple[int, ...], int]:
    """Return the places of three pieces → the fewest turns: by breadth-first search from the solved cube."""
    turns = [turn for _, turn in turns_of("".join(FACES), metric)]
    start = HOME[first : first + PIECES]
    fewest, newest = {start: 0}, [start]
    for places in newest:
        for turn in turns:
            after = tuple([turn[place] for place in places])
            if after not in fewest:
                fewest[after] = fewest[places] + 1
                newest.append(after)
    return fewest
