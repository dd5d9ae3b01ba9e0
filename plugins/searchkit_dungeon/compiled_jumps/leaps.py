"""The records of jump points that a search reached, and how the tree shows them."""

from collections.abc import Iterator, Mapping, Sequence, Set
from operator import itemgetter
from typing import Any
from weakref import finalize

import numpy as np

from searchkit.compiling import kernel
from searchkit_dungeon.compiled_jumps.compass import AHEAD_X, AHEAD_Y, NAMES, START
from searchkit_dungeon.compiled_jumps.heap import ENTRY
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import Terrain

RECORD = np.dtype(
    [
        ("g", np.float64),
        ("cell", np.uint32),
        ("before", np.uint32),
        ("steps", np.uint16),
        ("direction", np.uint8),
        ("closed", np.uint8),
    ],
    align=True,
)
"""An arrival at a cell: the record before, and the run between."""
FIRST_ROOM = 1 << 10


class Workspace:
    """The arrays of one search at a time: made once, for many searches of one terrain, and never emptied."""

    def __init__(self, cells: int):
        self.slots = np.zeros(cells, np.uint32)
        """Cell → the number of its last record. Anything for other cells: the record there is of another cell, or none
        of this search (Briggs and Torczon 1993)."""
        self.records = np.empty(FIRST_ROOM, RECORD)
        self.heap = np.empty(FIRST_ROOM, ENTRY)
        self.cells, self.codes = np.empty(FIRST_ROOM, np.uint32), np.empty(FIRST_ROOM, np.uint8)

    def grow(self) -> None:
        """Double the room for records and for the frontier."""
        self.records = np.concatenate([self.records, np.empty_like(self.records)])
        self.heap = np.concatenate([self.heap, np.empty_like(self.heap)])


class Leaps(Mapping[Cell, Any]):
    """Jump point → its best arrival, as `searchkit_dungeon.jps_plus.Leaps`.

    Takes a workspace of the terrain, and gives it back when nobody holds this any more.
    """

    def __init__(self, terrain: Terrain):
        self.terrain = terrain
        spare: list[Workspace] = terrain.kept.setdefault(("workspaces", ""), [])
        try:
            self.space = spare.pop()
        except IndexError:
            self.space = Workspace(len(terrain.weights))
        finalize(self, spare.append, self.space).atexit = False
        self.count = 0
        """How many records there are."""

    def enter(self, cell: Cell, g: float, before: int, steps: int, direction: int) -> int:
        """Make a record, and return its number."""
        if self.count == len(self.space.records):
            self.space.grow()
        number, node = self.number(cell), self.count
        self.space.records[node] = (g, number, before, steps, direction, 0)
        self.space.slots[number] = node
        self.count += 1
        return node

    def number(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return cell[1] * self.terrain.stride + cell[0]

    def node(self, cell: Any) -> int:
        """Return the number of a cell's record. Raises `KeyError` where it was not reached."""
        try:
            x, y = cell
            number = self.number(cell)
            if 0 <= x < self.terrain.width and 0 <= number < len(self.space.slots):
                node = int(self.space.slots[number])
                if node < self.count and self.space.records["cell"][node] == number:
                    return node
        except (TypeError, ValueError, IndexError):
            pass
        raise KeyError(cell)

    def __getitem__(self, cell: Any) -> Any:
        record = self.space.records[self.node(cell)]
        if record["direction"] == START:
            return 0, None, None
        before = int(self.space.records["cell"][record["before"]])
        return float(record["g"]), self.terrain.cells[before], NAMES[record["direction"]]

    def __iter__(self) -> Iterator[Cell]:
        numbers = self.space.records["cell"][: self.count]
        latest = self.space.slots[numbers] == np.arange(self.count)
        return map(self.terrain.cells.__getitem__, numbers[latest].tolist())

    def __len__(self) -> int:
        numbers = self.space.records["cell"][: self.count]
        return int((self.space.slots[numbers] == np.arange(self.count)).sum())

    def path_to(self, state: Any) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
        """Return the cells and the directions of the path to a jump point. Raises `KeyError` if it was not reached."""
        space, node = self.space, self.node(state)
        stride = self.terrain.stride
        steps = _trace(space.records, node, stride, space.cells, space.codes)
        if steps >= len(space.codes):
            space.cells, space.codes = np.empty(2 * steps, np.uint32), np.empty(2 * steps, np.uint8)
            _trace(space.records, node, stride, space.cells, space.codes)
        rows, columns = np.divmod(space.cells[: steps + 1], np.uint32(stride))
        # New pairs: those of `terrain.cells` lie all over the memory. Two names more, because of one it makes no tuple.
        names = itemgetter(0, 0, *space.codes[:steps].tobytes())(NAMES)
        return tuple(zip(columns.tolist(), rows.tolist(), strict=True)), names[2:]


class ClosedLeaps(Set[Cell]):
    """The cells that are expanded."""

    def __init__(self, leaps: Leaps):
        self.leaps = leaps

    def __contains__(self, cell: object) -> bool:
        try:
            return bool(self.leaps.space.records["closed"][self.leaps.node(cell)])
        except KeyError:
            return False

    def __iter__(self) -> Iterator[Cell]:
        records = self.leaps.space.records[: self.leaps.count]
        numbers: Sequence[int] = records["cell"][records["closed"] != 0].tolist()
        return map(self.leaps.terrain.cells.__getitem__, numbers)

    def __len__(self) -> int:
        return int((self.leaps.space.records["closed"][: self.leaps.count] != 0).sum())


@kernel
def _trace(records: Any, node: Any, stride: Any, cells: Any, codes: Any) -> Any:
    """Write the cells of a path and the directions of its steps, if there is room; return how many steps there are."""
    steps, at = 0, node
    while records[at].direction != START:
        steps += np.int64(records[at].steps)
        at = records[at].before
    if steps >= codes.size:
        return steps
    place, at = steps, node
    cell = np.int64(records[node].cell)
    while records[at].direction != START:
        code = records[at].direction
        back = AHEAD_Y[code] * stride + AHEAD_X[code]
        for _ in range(records[at].steps):
            cells[place] = cell
            cell -= back
            place -= 1
            codes[place] = code
        at = records[at].before
    cells[place] = cell
    return steps
