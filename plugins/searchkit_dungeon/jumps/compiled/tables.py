"""Making a jump table as machine code: the same as `searchkit_dungeon.jumps.making`."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import heap
from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, LENGTH, PARTS, onward
from searchkit_dungeon.jumps.compiled.heap import ENTRY, Openings
from searchkit_dungeon.jumps.table import LANDMARKS, MOST_STEPS, JumpTable
from searchkit_dungeon.terrain import Terrain

FIRST_ROOM = 1 << 16
PIECE = 1 << 18
"""Cells that are visited in one call: between two calls, Ctrl-C and other threads have their turn."""
STEPS = np.array([1 << 16] * 4 + [1] * 4)
"""What a step adds to a distance in the table."""


def make_table(terrain: Terrain, corners: str) -> JumpTable:
    """Return the table of a terrain. Takes O(cells · log cells): half a second for 512 × 512 cells."""
    masks = np.frombuffer(terrain.steps(8, corners).masks, np.uint8)
    data: Any = np.zeros((len(masks), 64), np.uint8)
    data[:, 48] = around = np.frombuffer(terrain.steps(8, "cut").masks, np.uint8)
    for code in range(8):
        for first in range(0, len(masks), PIECE):
            _fill_runs(
                masks, around, onward(corners), terrain.stride, data.view(np.int16), code, first, PIECE
            )
    _fill_distances(terrain, masks, data.view(np.uint32))
    return JumpTable(memoryview(data.reshape(-1)))


@kernel
def _fill_runs(
    masks: Any, around: Any, onward: Any, stride: Any, runs: Any, code: Any, first: Any, count: Any
) -> None:
    """Write the runs of some cells in a direction: one step longer than that of the next cell, unless they stop there.

    The cells are those after the first ones, counted against the direction, up to `count`.
    """
    offset = AHEAD_Y[code] * stride + AHEAD_X[code]
    natural = 1 if code < 4 else 3
    for place in range(first, min(masks.size, first + count)):
        cell = place if offset < 0 else masks.size - 1 - place
        if not masks[cell] >> code & 1:
            continue
        after = cell + offset
        stops = onward[256 * code + around[after]] >> np.uint32(4 * natural) != 0  # forced neighbours
        if code >= 4:
            stops |= runs[after, PARTS[code - 4, 0]] > 0 or runs[after, PARTS[code - 4, 1]] > 0
        run = runs[after, code]
        runs[cell, code] = 1 if stops else run + 1 if run > 0 else run - 1


def _fill_distances(terrain: Terrain, masks: Any, distances: Any) -> None:
    """Write the distances of all cells from the landmarks."""
    seed = _largest_part(masks, np.frombuffer(terrain.weights, np.uint8), terrain.stride)
    if seed < 0:
        return
    nearest, _ = _distances_from(seed, masks, terrain.stride)
    for landmark in range(LANDMARKS):
        farthest = int(np.where(nearest < np.inf, nearest, -1).argmax())
        lengths, distances[:, 4 + landmark] = _distances_from(farthest, masks, terrain.stride)
        nearest = np.minimum(nearest, lengths) if landmark else lengths


def _largest_part(masks: Any, weights: Any, stride: int) -> int:
    """Return the first cell of the largest connected part, of several the first; −1 if all cells are walls."""
    seen, queue = np.array(weights == 0, np.uint8), np.empty(len(masks), np.int64)
    state = np.array([0, 0, 0, -1, 0])
    while not _search_parts(masks, seen, queue, stride, state, PIECE):
        pass
    return int(state[3])


@kernel
def _search_parts(masks: Any, seen: Any, queue: Any, stride: Any, state: Any, left: Any) -> Any:
    """Continue to look for the largest part, over that many cells; return whether it is found.

    The state is the next cell at which a part may begin, the first and the end of the queue, and the first cell and the
    size of the largest part so far.
    """
    cell, head, tail, seed, most = state[0], state[1], state[2], state[3], state[4]
    while cell < masks.size and left > 0:
        left -= 1
        if head == tail:
            if seen[cell]:
                cell += 1
                continue
            seen[cell], queue[0] = 1, cell
            head, tail = 0, 1
        while head < tail and left > 0:
            left -= 1
            here = queue[head]
            head += 1
            for code in range(8):
                after = here + AHEAD_Y[code] * stride + AHEAD_X[code]
                if masks[here] >> code & 1 and not seen[after]:
                    seen[after], queue[tail] = 1, after
                    tail += 1
        if head == tail and tail > most:
            seed, most = cell, tail
    state[0], state[1], state[2], state[3], state[4] = cell, head, tail, seed, most
    return cell == masks.size


def _distances_from(source: int, masks: Any, stride: int) -> tuple[Any, Any]:
    """Return the distance of each cell, infinite if it is unknown, and its steps as a table holds them."""
    lengths, steps = np.full(len(masks), np.inf), np.zeros(len(masks), np.uint32)
    done, last, size = np.zeros(len(masks), np.uint8), np.zeros(1, np.uint32), 1
    entries = np.empty(FIRST_ROOM, ENTRY)
    lengths[source], entries[0] = 0, (0, source)
    while size:
        size = _spread(masks, stride, lengths, steps, done, last, Openings(entries), size, PIECE)
        if size > len(entries) - 8:
            entries = np.concatenate([entries, np.empty_like(entries)])
    lengths[done == 0], steps[done == 0] = np.inf, last[0]
    return lengths, steps


@kernel
def _spread(
    masks: Any, stride: Any, lengths: Any, steps: Any, done: Any, last: Any, queue: Any, size: Any, left: Any
) -> Any:
    """Continue Dijkstra's algorithm until it ends, the heap may overflow, or that many entries were removed.

    Return the number of entries left.
    """
    while 0 < size <= queue.entries.size - 8 and left > 0:
        left -= 1
        length, cell = queue.entries[0].f, np.int64(queue.entries[0].node)
        size = heap.pop(queue, size)
        if done[cell]:
            continue
        done[cell], last[0] = 1, steps[cell]
        if steps[cell] >> np.uint32(16) == MOST_STEPS or steps[cell] & np.uint32(MOST_STEPS) == MOST_STEPS:
            return 0
        for code in range(8):
            if masks[cell] >> code & 1:
                after = cell + AHEAD_Y[code] * stride + AHEAD_X[code]
                if length + LENGTH[code] < lengths[after]:
                    lengths[after] = length + LENGTH[code]
                    steps[after] = steps[cell] + STEPS[code]
                    size = heap.push(queue, size, (lengths[after], after))
    return size
