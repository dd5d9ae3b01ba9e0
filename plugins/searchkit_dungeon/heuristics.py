"""The heuristics of grids: the distance to the nearest goal, were there no walls, in six metrics.

| name | distance | admissible and consistent |
|---|---|---|
| `manhattan` | columns + rows | with 4 moves |
| `hexagonal` | the number of moves | with 6 moves |
| `octile` | as many diagonal steps as possible, then straight ones | with 4 and 8 moves |
| `chebyshev` | the larger of columns and rows | with 4 and 8 moves |
| `euclidean` | the straight line | with 4 and 8 moves |
| `zero` | 0 | always |

Each is multiplied by the least weight of a cell and the length of a straight step. Where two are admissible, the one
first in this order is nowhere smaller: manhattan ≥ octile ≥ euclidean ≥ chebyshev ≥ zero.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isqrt

from searchkit import Cost
from searchkit_dungeon.terrain import LENGTHS, Cell

HEURISTICS = ("manhattan", "octile", "chebyshev", "euclidean", "hexagonal", "zero")
MANY = 8
"""With more goals than this, the heuristic is the distance to their bounding rectangle."""
FINE = 30
"""If costs are not integers, the straight line is rounded down to a multiple of 2⁻³⁰. `DIAGONAL` is such a multiple
too, so sums are exact, and the rounded heuristic is consistent."""

Distance = Callable[[Cell], Cost]


def default_heuristic(moves: int) -> str:
    """Return the heuristic that is largest among the admissible ones for 4, 6 or 8 moves."""
    return {6: "hexagonal", 8: "octile"}.get(moves, "manhattan")


def distance_to_nearest(
    goals: Sequence[Cell],
    moves: int,
    weight: float,
    lengths: Mapping[str, float] = LENGTHS,
    heuristic: str | None = None,
) -> Distance:
    """Return the heuristic: cell → the least distance to a goal on a map without walls on which each cell has `weight`.

    With more than 8 goals, it is the distance to the nearest point of their bounding rectangle. It is admissible and
    consistent if no cell weighs less, except `manhattan` with 8 moves. It is 0 if there are no goals.

    Args:
        goals: the goal cells.
        moves: 4, 6 or 8.
        weight: the least weight of a cell.
        lengths: direction → the length of a step.
        heuristic: one of `HEURISTICS`; None for the default of `moves`.

    """
    name = heuristic or default_heuristic(moves)
    if name == "hexagonal":
        return lambda cell: min([weight * hexagons(cell, goal) for goal in goals], default=0)
    straight, slant = steps(name, weight, lengths)
    distances: list[Distance] = []
    for sides in rectangles(goals):
        if name == "euclidean":
            distances.append(
                euclidean(*sides, weight, lengths["N"], moves == 4 or isinstance(lengths["NE"], int))
            )
        else:
            distances.append(octile(*sides, straight, slant))
    if not distances or name == "zero":
        return lambda cell: 0
    if len(distances) == 1:
        return distances[0]
    return lambda cell: min([distance(cell) for distance in distances])


def hexagons(one: Cell, other: Cell) -> int:
    """Return the number of moves between two hexagons, in rows of which every second one is shifted to the right."""
    (x, y), (u, v) = one, other
    across, down = (x - y // 2) - (u - v // 2), y - v
    return max(abs(across), abs(down), abs(across + down))


def steps(heuristic: str, weight: float, lengths: Mapping[str, float]) -> tuple[float, float]:
    """Return what a straight step costs in a metric, and how much more a diagonal one."""
    straight, diagonal = weight * lengths["N"], weight * lengths["NE"]
    slants = {"manhattan": straight, "octile": diagonal - straight}
    return 0 if heuristic == "zero" else straight, slants.get(heuristic, 0)


def rectangles(goals: Sequence[Cell]) -> list[tuple[int, int, int, int]]:
    """Return (left, right, top, bottom) of each goal; with more than 8 goals, of their bounding rectangle."""
    if len(goals) > MANY:
        columns, rows = [x for x, _ in goals], [y for _, y in goals]
        return [(min(columns), max(columns), min(rows), max(rows))]
    return [(x, x, y, y) for x, y in goals]


def octile(left: int, right: int, top: int, bottom: int, straight: float, slant: float) -> Distance:
    """Return cell → octile distance to a rectangle; a diagonal step costs `slant` more than a straight one."""

    def distance(cell: Cell) -> Cost:
        x, y = cell
        across = left - x if x < left else x - right if x > right else 0
        down = top - y if y < top else y - bottom if y > bottom else 0
        return straight * across + slant * down if across > down else straight * down + slant * across

    return distance


def euclidean(
    left: int, right: int, top: int, bottom: int, weight: float, length: float, whole: bool
) -> Distance:
    """Return cell → the straight line to a rectangle, rounded down: to an integer if `whole`, else to 2⁻³⁰ · weight."""
    scale = int(weight * length) ** 2

    def distance(cell: Cell) -> Cost:
        x, y = cell
        across = left - x if x < left else x - right if x > right else 0
        down = top - y if y < top else y - bottom if y > bottom else 0
        square = across * across + down * down
        return isqrt(scale * square) if whole else weight * (isqrt(square << 2 * FINE) / 2**FINE)

    return distance
