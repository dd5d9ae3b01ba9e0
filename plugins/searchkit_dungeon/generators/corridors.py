"""Corridors: shortest ways between rooms, around all other rooms."""

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random
from typing import TypeAlias

from searchkit import Search, Status, problem_from
from searchkit_dungeon.generators.bank import STRAIGHT, CellBank
from searchkit_dungeon.generators.chance import shuffle
from searchkit_dungeon.generators.rooms import Room
from searchkit_dungeon.terrain import Cell

Corridor: TypeAlias = tuple[Cell, ...]
"""The cells of a way, its two ends in the rooms included."""


def connect(
    room_a: Room,
    room_b: Room,
    bank: CellBank,
    *,
    ends: tuple[Cell, Cell] | None = None,
    randomness: float = 0.0,
    rng: Random | None = None,
) -> Corridor | None:
    """Return a shortest way between two rooms, over free cells and their own; None if there is none.

    The bank keeps its cells, so that corridors can cross: one never walls anything off.

    Args:
        room_a: where the corridor begins.
        room_b: where it ends.
        bank: the free cells. The cells of other rooms are not among them: it leads around those.
        ends: the cell of each room to join; by default the rooms' origins.
        randomness: from 0, as straight as can be, to 1, wiggly; it is a shortest way all the same.
        rng: the source of chance; needed where `randomness` is above 0.

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
    """Return a shortest way from any source to any target; between its ends all cells are `passable`.

    One search from all targets at once ends at the nearest source. All that can lie on a shortest way is then
    known with its distance, and a walk downhill takes one of these ways: straight on where that is possible,
    or, as often as `randomness` says, in a shuffled order of the neighbours.
    """
    ends = set(sources)
    search = Search(problem_from(targets, _steps(passable, ends), ends.__contains__), "bfs")
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


def _steps(
    passable: Callable[[Cell], bool], ends: Collection[Cell]
) -> Callable[[Cell], Iterable[tuple[str, Cell]]]:
    def successors(cell: Cell) -> list[tuple[str, Cell]]:
        x, y = cell
        beside = [(name, (x + dx, y + dy)) for name, (dx, dy) in STRAIGHT]
        return [(name, other) for name, other in beside if other in ends or passable(other)]

    return successors


def _tried(
    order: Sequence[Cell], ahead: Cell | None, randomness: float, rng: Random | None
) -> Sequence[Cell]:
    """Return the directions in the order in which they are tried."""
    if rng is not None and randomness and rng.random() < randomness:
        shuffled = list(order)
        shuffle(rng, shuffled)
        return shuffled
    return order if ahead is None else [ahead, *order]
