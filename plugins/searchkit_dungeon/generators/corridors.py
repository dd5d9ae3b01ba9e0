"""Corridors: shortest paths between rooms, around all other rooms."""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import TypeAlias

from searchkit import Search, Status, problem_from
from searchkit_dungeon.generators.bank import STRAIGHT, CellBank, beside
from searchkit_dungeon.generators.chance import shuffle
from searchkit_dungeon.generators.rooms import Room
from searchkit_dungeon.terrain import Cell

Corridor: TypeAlias = tuple[Cell, ...]
"""The cells of a path, its two ends in the rooms included."""


def connect(
    room_a: Room,
    room_b: Room,
    bank: CellBank,
    *,
    ends: tuple[Cell, Cell] | None = None,
    randomness: float = 0.0,
    rng: Random | None = None,
) -> Corridor | None:
    """Return a shortest path between two rooms over free cells and their own cells; None if there is none.

    The bank keeps its cells, so corridors can cross and never separate other rooms.

    Args:
        room_a: where the corridor begins.
        room_b: where it ends.
        bank: the free cells, which do not include the cells of other rooms.
        ends: the cells to join, one of each room; by default the rooms' origins.
        randomness: from 0, as straight as possible, to 1, winding; the path is a shortest one in any case.
        rng: the random number generator; needed if `randomness` is above 0.

    """
    start, end = ends or (room_a.origin, room_b.origin)
    own = {*room_a.cells, *room_b.cells}
    return shortest_way([start], [end], lambda cell: cell in bank or cell in own, randomness, rng)


def shortest_way(
    sources: Collection[Cell],
    targets: Collection[Cell],
    passable: Callable[[Cell], bool],
    randomness: float = 0.0,
    rng: Random | None = None,
) -> Corridor | None:
    """Return a shortest path from any source to any target; all cells between its ends are `passable`.

    A search from all targets ends at the nearest source. Then the distances of all cells on shortest paths are known,
    and a walk along decreasing distances follows one of these paths: straight on if possible, or, with probability
    `randomness`, in a random direction.
    """
    ends = set(sources)

    def successors(cell: Cell) -> list[tuple[str, Cell]]:
        return [(name, other) for name, other in beside(cell) if other in ends or passable(other)]

    search = Search(problem_from(targets, successors, ends.__contains__), "bfs")
    result = search.run()
    if result.status is not Status.SOLVED:
        return None
    assert result.solution is not None
    distances, here = search.tree.reached, result.solution.goal
    corridor, order = [here], [offset for _, offset in STRAIGHT]
    ahead: Cell | None = None
    while distances[here][0]:
        tried = _tried(order, ahead, randomness, rng)
        x, y = here
        nearer = distances[here][0] - 1
        for dx, dy in tried:
            arrival = distances.get((x + dx, y + dy))
            if arrival is not None and arrival[0] == nearer:
                here, ahead = (x + dx, y + dy), (dx, dy)
                break
        corridor.append(here)
    return tuple(corridor)


def _tried(
    order: Sequence[Cell], ahead: Cell | None, randomness: float, rng: Random | None
) -> Sequence[Cell]:
    """Return the directions in the order in which the walk tries them."""
    if rng is not None and randomness and rng.random() < randomness:
        shuffled = list(order)
        shuffle(rng, shuffled)
        return shuffled
    return order if ahead is None else [ahead, *order]
