"""Drawings as pictures: cells as squares, walks as lines, and a legend."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from textwrap import wrap
from typing import TypeAlias
from unicodedata import category, east_asian_width, normalize

from searchkit.errors import shortened
from searchkit.plugin.drawing import Cell, Drawing, Mark, Route
from searchkit.render.scene import (
    BACKGROUND,
    FAINT,
    TEXT,
    Point,
    Scene,
    Shape,
    box,
    hexagon,
    line,
    luminance,
    moved,
    on,
    raster,
    words,
)
from searchkit.render.terminal import fitted, scaled

MAX_WIDTH, MAX_HEIGHT = 960, 720
"""The size of the largest map in pixels; maps of more cells are scaled down."""
MAX_SIDE = 28
ROW = 3**0.5 / 2
"""How far a row of hexagons is from the next, in widths of a hexagon."""
MARGIN, LINE_HEIGHT, SIZE = 16, 22, 13
"""In pixels: the margin of a picture, the height of a line of text, and the size of its letters."""
MIN_LETTER = 9
"""Cells with a smaller side, in pixels, have no letters, unless at most `MAX_LETTERED_CELLS` are of their kind."""
MAX_LETTERED_CELLS = 30
MIN_WIDTH, MAX_CAPTION = 480, 400
"""Pixels of a picture, and characters of a line of text above it before it is broken."""
CURRENT = "◆"
"""The glyph of what is to be seen first."""
Entry: TypeAlias = tuple[Mark, bool]
"""What a legend explains, and whether it is a line."""
TEXTURES = frozenset(" ·•.#~_")
"""Characters that show only the kind of a cell, as its colour does; so do boxes and geometric shapes."""


def map_scene(
    drawing: Drawing, routes: Sequence[Route] = (), captions: Sequence[str] = (), title: str = ""
) -> Scene:
    """Return a picture of a drawing, with the walks as lines and lines of text above it."""
    if not drawing.width:
        return captioned([], 0, 0, [*captions, "the drawing is empty"], [], title)
    columns, rows = fitted(drawing.width, drawing.height, MAX_WIDTH, MAX_HEIGHT)
    shown = scaled(drawing, columns, rows)
    side = max(1, min(MAX_SIDE, MAX_WIDTH // columns, MAX_HEIGHT // len(shown)))
    colours = {key: mark.colour for key, mark in drawing.marks.items()}
    coloured = [[colours[key] for key in row] for row in shown]
    full: tuple[float, float] = columns * side, len(shown) * side
    across, down = full[0] / drawing.width, full[1] / drawing.height
    hexagonal = drawing.hexagonal and columns == drawing.width

    def middle(cell: Cell) -> Point:
        x, y = cell
        if hexagonal:
            return (x + 0.5 + y % 2 / 2) * side, (y * ROW + 0.5 / ROW) * side
        return (x + 0.5) * across, (y + 0.5) * down

    shapes = [raster(coloured, side)]
    if hexagonal:
        full = (columns + 0.5) * side, ((len(shown) - 1) * ROW + 1 / ROW) * side
        cells = [(middle((x, y)), colour) for y, row in enumerate(coloured) for x, colour in enumerate(row)]
        shapes = [hexagon(x, y, side, colour) for (x, y), colour in cells]
    elif side >= MIN_LETTER:
        ups = [(x * side, y) for x, y in _there_and_back(columns, full[1])]
        sides = [(x, y * side) for y, x in _there_and_back(len(shown), full[0])]
        shapes += [line(points, BACKGROUND, 1) for points in (ups, sides) if points]
    width = max(1.5, min(side * 0.22, 5))
    walks = [route for route in routes if route.cells and route.keys]
    marks = [_walk_mark(drawing, route) for route in walks]
    for number, (route, mark) in enumerate(zip(walks, marks, strict=True)):
        shift = (number - (len(walks) - 1) / 2) * min(width * 1.4, side * 0.7 / len(walks))
        turns = list(route.cells) if hexagonal else _corners(route.cells)
        points = [(x + shift, y + shift) for x, y in map(middle, turns)]
        shapes.append(line(points, mark.colour, width, BACKGROUND))
    walked = {cell for route in walks for cell in route.cells}
    shapes += _letters(drawing, side, middle, colours, walked)
    present = set().union(*drawing.rows)
    entries = [(mark, False) for key, mark in drawing.marks.items() if key in present and mark.label]
    entries += [(mark, True) for mark in marks if mark.label]
    notes = [f"scaled down {drawing.width / columns:.2g} times"] if columns < drawing.width else []
    return captioned(shapes, *full, [*captions, *notes], entries, title)


def _there_and_back(count: int, end: float) -> Iterator[Point]:
    """Yield the corners of one line that crosses a map between each two of `count` rows or columns: the grid."""
    for number in range(1, count):
        yield from ((number, -1), (number, end + 1)) if number % 2 else ((number, end + 1), (number, -1))


def _walk_mark(drawing: Drawing, route: Route) -> Mark:
    """Return how a walk looks: as the mark of its first key."""
    marks = [drawing.marks[key] for key in route.keys.values()]
    label = next((mark.label for mark in marks if mark.label), "")
    return Mark(marks[0].glyph, marks[0].colour, route.label or label)


def _corners(cells: Sequence[Cell]) -> list[Cell]:
    """Return cells without those in the middle of straight parts."""
    cells = [cell for cell, _ in groupby(cells)]
    steps = [(x - u, y - v) for (u, v), (x, y) in pairwise(cells)]
    turns = [one != other for one, other in pairwise(steps)]
    return [cell for cell, kept in zip(cells, [True, *turns, True], strict=False) if kept]


def _letters(
    drawing: Drawing, side: float, place: Callable[[Cell], Point], colours: dict[str, str], walked: set[Cell]
) -> Iterable[Shape]:
    """Yield the letters of cells, in boxes where they would not be legible on the cell itself.

    If cells are smaller than letters, only kinds of which there are few cells have letters: starts and goals.
    """
    informative = {key: letter(mark.glyph) for key, mark in drawing.marks.items() if informs(mark.glyph)}
    small = side < MIN_LETTER
    if small:
        counts = Counter("".join(drawing.rows))
        informative = {key: text for key, text in informative.items() if counts[key] <= MAX_LETTERED_CELLS}
    size = max(side, MIN_LETTER + 3)
    for y, row in enumerate(drawing.rows):
        for x, key in enumerate(row) if not informative.keys().isdisjoint(row) else ():
            if key in informative:
                (middle, height), colour = place((x, y)), colours[key]
                if small or (x, y) in walked:
                    half = size / 2 if small else size * 0.34
                    yield box(middle - half, height - half, 2 * half, 2 * half, colour, radius=2)
                yield words(middle, height, informative[key], size * 0.7, on(colour), middle=True, bold=True)


def letter(glyph: str) -> str:
    """Return the plain letter or number of a glyph that is one in a circle or above the line."""
    plain = normalize("NFKC", glyph)
    return plain if len(plain) == 1 else glyph


def informs(glyph: str) -> bool:
    """Whether a glyph says more than a colour: a letter, a number or ◆ does, a full block or a dot does not."""
    texture = glyph in TEXTURES or "\u2500" <= glyph <= "\u25ff" or category(glyph[:1] or " ")[0] == "C"
    return glyph == CURRENT or not texture


def captioned(
    shapes: Iterable[Shape],
    width: float,
    height: float,
    captions: Sequence[str],
    entries: Sequence[Entry],
    title: str,
) -> Scene:
    """Return a picture of shapes with lines of text above and a legend below.

    Args:
        shapes: what to show, from (0, 0) to (width, height).
        width: in pixels, as `height`.
        height: see `width`.
        captions: lines of text; they are broken where they are too long.
        entries: the legend.
        title: what the picture shows, for readers who can't see it.

    """
    inner = max(width, MIN_WIDTH)
    most = int(inner / text_width("x", SIZE))
    texts = [
        (part, FAINT if number else TEXT)
        for number, caption in enumerate(captions)
        for part in wrap(shortened(caption, MAX_CAPTION), most) or [""]
    ]
    top = MARGIN + LINE_HEIGHT * len(texts) + (6 if texts else 0)
    left = MARGIN + (inner - width) / 2
    found: list[Shape] = [
        words(MARGIN, MARGIN + (number + 0.5) * LINE_HEIGHT, text, SIZE, colour)
        for number, (text, colour) in enumerate(texts)
    ]
    found.append(moved(shapes, left, top))
    x, y = float(MARGIN), top + height + 10 + LINE_HEIGHT / 2
    labels = {mark.label: (mark, is_line) for mark, is_line in reversed(entries)}
    for label, (mark, is_line) in reversed(labels.items()):
        long = 24 + text_width(label, SIZE)
        if x > MARGIN and x + long > MARGIN + inner:
            x, y = MARGIN, y + LINE_HEIGHT
        found += [*_sample(mark, is_line, x, y), words(x + 24, y, label, SIZE)]
        x += long + 18
    bottom = y + LINE_HEIGHT / 2 if labels else top + height
    return Scene(inner + 2 * MARGIN, bottom + MARGIN, title or " ".join(captions), found)


def _sample(mark: Mark, is_line: bool, x: float, y: float) -> Iterable[Shape]:
    colour = mark.colour
    if is_line:
        yield line([(x, y), (x + 16, y)], colour, 3.5)
        return
    edge = FAINT if luminance(colour) < 0.04 else ""
    yield box(x, y - 8, 16, 16, colour, edge, radius=2)
    if informs(mark.glyph):
        yield words(x + 8, y, letter(mark.glyph), 11, on(colour), middle=True, bold=True)


def text_width(text: str, size: float) -> float:
    """Return about how many pixels a text takes."""
    return sum(1.0 if east_asian_width(letter) in "WF" else 0.62 for letter in text) * size
