"""Breadth-first search, as `searchkit.engines.uninformed.bfs`."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import begin, step
from searchkit.compiled.kit.records import States
from searchkit.compiled.kit.run import GraphRun
from searchkit.compiled.kit.store import (
    IS_GOAL,
    IS_SEEN,
    ONE,
    ZERO,
    is_goal_node,
    load_word,
    locate,
    prefetch_states,
    state_of,
    write_arrival,
)
from searchkit.engines.kit import enter_starts
from searchkit.problem import Cost


@kernel
def breadth_first(
    graph: Any, store: Any, table: Any, heuristic: Any, room: Any, out_states: Any, out_costs: Any,
    queue: Any, counters: Any, least: Any, expansions: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    `queue` holds the nodes in the order in which they were reached. In a hashed graph that is the order of their
    numbers, so it is empty. The last SIZE of them wait; those before LAYER have the depth of the first of these,
    DEPTH. `least[0]` is one more.
    """
    end = np.uint64(counters[control.QUEUED])
    head = end - np.uint64(counters[control.SIZE])
    layer, depth = np.uint64(counters[control.LAYER]), counters[control.DEPTH]
    generated, peak, left = counters[control.GENERATED], np.uint64(counters[control.PEAK]), expansions
    branching, room = np.uint64(out_costs.size), np.uint64(room)
    why = control.EXHAUSTED
    while head < end:
        node = np.uint64(queue[head]) if queue.size > 0 else head
        if head == layer:
            layer = end
            depth += 1
        peak = max(peak, end - head)
        counters[control.HEAD_NODE] = node
        if left == 0:
            why = control.WORKED
            break
        if end + branching > room:
            why = control.FULL
            break
        left -= 1
        state = state_of(store, node)
        count, at, last = begin(graph, table, state, out_states, out_costs)
        prefetch_states(store, out_states, count)
        begun, looked = at, 0
        while at != last:
            move, successor, _, at = step(graph, state, begun, at, out_states, out_costs)
            looked += 1
            child = locate(store, successor, end)
            met = load_word(store, child)
            if met & IS_SEEN == ZERO:
                is_goal = is_goal_node(graph, store, table, child, successor)
                write_arrival(store, child, np.float64(depth + 1), node, move, IS_SEEN | met & IS_GOAL)
                if queue.size > 0:
                    queue[end] = np.uint32(child)
                end += ONE
                if is_goal:
                    counters[control.HEAD_NODE] = child
                    generated += looked
                    why = control.FOUND
                    break
        if why == control.FOUND:
            break
        generated += count
        head += ONE
    least[0] = depth + 1
    counters[control.SIZE], counters[control.QUEUED], counters[control.NODES] = end - head, end, end
    counters[control.LAYER], counters[control.DEPTH], counters[control.REACHED] = layer, depth, end
    counters[control.GENERATED], counters[control.PEAK] = generated, peak
    counters[control.EXPANDED] = expansions - left
    return why


class BreadthFirst(GraphRun):
    """`bfs`, compiled."""

    has_closed = False

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_starts(self.problem, self.tree)
        nodes = [self.records.enter(state) for state in starts]
        self.queue = self.make_queue()
        self.queue[: len(nodes)] = nodes[: len(self.queue)]
        counters = self.counters
        counters[control.SIZE] = counters[control.QUEUED] = counters[control.LAYER] = len(nodes)
        for state in starts:
            if self.problem.is_goal(state):
                self.ended = True
                self.tree.finish(state)
                return

    def make_queue(self) -> Any:
        """Return an array for the nodes in the order in which they are reached, which hashed graphs do not need."""
        return np.empty(0 if self.records.hashed else self.records.size, np.uint32)

    def show_records(self) -> None:
        """Let the tree show the contents of the records."""
        super().show_records()
        queue = None if self.records.hashed else self.queue
        self.tree.frontier = States(self.records, partial(_waiting, queue, self.counters))
        self.show()

    def show(self) -> None:
        """Bring the tree up to date."""
        super().show()
        if not self.records.hashed:
            self.records.order = self.queue[: int(self.counters[control.QUEUED])]

    def grow_frontier(self) -> Iterator[None]:
        """Return at once: the queue has room for all states, or is not used."""
        return iter(())

    def saved_frontier(self, places: Any) -> Iterator[dict[str, Any]]:
        """Yield nothing: the counters say which nodes wait."""
        return iter(())

    def restore_frontier(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Check the counters."""
        end, size, layer = self.counters[[control.QUEUED, control.SIZE, control.LAYER]].tolist()
        if end != self.records.count or max(size, layer) > end:
            raise ValueError(f"{size} of {end} nodes wait, from {layer} on in the next layer")

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        most = min(expansions, max(1, self.steps // len(self.out[0])))
        why: int = breadth_first(*self.arrays, self.queue, self.counters, self.bounds, most)
        return why, int(self.counters[control.EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        return int(least)


def _waiting(queue: Any, counters: Any) -> Any:
    """Return the nodes that wait, the next one first; without a queue, they are numbered in its order."""
    end = int(counters[control.QUEUED])
    first = end - int(counters[control.SIZE])
    return np.arange(first, end) if queue is None else queue[first:end]
