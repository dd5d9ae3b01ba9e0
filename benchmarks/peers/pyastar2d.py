"""pyastar2d, written in C++: A* on a matrix of costs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.arrays import length

LIBRARIES = ("pyastar2d",)
CANNOT = "ways between two cells, where a diagonal step costs as much as a straight one"
EASIER: dict[str, str] = {}


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """`astar_path`."""
    weights = [np.where(ground, 1, np.inf).astype(np.float32) for ground in arrays["grounds"]]
    pairs = arrays["pairs"].tolist()
    search = import_module("pyastar2d").astar_path

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            ys, xs = search(weights[number], (sy, sx), (gy, gx)).T
            total += length(xs, ys)
        return total

    return run
