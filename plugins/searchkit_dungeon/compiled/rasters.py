"""The steps over a raster as compressed sparse rows."""

from typing import Any

import numpy as np

from searchkit.compiled.view import CSR
from searchkit_dungeon.terrain import LENGTHS, OFFSETS, directions


def rows_of(terrain: Any, moves: int, corners: str) -> CSR:
    """Return the steps from each cell, in the order of the directions."""
    masks = np.frombuffer(terrain.steps(moves, corners).masks, np.uint8)
    costs, numbers = np.array(terrain.costs, np.float64), np.arange(len(masks))
    costs = np.concatenate([costs, np.full(len(masks) - len(costs), np.inf)])
    names = directions(moves)
    possible = (masks[:, None] >> np.arange(len(names), dtype=np.uint8) & 1).astype(bool)
    offsets = np.array([OFFSETS[name][1] * terrain.stride + OFFSETS[name][0] for name in names])
    heads = (numbers[:, None] + offsets)[possible]
    lengths = np.broadcast_to([float(LENGTHS[name]) for name in names], possible.shape)[possible]
    begins = np.concatenate([[0], possible.sum(1).cumsum()]).astype(np.int64)
    return CSR(begins, heads.astype(np.uint32), costs[heads] * lengths)
