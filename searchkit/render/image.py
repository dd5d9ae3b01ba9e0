"""Pictures as images of pixels, by pillow."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from attrs import evolve

from searchkit.basics.text import visible
from searchkit.errors import MissingExtraError
from searchkit.render.scene import BACKGROUND, Box, Dot, Line, Raster, Scene, Words, png

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 2
"""Pixels of the image for each pixel of the picture, so that it is sharp on dense screens."""


def to_png(scene: Scene) -> bytes:
    """Return a picture as a PNG image. Raises `MissingExtraError` without pillow."""
    file = BytesIO()
    to_image(scene).save(file, "PNG", optimize=True)
    return file.getvalue()


def to_animation(scenes: Sequence[Scene], milliseconds: int, format: str) -> bytes:
    """Return pictures as an animation that repeats, of the format `png` (animated PNG) or `gif`.

    It is as large as the largest picture, and shows the last one for two seconds.

    Raises `MissingExtraError` without pillow, and ValueError if there are no pictures.
    """
    if not scenes:
        raise ValueError("an animation has at least one picture")
    width, height = (max(getattr(scene, side) for scene in scenes) for side in ("width", "height"))
    images = [to_image(evolve(scene, width=width, height=height), scale=1) for scene in scenes]
    durations = [milliseconds] * (len(images) - 1) + [2_000]
    file, more = BytesIO(), images[1:]
    options: dict[str, Any] = {"optimize": False} if format == "gif" else {}
    images[0].save(file, format, save_all=True, append_images=more, duration=durations, loop=0, **options)
    return file.getvalue()


def require_pillow() -> None:
    """Raise `MissingExtraError` if pillow can't be imported."""
    try:
        import PIL.Image  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "images need pillow; install it: pip install 'statespace-searchkit[viz]'"
        ) from error


def to_image(scene: Scene, scale: int = SCALE) -> "Image":
    """Return a picture as an image of pillow, `scale` times as large. Raises `MissingExtraError` without pillow."""
    require_pillow()
    from PIL import Image, ImageDraw

    def edge(shape: Box | Dot) -> tuple[str | None, int]:
        return shape.edge or None, round(shape.edge_width * scale) if shape.edge else 0

    image = Image.new("RGB", (round(scene.width * scale), round(scene.height * scale)), BACKGROUND)
    pen = ImageDraw.Draw(image)
    for shape in scene.shapes:
        if isinstance(shape, Raster):
            _raster(image, shape, scale)
        elif isinstance(shape, Box):
            ends = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            corners = [round(end * scale) for end in ends]
            pen.rounded_rectangle(corners, shape.radius * scale, shape.fill, *edge(shape))
        elif isinstance(shape, Dot):
            middle = shape.x * scale, shape.y * scale
            pen.circle(middle, shape.radius * scale, shape.fill, *edge(shape))
        elif isinstance(shape, Line):
            for colour, width in ((shape.halo, shape.width + 2), (shape.colour, shape.width)):
                if colour:
                    points = [(x * scale, y * scale) for x, y in shape.points]
                    thick = max(1, round(width * scale))
                    pen.line(points, colour, thick, "curve")
                    for x, y in (points[0], points[-1]):
                        pen.circle((x, y), thick / 2, colour)
        else:
            anchor, spot = "mm" if shape.anchor == "middle" else "lm", (shape.x * scale, shape.y * scale)
            pen.text(spot, visible(shape.text), shape.colour, _font(shape, scale), anchor)
    return image


def _raster(image: "Image", raster: Raster, scale: int) -> None:
    from PIL import Image

    size = len(raster.rows[0]) * raster.side * scale, len(raster.rows) * raster.side * scale
    pixels = Image.open(BytesIO(png(raster.rows))).resize(size, Image.Resampling.NEAREST)
    image.paste(pixels, (round(raster.x * scale), round(raster.y * scale)))


def _font(words: Words, scale: int) -> Any:
    """Return DejaVu, which has many characters, if the system has it; otherwise pillow's own font."""
    from PIL import ImageFont

    name = f"DejaVuSans{'Mono' if words.mono else ''}{'-Bold' if words.bold else ''}.ttf"
    try:
        return ImageFont.truetype(name, words.size * scale)
    except OSError:
        return ImageFont.load_default(words.size * scale)
