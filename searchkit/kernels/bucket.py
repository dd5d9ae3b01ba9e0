"""Dial's bucket queue, as `searchkit.engines.informed.bucket`; and what it shares with greedy best-first search."""

from collections.abc import Generator, Iterator
from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.calls import call
from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.arrays import finished
from searchkit.compiled.kit.faults import inexact
from searchkit.compiled.kit.fields import Fields
from searchkit.compiled.kit.graph import ANYHOW, CSRArrays, begin, evaluate, step
from searchkit.compiled.kit.records import FIRST_ROOM, PIECE
from searchkit.compiled.kit.run import GraphRun
from searchkit.compiled.kit.saved import are_reached
from searchkit.compiled.kit.store import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    MOVE_AT,
    SIXTEEN,
    ZERO,
    cost_of,
    is_goal_node,
    is_seen,
    load_word,
    locate,
    place_of,
    set_flags,
    state_of,
    write_arrival,
)
from searchkit.compiled.variants import variants
from searchkit.engines.kit import enter_starts_with_heuristic, inconsistency
from searchkit.kernels.astar import (
    FIFO,
    HIGH_G,
    LIFO,
    LOW_H,
    prefetch_edges,
    prefetch_node,
    prefetch_successors,
)
from searchkit.kernels.queue.buckets import (
    ENTRY,
    FREE,
    NOTHING,
    PLACES,
    SIZE,
    STATE,
    TURN,
    USED,
    WAITING,
    WORD_BITS,
    Buckets,
    Ladder,
    drop,
    fill,
    first,
    first_entry,
    following,
    is_full,
    listed,
    prepare_first,
    put,
)
from searchkit.kernels.queue.entries import LAST_TURN, LOW
from searchkit.kernels.queue.frontier import Frontier
from searchkit.problem import Cost, SearchProblem, has_heuristic
from searchkit.tree import SearchTree

FAR, FARTHER, FARTHEST = 2, 4, 6
"""The successors of a node, its edges, and the node itself are prefetched so many expansions before its own."""
FIRST_BUCKETS, MOST_BUCKETS = 1 << 10, 1 << 16
"""If priorities are farther apart than the most buckets, a ladder is used: finding the next bucket with an entry would
take longer."""


@variants("graph", "queue")
def prefetch_next(graph: Any, store: Any, queue: Any) -> None:
    """Prefetch what the expansions of the next few entries will read, if it is scattered. In compiled code only."""


@prefetch_next.when(CSRArrays, Buckets)
def _(graph: Any, store: Any, queue: Any) -> None:
    entry, node = first_entry(queue), ZERO
    for ahead in range(1, FARTHEST + 1):
        entry = following(queue, entry)
        if entry == NOTHING:
            return
        node = queue.entries[entry] & LOW
        if ahead == FAR:
            prefetch_successors(graph, store, node)
        elif ahead == FARTHER:
            prefetch_edges(graph, node)
    prefetch_node(graph, store, node)


@prefetch_next.when(object, object)
def _(graph: Any, store: Any, queue: Any) -> None:
    return None


@kernel
def bucket_queue(
    graph: Any, store: Any, table: Any, heuristic: Any, room: Any, out_states: Any, out_costs: Any,
    queue: Any, counters: Any, least: Any, expansions: Any, steps: Any, guided: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`.
    The store has room for `room` nodes. `least[0]` is the least f.
    """
    nodes, reached, generated = (
        counters[control.NODES],
        counters[control.REACHED],
        counters[control.GENERATED],
    )
    peak, expanded = counters[control.PEAK], 0
    branching = out_costs.size
    why, left = control.EXHAUSTED, np.int64(steps)
    while queue.state[SIZE] > 0:
        if left <= 0:
            why = control.PAUSED
            break
        moved = prepare_first(queue)
        if moved > 0:
            left -= moved
            continue
        f, node = first(queue)
        if counters[control.AGAIN] != 0:
            node = np.uint64(counters[control.HEAD_NODE])
        counters[control.HEAD_NODE] = node
        if is_full(queue, branching) or nodes + branching > room:
            why = control.FULL
            break
        place = place_of(store, node)
        word = load_word(store, place)
        if (word & IS_CLOSED) != ZERO:
            drop(queue)
            left -= 1
            continue
        if counters[control.AGAIN] == 0:
            least[0] = f
        state = state_of(store, node)
        if is_goal_node(graph, store, table, node, state):
            why = control.FOUND
            break
        if counters[control.AGAIN] == 0:
            peak = max(peak, queue.state[SIZE])
        if expanded == expansions:
            why = control.WORKED
            break
        prefetch_next(graph, store, queue)
        counters[control.AGAIN] = 0
        g = cost_of(store, place)
        arrived_by = (word >> MOVE_AT) & SIXTEEN if graph.sound else np.uint64(ANYHOW)
        count, at, end = begin(graph, table, state, arrived_by, out_states, out_costs)
        begun = at
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            if not graph.sound and not 0.0 <= cost < inf:
                counters[control.PARENT], counters[control.MOVE] = node, move
                why = control.BAD_COST
                break
            new_g = g + cost
            child = locate(store, successor, nodes)
            there = place_of(store, child)
            if not is_seen(store, there) or new_g < cost_of(store, there):
                met = load_word(store, there)
                h = evaluate(heuristic, table, successor) if guided else 0.0
                if (met & (IS_SEEN | IS_DEAD)) == ZERO:
                    nodes += 1
                if not (h >= 0.0 and new_g + h < control.EXACT):
                    set_flags(store, there, met, (met & ALL_FLAGS) | IS_DEAD)
                    if h == inf:
                        continue
                    counters[control.PARENT], counters[control.MOVE] = node, move
                    why = control.TOO_LARGE if h >= 0.0 else control.BAD_HEURISTIC
                    break
                if (met & IS_SEEN) == ZERO:
                    reached += 1
                elif met & IS_CLOSED:
                    if counters[control.REOPENED] == 0:
                        counters[control.REOPENED_FROM], counters[control.REOPENED_BY] = node, move
                        why = control.INCONSISTENT
                    counters[control.REOPENED] += 1
                write_arrival(store, there, new_g, node, move, IS_SEEN | (met & IS_GOAL))
                put(queue, new_g + h, new_g, h, child)
        if why != control.EXHAUSTED and why != control.INCONSISTENT:
            counters[control.AGAIN] = 1
            break
        set_flags(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        generated += count
        expanded += 1
        left -= count + 1
        if why == control.INCONSISTENT:
            break
    counters[control.NODES], counters[control.REACHED], counters[control.GENERATED] = (
        nodes,
        reached,
        generated,
    )
    counters[control.PEAK], counters[control.EXPANDED] = peak, expanded
    return why


class Queued(GraphRun):
    """A search whose frontier is an array of buckets if that is enough, else a ladder queue."""

    least_start: Cost = inf
    """The least heuristic value of a start."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str):
        self.ties = {"high-g": HIGH_G, "low-h": LOW_H, "fifo": FIFO}.get(ties, LIFO)
        self.first_in = self.ties == FIFO
        super().__init__(problem, tree)

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_starts_with_heuristic(
            self.problem, self.tree, self.problem.heuristic if self.guided else None
        )
        nodes = {state: self.records.enter(state) for state in self.tree.reached}
        self.least_start = min((h for _, h in starts), default=inf)
        self._fill([(h, h if self.ties == LOW_H else 0, nodes[state]) for state, h in starts])

    def _fill(self, entries: list[tuple[Cost, Cost, int]]) -> None:
        if any(f >= control.EXACT for f, _, _ in entries):
            raise inexact()
        priorities = np.array([f for f, _, _ in entries], np.float64)
        ranks = np.array([rank for _, rank, _ in entries], np.float64)
        self._refill(priorities, ranks, np.array([node for _, _, node in entries], np.uint64))

    def _refill(self, priorities: Any, ranks: Any, nodes: Any) -> None:
        buckets = finished(self._buckets(priorities, FIRST_BUCKETS))
        self.queue = finished(self._queue(priorities, ranks, nodes, buckets))
        self.tree.frontier = self.queue

    def saved_frontier(self) -> dict[str, Any]:
        """Return the entries of the queue: of buckets, in the order in which they were made within each of them."""
        if not isinstance(self.queue, Buckets):
            return {**self.frontier.saved(), "turn": int(self.queue.state[TURN])}
        priorities, nodes = finished(self._listed(self.queue))
        return {"priorities": priorities, "nodes waiting": nodes}

    def restore_frontier(self, fields: Fields) -> None:
        """Fill the queue."""
        if "entries" in fields:
            turn = fields.whole("turn")
            self._new_ladder()
            self.frontier.restore(fields, self.records, turn)
            self.queue = self._ladder(len(fields.array("entries", np.uint64, columns=ENTRY)), turn)
            self.tree.frontier = self.queue
            return
        fields.expect(self.ties not in (HIGH_G, LOW_H), "entries", "it is missing")
        priorities = fields.array("priorities", np.float64, below=control.EXACT)
        nodes = fields.array("nodes waiting", np.uint64, length=len(priorities))
        fields.expect(are_reached(self.records, nodes), "nodes waiting", "a state was not reached")
        self._refill(priorities, np.zeros(len(nodes)), nodes)

    def _buckets(self, priorities: Any, least: int) -> Generator[None, None, int]:
        """Return the number of buckets for these priorities, at least `least`; 0 if buckets do not fit. In pieces."""
        if not self.view.whole or self.ties in (HIGH_G, LOW_H):
            return 0
        low, high = control.EXACT, 0.0
        for begun in range(0, len(priorities), PIECE):
            if begun:
                yield
            some = priorities[begun : begun + PIECE]
            low, high = min(low, float(some.min())), max(high, float(some.max()))
            if high - low >= MOST_BUCKETS or (some % 1).any():
                return 0
        reach = max(0, int(high - low)) + 1
        return min(MOST_BUCKETS, max(least, 1 << (2 * reach - 1).bit_length()))

    def _queue(
        self, priorities: Any, ranks: Any, nodes: Any, buckets: int
    ) -> Generator[None, None, Ladder | Buckets]:
        """Return a queue of entries, which are given in the order in which they were made; a ladder for 0 buckets.

        In pieces.
        """
        room, branching = max(FIRST_ROOM, 2 * (len(nodes) + len(self.out[0]))), len(self.out[0])
        state = np.zeros(STATE, np.int64)
        state[FREE] = NOTHING
        if buckets:
            queue = Buckets(
                np.full(buckets, NOTHING, np.uint32),
                np.empty(buckets, np.uint32),
                np.zeros(buckets // WORD_BITS, np.uint64),
                np.empty(room, np.uint64),
                np.empty(2 * branching, np.uint64),
                state,
                self.first_in,
            )
            for begun in range(0, len(nodes), PIECE):
                if begun:
                    yield
                fill(queue, priorities[begun : begun + PIECE], nodes[begun : begun + PIECE])
            return queue
        self._new_ladder()
        yield from self.frontier.fill(priorities, ranks, nodes)
        return self._ladder(len(nodes), self.frontier.turn)

    def _new_ladder(self) -> None:
        self.frontier = Frontier(False, self.ties in (HIGH_G, LOW_H), self.ties == HIGH_G, self.first_in)

    def _ladder(self, size: int, turn: int) -> Ladder:
        """Return the ladder of the frontier, which has so many entries and has used so many turns."""
        state = np.zeros(STATE, np.int64)
        state[SIZE], state[TURN], state[FREE] = size, turn, NOTHING
        frontier = self.frontier
        return Ladder(frontier.arrays, state, frontier.ranked, frontier.high_g, frontier.fifo)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one more expansion."""
        state, more = self.queue.state, len(self.out[0])
        if isinstance(self.queue, Buckets):
            if state[WAITING]:
                yield from self._widen(self.queue)
            elif state[SIZE] + more > len(self.queue.entries):
                room, used = len(self.queue.entries), int(state[USED])
                entries = yield from self.grown(self.queue.entries, used, 2 * (room + more))
                self.queue = self.queue._replace(entries=entries)
        else:
            if state[TURN] + more > LAST_TURN:
                yield from self.renumber()
            while state[SIZE] + more > self.frontier.capacity:
                yield from self.frontier.grow(self.available)
            self.queue = self.queue._replace(queue=self.frontier.arrays)
        self.tree.frontier = self.queue

    def _widen(self, queue: Buckets) -> Iterator[None]:
        """Make enough buckets, or a ladder, and add the entries that wait outside."""
        self.check_memory(4 * int(queue.state[SIZE]) * np.dtype(np.float64).itemsize)
        priorities, nodes = yield from self._listed(queue)
        buckets = yield from self._buckets(priorities, len(queue.firsts))
        wider = yield from self._queue(priorities, np.zeros(len(nodes)), nodes, buckets)
        self.queue = wider

    def _listed(self, queue: Buckets) -> Generator[None, None, tuple[Any, Any]]:
        """Return the priorities and the nodes of all entries; see `listed`. In pieces."""
        size = int(queue.state[SIZE])
        priorities, nodes = np.empty(size, np.float64), np.empty(size, np.uint64)
        places = np.zeros(PLACES, np.int64)
        while not listed(queue, priorities, nodes, places):
            yield
        return priorities, nodes

    def renumber(self) -> Iterator[None]:
        """Give the entries of the ladder new turns, in the order in which they were made. In pieces."""
        self.check_memory(2 * self.frontier.growth)
        yield from self.frontier.renumber()
        self.queue = self.queue._replace(queue=self.frontier.arrays)
        self.queue.state[TURN] = self.frontier.turn


class Bucket(Queued):
    """`bucket`, compiled."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "lifo"):
        self.guided = has_heuristic(problem)
        super().__init__(problem, tree, ties)

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = call(
            bucket_queue,
            (self.kinds, type(self.queue)),
            *self.space,
            self.queue,
            self.counters,
            self.least,
            expansions,
            self.steps,
            self.guided,
        )
        return why, int(self.counters[control.EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        return least

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Name the step that is inconsistent."""
        states, actions = self.tree.path_to(parent)
        self.tree.warnings.append(inconsistency(self.problem, (*states, state), (*actions, action)))
