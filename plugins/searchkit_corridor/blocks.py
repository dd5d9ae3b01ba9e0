"""The coarse map of a terrain: blocks of cell × cell cells, created once and shared by all searches on the terrain.

Blocks are numbered y · stride + x, and a set of blocks is one large integer with a bit for each block. A layer of a
coarse breadth-first search takes a few shifts of that integer.
"""

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from threading import Lock

from searchkit.plugin import InvalidOptionError
from searchkit_corridor.plan import PENALTY
from searchkit_dungeon import PASSABLE, Cell, Terrain


class Blocks:
    """The blocks with a cell that can be entered, and the steps between them.

    Args:
        terrain: the map; its size does not have to be a multiple of `cell`.
        cell: the side length of a block in cells, at least 1.

    Raises:
        InvalidOptionError: `cell` is less than 1.

    """

    def __init__(self, terrain: Terrain, cell: int):
        if cell < 1:
            raise InvalidOptionError(f"cell={cell}: expected the side of a block in cells, at least 1")
        self.cell = cell
        # No reference to the terrain: the lifetime of this map depends on that of the terrain.
        self._row_length = terrain.stride
        self.columns, self.rows = -(-terrain.width // cell), -(-terrain.height // cell)
        # An additional column of impassable blocks at the end prevents shifts from wrapping around rows.
        self.stride = self.columns + 1
        across = [x // cell for x in range(terrain.stride)]
        numbers = list(range(self.stride * self.rows))
        self.of_cell: list[int] = []
        """Number of a cell, y · terrain.stride + x → the number of its block."""
        for y in range(terrain.height):
            row = numbers[y // cell * self.stride : (y // cell + 1) * self.stride]
            self.of_cell += [row[x] for x in across]
        self.passable, self.east, self.south = self._survey(terrain)
        """A byte for each block: whether it can be entered, and whether a step leads east and south."""
        self._bits = (_as_int(self.passable), _as_int(self.east), _as_int(self.south))

    def _survey(self, terrain: Terrain) -> tuple[bytearray, bytearray, bytearray]:
        """Return `passable`, `east` and `south`, a byte for each block."""
        cell, stride = self.cell, self.stride
        size = stride * self.rows
        east, south = bytearray(size), bytearray(size)
        weights = terrain.weights.translate(PASSABLE)
        passable = self.holding(weights)
        for block_row in range(self.rows - 1):
            first = ((block_row + 1) * cell - 1) * terrain.stride
            second = first + terrain.stride
            below = _both(weights[first:second], weights[second : second + terrain.stride])
            for column in range(self.columns):
                south[block_row * stride + column] = 1 in below[column * cell : (column + 1) * cell]
        for column in range(self.columns - 1):
            right = (column + 1) * cell
            end = terrain.height * terrain.stride
            beside = _both(weights[right - 1 : end : terrain.stride], weights[right : end : terrain.stride])
            for block_row in range(self.rows):
                here = block_row * stride + column
                east[here] = 1 in beside[block_row * cell : (block_row + 1) * cell]
        return passable, east, south

    def holding(self, cells: bytes) -> bytearray:
        """Return a byte for each block: 1 if it contains a marked cell.

        `cells` is 1 for marked cells and 0 for others.
        """
        found, side, length = bytearray(self.stride * self.rows), self.cell, self._row_length
        for row in range(self.rows):
            lines = range(row * side * length, min((row + 1) * side * length, len(cells)), length)
            union = _union([cells[line : line + length] for line in lines])
            for column in range(self.columns):
                found[row * self.stride + column] = 1 in union[column * side : (column + 1) * side]
        return found

    def only(self, chosen: bytearray) -> "Blocks":
        """Return the map of the chosen blocks, marked with 1; the other blocks are impassable in it."""
        part = copy(self)
        here, size = int.from_bytes(chosen, "little"), len(chosen)

        def kept(flags: bytearray, both: int) -> bytearray:
            return bytearray((int.from_bytes(flags, "little") & both).to_bytes(size, "little"))

        part.passable = kept(self.passable, here)
        part.east = kept(self.east, here & here >> 8)
        part.south = kept(self.south, here & here >> 8 * self.stride)
        part._bits = (_as_int(part.passable), _as_int(part.east), _as_int(part.south))
        return part

    def block(self, cell: Cell) -> int:
        """Return the block that contains a cell."""
        x, y = cell
        return self.of_cell[y * self._row_length + x]

    def place(self, block: int) -> Cell:
        """Return the column and the row of a block, from 0."""
        return block % self.stride, block // self.stride

    def neighbours(self, block: int) -> list[int]:
        """Return the blocks that a step leads to from `block`, in the order N, E, S, W."""
        found = []
        if block >= self.stride and self.south[block - self.stride]:
            found.append(block - self.stride)
        if self.east[block]:
            found.append(block + 1)
        if self.south[block]:
            found.append(block + self.stride)
        if block and self.east[block - 1]:
            found.append(block - 1)
        return found

    def around(self, blocks: Iterable[int], radius: int) -> set[int]:
        """Return the blocks that can be entered at a Chebyshev distance of at most `radius` from `blocks`."""
        found: set[int] = set()
        stride, columns, rows, passable = self.stride, self.columns, self.rows, self.passable
        for block in blocks:
            x, y = block % stride, block // stride
            for row in range(max(0, y - radius), min(rows, y + radius + 1)):
                found.update(
                    range(row * stride + max(0, x - radius), row * stride + min(columns, x + radius + 1))
                )
        return {block for block in found if passable[block]}

    def shortest_path(self, sources: Iterable[int], targets: Iterable[int]) -> list[int] | None:
        """Return a path of fewest blocks from a source to a target; None if there is none.

        Breadth-first search by layers: O(layers · blocks / 30) time.
        """
        return self._path({0: _bits(sources)}, _bits(targets), 0)

    def detour(
        self,
        sources: Iterable[int],
        searched: Collection[int],
        exits: Collection[int],
        targets: Iterable[int],
    ) -> list[int] | None:
        """Return the path of the next corridor as `searchkit_corridor.plan.detour_over` does, by layers."""
        inside, doors = _bits(searched), _bits(exits)
        layer = _bits(sources) & inside
        begins: dict[int, int] = {}
        unseen, distance = inside & ~layer, 0
        while layer and doors:
            distance += 1
            beside = self._beside(layer)
            if beside & doors:
                begins[distance] = beside & doors
                doors &= ~beside
            layer = beside & unseen
            unseen ^= layer
        if doors:
            begins[0] = doors
        return self._path(begins, _bits(targets), inside)

    def _path(self, begins: dict[int, int], targets: int, dear: int) -> list[int] | None:
        """Return a cheapest path from the blocks in `begins` (cost → blocks).

        Entering a block in `dear` costs `PENALTY` more.
        """
        unseen, layer = self._bits[0], 0
        pending = dict(begins)
        layers: dict[int, int] = {}
        cost = min(pending, default=0)
        while pending or layer:
            if not layer:
                cost = max(cost, min(pending))
            beside = self._beside(layer) & unseen
            if beside & dear:
                pending[cost + PENALTY] = pending.get(cost + PENALTY, 0) | beside & dear
            layer = (beside & ~dear | pending.pop(cost, 0)) & unseen
            unseen &= ~layer
            layers[cost] = layer
            if layer & targets:
                return self._walk_back(layers, begins, (layer & targets).bit_length() - 1, cost, dear)
            cost += 1
        return None

    def _walk_back(
        self, layers: dict[int, int], begins: dict[int, int], block: int, cost: int, dear: int
    ) -> list[int]:
        path = [block]
        while not begins.get(cost, 0) >> block & 1:
            cost -= 1 + (PENALTY if dear >> block & 1 else 0)
            block = next(beside for beside in self.neighbours(block) if layers.get(cost, 0) >> beside & 1)
            path.append(block)
        return path[::-1]

    def _beside(self, layer: int) -> int:
        """Return the blocks that a step leads to from any block of the layer."""
        _, east, south = self._bits
        stride = self.stride
        return (
            (layer & east) << 1 | (layer >> 1) & east | (layer & south) << stride | (layer >> stride) & south
        )

    def distances_to(self, targets: Iterable[int]) -> "KingDistances":
        """Return the distances of blocks to the nearest target, in king moves that may cut corners."""
        return KingDistances(self._bits[0], self.stride, len(self.passable), tuple(targets))


_GROWING = Lock()
"""Held while layers are computed, because several threads may search one problem."""


class KingDistances:
    """Distances in king moves over the blocks that can be entered, computed layer by layer on demand.

    Args:
        passable: the blocks that can be entered, a bit for each.
        stride: the difference between the numbers of a block and the one below.
        count: the number of blocks.
        targets: the blocks at distance 0.

    """

    def __init__(self, passable: int, stride: int, count: int, targets: Sequence[int]):
        self._passable, self._stride = passable, stride
        self._seen = _bits(targets)
        self._size = count // 8 + 1
        self._levels = [self._seen.to_bytes(self._size, "little")]
        """The blocks at a distance of at most i, a bit for each block."""
        self._known: dict[int, int | None] = {}
        self._complete = not self._seen

    def __call__(self, block: int) -> int | None:
        """Return the distance of a block; None if it can't reach a target."""
        if block not in self._known:
            with _GROWING:
                self._known[block] = self._distance(block)
        return self._known[block]

    def _distance(self, block: int) -> int | None:
        byte, bit = block >> 3, 1 << (block & 7)
        while not self._levels[-1][byte] & bit:
            if self._complete:
                return None
            self._grow()
        low, high = 0, len(self._levels) - 1
        while low < high:
            middle = (low + high) // 2
            if self._levels[middle][byte] & bit:
                high = middle
            else:
                low = middle + 1
        return low

    def _grow(self) -> None:
        across = self._seen | self._seen << 1 | self._seen >> 1
        seen = (across | across << self._stride | across >> self._stride) & self._passable
        if seen == self._seen:
            self._complete = True
        self._seen = seen
        self._levels.append(seen.to_bytes(self._size, "little"))


def _bits(blocks: Iterable[int]) -> int:
    blocks = set(blocks)
    bits = bytearray(max(blocks, default=0) // 8 + 1)
    for block in blocks:
        bits[block >> 3] |= 1 << (block & 7)
    return int.from_bytes(bits, "little")


def _as_int(flags: bytearray) -> int:
    """Return the integer whose bit i is flag i."""
    return int(flags[::-1].translate(b"01".ljust(256, b"1")), 2)


def _union(rows: Sequence[bytes]) -> bytes:
    together = 0
    for row in rows:
        together |= int.from_bytes(row, "little")
    return together.to_bytes(len(rows[0]), "little")


def _both(one: bytes, other: bytes) -> bytes:
    return (int.from_bytes(one, "little") & int.from_bytes(other, "little")).to_bytes(len(one), "little")
