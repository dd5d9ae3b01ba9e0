"""dijkstra3d, written in C++: distances and paths through images."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.arrays import length

LIBRARIES = ("dijkstra3d",)
CANNOT = "images, where a diagonal step costs as much as a straight one"
EASIER: dict[str, str] = {}


def field(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`distance_field`."""
    source = tuple(arrays["source"].tolist())
    image = _image(arrays["ground"])
    search = import_module("dijkstra3d").distance_field
    return lambda: search(image, source, connectivity=4)


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """`dijkstra`, from both ends."""
    images = [_image(ground) for ground in arrays["grounds"]]
    pairs = arrays["pairs"].tolist()
    search = import_module("dijkstra3d").dijkstra

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            path = search(images[number], (sx, sy), (gx, gy), bidirectional=True, connectivity=4)
            total += length(*path.T.astype(np.int64))
        return total

    return run


def _image(ground: Any) -> Any:
    """Return what it costs to enter each cell, by column and row."""
    return np.asfortranarray(np.where(ground, 1, np.inf).astype(np.float32).T)
