"""Pictures as lists of shapes, and as SVG."""

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Literal, TypeAlias

from attrs import frozen

from searchkit.basics.text import visible

Point: TypeAlias = tuple[float, float]
"""(x, y) in pixels: x to the right, y down."""

SANS, MONO = "DejaVu Sans, Verdana, sans-serif", "DejaVu Sans Mono, Menlo, Consolas, monospace"
MAX_RUNS = 4_000
"""A raster with more runs of equal cells is embedded as an image instead of shapes."""
BACKGROUND, TEXT, FAINT = "#14171c", "#e6e9ee", "#9aa3b2"
"""The colours of a picture's ground, of text on it, and of text and lines that matter less."""


@frozen
class Raster:
    """Square cells of one colour each."""

    x: float
    y: float
    side: int
    """The side of a cell."""
    rows: Sequence[Sequence[str]]
    """The colour of each cell, `#rrggbb`; rows of equal length, at least one."""


@frozen
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""
    edge_width: float = 0
    radius: float = 0


@frozen
class Line:
    """A line through points."""

    points: Sequence[Point]
    colour: str
    width: float
    halo: str = ""
    """The colour of an edge around the line; "" for none."""


@frozen
class Dot:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""
    edge_width: float = 0


@frozen
class Words:
    """A line of text. Its middle is at the height `y`."""

    x: float
    y: float
    text: str
    size: float
    colour: str = TEXT
    anchor: Literal["start", "middle"] = "start"
    bold: bool = False
    mono: bool = False


Shape: TypeAlias = Raster | Box | Line | Dot | Words


@frozen
class Scene:
    """A picture: shapes, each over those before it."""

    width: float
    height: float
    title: str
    """What the picture shows, for readers who can't see it."""
    shapes: Sequence[Shape]


def to_svg(scene: Scene) -> str:
    """Return a picture as an SVG document that needs no other file. Texts are escaped."""
    return "\n".join(_svg_lines(scene)) + "\n"


def svg_image(svg: str, title: str, width: int = 100) -> str:
    """Return an SVG document as an image in HTML, which notebooks that are not trusted show, too.

    Args:
        svg: the document.
        title: what it shows, for readers who can't see it.
        width: how wide it is at most, in percent.

    """
    data = b64encode(svg.encode("utf-8")).decode("ascii")
    alt = escape(visible(title), quote=True)
    return f'<img alt="{alt}" style="max-width:{width}%" src="data:image/svg+xml;base64,{data}">'


def _svg_lines(scene: Scene) -> Iterator[str]:
    width, height, title = f"{scene.width:g}", f"{scene.height:g}", _escaped(scene.title)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
    )
    yield f"<title>{title}</title>"
    yield f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    for shape in scene.shapes:
        yield from _svg_shape(shape)
    yield "</svg>"


def _svg_shape(shape: Shape) -> Iterator[str]:
    if isinstance(shape, Raster):
        yield from _svg_raster(shape)
    elif isinstance(shape, Box):
        yield (
            f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}" '
            f'rx="{shape.radius:g}" fill="{shape.fill}"{_edge(shape.edge, shape.edge_width)}/>'
        )
    elif isinstance(shape, Dot):
        yield (
            f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:g}" fill="{shape.fill}"'
            f"{_edge(shape.edge, shape.edge_width)}/>"
        )
    elif isinstance(shape, Line):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
        looks = ((shape.halo, shape.width + 2), (shape.colour, shape.width))
        for colour, width in looks:
            if colour:
                yield (
                    f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
                    'stroke-linejoin="round" stroke-linecap="round"/>'
                )
    else:
        bold = ' font-weight="bold"' if shape.bold else ""
        yield (
            f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" dy="0.35em" font-size="{shape.size:g}" '
            f'font-family="{MONO if shape.mono else SANS}" fill="{shape.colour}" '
            f'text-anchor="{shape.anchor}"{bold} xml:space="preserve">{_escaped(shape.text)}</text>'
        )


def _edge(colour: str, width: float) -> str:
    return f' stroke="{colour}" stroke-width="{width:g}"' if colour else ""


def _escaped(text: str) -> str:
    return escape(visible(text), quote=True)


def _svg_raster(raster: Raster) -> Iterator[str]:
    columns, side = len(raster.rows[0]), raster.side
    runs: dict[str, list[str]] = {}
    for y, row in enumerate(raster.rows):
        x = 0
        for colour, cells in groupby(row):
            count = len(list(cells))
            runs.setdefault(colour, []).append(
                f"M{x * side} {y * side}h{count * side}v{side}h-{count * side}z"
            )
            x += count
    where = f"translate({raster.x:g} {raster.y:g})"
    if sum(map(len, runs.values())) > MAX_RUNS:
        data = b64encode(png(raster.rows)).decode("ascii")
        yield (
            f'<image transform="{where}" width="{columns * side}" height="{len(raster.rows) * side}" '
            f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
        )
        return
    yield f'<g transform="{where}" shape-rendering="crispEdges">'
    for colour, parts in runs.items():
        yield f'<path fill="{colour}" d="{"".join(parts)}"/>'
    yield "</g>"


def png(rows: Sequence[Sequence[str]]) -> bytes:
    """Return colours as a PNG image with one pixel for each."""
    code = {colour: bytes.fromhex(colour[1:]) for colour in set().union(*rows)}
    lines = b"".join(b"\0" + b"".join([code[colour] for colour in row]) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, from 0 (black) to 1 (white), as WCAG 2 defines it."""
    channels = [int(colour[begin : begin + 2], 16) / 255 for begin in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def on(colour: str) -> str:
    """Return the colour of text that is readable on another colour: dark or light."""
    return "#101318" if luminance(colour) > 0.18 else "#ffffff"
