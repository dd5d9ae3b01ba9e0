"""Pictures as images of pixels: resvg draws the SVG document, and pillow puts animations together."""

from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import Any

from attrs import evolve

from searchkit.errors import MissingExtraError
from searchkit.render.scene import Scene, to_svg

SCALE = 2
"""Pixels of the image for each pixel of the picture, so that it is sharp on dense screens."""


def require_images() -> None:
    """Raise `MissingExtraError` if what makes images can't be imported."""
    for name in ("resvg_py", "PIL.Image"):
        _imported(name)


def to_png(scene: Scene, scale: int = SCALE) -> bytes:
    """Return a picture as a PNG image, `scale` times as large. Texts need a font of the system.

    Raises `MissingExtraError` without resvg-py.
    """
    return bytes(_imported("resvg_py").svg_to_bytes(svg_string=to_svg(scene), zoom=scale))


def to_animation(scenes: Sequence[Scene], milliseconds: int, format: str) -> bytes:
    """Return pictures as an animation that repeats, of the format `png` (animated PNG) or `gif`.

    It is as large as the largest picture, and shows the last one for two seconds.

    Raises `MissingExtraError` without resvg-py and pillow, and ValueError if there are no pictures.
    """
    if not scenes:
        raise ValueError("an animation has at least one picture")
    width, height = (max(getattr(scene, side) for scene in scenes) for side in ("width", "height"))
    images = [
        _imported("PIL.Image").open(BytesIO(to_png(evolve(scene, width=width, height=height), scale=1)))
        for scene in scenes
    ]
    durations = [milliseconds] * (len(images) - 1) + [2_000]
    file, more = BytesIO(), images[1:]
    options: dict[str, Any] = {"optimize": False} if format == "gif" else {}
    images[0].save(file, format, save_all=True, append_images=more, duration=durations, loop=0, **options)
    return file.getvalue()


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            "images need resvg-py and pillow; install them: pip install 'statespace-searchkit[viz]'"
        ) from error
