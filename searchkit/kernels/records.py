"""The arrays of a search: made for a problem, grown when they are full, read as a mapping of states."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from searchkit.compiled import CompiledProblem, Functions
from searchkit.kernels.pool import node_array
from searchkit.kernels.stores import CLOSED, EMPTY, GOAL, LOAD, NODE, SEEN, Dense, Hashed, find, rehash
from searchkit.problem import SearchProblem
from searchkit.tree import Arrival

FIRST_ROOM = 1 << 12
UNBOUNDED = 1 << 62
ADOPTED = 0xFFFF
"""The move of a node that was reached before the kernel took over: its action is that of the arrival then."""
NOBODY = 0xFFFFFFFF
"""The parent of a start."""


class Records(Mapping[Any, Arrival[Any, Any]]):
    """State → its best arrival, as in the tree of an engine in Python."""

    def __init__(self, problem: SearchProblem[Any, Any], view: CompiledProblem):
        self.problem, self.view = problem, view
        self.hashed = isinstance(view.graph, Functions)
        self.store: Any
        if isinstance(view.graph, Functions):
            self.room = FIRST_ROOM
            slots = np.full(_slots(self.room), EMPTY, np.uint32)
            self.store = Hashed(np.empty(self.room, NODE), np.empty(self.room, np.uint64), slots)
        else:
            self.room = UNBOUNDED
            nodes, stamp = node_array(self, view.graph.size)
            self.store = Dense(nodes, np.uint8(stamp))
            for goal in view.goals:
                nodes[goal]["stamp"], nodes[goal]["flags"] = stamp, GOAL
        self.count = 0
        """Nodes that are numbered."""
        self.reached = 0
        self.before: Mapping[Any, Arrival[Any, Any]] = {}
        """The arrivals that were adopted."""

    def enter(self, state: Any, g: float, parent: int = NOBODY, move: int = ADOPTED) -> int:
        """Enter a state that is not there yet; return its node."""
        packed = self.view.pack(state)
        node = packed
        if self.hashed:
            node = self.count
            if node == self.room:
                self.grow()
            self.store.keys[node] = packed
            rehash(self.store.keys[node : node + 1], 1, self.store.slots, node)
        goal = GOAL if not self.hashed and self._flags(node) & GOAL else 0
        stamp = 0 if self.hashed else self.store.stamp
        self.store.nodes[node] = g, parent, move, SEEN | goal, stamp
        self.count += 1
        self.reached += 1
        return node

    def grow(self) -> None:
        """Make room for twice as many nodes. Raises `MemoryError` where there is none; nothing is lost then."""
        old, room = self.store, self.room * 2
        arrays = [np.empty(room, array.dtype) for array in old[:-1]]
        slots = np.full(_slots(room), EMPTY, np.uint32)
        for array, grown in zip(old, arrays, strict=False):
            grown[: self.room] = array
        rehash(arrays[-1], self.room, slots, 0)
        self.store, self.room = old._replace(**dict(zip(old._fields, [*arrays, slots], strict=True))), room

    def node(self, state: Any) -> int:
        """Return the node of a state that was reached. Raises `KeyError` if it was not."""
        packed = self.view.pack(state)
        if self.hashed:
            node = int(find(self.store.keys, self.store.slots, np.uint64(packed)))
        else:  # what is no state may be packed into the number of one
            inside = 0 <= packed < len(self.store.nodes) and self.view.unpack(packed) == state
            node = packed if inside else -1
        if node < 0 or not self._flags(node) & SEEN:
            raise KeyError(state)
        return node

    def _flags(self, node: int) -> int:
        record = self.store.nodes[node]
        return int(record["flags"]) if self.hashed or record["stamp"] == self.store.stamp else 0

    def state(self, node: int) -> Any:
        """Return the state of a node."""
        return self.view.unpack(int(self.store.keys[node]) if self.hashed else node)

    def cost(self, number: float) -> Any:
        """Return a cost as the problem would have it: a whole number as an integer."""
        return int(number) if self.view.whole and number == number // 1 else float(number)

    def action(self, parent: Any, move: int) -> tuple[Any, Any]:
        """Return the (action, successor) that is number `move` of a state's."""
        return list(self.problem.successors(parent))[move]

    def path_to(self, state: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the states and the actions of the path on which a state was reached, as `SearchTree.path_to`.

        Several times as fast as looking each arrival up: paths through mazes have thousands of states.
        """
        parents, moves = self.store.nodes["parent"], self.store.nodes["move"]
        nodes = [self.node(state)]
        while (parent := int(parents[nodes[-1]])) != NOBODY:
            nodes.append(parent)
        nodes.reverse()
        states = [self.state(node) for node in nodes]
        actions = [
            self.before[after][2] if move == ADOPTED else self.action(before, move)[0]
            for before, after, move in zip(states, states[1:], map(int, moves[nodes[1:]]), strict=False)
        ]
        return tuple(states), tuple(actions)

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        try:
            node = self.node(state)
        except (TypeError, ValueError, IndexError, OverflowError):  # not a state that can be packed
            raise KeyError(state) from None
        number, parent, move, _, _ = self.store.nodes[node].item()
        g = self.cost(number)
        if parent == NOBODY:
            return g, None, None
        before = self.state(parent)
        return g, before, self.before[state][2] if move == ADOPTED else self.action(before, move)[0]

    def __iter__(self) -> Iterator[Any]:
        return (self.state(int(node)) for node in self.nodes(SEEN))

    def __len__(self) -> int:
        return self.reached

    def nodes(self, flag: Any) -> Any:
        """Return the nodes that have a flag."""
        nodes = self.store.nodes[: self.count] if self.hashed else self.store.nodes
        marked = (nodes["flags"] & flag) != 0
        return np.flatnonzero(marked if self.hashed else marked & (nodes["stamp"] == self.store.stamp))

    def mark(self, node: int, flag: int) -> None:
        """Set a flag of a node."""
        self.store.nodes[node]["flags"] |= flag

    def closed(self) -> "Closed":
        """Return the states that are expanded and not reopened, as a set."""
        return Closed(self)


class Closed(Mapping[Any, bool]):
    """The closed set: what is in it is looked up in the records."""

    def __init__(self, records: Records):
        self.records = records

    def __getitem__(self, state: Any) -> bool:
        node = self.records.node(state)
        if not self.records.store.nodes[node]["flags"] & CLOSED:
            raise KeyError(state)
        return True

    def __iter__(self) -> Iterator[Any]:
        return (self.records.state(int(node)) for node in self.records.nodes(CLOSED))

    def __len__(self) -> int:
        return len(self.records.nodes(CLOSED))


def _slots(room: int) -> int:
    """Return how many slots so many nodes need: a power of two that they fill to three quarters at most."""
    return 1 << int(np.ceil(np.log2(room / LOAD)))
