"""The eight directions as arrays, and the natural and forced ones of each neighbourhood, for machine code."""

from functools import cache
from typing import Any

import numpy as np

from searchkit_dungeon.jumps.runs import ANY, DIAGONAL, STRAIGHT, Jumps
from searchkit_dungeon.terrain import LENGTHS, OFFSETS

NAMES = tuple(OFFSETS)
START = 8
"""The direction of a start; the others are indices into `NAMES`, the straight ones first."""
AHEAD_X = np.array([dx for dx, _ in OFFSETS.values()])
AHEAD_Y = np.array([dy for _, dy in OFFSETS.values()])
LENGTH = np.array([LENGTHS[name] for name in NAMES], np.float64)
PARTS = np.array([[NAMES.index(part) for part in Jumps(b"", 9, "no", ()).parts[name]] for name in DIAGONAL])
"""The two straight directions, along the row and along the column, that make up each diagonal one."""


@cache
def onward(corners: str) -> Any:
    """Return the directions of the natural and forced neighbours, by the direction of arrival and the cells around.

    The index is 256 times the direction plus the cells around, in which bit i stands for direction i. Each number holds
    up to eight directions in order, plus 1, in four bits each, the lowest first.
    """
    table = np.zeros((len(NAMES) + 1, 256), np.uint32)
    for around in range(256):
        weights = bytearray(25)  # the cell in the middle of 5 × 5
        weights[12] = 1
        for bit, (dx, dy) in enumerate(OFFSETS.values()):
            weights[12 + 5 * dy + dx] = around >> bit & 1
        jumps = Jumps(bytes(weights), 5, corners, ())
        for arrival, name in enumerate((*STRAIGHT, *DIAGONAL, ANY)):
            for place, direction in enumerate(jumps.directions((2, 2), name)):
                table[arrival, around] |= np.uint32(NAMES.index(direction) + 1 << 4 * place)
    flat: Any = table.reshape(-1)
    flat.flags.writeable = False
    return flat
