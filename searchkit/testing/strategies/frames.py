"""Maps that shrink: what strategies of grids are made of, those of plugins too.

A map drawn cell by cell after its width and height shrinks badly: with one column fewer every cell is read from
elsewhere, and what stood side by side is torn apart. Here cells, walls and marks are drawn on a sheet of fixed size,
and a frame says which of its columns and rows there are. One that is left out takes nothing else along; marks that
were on it move to the next.

All is drawn as blocks of bytes, and every block is of the same size. Hypothesis takes as long for one number as for a
block. And most of the examples that it tries are made from the one before: a part is replaced by another of the same
kind. Were their sizes different, the copy would not fit, and all that did not fit would be 0: so were most maps.
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
"""Bytes that are drawn at a time."""
ROOM = 36
"""How much likelier than any other a full width is, and a full height: small maps are mostly full."""


@frozen
class Frame:
    """The columns and rows of a sheet that are on the map, in order."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]

    @property
    def width(self) -> int:
        """Columns of the map."""
        return len(self.columns)

    @property
    def height(self) -> int:
        """Rows of the map."""
        return len(self.rows)

    def place(self, place: Place) -> Place:
        """Return where a place of the sheet is on the map: in the next line, or the last, if its own is left out."""
        x, y = place
        return (
            min(bisect_left(self.columns, x), self.width - 1),
            min(bisect_left(self.rows, y), self.height - 1),
        )

    def places(self, places: Iterable[Place]) -> list[Place]:
        """Return where places of the sheet are on the map, each as `place` says; several may be in one."""
        return [self.place(place) for place in places]

    def bytes(self, sheet: Sequence[bytes]) -> list[bytes]:
        """Return the rows of the map, as bytes."""
        columns = self.columns
        return [bytes([line[column] for column in columns]) for line in (sheet[row] for row in self.rows)]

    @property
    def corners(self) -> list[Place]:
        """The four corners of the map, the last cell of it first; some may be the same."""
        return [(x, y) for y in (self.height - 1, 0) for x in (self.width - 1, 0)]


def far_goal(starts: Sequence[Place], candidates: Sequence[Place], spare: Sequence[Place]) -> Place:
    """Return the candidate that is farthest from the starts; if all are starts, the farthest of the `spare` places.

    How far a place is: the columns and rows between it and the nearest start.
    """

    def distance(place: Place) -> int:
        return min([steps(place, start) for start in starts])

    found = max(candidates, key=distance, default=None)
    return found if found is not None and distance(found) else max(spare, key=distance)


def nearest(places: Sequence[Place], place: Place) -> Place:
    """Return the first of the places that are nearest to another."""
    return place if place in places else min(places, key=lambda other: steps(place, other))


def steps(one: Place, other: Place) -> int:
    """Return the columns and rows between two places."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def pick(byte: int, options: Sequence[Option]) -> Option:
    """Return the option that a byte stands for, each as likely as the others; 0 is the first."""
    return options[byte * len(options) >> 8]


@frozen
class Draft:
    """What a map is made of."""

    frame: Frame
    choices: bytes
    """What to choose by: each is a byte for `pick`."""
    places: list[Place]
    """Places on the sheet."""
    sheets: list[list[bytes]]
    """A byte for each cell of the sheet, row by row, so many times."""

    @property
    def marks(self) -> list[Place]:
        """The places, as they are on the map; several may be in one."""
        return self.frame.places(self.places)

    @property
    def cells(self) -> list[bytes]:
        """A byte for each cell of the map, row by row: from the first sheet."""
        return self.frame.bytes(self.sheets[0])


@cache
def drafts(
    width: int, height: int | None = None, *, choices: int = 0, places: int = 0, sheets: int = 1
) -> st.SearchStrategy[Draft]:
    """Draw a frame of at most `width` × `height` cells (height: as many as wide), and all that a map is made of.

    The frame has at least two cells, if there is room for them. It shrinks as `frames` and `sheets` do.

    Args:
        width: the most cells in a row.
        height: the most cells in a column.
        choices: how many bytes to choose by.
        places: how many places; the first is meant for a start.
        sheets: how many bytes there are for each cell.

    """
    return _drafts(width, width if height is None else height, choices, places, sheets)


@st.composite
def _drafts(draw: st.DrawFn, width: int, height: int, choices: int, places: int, sheets: int) -> Draft:
    # Hypothesis shrinks from the end on. The first place is a start, and drawn before the cells: it stays until the
    # other places and the walls are gone. Were it the first cell by then, a step to the west would need a detour.
    first = min(2, 2 * places)
    sizes = [width + height, 2 + sheets, choices, first, *[width * height] * sheets, 2 * places - first]
    lines, head, chosen, start, *cells, others = _cut(draw(blocks(sum(sizes))), sizes)
    frame = _frame(lines, head[0], head[1], width)
    if frame.width == frame.height == 1:
        frame = Frame((0, 1), frame.rows) if width > 1 else Frame(frame.columns, tuple(range(min(height, 2))))
    numbers = start + others
    ends = [(numbers[i] * width >> 8, numbers[i + 1] * height >> 8) for i in range(0, 2 * places, 2)]
    drawn = [_rows(sheet, width, byte) for sheet, byte in zip(cells, head[2:], strict=True)]
    return Draft(frame, chosen, ends, drawn)


@cache
def blocks(size: int) -> st.SearchStrategy[bytes]:
    """Draw so many bytes, and shrink them towards 0."""
    return _blocks(size)


@st.composite
def _blocks(draw: st.DrawFn, size: int) -> bytes:
    return b"".join([draw(ONE_BLOCK) for _ in range(0, size, BLOCK)])[:size]


ONE_BLOCK = st.binary(min_size=BLOCK, max_size=BLOCK)


def _cut(drawn: bytes, sizes: Iterable[int]) -> list[bytes]:
    """Cut bytes into parts of these sizes."""
    ends = [0, *accumulate(sizes)]
    return [drawn[begin:end] for begin, end in pairwise(ends)]


def _frame(kept: bytes, across: int, down: int, width: int) -> Frame:
    return Frame(_lines(kept[:width], across), _lines(kept[width:], down))


def _lines(kept: bytes, byte: int) -> tuple[int, ...]:
    """Return the lines whose bytes are not 0: of all of them, or of the first few."""
    most = len(kept)
    end = 1 + (byte * (most + ROOM) >> 8)
    return tuple([line for line in range(min(end, most)) if kept[line]]) or (0,)


def _rows(sheet: bytes, width: int, byte: int) -> list[bytes]:
    """Cut a sheet into rows. For a small byte most of it becomes 0."""
    if byte < 64:
        sheet = sheet.translate(MOSTLY_0)
    return [sheet[place : place + width] for place in range(0, len(sheet), width)]


MOSTLY_0 = bytes(max(0, 4 * byte - 768) for byte in range(256))


@cache
def frames(width: int, height: int | None = None) -> st.SearchStrategy[Frame]:
    """Draw a frame of at most `width` × `height` cells (height: as many as wide), many of them of full size.

    It shrinks to a single cell, a column or a row at a time, wherever on the map.
    """
    high = width if height is None else height
    return blocks(width + high + 2).map(lambda drawn: _frame(drawn[2:], drawn[0], drawn[1], width))


@cache
def places(width: int, height: int | None = None) -> st.SearchStrategy[Place]:
    """Draw a place on the sheet for frames of at most `width` × `height` cells."""
    return st.tuples(st.integers(0, width - 1), st.integers(0, (height or width) - 1))


@cache
def sheets(width: int, height: int | None = None) -> st.SearchStrategy[list[bytes]]:
    """Draw a sheet: a byte for each place. Most sheets are drawn at random, the others are mostly 0."""
    high = width if height is None else height
    return blocks(width * high + 1).map(lambda drawn: _rows(drawn[1:], width, drawn[0]))
