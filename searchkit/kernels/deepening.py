"""`idastar`, compiled: what it needs beside its kernel."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, overload

import numpy as np

from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.engines.idastar import raise_threshold
from searchkit.errors import MissingCapabilityError
from searchkit.kernels.control import EXACT, EXHAUSTED, FOUND, FULL
from searchkit.kernels.depth_first import (
    COUNTERS,
    CUT,
    EXPANDED,
    GENERATED,
    LENGTH,
    MOVE,
    PEAK,
    SIZE,
    THRESHOLD,
    depth_first,
    entry_type,
    mark,
)
from searchkit.kernels.estimates import form_of
from searchkit.kernels.faults import inexact, refuse
from searchkit.kernels.graphs import arrays_of, branching_of
from searchkit.kernels.slicing import Sliced
from searchkit.kernels.words import as_number, as_words, check_words, state_array
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import Arrival, SearchTree

FIRST_DEPTH = 256
MARKS = 4
"""Marks for each place of the path: three of four states that are not on a full path hit none."""
PIECE = 1 << 16
"""States of the path whose marks are counted at a time."""


class IterativeDeepeningAStar(Sliced):
    """A search by the kernel. The tree shows what it has learned, as after each yield of the engine in Python.

    Begins from the problem's starts, with an empty tree.
    """

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        self.view: CompiledProblem = problem.compiled()  # type: ignore[attr-defined]  # it is Compilable
        if self.view.heuristic is None:
            raise MissingCapabilityError(
                f"the compiled view of {type(problem).__name__} has no heuristic; use backend='python'"
            )
        check_words(self.view)
        self.graph, self.heuristic = arrays_of(self.view.graph), form_of(self.view.heuristic, self.view.words)
        dense = not isinstance(self.view.graph, Functions)
        self.goals = np.array(sorted(set(self.view.goals)) if dense else [], np.uint64)
        table = self.view.table
        self.table = np.zeros(1, np.int64) if table is None else np.ascontiguousarray(table, np.int64)
        self.table.flags.writeable = False
        branching = branching_of(self.view.graph)
        self.out = state_array(branching, self.view.words), np.empty(branching, np.float64)
        self.counters, self.bounds = np.zeros(COUNTERS, np.int64), np.zeros(2, np.float64)
        entry = entry_type(self.view.words)
        self.stack, self.path = np.empty(FIRST_DEPTH, entry), np.empty(0, entry)
        tree.next_threshold = 0
        self._begin([])

    @property
    def state(self) -> Any:
        """The state to be expanded next."""
        return self.unpacked(self.path[self.counters[LENGTH] - 1])

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        why: int = depth_first(
            self.graph,
            self.goals,
            self.table,
            self.heuristic,
            self.stack,
            self.path,
            self.marks,
            *self.out,
            self.counters,
            self.bounds,
            expansions,
            self.steps,
        )
        return why, int(self.counters[EXPANDED])

    def attend(self, why: int) -> Iterator[None] | None:
        """Do what a slice ended for, or return how to do it in pieces."""
        if why == FULL:
            return self._grow()
        if why == FOUND:
            self.ended = True
            self.tree.finish(self.state)
        elif why != EXHAUSTED:
            parent, move = self.state, int(self.counters[MOVE])
            edge = parent, *list(self.problem.successors(parent))[move]
            refuse(self.problem, why, edge, self.view.pack(edge[2]))
        elif self.tree.next_threshold is None:
            self.ended = True
        else:
            self._deepen()
        return None

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, cut = self.tree, float(self.bounds[CUT])
        tree.generated, tree.peak_frontier = int(self.counters[GENERATED]), int(self.counters[PEAK])
        tree.next_threshold = None if cut == inf else self.cost(cut)
        self._look()

    def _check_thresholds(self) -> None:
        """Raise `InexactError` where a kernel can't calculate with them."""
        if max(self.tree.threshold, self.tree.next_threshold or 0) >= EXACT:
            raise inexact()

    def _look(self) -> None:
        """Let the tree show path and stack as they are now."""
        self.tree.reached, self.tree.frontier = Path(self), Stack(self)  # type: ignore[assignment]  # read, not written

    def _deepen(self) -> None:
        """Begin the next iteration."""
        tree = self.tree
        tree.reached, tree.frontier = {}, []
        try:
            raise_threshold(self.problem, tree, self.problem.heuristic)
            starts = tree.frontier
        finally:
            self._look()
        self._check_thresholds()
        self._begin([state for _, state, _ in starts])

    def _begin(self, starts: Sequence[Any]) -> None:
        """Fill the stack with starts, the next one last, and empty the path."""
        self.stack = np.empty(len(starts) + max(len(self.stack), len(self.out[0])), self.path.dtype)
        for index, state in enumerate(starts):
            self.stack[index] = as_words(self.view.pack(state), self.view.words), 0, 0, 0
        self.counters[SIZE], self.counters[LENGTH] = len(starts), 0
        cut = self.tree.next_threshold
        self.bounds[THRESHOLD], self.bounds[CUT] = self.tree.threshold, inf if cut is None else cut
        for _ in self._mark(np.empty(max(FIRST_DEPTH, len(self.path)), self.path.dtype), 0):
            pass
        self._look()

    def _grow(self) -> Iterator[None]:
        """Make room for one expansion more, in pieces. Raises `MemoryError`; nothing is lost then."""
        size, length = int(self.counters[SIZE]), int(self.counters[LENGTH])
        if size + len(self.out[0]) > len(self.stack):
            self.stack = yield from self.grown(self.stack, size, 2 * (size + len(self.out[0])))
        if self.stack[size - 1]["depth"] >= len(self.path):
            path = yield from self.grown(self.path, length, 2 * len(self.path))
            yield from self._mark(path, length)

    def _mark(self, path: Any, length: int) -> Iterator[None]:
        """Take an array for the path into use: count its states by their hashes, in an array as large."""
        marks = np.zeros(1 << (MARKS * len(path) - 1).bit_length(), np.uint32)
        for first in range(0, length, PIECE):
            if first:
                yield
            mark(path, first, min(length, first + PIECE), marks)
        self.path, self.marks = path, marks

    def unpacked(self, entry: Any) -> Any:
        """Return the state of an entry."""
        return self.view.unpack(as_number(entry["state"]))

    def cost(self, number: float) -> Cost:
        """Return a cost as the problem would have it: a whole number as an integer."""
        return int(number) if self.view.whole and number == number // 1 else float(number)

    def arrival(self, entry: Any, parent: Any) -> Arrival[Any, Any]:
        """Return how the state of an entry was reached."""
        if not entry["depth"]:
            return 0, None, None
        action, _ = list(self.problem.successors(parent))[int(entry["move"])]
        return self.cost(float(entry["g"])), parent, action


class Path(Mapping[Any, Arrival[Any, Any]]):
    """State → its arrival, along the path that a run stands on, as in the tree of the engine in Python."""

    def __init__(self, run: IterativeDeepeningAStar):
        self.run = run
        self.entries = run.path[: run.counters[LENGTH]]
        self.arrivals: dict[Any, Arrival[Any, Any]] | None = None

    def _read(self) -> dict[Any, Arrival[Any, Any]]:
        if self.arrivals is None:
            self.arrivals, parent = {}, None
            for entry in self.entries:
                state = self.run.unpacked(entry)
                self.arrivals[state] = self.run.arrival(entry, parent)
                parent = state
        return self.arrivals

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        return self._read()[state]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self.entries)


class Stack(Sequence[tuple[int, Any, Arrival[Any, Any]]]):
    """The frontier of a run, as in the tree of the engine in Python: depth, state and arrival, the next one last."""

    def __init__(self, run: IterativeDeepeningAStar):
        self.run = run
        self.entries = run.stack[: run.counters[SIZE]]

    @overload
    def __getitem__(self, index: int) -> tuple[int, Any, Arrival[Any, Any]]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, Any, Arrival[Any, Any]]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        entry = self.entries[index]
        depth = int(entry["depth"])
        parent = self.run.unpacked(self.run.path[depth - 1]) if depth else None
        return depth, self.run.unpacked(entry), self.run.arrival(entry, parent)

    def __len__(self) -> int:
        return len(self.entries)
