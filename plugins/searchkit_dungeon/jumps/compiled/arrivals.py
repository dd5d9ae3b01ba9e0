"""The cells that a search has reached, and how the tree shows them."""

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any
from weakref import finalize

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.tree import Trail
from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, LENGTH, NAMES, START
from searchkit_dungeon.jumps.compiled.heap import AT, ENTRY
from searchkit_dungeon.terrain import OFFSETS, Cell, Terrain

RECORD = np.dtype(
    [
        ("g", np.float64),
        ("cell", np.uint32),
        ("steps", np.uint16),
        ("direction", np.uint8),
        ("closed", np.uint8),
    ],
    align=True,
)
"""An arrival at a cell: the cost so far, and the run that led there. Of several at one cell, the last one counts."""
FIRST_ROOM = 1 << 10
ACTIONS = np.array(NAMES, object)
FIRST_DIAGONAL = 4
"""The code of the first direction whose steps are not as long as 1, an integer."""


class Workspace:
    """The arrays of one search at a time: made once, used by many searches of one terrain, never cleared."""

    def __init__(self, terrain: Terrain):
        self.slots = np.zeros(len(terrain.weights), np.uint32)
        """Cell → the number of its last record. Arbitrary for cells that were not reached: the record with that number
        is of another cell, or not of this search (Briggs and Torczon 1993)."""
        self.records, self.heap = np.empty(FIRST_ROOM, RECORD), np.empty(FIRST_ROOM, ENTRY)
        self.cells, self.codes = np.empty(FIRST_ROOM, np.uint32), np.empty(FIRST_ROOM, np.uint8)

    def grow(self, ask: Callable[[int], None] = lambda size: None) -> Iterator[None]:
        """Double the room for records and for the frontier, in pieces; `ask` may refuse that many bytes."""
        arrays = self.growing()
        ask(sum(array.nbytes for array in arrays.values()))
        grown = {name: np.empty(2 * len(array), array.dtype) for name, array in arrays.items()}
        for name, array in arrays.items():
            grown[name][: len(array)] = array
        self.__dict__.update(grown)
        return iter(())

    def growing(self) -> dict[str, Any]:
        """Return the arrays that grow."""
        return {"records": self.records, "heap": self.heap}

    def grow_at_once(self) -> None:
        """Do all of it at once."""
        for _ in self.grow():
            pass

    def fill(self, entries: list[tuple[float, int]]) -> None:
        """Fill the frontier with (f, node)."""
        while len(self.heap) < len(entries):
            self.grow_at_once()
        entries.sort(key=lambda entry: (entry[0], -entry[1]))  # a sorted array is a heap
        self.heap[: len(entries)] = entries


def workspace(terrain: Terrain, kind: str, make: Callable[[], Any]) -> Any:
    """Return a workspace that no other search uses, an earlier one or a new one.

    It is free for the next search when the returned object is deleted: whoever reads the arrays has to hold that
    object.
    """
    spare: list[Any] = terrain.kept.setdefault(("workspaces", kind), [])
    try:
        kept = spare.pop()
    except IndexError:
        kept = make()
    lent = object.__new__(type(kept))
    lent.__dict__ = kept.__dict__
    finalize(lent, spare.append, kept).atexit = False
    return lent


class Arrivals(Mapping[Cell, Any]):
    """Cell → its best arrival: the cost so far, the cell that the run there began in, and the direction of the run."""

    def __init__(self, terrain: Terrain, masks: bytes, kind: str, make: Callable[[], Any]):
        self.terrain = terrain
        self.space = workspace(terrain, kind, make)
        self.count = self.reached = 0
        """The number of records, and of cells with a record."""

    def enter(self, start: Cell) -> None:
        """Write the record of a start, for which there is room."""
        number = self.number(start)
        self.space.records[self.count] = 0, number, 0, START, 0
        self.space.slots[number] = self.count
        self.count += 1
        self.reached += 1

    def number(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return cell[1] * self.terrain.stride + cell[0]

    def node(self, cell: Any) -> int:
        """Return the number of a cell's record. Raises `KeyError` if it was not reached."""
        try:
            x, y = cell
            if 0 <= x < self.terrain.width and 0 <= y < self.terrain.height:
                number = self.number(cell)
                node = int(self.space.slots[number])
                if node < self.count and self.space.records["cell"][node] == number:
                    return node
        except (TypeError, ValueError, IndexError):
            pass
        raise KeyError(cell)

    def __getitem__(self, cell: Any) -> Any:
        g, _, steps, code, _ = self.space.records[self.node(cell)].item()
        if code == START:
            return 0, None, None
        dx, dy = OFFSETS[NAMES[code]]
        return g, (cell[0] - steps * dx, cell[1] - steps * dy), NAMES[code]

    def __iter__(self) -> Iterator[Cell]:
        numbers = self.space.records["cell"][: self.count]
        latest = self.space.slots[numbers] == np.arange(self.count)
        return map(self.terrain.cells.__getitem__, numbers[latest].tolist())

    def __len__(self) -> int:
        return self.reached

    def path_to(self, state: Any) -> Trail:
        """Return the path to a cell, step by step. Raises `KeyError` if it was not reached."""
        space, stride = self.space, self.terrain.stride
        self.node(state)
        number = self.number(state)
        where = space.slots, space.records, number, stride
        steps = _trace(*where, space.cells, space.codes)
        if steps >= len(space.codes):
            space.cells, space.codes = np.empty(2 * steps, np.uint32), np.empty(2 * steps, np.uint8)
            steps = _trace(*where, space.cells, space.codes)
        numbers = space.cells[: steps + 1].copy()
        rows, columns = np.divmod(numbers, np.uint32(stride))
        # New pairs: those of `terrain.cells` lie all over the memory.
        states = tuple(zip(columns.tolist(), rows.tolist(), strict=True))
        codes = space.codes[:steps]
        costs = LENGTH[codes]
        total = float(costs.cumsum()[-1]) if steps else 0
        cost = total if (codes >= FIRST_DIAGONAL).any() else int(total)
        return Trail(states, tuple(ACTIONS[codes].tolist()), costs, numbers, cost)


class Closed(Set[Cell]):
    """The cells that are expanded."""

    def __init__(self, arrivals: Arrivals):
        self.arrivals = arrivals

    def __contains__(self, cell: object) -> bool:
        try:
            return bool(self.arrivals.space.records["closed"][self.arrivals.node(cell)])
        except KeyError:
            return False

    def __iter__(self) -> Iterator[Cell]:
        return (cell for cell in self.arrivals if cell in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@kernel
def _trace(slots: Any, records: Any, cell: Any, stride: Any, cells: Any, codes: Any) -> Any:
    """Write the cells of a path and the directions of its steps, if there is room; return how many steps there are."""
    length, at = np.int64(0), np.int64(cell)
    record = records[slots[AT(at)]]
    while record.direction != START:
        length += np.int64(record.steps)
        at -= record.steps * (AHEAD_Y[record.direction] * stride + AHEAD_X[record.direction])
        record = records[slots[AT(at)]]
    if length >= codes.size:
        return length
    place, at = length, np.int64(cell)
    record = records[slots[AT(at)]]
    while record.direction != START:
        back = AHEAD_Y[record.direction] * stride + AHEAD_X[record.direction]
        for _ in range(record.steps):
            cells[AT(place)] = at
            at -= back
            place -= 1
            codes[AT(place)] = record.direction
        record = records[slots[AT(at)]]
    cells[AT(place)] = at
    return length
