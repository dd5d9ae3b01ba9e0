"""The coarse map of a terrain: blocks of cell × cell cells, created once and shared by all searches on the terrain.

Blocks are numbered y · stride + x, and a set of blocks is one large integer with a bit for each block. A layer of a
coarse breadth-first search takes a few shifts of that integer.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf

from searchkit.plugin import InvalidOptionError
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
        stride, last, passable = self.stride, self.columns - 1, self.passable
        wide = {
            beside
            for block in blocks
            for beside in range(
                block - min(radius, block % stride), block + min(radius, last - block % stride) + 1
            )
        }
        steps = range(-radius * stride, radius * stride + 1, stride)
        near = {block + step for block in wide for step in steps}
        return {block for block in near if 0 <= block < len(passable) and passable[block]}

    def route(
        self, begins: Mapping[int, int], searched: Collection[int], targets: Iterable[int]
    ) -> list[int] | None:
        """Return the blocks of a cheapest path to a target: see `searchkit_corridor.plan.Route`.

        Of several cheapest paths, it begins in the block that is nearest to a target, and of these in the first one.
        Searches backwards from the targets, layer by layer: O(layers · blocks / 30) time.
        """
        wanted, layer, layers = _bits(begins), _bits(targets), list[int]()
        unseen, best, start = self._bits[0] & ~_bits(searched) | layer, inf, -1
        while layer and len(layers) < best:
            unseen &= ~layer
            here = layer & wanted
            while here:
                block = (here & -here).bit_length() - 1
                here &= here - 1
                if len(layers) + begins[block] < best:
                    best, start = len(layers) + begins[block], block
            layers.append(layer)
            layer = self._beside(layer) & unseen
        if start < 0:
            return None
        path, distance = [start], next(i for i, layer in enumerate(layers) if layer >> start & 1)
        for layer in reversed(layers[:distance]):
            path.append(next(beside for beside in self.neighbours(path[-1]) if layer >> beside & 1))
        return path

    def _beside(self, layer: int) -> int:
        """Return the blocks that a step leads to from any block of the layer."""
        _, east, south = self._bits
        stride = self.stride
        return (
            (layer & east) << 1 | (layer >> 1) & east | (layer & south) << stride | (layer >> stride) & south
        )


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
