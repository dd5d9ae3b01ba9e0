"""Pictures as SVG documents: shapes are parts of the document, and a scene is all of them with a size and a title."""

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TypeAlias

from attrs import frozen

from searchkit.basics.text import visible

Point: TypeAlias = tuple[float, float]
"""(x, y) in pixels: x to the right, y down."""
Shape: TypeAlias = str
"""A part of an SVG document, which lies over those before it."""

SANS, MONO = "DejaVu Sans, Verdana, sans-serif", "DejaVu Sans Mono, Menlo, Consolas, monospace"
MAX_RUNS = 4_000
"""A raster with more runs of equal cells is embedded as an image instead of shapes."""
BACKGROUND, TEXT, FAINT = "#14171c", "#e6e9ee", "#9aa3b2"
"""The colours of a picture's ground, of text on it, and of text and lines that matter less."""


@frozen
class Scene:
    """A picture."""

    width: float
    height: float
    title: str
    """What the picture shows, for readers who can't see it."""
    shapes: Sequence[Shape]


def to_svg(scene: Scene) -> str:
    """Return a picture as an SVG document that needs no other file. Texts are escaped."""
    width, height, title = f"{scene.width:g}", f"{scene.height:g}", _escaped(scene.title)
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
    )
    ground = f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    return "\n".join([begin, f"<title>{title}</title>", ground, *scene.shapes, "</svg>\n"])


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


def moved(shapes: Iterable[Shape], x: float, y: float) -> Shape:
    """Return shapes at another place."""
    return f'<g transform="translate({x:g} {y:g})">{"".join(shapes)}</g>'


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    edge: str = "",
    thick: float = 1,
    radius: float = 0,
) -> Shape:
    """Return a rectangle; `thick` is the width of its edge, if it has one."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'rx="{radius:g}" fill="{fill}"{_edge(edge, thick)}/>'
    )


def hexagon(x: float, y: float, width: float, fill: str) -> Shape:
    """Return a regular hexagon around a point, with a corner at the top."""
    half, up = width / 2, width / 3**0.5
    corners = ((0, -up), (half, -up / 2), (half, up / 2), (0, up), (-half, up / 2), (-half, -up / 2))
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" fill="{fill}" stroke="{BACKGROUND}"/>'


def dot(x: float, y: float, radius: float, fill: str, edge: str = "") -> Shape:
    """Return a circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}"{_edge(edge, 1)}/>'


def line(points: Iterable[Point], colour: str, width: float, halo: str = "") -> Shape:
    """Return a line through points; `halo` is the colour of an edge around it."""
    through = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return "".join(
        f'<polyline points="{through}" fill="none" stroke="{stroke}" stroke-width="{thick:g}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
        for stroke, thick in ((halo, width + 2), (colour, width))
        if stroke
    )


def words(
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str = TEXT,
    *,
    middle: bool = False,
    bold: bool = False,
    mono: bool = False,
) -> Shape:
    """Return a line of text, whose middle is at the height `y`, and also at `x` if `middle` is true."""
    anchor, weight = "middle" if middle else "start", ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.35em" font-size="{size:g}" '
        f'font-family="{MONO if mono else SANS}" fill="{colour}" '
        f'text-anchor="{anchor}"{weight} xml:space="preserve">{_escaped(text)}</text>'
    )


def raster(rows: Sequence[Sequence[str]], side: int) -> Shape:
    """Return square cells of one colour `#rrggbb` each; rows of equal length, at least one."""
    runs: dict[str, list[str]] = {}
    for y, row in enumerate(rows):
        x = 0
        for colour, cells in groupby(row):
            count = len(list(cells))
            runs.setdefault(colour, []).append(
                f"M{x * side} {y * side}h{count * side}v{side}h-{count * side}z"
            )
            x += count
    if sum(map(len, runs.values())) > MAX_RUNS:
        data = b64encode(png(rows)).decode("ascii")
        return (
            f'<image width="{len(rows[0]) * side}" height="{len(rows) * side}" '
            f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
        )
    paths = "".join(f'<path fill="{colour}" d="{"".join(parts)}"/>' for colour, parts in runs.items())
    return f'<g shape-rendering="crispEdges">{paths}</g>'


def _edge(colour: str, width: float) -> str:
    return f' stroke="{colour}" stroke-width="{width:g}"' if colour else ""


def _escaped(text: str) -> str:
    return escape(visible(text), quote=True)


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
    """Return about the relative luminance of `#rrggbb`, from 0 (black) to 1 (white)."""
    red, green, blue = (float(part / 255) ** 2.2 for part in bytes.fromhex(colour[1:]))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def on(colour: str) -> str:
    """Return the colour of text that is readable on another colour: dark or light."""
    return "#101318" if luminance(colour) > 0.18 else "#ffffff"
