"""Maps that shrink well, for strategies of grids, also in plugins.

If a map is drawn cell by cell after its width and height, it shrinks badly: with one column fewer, every cell is read
from another place, and neighbours are separated. Here cells, walls and marks are drawn on a sheet of fixed size,
besides which columns and rows are present. Removing one changes nothing else; marks on it move to the next.

Everything is drawn as blocks of bytes of the same size. Hypothesis needs as much time for one number as for a block.
Most examples are made from the previous one by replacing a part with another part of the same kind. If the sizes
differed, the copy would not fit, and the rest would be 0: most maps would be empty.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TypeAlias, TypeVar

from attrs import frozen
from hypothesis import strategies as st

Place: TypeAlias = tuple[int, int]
"""(x, y): x to the right, y down, from 0; on the sheet or on the map."""
Option = TypeVar("Option")
BLOCK = 64
"""The size of a block in bytes."""
ROOM = 36
"""How much likelier a full width is than any other, and a full height: small maps are mostly full."""


@frozen
class Draft:
    """The parts of a map, and the columns and rows of the sheets that belong to it, in order."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    choices: bytes
    """Bytes for `pick`."""
    places: list[Place]
    """Places on the sheet."""
    sheets: list[list[bytes]]
    """For each sheet, a byte for each cell, row by row."""

    @property
    def width(self) -> int:
        """Columns of the map."""
        return len(self.columns)

    @property
    def height(self) -> int:
        """Rows of the map."""
        return len(self.rows)

    @property
    def marks(self) -> list[Place]:
        """The places on the map; several may coincide. If the line of one is missing, it is on the next or the last."""
        return [
            (
                min(bisect_left(self.columns, x), self.width - 1),
                min(bisect_left(self.rows, y), self.height - 1),
            )
            for x, y in self.places
        ]

    @property
    def corners(self) -> list[Place]:
        """The four corners of the map, beginning with its last cell; some may coincide."""
        return [(x, y) for y in (self.height - 1, 0) for x in (self.width - 1, 0)]

    @property
    def cells(self) -> list[bytes]:
        """A byte for each cell of the map, row by row: from the first sheet."""
        return self.cells_of(self.sheets[0])

    def cells_of(self, sheet: Sequence[bytes]) -> list[bytes]:
        """Return a byte of a sheet for each cell of the map, row by row."""
        return [bytes([sheet[row][column] for column in self.columns]) for row in self.rows]


def far_goal(starts: Sequence[Place], candidates: Sequence[Place], spare: Sequence[Place]) -> Place:
    """Return the candidate that is farthest from the starts; if all are starts, the farthest of the `spare` places.

    The distance is the number of columns and rows to the nearest start.
    """

    def distance(place: Place) -> int:
        return min([steps(place, start) for start in starts])

    found = max(candidates, key=distance, default=None)
    return found if found is not None and distance(found) else max(spare, key=distance)


def nearest(places: Sequence[Place], place: Place) -> Place:
    """Return the first of the places that are nearest to another."""
    return place if place in places else min(places, key=lambda other: steps(place, other))


def steps(one: Place, other: Place) -> int:
    """Return the number of columns and rows between two places."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def pick(byte: int, options: Sequence[Option]) -> Option:
    """Return the option for a byte. All are equally likely; 0 means the first."""
    return options[byte * len(options) >> 8]


@cache
def drafts(
    width: int, height: int | None = None, *, choices: int = 0, places: int = 0, sheets: int = 1
) -> st.SearchStrategy[Draft]:
    """Draw the parts of a map of at most `width` × `height` cells (height: as the width).

    The map has at least two cells, if there is room. It shrinks to few cells, one
    column or row at a time, and to cells of 0.

    Args:
        width: the largest number of cells in a row.
        height: the largest number of cells in a column.
        choices: the number of bytes for choices.
        places: the number of places; the first is meant for a start.
        sheets: the number of bytes for each cell.

    """
    return _drafts(width, width if height is None else height, choices, places, sheets)


@st.composite
def _drafts(draw: st.DrawFn, width: int, height: int, choices: int, places: int, sheets: int) -> Draft:
    # Hypothesis shrinks from the end. The first place is a start, and is drawn before the cells: it stays until the
    # other places and the walls are gone. If it were the first cell by then, a step to the west would need a detour.
    first = min(2, 2 * places)
    sizes = [width + height, 2 + sheets, choices, first, *[width * height] * sheets, 2 * places - first]
    lines, head, chosen, start, *cells, others = _cut(draw(blocks(sum(sizes))), sizes)
    columns, rows = _lines(lines[:width], head[0]), _lines(lines[width:], head[1])
    if len(columns) == len(rows) == 1:
        columns, rows = ((0, 1), rows) if width > 1 else (columns, tuple(range(min(height, 2))))
    numbers = start + others
    ends = [(numbers[i] * width >> 8, numbers[i + 1] * height >> 8) for i in range(0, 2 * places, 2)]
    drawn = [_rows(sheet, width, byte) for sheet, byte in zip(cells, head[2:], strict=True)]
    return Draft(columns, rows, chosen, ends, drawn)


@cache
def blocks(size: int) -> st.SearchStrategy[bytes]:
    """Draw `count` bytes that shrink towards 0."""
    number = -(-size // BLOCK)
    return st.tuples(*[ONE_BLOCK] * number).map(lambda drawn: b"".join(drawn)[:size])


ONE_BLOCK = st.binary(min_size=BLOCK, max_size=BLOCK)


def _cut(drawn: bytes, sizes: Iterable[int]) -> list[bytes]:
    """Cut bytes into parts of these sizes."""
    ends = [0, *accumulate(sizes)]
    return [drawn[begin:end] for begin, end in pairwise(ends)]


def _lines(kept: bytes, byte: int) -> tuple[int, ...]:
    """Return the lines whose bytes are not 0, of all lines or of the first few."""
    most = len(kept)
    end = 1 + (byte * (most + ROOM) >> 8)
    return tuple([line for line in range(min(end, most)) if kept[line]]) or (0,)


def _rows(sheet: bytes, width: int, byte: int) -> list[bytes]:
    """Cut a sheet into rows. If the byte is small, most of it becomes 0."""
    if byte < 64:
        sheet = sheet.translate(MOSTLY_0)
    return [sheet[place : place + width] for place in range(0, len(sheet), width)]


MOSTLY_0 = bytes(max(0, 4 * byte - 768) for byte in range(256))
