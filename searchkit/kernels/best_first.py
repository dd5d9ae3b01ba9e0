"""Best-first search as machine code: `dijkstra`, `astar`, `wastar`, `bucket`, `greedy` and `zero_one`, as in Python."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any

import numpy as np

from searchkit.basics.rounding import SPARE, UNIT, bound_from_weighted_f
from searchkit.compiled.functions import kernel
from searchkit.compiled.inlining import prefetch
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import begin, evaluate, step
from searchkit.compiled.kit.records import MANY
from searchkit.compiled.kit.run import GraphRun, inexact
from searchkit.compiled.kit.saved import CHUNK, taken
from searchkit.compiled.kit.store import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    ZERO,
    Direct,
    cost_of,
    is_goal_node,
    load_word,
    locate,
    place_of,
    prefetch_states,
    set_flags,
    state_of,
    write_arrival,
)
from searchkit.compiled.variants import variants
from searchkit.engines.kit import enter_starts_with_heuristic, warn_of_inconsistency
from searchkit.engines.uninformed.zero_one import refused_cost
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.kernels.queue import (
    HIGH_G,
    LOW,
    LOW_H,
    TOP,
    TURNS,
    UNRANKED,
    Frontier,
    drop,
    entry_of,
    f_of,
    first,
    is_near,
    load,
    node_of,
    open_bucket,
    push,
    value_of,
    waiting,
)
from searchkit.problem import Cost, SearchProblem, has_cost, has_heuristic
from searchkit.tree import SearchTree

LIFO, FIFO, ZERO_ONE = range(3)
"""The orders of entries of equal f and rank: the last in comes out first, or the first in; or, as from a double-ended
queue, those of actions that cost 0, the last in first, before those of actions that cost 1, the first in first."""
AHEAD = np.uint64(2)
"""How many expansions ahead the record of a node is prefetched."""
ROUNDING = float(UNIT) * SPARE / 2
"""By what part of a path's cost the heuristic may exceed the rest of it: half of what is allowed; rests are rounded."""


@variants("store")
def prefetch_next(store: Any, queue: Any) -> None:
    """Prefetch the record of a node that is expanded soon, if it is scattered. In compiled code only."""


@prefetch_next.when(Direct)
def _(store: Any, queue: Any) -> None:
    return None


@prefetch_next.when(object)
def _(store: Any, queue: Any) -> None:
    top = np.uint64(queue.sizes[TOP])
    if top >= AHEAD:
        prefetch(store.words, place_of(store, node_of(queue, load(queue.stack, top - AHEAD))))


@kernel
def best_first(
    graph: Any, store: Any, table: Any, heuristic: Any, room: Any, out_states: Any, out_costs: Any,
    queue: Any, capacity: Any, counters: Any, bounds: Any, settled: Any, expansions: Any, steps: Any,
    guided: Any, weight: Any, order: Any, greedy: Any, once: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`. The store has room for `room` nodes, the queue for
    `capacity` entries. `bounds` has the least f and the largest f of an expanded state. Unless it is empty, `settled`
    lists the expanded states, QUEUED of them.

    f is g + `weight` · h. If the search is `greedy`, it is h, and each state keeps its first arrival. An entry is
    outdated if its state is closed (`once`), or if it was reached more cheaply since.
    """
    nodes, reached, turn = counters[control.NODES], counters[control.REACHED], counters[control.PUSHED]
    generated, peak, expanded = counters[control.GENERATED], counters[control.PEAK], 0
    branching, checked = out_costs.size, not graph.sound or order == ZERO_ONE
    why, left, size = control.EXHAUSTED, np.int64(steps), waiting(queue)
    f, largest, node = bounds[0], bounds[1], np.uint64(counters[control.HEAD_NODE])
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        if not is_near(queue):
            left -= open_bucket(queue)
            continue
        entry, stacked = first(queue)
        node = node_of(queue, entry)
        word, g = load_word(store, node), cost_of(store, node)
        if (word & IS_CLOSED) != ZERO if once else g < value_of(queue, entry):
            drop(queue, stacked)
            size -= 1
            left -= 1
            continue
        f = f_of(queue, entry)
        state = state_of(store, node)
        if is_goal_node(graph, store, table, node, state):
            why = control.FOUND
            break
        peak = max(peak, size)
        if expanded == expansions:
            why = control.WORKED
            break
        if size + branching > capacity or nodes + branching > room or turn + branching >= TURNS:
            why = control.FULL
            break
        drop(queue, stacked)
        prefetch_next(store, queue)
        set_flags(store, node, word, (word & ALL_FLAGS) | IS_CLOSED)
        count, at, end = begin(graph, table, state, out_states, out_costs)
        prefetch_states(store, out_states, count)
        begun, move = at, ZERO
        while at != end:
            move, successor, cost, at = step(graph, state, begun, at, out_states, out_costs)
            child = locate(store, successor, nodes)
            met, new_g = load_word(store, child), g + cost
            is_new = (met & IS_SEEN) == ZERO
            if greedy and not is_new:
                continue
            if checked and (not 0.0 <= cost < inf or (order == ZERO_ONE and 0.0 != cost != 1.0)):
                why = control.BAD_COST
                break
            if not is_new and new_g >= cost_of(store, child):
                continue
            h = evaluate(heuristic, table, successor) if guided else 0.0
            child_f = weight * h if greedy else new_g + weight * h
            if (met & (IS_SEEN | IS_DEAD)) == ZERO:
                nodes += 1
            if not (h >= 0.0 and max(child_f, new_g) < control.EXACT):
                if is_new:
                    set_flags(store, child, met, (met & ALL_FLAGS) | IS_DEAD)
                if h == inf:
                    continue
                why = control.TOO_LARGE if h >= 0.0 else control.BAD_HEURISTIC
                break
            if is_new:
                reached += 1
            elif met & IS_CLOSED:
                if counters[control.REOPENED] == 0:
                    counters[control.REOPENED_FROM], counters[control.REOPENED_BY] = node, move
                    why = control.INCONSISTENT
                counters[control.REOPENED] += 1
            write_arrival(store, child, new_g, node, move, IS_SEEN | (met & IS_GOAL))
            turn += 1
            oldest_first = order == FIFO or (order == ZERO_ONE and cost != 0.0)
            place = np.uint64(TURNS + turn if oldest_first else TURNS - turn)
            push(queue, entry_of(queue, child_f, h if queue.rank == LOW_H else new_g, place, child))
        if why != control.EXHAUSTED and why != control.INCONSISTENT:  # the state is still to be expanded
            counters[control.PARENT], counters[control.MOVE] = node, move
            set_flags(store, node, word, word & ALL_FLAGS)
            push(queue, entry)
            break
        largest = max(largest, f)
        if settled.size > 0:
            settled[np.uint64(counters[control.QUEUED])] = np.uint32(node)
            counters[control.QUEUED] += 1
        generated += count
        expanded += 1
        left -= count + 1
        size = waiting(queue)
        if why == control.INCONSISTENT:
            break
    counters[control.NODES], counters[control.REACHED] = nodes, reached
    counters[control.PUSHED], counters[control.GENERATED], counters[control.PEAK] = turn, generated, peak
    counters[control.EXPANDED], counters[control.HEAD_NODE] = expanded, node
    bounds[0], bounds[1] = f, largest
    return why


class BestFirst(GraphRun):
    """What all engines here share."""

    guided = True
    weight: Cost = 1
    rank, order = UNRANKED, LIFO
    greedy = once = False
    listed = np.empty(0, np.uint32)
    """The expanded states, in order, if they are listed."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "high-g"):
        if self.guided:
            self.rank = {"high-g": HIGH_G, "low-h": LOW_H}.get(ties, UNRANKED)
        self.order = FIFO if ties == "fifo" else self.order
        self.once |= self.rank == LOW_H
        super().__init__(problem, tree)

    def begin(self) -> None:
        """Enter the starts."""
        entered = enter_starts_with_heuristic(
            self.problem, self.tree, self.problem.heuristic if self.guided else None
        )
        nodes = {state: self.records.enter(state) for state in self.tree.reached}
        f = [h if self.greedy else self.weight * h for _, h in entered]
        self.tree.lower_bound = min(f, default=inf)
        if f and max(f) >= control.EXACT:
            raise inexact()
        ranks = [h if self.rank == LOW_H else 0.0 for _, h in entered]
        sign = -1 if self.order == LIFO else 1
        entries = [TURNS + sign * turn << 32 | nodes[state] for turn, (state, _) in enumerate(entered, 1)]
        self.queue = self.tree.frontier = Frontier(self.rank, self.order != LIFO, self.view.whole)
        self.queue.add(np.array(f, np.float64), np.array(ranks, np.float64), np.array(entries, np.uint64))
        self.counters[control.PUSHED] = len(f)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one more expansion."""
        queue, more = self.queue, len(self.out[0])
        if self.counters[control.PUSHED] + more >= TURNS:
            raise MemoryError
        if len(queue) + more > queue.capacity:
            self.check_memory(queue.nbytes)
            queue.grow((4 if queue.capacity < MANY else 2) * queue.capacity + more)
        return iter(())

    def saved_frontier(self, places: Any) -> Iterator[dict[str, Any]]:
        """Yield the entries of the queue, chunk by chunk, with places instead of nodes."""
        for place in range(0, len(self.queue), CHUNK):
            f, values, last = self.queue.entries(place, place + CHUNK)
            yield {"f": f, "values": values, "entries": last & ~LOW | places[last & LOW]}

    def restore_frontier(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Fill the queue."""
        queue = self.queue = self.tree.frontier = Frontier(self.rank, self.order != LIFO, self.view.whole)
        if self.counters[control.PUSHED] > TURNS:
            raise ValueError("there are too many entries")
        for part in parts:
            f, values = (taken(part, name, np.float64) for name in ("f", "values"))
            last = taken(part, "entries", np.uint64)
            numbers = np.concatenate([f, values])
            if (
                not len(f) == len(values) == len(last)
                or not ((numbers >= 0) & (numbers < control.EXACT)).all()
                or not ((last & LOW) < self.records.count).all()
            ):
                raise ValueError("an entry of the queue is wrong")
            queue.add(f, values, last)

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = best_first(
            *self.arrays, self.queue.arrays, self.queue.capacity, self.counters, self.bounds,
            self.listed, expansions, self.steps, self.guided, float(self.weight), self.order, self.greedy, self.once,
        )  # fmt: skip
        return why, int(self.counters[control.EXPANDED])

    def underestimates(self, cost: Cost) -> bool:
        """Whether no state had a larger f than the path of this cost, so that its heuristic exceeds no rest."""
        most = cost if self.view.whole else cost * (1 + ROUNDING)
        return self.weight == 1 and not self.greedy and max(self.bounds.tolist()) <= most

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        return least

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Name the step that is inconsistent."""
        warn_of_inconsistency(self.problem, self.tree, parent, action, state)


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
        if not isinstance(weight, int | float):
            raise MissingCapabilityError(
                f"a compiled engine takes a weight that is an integer or a float, not {weight!r}; use backend='python'"
            )
        if weight >= control.EXACT:
            raise inexact()
        self.weight = weight
        super().__init__(problem, tree, ties)

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved."""
        if isinstance(self.weight, float) and isinstance(least, int):
            least = float(least)  # as g + w · h is in Python
        return bound_from_weighted_f(least, self.weight)

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Name the step that is inconsistent, if f is not weighted."""
        if self.weight == 1:
            super().warn(parent, action, state)


class Bucket(BestFirst):
    """`bucket`, compiled."""

    once = True

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "lifo"):
        self.guided = has_heuristic(problem)
        super().__init__(problem, tree, ties)


class Greedy(BestFirst):
    """`greedy`, compiled."""

    greedy = once = True

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str = "high-g"):
        super().__init__(problem, tree, "lifo" if ties == "low-h" else ties)

    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved: the least heuristic value of a start."""
        return self.tree.lower_bound


class ZeroOne(BestFirst):
    """`zero_one`, compiled."""

    guided, once, order = False, True, ZERO_ONE

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why != control.BAD_COST:
            return super().handle(why)
        edge = self.edge(control.PARENT, control.MOVE)
        cost = self.problem.cost(*edge) if has_cost(self.problem) else 1
        if cost not in (0, 1):
            raise refused_cost(*edge, cost)
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has a cost at {edge[-1]!r} that is neither 0 nor 1, "
            "and the problem itself has not"
        )
