"""Straight runs over a grid and the jump points where they stop (Harabor and Grastien 2011)."""

from collections.abc import Iterable, Sequence

from searchkit_dungeon.terrain import OFFSETS, Cell, directions

STRAIGHT, DIAGONAL = directions(4), directions(8)[4:]
ANY = ""
"""The direction from which a start is reached."""


class Jumps:
    """The runs over a grid with 8 moves on which every cell costs the same.

    From a cell that was reached in some direction, a neighbour is pruned if another path from the parent leads there
    that is shorter, or equally long with an earlier diagonal step. The other neighbours are natural, or forced by an
    obstacle beside the cell.

    Args:
        weights: the weight of each cell, 0 for a wall, at index y · stride + x, with walls around the map as in
        `Terrain`. stride: the number of cells in a row, walls included. corners: `cut`: the rules of 2011; `no`: those
        of 2012, for which both cells beside a diagonal step must be free. goals: cells where every run stops.

    """

    def __init__(self, weights: bytes, stride: int, corners: str, goals: Iterable[Cell]):
        self.weights, self.stride, self.cut = weights, stride, corners == "cut"
        self.goals = frozenset(y * stride + x for x, y in goals)
        self._offsets = {name: dy * stride + dx for name, (dx, dy) in OFFSETS.items()}
        self._names = {offset: name for name, offset in OFFSETS.items()}
        self._sides = {name: self._beside(name) for name in STRAIGHT}
        self.parts = {name: self._parts_of(name) for name in DIAGONAL}
        """Diagonal direction → its two straight components."""

    def _beside(self, name: str) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the two directions perpendicular to a straight one, each with the diagonal between the two."""
        dx, dy = OFFSETS[name]
        one, other = (dy, dx), (-dy, -dx)
        return self._with_diagonal(one, (dx, dy)), self._with_diagonal(other, (dx, dy))

    def _with_diagonal(self, side: Cell, ahead: Cell) -> tuple[str, str]:
        return self._names[side], self._names[side[0] + ahead[0], side[1] + ahead[1]]

    def _parts_of(self, name: str) -> tuple[str, str]:
        """Return the two straight components of a diagonal direction."""
        dx, dy = OFFSETS[name]
        return self._names[dx, 0], self._names[0, dy]

    def directions(self, cell: Cell, direction: str) -> Sequence[str]:
        """Return the directions of the natural and the forced neighbours of a cell that was reached in a direction."""
        if direction == ANY:
            return (*STRAIGHT, *DIAGONAL)
        weights, offsets = self.weights, self._offsets
        here, found = cell[1] * self.stride + cell[0], [direction]
        if direction in self._sides:
            ahead = offsets[direction]
            for side, diagonal in self._sides[direction]:
                beside = here + offsets[side]
                if self.cut:
                    if not weights[beside] and weights[beside + ahead]:
                        found.append(diagonal)
                elif not weights[beside - ahead] and weights[beside]:
                    found += (side, diagonal)
            return found
        across, along = self.parts[direction]
        found += (across, along)
        if self.cut:
            dx, dy = OFFSETS[direction]
            ox, oy = offsets[across], offsets[along]
            if not weights[here - ox] and weights[here - ox + oy]:
                found.append(self._names[-dx, dy])
            if not weights[here - oy] and weights[here - oy + ox]:
                found.append(self._names[dx, -dy])
        return found

    def run(self, cell: Cell, direction: str) -> int:
        """Return the number of steps to the jump point in a direction; 0 if there is none."""
        here = cell[1] * self.stride + cell[0]
        return (
            self._straight(here, direction) if direction in self._sides else self._diagonal(here, direction)
        )

    def _straight(self, here: int, direction: str) -> int:
        weights, goals, ahead = self.weights, self.goals, self._offsets[direction]
        one, other = (self._offsets[side] for side, _ in self._sides[direction])
        # An obstacle forces a neighbour if an adjacent cell is closed and the next one is open: beside this cell and
        # the one ahead if corners may be cut, else beside the cell behind and this one.
        closed, opened = (0, ahead) if self.cut else (-ahead, 0)
        steps = 0
        while True:
            here += ahead
            if not weights[here]:
                return 0
            steps += 1
            if (
                here in goals
                or (not weights[here + one + closed] and weights[here + one + opened])
                or (not weights[here + other + closed] and weights[here + other + opened])
            ):
                return steps

    def _diagonal(self, here: int, direction: str) -> int:
        weights, goals, cut = self.weights, self.goals, self.cut
        across, along = self.parts[direction]
        ox, oy = self._offsets[across], self._offsets[along]
        steps = 0
        while True:
            if not weights[here + ox + oy] or not (cut or (weights[here + ox] and weights[here + oy])):
                return 0
            here += ox + oy
            steps += 1
            if (
                here in goals
                or (cut and not weights[here - ox] and weights[here - ox + oy])
                or (cut and not weights[here - oy] and weights[here - oy + ox])
                or self._straight(here, across)
                or self._straight(here, along)
            ):
                return steps
