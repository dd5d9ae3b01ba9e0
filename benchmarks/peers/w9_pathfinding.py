"""w9-pathfinding, written in C++: A* on grids."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import sqrt
from typing import Any

import numpy as np

from benchmarks.peers.arrays import length

LIBRARIES = ("w9_pathfinding.envs", "w9_pathfinding.pf")
CANNOT = "ways between two places, not all distances"
EASIER: dict[str, str] = {}


def queries(arrays: dict[str, Any], diagonal: str) -> Callable[[], float]:
    """`AStar`, diagonal steps only where there is no obstacle."""
    envs, finders = import_module("w9_pathfinding.envs"), import_module("w9_pathfinding.pf")
    rule = getattr(envs.DiagonalMovement, diagonal)
    searches = [
        finders.AStar(
            envs.Grid(
                weights=np.where(ground, 1.0, -1.0).tolist(),
                diagonal_movement=rule,
                diagonal_movement_cost_multiplier=sqrt(2),
            )
        )
        for ground in arrays["grounds"]
    ]
    pairs = arrays["pairs"].tolist()

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            path = searches[number].find_path((sx, sy), (gx, gy))
            total += length(*np.array(path).T)
        return total

    return run


queries8, queries4 = partial(queries, diagonal="only_when_no_obstacle"), partial(queries, diagonal="never")
