"""Drawings as text for a terminal: one character per cell if they fit, otherwise scaled down, never cut."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Literal

from rich.style import Style
from rich.text import Text

from searchkit.basics.text import visible
from searchkit.plugin.drawing import Drawing, Mark

UPPER_HALF, FULL = "▀", "█"
SEPARATOR = "  "
PIXELS_PER_LINE = 2
"""A character is about twice as high as it is wide, so it shows this many square pixels."""

Means = Literal["glyphs", "blocks"]
"""How the text can be shown.

`glyphs`: without colours. If the drawing is scaled down, each block of cells shows its mark of the highest rank.
`blocks`: with colours. If the drawing is scaled down, it is made of half blocks, two coloured pixels per character.
"""


def fits(drawing: Drawing, width: int, height: int | None) -> bool:
    """Whether a drawing fits into `width` × `height` characters, one for each cell; None as `height` means no limit."""
    return drawing.width <= width and (height is None or drawing.height <= height)


def to_text(drawing: Drawing, width: int, height: int | None = None, means: Means = "blocks") -> Text:
    """Return a drawing as lines of at most `width` characters, at most `height` of them, without a last newline.

    Args:
        drawing: what to show; an empty drawing gives an empty text.
        width: characters in a line, at least 1.
        height: lines, at least 1; None is no limit.
        means: what the terminal can show.

    """
    if not drawing.width:
        return Text()
    lines, size = _lines, (drawing.width, drawing.height)
    if not fits(drawing, width, height):
        pixel_rows = None if height is None else height * PIXELS_PER_LINE
        columns, rows = fitted(*size, max(1, width), pixel_rows)
        lines = _block_lines if means == "blocks" else _lines
        size = columns, rows if means == "blocks" else max(1, rows // PIXELS_PER_LINE)
    elif drawing.hexagonal and 2 * drawing.width <= width:  # every second row is shifted by half a cell
        shifted = [" " * (y % 2) + " ".join(row) for y, row in enumerate(drawing.rows)]
        return Text("\n", no_wrap=True).join(
            _lines({" ": Mark(" ", "#000000")} | dict(drawing.marks), shifted)
        )
    return Text("\n", no_wrap=True, overflow="ignore").join(lines(drawing.marks, scaled(drawing, *size)))


def legend(
    drawings: Sequence[Drawing], width: int, height: int | None = None, means: Means = "blocks"
) -> Text:
    """Return the legend of drawings of one size, and by how much they are scaled down.

    The arguments are those of `to_text`; the lines are at most `width` characters long. Marks without a label, or in
    none of the drawings, are left out.
    """
    if not drawings or not drawings[0].width:
        return Text()
    first = drawings[0]
    whole = fits(first, width, height)
    pixel_rows = None if height is None else height * PIXELS_PER_LINE
    columns = first.width if whole else fitted(first.width, first.height, max(1, width), pixel_rows)[0]
    present = {key for drawing in drawings for row in drawing.rows for key in row}
    shown: dict[str, Mark] = {}
    for key, mark in (item for drawing in drawings for item in drawing.marks.items()):
        if key in present and mark.label:
            shown.setdefault(mark.label, mark)
    entries = []
    for label, mark in shown.items():
        sample = FULL if means == "blocks" and not whole else one_line(mark.glyph)
        entries.append(Text.assemble((sample, Style(color=mark.colour)), f" {one_line(label)}"))
    scale = first.width / columns
    if scale > 1:
        entries.append(Text(f"(scaled down {scale:.2g} times)"))
    lines: list[Text] = []
    for entry in entries:  # rich would break lines within entries
        if lines and lines[-1].cell_len + len(SEPARATOR) + entry.cell_len <= width:
            lines[-1].append(SEPARATOR).append_text(entry)
        else:
            lines.append(entry)
    return Text("\n").join(lines)


def one_line(text: str) -> str:
    """Return a text as one line that can't steer the terminal."""
    return visible(text).replace("\n", " ")


def _lines(marks: Mapping[str, Mark], rows: Sequence[str]) -> Iterable[Text]:
    # A glyph can't steer the terminal: marks may come from a plugin or a file.
    cells = {key: (one_line(mark.glyph), Style(color=mark.colour)) for key, mark in marks.items()}
    for row in rows:
        runs = [(*cells[key], len(list(run))) for key, run in groupby(row)]
        yield Text.assemble(*((glyph * count, style) for glyph, style, count in runs))


def _block_lines(marks: Mapping[str, Mark], rows: Sequence[str]) -> Iterable[Text]:
    colours = {key: mark.colour for key, mark in marks.items()}
    for upper, lower in zip_longest(rows[::2], rows[1::2]):
        line = Text()
        for (top, bottom), run in groupby(zip(upper, lower or [None] * len(upper), strict=True)):
            below = None if bottom is None else colours[bottom]
            same = colours[top] == below
            style = Style(color=colours[top], bgcolor=None if same else below)
            line.append((FULL if same else UPPER_HALF) * len(list(run)), style)
        yield line


def fitted(width: int, height: int, most_width: int, most_height: int | None) -> tuple[int, int]:
    """Return the largest size of the same proportions that fits, at most the original size and at least 1 × 1.

    `most_height` is None if the height has no limit.
    """
    columns = min(width, most_width)
    rows = height * columns // width
    if most_height is not None and height * columns > most_height * width:
        rows = min(height, most_height)
        columns = width * rows // height
    return max(1, columns), max(1, rows)


def scaled(drawing: Drawing, columns: int, rows: int) -> Sequence[str]:
    """Return `rows` rows of `columns` characters: the key of the mark that each block of cells shows.

    Every cell belongs to exactly one block. Of several marks of the highest rank, the most frequent is shown.
    `columns` and `rows` are at least 1 and at most the drawing's own. Time O(cells).
    """
    width, height = drawing.width, drawing.height
    if (columns, rows) == (width, height):
        return drawing.rows
    ranks = {key: mark.rank for key, mark in drawing.marks.items()}

    def shown(block: str) -> str:
        present = set(block)
        top = max(map(ranks.__getitem__, present))
        highest = [key for key, rank in ranks.items() if rank == top and key in present]
        return max(highest, key=block.count)

    edges = [(i * width // columns, (i + 1) * width // columns) for i in range(columns)]
    bands = (drawing.rows[j * height // rows : (j + 1) * height // rows] for j in range(rows))
    return tuple(
        "".join(shown("".join(row[left:right] for row in band)) for left, right in edges) for band in bands
    )
