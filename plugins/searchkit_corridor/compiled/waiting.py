"""The cells that were met outside the mask."""

from typing import Any

import numpy as np

ROOM = 1 << 12


class Waiting:
    """The cells deferred, in the order in which they were met.

    Args:
        by_region: whether they are kept in a list per region; then a region has its turn from the time when its first
            cell was met to that when its last one comes in.
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
        """Hold these and no others."""
        if len(cells) + ROOM > len(self.cells):
            self.cells = np.empty(2 * (len(cells) + ROOM), np.int32)
        self.cells[: len(cells)] = cells
        self.count = len(cells)
        if self.by_region:
            left = set(self.regions[cells].tolist())
            self.turns = {region: turn for region, turn in self.turns.items() if region in left}

    def in_order(self) -> Any:
        """Return the cells: as they were met, region by region if they are kept so."""
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
        """Make room for twice as many."""
        self.cells = np.concatenate([self.cells, np.empty_like(self.cells)])
