"""What the compiled forms of `bucket` and `greedy` share: making their queue, and making room in it."""

from collections.abc import Generator, Iterator
from math import inf
from typing import Any

import numpy as np

from searchkit.engines.kit import enter_starts_with_heuristic
from searchkit.errors import MissingCapabilityError
from searchkit.kernels.best_first import FIFO, HIGH_G, LIFO, LOW_H
from searchkit.kernels.control import EXACT
from searchkit.kernels.entries import LAST_TURN
from searchkit.kernels.estimates import form_of
from searchkit.kernels.faults import inexact
from searchkit.kernels.frontier import Frontier
from searchkit.kernels.records import FIRST_ROOM, PIECE
from searchkit.kernels.runs import Run
from searchkit.kernels.slicing import finished
from searchkit.kernels.standing import (
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
    fill,
    made,
)
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree

FIRST_BUCKETS, MOST_BUCKETS = 1 << 10, 1 << 16
"""Where priorities are farther apart than the most buckets, a ladder takes them: finding the next bucket that is not
empty would take longer."""


class Queued(Run):
    """A search whose frontier is one of `searchkit.kernels.standing`: buckets where they will do, else a ladder."""

    least_start: Cost = inf
    """The least estimate of a start."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ties: str):
        self.ties = {"high-g": HIGH_G, "low-h": LOW_H, "fifo": FIFO}.get(ties, LIFO)
        self.first_in = self.ties == FIFO
        super().__init__(problem, tree)

    def check(self) -> None:
        """Raise `MissingCapabilityError` for a view that lacks the heuristic."""
        if self.guided and self.view.heuristic is None:
            raise MissingCapabilityError(
                f"the compiled view of {type(self.problem).__name__} has no heuristic; use backend='python'"
            )
        self.heuristic = form_of(self.view.heuristic if self.guided else None, self.view.words)

    def begin(self) -> None:
        """Enter the starts."""
        starts = enter_starts_with_heuristic(
            self.problem, self.tree, self.problem.heuristic if self.guided else None
        )
        nodes = {state: self.records.enter(state) for state in self.tree.reached}
        self.least_start = min((h for _, h in starts), default=inf)
        self._fill([(h, h if self.ties == LOW_H else 0, nodes[state]) for state, h in starts])

    def _fill(self, entries: list[tuple[Cost, Cost, int]]) -> None:
        if any(f >= EXACT for f, _, _ in entries):
            raise inexact()
        priorities = np.array([f for f, _, _ in entries], np.float64)
        ranks = np.array([rank for _, rank, _ in entries], np.float64)
        nodes = np.array([node for _, _, node in entries], np.uint64)
        buckets = finished(self._buckets(priorities, FIRST_BUCKETS))
        self.queue = finished(self._queue(priorities, ranks, nodes, buckets))
        self.tree.frontier = self.queue

    def _buckets(self, priorities: Any, least: int) -> Generator[None, None, int]:
        """Return how many buckets, no fewer than `least`, fit these priorities; 0 where none do. In pieces."""
        if not self.view.whole or self.ties in (HIGH_G, LOW_H):
            return 0
        low, high = EXACT, 0.0
        for first in range(0, len(priorities), PIECE):
            if first:
                yield
            some = priorities[first : first + PIECE]
            low, high = min(low, float(some.min())), max(high, float(some.max()))
            if high - low >= MOST_BUCKETS or (some % 1).any():
                return 0
        reach = max(0, int(high - low)) + 1
        return min(MOST_BUCKETS, max(least, 1 << (2 * reach - 1).bit_length()))

    def _queue(
        self, priorities: Any, ranks: Any, nodes: Any, buckets: int
    ) -> Generator[None, None, Ladder | Buckets]:
        """Return a queue of entries, given in the order in which they were made; a ladder unless there are buckets.

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
            for first in range(0, len(nodes), PIECE):
                if first:
                    yield
                fill(queue, priorities[first : first + PIECE], nodes[first : first + PIECE])
            return queue
        ranked, high_g = self.ties in (HIGH_G, LOW_H), self.ties == HIGH_G
        self.frontier = Frontier(False, ranked, high_g, self.first_in)
        yield from self.frontier.fill(priorities, ranks, nodes)
        state[SIZE], state[TURN] = len(nodes), self.frontier.turn
        return Ladder(self.frontier.arrays, state, ranked, high_g, self.first_in)

    def grow_frontier(self) -> Iterator[None]:
        """Make room for one expansion more."""
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
                self.ask(self.frontier.growth)
                yield from self.frontier.grow()
            self.queue = self.queue._replace(queue=self.frontier.arrays)
        self.tree.frontier = self.queue

    def _widen(self, queue: Buckets) -> Iterator[None]:
        """Make as many buckets as it takes, or a ladder, and let in what waits outside."""
        size = int(queue.state[SIZE])
        self.ask(4 * size * np.dtype(np.float64).itemsize)
        priorities, nodes = np.empty(size, np.float64), np.empty(size, np.uint64)
        places = np.zeros(PLACES, np.int64)
        while not made(queue, priorities, nodes, places):
            yield
        buckets = yield from self._buckets(priorities, len(queue.firsts))
        wider = yield from self._queue(priorities, np.zeros(size), nodes, buckets)
        self.queue = wider

    def renumber(self) -> Iterator[None]:
        """Give the entries of the ladder new turns, in the order in which they were made. In pieces."""
        self.ask(2 * self.frontier.growth)
        yield from self.frontier.renumber()
        self.queue = self.queue._replace(queue=self.frontier.arrays)
        self.queue.state[TURN] = self.frontier.turn
