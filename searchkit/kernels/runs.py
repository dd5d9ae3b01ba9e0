"""Driving a kernel: the manners of an engine's generator, slice by slice."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from searchkit.compiled import CompiledProblem, Stencil
from searchkit.errors import InvalidProblemError
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
)
from searchkit.kernels.estimates import exceeded
from searchkit.kernels.faults import refuse
from searchkit.kernels.graphs import arrays_of, branching_of
from searchkit.kernels.marked import MarkedRecords
from searchkit.kernels.records import Closed, Records
from searchkit.kernels.slicing import Sliced
from searchkit.kernels.stores import CLOSED, NO_MOVE
from searchkit.kernels.words import check_words, state_array
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import SearchTree, Trail

EXACT = 2.0**53
"""Floats hold integers exactly up to here."""


class Run(Sliced):
    """A search by a kernel. The tree shows what it has learned, as after each yield of an engine in Python.

    Begins from the problem's starts, or goes on from the tree of the same engine in Python (and from no other).
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
        if tree.frontier is None:
            self.begin()
        else:
            self._adopt()
        self.counters[NODES], self.counters[REACHED] = self.records.count, self.records.reached
        tree.reached, tree.closed = self.records, self.closed()  # type: ignore[assignment]  # read, not written

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
    def adopt_frontier(self) -> None:
        """Fill the frontier from that of the engine in Python."""

    @abstractmethod
    def grow_frontier(self) -> None:
        """Make room in the frontier for one expansion more. Raises `MemoryError`; nothing is lost then."""

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

    def attend(self, why: int) -> None:
        """Do what a slice ended for."""
        if why == FULL:
            self._grow()
        elif why == INCONSISTENT:
            self.warn(*self._edge())
        elif why in (BAD_COST, BAD_ESTIMATE):
            edge = self._edge()
            refuse(self.problem, why, edge, self.view.pack(edge[2]))
        else:
            self.ended = True
            if why == FOUND:
                self.tree.finish(self.records.state(int(self.counters[HEAD_NODE])))

    @property
    def state(self) -> Any:
        """The state to be expanded next."""
        return self.records.state(int(self.counters[HEAD_NODE]))

    @abstractmethod
    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Say that a closed state was reached more cheaply, for the first time."""

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, counters = self.tree, self.counters
        self.records.count, self.records.reached = int(counters[NODES]), int(counters[REACHED])
        tree.generated, tree.reopened = int(counters[GENERATED]), int(counters[REOPENED])
        tree.peak_frontier = int(counters[PEAK])
        least = float(self.least[0])
        if self.view.whole and least > EXACT:
            raise InvalidProblemError(
                f"costs add up to more than 2**53 = {EXACT:.0f}, which compiled engines can't calculate with exactly; "
                "use backend='python'"
            )
        tree.lower_bound = self.lower_bound(self.records.cost(least))

    def _grow(self) -> None:
        if self.records.count + len(self.out[0]) > self.records.room:
            self.records.grow()
        self.grow_frontier()

    def _adopt(self) -> None:
        tree, records = self.tree, self.records
        records.before = dict(tree.reached)
        for state, (g, _, _) in records.before.items():
            records.enter(state, float(g))
        for state, (_, parent, _) in records.before.items():
            if parent is not None:
                records.follow(records.node(state), records.node(parent))
        for state in tree.closed or ():
            records.mark(records.node(state), CLOSED)
        counters = self.counters
        counters[GENERATED], counters[REOPENED] = tree.generated, tree.reopened
        counters[PEAK] = tree.peak_frontier
        self.adopt_frontier()

    def _edge(self) -> tuple[Any, Any, Any]:
        """Return the state, the action and the successor that a slice ended at."""
        parent = self.records.state(int(self.counters[PARENT]))
        return parent, *self.records.action(parent, int(self.counters[MOVE]))
