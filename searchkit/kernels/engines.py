"""The compiled engines: what each needs beside its kernel."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

import numpy as np

from searchkit.engines._common import enter_estimated_starts, enter_starts, inconsistency
from searchkit.errors import MissingCapabilityError
from searchkit.kernels.best_first import FIFO, HIGH_G, LAST_TURN, LIFO, LOW_H, best_first
from searchkit.kernels.breadth_first import breadth_first
from searchkit.kernels.control import EXPANDED, PUSHED, QUEUED, SIZE
from searchkit.kernels.estimates import form_of
from searchkit.kernels.heap import WORDS
from searchkit.kernels.pool import queue_array
from searchkit.kernels.records import FIRST_ROOM
from searchkit.kernels.runs import Run
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree


class BreadthFirst(Run):
    """`bfs`, compiled."""

    def check(self) -> None:
        """Every view has all that is needed."""

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_starts(self.problem, self.tree)
        self._queue([self.records.enter(state, 0.0) for state in starts])
        for state in starts:
            if self.problem.is_goal(state):
                self.ended = True
                self.tree.finish(state)
                return

    def adopt_frontier(self) -> None:
        """Fill the frontier from that of the engine in Python."""
        self._queue([self.records.node(state) for state in self.tree.frontier])

    def _queue(self, nodes: list[int]) -> None:
        room = self.records.room if self.records.hashed else len(self.records.store.nodes)
        self.queue = queue_array(self, room)
        self.queue[: len(nodes)] = nodes
        self.counters[SIZE] = self.counters[QUEUED] = len(nodes)
        self.tree.frontier = self.queue

    def grow_frontier(self) -> None:
        """Make room for one expansion more."""
        grown = np.empty(self.records.room, np.uint32)
        grown[: len(self.queue)] = self.queue
        self.queue = grown

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
            expansions,
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
        self.weight = weight
        ranked = {"high-g": HIGH_G, "low-h": LOW_H} if self.guided else {}
        self.ties = FIFO if ties == "fifo" else ranked.get(ties, LIFO)
        self.heap = np.empty(WORDS * FIRST_ROOM, np.uint64)
        super().__init__(problem, tree)

    def check(self) -> None:
        """Raise `MissingCapabilityError` for a view that lacks the heuristic."""
        if self.guided and self.view.heuristic is None:
            raise MissingCapabilityError(
                f"the compiled view of {type(self.problem).__name__} has no heuristic; use backend='python'"
            )
        self.heuristic = form_of(self.view.heuristic if self.guided else None)

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_estimated_starts(
            self.problem, self.tree, self.problem.heuristic if self.guided else None
        )
        nodes = {state: self.records.enter(state, 0.0) for state in self.tree.reached}
        self._fill((self.weight * h, h if self.ties == LOW_H else 0, nodes[state]) for state, h in starts)

    def adopt_frontier(self) -> None:
        """Fill the frontier from that of the engine in Python."""
        node, ranked = self.records.node, self.ties in (HIGH_G, LOW_H)
        if self.guided:
            entries = [
                (order, f, rank if ranked else g, state) for f, rank, order, g, state in self.tree.frontier
            ]
        else:
            entries = [(order, g, g, state) for g, order, state in self.tree.frontier]
        entries.sort(key=itemgetter(0), reverse=self.ties != FIFO)  # in the order in which they were made
        self._fill((f, rank, node(state)) for _, f, rank, state in entries)

    def _fill(self, entries: Iterable[tuple[Cost, Cost, int]]) -> None:
        """Fill the heap with (f, rank, node), given in the order in which they were made."""
        made = list(entries)
        words = np.empty((len(made), WORDS), np.uint64)
        words[:, 0] = np.array([f for f, _, _ in made], np.float64).view(np.uint64)
        ranks = np.array([abs(rank) for _, rank, _ in made], np.float64).view(np.uint64)
        words[:, 1] = ~ranks if self.ties == HIGH_G else ranks
        words[:, 2] = self._turns(len(made)) << 32 | np.array([node for *_, node in made], np.uint64)
        by = (2, 1, 0) if self.ties in (HIGH_G, LOW_H) else (2, 0)
        ordered = words[np.lexsort([words[:, column] for column in by])]  # what is sorted is a heap
        if ordered.size > len(self.heap):
            self.heap = np.empty(2 * ordered.size, np.uint64)
        self.heap[: ordered.size] = ordered.ravel()
        self.counters[SIZE] = self.counters[PUSHED] = len(made)
        self.tree.frontier = self.heap

    def _turns(self, count: int) -> Any:
        turns = np.arange(1, count + 1, dtype=np.uint64)
        return turns if self.ties == FIFO else np.uint64(LAST_TURN) - turns

    def grow_frontier(self) -> None:
        """Make room for one expansion more."""
        if self.counters[PUSHED] + len(self.out[0]) > LAST_TURN:
            self._renumber()
        needed = WORDS * (int(self.counters[SIZE]) + len(self.out[0]))
        if needed > len(self.heap):
            grown = np.empty(2 * needed, np.uint64)
            grown[: len(self.heap)] = self.heap
            self.heap = grown

    def _renumber(self) -> None:
        """Give the entries new turns, in the order in which they were made."""
        size = int(self.counters[SIZE])
        words = self.heap[: WORDS * size].reshape(size, WORDS)
        turns = words[:, 2] >> 32
        made = np.argsort(turns if self.ties == FIFO else ~turns)
        words[made, 2] = self._turns(size) << 32 | words[made, 2] & np.uint64(0xFFFFFFFF)
        self.counters[PUSHED] = size

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = best_first(
            self.graph,
            self.records.store,
            self.table,
            self.heuristic,
            self.heap,
            self.records.room,
            *self.out,
            self.counters,
            self.least,
            expansions,
            self.guided,
            float(self.weight),
            self.ties,
        )
        return why, int(self.counters[EXPANDED])

    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved."""
        return least if self.weight == 1 else least / self.weight

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
