"""The result of a search without goals: distances, and the order in which they were settled."""

from abc import abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from operator import mul
from typing import Any

import numpy as np
from attrs import evolve

from searchkit.compiled.array_layout import ArrayLayout, filled, integer_type, shown
from searchkit.compiled.kit import control
from searchkit.compiled.kit.records import Records
from searchkit.compiled.kit.store import SEEN
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.errors import InvalidProblemError
from searchkit.kernels.best_first import BestFirst


def without_goals(view: CompiledProblem) -> CompiledProblem:
    """Return the view of the same problem without goals and without a heuristic."""
    graph = view.graph
    if isinstance(graph, Functions):
        graph = evolve(graph, is_goal=None)
    return evolve(view, graph=graph, goals=(), heuristic=None)


class DistanceRecords(Records):
    """Records with the distances in an array of their own, which is not used for anything else after the search."""

    @abstractmethod
    def memory(self) -> Any:
        """Return the array: the distance of each packed state as int32, −1 for those that were not reached."""


class Settled(Mapping[Any, Any]):
    """A mapping of states to distances, in the order in which these were settled. Items are made on demand.

    Args:
        records: what a kernel has reached.
        bound: distances from here on may still fall, and are left out; None where all are settled.

    """

    def __init__(self, records: Records, bound: Any):
        self._records = records
        self._nodes = records.having(SEEN) if records.order is None else records.order
        self._bound = np.inf if bound is None else float(bound)
        if bound is not None:
            self._nodes = self._nodes[records.costs(self._nodes) < self._bound]

    def __getitem__(self, state: Any) -> Any:
        return self._records.cost(self._number(self._node(state)))

    def _node(self, state: Any) -> int:
        records = self._records
        try:
            node = records.node(state)
            fits = records.state(node) == state and (
                self._bound == np.inf or self._number(node) < self._bound
            )
        except (TypeError, ValueError, LookupError, OverflowError):  # not a state that can be packed
            fits = False
        if not fits:
            raise KeyError(state)
        return node

    def _number(self, node: int) -> float:
        return float(self._records.costs(np.array([node]))[0])

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._records.states(self._nodes))

    def items(self) -> ItemsView[Any, Any]:
        """Return the items, converted as whole arrays."""
        return dict(zip(self, self._in_order(), strict=True)).items()

    def values(self) -> ValuesView[Any]:
        """Return the distances, converted as a whole array."""
        return dict(enumerate(self._in_order())).values()

    def _in_order(self) -> list[Any]:
        """Return the distances, in order."""
        distances = self._records.costs(self._nodes)
        return (distances.astype(np.int64) if self._records.view.whole else distances).tolist()  # type: ignore[no-any-return]

    def array(self, layout: ArrayLayout[Any]) -> Any:
        """Return the distances in the form of a layout: a view of the memory of the search, if possible."""
        if layout.strides is None or self._records.hashed:
            return filled(layout, self)
        view = self._records.view
        for start in self._records.problem.initial_states():
            place, packed = layout.place(start), view.pack(start)
            fits = len(place) == len(layout.strides)
            if not fits or sum(map(mul, place, layout.strides)) != packed:
                raise InvalidProblemError(
                    f"array_layout() gives the state {start!r} the index {place} and the strides {layout.strides}, and "
                    f"the compiled view packs it into {packed}"
                )
        if layout.whole != view.whole:
            raise InvalidProblemError(
                f"array_layout() has whole={layout.whole}, and the compiled view has whole={view.whole}"
            )
        return shown(layout, self._memory())

    def _memory(self) -> Any:
        """Return an array of the distance of each node of a dense graph; −1 or infinity where there is none.

        It is the memory of the search if that holds nothing else.
        """
        records = self._records
        if self._bound == np.inf and isinstance(records, DistanceRecords):
            return records.memory()
        whole, distances = records.view.whole, records.costs(self._nodes)
        kind = integer_type(float(distances.max(initial=0))) if whole else np.float64
        memory = np.full(records.size, -1 if whole else np.inf, kind)
        memory[self._nodes] = distances
        return memory

    def farthest(self) -> list[Any]:
        """Return the states at the largest distance, in order."""
        if not len(self):
            return []
        nodes, largest, size = self._nodes, self._number(int(self._nodes[-1])), 1 << 8
        while True:
            distances = self._records.costs(nodes[-size:])
            if distances[0] < largest or size >= len(nodes):
                return list(self._records.states(nodes[-size:][distances == largest]))
            size *= 8


class Settling(BestFirst):
    """`dijkstra` without goals, which lists the states that it settles."""

    guided = False

    def begin(self) -> None:
        """Enter the starts."""
        super().begin()
        self.listed = np.empty(self.records.room if self.records.hashed else self.records.size, np.uint32)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one more expansion."""
        if self.records.hashed:
            self.listed = self.grown(self.listed, int(self.counters[control.QUEUED]), self.records.room)
        return super().grow_frontier()

    def show(self) -> None:
        """Bring the tree up to date."""
        super().show()
        self.records.order = self.listed[: int(self.counters[control.QUEUED])]
