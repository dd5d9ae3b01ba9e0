"""The records of the states that a search has reached: arrays that grow, read as a mapping of states."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from searchkit.compiled.calls import call
from searchkit.compiled.functions import kernel
from searchkit.compiled.kit.arrays import plain_array, stamped_array
from searchkit.compiled.kit.graph import arrays_of, moves_of
from searchkit.compiled.kit.state import as_number
from searchkit.compiled.kit.store import (
    CLOSED,
    GOAL,
    MARK_MOVE,
    MARK_STAMP,
    NO_MOVE,
    NOBODY,
    NODE,
    SEEN,
    Dense,
    Marks,
    Slim,
    read_path,
)
from searchkit.compiled.view import CompiledProblem, Functions, Stencil
from searchkit.problem import SearchProblem
from searchkit.tree import Arrival, Trail

FIRST_ROOM = 1 << 12
UNBOUNDED = 1 << 62
SHORT, PIECE = 1 << 11, 1 << 15
"""The number of nodes that are read of a path at a time, first and then."""
FEW = 1 << 6
"""Fewer states than that are unpacked one by one."""
START_MOVE = 0xFFFF
"""The move of a start."""
MARK = np.dtype(np.uint16)
LAST_STAMP = {NODE: 255, MARK: 127}
"""Type of record → the largest stamp that fits into it."""
FLAGS_AT, FLAG_BITS, MOVE_FROM = 7, 0xF, 11
"""In a mark: the first bit and the number of bits of the flags, and the first bit of the move."""


class Records(Mapping[Any, Arrival[Any, Any]]):
    """A mapping of states to their best arrivals, as in the tree of an engine in Python."""

    hashed = False
    """Whether nodes are numbers that a table maps states to; else a node is the packed state."""
    is_ordered = False
    """Whether `having(SEEN)` returns the nodes in the order in which they were reached: in breadth-first search."""
    store: Any

    def __init__(self, problem: SearchProblem[Any, Any], view: CompiledProblem):
        self.problem, self.view = problem, view
        assert not isinstance(view.graph, Functions)
        self.room = UNBOUNDED
        self.nodes, self.stamp = stamped_array(NODE, view.graph.size, LAST_STAMP[NODE])
        self.store = Dense(self.nodes.view(np.uint64), np.uint64(self.stamp))
        self._mark_goals()
        self.count = 0
        """The number of nodes."""
        self.reached = 0
        self.order: Any = None
        """All nodes in the order in which they were reached, if that is known: after breadth-first search."""

    def _mark_goals(self) -> None:
        for goal in self.view.goals:
            self.nodes[goal] = 0, self.stamp, GOAL, 0, 0

    def renew(self, problem: SearchProblem[Any, Any], view: CompiledProblem) -> None:
        """Forget all nodes, for another search of the same graph, in time linear in its size."""
        self.problem, self.view = problem, view
        self.nodes.view(np.uint8).fill(0)
        self.count, self.reached, self.order = 0, 0, None
        self._mark_goals()

    def enter(self, state: Any) -> int:
        """Add a start that has no record yet; return its node."""
        node: int = self.view.pack(state)
        goal = self.flags(node) & GOAL
        self.nodes[node] = 0, self.stamp, SEEN | goal, START_MOVE, NOBODY
        self.count += 1
        self.reached += 1
        return node

    def grow(self, least: int, available: float | None = None) -> Iterator[None]:
        """Return at once: there is room for all states."""
        return iter(())

    def node(self, state: Any) -> int:
        """Return the node of a state that was reached. Raises `KeyError` if it was not."""
        node: int = self.view.pack(state)
        # something that is not a state may be packed into the same number as a state
        inside = 0 <= node < len(self.nodes) and self.view.unpack(node) == state
        if not inside or not self.flags(node) & SEEN:
            raise KeyError(state)
        return node

    def flags(self, node: int) -> int:
        """Return the flags of a node."""
        record = self.nodes[node]
        return int(record["flags"]) if record["stamp"] == self.stamp else 0

    def flags_of(self, nodes: Any) -> Any:
        """Return the flags of each of an array of nodes, as uint8; 0 for those that this search has not touched."""
        records = self.nodes[nodes]
        return np.where(records["stamp"] == self.stamp, records["flags"], 0).astype(np.uint8)

    def state(self, node: int) -> Any:
        """Return the state of a node."""
        return self.view.unpack(node)

    def states(self, nodes: Any) -> Iterator[Any]:
        """Yield the states of an array of nodes."""
        packed = self.packed(nodes)
        return map(self.view.unpack, packed.tolist() if self.view.words == 1 else map(as_number, packed))

    def starts(self) -> Iterator[Any]:
        """Yield the states that are starts."""
        nodes = self.having(SEEN)
        return self.states(nodes[self.parents(nodes) == NOBODY])

    def packed(self, nodes: Any) -> Any:
        """Return the packed states of an array of nodes."""
        return nodes.astype(np.uint64)

    def cost(self, number: float) -> Any:
        """Return a cost as the problem gives it: a whole number as an integer."""
        return int(number) if self.view.whole and number == number // 1 else float(number)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        return self.nodes["g"][nodes]

    def parents(self, nodes: Any) -> Any:
        """Return the parent of each of an array of nodes; `NOBODY` for a start."""
        return self.nodes["parent"][nodes]

    def moves(self, nodes: Any) -> Any:
        """Return the move by which each of an array of nodes was reached; `START_MOVE` for a start."""
        return self.nodes["move"][nodes]

    def moves_after_starts(self, nodes: Any) -> Any:
        """Return the same for nodes that are not starts."""
        return self.moves(nodes)

    def action(self, parent: Any, move: int) -> tuple[Any, Any]:
        """Return the (action, successor) of a move from a state."""
        graph = self.view.graph
        if isinstance(graph, Stencil):  # the moves of others are numbered as their successors are
            move = (int(graph.masks[self.view.pack(parent)]) & (1 << move) - 1).bit_count()
        return list(self.problem.successors(parent))[move]

    def path_to(self, state: Any) -> Trail:
        """Return the path on which a state was reached. Raises `KeyError` if it was not."""
        nodes, graph = self.path(self.node(state)), self.view.graph
        unpack_all: Any = self.view.unpack_all
        by_one = unpack_all is None or len(nodes) < FEW
        states = tuple(self.states(nodes) if by_one else unpack_all(self.packed(nodes)))
        moves = self.moves_after_starts(nodes[1:])
        if isinstance(graph, Stencil) and graph.actions is not None:
            names, lengths, fractional = moves_of(graph)
            costs = lengths[moves]
            if graph.weights is not None:
                costs *= np.frombuffer(graph.weights, np.uint8)[nodes[1:]]
            total = float(costs.cumsum()[-1]) if len(costs) else 0
            cost = total if fractional is not None and fractional[moves].any() else int(total)
            return Trail(states, tuple(names[moves].tolist()), costs, nodes, cost)
        moves = moves.tolist()
        actions = [self.action(before, move)[0] for before, move in zip(states, moves, strict=False)]
        return Trail(states, tuple(actions), None, nodes)

    def path(self, node: int) -> Any:
        """Return the nodes of the path from a start to a node."""
        pieces, size = [], SHORT
        while node != NOBODY:
            piece = np.empty(size, np.uint32)
            count, node = call(read_path, type(self.store), self.store, node, piece)
            pieces.append(piece[:count])
            size = PIECE
        return np.concatenate(pieces)[::-1] if len(pieces) > 1 else pieces[0][::-1]

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
        """Return the nodes that have a flag; for `SEEN`, in the order in which they were reached, if that is known."""
        if flag == SEEN and self.order is not None:
            return self.order
        nodes: Any = self.nodes
        return np.flatnonzero((nodes["flags"] & flag != 0) & (nodes["stamp"] == self.stamp))


@kernel
def _depths(words: Any, offsets: Any, order: Any, first: Any, depths: Any) -> None:
    """Write the depths of the nodes in `order` from the place `first` on; the depths before it are known."""
    for place in range(np.uint64(first), np.uint64(order.size)):
        node = np.uint64(order[place])
        depths[node] = depths[node - np.uint64(offsets[np.uint64(words[node]) >> MARK_MOVE])] + 1


@kernel
def _trace(words: Any, offsets: Any, node: Any, path: Any) -> Any:
    """Write the nodes of the path to a node into `path`, the last node first, until it is full or a start is reached.

    Return how many were written, and the parent of the last one written; −1 if it is a start.
    """
    count, node = np.int64(0), np.uint64(node)
    while count < path.size:
        path[count] = node
        count += 1
        move = np.uint64(words[node]) >> MARK_MOVE
        if move == np.uint64(NO_MOVE):
            return count, np.int64(-1)
        node -= np.uint64(offsets[move])
    return count, np.int64(node)


class MarkedRecords(Records):
    """Records of a stencil: the parent of a state follows from the move.

    Args:
        problem: the problem.
        view: its compiled view.
        stencil: the graph of the view.
        priced: whether costs are kept; without them the cost is the depth, known from the order of arrivals.

    """

    def __init__(
        self, problem: SearchProblem[Any, Any], view: CompiledProblem, stencil: Stencil, priced: bool
    ):
        self.problem, self.view = problem, view
        self.room = UNBOUNDED
        self.nodes, self.stamp = stamped_array(MARK, stencil.size, LAST_STAMP[MARK])
        stamp = np.uint64(self.stamp)
        self.store = (
            Slim(self.nodes, stamp, plain_array(np.float64, stencil.size))
            if priced
            else Marks(self.nodes, stamp)
        )
        self._mark_goals()
        self.offsets = arrays_of(view.graph)[1]
        self.count = self.reached = 0
        self.order = None
        self._forget_depths()

    def _mark_goals(self) -> None:
        goals = self.view.goals
        places = goals[0] if len(goals) == 1 else np.array(goals, np.int64)
        self.nodes[places] = GOAL << FLAGS_AT | self.stamp

    def renew(self, problem: SearchProblem[Any, Any], view: CompiledProblem) -> None:
        """Forget all nodes, for another search of the same graph, in time linear in its size."""
        super().renew(problem, view)
        self._forget_depths()

    def _forget_depths(self) -> None:
        self._known: tuple[int, Any] | None = None
        """The number of reached nodes when all depths were last computed, and the depths."""
        self._steps = 0
        """The steps of all paths that were followed to find single depths. If it is large, all depths are computed."""
        self._starts = 0
        """The number of starts, which come first in the order."""

    def enter(self, state: Any) -> int:
        """Add a start that has no record yet; return its node."""
        node = self.view.pack(state)
        goal = self.flags(node) & GOAL
        self.nodes[node] = NO_MOVE << MOVE_FROM | (SEEN | goal) << FLAGS_AT | self.stamp
        if isinstance(self.store, Slim):
            self.store.costs[node] = 0
        self._starts += 1
        self.count += 1
        self.reached += 1
        return node

    def flags(self, node: int) -> int:
        """Return the flags of a node."""
        mark = int(self.nodes[node])
        return mark >> FLAGS_AT & FLAG_BITS if mark & int(MARK_STAMP) == self.stamp else 0

    def flags_of(self, nodes: Any) -> Any:
        """Return the flags of each of an array of nodes, as uint8; 0 for those that this search has not touched."""
        marks = self.nodes[nodes]
        own = marks & int(MARK_STAMP) == self.stamp
        return np.where(own, marks >> FLAGS_AT & FLAG_BITS, 0).astype(np.uint8)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        if isinstance(self.store, Slim):
            return self.store.costs[nodes]
        known = self._known is not None and self._known[0] == len(self.order)
        if len(nodes) == 1 and not known and self._steps < len(self.order):
            return np.array([self._depth(int(nodes[0]))], np.float64)
        if not known:
            depths = np.empty(len(self.nodes), np.int32)
            depths[self.order[: self._starts]] = 0
            for first in range(self._starts, len(self.order), PIECE):
                _depths(self.nodes, self.offsets, self.order[: first + PIECE], first, depths)
            self._known = len(self.order), depths
        assert self._known is not None
        return self._known[1][nodes].astype(np.float64)

    def _depth(self, node: int) -> float:
        back = self.path(node)
        self._steps += len(back)
        return len(back) - 1

    def path(self, node: int) -> Any:
        """Return the nodes of the path from a start to a node."""
        pieces, size = [], SHORT
        while node >= 0:
            piece = np.empty(size, np.uint32)
            count, node = call(_trace, None, self.nodes, self.offsets, node, piece)
            pieces.append(piece[:count])
            size = PIECE
        return np.concatenate(pieces)[::-1] if len(pieces) > 1 else pieces[0][::-1]

    def parents(self, nodes: Any) -> Any:
        """Return the parent of each of an array of nodes; `NOBODY` for a start."""
        moves = self.nodes[nodes] >> MOVE_FROM
        parents = nodes - self.offsets[np.where(moves == NO_MOVE, 0, moves)]
        parents[moves == NO_MOVE] = NOBODY
        return parents

    def moves(self, nodes: Any) -> Any:
        """Return the move by which each of an array of nodes was reached; `START_MOVE` for a start."""
        moves = self.moves_after_starts(nodes).astype(np.int64)
        return np.where(moves == NO_MOVE, START_MOVE, moves)

    def moves_after_starts(self, nodes: Any) -> Any:
        """Return the same for nodes that are not starts."""
        return self.nodes[nodes] >> MOVE_FROM

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag; for `SEEN`, in the order in which they were reached, if that is known."""
        if flag == SEEN and self.order is not None:
            return self.order
        wanted = flag << FLAGS_AT | int(MARK_STAMP)
        marks: Any = self.nodes
        return np.flatnonzero(marks & wanted == (flag << FLAGS_AT | self.stamp))


class Closed(Mapping[Any, bool]):
    """The closed states, read from the records."""

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
