"""Rooms, which grow out of a bank of cells."""

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count
from math import isqrt
from random import Random

from attrs import field, frozen

from searchkit_dungeon.generators.bank import CellBank, GenerationError
from searchkit_dungeon.generators.chance import below, choice, shuffle
from searchkit_dungeon.terrain import OFFSETS, Cell

Order = Callable[[Cell], tuple[float, ...]]
"""The priority of a cell adjacent to a room; the room grows into the cell with the least one."""
SHAPES = ("rectangle", "round", "rough")
MIXTURE = ("rectangle", "rectangle", "rectangle", "round", "rough")
"""The shapes that `mixed` is drawn from."""


def _cells(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(cells)


@frozen
class Room:
    """A connected set of cells."""

    cells: tuple[Cell, ...] = field(converter=_cells)
    """The cells in the order in which the room grew: the origin first, each other one adjacent to an earlier one."""

    @property
    def origin(self) -> Cell:
        """The cell that the room grew from."""
        return self.cells[0]

    @classmethod
    def grow(cls, bank: CellBank, size: int, origin: Cell, rng: Random, shape: str = "rectangle") -> "Room":
        """Grow a room cell by cell from `origin`, and take its cells from the bank.

        It has exactly `size` cells, or all free cells that are connected with the origin if these are fewer.

        Args:
            bank: the free cells.
            size: cells, at least 1.
            origin: a free cell.
            rng: the random number generator.
            shape: the shape of a room in open space: `rectangle`, `round`, `rough`, or `mixed`, one of these at
                random.

        Raises:
            GenerationError: the size is below 1, the shape is unknown, or the origin is not free.

        """
        if size < 1:
            raise GenerationError(f"a room of {size} cells can't be made; expected a size of at least 1")
        order = _order(shape, origin, size, rng)
        cells: list[Cell] = []
        seen, arrival = {origin}, count()
        waiting = [(order(origin), next(arrival), origin)]
        bank.take([origin])
        while waiting and len(cells) < size:
            *_, cell = heappop(waiting)
            cells.append(cell)
            for _, other in bank.successors(cell):
                if other not in seen:
                    seen.add(other)
                    heappush(waiting, (order(other), next(arrival), other))
        bank.take(cells[1:])
        return cls(cells)


def halo(cells: Iterable[Cell]) -> dict[Cell, None]:
    """Return `cells` and all cells that touch one of them, even by a corner, as an ordered set."""
    steps = [(0, 0), *OFFSETS.values()]
    return {(x + dx, y + dy): None for x, y in cells for dx, dy in steps}


def _order(shape: str, origin: Cell, size: int, rng: Random) -> Order:
    if shape == "mixed":
        shape = choice(rng, MIXTURE)
    if shape == "rectangle":
        return _rectangle(origin, size, rng)
    left, top = origin
    if shape == "round":
        return lambda cell: ((cell[0] - left) ** 2 + (cell[1] - top) ** 2,)
    if shape == "rough":
        return lambda cell: (((cell[0] - left) ** 2 + (cell[1] - top) ** 2 + 1) * (0.5 + rng.random()),)
    raise GenerationError(f"there is no shape {shape!r}; there are {', '.join(SHAPES)} and mixed")


def _rectangle(origin: Cell, size: int, rng: Random) -> Order:
    """Return the order that grows a wide or a tall core and then row after row around it, always nearly a rectangle."""
    reach = isqrt(size) // 2
    wide, high = (below(rng, reach + 1), 0) if rng.random() < 0.5 else (0, below(rng, reach + 1))
    sides = ["N", "E", "S", "W"]
    shuffle(rng, sides)
    rank = {side: place for place, side in enumerate(sides)}
    left, top = origin

    def order(cell: Cell) -> tuple[float, ...]:
        across, down = cell[0] - left, cell[1] - top
        ring = max(abs(across) - wide, abs(down) - high, 0)
        if not ring:
            return 0, max(abs(across), abs(down))
        if abs(down) - high == ring:
            return ring, rank["N" if down < 0 else "S"], across
        return ring, rank["W" if across < 0 else "E"], down

    return order
