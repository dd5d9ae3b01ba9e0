"""The result of a search without goals: distances, and the order in which they were settled."""

from abc import abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from functools import cached_property
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from attrs import evolve

from searchkit.compiled.array_layout import ArrayLayout, filled, integer_type, shown
from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import heap
from searchkit.compiled.kit.records import Records
from searchkit.compiled.kit.store import NOBODY, SEEN
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.errors import InvalidProblemError

PIECE = 1 << 15
"""The number of nodes that are settled at a time."""


def without_goals(view: CompiledProblem) -> CompiledProblem:
    """Return the view of the same problem without goals and without a heuristic."""
    graph = view.graph
    if isinstance(graph, Functions):
        graph = evolve(graph, is_goal=None)
    return evolve(view, graph=graph, goals=(), heuristic=None)


class DistanceRecords(Records):
    """Records with the distances in an array of their own, which is not used for anything else after the search."""

    is_ordered = True

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
        self._nodes = records.having(SEEN) if bound is None or records.order is None else records.order
        self._bound = np.inf if bound is None else float(bound)
        if bound is not None:
            self._nodes = self._nodes[records.costs(self._nodes) < self._bound]

    def __getitem__(self, state: Any) -> Any:
        return self._cost(self._node(state))

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

    @cached_property
    def _distances(self) -> Any:
        """The distance of each node, as a float."""
        return self._records.costs(self._nodes)

    def _number(self, node: int) -> float:
        return float(self._records.costs(np.array([node]))[0])

    def _cost(self, node: int) -> Any:
        return self._records.cost(self._number(node))

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._records.states(self._order))

    def items(self) -> ItemsView[Any, Any]:
        """Return the items, converted as whole arrays."""
        return dict(zip(self, self._in_order(), strict=True)).items()

    def values(self) -> ValuesView[Any]:
        """Return the distances, converted as a whole array."""
        return dict(enumerate(self._in_order())).values()

    def _in_order(self) -> list[Any]:
        """Return the distances, in order."""
        distances = self._records.costs(self._order)
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
        whole, distances = records.view.whole, self._distances
        kind = integer_type(float(distances.max(initial=0))) if whole else np.float64
        memory = np.full(records.size, -1 if whole else np.inf, kind)
        memory[self._nodes] = distances
        return memory

    def farthest(self) -> list[Any]:
        """Return the states at the largest distance, in order."""
        if not len(self):
            return []
        if self._records.is_ordered:
            return list(self._records.states(self._last()))
        largest = self._distances.max()
        nodes = self._nodes[self._distances == largest]
        if len(nodes) > 1:
            nodes = self._order[self._records.costs(self._order) == largest]
        return list(self._records.states(nodes))

    def _last(self) -> Any:
        """Return the nodes at the largest distance, which are the last ones."""
        nodes, largest, size = self._nodes, self._number(int(self._nodes[-1])), 1 << 8
        while True:
            distances = self._records.costs(nodes[-size:])
            if distances[0] < largest or size >= len(nodes):
                return nodes[-size:][distances == largest]
            size *= 8

    @cached_property
    def _order(self) -> Any:
        """The nodes in the order in which they were settled. Takes O(n log n) time at the first use.

        Only the last arrival of each node matters: so it is the order of a search of the tree of these arrivals.
        """
        records, nodes = self._records, self._nodes
        if records.is_ordered:
            return nodes
        parents = records.parents(nodes)
        places = np.zeros(int(nodes.max(initial=0)) + 1, np.int64)
        places[nodes] = np.arange(len(nodes))
        begun = [records.node(state) for state in dict.fromkeys(records.problem.initial_states())]
        starts = places[np.array(begun if len(nodes) else [], np.int64)]  # all or, below a bound of 0, none
        children = np.flatnonzero(parents != NOBODY)
        above = places[parents[children]]
        by_parent = children[np.lexsort((records.moves(nodes[children]), above))]
        first = np.zeros(len(nodes) + 1, np.int64)
        np.cumsum(np.bincount(above, minlength=len(nodes)), out=first[1:])
        order, waiting, turns = (np.empty(len(nodes), np.int64) for _ in range(3))
        state, queue = (
            np.zeros(3, np.int64),
            Turns(waiting, np.ascontiguousarray(self._distances, np.float64), turns),
        )
        while not _settle(queue, starts, first, by_parent, order, state, PIECE):
            pass  # between two pieces, Ctrl-C and other threads have their turn
        return nodes[order]


class Turns(NamedTuple):
    """A heap of nodes: the nearest comes out first; of equally near ones, the last that was reached."""

    nodes: Any
    distances: Any
    turns: Any


@heap.load.when(Turns)
def _(queue: Any, index: Any) -> Any:
    return queue.nodes[index]


@heap.store.when(Turns)
def _(queue: Any, index: Any, node: Any) -> None:
    queue.nodes[index] = node


@heap.is_before.when(Turns)
def _(queue: Any, one: Any, other: Any) -> Any:
    return queue.distances[one] < queue.distances[other] or (
        queue.distances[one] == queue.distances[other] and queue.turns[one] > queue.turns[other]
    )


@kernel
def _settle(queue: Any, starts: Any, first: Any, children: Any, order: Any, state: Any, most: Any) -> Any:
    """Write the order in which a search settles the nodes of a tree into `order`; return whether it is complete.

    The children of node i are children[first[i]:first[i + 1]]. `state` holds the number of settled nodes, the size of
    the heap and the last turn, zeros at first. A call settles `most` nodes, and the next one continues from `state`.
    """
    settled, size, turn = state[0], state[1], state[2]
    if turn == 0:
        for start in starts:
            turn += 1
            queue.turns[start] = turn
            size = heap.push(queue, size, start)
    while size > 0 and most > 0:
        most -= 1
        node = queue.nodes[0]
        size = heap.pop(queue, size)
        order[settled] = node
        settled += 1
        for place in range(first[node], first[node + 1]):
            turn += 1
            queue.turns[children[place]] = turn
            size = heap.push(queue, size, children[place])
    state[0], state[1], state[2] = settled, size, turn
    return size == 0
