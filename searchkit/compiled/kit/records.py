"""The records of the states that a search has reached, read as a mapping of states."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.kit.arrays import NOT_ALLOWED, ample, grown
from searchkit.compiled.kit.graph import SearchSpace, StencilArrays, as_number, as_words
from searchkit.compiled.kit.store import (
    CLOSED,
    EMPTY,
    GOAL,
    LOAD,
    LOW,
    MOST_SLOTS,
    MOVE_AT,
    NOBODY,
    PARENT_AT,
    SEEN,
    Direct,
    Hashed,
    Wide,
    enter_start,
    find,
    read_path,
    rehash,
)
from searchkit.compiled.view import Stencil
from searchkit.problem import SearchProblem
from searchkit.tree import Arrival, Trail

FIRST_ROOM = 1 << 12
UNBOUNDED = 1 << 62
MANY, GROWTH, FAST_GROWTH = 1 << 19, 1.45, 4
"""Records of so many nodes grow by the factor `GROWTH`, so that a state of one word never takes 24 bytes: 16 of its
record, and at most 4 × 1.45 / 0.75 of the table. Smaller ones grow by the other factor, which is faster."""
SLOTS_PIECE, NODES_PIECE = 1 << 20, 1 << 15
"""The number of slots that are cleared, and of nodes that are entered into a table, at a time."""
SHORT = 1 << 11
"""The first guess of the length of a path."""
MOST_MOVE_BITS = 17
START_MOVE = -1
"""The move of a start."""


class Records(Mapping[Any, Arrival[Any, Any]]):
    """A mapping of states to their best arrivals, as in the tree of an engine in Python: in a graph that is data.

    Args:
        problem: the problem.
        space: its compiled view, as kernels take it.

    """

    hashed = False
    """Whether nodes are numbers that a table maps states to; else a node is the packed state."""
    order: Any = None
    """Nodes in the order in which they were reached or, by Dijkstra's algorithm, settled, if that is known."""
    count = reached = 0
    """The number of nodes, and of those that were reached."""
    room = UNBOUNDED
    """The number of nodes for which there is room."""
    words: Any
    """The word of each node: see `searchkit.compiled.kit.store`."""

    def __init__(self, problem: SearchProblem[Any, Any], space: SearchSpace):
        self.problem, self.space, self.view = problem, space, space.view
        graph: Any = space.view.graph
        self.size, is_stencil = graph.size, isinstance(space.graph, StencilArrays)
        self.words = words = np.zeros(self.size, np.uint16 if is_stencil else np.uint64)
        offsets = space.graph.offsets if is_stencil else np.empty(0, np.int64)
        move_end = np.uint64(16 if is_stencil else 32)
        self.store: Any = Direct(words, np.empty(self.size, np.float64), move_end, offsets)
        if len(space.view.goals):
            words[np.array(space.view.goals, np.int64)] = GOAL

    def enter(self, state: Any) -> int:
        """Add a start that has no record yet; return its node."""
        if self.count == self.room:
            for _ in self.grow(self.count + 1):
                pass
        node = int(enter_start(self.store, as_words(self.view.pack(state), self.view.words), self.count))
        self.count += 1
        self.reached += 1
        return node

    def grow(self, least: int, available: float = inf) -> Iterator[None]:
        """Return at once: there is room for all states."""
        return iter(())

    def node(self, state: Any) -> int:
        """Return the node of a state that was reached. Raises `KeyError` if it was not."""
        node: int = self.view.pack(state)
        # something that is not a state may be packed into the same number as a state
        inside = 0 <= node < self.size and self.view.unpack(node) == state
        if not inside or not self.flags_of(node) & SEEN:
            raise KeyError(state)
        return node

    def flags_of(self, nodes: Any) -> Any:
        """Return the flags of a node, or of each of an array of nodes; 0 for those that this search has not met."""
        return self.words[nodes].astype(np.uint8) & np.uint8(SEEN | CLOSED | GOAL | 8)

    def state(self, node: int) -> Any:
        """Return the state of a node."""
        return self.view.unpack(node)

    def states(self, nodes: Any) -> Iterable[Any]:
        """Return the states of an array of nodes."""
        packed, unpack_all = self.packed(nodes), self.view.unpack_all
        if unpack_all is not None:
            return unpack_all(packed)
        return map(self.view.unpack, packed.tolist() if self.space.words == 1 else map(as_number, packed))

    def packed(self, nodes: Any) -> Any:
        """Return the packed states of an array of nodes."""
        return nodes.astype(np.uint64)

    def cost(self, number: float) -> Any:
        """Return a cost as the problem gives it: a whole number as an integer."""
        return int(number) if self.view.whole and number == number // 1 else float(number)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        return self.store.costs[nodes]

    def parents(self, nodes: Any) -> Any:
        """Return the parent of each of an array of nodes; `NOBODY` for a start."""
        if isinstance(self.store, Direct) and len(self.store.offsets):
            moves = self.moves(nodes)
            return np.where(moves == START_MOVE, NOBODY, nodes - self.store.offsets[moves])
        return (self.words[nodes] >> PARENT_AT).astype(np.uint32)

    def moves(self, nodes: Any) -> Any:
        """Return the move by which each of an array of nodes was reached; `START_MOVE` for a start."""
        start = (1 << int(self.store.cost_at) - int(MOVE_AT)) - 1
        moves = (self.words[nodes] >> int(MOVE_AT) & start).astype(np.int64)
        moves[moves == start] = START_MOVE
        return moves

    def action(self, parent: Any, move: int) -> tuple[Any, Any]:
        """Return the (action, successor) of a move from a state."""
        arrays = self.space.graph
        if isinstance(arrays, StencilArrays):  # the moves of others are numbered as their successors are
            move = (int(arrays.masks[self.view.pack(parent)]) & (1 << move) - 1).bit_count()
        return list(self.problem.successors(parent))[move]

    def path_to(self, state: Any) -> Trail:
        """Return the path on which a state was reached. Raises `KeyError` if it was not."""
        nodes, moves = self.path(self.node(state))
        states, moves, graph = tuple(self.states(nodes)), moves.tolist(), self.view.graph
        if not isinstance(graph, Stencil) or graph.actions is None:
            actions = [self.action(before, move)[0] for before, move in zip(states, moves, strict=False)]
            return Trail(states, tuple(actions))
        costs = [graph.lengths[move] for move in moves]
        if graph.weights is not None:
            costs = [cost * graph.weights[node] for cost, node in zip(costs, nodes[1:].tolist(), strict=True)]
        return Trail(states, tuple([graph.actions[move] for move in moves]), costs)

    def path(self, node: int) -> tuple[Any, Any]:
        """Return the nodes of the path from a start to a node, and the moves between them."""
        size = SHORT
        while True:
            nodes, moves = np.empty((2, size), np.uint32)
            count = int(read_path(self.store, node, nodes, moves))
            if count <= size:
                return nodes[:count][::-1], moves[: count - 1][::-1]
            size *= 8

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        try:
            node = self.node(state)
        except (TypeError, ValueError, IndexError, OverflowError):  # not a state that can be packed
            raise KeyError(state) from None
        at = np.array([node])
        parent, g = int(self.parents(at)[0]), self.cost(float(self.costs(at)[0]))
        if parent == NOBODY:
            return g, None, None
        before = self.state(parent)
        return g, before, self.action(before, int(self.moves(at)[0]))[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.states(self.having(SEEN)))

    def __len__(self) -> int:
        return self.reached

    def costs_so_far(self) -> dict[Any, Any]:
        """Return state → cost so far, of all states that were reached: much sooner than by asking for each."""
        nodes = self.having(SEEN)
        return dict(zip(self.states(nodes), map(self.cost, self.costs(nodes).tolist()), strict=True))

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag; for `SEEN`, in the order in which they were reached, if that is known."""
        if flag == SEEN and self.order is not None and len(self.order) == self.reached:
            return self.order
        return np.flatnonzero(self.words & np.uint64(flag))


class HashedRecords(Records):
    """The records of a graph that is given by functions: nodes in the order in which they are found."""

    hashed = True

    def __init__(self, problem: SearchProblem[Any, Any], space: SearchSpace):
        self.problem, self.space, self.view = problem, space, space.view
        self.room, self.width = FIRST_ROOM, 1 + space.words
        self._cost_at = MOVE_AT + np.uint64(min(MOST_MOVE_BITS, space.branching.bit_length()))
        self._records, self._costs = np.empty((self.room, self.width), np.uint64), np.empty(self.room)
        slots = np.full(int(self.room / LOAD) + 1, EMPTY)
        self.store, self.words = self._store(slots), self._records[:, 0]

    def _store(self, slots: Any) -> Any:
        """Return the store of the present arrays and a table."""
        tags = LOW & ~np.uint64((1 << len(slots).bit_length()) - 1)
        arrays = self._records.reshape(-1), self._costs, self._cost_at, slots, tags, np.uint64(self.width)
        return (Hashed if self.width == 2 else Wide)(*arrays)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        kept = (self.words[nodes] & LOW) >> self._cost_at
        return np.where(kept == LOW >> self._cost_at, self._costs[nodes], kept.astype(np.float64))

    def grow(self, least: int, available: float = inf) -> Iterator[None]:
        """Make room for `least` nodes, and for more. The table is filled in pieces.

        `available` is how many bytes may still be allocated. Raises `MemoryError`; nothing is lost then.
        """
        room = max(least, int(self.room * (FAST_GROWTH if self.room < MANY else GROWTH)))
        room = min(room, int(MOST_SLOTS * LOAD) - 1)
        size = int(room / LOAD) + 1
        if room < least:
            raise MemoryError
        if available < EMPTY.itemsize * size:
            raise MemoryError(NOT_ALLOWED)
        if room > len(self._records):
            length = ample(room, 8 * (self.width + 1))
            self._records = grown(self._records, self.count, length)
            self._costs = grown(self._costs, self.count, length)
            self.store, self.words = self._store(self.store.slots), self._records[:, 0]
        slots = np.empty(size, np.uint32)
        store = self._store(slots)
        for first in range(0, size, SLOTS_PIECE):
            slots[first : first + SLOTS_PIECE] = EMPTY
            yield
        for first in range(0, self.count, NODES_PIECE):
            rehash(store, first, min(self.count, first + NODES_PIECE))
            yield
        self.store, self.room = store, room

    def node(self, state: Any) -> int:
        """Return the node of a state that was reached. Raises `KeyError` if it was not."""
        packed = as_words(self.view.pack(state), self.space.words)
        node = int(find(self.store, packed))
        if node == NOBODY or not self.words[node] & np.uint64(SEEN):
            raise KeyError(state)
        return node

    def state(self, node: int) -> Any:
        """Return the state of a node."""
        return self.view.unpack(int.from_bytes(self._records[node, 1:].astype("<u8").tobytes(), "little"))

    def packed(self, nodes: Any) -> Any:
        """Return the packed states of an array of nodes."""
        return self._records[nodes, 1 if self.width == 2 else slice(1, None)]

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag."""
        return np.flatnonzero(self.words[: self.count] & np.uint64(flag))


class States(Collection[Any]):
    """States that are looked up in records when they are asked for.

    Args:
        records: the records.
        nodes: returns the array of their nodes.

    """

    def __init__(self, records: Records, nodes: Callable[[], Any]):
        self._records, self._nodes = records, nodes

    def __contains__(self, state: object) -> bool:
        return state in self._records and self._records.node(state) in self._nodes()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._records.states(self._nodes()))

    def __len__(self) -> int:
        return len(self._nodes())
