"""A drawing, free of any way to show it: a raster of marks and what each mark looks like."""

from collections.abc import Iterable, Mapping

from attrs import field, frozen


@frozen
class Mark:
    """How one kind of cell looks."""

    glyph: str
    """One character, for terminals."""
    colour: str
    """`#rrggbb`, for terminals with colours and for images."""
    label: str = ""
    """What it means, for a legend; without one the mark stays out of the legend."""
    rank: int = 0
    """Where many cells share one place, because the drawing is scaled down, the highest rank is shown."""


def _rows(rows: Iterable[str]) -> tuple[str, ...]:
    return tuple(rows)  # `tuple` itself as a converter hides from mypy what it takes


@frozen
class Drawing:
    """A raster: one character per cell, and the mark that each character stands for.

    All rows have the same length. Row 0 is the top.
    """

    rows: tuple[str, ...] = field(converter=_rows)
    marks: Mapping[str, Mark] = field()

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.rows)

    @rows.validator
    def _check_rows(self, _: object, rows: tuple[str, ...]) -> None:
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            raise ValueError(f"the rows of a drawing have the same length, not {sorted(lengths)}")

    @marks.validator
    def _check_marks(self, _: object, marks: Mapping[str, Mark]) -> None:
        unknown = set().union(*self.rows) - marks.keys() if self.rows else set()
        if unknown:
            raise ValueError(f"no mark is given for {sorted(unknown)}")
