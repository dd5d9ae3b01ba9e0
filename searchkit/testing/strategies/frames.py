"""Maps that shrink: what strategies of grids are made of, those of plugins too.

A map drawn cell by cell after its width and height shrinks badly: with one column fewer every cell is read from
elsewhere, and what stood side by side is torn apart. Here cells, walls and marks are drawn on a sheet of fixed size,
and a frame says which of its columns and rows there are. One that is left out takes nothing else along; marks that
were on it move to the next.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from attrs import frozen
from hypothesis import strategies as st

Place: TypeAlias = tuple[int, int]
"""(x, y): x to the right, y down, from 0; on the sheet or on the map."""


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
        return [bytes(sheet[row][column] for column in self.columns) for row in self.rows]


def frames(width: int, height: int | None = None) -> st.SearchStrategy[Frame]:
    """Draw a frame of at most `width` × `height` cells (height: as many as wide), a part of them of full size.

    It shrinks to a single cell, a column or a row at a time, wherever on the map.
    """
    return st.builds(Frame, _lines(width), _lines(width if height is None else height))


@st.composite
def _lines(draw: st.DrawFn, most: int) -> tuple[int, ...]:
    # a quarter of the time all of them: faults need room to show
    end = draw(st.integers(1, most + (most - 1) // 3))
    kept = draw(st.binary(min_size=most, max_size=most))
    return tuple(line for line in range(min(end, most)) if kept[line]) or (0,)


def places(width: int, height: int | None = None) -> st.SearchStrategy[Place]:
    """Draw a place on the sheet for frames of at most `width` × `height` cells."""
    return st.tuples(st.integers(0, width - 1), st.integers(0, (height or width) - 1))


@st.composite
def sheets(draw: st.DrawFn, width: int, height: int | None = None) -> list[bytes]:
    """Draw a sheet: a byte for each place. Half of the sheets are drawn at random, the others are mostly 0."""
    rows = height or width
    full = draw(st.booleans())
    row = st.binary(min_size=width if full else 0, max_size=width)
    drawn = draw(st.lists(row, min_size=rows if full else 0, max_size=rows))
    return [line.ljust(width, b"\0") for line in drawn] + [bytes(width)] * (rows - len(drawn))
