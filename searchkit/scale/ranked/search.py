"""Breadth-first search in two bits a state, layer by layer, on all cores."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
from attrs import define, field

from searchkit.compiled.kit import Probe, control
from searchkit.compiled.kit.graph import arrays_of, branching_of
from searchkit.compiled.view import CompiledProblem
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.scale.ranked.kernels import (
    COUNTERS,
    EVEN,
    EXPANDED,
    GENERATED,
    NEXT,
    ODD,
    PER_WORD,
    WAITING,
    WRONG,
    WRONG_RANK,
    count_marked,
    expand_marked,
)

CHUNK = 1 << 13
"""The words that a thread takes at a time: few enough that all threads end at about the same time."""
COUNTED = 1 << 21
"""The words that are counted in one call of a kernel, a few milliseconds."""
POLL_SECONDS = 0.02


def memory_of(size: int) -> int:
    """Return how many bytes the cells of so many ranks take."""
    return 8 * _words(size)


def _words(size: int) -> int:
    return -(-size // PER_WORD)


class RankedSearch:
    """Breadth-first search of everything that can be reached, in two bits a state (Cooperman and Finkelstein 1992).

    Each state has a cell of two bits, found by its rank. The bits say whether it is unseen, of the present layer, of
    the next one, or expanded; a layer is expanded by a scan of all cells (Korf, "Minimizing disk I/O in two-bit
    breadth-first search", AAAI 2008; here the cells are in memory). Costs, goals and the heuristic are not used.

    Args:
        view: the compiled view, with a ranking.
        starts: the packed start states.
        threads: how many threads expand a layer.

    Raises:
        MissingCapabilityError: the view has no ranking.
        InvalidProblemError: the ranking is not made as `Ranking` says, or a start has no valid rank.
        MemoryError: there is no memory for the cells.

    """

    def __init__(self, view: CompiledProblem, starts: Iterable[int], threads: int = 1):
        self._view, self._probe, self.threads = view, Probe(view), threads
        ranking = self._probe.ranking
        if ranking is None:
            raise MissingCapabilityError("the compiled view has no ranking")
        self._ranking, self._graph = ranking, arrays_of(view.graph)
        self.cells = np.zeros(_words(ranking.size), np.uint64)
        """Two bits for each rank, the first in the lowest bits of the first word."""
        self.counts: list[int] = []
        """The number of states of each depth, as far as it is known."""
        self.ended = False
        """Whether all states were reached."""
        self._mark = EVEN
        self._done = _Effort()
        self._workers: list[_Worker] = []
        for start in starts:
            rank = self._checked(start, "a start")
            self.cells[rank // PER_WORD] |= np.uint64(EVEN << 2 * (rank % PER_WORD))
        self._count()

    @property
    def size(self) -> int:
        """How many ranks there are: at least as many as states."""
        return self._ranking.size

    @property
    def expanded(self) -> int:
        """How many states were expanded so far."""
        return self._done.expanded + sum(int(worker.counters[EXPANDED]) for worker in self._workers)

    @property
    def generated(self) -> int:
        """How many successors were generated so far."""
        return self._done.generated + sum(int(worker.counters[GENERATED]) for worker in self._workers)

    def expand_layer(self, goes_on: Callable[[], bool]) -> bool:
        """Expand the deepest layer that is known and count the next one; return whether `goes_on` allowed it.

        `goes_on` is called about fifty times a second, in this thread. If it returns False or raises, the layer can be
        expanded further by another call.

        Raises:
            InvalidProblemError: a state has no valid rank.

        """
        total = len(self.cells)
        spans = deque((first, min(first + CHUNK, total)) for first in range(0, total, CHUNK))
        wanted = min(self.threads, len(spans))
        self._workers = [_Worker.of(self._view) for _ in range(wanted)]
        try:
            if wanted == 1:
                finished = self._work(self._workers[0], spans, goes_on)
            else:
                finished = self._work_together(spans, goes_on)
        finally:
            self._done = _Effort(self.expanded, self.generated)
            self._workers = []
        if finished:
            self._mark = ODD if self._mark == EVEN else EVEN
            self._count()
        return finished

    def _work_together(self, spans: "deque[tuple[int, int]]", goes_on: Callable[[], bool]) -> bool:
        stopped = Event()
        with ThreadPoolExecutor(len(self._workers), "two-bit search") as pool:
            try:
                begun = [
                    pool.submit(self._work, worker, spans, lambda: not stopped.is_set())
                    for worker in self._workers
                ]
                waiting = set(begun)
                while waiting:
                    done, waiting = wait(waiting, POLL_SECONDS)
                    if any(future.exception() for future in done) or not goes_on():
                        break
            finally:
                stopped.set()
        finished = [future.result() for future in begun]  # all of them: each may raise
        return all(finished)

    def _work(self, worker: "_Worker", spans: "deque[tuple[int, int]]", goes_on: Callable[[], bool]) -> bool:
        """Expand the states of the present layer in the words of some spans; return False if they are not all done."""
        ranking, counters = self._ranking, worker.counters
        while spans:
            try:
                counters[NEXT], end = spans.popleft()
            except IndexError:  # another thread took the last one
                return True
            while True:
                begin = perf_counter()
                finished = expand_marked(
                    self._graph, ranking.rank, ranking.unrank, self._probe.table, self.cells, ranking.size,
                    self._mark, end, worker.steps, counters, *worker.out, worker.waiting,
                )  # fmt: skip
                worker.steps = control.next_steps(worker.steps, perf_counter() - begin)
                if counters[WRONG]:
                    self._blame(int(counters[WRONG]) - 1, int(counters[WRONG_RANK]))
                if not goes_on():
                    return False
                if finished:
                    break
        return True

    def _count(self) -> None:
        """Count the states of the next layer."""
        found = 0
        for first in range(0, len(self.cells), COUNTED):
            found += int(count_marked(self.cells, first, min(first + COUNTED, len(self.cells)), self._mark))
        if found:
            self.counts.append(found)
        self.ended = not found or sum(self.counts) == self.size

    def _checked(self, packed: int, what: str) -> int:
        """Return the rank of a packed state. Raises `InvalidProblemError` if it is not valid."""
        state, rank = self._view.unpack(packed), self._probe.rank(packed)
        if rank >= self.size:
            raise InvalidProblemError(
                f"{what}, {state!r}, has the rank {rank}; expected a number below {self.size}, the size of the ranking"
                f"{SEE}"
            )
        back = self._probe.unrank(rank)
        if back != packed:
            raise InvalidProblemError(
                f"{what}, {state!r}, has the rank {rank}, which is the rank of {self._view.unpack(back)!r}{SEE}"
            )
        return rank

    def _blame(self, parent: int, rank: int) -> None:
        """Raise `InvalidProblemError` for a successor without a valid rank."""
        packed = self._probe.unrank(parent)
        for successor, _ in self._probe.successors(packed):
            self._checked(successor, f"a successor of {self._view.unpack(packed)!r}")
        raise InvalidProblemError(
            f"rank returned {rank} once, and another number for the same state later{SEE}"
        )


SEE = "; searchkit.testing.check_compiled checks rankings"


@define
class _Effort:
    """What was done so far."""

    expanded: int = 0
    generated: int = 0


@define(eq=False)
class _Worker:
    """What one thread works with."""

    out: tuple[Any, Any]
    """Arrays for the successors of one state, and for their costs."""
    waiting: Any
    """The ranks that are to be marked."""
    counters: Any = field(factory=lambda: np.zeros(COUNTERS, np.int64))
    steps: int = control.FIRST_STEPS

    @classmethod
    def of(cls, view: CompiledProblem) -> "_Worker":
        """Return the arrays for a view."""
        branching = branching_of(view.graph)
        out = np.empty(branching, np.uint64), np.empty(branching, np.float64)
        return cls(out, np.empty(WAITING + branching, np.uint64))
