"""What a search of a stencil has reached: two bytes a state, and the cost where it is not the depth."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.view import CompiledProblem, Stencil
from searchkit.kernels.graphs import arrays_of
from searchkit.kernels.pool import cost_array, mark_array
from searchkit.kernels.records import PIECE, START_MOVE, UNBOUNDED, Records
from searchkit.kernels.stores import (
    GOAL,
    MARK_MOVE,
    MARK_STAMP,
    NO_MOVE,
    NOBODY,
    SEEN,
    Marks,
    Slim,
)
from searchkit.problem import SearchProblem

FLAGS_AT, FLAG_BITS, MOVE_FROM = 7, 0xF, 11
"""Where the flags of a mark begin, how many bits they are, and where the move begins."""


@kernel
def _depths(words: Any, offsets: Any, order: Any, first: Any, depths: Any) -> None:
    """Write the depth of each node of an order, from the place `first` on; those before are known."""
    for place in range(np.uint64(first), np.uint64(order.size)):
        node = np.uint64(order[place])
        depths[node] = depths[node - np.uint64(offsets[np.uint64(words[node]) >> MARK_MOVE])] + 1


@kernel
def _trace(words: Any, offsets: Any, node: Any, path: Any) -> Any:
    """Write the nodes on the way to a node, the last first, as far as moves are known and as many as there is room for.

    Return how many these are, and the node before them; −1 where its move is not known.
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
    """State → its arrival. Its parent is known from the move.

    Args:
        problem: the problem.
        view: its compiled view.
        stencil: the graph of the view.
        priced: whether costs are kept; without them the cost is the depth, known from the order of arrivals.

    """

    def __init__(
        self, problem: SearchProblem[Any, Any], view: CompiledProblem, stencil: Stencil, priced: bool
    ):
        self.problem, self.view, self.hashed = problem, view, False
        self.room = UNBOUNDED
        self.nodes, self.stamp = mark_array(stencil.size)
        stamp = np.uint64(self.stamp)
        self.store = Slim(self.nodes, stamp, cost_array(stencil.size)) if priced else Marks(self.nodes, stamp)
        self.nodes[np.array(view.goals, np.int64)] = GOAL << FLAGS_AT | self.stamp
        self.offsets = arrays_of(view.graph)[1]
        self.count = self.reached = 0
        self.order = None
        self._known: tuple[int, Any] | None = None
        """How many were reached when depths were worked out last, and these."""
        self._steps = 0
        """How many steps back have told the depths of single nodes. When it is many, all depths are worked out."""
        self._starts = 0
        """How many starts were entered, before all else."""

    def enter(self, state: Any) -> int:
        """Enter a start that is not there yet; return its node."""
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
        """Return the nodes of the path to a node, from a start on."""
        pieces = []
        while node >= 0:
            piece = np.empty(PIECE, np.uint32)
            count, node = _trace(self.nodes, self.offsets, node, piece)
            pieces.append(piece[:count])
        return np.concatenate(pieces)[::-1]

    def parents(self, nodes: Any) -> Any:
        """Return the node before each of an array of nodes, or `NOBODY`."""
        moves = self.nodes[nodes] >> MOVE_FROM
        parents = nodes - self.offsets[np.where(moves == NO_MOVE, 0, moves)]
        parents[moves == NO_MOVE] = NOBODY
        return parents

    def moves(self, nodes: Any) -> Any:
        """Return the move that each of an array of nodes was reached by, or `START_MOVE`."""
        moves = (self.nodes[nodes] >> MOVE_FROM).astype(np.int64)
        return np.where(moves == NO_MOVE, START_MOVE, moves)

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag; what is `SEEN` in the order in which it was reached, if that is known."""
        if flag == SEEN and self.order is not None:
            return self.order
        wanted = flag << FLAGS_AT | int(MARK_STAMP)
        marks: Any = self.nodes
        return np.flatnonzero(marks & wanted == (flag << FLAGS_AT | self.stamp))


class Waiting(Sequence[Any]):
    """The states that wait to be expanded, the next one first."""

    def __init__(self, records: Records, nodes: Any):
        self._records, self._nodes = records, nodes

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return list(self._records.states(self._nodes[index]))
        return self._records.state(int(self._nodes[index]))

    def __len__(self) -> int:
        return len(self._nodes)
