"""Driving a kernel: the manners of an engine's generator, slice by slice."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from searchkit.compiled.view import CompiledProblem, Stencil
from searchkit.kernels.control import (
    BAD_COST,
    BAD_ESTIMATE,
    COUNTERS,
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
    REOPENED_BY,
    REOPENED_FROM,
    TOO_LARGE,
)
from searchkit.kernels.estimates import exceeded
from searchkit.kernels.faults import inexact, refuse
from searchkit.kernels.graphs import arrays_of, branching_of
from searchkit.kernels.marked import MarkedRecords
from searchkit.kernels.records import Closed, Records
from searchkit.kernels.slicing import Sliced
from searchkit.kernels.stores import NO_MOVE
from searchkit.kernels.words import check_words, state_array
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree, Trail


class Run(Sliced):
    """A search by a kernel. The tree shows what it has learned, as after each yield of an engine in Python.

    Begins from the problem's starts, with an empty tree.
    """

    guided = False
    """Whether the heuristic is used: then `check` sets it, in the form that kernels take."""
    heuristic: Any

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        self.view: CompiledProblem = problem.compiled()  # type: ignore[attr-defined]  # it is Compilable
        check_words(self.view)
        self.check()
        self.records = self.make_records()
        self.graph = arrays_of(self.view.graph)
        table = self.view.table
        self.table = np.zeros(1, np.int64) if table is None else np.ascontiguousarray(table, np.int64)
        self.table.flags.writeable = False
        branching = branching_of(self.view.graph)
        self.out = state_array(branching, self.view.words), np.empty(branching, np.float64)
        self.counters, self.least = np.zeros(COUNTERS, np.int64), np.zeros(1, np.float64)
        self.warned = False
        self.begin()
        self._look_into_records()

    def _look_into_records(self) -> None:
        """Let the tree show what the records hold."""
        self.counters[NODES], self.counters[REACHED] = self.records.count, self.records.reached
        self.tree.hold(self.records)
        self.tree.closed = self.closed()

    def begin_again(self) -> None:
        """Search from the starts once more, up to where the search stands, with nothing of what it has held so far."""
        tree = self.tree
        self.behind += tree.expanded + self.done
        fresh: SearchTree[Any, Any] = SearchTree()
        tree.reached, tree.closed, tree.warnings = fresh.reached, fresh.closed, fresh.warnings
        self.records = self.make_records()
        self.counters[:], self.least[:], self.warned = 0, 0, False
        self.begin()
        self._look_into_records()

    @abstractmethod
    def check(self) -> None:
        """Raise `MissingCapabilityError` where the view lacks what the engine needs; the tree is still as it was."""

    def make_records(self) -> Records:
        """Return what will hold the states that are reached, as small as the graph allows."""
        graph = self.view.graph
        if isinstance(graph, Stencil) and len(graph.offsets) <= NO_MOVE:
            return MarkedRecords(self.problem, self.view, graph, priced=True)
        return Records(self.problem, self.view)

    def closed(self) -> Any:
        """Return what the tree shows as the closed states."""
        return Closed(self.records)

    @abstractmethod
    def begin(self) -> None:
        """Enter the starts into the records and the frontier."""

    @abstractmethod
    def grow_frontier(self) -> Iterator[None]:
        """Make room in the frontier for one expansion more, in pieces. Raises `MemoryError`; nothing is lost then."""

    @abstractmethod
    def lower_bound(self, least: Cost) -> Cost:
        """Return what is proved once `least[0]` is the least that is left."""

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """Whether it is sure that no estimate along a path exceeds what the rest of it costs."""
        view = self.view
        if not self.guided or not (view.whole or isinstance(view.graph, Stencil)):
            return False
        packed = self.records.packed(trail.nodes)
        return not exceeded(self.heuristic, self.table, packed, np.array(costs, np.float64), view.whole)

    def advance(self, most: int) -> int:
        """Do the same, after the warning that could not be made because the problem raised."""
        self._warn_of_reopening()
        return super().advance(most)

    def attend(self, why: int) -> Iterator[None] | None:
        """Do what a slice ended for; or return how to do it in pieces. Raises `InexactError`."""
        self._warn_of_reopening()  # whatever else the slice came to, this came first
        if why == FULL:
            return self._grow()
        if why == TOO_LARGE:
            raise inexact()
        if why in (BAD_COST, BAD_ESTIMATE):
            edge = self._edge(PARENT, MOVE)
            self.asked = edge[0]
            refuse(self.problem, why, edge, self.view.pack(edge[2]))
        elif why != INCONSISTENT:
            self.ended = True
            if why == FOUND:
                self.tree.finish(self.records.state(int(self.counters[HEAD_NODE])))
        return None

    @property
    def state(self) -> Any:
        """The state to be expanded next."""
        return self.records.state(int(self.counters[HEAD_NODE]))

    def _warn_of_reopening(self) -> None:
        if self.tree.reopened and not self.warned:
            edge = self._edge(REOPENED_FROM, REOPENED_BY)
            self.asked = edge[0]
            self.warn(*edge)
            self.warned = True

    @abstractmethod
    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Say that a closed state was reached more cheaply, for the first time."""

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, counters = self.tree, self.counters
        self.records.count, self.records.reached = int(counters[NODES]), int(counters[REACHED])
        tree.generated, tree.reopened = int(counters[GENERATED]), int(counters[REOPENED])
        tree.peak_frontier = int(counters[PEAK])
        tree.lower_bound = self.lower_bound(self.records.cost(float(self.least[0])))

    def _grow(self) -> Iterator[None]:
        if self.records.count + len(self.out[0]) > self.records.room:
            self.ask(self.records.growth)
            yield from self.records.grow()
        yield from self.grow_frontier()

    def _edge(self, node: int, move: int) -> tuple[Any, Any, Any]:
        """Return the state, the action and the successor that these counters tell."""
        parent = self.records.state(int(self.counters[node]))
        return parent, *self.records.action(parent, int(self.counters[move]))
