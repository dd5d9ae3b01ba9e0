"""The frontier of a compiled search, read as that of the engine in Python."""

from collections.abc import Iterator
from math import inf
from typing import Any

from attrs import define, field

from searchkit_corridor.compiled.kernels import NEVER, least_open_cost
from searchkit_corridor.compiled.store import Store
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.frontier import Frontier


@define(eq=False)
class ArrayFrontier(Frontier):
    """The same frontier, with its regions and states in arrays."""

    store: Store = field(kw_only=True)

    @property
    def regions_opened(self) -> int:
        """How many regions have ever been in the mask."""
        return int(self.store.opened)

    def least_open_cost(self, regions: Regions, least_depth: Any = None) -> Any:
        """Return the least cost of a path through a deferred state; infinity if no state is deferred.

        With `least_depth`, only paths that stay at that depth or deeper count.
        """
        store = self.store
        waiting = store.waiting.cells[: store.waiting.count]
        by_depth = store.depths is not None and least_depth is not None
        least = least_open_cost(store.ground, store.far, store.cells, waiting, by_depth)
        return inf if least >= NEVER else int(least)

    def __len__(self) -> int:
        return self.store.size

    def __iter__(self) -> Iterator[Any]:
        return map(self.store.place, self.store.queued())
