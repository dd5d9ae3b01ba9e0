"""Dijkstra's algorithm, A* and weighted A* with reopening, as the engines in Python."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np

from searchkit.basics.rounding import bound_from_weighted_f
from searchkit.compiled.calls import call
from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit import control
from searchkit.compiled.kit.faults import inexact
from searchkit.compiled.kit.fields import Fields
from searchkit.compiled.kit.graph import ANYHOW, CSRArrays, begin, evaluate, heuristic_of, largest_cost, step
from searchkit.compiled.kit.run import GraphRun
from searchkit.compiled.kit.store import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    MOVE_AT,
    ONE,
    SIXTEEN,
    ZERO,
    Hashed,
    cost_of,
    is_goal_node,
    is_seen,
    load_word,
    locate,
    place_of,
    prefetch_states,
    set_flags,
    state_of,
    write_arrival,
)
from searchkit.compiled.variants import variants
from searchkit.compiled.view import GridDistance
from searchkit.engines.kit import enter_starts_with_heuristic, inconsistency
from searchkit.errors import MissingCapabilityError
from searchkit.kernels.queue.entries import (
    HEAPED,
    LAST_TURN,
    TOP,
    WIDE,
    entry_of,
    f_of,
    g_of,
    node_of,
    upcoming,
)
from searchkit.kernels.queue.frontier import Frontier
from searchkit.kernels.queue.ladder import BUCKETS, drop, first, push, waiting
from searchkit.kernels.queue.opening import open_few, open_next_bucket
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree

HIGH_G, LOW_H, LIFO, FIFO = range(4)
"""The ties policies."""
FAR, FARTHER, FARTHEST = np.uint64(2), np.uint64(4), np.uint64(8)
"""The successors of a node, its edges, and the node itself are prefetched so many expansions before its own."""
MOST_PREFETCHED = np.uint64(16)


@variants("graph", "store")
def prefetch_next(graph: Any, store: Any, queue: Any, ranked: Any) -> None:
    """Prefetch what the expansions of the next few entries will read, if it is scattered. In compiled code only."""


@prefetch_next.when(object, Hashed)
def _(graph: Any, store: Any, queue: Any, ranked: Any) -> None:
    if np.uint64(queue.sizes[TOP]) >= FAR:
        prefetch(store.words, place_of(store, upcoming(queue, FAR, ranked)))


@prefetch_next.when(CSRArrays, object)
def _(graph: Any, store: Any, queue: Any, ranked: Any) -> None:
    if np.uint64(queue.sizes[TOP]) < FARTHEST:
        return
    prefetch_node(graph, store, upcoming(queue, FARTHEST, ranked))
    prefetch_edges(graph, upcoming(queue, FARTHER, ranked))
    prefetch_successors(graph, store, upcoming(queue, FAR, ranked))


@prefetch_next.when(object, object)
def _(graph: Any, store: Any, queue: Any, ranked: Any) -> None:
    return None


@compiled_function
def prefetch_node(graph: Any, store: Any, node: Any) -> None:
    """Prefetch the record of a node, and the place of its edges in sparse rows."""
    prefetch(graph.indptr, node)
    prefetch(store.words, place_of(store, node))


@compiled_function
def prefetch_edges(graph: Any, node: Any) -> None:
    """Prefetch the first edges of a node in sparse rows."""
    edge = np.uint64(graph.indptr[node])
    prefetch(graph.indices, edge)
    prefetch(graph.costs, edge)


@compiled_function
def prefetch_successors(graph: Any, store: Any, node: Any) -> None:
    """Prefetch the records of the first successors of a node in sparse rows."""
    edge, end = np.uint64(graph.indptr[node]), np.uint64(graph.indptr[node + ONE])
    end = min(end, edge + MOST_PREFETCHED)
    while edge < end:
        prefetch(store.words, place_of(store, np.uint64(graph.indices[edge])))
        edge += ONE


@kernel
def best_first(
    graph: Any, store: Any, table: Any, heuristic: Any, room: Any, out_states: Any, out_costs: Any,
    queue: Any, capacity: Any, counters: Any, least: Any, most: Any, largest: Any, expansions: Any, steps: Any,
    guided: Any, weight: Any, ties: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`.
    The store has room for `room` nodes, the queue for `capacity` entries. `least[0]` is the least f. When an f of
    `most` or more comes out, or most f are far apart, the queue has to be converted to one of reals; an f of `largest`
    or more can't be pushed.
    """
    nodes, reached = counters[control.NODES], counters[control.REACHED]
    turn, generated, peak, expanded = (
        counters[control.PUSHED],
        counters[control.GENERATED],
        counters[control.PEAK],
        0,
    )
    high_g, low_h, fifo = ties == HIGH_G, ties == LOW_H, ties == FIFO
    ranked = high_g or low_h
    branching = out_costs.size
    why, left = control.EXHAUSTED, np.int64(steps)
    again, stacked = counters[control.AGAIN] != 0, False
    size = waiting(queue) + counters[control.AGAIN]
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        if again:
            node = np.uint64(counters[control.HEAD_NODE])
            place = place_of(store, node)
            word, g, f = load_word(store, place), cost_of(store, place), least[0]
        else:
            if queue.sizes[TOP] + queue.sizes[HEAPED] == 0:
                left -= np.int64(1) if open_few(queue) else open_next_bucket(queue)
                continue
            entry, stacked = first(queue)
            node = node_of(queue, entry, ranked)
            place = place_of(store, node)
            word, g = load_word(store, place), cost_of(store, place)
            # An entry tells the cost at which it was made, unless it is ranked by h: then it is outdated if its node is
            # closed.
            if (g < g_of(queue, entry, ranked)) if not low_h else (word & IS_CLOSED) != ZERO:
                drop(queue, stacked)
                size -= 1
                left -= 1
                continue
            f = f_of(queue, entry)
            least[0] = f
        state = state_of(store, node)
        if is_goal_node(graph, store, table, node, state):
            counters[control.HEAD_NODE] = node
            why = control.FOUND
            break
        if size > peak and not again:
            peak = size
        if expanded == expansions:
            counters[control.HEAD_NODE] = node
            why = control.WORKED
            break
        if f >= most or queue.sizes[WIDE] != 0:
            counters[control.HEAD_NODE] = node
            why = control.WIDER
            break
        if size + branching > capacity or nodes + branching > room or turn + branching > LAST_TURN:
            counters[control.HEAD_NODE] = node
            why = control.FULL
            break
        if again:
            again, counters[control.AGAIN] = False, 0
        else:
            drop(queue, stacked)
        prefetch_next(graph, store, queue, ranked)
        set_flags(store, place, word, (word & ALL_FLAGS) | IS_CLOSED)
        arrived_by = (word >> MOVE_AT) & SIXTEEN if graph.sound else np.uint64(ANYHOW)
        count, at, end = begin(graph, table, state, arrived_by, out_states, out_costs)
        prefetch_states(graph, store, out_states, count)
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
                child_f = new_g + weight * h
                if not (h >= 0.0 and child_f < largest):
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
                turn += 1
                order = np.uint64(turn if fifo else LAST_TURN - turn)
                push(queue, entry_of(queue, child_f, new_g, h, order, child, ranked, high_g))
        if why != control.EXHAUSTED and why != control.INCONSISTENT:  # the state is still to be expanded
            counters[control.HEAD_NODE], counters[control.AGAIN] = node, 1
            set_flags(store, place, word, word & ALL_FLAGS)
            break
        generated += count
        expanded += 1
        left -= count + 1
        size = waiting(queue)
        if why == control.INCONSISTENT:
            break
    counters[control.NODES], counters[control.REACHED] = nodes, reached
    counters[control.PUSHED], counters[control.GENERATED], counters[control.PEAK] = turn, generated, peak
    counters[control.EXPANDED] = expanded
    return why


class BestFirst(GraphRun):
    """What `dijkstra`, `astar` and `wastar` share."""

    guided = True

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        tree: SearchTree[Any, Any],
        ties: str = "high-g",
        weight: Cost = 1,
    ):
        if not isinstance(weight, int | float):
            raise MissingCapabilityError(
                f"a compiled engine takes a weight that is an integer or a float, not {weight!r}; use backend='python'"
            )
        if weight >= control.EXACT:
            raise inexact()
        self.weight = weight
        ranked = {"high-g": HIGH_G, "low-h": LOW_H} if self.guided else {}
        self.ties = FIFO if ties == "fifo" else ranked.get(ties, LIFO)
        super().__init__(problem, tree)

    def prepare(self) -> None:
        """Read the view, and make the frontier. A kernel is compiled once for a grid, with and without its distance."""
        super().prepare()
        if isinstance(self.guide, GridDistance):
            self.heuristic = heuristic_of(self.view)
        # With a weight, f often becomes less, and with large costs, few entries have the same f.
        self.make_queue(self.view.whole and self.weight == 1 and largest_cost(self.view.graph) < BUCKETS)

    def make_queue(self, whole: bool) -> None:
        """Make an empty frontier."""
        self.queue = Frontier(whole, self.ties in (HIGH_G, LOW_H), self.ties == HIGH_G, self.ties == FIFO)

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_starts_with_heuristic(
            self.problem, self.tree, self.problem.heuristic if self.guided else None
        )
        nodes = {state: self.records.enter(state) for state in self.tree.reached}
        self._fill([(self.weight * h, h if self.ties == LOW_H else 0, nodes[state]) for state, h in starts])

    def _fill(self, entries: Sequence[tuple[Cost, Cost, int]]) -> None:
        """Fill the frontier with (f, h or cost so far, node), given in the order in which they were made."""
        largest = max((max(f, value) for f, value, _ in entries), default=0)
        if largest >= control.EXACT:
            raise inexact()
        if largest >= self.queue.most:
            self.make_queue(whole=False)
        for _ in self.queue.fill(*zip(*entries, strict=True) if entries else ((), (), ())):
            pass
        self.counters[control.PUSHED] = self.queue.turn
        self.tree.frontier = self.queue

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one more expansion."""
        if self.counters[control.PUSHED] + len(self.out[0]) > LAST_TURN:
            yield from self.renumber()
        more = len(self.out[0]) + int(self.counters[control.AGAIN])
        while int(waiting(self.queue.arrays)) + more > self.queue.capacity:
            yield from self.queue.grow(self.available)

    def saved_frontier(self) -> dict[str, Any]:
        """Return the entries of the queue."""
        return self.queue.saved()

    def restore_frontier(self, fields: Fields) -> None:
        """Fill the queue."""
        if self.queue.is_whole and fields.flag("real"):
            self.make_queue(whole=False)
        self.queue.restore(fields, self.records, int(self.counters[control.PUSHED]))
        self.tree.frontier = self.queue

    def renumber(self) -> Iterator[None]:
        """Give the entries of the frontier new turns, in pieces."""
        self.check_memory(self.queue.conversion)
        yield from self.queue.renumber()
        self.counters[control.PUSHED] = self.queue.turn

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why == control.WIDER and self.queue.most < control.EXACT:
            return self._widen()
        if why == control.TOO_LARGE and self.queue.most < control.EXACT:
            # An expansion was broken off, and what it did so far would show in the counters.
            self.make_queue(whole=False)
            self.begin_again()
            return None
        return super().handle(control.TOO_LARGE if why == control.WIDER else why)

    def _widen(self) -> Iterator[None]:
        self.check_memory(self.queue.conversion)
        yield from self.queue.widen()

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = call(
            best_first, (self.kinds, type(self.queue.arrays)),
            *self.space, self.queue.arrays, self.queue.capacity, self.counters, self.least, self.queue.most,
            self.queue.largest, expansions, self.steps, self.guided, float(self.weight), self.ties,
        )  # fmt: skip
        return why, int(self.counters[control.EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        if isinstance(self.weight, float) and isinstance(least, int):
            least = float(least)  # as g + w · h is in Python
        return bound_from_weighted_f(least, self.weight)

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Name the step that is inconsistent."""
        if self.weight == 1:
            states, actions = self.tree.path_to(parent)
            self.tree.warnings.append(inconsistency(self.problem, (*states, state), (*actions, action)))


class Dijkstra(BestFirst):
    """`dijkstra`, compiled."""

    guided = False


class AStar(BestFirst):
    """`astar`, compiled."""


class WeightedAStar(BestFirst):
    """`wastar`, compiled."""

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        tree: SearchTree[Any, Any],
        weight: Cost = 1.5,
        ties: str = "high-g",
    ):
        super().__init__(problem, tree, ties, weight)
