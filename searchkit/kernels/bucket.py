"""Dial's bucket queue, as `searchkit.engines.bucket`."""

from math import inf
from typing import Any

import numpy as np

from searchkit.capabilities import has_heuristic
from searchkit.compiling import kernel
from searchkit.engines._common import inconsistency
from searchkit.kernels.control import (
    BAD_COST,
    BAD_ESTIMATE,
    CHILD,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    GENERATED,
    HEAD_NODE,
    INCONSISTENT,
    MOVE,
    NODES,
    PARENT,
    PEAK,
    REACHED,
    REOPENED,
    WORKED,
)
from searchkit.kernels.estimates import estimate
from searchkit.kernels.graphs import expand
from searchkit.kernels.queued import Queued
from searchkit.kernels.standing import SIZE, drop, first, is_full, put, rank_of
from searchkit.kernels.stores import CLOSED, DEAD, GOAL, MET, SEEN, ends_in, locate, state_of
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree


@kernel
def bucket_queue(
    graph: Any,
    store: Any,
    table: Any,
    heuristic: Any,
    queue: Any,
    room: Any,
    out_states: Any,
    out_costs: Any,
    counters: Any,
    least: Any,
    reopening: Any,
    expansions: Any,
    guided: Any,
    ties: Any,
) -> Any:
    """Expand up to `expansions` states, and stop at the one to be expanded next; return why the slice ended.

    The arrays stay as they are between slices; `room` is how many nodes they hold. `least[0]` is the least f.
    `reopening` is the node and the move by which a closed state was reached more cheaply for the first time.
    """
    nodes, reached, generated = counters[NODES], counters[REACHED], counters[GENERATED]
    peak, expanded = counters[PEAK], 0
    branching = out_states.size
    why = EXHAUSTED
    while queue.state[SIZE] > 0:
        f, node = first(queue)
        if is_full(queue, branching) or nodes + branching > room:
            counters[HEAD_NODE] = node
            why = FULL
            break
        record = store.nodes[node]
        if (record.flags & CLOSED) != 0:
            drop(queue)
            continue
        counters[HEAD_NODE] = node
        least[0] = f
        state = state_of(store, node)
        if ends_in(graph, store, table, node, state):
            why = FOUND
            break
        peak = max(peak, queue.state[SIZE])
        if expanded == expansions:
            why = WORKED
            break
        g = record.g
        count = np.int64(expand(graph, table, state, out_states, out_costs))
        for move in range(count):
            step = out_costs[move]
            if not 0.0 <= step < inf:
                counters[CHILD], counters[PARENT], counters[MOVE] = out_states[move], node, move
                why = BAD_COST
                break
            new_g = g + step
            child = locate(store, out_states[move], nodes)
            met = store.nodes[child]
            flags = met.flags
            if (flags & SEEN) == 0 or new_g < met.g:
                h = estimate(heuristic, table, out_states[move]) if guided else 0.0
                if (flags & MET) == 0:
                    nodes += 1
                if not 0.0 <= h < inf:
                    met.flags = flags | DEAD
                    if h == inf:
                        continue
                    counters[CHILD], counters[PARENT], counters[MOVE] = out_states[move], node, move
                    why = BAD_ESTIMATE
                    break
                if (flags & SEEN) == 0:
                    reached += 1
                if flags & CLOSED:
                    if counters[REOPENED] == 0:
                        reopening[0], reopening[1] = node, move
                        why = INCONSISTENT
                    counters[REOPENED] += 1
                met.g = new_g
                met.parent = node
                met.move = move
                met.flags = SEEN | (flags & GOAL)
                put(queue, new_g + h, rank_of(ties, new_g, h), child)
        if why == BAD_COST or why == BAD_ESTIMATE:  # noqa: SIM109  # a tuple would be made at each turn
            break
        store.nodes[node].flags |= CLOSED
        generated += count
        expanded += 1
        if why == INCONSISTENT:
            break
    counters[NODES], counters[REACHED], counters[GENERATED] = nodes, reached, generated
    counters[PEAK], counters[EXPANDED] = peak, expanded
    return why


class Bucket(Queued):
    """`bucket`, compiled."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "lifo"):
        self.guided = has_heuristic(problem)
        self.reopening = np.zeros(2, np.int64)
        self.warned = tree.reopened > 0
        super().__init__(problem, tree, ties)

    def waiting(self) -> list[tuple[Cost, Cost, Any]]:
        """Return (priority, rank, state) of the entries of the engine in Python, in the order in which they were made.

        Of entries of one bucket, that is: of others the order does not matter.
        """
        frontier = self.tree.frontier
        buckets = enumerate(frontier) if isinstance(frontier, list) else frontier.items()
        entries: list[tuple[Cost, Cost, Any]] = []
        for priority, bucket in buckets:
            f, rank = priority if isinstance(priority, tuple) else (priority, 0)
            entries += [(f, rank, state) for state in bucket]
        return entries

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = bucket_queue(
            self.graph,
            self.records.store,
            self.table,
            self.heuristic,
            self.queue,
            self.records.room,
            *self.out,
            self.counters,
            self.least,
            self.reopening,
            expansions,
            self.guided,
            self.ties,
        )
        return why, int(self.counters[EXPANDED])

    def attend(self, why: int) -> None:
        """Do what a slice ended for, after the warning that it may have come to."""
        if self.tree.reopened and not self.warned:
            self.warned = True
            parent = self.records.state(int(self.reopening[0]))
            self.warn(parent, *self.records.action(parent, int(self.reopening[1])))
        if why != INCONSISTENT:
            super().attend(why)

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved."""
        return least

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Name the step that is inconsistent."""
        states, actions = self.tree.path_to(parent)
        self.tree.warnings.append(inconsistency(self.problem, (*states, state), (*actions, action)))
