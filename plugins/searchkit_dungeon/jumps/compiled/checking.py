"""Checking a jump table that was read from a file, in one pass of array operations: faster than making it.

A checksum proves nothing: whoever forges a table forges that too. A run follows from the runs of the next cell
(`searchkit_dungeon.jumps.making.fill_runs`), and a distance from a landmark from those of the neighbours. So a table in
which each number agrees with the adjacent ones is correct.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, PARTS, onward
from searchkit_dungeon.jumps.table import LANDMARKS, MOST_STEPS
from searchkit_dungeon.terrain import DIAGONAL, Terrain

FINE = 2**30
"""Lengths are whole numbers here: this many for a straight step."""
DIAGONAL_STEP = int(DIAGONAL * FINE)
MIDDLE = 49
"""The bytes of a cell from this one on are zero."""


class Link(NamedTuple):
    """The steps of one of four directions, in both senses: from the cells `here` to the cells `there`."""

    here: slice
    there: slice
    open: Any
    """For each cell, whether the step is possible."""
    length: int


def fault_of(data: Any, terrain: Terrain, corners: str) -> str:
    """Return what is wrong with the bytes of a table; "" if they are the table of the terrain.

    The first landmark may differ from that of a newly made table: any cell is allowed.
    """
    table = np.frombuffer(data, np.uint8).reshape(-1, 64)
    masks = np.frombuffer(terrain.steps(8, corners).masks, np.uint8)
    around = np.frombuffer(terrain.steps(8, "cut").masks, np.uint8)
    if not np.array_equal(table[:, MIDDLE - 1], around) or table[:, MIDDLE:].any():
        return "the open cells around a cell are not those of the map"
    if not _are_runs(
        np.ascontiguousarray(table.view(np.int16)[:, :8].T), masks, around, corners, terrain.stride
    ):
        return "a run does not end where one ends on the map"
    links = list(_links(masks, terrain.stride))
    steps = np.ascontiguousarray(table.view(np.uint32)[:, 4 : 4 + LANDMARKS].T)
    if not masks.any():  # no step: no distance
        return "the distance of a landmark is wrong" if steps.any() else ""
    nearest, all_whole = np.full(len(masks), _FAR), True
    for landmark in range(LANDMARKS):
        reached = _reached(steps[landmark], links)
        if reached is None:
            return "the distance of a landmark is wrong"
        lengths, settled, whole = reached
        # If a path was too long to be counted, the table does not say which of the farthest cells were reached.
        all_whole &= whole
        if landmark and all_whole and lengths[int(np.where(nearest < _FAR, nearest, -1).argmax())]:
            return "a landmark is not the cell farthest from those before it"
        lengths[~settled] = _FAR
        nearest = np.minimum(nearest, lengths)
    return ""


_FAR = 2**62


def _are_runs(runs: Any, masks: Any, around: Any, corners: str, stride: int) -> bool:
    """Whether each run is one step longer than that of the next cell, unless it stops there."""
    turns = onward(corners).reshape(-1, 256)
    for code in range(8):
        offset = int(AHEAD_Y[code] * stride + AHEAD_X[code])
        natural = 1 if code < 4 else 3
        stops = (turns[code] >> np.uint32(4 * natural) != 0)[around]  # forced neighbours
        if code >= 4:
            for part in PARTS[code - 4]:
                stops |= runs[part] > 0
        stops, after = np.roll(stops, -offset), np.roll(runs[code], -offset)
        after += (after > 0) * np.int16(2) - np.int16(1)
        after[stops] = 1
        after *= masks >> np.uint8(code) & np.uint8(1)
        if not np.array_equal(after, runs[code]):
            return False
    return True


def _links(masks: Any, stride: int) -> Iterator[Link]:
    for code in range(8):
        offset = int(AHEAD_Y[code] * stride + AHEAD_X[code])
        if offset > 0:
            here, there = slice(0, len(masks) - offset), slice(offset, None)
            yield Link(
                here, there, (masks[here] >> code & 1).astype(bool), FINE if code < 4 else DIAGONAL_STEP
            )


def _reached(steps: Any, links: list[Link]) -> tuple[Any, Any, bool] | None:
    """Return the distances from a landmark, the cells that they are of, and whether all distances are counted.

    None if they are wrong. Each cell but the landmark has a neighbour that is nearer by exactly the step between them,
    and none that is nearer by more: so its distance is that of a shortest path. A cell that can't be reached, or is
    farther than the largest distance that can be counted, has the largest distance of all cells
    (`table_making.distances_from`).
    """
    straight, diagonal = (
        (steps >> np.uint32(16)).astype(np.int64),
        (steps & np.uint32(MOST_STEPS)).astype(np.int64),
    )
    lengths = straight * FINE + diagonal * DIAGONAL_STEP
    settled = lengths == 0
    if settled.sum() != 1:
        return None
    for here, there, is_open, length in links:
        change = lengths[there] - lengths[here]
        if (is_open & ((change > length) | (change < -length))).any():
            return None
        settled[there] |= is_open & (change == length)
        settled[here] |= is_open & (change == -length)
    farthest = int(lengths.max())
    last = lengths == farthest
    if not (settled | last).all() or not (settled & last).any():
        return None
    counted = np.maximum(straight, diagonal) < MOST_STEPS
    if counted.all():
        if any((link.open & (settled[link.here] != settled[link.there])).any() for link in links):
            return None
        return lengths, settled, True
    return None if (~counted & ~last).any() else (lengths, settled, False)
