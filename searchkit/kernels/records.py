"""The arrays of a search: made for a problem, grown when they are full, read as a mapping of states."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from searchkit.compiled.view import CompiledProblem, Functions, Stencil
from searchkit.kernels.pool import node_array
from searchkit.kernels.slicing import copied
from searchkit.kernels.stores import (
    CLOSED,
    EMPTY,
    GOAL,
    LOAD,
    NOBODY,
    SEEN,
    Dense,
    find,
    hashed_store,
    keyed_node,
    read_path,
    rehash,
)
from searchkit.kernels.words import as_number, as_words
from searchkit.problem import SearchProblem
from searchkit.tree import Arrival, Trail

FIRST_ROOM = 1 << 12
UNBOUNDED = 1 << 62
PIECE = 1 << 15
"""Nodes that are entered into a larger table, or read of a path, at a time."""
START_MOVE = 0xFFFF
"""The move of a start."""


class Records(Mapping[Any, Arrival[Any, Any]]):
    """State → its best arrival, as in the tree of an engine in Python."""

    def __init__(self, problem: SearchProblem[Any, Any], view: CompiledProblem):
        self.problem, self.view = problem, view
        self.hashed = isinstance(view.graph, Functions)
        self.store: Any
        if isinstance(view.graph, Functions):
            self.room = FIRST_ROOM
            self.nodes = np.empty(self.room, keyed_node(view.words))
            self.stamp = 0
            slots = np.full(_slots(self.room), EMPTY, np.uint32)
            self.store = hashed_store(self.nodes, slots)
        else:
            self.room = UNBOUNDED
            self.nodes, self.stamp = node_array(view.graph.size)
            self.store = Dense(self.nodes.view(np.uint64), np.uint64(self.stamp))
            for goal in view.goals:
                self.nodes[goal] = 0, self.stamp, GOAL, 0, 0
        self.count = 0
        """Nodes that are numbered."""
        self.reached = 0
        self.order: Any = None
        """All nodes in the order in which they were reached, where that is known: by breadth-first search."""

    def enter(self, state: Any) -> int:
        """Enter a start that is not there yet; return its node."""
        packed = self.view.pack(state)
        if self.hashed:
            node = self.count
            if node == self.room:
                for _ in self.grow():
                    pass
            self.nodes[node] = 0, 0, SEEN, START_MOVE, NOBODY, as_words(packed, self.view.words)
            rehash(self.store, node, node + 1)
        else:
            node = packed
            goal = self.flags(node) & GOAL
            self.nodes[node] = 0, self.stamp, SEEN | goal, START_MOVE, NOBODY
        self.count += 1
        self.reached += 1
        return node

    @property
    def growth(self) -> int:
        """How many bytes it takes to make room for twice as many nodes, before what was there is free."""
        return (
            self.count * int(self.nodes.dtype.itemsize) + _slots(2 * self.room) * np.dtype(np.uint32).itemsize
        )

    def grow(self) -> Iterator[None]:
        """Make room for twice as many nodes, in pieces. Raises `MemoryError`; nothing is lost then."""
        room = self.room * 2
        nodes, slots = np.empty(room, self.nodes.dtype), np.empty(_slots(room), np.uint32)
        yield from copied(nodes[: self.count], self.nodes[: self.count])
        yield from copied(slots, EMPTY)
        store = hashed_store(nodes, slots)
        for first in range(0, self.count, PIECE):
            yield
            rehash(store, first, min(self.count, first + PIECE))
        self.nodes, self.room, self.store = nodes, room, store

    def node(self, state: Any) -> int:
        """Return the node of a state that was reached. Raises `KeyError` if it was not."""
        packed = self.view.pack(state)
        if self.hashed:
            node = int(find(self.store, as_words(packed, self.view.words)))
        else:  # what is no state may be packed into the number of one
            inside = 0 <= packed < len(self.nodes) and self.view.unpack(packed) == state
            node = packed if inside else -1
        if node < 0 or not self.flags(node) & SEEN:
            raise KeyError(state)
        return node

    def flags(self, node: int) -> int:
        """Return the flags of a node."""
        record = self.nodes[node]
        return int(record["flags"]) if record["stamp"] == self.stamp else 0

    def state(self, node: int) -> Any:
        """Return the state of a node."""
        return self.view.unpack(as_number(self.nodes[node]["state"]) if self.hashed else node)

    def states(self, nodes: Any) -> Iterator[Any]:
        """Yield the states of an array of nodes."""
        packed = self.packed(nodes)
        return map(self.view.unpack, packed.tolist() if self.view.words == 1 else map(as_number, packed))

    def packed(self, nodes: Any) -> Any:
        """Return the packed states of an array of nodes."""
        return self.nodes["state"][nodes] if self.hashed else nodes.astype(np.uint64)

    def cost(self, number: float) -> Any:
        """Return a cost as the problem would have it: a whole number as an integer."""
        return int(number) if self.view.whole and number == number // 1 else float(number)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        return self.nodes["g"][nodes]

    def parents(self, nodes: Any) -> Any:
        """Return the node before each of an array of nodes, or `NOBODY`."""
        return self.nodes["parent"][nodes]

    def moves(self, nodes: Any) -> Any:
        """Return the move that each of an array of nodes was reached by, or `START_MOVE`."""
        return self.nodes["move"][nodes]

    def action(self, parent: Any, move: int) -> tuple[Any, Any]:
        """Return the (action, successor) that is number `move` of a state's."""
        graph = self.view.graph
        if isinstance(graph, Stencil):  # the moves of others are numbered as their successors are
            move = (int(graph.masks[self.view.pack(parent)]) & (1 << move) - 1).bit_count()
        return list(self.problem.successors(parent))[move]

    def path_to(self, state: Any) -> Trail:
        """Return the path on which a state was reached. Raises `KeyError` if it was not."""
        nodes, graph = self.path(self.node(state)), self.view.graph
        states = tuple(self.states(nodes))
        moves = self.moves(nodes[1:]).tolist()
        if isinstance(graph, Stencil) and graph.actions is not None:
            costs = [graph.lengths[move] for move in moves]
            if graph.weights is not None:
                costs = [
                    graph.weights[node] * length
                    for node, length in zip(nodes[1:].tolist(), costs, strict=True)
                ]
            return Trail(states, tuple([graph.actions[move] for move in moves]), costs, nodes)
        actions = [self.action(before, move)[0] for before, move in zip(states, moves, strict=False)]
        return Trail(states, tuple(actions), None, nodes)

    def path(self, node: int) -> Any:
        """Return the nodes of the path to a node, from a start on."""
        words, width = self.store.words, self.nodes.dtype.itemsize // 8
        pieces = []
        while node != NOBODY:
            piece = np.empty(PIECE, np.uint32)
            count, node = read_path(words, width, node, piece)
            pieces.append(piece[:count])
        return np.concatenate(pieces)[::-1]

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
        return self.states(self.having(SEEN))

    def __len__(self) -> int:
        return self.reached

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag; what is `SEEN` in the order in which it was reached, if that is known."""
        if flag == SEEN and self.order is not None:
            return self.order
        nodes = self.nodes[: self.count] if self.hashed else self.nodes
        marked = (nodes["flags"] & flag) != 0
        return np.flatnonzero(marked if self.hashed else marked & (nodes["stamp"] == self.stamp))


class Closed(Mapping[Any, bool]):
    """The closed set: what is in it is looked up in the records."""

    def __init__(self, records: Records):
        self.records = records

    def __getitem__(self, state: Any) -> bool:
        if not self.records.flags(self.records.node(state)) & CLOSED:
            raise KeyError(state)
        return True

    def __iter__(self) -> Iterator[Any]:
        return self.records.states(self.records.having(CLOSED))

    def __len__(self) -> int:
        return len(self.records.having(CLOSED))


def _slots(room: int) -> int:
    """Return how many slots so many nodes need: a power of two that they fill to three quarters at most."""
    return 1 << int(np.ceil(np.log2(room / LOAD)))
