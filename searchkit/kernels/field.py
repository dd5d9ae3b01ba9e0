"""Distances over a dense grid whose open cells are all connected to their open neighbours: a distance field.

Walls stand in the array of distances, so that the search needs to look at nothing else. Parents are not kept:
the parent of a state is the one of its neighbours, one step nearer, that was expanded first.
"""

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.inlining import bits_set
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import SearchSpace, arrays_of
from searchkit.compiled.kit.records import START_MOVE, UNBOUNDED
from searchkit.compiled.kit.store import NOBODY, SEEN
from searchkit.compiled.view import CompiledProblem, Stencil
from searchkit.kernels.bfs import BreadthFirst
from searchkit.kernels.settled import DistanceRecords
from searchkit.problem import SearchProblem
from searchkit.tree import SearchTree

WALL, UNREACHED = -1, -2
"""In the array of distances: a state to which no action leads, and one that was not reached. Both are −1 in the end."""


MOVES = 4
"""How many moves there are; a grid with others is searched by `bfs` as it is."""
RAGGED = 0.3
"""If a larger share of the open states are beside walls, it does not pay to predict whether a neighbour is new."""


class Ground(NamedTuple):
    """What a stencil is to a field."""

    cells: Any
    """int8: `WALL` or `UNREACHED` for each state."""
    open: int
    """How many states are not walls."""
    ragged: bool
    """Whether many open states are beside walls."""
    pad: int
    """How many walls are put before the first state and behind the last: no move leads farther."""


_grounds: WeakKeyDictionary[Stencil, Ground | None] = WeakKeyDictionary()


def ground_of(stencil: Stencil) -> Ground | None:
    """Return the ground of a stencil; None if there are not four moves, or some between open cells are closed."""
    if stencil not in _grounds:
        _grounds[stencil] = _ground_of(arrays_of(stencil)[0])
    return _grounds[stencil]


def _ground_of(graph: Any) -> Ground | None:
    masks, offsets = graph.masks, graph.offsets
    size, pad, moves = len(masks), int(np.abs(offsets).max(initial=0)), len(offsets)
    if moves != MOVES or len(set(offsets.tolist())) < moves or pad > size or size >= 1 << 31:
        return None
    is_open = np.zeros(size + 2 * pad, bool)
    for move, offset in enumerate(offsets.tolist()):
        is_open[pad + offset : pad + offset + size] |= masks >> move & 1 != 0
    inside = is_open[pad : pad + size]
    if np.count_nonzero(is_open) > np.count_nonzero(inside):  # a move leads out of the array
        return None
    for move, offset in enumerate(offsets.tolist()):
        leads = masks >> move & 1 != 0
        if (inside & (leads != is_open[pad + offset : pad + offset + size])).any():
            return None
    cells = np.where(inside, np.int8(UNREACHED), np.int8(WALL))
    count, beside = np.count_nonzero(inside), np.count_nonzero(inside & (masks != (1 << moves) - 1))
    return Ground(cells, int(count), bool(beside > RAGGED * count), pad)


def fits(ground: Ground, graph: Any, start: int) -> bool:
    """Whether a search of the ground may begin at a state: it is open, or an island."""
    if ground.cells[start] == UNREACHED:
        return True
    beside = start + np.concatenate([graph.offsets, -graph.offsets])
    beside = beside[(beside >= 0) & (beside < len(ground.cells))]
    return bool(graph.masks[start] == 0 and (ground.cells[beside] == WALL).all())


@kernel
def spread(
    distances: Any, pad: Any, offsets: Any, masks: Any, queue: Any, counters: Any, least: Any, ragged: Any,
    expansions: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    `distances` begins and ends with `pad` walls. `queue` holds the states in the order in which they were reached; the
    last SIZE of them wait. One place more may be written to. `least[0]` is one more than the distance of the next.
    """
    end = np.uint64(counters[control.QUEUED])
    first = head = end - np.uint64(counters[control.SIZE])
    stop, peak, pad = head + np.uint64(expansions), np.uint64(counters[control.PEAK]), np.uint64(pad)
    moves = np.uint64(offsets[0]), np.uint64(offsets[1]), np.uint64(offsets[2]), np.uint64(offsets[3])
    distance, unreached, one = np.int32(least[0]), np.int32(UNREACHED), np.uint64(1)
    while head < end and head < stop:
        if end - head > peak:
            peak = end - head
        state = np.uint64(queue[head]) + pad
        distance = distances[state] + np.int32(1)
        if ragged:  # without branches, which could not be predicted
            for move in moves:
                successor = state + move
                known = distances[successor]
                is_new = known == unreached
                queue[end] = np.uint32(successor - pad)
                end += np.uint64(is_new)
                distances[successor] = distance if is_new else known
        else:
            for move in moves:
                successor = state + move
                if distances[successor] == unreached:
                    distances[successor] = distance
                    queue[end] = np.uint32(successor - pad)
                    end += one
        head += one
    generated = np.int64(0)
    for place in range(first, head):
        generated += np.int64(bits_set(np.uint64(masks[queue[place]])))
    why = control.EXHAUSTED
    if head < end:
        why = control.WORKED
        peak = max(peak, end - head)
        counters[control.HEAD_NODE] = queue[head]
        distance = distances[np.uint64(queue[head]) + pad] + np.int32(1)
    least[0] = distance
    counters[control.SIZE], counters[control.QUEUED] = end - head, end
    counters[control.NODES], counters[control.REACHED] = end, end
    counters[control.PEAK], counters[control.EXPANDED] = peak, head - first
    counters[control.GENERATED] += generated
    return why


@compiled_function
def _arrived_by(distances: Any, pad: Any, offsets: Any, turns: Any, state: Any) -> Any:
    """Return the move by which a state was reached; one more than the last move for a start."""
    before, turn = distances[state + pad] - 1, np.int64(NOBODY)
    best: Any = np.uint64(offsets.size)
    for move in range(np.uint64(offsets.size)):
        parent = state - np.uint64(offsets[move])
        if before >= 0 and distances[parent + pad] == before and turns[parent] < turn:
            best, turn = move, np.int64(turns[parent])
    return best


@kernel
def arrivals(distances: Any, pad: Any, offsets: Any, turns: Any, states: Any, moves: Any, climb: Any) -> Any:
    """Write the move by which each of an array of states was reached; return how many were written.

    With `climb`, each state but the first is the parent of the one before, and is written too, up to a start.
    """
    for place in range(np.uint64(states.size)):
        move = _arrived_by(distances, np.uint64(pad), offsets, turns, np.uint64(states[place]))
        moves[place] = move
        if climb:
            if move == np.uint64(offsets.size):
                return np.int64(place + np.uint64(1))
            if place + np.uint64(1) < np.uint64(states.size):
                states[place + np.uint64(1)] = states[place] - offsets[move]
    return np.int64(states.size)


class FieldRecords(DistanceRecords):
    """The records of a field.

    Args:
        problem: the problem.
        space: its compiled view, as kernels take it.
        ground: that of its stencil.

    """

    def __init__(self, problem: SearchProblem[Any, Any], space: SearchSpace, ground: Ground):
        self.problem, self.space, self.view = problem, space, space.view
        self.room, self.pad, self.ground = UNBOUNDED, ground.pad, ground
        size = self.size = len(ground.cells)
        padded = size + 2 * self.pad
        # As one block, the memory of an earlier search is used again.
        block = np.empty(padded + size + 1, np.int32)
        self.padded, self.queue = block[:padded], block[padded:].view(np.uint32)
        self.padded[: self.pad] = self.padded[self.pad + size :] = WALL
        self.nodes = self.padded[self.pad : self.pad + size]
        self.nodes[:] = ground.cells
        self.offsets = space.graph.offsets
        self._turns: tuple[int, Any] = 0, None
        """The number of reached states when `turns` was last computed, and what it was."""

    def enter(self, state: Any) -> int:
        """Add a start that has no record yet; return its node."""
        node = self.view.pack(state)
        self.nodes[node] = 0
        self.count += 1
        self.reached += 1
        return node

    def flags_of(self, nodes: Any) -> Any:
        """Return the flags of each of an array of nodes."""
        return (self.nodes[nodes] >= 0) * np.uint8(SEEN)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        return self.nodes[nodes].astype(np.float64)

    def memory(self) -> Any:
        """Return the array of the distances of all states; after the search."""
        if self.reached < self.ground.open:
            np.maximum(self.nodes, WALL, out=self.nodes)
        return self.nodes

    @property
    def turns(self) -> Any:
        """The place of each reached state in the order in which they were reached."""
        known, turns = self._turns
        if known < len(self.order):
            if turns is None:
                turns = np.empty(len(self.nodes), np.uint32)
            turns[self.order[known:]] = np.arange(known, len(self.order), dtype=np.uint32)
            self._turns = len(self.order), turns
        return turns

    def moves(self, nodes: Any) -> Any:
        """Return the move by which each of an array of nodes was reached; `START_MOVE` for a start."""
        moves = np.empty(len(nodes), np.int64)
        states = np.ascontiguousarray(nodes, np.int64)
        arrivals(self.padded, self.pad, self.offsets, self.turns, states, moves, False)
        return np.where(moves == len(self.offsets), START_MOVE, moves)

    def parents(self, nodes: Any) -> Any:
        """Return the parent of each of an array of nodes; `NOBODY` for a start."""
        moves = self.moves(nodes)
        started = moves == START_MOVE
        return np.where(started, NOBODY, nodes - self.offsets[np.where(started, 0, moves)])

    def path(self, node: int) -> tuple[Any, Any]:
        """Return the nodes of the path from a start to a node, and the moves between them."""
        states, moves = np.empty((2, int(self.nodes[node]) + 1), np.int64)
        states[0] = node
        arrivals(self.padded, self.pad, self.offsets, self.turns, states, moves, True)
        return states[::-1], moves[:-1][::-1]

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag; for `SEEN`, in the order in which they were reached."""
        return self.order if flag == SEEN else np.empty(0, np.uint32)


class Field(BreadthFirst):
    """`bfs` without goals over a ground."""

    records: FieldRecords
    steps = control.MOST_STEPS
    """Each takes some nanoseconds, and tens of them if it misses all caches."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ground: Ground):
        self.ground = ground
        super().__init__(problem, tree)

    def make_records(self) -> FieldRecords:
        """Return empty records."""
        return FieldRecords(self.problem, self.space, self.ground)

    def make_queue(self) -> Any:
        """Return the part of the records that is the queue."""
        return self.records.queue

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        records, graph = self.records, self.space.graph
        why: int = spread(
            records.padded, records.pad, records.offsets, graph.masks, self.queue, self.counters, self.bounds,
            self.ground.ragged, min(expansions, self.steps // MOVES),
        )  # fmt: skip
        return why, int(self.counters[control.EXPANDED])


def run_of(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> BreadthFirst | Field:
    """Return `bfs`, compiled, for a problem without goals: over its ground, if it has one.

    Args:
        problem: the problem, which has a compiled view.
        tree: the tree of the search; empty.

    """
    view: CompiledProblem = problem.compiled()  # type: ignore[attr-defined]  # it is Compilable
    if isinstance(view.graph, Stencil) and not view.goals:
        ground, graph = ground_of(view.graph), arrays_of(view.graph)[0]
        if ground is not None and all(
            fits(ground, graph, view.pack(start)) for start in problem.initial_states()
        ):
            return Field(problem, tree, ground)
    return BreadthFirst(problem, tree)
