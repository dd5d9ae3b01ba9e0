"""Heuristics of Pac-Man's problems, of graded strength. All are consistent.

Each is made for a layout and its targets, the corners or the dots: it computes there what it needs. A value is a lower
bound of the number of steps.
"""

from collections.abc import Callable, Collection, Mapping
from itertools import permutations
from math import dist, inf
from typing import TypeAlias, TypeVar

from searchkit.plugin import InvalidOptionError
from searchkit_classics.pacman.layout import Cell, Layout

Targets: TypeAlias = Collection[Cell]
Left: TypeAlias = tuple[Cell, ...]
"""The targets that are left, sorted."""
Nearest: TypeAlias = Callable[[Cell], float]
"""Pac-Man's cell → a lower bound of the steps to the nearest target."""
ToAll: TypeAlias = Callable[[Cell, Left], float]
"""Pac-Man's cell and the targets that are left → a lower bound of the steps until none is left."""
Distance: TypeAlias = Callable[[Cell, Cell], float]
"""From a cell to a target."""
Made = TypeVar("Made")


def chosen(heuristics: Mapping[str, Made], name: str) -> Made:
    """Return the heuristic of this name. Raises `InvalidOptionError`."""
    if name not in heuristics:
        raise InvalidOptionError(f"heuristic={name}: expected one of {', '.join(heuristics)}")
    return heuristics[name]


def manhattan(cell: Cell, target: Cell) -> int:
    """Return the number of columns and rows between two cells: the steps if there were no walls."""
    return abs(cell[0] - target[0]) + abs(cell[1] - target[1])


def maze(layout: Layout) -> Distance:
    """Return the number of steps in the maze; infinity if there is no path. One breadth-first search per target."""
    return lambda cell, target: layout.distances(target).get(cell, inf)


def nearest(distance: Distance, targets: Targets) -> Nearest:
    """Return the distance of the nearest target."""
    return lambda cell: min([distance(cell, target) for target in targets], default=inf)


def count(cell: Cell, left: Left) -> int:
    """Return the number of targets that are left: a step reaches at most one."""
    return len(left)


def farthest(distance: Distance) -> ToAll:
    """Return the distance of the farthest target."""
    return lambda cell, left: max([distance(cell, target) for target in left], default=0)


def tour(distance: Distance) -> ToAll:
    """Return the length of the shortest walk through all targets, by trying all orders: for a few targets only."""

    def shortest(cell: Cell, left: Left) -> float:
        if left not in walks:  # first target → the length of the shortest walk from it through the others
            walks[left] = {}
            for order in permutations(left):
                length = sum(map(distance, order[:-1], order[1:]))
                walks[left][order[0]] = min(length, walks[left].get(order[0], inf))
        return min([distance(cell, first) + rest for first, rest in walks[left].items()], default=0)

    walks: dict[Left, dict[Cell, float]] = {(): {}}
    return shortest


def tree(distance: Distance) -> ToAll:
    """Return the weight of a minimum spanning tree of the targets, plus the distance of the nearest one.

    A walk through all targets is such a tree and a way to it, or more.
    """

    def spanned(cell: Cell, left: Left) -> float:
        if left not in weights:
            weights[left] = spanning_tree(left, distance)
        return weights[left] + min([distance(cell, target) for target in left], default=0)

    weights: dict[Left, float] = {}
    return spanned


def spanning_tree(targets: Left, distance: Distance) -> float:
    """Return the weight of a minimum spanning tree (Prim 1957)."""
    outside = dict.fromkeys(targets[1:], inf)
    weight: float = 0
    newest = targets[0] if targets else (0, 0)
    while outside:
        for target, known in outside.items():
            outside[target] = min(known, distance(newest, target))
        newest = min(outside, key=lambda target: outside[target])
        weight += outside.pop(newest)
    return weight


TO_NEAREST: dict[str, Callable[[Layout, Targets], Nearest]] = {
    "maze": lambda layout, targets: nearest(maze(layout), targets),
    "manhattan": lambda layout, targets: nearest(manhattan, targets),
    "euclidean": lambda layout, targets: nearest(dist, targets),
    "zero": lambda layout, targets: lambda cell: 0,
}
"""Name → heuristic of the path to a dot, strongest first; `maze` is the exact distance."""
TO_CORNERS: dict[str, Callable[[Layout, Targets], ToAll]] = {
    "tour-maze": lambda layout, targets: tour(maze(layout)),
    "tour": lambda layout, targets: tour(manhattan),
    "farthest-maze": lambda layout, targets: farthest(maze(layout)),
    "farthest": lambda layout, targets: farthest(manhattan),
    "count": lambda layout, targets: count,
    "zero": lambda layout, targets: lambda cell, left: 0,
}
"""Name → heuristic of the corners; `tour-maze` is the exact number of steps."""
TO_FOOD: dict[str, Callable[[Layout, Targets], ToAll]] = {
    "mst": lambda layout, targets: tree(maze(layout)),
    "mst-manhattan": lambda layout, targets: tree(manhattan),
    "farthest-maze": lambda layout, targets: farthest(maze(layout)),
    "farthest": lambda layout, targets: farthest(manhattan),
    "count": lambda layout, targets: count,
    "zero": lambda layout, targets: lambda cell, left: 0,
}
"""Name → heuristic of the dots. Each is at least as strong as `zero`; `mst` and `farthest-maze` as their Manhattan
forms."""
