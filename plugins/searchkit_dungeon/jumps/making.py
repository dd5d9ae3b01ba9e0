"""Making jump tables: read from the file beside the map or computed, once for each terrain."""

from array import array
from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any, TypeAlias

from searchkit.compiled import is_usable
from searchkit.plugin import MissingCapabilityError
from searchkit_dungeon.jumps.runs import DIAGONAL, STRAIGHT, Jumps
from searchkit_dungeon.jumps.table import LANDMARKS, LONGEST, MOST_STEPS, JumpTable
from searchkit_dungeon.jumps.table_file import path_beside, read_table
from searchkit_dungeon.terrain import LENGTHS, OFFSETS, Terrain

Moves: TypeAlias = Sequence[Sequence[tuple[int, int, float]]]
"""Cell → its steps: the offset, the increment of a distance in the table, and the length."""


def make_table(terrain: Terrain, corners: str) -> JumpTable:
    """Return the table of a terrain, computed in Python.

    Takes O(cells · log cells) time, seconds for 512 × 512 cells.
    """
    data = bytearray(64 * len(terrain.weights))
    data[48::64] = terrain.steps(8, "cut").masks
    table = JumpTable(memoryview(data))
    fill_runs(terrain, corners, table.runs)
    fill_distances(terrain, corners, table.distances)
    return table


def fill_runs(terrain: Terrain, corners: str, runs: Any) -> None:
    """Write the runs. A run is one step longer than that of the next cell, unless it stops there."""
    masks, stride = terrain.steps(8, corners).masks, terrain.stride
    jumps = Jumps(terrain.weights, stride, corners, ())
    for code, name in enumerate(OFFSETS):
        dx, dy = OFFSETS[name]
        offset, natural = dy * stride + dx, 1 if name in STRAIGHT else 3
        parts = [STRAIGHT.index(part) for part in jumps.parts[name]] if name in DIAGONAL else []
        for cell in range(len(masks)) if offset < 0 else reversed(range(len(masks))):
            if not masks[cell] >> code & 1:
                continue
            after = cell + offset
            forced = len(jumps.directions((after % stride, after // stride), name)) > natural
            if forced or any(runs[32 * after + part] > 0 for part in parts):
                run = 1
            else:
                run = runs[32 * after + code]
                run += 1 if run > 0 else -1
            runs[32 * cell + code] = run


def fill_distances(terrain: Terrain, corners: str, distances: Any) -> None:
    """Write the distances of all cells from the landmarks, which lie in the largest connected part.

    The first landmark is the cell farthest from the first cell of that part; each further landmark is the cell farthest
    from all previous ones (Goldberg and Werneck 2005). Ties go to the first cell.
    """
    steps = terrain.steps(8, corners)
    moves_of = [
        [(offset, 1 if LENGTHS[name] > 1 else 1 << 16, LENGTHS[name]) for name, offset in members]
        for members in steps.successors
    ]
    moves = [moves_of[mask] for mask in steps.masks]
    seed = largest_part(terrain.weights, moves)
    if seed is None:
        return
    nearest, _ = distances_from(seed, moves)
    for landmark in range(LANDMARKS):
        farthest = max(length for length in nearest if length < inf)
        lengths, found = distances_from(nearest.index(farthest), moves)
        distances[4 + landmark :: 16] = found
        nearest = list(map(min, nearest, lengths)) if landmark else lengths


def largest_part(weights: bytes, moves: Moves) -> int | None:
    """Return the first cell of the largest connected part, the first such part; None if all cells are walls."""
    seen, seed, size = bytearray(weights).translate(bytes([1]) + bytes(255)), None, 0
    for cell in range(len(weights)):
        if seen[cell]:
            continue
        seen[cell] = 1
        part = [cell]
        for member in part:
            for offset, _, _ in moves[member]:
                if not seen[member + offset]:
                    seen[member + offset] = 1
                    part.append(member + offset)
        if len(part) > size:
            seed, size = cell, len(part)
    return seed


def distances_from(source: int, moves: Moves) -> "tuple[list[float], array[int]]":
    """Return the distance of each cell, as a length and as the steps that a table contains (Dijkstra 1959).

    The search ends at a cell with the largest number of steps that fits into the table, or at the farthest cell. Cells
    that were not reached by then get the steps of that cell and an infinite length.
    """
    lengths, steps = [inf] * len(moves), array("I", bytes(4 * len(moves)))
    lengths[source] = 0
    frontier: list[tuple[float, int]] = [(0, source)]
    done = bytearray(len(moves))
    last = 0
    while frontier:
        length, cell = heappop(frontier)
        if done[cell]:
            continue
        done[cell], last = 1, steps[cell]
        if MOST_STEPS in (last >> 16, last & MOST_STEPS):
            break
        for offset, kind, step in moves[cell]:
            if length + step < lengths[cell + offset]:
                lengths[cell + offset] = length + step
                steps[cell + offset] = last + kind
                heappush(frontier, (length + step, cell + offset))
    for cell, settled in enumerate(done):
        if not settled:
            lengths[cell], steps[cell] = inf, last
    return lengths, steps


LARGE = 10_000
"""On a map with more cells than this, computing the table in machine code saves more time than importing Numba
takes."""


def table_of(terrain: Terrain, corners: str) -> JumpTable:
    """Return the table of a terrain: at the first use, read from the file beside its map, or computed.

    Raises `InputFormatError` if the file does not fit, and the errors of `make`.
    """
    _refuse_too_large(terrain)
    name = "jump table", corners
    if name not in terrain.kept:
        path = None if terrain.path is None else path_beside(terrain.path, corners)
        if path is not None and path.exists():
            terrain.kept[name] = read_table(path, terrain, corners, make)
        else:
            terrain.kept[name] = make(terrain, corners)
    table: JumpTable = terrain.kept[name]
    return table


def has_table(terrain: Terrain, corners: str) -> bool:
    """Whether `table_of` has the table at hand."""
    return ("jump table", corners) in terrain.kept


def make(terrain: Terrain, corners: str) -> JumpTable:
    """Return the table of a terrain, computed in Python or machine code; the table is the same.

    Raises `MissingCapabilityError` if a run may be too long for a table.
    """
    _refuse_too_large(terrain)
    if len(terrain.weights) > LARGE and is_usable():
        from searchkit_dungeon.jumps.compiled.tables import make_table as make_fast

        return make_fast(terrain, corners)
    return make_table(terrain, corners)


def _refuse_too_large(terrain: Terrain) -> None:
    if max(terrain.width, terrain.height) > LONGEST:
        raise MissingCapabilityError(
            f"the map is {terrain.width} wide and {terrain.height} high, and jump distances are kept for at most "
            f"{LONGEST} either way; use engine jps"
        )
