"""The terrain of a map: cells, directions, what it costs to enter each cell, and which steps lead from it."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import sqrt
from typing import Any, TypeAlias

from attrs import frozen

from searchkit.plugin import InvalidProblemError

Cell: TypeAlias = tuple[int, int]
"""(x, y): x grows to the right and y downwards, both from 0."""

OFFSETS: dict[str, Cell] = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "NW": (-1, -1),
}
"""Direction → the change of x and y, in the order in which successors are returned."""

DIAGONAL = round(sqrt(2) * 2**30) / 2**30
"""The length of a diagonal step: √2 to 11 digits, as a multiple of 2⁻³⁰.

Sums and differences of such multiples are exact in floating point as long as they stay below 2²³ = 8,388,608.
So equally long paths have equal costs whatever the order of their steps, and the octile heuristic is exactly
consistent. With the float nearest to √2 it is not, and A* would reopen cells needlessly.
"""

LENGTHS: dict[str, int | float] = {name: DIAGONAL if dx and dy else 1 for name, (dx, dy) in OFFSETS.items()}
"""Direction → the length of a step."""

UNIT_LENGTHS: dict[str, int] = dict.fromkeys(OFFSETS, 1)
"""Direction → the length of a step between hexagons."""

WHOLE_LENGTHS: dict[str, int] = {name: 577 if dx and dy else 408 for name, (dx, dy) in OFFSETS.items()}
"""Direction → the length of a step as an integer. 577/408 is √2 to 6 digits, a convergent of its continued fraction."""

OPPOSITES = dict(zip(OFFSETS, ("S", "W", "N", "E", "SW", "NW", "NE", "SE"), strict=True))
"""Direction → the opposite direction."""


HEXAGONS: tuple[dict[str, Cell], dict[str, Cell]] = (
    {"NE": (0, -1), "E": (1, 0), "SE": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1)},
    {"NE": (1, -1), "E": (1, 0), "SE": (1, 1), "SW": (0, 1), "W": (-1, 0), "NW": (0, -1)},
)
"""For even rows and for odd ones, shifted to the right by half a hexagon: direction → the change of x and y."""
ODD_ROW = 6
"""The bit of a set of directions on hexagons that says whether the row is an odd one."""


def directions(moves: int) -> tuple[str, ...]:
    """Return the names of the 4 or 8 directions, in their order."""
    return tuple(OFFSETS)[:moves]


WALL = 0
"""The weight of a wall."""
PASSABLE = bytes([0] + [1] * 255)


@frozen(eq=False)
class Steps:
    """The possible steps on a terrain for one number of moves and one corner rule.

    Cells are numbered y · stride + x, so a step adds a fixed offset.
    """

    masks: bytes
    """For each cell, the set of directions in which a step is possible: bit i stands for direction i. On hexagons, the
    directions are those of `HEXAGONS`, and a further bit is set in odd rows."""
    successors: tuple[tuple[tuple[str, int], ...], ...]
    """Set of directions → (direction, offset) of each step."""
    predecessors: tuple[tuple[tuple[str, int], ...], ...]
    """The same steps backwards: (direction that leads to the cell, offset of the cell where it begins)."""


StepsOfSets = tuple[tuple[tuple[str, int], ...], ...]


@lru_cache(maxsize=64)
def _steps_of_sets(moves: int, stride: int) -> tuple[StepsOfSets, StepsOfSets]:
    """Return the successors and predecessors of `Steps` for each set of directions. Maps of one width share them."""
    found = []
    for mask in range(1 << moves + (moves == 6)):
        offsets = HEXAGONS[mask >> ODD_ROW] if moves == 6 else OFFSETS
        names = [name for bit, name in enumerate(list(offsets)[:moves]) if mask >> bit & 1]
        found.append([(name, offsets[name][1] * stride + offsets[name][0]) for name in names])
    successors = tuple(map(tuple, found))
    return successors, tuple(
        tuple((OPPOSITES[name], offset) for name, offset in steps) for steps in successors
    )


class Terrain:
    """The cells of a map: walls, and floor that costs 1 to 9 to enter. Immutable; problems share it.

    `costs` has what it costs to enter each cell, by its number y · stride + x; `unit` is 1, a float if costs are.

    Args:
        rows: the weight of each cell, 0 for a wall; one bytes object for each row, all of the same length.
        water: for each cell, in rows of the same form, 1 if it is water: no step leads between water and land.

    Raises:
        InvalidProblemError: there are no cells, or the rows differ in length.

    """

    unit: float = 1

    def __init__(self, rows: Sequence[bytes], water: Sequence[bytes] = ()):
        lengths = {len(row) for row in rows}
        if len(lengths) != 1 or lengths == {0}:
            raise InvalidProblemError(
                f"the rows of a map have lengths {sorted(lengths)}; expected one length, at least 1"
            )
        self.width, self.height = len(rows[0]), len(rows)
        # A wall after each row and a row of walls after the last close the map on all sides:
        # the cell left of the first in a row is the wall after the row above.
        self.stride = self.width + 1
        self.weights = b"".join(row + bytes([WALL]) for row in rows) + bytes(self.stride)
        self.costs: Sequence[float] = self.weights
        self.water = (
            b"".join(row + bytes(1) for row in water) + bytes(self.stride) if any(map(any, water)) else b""
        )
        """For each cell 1 if it is water; empty if there is none."""
        self.kept: dict[tuple[str, str], Any] = {}
        """Data that engines computed for this terrain: (name, corner rule) → data."""
        self._steps: dict[tuple[int, str], Steps] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, without cached data."""
        cached = ("cells", "passable", "least_weight", "weighted")
        state = {name: value for name, value in vars(self).items() if name not in cached}
        return {**state, "kept": {}, "_steps": {}}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Terrain):
            return NotImplemented
        size = self.stride == other.stride
        return size and (self.costs, self.weights, self.water) == (other.costs, other.weights, other.water)

    def __hash__(self) -> int:
        return hash((self.stride, self.weights))

    @cached_property
    def passable(self) -> int:
        """The number of cells that can be entered."""
        return len(self.weights) - self.weights.count(WALL)

    @cached_property
    def least_weight(self) -> float:
        """The least weight of all cells that can be entered; 1 if there are none."""
        return min(set(self.weights) - {WALL}, default=1)

    @cached_property
    def weighted(self) -> bool:
        """Whether some cell costs more than 1 to enter."""
        return max(self.weights) > 1

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells by their number, created at the first use.

        Searches take their states from this list instead of creating a tuple for each step. This is 10 to 20 %
        faster, and the searches of a scenario share the tuples.
        """
        return [(x, y) for y in range(self.height) for x in range(self.stride)]

    def __contains__(self, cell: Cell) -> bool:
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height

    def weight(self, cell: Cell) -> int:
        """Return the cost of entering a cell of the map; 0 for a wall."""
        x, y = cell
        return self.weights[y * self.stride + x]

    def fault(self, cell: Cell) -> str:
        """Return the reason why `cell` can't be entered, or "" if it can."""
        try:
            inside = cell in self
        except (TypeError, ValueError):
            return "is not a cell; expected a pair (x, y)"
        if not inside:
            return (
                f"is off the map, which is {self.width} wide and {self.height} high: "
                f"expected x from 0 to {self.width - 1} and y from 0 to {self.height - 1}"
            )
        return "" if self.weight(cell) else "is inside a wall; expected a cell that can be entered"

    def with_cells(self, weights: Mapping[Cell, int]) -> "Terrain":
        """Return a terrain of the same size in which some cells have other weights: 1 to 9, or 0 for a wall.

        Raises `InvalidProblemError` if a cell is off the map or a weight is not a whole number from 0 to 9.
        """
        cells = bytearray(self.weights)
        for cell, weight in weights.items():
            if cell not in self:
                raise InvalidProblemError(f"the cell {cell} {self.fault(cell)}")
            if weight not in range(10):
                raise InvalidProblemError(
                    f"the weight of {cell} is {weight!r}; expected 1 to 9, or 0 for a wall"
                )
            x, y = cell
            cells[y * self.stride + x] = int(weight)
        return Terrain(self.rows(cells), self.rows(self.water) if self.water else ())

    def rows(self, cells: bytes | bytearray) -> list[bytes]:
        """Return the rows of bytes that stand for cells, by their number."""
        starts = range(0, self.height * self.stride, self.stride)
        return [bytes(cells[start : start + self.width]) for start in starts]

    def steps(self, moves: int, corners: str) -> Steps:
        """Return the steps for 4, 6 or 8 moves and one of the corner rules `no`, `one` and `cut`.

        They are computed at the first use.
        """
        rule = (moves, corners)
        if rule not in self._steps:
            self._steps[rule] = Steps(self._masks(moves, corners), *_steps_of_sets(moves, self.stride))
        return self._steps[rule]

    def _masks(self, moves: int, corners: str) -> bytes:
        """Return the set of open directions of each cell, computed for all cells at once.

        The map is one large integer with a byte for each cell. Shifting it moves the neighbour of each cell to the
        position of that cell.
        """
        passable = int.from_bytes(self.weights.translate(PASSABLE), "little")
        water = int.from_bytes(self.water, "little")
        rows = bytes(self.stride) + bytes([1]) * self.stride
        odd = int.from_bytes((rows * (self.height // 2 + 1))[: len(self.weights)], "little")
        masks = odd << ODD_ROW if moves == 6 else 0
        for here in (passable & ~water, water) if water else (passable,):

            def beside(dx: int, dy: int, here: int = here) -> int:
                offset = 8 * (dy * self.stride + dx)
                return here & (here >> offset if offset > 0 else here << -offset)

            for bit, name in enumerate(HEXAGONS[0] if moves == 6 else directions(moves)):
                if moves == 6:
                    masks |= (beside(*HEXAGONS[0][name]) & ~odd | beside(*HEXAGONS[1][name]) & odd) << bit
                    continue
                dx, dy = OFFSETS[name]
                free = beside(dx, dy)
                if dx and dy and corners == "no":
                    free &= beside(dx, 0) & beside(0, dy)
                elif dx and dy and corners == "one":
                    free &= beside(dx, 0) | beside(0, dy)
                masks |= free << bit
        return masks.to_bytes(len(self.weights), "little")
