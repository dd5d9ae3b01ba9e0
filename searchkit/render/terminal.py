"""A drawing as text for a terminal: one character per cell if it fits, otherwise scaled down, never cut."""

from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest
from typing import Literal

from attrs import frozen
from rich.style import Style
from rich.text import Text

from searchkit.plugin.drawing import Drawing, Mark
from searchkit.render.scaling import fitted, scaled

UPPER_HALF, FULL = "▀", "█"
TILE = "  "
"""Two characters side by side are about a square."""
SEPARATOR = "  "
PIXELS_PER_LINE = 2
"""A character is about twice as high as it is wide, so it can show this many square pixels, one above the other."""

Means = Literal["glyphs", "blocks", "tiles"]
"""What the place that shows the text can do.

`glyphs`: no colours; a drawing that has to be scaled down shows the glyph of the highest rank in each block.
`blocks`: colours; a drawing that has to be scaled down is made of half blocks, two coloured pixels per character.
`tiles`: colours, but gaps between lines, as in an image of a terminal; every cell is a square of background colour
two characters wide, or one character where the drawing fits only so.
"""


@frozen
class Layout:
    """How a drawing is shown in a given space."""

    kind: Literal["cells", "glyphs", "blocks", "tiles"]
    """One character per cell, or else what its `Means` say."""
    columns: int
    rows: int
    """Rows of cells, of text (`glyphs`) or of pixels (`blocks`, `tiles`)."""
    tile: str = TILE


def layout(drawing: Drawing, width: int, height: int | None, means: Means) -> Layout:
    """Choose how to show a drawing within `width` × `height` characters; `height` None is no limit."""
    fits = drawing.width <= width and (height is None or drawing.height <= height)
    if means == "tiles":
        if fits and drawing.width * len(TILE) > width:
            return Layout("tiles", drawing.width, drawing.height, tile=" ")
        size = fitted(drawing.width, drawing.height, max(1, width // len(TILE)), height)
        return Layout("tiles", *size)
    if fits:
        return Layout("cells", drawing.width, drawing.height)
    pixel_rows = None if height is None else height * PIXELS_PER_LINE
    columns, rows = fitted(drawing.width, drawing.height, max(1, width), pixel_rows)
    return Layout(means, columns, rows if means == "blocks" else max(1, rows // PIXELS_PER_LINE))


def to_text(drawing: Drawing, width: int, height: int | None = None, means: Means = "blocks") -> Text:
    """Return a drawing as lines of at most `width` characters, at most `height` of them, without a last newline.

    Args:
        drawing: what to show; an empty drawing gives an empty text.
        width: characters in a line, at least 1 (2 for tiles).
        height: lines, at least 1; None is no limit.
        means: what the terminal can show.

    Raises:
        rich.color.ColorParseError: where a mark's colour is not a colour.

    """
    if not drawing.width:
        return Text()
    chosen = layout(drawing, width, height, means)
    rows = drawing.rows if chosen.kind == "cells" else scaled(drawing, chosen.columns, chosen.rows)
    if chosen.kind == "blocks":
        lines = _block_lines(drawing, rows)
    elif chosen.kind == "tiles":
        looks = {key: (chosen.tile, Style(bgcolor=mark.colour)) for key, mark in drawing.marks.items()}
        lines = _lines(rows, looks)
    else:
        looks = {key: (mark.glyph, Style(color=mark.colour)) for key, mark in drawing.marks.items()}
        lines = _lines(rows, looks)
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def legend(
    drawings: Sequence[Drawing],
    width: int,
    height: int | None = None,
    means: Means = "blocks",
    across: int | None = None,
) -> Text:
    """Return what the marks in drawings of one size mean, and how far they are scaled down.

    The arguments are those of `to_text`; the lines are at most `across` characters long, by default `width`.
    Marks without a label, or in none of the drawings, are left out.
    """
    if not drawings or not drawings[0].width:
        return Text()
    chosen = layout(drawings[0], width, height, means)
    shown: dict[str, Mark] = {}
    for drawing in drawings:
        present = set().union(*drawing.rows)
        for key, mark in drawing.marks.items():
            if key in present and mark.label:
                shown.setdefault(mark.label, mark)
    entries = [Text.assemble(_sample(mark, chosen), f" {label}") for label, mark in shown.items()]
    scale = drawings[0].width / chosen.columns
    if scale > 1:
        entries.append(Text(f"(scaled down {scale:.2g} times)"))
    return _wrapped(entries, across or width)


def _wrapped(entries: Iterable[Text], width: int) -> Text:
    """Join entries into lines; rich would break them inside."""
    lines: list[Text] = []
    for entry in entries:
        if lines and lines[-1].cell_len + len(SEPARATOR) + entry.cell_len <= width:
            lines[-1].append(SEPARATOR).append_text(entry)
        else:
            lines.append(entry)
    return Text("\n").join(lines)


def _sample(mark: Mark, chosen: Layout) -> tuple[str, Style]:
    if chosen.kind == "tiles":
        return TILE, Style(bgcolor=mark.colour)
    return FULL if chosen.kind == "blocks" else mark.glyph, Style(color=mark.colour)


def _lines(rows: Iterable[str], looks: dict[str, tuple[str, Style]]) -> Iterable[Text]:
    for row in rows:
        line = Text()
        for key, run in groupby(row):
            look, style = looks[key]
            line.append(look * len(list(run)), style)
        yield line


def _block_lines(drawing: Drawing, pixels: Sequence[str]) -> Iterable[Text]:
    colours = {key: mark.colour for key, mark in drawing.marks.items()}
    for upper, lower in zip_longest(pixels[::2], pixels[1::2]):
        line = Text()
        for (top, bottom), run in groupby(zip(upper, lower or [None] * len(upper), strict=True)):
            length = len(list(run))
            if bottom is not None and colours[top] == colours[bottom]:
                line.append(FULL * length, Style(color=colours[top]))
            else:
                background = None if bottom is None else colours[bottom]
                line.append(UPPER_HALF * length, Style(color=colours[top], bgcolor=background))
        yield line
