"""The eight directions on a grid: their names, where they lead and how long a step is."""

from math import sqrt
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""(x, y): x counts to the right, y downwards, both from 0."""

OFFSETS: dict[str, Cell] = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "NW": (-1, -1),
}
"""Direction → how x and y change, in the order in which successors are given."""

DIAGONAL = round(sqrt(2) * 2**30) / 2**30
"""The length of a diagonal step: √2 to 11 digits, as a multiple of 2⁻³⁰.

Sums and differences of such multiples are exact in floating point as long as they stay below 2²³ = 8,388,608.
So equally long paths have equal costs in whatever order they are added up, and the octile heuristic is
consistent to the last bit; with the nearest float to √2 it is not, and A* would reopen cells for nothing.
"""

LENGTHS: dict[str, int | float] = {name: DIAGONAL if dx and dy else 1 for name, (dx, dy) in OFFSETS.items()}
"""Direction → the length of a step."""

WHOLE_LENGTHS: dict[str, int] = {name: 577 if dx and dy else 408 for name, (dx, dy) in OFFSETS.items()}
"""The same in whole numbers, 408 to a cell: 577/408 is √2 to 6 digits, a convergent of its continued fraction."""

OPPOSITES: dict[str, str] = {
    name: other
    for name, (dx, dy) in OFFSETS.items()
    for other, offset in OFFSETS.items()
    if offset == (-dx, -dy)
}
"""Direction → the one that leads back."""


def directions(moves: int) -> tuple[str, ...]:
    """Return the names of the 4 or 8 directions, in their order."""
    return tuple(OFFSETS)[:moves]
