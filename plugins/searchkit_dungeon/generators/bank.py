"""The bank of free cells from which rooms are taken."""

from collections.abc import Iterable, Iterator

from searchkit import distance_map, problem_from
from searchkit.plugin import SearchkitError
from searchkit_dungeon.terrain import OFFSETS, Cell, directions


class GenerationError(SearchkitError):
    """A map can't be generated with the given options; the message says why and what to change."""


STRAIGHT = tuple((name, OFFSETS[name]) for name in directions(4))
"""The four straight directions with their offsets."""


def beside(cell: Cell) -> list[tuple[str, Cell]]:
    """Return (direction, cell) for each adjacent cell, in the order N, E, S, W."""
    x, y = cell
    return [(name, (x + dx, y + dy)) for name, (dx, dy) in STRAIGHT]


class CellBank:
    """A set of free cells, which can be taken and put back. Iterates in the order of insertion.

    Looking up, taking and putting back a cell take constant time.

    Args:
        cells: the cells that are free initially.

    """

    def __init__(self, cells: Iterable[Cell]):
        self._free = dict.fromkeys(cells)

    @classmethod
    def rectangle(cls, width: int, height: int, margin: int = 0) -> "CellBank":
        """Return a bank of all cells of a map except a margin, row by row."""
        return cls((x, y) for y in range(margin, height - margin) for x in range(margin, width - margin))

    def __contains__(self, cell: Cell) -> bool:
        return cell in self._free

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._free)

    def __len__(self) -> int:
        return len(self._free)

    def take(self, cells: Iterable[Cell]) -> None:
        """Remove cells. Raises `GenerationError`, and removes none, if one of them is not free."""
        wanted = dict.fromkeys(cells)
        for cell in wanted:
            self._check(cell)
        for cell in wanted:
            del self._free[cell]

    def put_back(self, cells: Iterable[Cell]) -> None:
        """Make cells free again. Cells that are already free stay free."""
        self._free.update(dict.fromkeys(cells))

    def successors(self, cell: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each adjacent free cell, in the order N, E, S, W."""
        return [(name, other) for name, other in beside(cell) if other in self._free]

    def flood(self, origin: Cell) -> list[Cell]:
        """Return the free cells that can be reached from `origin` over free cells, nearest first.

        Raises `GenerationError` if `origin` is not free.
        """
        self._check(origin)
        return list(distance_map(problem_from([origin], self.successors, lambda cell: False)))

    def _check(self, cell: Cell) -> None:
        if cell not in self._free:
            raise GenerationError(f"the cell {cell} is not free: it was taken before, or is off the map")
