"""Drawings as pictures: cells as squares, walks as lines, and a legend."""

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from unicodedata import category, east_asian_width, normalize

from attrs import evolve, frozen

from searchkit.errors import PluginWarning, shortened
from searchkit.plugin.drawing import Drawing, Mark, Route
from searchkit.render.scene import (
    BACKGROUND,
    FAINT,
    TEXT,
    Box,
    Line,
    Point,
    Raster,
    Scene,
    Shape,
    Words,
    luminance,
    on,
)
from searchkit.render.terminal import fitted, scaled

WIDEST, TALLEST = 960, 720
"""The size of the largest map in pixels; maps of more cells are scaled down."""
LARGEST_SIDE = 28
MARGIN, LINE_HEIGHT, SIZE = 16, 22, 13
"""In pixels: the margin of a picture, the height of a line of text, and the size of its letters."""
LEAST_LETTER = 9
"""Cells with a smaller side, in pixels, have no letters, unless there are at most `FEW` cells of their kind."""
FEW = 30
LEAST_WIDTH = 480
HEX = re.compile(r"#[0-9a-fA-F]{6}")
CURRENT = "◆"
"""The glyph of what is to be seen first."""
TEXTURES = frozenset(" ·•.#~_")
"""Characters that show only the kind of a cell, as its colour does; so do boxes and geometric shapes."""


@frozen
class Walk:
    """A walk as a line."""

    route: Route
    mark: Mark
    """How it looks in the legend."""


def map_scene(
    drawing: Drawing,
    routes: Sequence[Route] = (),
    captions: Sequence[str] = (),
    title: str = "",
    *,
    cut: bool = False,
) -> Scene:
    """Return a picture of a drawing, with the walks as lines and lines of text above it.

    `cut` shortens long lines of text instead of breaking them, so that pictures of one drawing have one size.
    """
    walks = [Walk(route, mark) for route in routes for mark in [_walk_mark(drawing, route)] if mark]
    if not drawing.width:
        return captioned([], 0, 0, [*captions, "the drawing is empty"], [], title)
    columns, rows = fitted(drawing.width, drawing.height, WIDEST, TALLEST)
    shown = drawing.rows if columns == drawing.width else scaled(drawing, columns, rows)
    side = max(1, min(LARGEST_SIDE, WIDEST // columns, TALLEST // len(shown)))
    colours = {key: safe_colour(mark.colour) for key, mark in drawing.marks.items()}
    grid = BACKGROUND if side >= LEAST_LETTER else ""
    shapes: list[Shape] = [Raster(0, 0, side, [[colours[key] for key in row] for row in shown], grid)]
    across, down = columns * side / drawing.width, len(shown) * side / drawing.height
    width = max(1.5, min(side * 0.22, 5))
    for number, walk in enumerate(walks):
        shift = (number - (len(walks) - 1) / 2) * min(width * 1.4, side * 0.7 / len(walks))
        points = _line([((x + 0.5) * across + shift, (y + 0.5) * down + shift) for x, y in walk.route.cells])
        shapes.append(Line(points, safe_colour(walk.mark.colour), width, BACKGROUND))
    shapes += _letters(drawing, side, across, down, colours, walks)
    present = set().union(*drawing.rows)
    entries = [(mark, False) for key, mark in drawing.marks.items() if key in present and mark.label]
    entries += [(walk.mark, True) for walk in walks if walk.mark.label]
    captions = [*captions]
    if columns < drawing.width:
        captions.append(f"scaled down {drawing.width / columns:.2g} times")
    return captioned(shapes, columns * side, len(shown) * side, captions, entries, title, cut=cut)


def _walk_mark(drawing: Drawing, route: Route) -> Mark | None:
    """Return how a walk looks: as the mark of its first key."""
    marks = [drawing.marks[key] for key in route.keys.values()]
    if not marks or not route.cells:
        return None
    labelled = next((mark for mark in marks if mark.label), marks[0])
    return Mark(marks[0].glyph, marks[0].colour, route.label or labelled.label)


def _line(points: Sequence[Point]) -> list[Point]:
    """Return points without those in the middle of straight parts."""
    kept: list[Point] = []
    for point in points:
        if kept and kept[-1] == point:
            continue
        if len(kept) > 1:
            (ax, ay), (bx, by), (cx, cy) = kept[-2], kept[-1], point
            turned = abs((bx - ax) * (cy - by) - (by - ay) * (cx - bx)) > 1e-9
            back = (bx - ax) * (cx - bx) + (by - ay) * (cy - by) < 0
            if not turned and not back:
                kept.pop()
        kept.append(point)
    return kept


def _letters(
    drawing: Drawing, side: float, across: float, down: float, colours: dict[str, str], walks: Sequence[Walk]
) -> Iterable[Shape]:
    """Yield the letters of cells, in boxes where they would not be legible on the cell itself.

    If cells are smaller than letters, only kinds of which there are few cells have letters: starts and goals.
    """
    informative = {key: letter(mark.glyph) for key, mark in drawing.marks.items() if informs(mark.glyph)}
    small = side < LEAST_LETTER
    if small:
        counts = Counter("".join(drawing.rows))
        informative = {key: text for key, text in informative.items() if counts[key] <= FEW}
    walked = {cell for walk in walks for cell in walk.route.cells}
    size = max(side, LEAST_LETTER + 3)
    for y, row in enumerate(drawing.rows):
        if informative.keys().isdisjoint(row):
            continue
        for x, key in enumerate(row):
            if key in informative:
                middle, height, colour = (x + 0.5) * across, (y + 0.5) * down, colours[key]
                if small or (x, y) in walked:
                    half = size / 2 if small else size * 0.34
                    yield Box(middle - half, height - half, 2 * half, 2 * half, colour, radius=2)
                yield Words(middle, height, informative[key], size * 0.7, on(colour), "middle", bold=True)


def letter(glyph: str) -> str:
    """Return the plain letter or number of a glyph that is one in a circle or above the line."""
    plain = normalize("NFKC", glyph)
    return plain if len(plain) == 1 else glyph


def informs(glyph: str) -> bool:
    """Whether a glyph says more than a colour: a letter, a number or ◆ does, a full block or a dot does not."""
    if glyph == CURRENT:
        return True
    texture = glyph in TEXTURES or "\u2500" <= glyph <= "\u25ff"
    return not texture and category(glyph[:1] or " ")[0] != "C"


def captioned(
    shapes: Iterable[Shape],
    width: float,
    height: float,
    captions: Sequence[str],
    entries: Sequence[tuple[Mark, bool]],
    title: str,
    *,
    cut: bool = False,
) -> Scene:
    """Return a picture of shapes with lines of text above and a legend below.

    Args:
        shapes: what to show, from (0, 0) to (width, height).
        width: in pixels, as `height`.
        height: see `width`.
        captions: lines of text; they are broken where they are too long.
        entries: the marks of the legend, and whether each is a line.
        title: what the picture shows, for readers who can't see it.
        cut: shorten the lines of text that are too long instead of breaking them.

    """
    inner = max(width, LEAST_WIDTH)
    most = int(inner / text_width("x", SIZE))
    texts = [part for line in captions for part in ([shortened(line, most)] if cut else _broken(line, inner))]
    top = MARGIN + LINE_HEIGHT * len(texts) + (6 if texts else 0)
    left = MARGIN + (inner - width) / 2
    found: list[Shape] = [
        Words(MARGIN, MARGIN + (number + 0.5) * LINE_HEIGHT, text, SIZE, TEXT if number == 0 else FAINT)
        for number, text in enumerate(texts)
    ]
    found += [moved(shape, left, top) for shape in shapes]
    x, y = float(MARGIN), top + height + 10 + LINE_HEIGHT / 2
    seen: set[str] = set()
    for mark, is_line in entries:
        if mark.label in seen:
            continue
        seen.add(mark.label)
        long = 24 + text_width(mark.label, SIZE)
        if x > MARGIN and x + long > MARGIN + inner:
            x, y = MARGIN, y + LINE_HEIGHT
        found += _sample(mark, is_line, x, y)
        found.append(Words(x + 24, y, mark.label, SIZE))
        x += long + 18
    bottom = y + LINE_HEIGHT / 2 if seen else top + height
    return Scene(inner + 2 * MARGIN, bottom + MARGIN, title or " ".join(captions), found)


def _sample(mark: Mark, is_line: bool, x: float, y: float) -> list[Shape]:
    colour = safe_colour(mark.colour)
    if is_line:
        return [Line([(x, y), (x + 16, y)], colour, 3.5)]
    edge = FAINT if luminance(colour) < 0.04 else ""
    box = Box(x, y - 8, 16, 16, colour, edge, 1 if edge else 0, 2)
    if not informs(mark.glyph):
        return [box]
    return [box, Words(x + 8, y, letter(mark.glyph), 11, on(colour), "middle", bold=True)]


def moved(shape: Shape, x: float, y: float) -> Shape:
    """Return a shape at another place."""
    if isinstance(shape, Line):
        return evolve(shape, points=[(px + x, py + y) for px, py in shape.points])
    return evolve(shape, x=shape.x + x, y=shape.y + y)


def text_width(text: str, size: float) -> float:
    """Return about how many pixels a text takes."""
    return sum(1.0 if east_asian_width(letter) in "WF" else 0.62 for letter in text) * size


def _broken(text: str, width: float) -> list[str]:
    """Return the lines of a text that is broken at spaces."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def safe_colour(colour: str) -> str:
    """Return a colour if it has the form `#rrggbb`; grey otherwise, with a `PluginWarning`."""
    if HEX.fullmatch(colour):
        return colour
    warnings.warn(
        f"the colour {colour!r} of a mark is shown as grey: expected #rrggbb", PluginWarning, stacklevel=2
    )
    return FAINT
