"""Where straight runs stop, 64 cells in one number: runs are found by scanning words (Harabor and Grastien 2014)."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.compiled.kit import highest_bit, lowest_bit
from searchkit_dungeon.jumps.compiled.arrivals import FIRST_ROOM, Workspace
from searchkit_dungeon.jumps.compiled.heap import AT
from searchkit_dungeon.terrain import Terrain

PUSH = np.dtype([("g", np.float64), ("cell", np.uint32), ("direction", np.uint8)], align=True)
"""An entry of the frontier. Its cell may have been reached since by another run of the same cost."""


class Stops(NamedTuple):
    """For each straight direction, a bit for each cell: set if a run has to stop there, at a jump point or a wall.

    The lines are the rows for east and west, the columns for north and south. Each line begins a word. A line of walls
    precedes the first line and follows the last; a wall precedes and follows the cells of each line.
    """

    north: Any
    east: Any
    south: Any
    west: Any
    row: Any
    """The number of words of a row."""
    column: Any
    """The number of words of a column."""


def stops_of(terrain: Terrain, corners: str) -> Stops:
    """Return where runs stop if there are no goals."""
    free = np.zeros((terrain.height + 2, terrain.width + 2), bool)
    cells = np.frombuffer(terrain.weights, np.uint8).reshape(-1, terrain.stride)
    free[1:-1, 1:-1] = cells[:-1, :-1] > 0
    cut = corners == "cut"
    east, west = (_packed(_stop(free, ahead, cut)) for ahead in (1, -1))
    south, north = (_packed(_stop(free.T, ahead, cut)) for ahead in (1, -1))
    row, column = east.shape[1], south.shape[1]
    return Stops(north.reshape(-1), east.reshape(-1), south.reshape(-1), west.reshape(-1), row, column)


def _stop(free: Any, ahead: int, cut: bool) -> Any:
    """Return for each cell whether a run along the lines stops there: at a wall, or because a neighbour is forced."""
    stop = ~free
    for side in (1, -1):
        beside = np.roll(free, side, 0)
        closed = beside if cut else np.roll(beside, ahead, 1)
        opened = np.roll(beside, -ahead, 1) if cut else beside
        stop |= ~closed & opened
    return stop


def _packed(bits: Any) -> Any:
    """Return each line as words of 64 bits, padded with stops."""
    padded = np.ones((bits.shape[0], -(-bits.shape[1] // 64) * 64), bool)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


@compiled_function
def straight(stops: Any, weights: Any, stride: Any, x: Any, y: Any, code: Any) -> Any:
    """Return the number of steps to the next jump point in a straight direction; 0 if there is none."""
    here = y * stride + x
    if code == 0:
        steps = _up(stops.north, (x + 1) * stops.column, y + 1)
        return steps if weights[here - steps * stride] else 0
    if code == 1:
        steps = _down(stops.east, (y + 1) * stops.row, x + 1)
        return steps if weights[here + steps] else 0
    if code == 2:
        steps = _down(stops.south, (x + 1) * stops.column, y + 1)
        return steps if weights[here + steps * stride] else 0
    steps = _up(stops.west, (y + 1) * stops.row, x + 1)
    return steps if weights[here - steps] else 0


@compiled_function
def _down(words: Any, line: Any, place: Any) -> Any:
    """Return the distance of the next stop of a line, in the direction in which bits are counted."""
    after = place + 1
    word = line + (after >> 6)
    bits = words[AT(word)] >> AT(after & 63)
    if bits:
        return 1 + np.int64(lowest_bit(bits))
    while True:
        word += 1
        if words[AT(word)]:
            return (word - line << 6) + np.int64(lowest_bit(words[AT(word)])) - place


@compiled_function
def _up(words: Any, line: Any, place: Any) -> Any:
    """Return the distance of the next stop of a line, in the other direction."""
    before = place - 1
    word = line + (before >> 6)
    bits = words[AT(word)] << AT(63 - (before & 63))
    if bits:
        return 1 + 63 - np.int64(highest_bit(bits))
    while True:
        word -= 1
        if words[AT(word)]:
            return place - (word - line << 6) - np.int64(highest_bit(words[AT(word)]))


class JumpSpace(Workspace):
    """The arrays of one search, and where its runs stop."""

    def __init__(self, terrain: Terrain, corners: str):
        super().__init__(terrain)
        self.terrain = terrain
        stops = kept(terrain, "stops", corners, stops_of)
        self.stops = Stops(*(array.copy() for array in stops[:4]), *stops[4:])
        self.goals = np.zeros(len(terrain.weights), np.uint8)
        self.pushes = np.empty(FIRST_ROOM, PUSH)
        self._marked: list[tuple[Any, int, Any]] = []

    def growing(self) -> dict[str, Any]:
        """Return the arrays that grow."""
        return {**super().growing(), "pushes": self.pushes}

    def mark(self, goals: Any) -> None:
        """Make runs stop at these goals, and no longer at the previous ones."""
        for array, place, before in reversed(self._marked):
            array[place] = before
        self._marked.clear()
        north, east, south, west, row, column = self.stops
        for x, y in goals:
            self._set(self.goals, y * self.terrain.stride + x, 1)
            for array, line, place in (
                (east, (y + 1) * row, x + 1), (west, (y + 1) * row, x + 1),
                (north, (x + 1) * column, y + 1), (south, (x + 1) * column, y + 1),
            ):  # fmt: skip
                self._set(array, line + (place >> 6), 1 << (place & 63))

    def _set(self, array: Any, place: int, bits: int) -> None:
        before = array[place]
        self._marked.append((array, place, before))
        array[place] = int(before) | bits


def kept(terrain: Terrain, what: str, corners: str, make: Any) -> Any:
    """Return the arrays that are made once for each terrain."""
    if (what, corners) not in terrain.kept:
        terrain.kept[what, corners] = make(terrain, corners)
    return terrain.kept[what, corners]
