"""The arrays of a compiled search, apart from the search: a reader keeps only these alive."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled.ground import blocks_for, depths_of, moves_of, shared
from searchkit_corridor.compiled.kernels import (
    COST,
    DEFERRED,
    GOAL,
    LAST_STAMP,
    MOVE,
    NEVER,
    STAMP,
    STAMPED,
    START,
)
from searchkit_corridor.compiled.waiting import ROOM, Waiting
from searchkit_corridor.problem import BlockRegions
from searchkit_dungeon import Cell, Grid

LOW = 0xFFFFFFFF
"""The bits of an admitted cell; its cost is above them."""
FRONTIER = [kernels.FIRST, kernels.LAST, kernels.ENTERED, kernels.ENTERING]


class Store:
    """A grid and its cells as arrays; see `searchkit_corridor.compiled.kernels` for the arrays.

    Args:
        problem: the grid.
        regions: its blocks.
        by_region: whether deferred cells are kept in a list per region.

    Raises:
        MissingCapabilityError: the depths of the cells are not integers.

    """

    def __init__(self, problem: Grid, regions: BlockRegions, by_region: bool):
        self.depths = depths_of(problem)
        self.places, self.row_length = problem.terrain.cells, problem.terrain.stride
        self.coarse, self.far = blocks_for(regions)
        of_cell = shared(regions.blocks).regions
        steps, offsets, self.names = moves_of(problem)
        self.ground = kernels.Ground(steps, offsets, of_cell, np.ones(1, np.uint8))
        self.goals = [self.number(goal) for goal in problem.goals]
        self.marks = np.zeros(len(self.coarse.ways), np.uint8)
        self.opened = 0
        """How many blocks have ever been in the mask."""
        self.counters = np.zeros(kernels.COUNTERS, np.int64)
        self.counters[kernels.LIMIT] = NEVER
        self.queue, self.entering = np.empty(ROOM, np.int32), np.empty(0, np.int64)
        self.waiting = Waiting(by_region, of_cell)
        self.cells = np.zeros(len(self.places), np.int64)
        self.forget()

    def forget(self) -> None:
        """Forget all cells; only the marks of goals stay."""
        stamp = self.counters[STAMPED] = self.counters[STAMPED] + 1
        if stamp > LAST_STAMP:
            self.cells[:] = 0
            stamp = self.counters[STAMPED] = 1
        self.counters[kernels.CELLS] = 0
        self.cells[self.goals] = GOAL | int(stamp) << STAMP

    def number(self, cell: Any) -> int:
        """Return the number of a cell of the map. Raises `KeyError` for anything else."""
        try:
            number: int = cell[1] * self.row_length + cell[0]
            if number >= 0 and self.places[number] == cell:
                return number
        except (TypeError, ValueError, LookupError):
            pass
        raise KeyError(cell)

    def place(self, number: int) -> Cell:
        """Return the cell with a number."""
        cell: Cell = self.places[number]
        return cell

    def word(self, number: int) -> int:
        """Return the word of a cell; 0 if it was not reached."""
        word = int(self.cells[number])
        return word if word >> STAMP & LAST_STAMP == self.counters[STAMPED] else 0

    def write(self, number: int, cost: int, move: int, flags: int) -> None:
        """Write the word of a cell."""
        goal = self.word(number) & GOAL
        stamp = int(self.counters[STAMPED])
        self.cells[number] = cost << COST | stamp << STAMP | move << MOVE | flags | goal

    def bearing(self, flag: int) -> list[int]:
        """Return the cells with a flag."""
        known = self.counters[STAMPED] << STAMP | flag
        numbers: list[int] = np.flatnonzero(self.cells & (LAST_STAMP << STAMP | flag) == known).tolist()
        return numbers

    def arrival(self, word: int, number: int) -> tuple[int, Cell | None, str | None]:
        """Return the arrival in the word of a cell."""
        move = word >> MOVE & START
        if move == START:
            return word >> COST, None, None
        return word >> COST, self.place(number - int(self.ground.offsets[move])), self.names[move]

    def defer(self, starts: Iterable[Cell]) -> Any:
        """Write that cells are starts and deferred; return their numbers."""
        numbers = [self.number(start) for start in starts]
        for number in numbers:
            self.write(number, 0, START, DEFERRED)
        return np.array(numbers, np.int32)

    def deep(self, least: Any) -> Any:
        """Return a byte for each cell: whether it is at least that deep."""
        return self.ground.deep if self.depths is None else (self.depths >= least).view(np.uint8)

    @property
    def size(self) -> int:
        """How many cells wait to be expanded."""
        first, last, entered, entering = self.counters[FRONTIER].tolist()
        return int(last - first + entering - entered)

    def queued(self) -> list[int]:
        """Return the cells that wait to be expanded, in their order within each cost."""
        first, last, entered, entering = self.counters[FRONTIER]
        return [*self.queue[first:last].tolist(), *(self.entering[entered:entering] & LOW).tolist()]

    def grow(self, ask: Callable[[int], None] = lambda size: None) -> Iterator[None]:
        """Make room for one more expansion, in pieces; `ask` may refuse that many bytes.

        Raises `MemoryError`; nothing is lost then.
        """
        _, last, entered, entering = self.counters[FRONTIER]
        if last + entering - entered + len(self.names) > len(self.queue):
            ask(self.queue.nbytes)
            grown = np.empty(2 * len(self.queue), self.queue.dtype)
            grown[: len(self.queue)] = self.queue
            self.queue = grown
        if self.waiting.count + len(self.names) > len(self.waiting.cells):
            ask(self.waiting.cells.nbytes)
            self.waiting.grow()
        return iter(())
