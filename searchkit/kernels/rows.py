"""Distances over sparse rows with small integer costs: Dijkstra's algorithm with a ring of stacks (Dial 1969).

The last entry of the least distance comes out first, as in `dijkstra`: so both expand the same states in the same
order. An entry whose state was reached more cheaply later is outdated, and dropped when it comes out.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import SearchSpace, arrays_of
from searchkit.compiled.kit.records import START_MOVE, UNBOUNDED
from searchkit.compiled.kit.run import GraphRun
from searchkit.compiled.kit.store import NOBODY, SEEN
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit.engines.kit import enter_starts
from searchkit.kernels.settled import DistanceRecords, Settling
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree

MOST_BUCKETS = 1 << 10
"""Costs are less than this. An empty bucket takes about a nanosecond."""
UNREACHED = np.uint32(0xFFFFFFFF)
"""The distance of a state that was not reached: −1, as an unsigned number."""
FAR, NEAR, NEXT = np.uint64(8), np.uint64(4), np.uint64(1)
"""A state, its edges, and its successors are prefetched so many entries before its own comes out."""
MOST_PREFETCHED = np.uint64(16)
HEAD = np.uint64(32)
"""In an edge: where the head begins. The bits before it are the cost."""
CHUNK = 64
"""The number of entries of a stack that are kept together."""
NONE = np.uint32(0xFFFFFFFF)
DISTANCE, FREE, UNUSED, LEFT = range(4)
"""Places in the state of the stacks: the distance of the present one; the first chunk that was given back; the first
that was never used; how many chunks can still be taken."""


class Stacks(NamedTuple):
    """A stack of entries for each distance, modulo their number, a power of two. A stack is a list of chunks."""

    tops: Any
    """uint32: the chunk at the top of each stack, or `NONE`."""
    fills: Any
    """uint32: how many entries it has; `CHUNK` for an empty stack."""
    entries: Any
    """uint32: the states in each chunk."""
    links: Any
    """uint32: the chunk below each chunk, or `NONE`."""
    state: Any


class Edges(NamedTuple):
    """What sparse rows are to the kernel."""

    edges: Any
    """uint64: the head of each edge, and its cost."""
    buckets: int
    """A power of two above the largest cost."""


_edges: WeakKeyDictionary[CSR, Edges | None] = WeakKeyDictionary()


def edges_of(rows: CSR) -> Edges | None:
    """Return the edges of sparse rows; None if costs are not small integers or a distance may exceed 31 bits."""
    if rows not in _edges:
        _edges[rows] = _edges_of(arrays_of(rows)[0])
    return _edges[rows]


def _edges_of(rows: Any) -> Edges | None:
    if not rows.sound:
        return None
    largest, nodes = float(rows.costs.max(initial=0)), len(rows.indptr) - 1
    if largest >= MOST_BUCKETS or largest * nodes >= 1 << 31 or nodes >= NOBODY:
        return None
    begins, heads = rows.indptr, rows.indices
    if (
        len(heads) != begins[-1]
        or begins[0] != 0
        or (np.diff(begins) < 0).any()
        or heads.max(initial=0) >= nodes
    ):
        return None
    whole = rows.costs.astype(np.uint32)
    if (whole != rows.costs).any():
        return None
    edges = rows.indices.astype(np.uint64)
    edges <<= HEAD
    edges |= whole
    return Edges(edges, 1 << int(largest).bit_length())


@compiled_function
def push(stacks: Any, bucket: Any, state: Any) -> Any:
    """Push a state onto a stack, for which there is a chunk; return how many chunks were taken, 1 or 0."""
    tops, fills, entries, links, at = stacks
    filled, taken = np.uint64(fills[bucket]), np.int64(0)
    if filled == np.uint64(CHUNK):
        chunk = at[FREE]
        if chunk == np.int64(NONE):
            chunk = at[UNUSED]
            at[UNUSED] += 1
        else:
            at[FREE] = links[chunk]
        links[chunk] = tops[bucket]
        tops[bucket] = np.uint32(chunk)
        filled, taken = np.uint64(0), np.int64(1)
    entries[np.uint64(tops[bucket]) * np.uint64(CHUNK) + filled] = np.uint32(state)
    fills[bucket] = np.uint32(filled + np.uint64(1))
    return taken


@kernel
def push_starts(stacks: Any, nodes: Any) -> None:
    """Push the starts, at distance 0."""
    for node in nodes:
        stacks.state[LEFT] -= push(stacks, np.uint64(0), np.uint64(node))


@kernel
def settle(
    indptr: Any, edges: Any, distances: Any, parents: Any, order: Any, stacks: Any, counters: Any, least: Any,
    branching: Any, expansions: Any, steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`. `order` lists the expanded states, QUEUED of them.
    `least[0]` is the distance of the next state.
    """
    tops, fills, entries, links, at = stacks
    size, reached, expanded = counters[control.SIZE], counters[control.REACHED], np.int64(0)
    settled, generated, peak = counters[control.QUEUED], counters[control.GENERATED], counters[control.PEAK]
    distance, left, chunks = np.uint32(at[DISTANCE]), np.int64(steps), at[LEFT]
    last, chunk_size = np.uint64(tops.size - 1), np.uint64(CHUNK)
    one = np.uint64(1)
    why = control.EXHAUSTED
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        bucket = np.uint64(distance) & last
        if tops[bucket] == NONE:
            distance += np.uint32(1)
            left -= 1
            continue
        chunk = np.uint64(tops[bucket])
        fill = np.uint64(fills[bucket]) - one
        place = chunk * chunk_size + fill
        state = np.uint64(entries[place])
        if distances[state] == distance:
            least[0] = distance
            peak = max(peak, size)
            if expanded == expansions:
                counters[control.HEAD_NODE] = state
                why = control.WORKED
                break
            if chunks < branching:
                counters[control.HEAD_NODE] = state
                why = control.FULL
                break
        if fill >= FAR:
            later = np.uint64(entries[place - FAR])
            prefetch(indptr, later)
            prefetch(distances, later)
        if fill >= NEAR:
            edge = np.uint64(indptr[np.uint64(entries[place - NEAR])])
            prefetch(edges, edge)
            prefetch(edges, edge + NEAR)
        if fill >= NEXT:
            later = np.uint64(entries[place - NEXT])
            edge = np.uint64(indptr[later])
            end = min(np.uint64(indptr[later + one]), edge + MOST_PREFETCHED)
            while edge < end:
                prefetch(distances, edges[edge] >> HEAD)
                prefetch(parents, edges[edge] >> HEAD)
                edge += one
        if fill == np.uint64(0):
            tops[bucket], fills[bucket] = links[chunk], np.uint32(CHUNK)
            links[chunk], at[FREE] = np.uint32(at[FREE]), chunk
            chunks += 1
        else:
            fills[bucket] = np.uint32(fill)
        size -= 1
        left -= 1
        if distances[state] != distance:
            continue
        order[settled] = np.uint32(state)
        settled += 1
        expanded += 1
        edge, end = np.uint64(indptr[state]), np.uint64(indptr[state + one])
        generated += np.int64(end - edge)
        left -= np.int64(end - edge)
        while edge < end:
            word = edges[edge]
            edge += one
            child = word >> HEAD
            new = distance + np.uint32(word)
            known = distances[child]
            if new < known:
                if known == UNREACHED:
                    reached += 1
                distances[child] = new
                parents[child] = np.uint32(state)
                chunks -= push(stacks, np.uint64(new) & last, child)
                size += 1
    at[DISTANCE], at[LEFT] = distance, chunks
    counters[control.SIZE], counters[control.REACHED], counters[control.NODES] = size, reached, reached
    counters[control.QUEUED], counters[control.GENERATED] = settled, generated
    counters[control.PEAK], counters[control.EXPANDED] = peak, expanded
    return why


@kernel
def find_moves(rows: Any, store: Any, nodes: Any, moves: Any) -> None:
    """Write the move by which each of an array of nodes was reached, unless it is a start."""
    for place in range(np.uint64(nodes.size)):
        node = np.uint64(nodes[place])
        parent = np.uint64(store.parents[node])
        if parent == np.uint64(NOBODY):
            continue
        begin, gap = rows.indptr[parent], np.float64(store.distances[node] - store.distances[parent])
        for edge in range(begin, rows.indptr[parent + np.uint64(1)]):
            if rows.indices[edge] == node and rows.costs[edge] == gap:
                moves[place] = edge - begin
                break


class Store(NamedTuple):
    """The arrays of the records, which are indexed by states."""

    distances: Any
    parents: Any


class RowRecords(DistanceRecords):
    """Distances and parents of sparse rows. Moves are found when they are asked for.

    Args:
        problem: the problem.
        space: its compiled view, as kernels take it.

    """

    def __init__(self, problem: SearchProblem[Any, Any], space: SearchSpace):
        self.problem, self.space, self.view = problem, space, space.view
        self.room, self.size = UNBOUNDED, space.view.graph.size  # type: ignore[union-attr]  # sparse rows
        self.nodes = np.full(self.size, UNREACHED)
        self.store = Store(self.nodes, np.empty(self.size, np.uint32))

    def enter(self, state: Any) -> int:
        """Add a start that has no record yet; return its node."""
        node = self.view.pack(state)
        self.nodes[node], self.store.parents[node] = 0, NOBODY
        self.count += 1
        self.reached += 1
        return node

    def flags_of(self, nodes: Any) -> Any:
        """Return the flags of each of an array of nodes."""
        return (self.nodes[nodes] != UNREACHED) * np.uint8(SEEN)

    def costs(self, nodes: Any) -> Any:
        """Return the cost of each of an array of nodes, as floats."""
        return self.nodes[nodes].astype(np.float64)

    def memory(self) -> Any:
        """Return the array of the distances of all states."""
        return self.nodes.view(np.int32)

    def parents(self, nodes: Any) -> Any:
        """Return the parent of each of an array of nodes; `NOBODY` for a start."""
        return self.store.parents[nodes]

    def moves(self, nodes: Any) -> Any:
        """Return the move by which each of an array of nodes was reached; `START_MOVE` for a start.

        It is the first edge of the parent that leads to the node at its distance.
        """
        moves = np.full(len(nodes), START_MOVE, np.int64)
        find_moves(self.space.graph, self.store, np.asarray(nodes, np.uint32), moves)
        return moves

    def path(self, node: int) -> tuple[Any, Any]:
        """Return the nodes of the path from a start to a node, and the moves between them."""
        path, parents = [], self.store.parents
        while node != NOBODY:
            path.append(node)
            node = int(parents[node])
        nodes = np.array(path[::-1], np.uint32)
        return nodes, self.moves(nodes[1:])

    def having(self, flag: int) -> Any:
        """Return the nodes that have a flag."""
        return np.flatnonzero(self.nodes != UNREACHED) if flag == SEEN else np.empty(0, np.uint32)


class Rows(GraphRun):
    """`dijkstra` without goals over sparse rows."""

    records: RowRecords

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], edges: Edges):
        self.edges = edges
        super().__init__(problem, tree)

    def make_records(self) -> RowRecords:
        """Return empty records."""
        return RowRecords(self.problem, self.space)

    def begin(self) -> None:
        """Enter the starts."""
        nodes = [self.records.enter(state) for state in enter_starts(self.problem, self.tree)]
        buckets, spare = (
            self.edges.buckets,
            -(-len(nodes) // CHUNK) + self.edges.buckets + 2 * len(self.out[0]),
        )
        self.stacks = Stacks(
            np.full(buckets, NONE, np.uint32),
            np.full(buckets, CHUNK, np.uint32),
            np.empty(spare * CHUNK, np.uint32),
            np.empty(spare, np.uint32),
            np.array([0, NONE, 0, spare], np.int64),
        )
        push_starts(self.stacks, np.array(nodes, np.uint32))
        self.expanded = np.empty(self.records.size, np.uint32)
        self.counters[control.SIZE] = len(nodes)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one more expansion."""
        stacks = self.stacks
        old, left = len(stacks.links), int(stacks.state[LEFT])
        room = 2 * old + len(self.out[0])
        entries, links = (
            self.grown(stacks.entries, old * CHUNK, room * CHUNK),
            self.grown(stacks.links, old, room),
        )
        room = min(len(links), len(entries) // CHUNK)
        stacks.state[LEFT] = left + room - old
        self.stacks = stacks._replace(entries=entries, links=links)
        return iter(())

    def show(self) -> None:
        """Bring the tree up to date."""
        super().show()
        self.records.order = self.expanded[: int(self.counters[control.QUEUED])]

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        store = self.records.store
        why: int = settle(
            self.space.graph.indptr, self.edges.edges, store.distances, store.parents, self.expanded, self.stacks,
            self.counters, self.bounds, len(self.out[0]), expansions, self.steps,
        )  # fmt: skip
        return why, int(self.counters[control.EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        return least


def run_of(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Settling | Rows:
    """Return `dijkstra`, compiled, for a problem without goals: with a ring of stacks, if its costs allow that."""
    view: CompiledProblem = problem.compiled()  # type: ignore[attr-defined]  # it is Compilable
    if isinstance(view.graph, CSR) and view.whole and not view.goals:
        edges = edges_of(view.graph)
        if edges is not None:
            return Rows(problem, tree, edges)
    return Settling(problem, tree)
