"""The compiled engines: what each needs beside its kernel."""

from collections.abc import Iterator, Sequence
from typing import Any

from searchkit.basics.rounding import share
from searchkit.compiled.view import Stencil
from searchkit.engines.kit import enter_starts, enter_starts_with_heuristic, inconsistency
from searchkit.errors import MissingCapabilityError
from searchkit.kernels.best_first import FIFO, HIGH_G, LIFO, LOW_H, best_first
from searchkit.kernels.breadth_first import breadth_first
from searchkit.kernels.control import (
    AGAIN,
    DEPTH,
    EXACT,
    EXPANDED,
    PUSHED,
    QUEUED,
    SIZE,
    TOO_LARGE,
    WAVE,
    WIDER,
)
from searchkit.kernels.entries import LAST_TURN, MOST_WHOLE
from searchkit.kernels.estimates import form_of
from searchkit.kernels.faults import inexact
from searchkit.kernels.frontier import Frontier
from searchkit.kernels.graphs import largest_cost
from searchkit.kernels.marked import MarkedRecords, Waiting
from searchkit.kernels.pool import queue_array
from searchkit.kernels.queues import waiting
from searchkit.kernels.records import Records
from searchkit.kernels.runs import Run
from searchkit.kernels.stores import NO_MOVE
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree


class BreadthFirst(Run):
    """`bfs`, compiled."""

    def check(self) -> None:
        """Every view has all that is needed."""

    def make_records(self) -> Records:
        """Return records as small as the graph allows."""
        graph = self.view.graph
        if isinstance(graph, Stencil) and len(graph.offsets) <= NO_MOVE:
            return MarkedRecords(self.problem, self.view, graph, priced=False)
        return super().make_records()

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_starts(self.problem, self.tree)
        self._queue([self.records.enter(state) for state in starts])
        for state in starts:
            if self.problem.is_goal(state):
                self.ended = True
                self.tree.finish(state)
                return

    def _queue(self, nodes: list[int]) -> None:
        room = self.records.room if self.records.hashed else len(self.records.nodes)
        self.queue = queue_array(room)
        self.queue[: len(nodes)] = nodes
        counters = self.counters
        counters[SIZE] = counters[QUEUED] = counters[WAVE] = len(nodes)
        counters[DEPTH] = 0
        self._look()

    def _look(self) -> None:
        end = int(self.counters[QUEUED])
        self.records.order = self.queue[:end]
        self.tree.frontier = Waiting(self.records, self.queue[end - int(self.counters[SIZE]) : end])

    def show(self) -> None:
        """Bring the tree up to date."""
        super().show()
        self._look()

    def closed(self) -> None:
        """Return None, as the tree of the engine in Python has it: what is reached and does not wait is expanded."""

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one expansion more."""
        self.queue = yield from self.grown(self.queue, int(self.counters[QUEUED]), self.records.room)

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = breadth_first(
            self.graph,
            self.records.store,
            self.table,
            self.queue,
            self.records.room,
            *self.out,
            self.counters,
            self.least,
            min(expansions, max(1, self.steps // len(self.out[0]))),
        )
        return why, int(self.counters[EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved."""
        return int(least)

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Nothing is reached more cheaply than at first."""


class BestFirst(Run):
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
        if weight >= EXACT:
            raise inexact()
        self.weight = weight
        ranked = {"high-g": HIGH_G, "low-h": LOW_H} if self.guided else {}
        self.ties = FIFO if ties == "fifo" else ranked.get(ties, LIFO)
        super().__init__(problem, tree)

    def check(self) -> None:
        """Raise `MissingCapabilityError` for a view that lacks the heuristic."""
        if self.guided and self.view.heuristic is None:
            raise MissingCapabilityError(
                f"the compiled view of {type(self.problem).__name__} has no heuristic; use backend='python'"
            )
        self.heuristic = form_of(self.view.heuristic if self.guided else None, self.view.words)
        whole = (
            self.view.whole and self.weight == int(self.weight) and largest_cost(self.view.graph) < MOST_WHOLE
        )
        self.make_queue(whole)

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
        if largest >= EXACT:
            raise inexact()
        if largest >= self.queue.most:
            self.make_queue(whole=False)
        for _ in self.queue.fill(*zip(*entries, strict=True) if entries else ((), (), ())):
            pass
        self.counters[PUSHED] = self.queue.turn
        self.tree.frontier = self.queue

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one expansion more."""
        if self.counters[PUSHED] + len(self.out[0]) > LAST_TURN:
            yield from self.renumber()
        more = len(self.out[0]) + int(self.counters[AGAIN])
        while int(waiting(self.queue.arrays)) + more > self.queue.capacity:
            self.ask(self.queue.growth)
            yield from self.queue.grow()

    def renumber(self) -> Iterator[None]:
        """Give the entries of the frontier new turns, in pieces."""
        self.ask(2 * self.queue.growth)
        yield from self.queue.renumber()
        self.counters[PUSHED] = self.queue.turn

    def attend(self, why: int) -> Iterator[None] | None:
        """Do what a slice ended for; or return how to do it in pieces."""
        if why == WIDER and self.queue.most < EXACT:
            return self._widen()
        if why == TOO_LARGE and self.queue.most < EXACT:
            # An expansion was broken off, and what it did so far would show in the counters.
            self.make_queue(whole=False)
            self.begin_again()
            return None
        return super().attend(TOO_LARGE if why == WIDER else why)

    def _widen(self) -> Iterator[None]:
        self.ask(2 * self.queue.growth)
        yield from self.queue.widen()

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = best_first(
            self.graph,
            self.records.store,
            self.table,
            self.heuristic,
            self.queue.arrays,
            self.records.room,
            self.queue.capacity,
            *self.out,
            self.counters,
            self.least,
            self.queue.most,
            self.queue.largest,
            expansions,
            self.steps,
            self.guided,
            float(self.weight),
            self.ties,
        )
        return why, int(self.counters[EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved."""
        if isinstance(self.weight, float) and isinstance(least, int):
            least = float(least)  # as g + w · h is in Python
        return least if self.weight == 1 else share(least, self.weight)

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
