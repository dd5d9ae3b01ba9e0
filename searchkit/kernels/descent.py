"""The path and the stack of iterative deepening, as the tree shows them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from searchkit.tree import Arrival


class Path(Mapping[Any, Arrival[Any, Any]]):
    """A mapping of the states on the path of a run to their arrivals, as in the tree of the engine in Python.

    Args:
        run: the run, which reads entries.
        entries: those of the path, as they are when the mapping is made.

    """

    def __init__(self, run: Any, entries: Any):
        self.run = run
        self.entries = entries
        self.arrivals: dict[Any, Arrival[Any, Any]] | None = None

    def _read(self) -> dict[Any, Arrival[Any, Any]]:
        if self.arrivals is None:
            self.arrivals, parent = {}, None
            for entry in self.entries:
                state = self.run.unpacked(entry)
                self.arrivals[state] = self.run.arrival(entry, parent)
                parent = state
        return self.arrivals

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        return self._read()[state]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self.entries)


class Stack(Sequence[tuple[int, Any, Arrival[Any, Any]]]):
    """The frontier of a run, as in the tree of the engine in Python: depth, state and arrival, the next one last."""

    def __init__(self, run: Any, entries: Any):
        self.run = run
        self.entries = entries

    @overload
    def __getitem__(self, index: int) -> tuple[int, Any, Arrival[Any, Any]]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, Any, Arrival[Any, Any]]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        entry = self.entries[index]
        depth = int(entry["depth"])
        parent = self.run.unpacked(self.run.path[depth - 1]) if depth else None
        return depth, self.run.unpacked(entry), self.run.arrival(entry, parent)

    def __len__(self) -> int:
        return len(self.entries)
