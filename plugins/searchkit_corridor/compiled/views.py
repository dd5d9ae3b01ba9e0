"""The cells of a compiled search, read like the tree of the engine in Python."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np

from searchkit.tree import Trail
from searchkit_corridor.compiled.kernels import CELLS, CLOSED, COST, REACHED, trace
from searchkit_corridor.compiled.store import Store


class Reached(Mapping[Any, Any]):
    """Cell → its best arrival."""

    def __init__(self, store: Store):
        self.store = store

    def __getitem__(self, cell: Any) -> Any:
        number, word = self._found(cell)
        return self.store.arrival(word, number)

    def __iter__(self) -> Iterator[Any]:
        return map(self.store.place, self.store.bearing(REACHED))

    def __len__(self) -> int:
        return int(self.store.counters[CELLS])

    def path_to(self, state: Any) -> Trail:
        """Return the cells and the moves of the path to a cell. Raises `KeyError` if it was not reached."""
        number, word = self._found(state)
        store, room = self.store, (word >> COST) + 1  # a path may have become shorter since, never longer
        path, taken = np.empty(room, np.int64), np.empty(room, np.uint8)
        count = trace(store.cells, store.ground.offsets, number, path, taken)
        places, names = store.places, store.names
        return Trail(
            tuple([places[number] for number in path[count::-1].tolist()]),
            tuple([names[move] for move in taken[:count][::-1].tolist()]),
        )

    def _found(self, cell: Any) -> tuple[int, int]:
        number = self.store.number(cell)
        word = self.store.word(number)
        if not word & REACHED:
            raise KeyError(cell)
        return number, word


class Closed(Set[Any]):
    """The cells that were expanded, and not reopened since."""

    def __init__(self, store: Store):
        self.store = store

    def __contains__(self, cell: object) -> bool:
        try:
            return bool(self.store.word(self.store.number(cell)) & CLOSED)
        except KeyError:
            return False

    def __iter__(self) -> Iterator[Any]:
        return map(self.store.place, self.store.bearing(CLOSED))

    def __len__(self) -> int:
        return len(self.store.bearing(CLOSED))
