"""The Manhattan and octile heuristics: the distance to the nearest goal on a map without walls."""

from collections.abc import Callable, Mapping, Sequence

from searchkit import Cost
from searchkit_dungeon.moves import DIAGONAL, LENGTHS, Cell

MANY = 8
"""With more goals than this, the distance to the rectangle around them all stands for all of them."""
SLANT = DIAGONAL - 1
"""What a diagonal step costs more than a straight one."""


def distance_to_nearest(
    goals: Sequence[Cell], moves: int, weight: int, lengths: Mapping[str, Cost] = LENGTHS
) -> Callable[[Cell], Cost]:
    """Return the heuristic: cell → the least cost to a goal, were there no walls and every cell of `weight`.

    With 4 moves it is the Manhattan distance, with 8 the octile distance. Of several goals the nearest counts;
    of more than 8, the nearest point of the rectangle around them. It is admissible and consistent if no cell
    weighs less, because distances without walls are the costs of paths in a graph with more steps. 0 where
    there are no goals: then it says nothing.
    """
    straight, diagonal = weight * lengths["N"], weight * lengths["NE"]
    distances = [
        octile(*sides, straight, diagonal - straight) if moves == 8 else manhattan(*sides, weight)
        for sides in rectangles(goals)
    ]
    if not distances:
        return lambda cell: 0
    if len(distances) == 1:
        return distances[0]
    return lambda cell: min([distance(cell) for distance in distances])


def rectangles(goals: Sequence[Cell]) -> list[tuple[int, int, int, int]]:
    """Return left, right, top and bottom of each goal; of more than 8 goals, those of the rectangle around them."""
    if len(goals) > MANY:
        columns, rows = [x for x, _ in goals], [y for _, y in goals]
        return [(min(columns), max(columns), min(rows), max(rows))]
    return [(x, x, y, y) for x, y in goals]


def manhattan(left: int, right: int, top: int, bottom: int, weight: int) -> Callable[[Cell], int]:
    """Return the distance to a rectangle, its edges included, in steps along the axes, times `weight`."""

    def distance(cell: Cell) -> int:
        x, y = cell
        across = left - x if x < left else x - right if x > right else 0
        down = top - y if y < top else y - bottom if y > bottom else 0
        return weight * (across + down)

    return distance


def octile(
    left: int, right: int, top: int, bottom: int, straight: Cost, slant: Cost
) -> Callable[[Cell], Cost]:
    """Return the distance to a rectangle, its edges included; diagonal steps cost `slant` more than straight ones."""

    def distance(cell: Cell) -> Cost:
        x, y = cell
        across = left - x if x < left else x - right if x > right else 0
        down = top - y if y < top else y - bottom if y > bottom else 0
        return straight * across + slant * down if across > down else straight * down + slant * across

    return distance
