"""What jump point search works out beforehand: how far each run goes, and the distances of landmarks."""

from collections.abc import Iterable, Sequence
from math import inf

from attrs import field, frozen

from searchkit_dungeon.jumps.runs import Jumps
from searchkit_dungeon.terrain import DIAGONAL as DIAGONAL_STEP
from searchkit_dungeon.terrain import OFFSETS, Cell

LANDMARKS = 8
"""How many there are. On the maps that ship, 8 leave a third of the expansions that none do; 16 leave a quarter."""
MOST_STEPS = 2**16 - 1
"""Of the straight steps, and of the diagonal ones, of a way from a landmark. Cells farther off count as if they were no
farther than this lets them be."""
LONGEST = 2**15 - 1
"""The longest run that a table can hold."""


@frozen(eq=False)
class JumpTable:
    """The runs and the landmarks of a terrain under one rule of corners: 64 bytes for each cell, one line of a cache.

    Cells are numbered y · stride + x. Of a cell's bytes, the first 16 hold its runs, 8 numbers of 16 bits: in each
    direction, after how many steps there is a jump point; where there is none, minus how many steps there are up to the
    wall. The next 32 hold its distances from the landmarks, 8 numbers of 32 bits: 2¹⁶ times the straight steps on a
    shortest way, plus the diagonal ones. The next byte holds the open cells around it, bit i for direction i.

    The difference of two cells' distances from a landmark bounds the way between them (Goldberg and Harrelson 2005; on
    grids, Sturtevant and others 2009). What is too far away for this, or can't be reached, is given the largest
    distance that there is. So the bounds stay admissible and consistent.
    """

    data: memoryview
    """Flat, as it is in a file."""
    runs: Sequence[int] = field(init=False, repr=False)
    """The same memory as numbers of 16 bits: the run of a cell in a direction is at 32 · cell + direction."""
    distances: Sequence[int] = field(init=False, repr=False)
    """The same memory as unsigned numbers of 32 bits: the distances of a cell begin at 16 · cell + 4."""

    @runs.default
    def _runs(self) -> Sequence[int]:
        return self.data.cast("h")

    @distances.default
    def _distances(self) -> Sequence[int]:
        return self.data.cast("I")

    def intervals(self, goals: Iterable[int]) -> list[tuple[float, float]]:
        """Return the least and the largest distance of the goals from each landmark; without goals, 0 and infinity."""
        columns = list(zip(*map(self.lengths, goals), strict=True))
        return [(min(column), max(column)) for column in columns] or [(0.0, inf)] * LANDMARKS

    def heuristic(self, cell: int, intervals: Iterable[tuple[float, float]]) -> float:
        """Return what the way from a cell to the nearest goal costs at least: how far it is outside an interval."""
        most = 0.0
        for distance, (low, high) in zip(self.lengths(cell), intervals, strict=True):
            most = max(most, low - distance, distance - high)
        return most

    def lengths(self, cell: int) -> list[float]:
        """Return the distances of a cell from the landmarks."""
        first = 16 * cell + 4
        return [
            (steps >> 16) + (steps & MOST_STEPS) * DIAGONAL_STEP
            for steps in self.distances[first : first + LANDMARKS]
        ]


class TabledJumps(Jumps):
    """The runs over a grid, read from its table; only the goals are looked for.

    Args:
        table: the table of this map and this rule of corners.
        weights: as for `Jumps`.
        stride: as for `Jumps`.
        corners: as for `Jumps`.
        goals: where every run stops; each makes each run take longer.

    """

    def __init__(self, table: JumpTable, weights: bytes, stride: int, corners: str, goals: Sequence[Cell]):
        super().__init__(weights, stride, corners, goals)
        self.table, self.places = table, goals
        self._codes = {name: code for code, name in enumerate(OFFSETS)}
        self._intervals = table.intervals(map(self._number, goals))

    def run(self, cell: Cell, direction: str) -> int:
        """Return after how many steps in a direction there is a jump point; 0 if there is none."""
        steps = self._reach(self._number(cell), direction)
        for goal in self.places:
            stop = self._stop(cell, direction, goal, abs(steps))
            steps = stop or steps
        return max(steps, 0)

    def landmark_heuristic(self, cell: Cell) -> float:
        """Return what the way to the nearest goal costs at least, by the landmarks."""
        return self.table.heuristic(self._number(cell), self._intervals)

    def _stop(self, cell: Cell, direction: str, goal: Cell, reach: int) -> int:
        """Return after how many steps, at most `reach`, a run stops for a goal; 0 for none.

        A diagonal run stops where a straight one leads on to the goal.
        """
        dx, dy = OFFSETS[direction]
        across, down = goal[0] - cell[0], goal[1] - cell[1]
        if not dx or not dy:
            steps = across * dx + down * dy
            return steps if 0 < steps <= reach and (across, down) == (steps * dx, steps * dy) else 0
        steps, rest = sorted((across * dx, down * dy))
        if not 0 < steps <= reach:
            return 0
        corner = self._number((cell[0] + steps * dx, cell[1] + steps * dy))
        straight_on = self.parts[direction][0 if across * dx > down * dy else 1]
        return steps if rest - steps <= abs(self._reach(corner, straight_on)) else 0

    def _number(self, cell: Cell) -> int:
        return cell[1] * self.stride + cell[0]

    def _reach(self, number: int, direction: str) -> int:
        return self.table.runs[32 * number + self._codes[direction]]
