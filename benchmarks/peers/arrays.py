"""Maps as graphs, for libraries that search graphs: arrays of edges, made without a loop over cells."""

from math import sqrt
from typing import Any

import numpy as np

STEPS4 = ((0, -1), (1, 0), (0, 1), (-1, 0))
DIAGONALS = ((1, -1), (1, 1), (-1, 1), (-1, -1))


def grid_edges(ground: Any, moves: int) -> tuple[Any, Any, Any]:
    """Return tails, heads and lengths of all steps on a map, both ways; cells are numbered row by row.

    A diagonal step has length √2 and needs both cells beside it to be free.
    """
    height, width = ground.shape
    free = np.pad(ground.astype(bool), 1)
    numbers = np.arange(height * width).reshape(height, width)
    tails, heads, lengths = [], [], []

    def beside(dx: int, dy: int) -> Any:
        return free[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]

    for dx, dy in STEPS4 + DIAGONALS * (moves == 8):
        can = beside(0, 0) & beside(dx, dy)
        if dx and dy:
            can &= beside(dx, 0) & beside(0, dy)
        tails.append(numbers[can])
        heads.append(tails[-1] + dy * width + dx)
        lengths.append(np.full(len(tails[-1]), sqrt(2) if dx and dy else 1.0))
    return np.concatenate(tails), np.concatenate(heads), np.concatenate(lengths)


def estimates(shape: Any, x: int, y: int, moves: int) -> Any:
    """Return the distance of each cell from one, were there no walls: an array, row by row."""
    height, width = shape
    across = np.abs(np.arange(width) - x)[None, :]
    down = np.abs(np.arange(height) - y)[:, None]
    if moves == 4:
        return (across + down).astype(np.float64).ravel()
    return (np.maximum(across, down) + (sqrt(2) - 1) * np.minimum(across, down)).ravel()


def length(xs: Any, ys: Any) -> float:
    """Return the length of a path over cells: 1 for a straight step, √2 for a diagonal one."""
    across, down = np.abs(np.diff(xs)), np.abs(np.diff(ys))
    assert int(np.maximum(across, down).max(initial=0)) <= 1, "a step of the path leads too far"
    return float(np.sqrt(across + down).sum())


def length_of(nodes: Any, width: int) -> float:
    """Return the length of a path over cells that are numbered row by row."""
    rows, columns = np.divmod(np.asarray(nodes, np.int64), width)
    return length(columns, rows)


def tails_of(begins: Any) -> Any:
    """Return the node that each edge leaves, of compressed sparse rows."""
    return np.repeat(np.arange(len(begins) - 1), np.diff(begins))
