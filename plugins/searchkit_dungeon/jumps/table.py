"""Jump tables: the lengths of all runs on a map, and the distances from landmarks."""

from collections.abc import Iterable, Sequence
from math import inf

from attrs import field, frozen

from searchkit.compiled.shared import SharedTable
from searchkit.plugin import InputFormatError
from searchkit_dungeon.jumps.runs import Jumps
from searchkit_dungeon.terrain import DIAGONAL as DIAGONAL_STEP
from searchkit_dungeon.terrain import OFFSETS, Cell

LANDMARKS = 8
"""The number of landmarks. On the bundled maps, 8 landmarks save two thirds of the expansions, and 16 three
quarters."""
MOST_STEPS = 2**16 - 1
"""The largest number of straight steps, and of diagonal steps, in the distance of a cell from a landmark. Cells farther
away get the largest distance that is possible."""
LONGEST = 2**15 - 1
"""The longest run that fits into a table."""


@frozen(eq=False)
class JumpTable:
    """The runs and the landmarks of a terrain for one corner rule: 64 bytes, a cache line, for each cell.

    Cells are numbered y · stride + x. The first 16 bytes of a cell are its runs, 8 integers of 16 bits: for each
    direction the number of steps to the jump point, or, if there is none, minus the number of steps to the wall. The
    next 32 bytes are its distances from the landmarks, 8 integers of 32 bits: 2¹⁶ times the straight steps on a
    shortest path, plus the diagonal steps. The next byte is the set of open cells around it, bit i for direction i.

    The difference between the distances of two cells from a landmark is a lower bound on the distance between the cells
    (Goldberg and Harrelson 2005; on grids, Sturtevant and others 2009). Cells that are too far away or can't be reached
    get the largest distance of all. So the heuristic stays admissible and consistent.
    """

    data: memoryview
    """The bytes, as in a file."""
    table: SharedTable | None = field(default=None, repr=False)
    """The file that they are read from; None if they were made by this process."""
    runs: Sequence[int] = field(init=False, repr=False)
    """The same memory as signed 16-bit integers: the run of a cell in a direction is at 32 · cell + direction."""
    distances: Sequence[int] = field(init=False, repr=False)
    """The same memory as unsigned 32-bit integers: the distances of a cell begin at 16 · cell + 4."""

    @runs.default
    def _runs(self) -> Sequence[int]:
        return self.data.cast("h")

    @distances.default
    def _distances(self) -> Sequence[int]:
        return self.data.cast("I")

    def check_unchanged(self) -> None:
        """Raise `InputFormatError` if the file of the table was changed after its check."""
        if self.table is not None:
            self.table.check_unchanged()

    def intervals(self, goals: Iterable[int]) -> list[tuple[float, float]]:
        """Return the least and the largest distance of the goals from each landmark; without goals, 0 and infinity."""
        columns = list(zip(*map(self.lengths, goals), strict=True))
        return [(min(column), max(column)) for column in columns] or [(0.0, inf)] * LANDMARKS

    def heuristic(self, cell: int, intervals: Iterable[tuple[float, float]]) -> float:
        """Return a lower bound on the cost to the nearest goal: the largest distance of the cell from an interval."""
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
    """The runs over a grid, read from its table; only the stops at goals are computed.

    Args:
        table: the table of this map and this corner rule.
        weights: as for `Jumps`.
        stride: as for `Jumps`.
        corners: as for `Jumps`.
        goals: cells where every run stops; the time of a run grows with their number.

    """

    def __init__(self, table: JumpTable, weights: bytes, stride: int, corners: str, goals: Sequence[Cell]):
        super().__init__(weights, stride, corners, goals)
        self.table, self.places = table, goals
        self._codes = {name: code for code, name in enumerate(OFFSETS)}
        self._intervals = table.intervals(map(self._number, goals))

    def run(self, cell: Cell, direction: str) -> int:
        """Return the number of steps to the jump point in a direction; 0 if there is none."""
        steps = self._reach(self._number(cell), direction)
        for goal in self.places:
            stop = self._stop(cell, direction, goal, abs(steps))
            steps = stop or steps
        if steps <= 0:
            return 0
        dx, dy = OFFSETS[direction]
        if not self._is_open(cell[0] + steps * dx, cell[1] + steps * dy):
            raise damaged()
        return steps

    def check_path(self, states: Sequence[Cell], actions: Sequence[str]) -> None:
        """Raise `InputFormatError` if a step of a path is not possible, or the table was changed after its check."""
        self.table.check_unchanged()
        for (x, y), name in zip(states, actions, strict=False):
            dx, dy = OFFSETS[name]
            sides = self._is_open(x + dx, y) and self._is_open(x, y + dy)
            if not self._is_open(x + dx, y + dy) or not (self.cut or sides):
                raise damaged()

    def landmark_heuristic(self, cell: Cell) -> float:
        """Return the lower bound on the cost to the nearest goal that the landmarks give."""
        return self.table.heuristic(self._number(cell), self._intervals)

    def _stop(self, cell: Cell, direction: str, goal: Cell, reach: int) -> int:
        """Return the number of steps, at most `reach`, after which a run stops for a goal; 0 if it does not.

        A diagonal run stops where a straight run leads to the goal.
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

    def _is_open(self, x: int, y: int) -> bool:
        number = y * self.stride + x
        return 0 <= x < self.stride and 0 <= number < len(self.weights) and self.weights[number] > 0

    def _number(self, cell: Cell) -> int:
        return cell[1] * self.stride + cell[0]

    def _reach(self, number: int, direction: str) -> int:
        return self.table.runs[32 * number + self._codes[direction]]


def damaged() -> InputFormatError:
    """Return the error of a table that contradicts the map, as that of a file can if it is changed after its check."""
    return InputFormatError("the jump distances are damaged; make them anew with searchkit precompute")
