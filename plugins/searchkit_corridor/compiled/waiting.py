"""The cells that were reached outside the mask."""

from typing import Any

import numpy as np

ROOM = 1 << 12


class Waiting:
    """The deferred cells, in the order in which they were reached.

    Args:
        by_region: whether they are kept in a list per region; regions are ordered by their first cell, and a region
            leaves the order with its last cell.
        regions: int32, cell → its block.

    """

    def __init__(self, by_region: bool, regions: Any):
        self.by_region, self.regions = by_region, regions
        self.cells: Any = np.empty(ROOM, np.int32)
        self.count = 0
        self.turns: dict[int, int] = {}
        self.next_turn = 0

    def __len__(self) -> int:
        return self.count

    def put(self, cells: Any) -> None:
        """Replace the cells by these."""
        if len(cells) + ROOM > len(self.cells):
            self.cells = np.empty(2 * (len(cells) + ROOM), np.int32)
        self.cells[: len(cells)] = cells
        self.count = len(cells)
        if self.by_region:
            left = set(self.regions[cells].tolist())
            self.turns = {region: turn for region, turn in self.turns.items() if region in left}

    def in_order(self) -> Any:
        """Return the cells in order, region by region if they are kept so."""
        cells = self.cells[: self.count]
        if not self.by_region:
            return cells
        homes = self.regions[cells].tolist()
        for region in homes:
            if region not in self.turns:
                self.turns[region] = self.next_turn
                self.next_turn += 1
        return cells[np.argsort([self.turns[region] for region in homes], kind="stable")]

    def grow(self) -> None:
        """Double the room."""
        self.cells = np.concatenate([self.cells, np.empty_like(self.cells)])
