"""The geometry of a board: which tiles can slide where, and which boards are solvable."""

from collections.abc import Sequence
from typing import TypeAlias

Board: TypeAlias = tuple[int, ...]
"""The tile in each cell, row by row; 0 is the blank."""
SLIDES = (("down", 0, -1), ("right", -1, 0), ("left", 1, 0), ("up", 0, 1))
"""The direction in which a tile slides, and its position relative to the blank (above, left, right, below), in the
order of actions."""
GOALS = ("blank-first", "blank-last")


def goal_board(cells: int, goal: str) -> Board:
    """Return the tiles in order, with the blank in the first or in the last cell."""
    return tuple(range(cells)) if goal == "blank-first" else (*range(1, cells), 0)


def slides(width: int, height: int, *, backwards: bool = False) -> list[list[tuple[str, int]]]:
    """Return (slide, cell of the tile) for each possible slide, for each cell of the blank.

    With `backwards`, return (slide, cell that the tile slid into) for each possible previous slide.
    """
    found: list[list[tuple[str, int]]] = []
    sign = -1 if backwards else 1
    for blank in range(width * height):
        y, x = divmod(blank, width)
        around = [(name, x + sign * dx, y + sign * dy) for name, dx, dy in SLIDES]
        found.append([(name, v * width + u) for name, u, v in around if 0 <= u < width and 0 <= v < height])
    return found


def distance(width: int, cell: int, other: int) -> int:
    """Return the Manhattan distance between two cells."""
    return abs(cell % width - other % width) + abs(cell // width - other // width)


def is_solvable(width: int, height: int, tiles: Sequence[int], goal: Board) -> bool:
    """Whether slides lead from one board to the other, by parity (Johnson and Story 1879).

    Each slide swaps a tile with the blank, which moves to a cell of the other colour of a chessboard. So the parity of
    the permutation must be that of the distance of the blank, and with at least two rows and two columns, this is
    sufficient. In a single row or column, tiles never pass each other.
    """
    if min(width, height) == 1:
        return [tile for tile in tiles if tile] == [tile for tile in goal if tile]
    return is_odd([goal.index(tile) for tile in tiles]) == bool(
        distance(width, tiles.index(0), goal.index(0)) % 2
    )


def is_odd(permutation: Sequence[int]) -> bool:
    """Whether a permutation is odd, that is, has an odd number of cycles of even length."""
    seen: set[int] = set()
    odd = False
    for first in permutation:
        length, place = 0, first
        while place not in seen:
            seen.add(place)
            place = permutation[place]
            length += 1
        odd ^= length > 0 and length % 2 == 0
    return odd
