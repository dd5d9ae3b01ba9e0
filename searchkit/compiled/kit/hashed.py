"""The records of states that are hashed: nodes in the order in which they are found, and a table of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.kit import records as plain
from searchkit.compiled.kit.arrays import (
    NODES_PIECE,
    SLOT,
    SLOTS_PER_NODE,
    SLOTS_PIECE,
    ample,
    copied,
    larger_table,
    reserved,
)
from searchkit.compiled.kit.graph import branching_of
from searchkit.compiled.kit.records import FLAG_BITS, PIECE, START_MOVE, Records
from searchkit.compiled.kit.state import as_number, as_words
from searchkit.compiled.kit.store import FLAGS, LOW, MOVE_IN, NOBODY, PARENT_AT, SEEN
from searchkit.compiled.kit.table import EMPTY, find, hashed_store, keyed_node, rehash
from searchkit.compiled.view import CompiledProblem
from searchkit.problem import SearchProblem

MOST_MOVE_BITS = 17


class HashedRecords(Records):
    """The records of a graph that is given by functions."""

    hashed = True

    def __init__(self, problem: SearchProblem[Any, Any], view: CompiledProblem):
        self.problem, self.view = problem, view
        self.room, self.stamp = plain.FIRST_ROOM, 0
        self.cost_at = int(MOVE_IN) + min(MOST_MOVE_BITS, branching_of(view.graph).bit_length())
        """The first bit of the cost in an arrival. The move before it, of all ones, is that of a start."""
        self.count = self.reached = 0
        self.order = None
        self.nodes = np.empty(self.room, keyed_node(view.words))
        self.costs_elsewhere = np.empty(self.room, np.float64)
        """The costs for which arrivals have no room. Only what is written to takes memory."""
        self.use(np.full(SLOTS_PER_NODE * self.room, EMPTY, SLOT))
        self._emptied = self._entered = 0
        self._filling = False
        """Whether the table is being filled anew; then how many slots were emptied, and how many nodes are in it."""

    def use(self, slots: Any) -> None:
        """Make the store of the present arrays and of a table."""
        self.store = hashed_store(self.nodes, self.costs_elsewhere, slots, self.cost_at)

    def enter(self, state: Any) -> int:
        """Add a start that has no record yet; return its node."""
        node = self.count
        if node == self.room:
            for _ in self.grow(node + 1):
                pass
        words = as_words(self.view.pack(state), self.view.words)
        self.nodes[node] = NOBODY << int(PARENT_AT) | self._start_move | SEEN << int(FLAGS), words
        rehash(self.store, node, node + 1)
        self.count += 1
        self.reached += 1
        return node

    @property
    def _start_move(self) -> int:
        return (1 << self.cost_at) - (1 << int(MOVE_IN))

    def grow(self, least: int, available: float | None = None) -> Iterator[None]:
        """Make room for `least` nodes, in pieces: for more than that or, near a memory limit, what fits.

        `available` is how many bytes may still be allocated; None for no limit. Raises `MemoryError`; nothing is lost
        then.
        """
        size = self.nodes.itemsize + (0 if self.view.whole else self.costs_elsewhere.itemsize)
        room, slots = larger_table(self.room, len(self.store.slots), self.count, size, least, available)
        if room > len(self.nodes):
            each = self.nodes.itemsize + self.costs_elsewhere.itemsize
            length = max(reserved(room, self.count, size, available), ample(room, each))
            nodes, costs = np.empty(length, self.nodes.dtype), np.empty(length, np.float64)
            yield from copied(nodes[: self.count], self.nodes[: self.count])
            for begin in range(0, self.count, PIECE):
                far = begin + np.flatnonzero(
                    self.costs_are_elsewhere(nodes[begin : min(begin + PIECE, self.count)])
                )
                costs[far] = self.costs_elsewhere[far]
                yield
            self.nodes, self.costs_elsewhere = nodes, costs
            self.use(self.store.slots)
        if slots > len(self.store.slots):
            # The old table is released before the new one is written to: so both are never held at once.
            self.use(np.empty(slots, SLOT))
            self._emptied, self._entered, self._filling = 0, 0, True
            try:
                self._fill_table()
                while self._filling:
                    yield
                    self._fill_table()
            finally:  # also if the search is interrupted
                self._complete_table()
        self.room = room

    def _fill_table(self) -> None:
        """Do a piece of filling a new table with all nodes."""
        slots = self.store.slots
        if self._emptied < len(slots):
            slots[self._emptied : self._emptied + SLOTS_PIECE] = EMPTY
            self._emptied += SLOTS_PIECE
            if self._emptied < len(slots):
                return
        end = min(self.count, self._entered + NODES_PIECE)
        rehash(self.store, self._entered, end)
        self._entered, self._filling = end, end < self.count

    def _complete_table(self) -> None:
        while self._filling:
            self._fill_table()

    def node(self, state: Any) -> int:
        """Return the node of a state that was reached. Raises `KeyError` if it was not."""
        packed = self.view.pack(state)
        self._complete_table()
        node = int(find(self.store, as_words(packed, self.view.words)))
        if node < 0 or not self.flags(node) & SEEN:
            raise KeyError(state)
        return node

    def flags(self, node: int) -> int:
        """Return the flags of a node."""
        return int(self.nodes[node]["arrival"]) >> int(FLAGS) & FLAG_BITS

    def flags_of(self, nodes: Any) -> Any:
        """Return the flags of each of an array of nodes, as uint8."""
        return (self.nodes["arrival"][nodes] >> FLAGS).astype(np.uint8) & np.uint8(FLAG_BITS)

    def state(self, node: int) -> Any:
        """Return the state of a node."""
        return self.view.unpack(as_number(self.nodes[node]["state"]))

    def packed(self, nodes: Any) -> Any:
        """Return the packed states of an array of nodes."""
        return self.nodes["state"][nodes]

    def costs_are_elsewhere(self, records: Any) -> Any:
        """Return for each of an array of records whether its cost is in `costs_elsewhere`."""
        most = LOW >> np.uint64(self.cost_at)
        return (records["arrival"] & LOW) >> np.uint64(self.cost_at) == most

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        records = self.nodes[nodes]
        found = ((records["arrival"] & LOW) >> np.uint64(self.cost_at)).astype(np.float64)
        far = self.costs_are_elsewhere(records)
        if far.any():
            found[far] = self.costs_elsewhere[np.asarray(nodes)[far]]
        return found

    def parents(self, nodes: Any) -> Any:
        """Return the parent of each of an array of nodes; `NOBODY` for a start."""
        return (self.nodes["arrival"][nodes] >> PARENT_AT).astype(np.uint32)

    def moves(self, nodes: Any) -> Any:
        """Return the move by which each of an array of nodes was reached; `START_MOVE` for a start."""
        moves = (self.nodes["arrival"][nodes] & np.uint64(self._start_move)) >> MOVE_IN
        return np.where(moves == self._start_move >> int(MOVE_IN), START_MOVE, moves).astype(np.uint16)

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag; for `SEEN`, in the order in which they were reached, if that is known."""
        if flag == SEEN and self.is_ordered:
            return np.arange(self.reached, dtype=np.uint32)
        return np.flatnonzero(self.flags_of(slice(self.count)) & flag)
