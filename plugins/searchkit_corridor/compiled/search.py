"""The engine `corridor`, compiled: phases as in `searchkit_corridor.search.phases`, over arrays."""

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.kit import KernelRun, control
from searchkit.engines.kit import distinct_starts
from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled.coarse import ADMITTED, OPENED, VISITED
from searchkit_corridor.compiled.frontier import ArrayFrontier
from searchkit_corridor.compiled.ground import regions_of
from searchkit_corridor.compiled.kernels import COST, DEFERRED, GOAL, NEVER, REACHED
from searchkit_corridor.compiled.mask import Marked, Planner
from searchkit_corridor.compiled.store import Store
from searchkit_corridor.compiled.views import Closed, Reached
from searchkit_corridor.compiled.waiting import ROOM, Waiting
from searchkit_corridor.search.frontier import PhaseReport
from searchkit_corridor.search.phases import conclude, reopens
from searchkit_dungeon import Cell


class CorridorSearch(KernelRun):
    """A search by the engine `corridor` on a grid, from its starts, with an empty tree.

    Raises `MissingCapabilityError` for other problems, and for subclasses, which may have other steps.
    """

    def __init__(
        self,
        problem: Any,
        tree: Any,
        variant: str = "optimal",
        radius: int = 2,
        budget: int = 32,
        activation: str = "list",
        learn: bool = True,
        semantics: str = "strict",
    ):
        self.problem, self.tree = problem, tree
        store = self.store = Store(problem, regions_of(problem), activation == "region")
        self.prove, self.restarts = variant == "proved", variant == "restart"
        self.reopens = reopens(variant, semantics, by_depth=store.depths is not None)
        self.budget, self.learn = budget, learn
        starts = tuple(distinct_starts(problem))
        self.planner = Planner(problem, store, starts, radius)
        self.before = (0, 0)
        """The counters of generated and reopened states at the beginning of the phase."""
        self._begin(starts)
        tree.hold(Reached(store))
        tree.frontier = self.frontier
        tree.closed = Closed(store) if self.reopens else None

    @property
    def state(self) -> Cell:
        """The cell to be expanded next."""
        return self.store.place(int(self.store.counters[kernels.HEAD]))

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        store = self.store
        store.counters[kernels.WAITING] = store.waiting.count
        why: int = kernels.search(
            store.ground,
            store.far,
            store.cells,
            self.mask.marks,
            store.queue,
            store.entering,
            store.waiting.cells,
            store.counters,
            self.mask.masked,
            store.depths is not None,
            self.reopens,
            self.prove,
            expansions,
            self.steps,
        )
        expanded = int(store.counters[kernels.EXPANDED])
        self.frontier.phase.expanded += expanded
        return why, expanded

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, counters = self.tree, self.store.counters
        self.store.waiting.count = int(counters[kernels.WAITING])
        tree.generated, tree.reopened = int(counters[kernels.GENERATED]), int(counters[kernels.REOPENED])
        tree.peak_frontier = int(counters[kernels.PEAK])
        phase, (generated, reopened) = self.frontier.phase, self.before
        phase.generated, phase.reopened = tree.generated - generated, tree.reopened - reopened
        self.see_goal()

    def go_back(self) -> None:
        """Do nothing: the store is consistent after each slice."""

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why == control.FULL:
            return self.store.grow(self.check_memory)
        if self.concludes():
            self.ended = True
        else:
            self._next_phase()
        return None

    def concludes(self) -> bool:
        """Record what the finished phase has proved; return whether the search ends."""
        exact = self.reopens or self.restarts
        return conclude(self.problem, self.tree, self.planner.regions, prove=self.prove, exact=exact)

    def see_goal(self) -> None:
        """Pass the best goal so far to the frontier."""
        limit, goal = self.store.counters[[kernels.LIMIT, kernels.GOAL_CELL]].tolist()
        if limit < NEVER:
            self.frontier.incumbent, self.frontier.goal = limit, self.store.place(goal)

    def _begin(self, starts: tuple[Cell, ...]) -> None:
        """Plan the first corridor, and enter the starts in it; defer the other starts."""
        store = self.store
        mask, blocks = self.planner.first()
        store.waiting.put(store.defer(starts))
        self.frontier = ArrayFrontier(starts, None, mask.least_depth, store.waiting, store=store)
        self.frontier.bound = self.frontier.least_open_cost(self.planner.regions)
        if self.frontier.bound == inf:
            self.frontier.bound = max(0, blocks - 1)
        self._open(mask)
        self.tree.lower_bound = self.frontier.bound

    def _next_phase(self) -> None:
        """Widen the mask, and enter the deferred cells that it admits; or begin again."""
        frontier = self.frontier
        mask = self.planner.wider(frontier, self.mask, self.budget, self.learn)
        self._open(mask)
        frontier.widenings = 0 if mask.kind == "depth" else frontier.widenings + 1

    def _open(self, mask: Marked) -> None:
        """Use a new mask. All memory is allocated first, so that nothing is lost if there is none left."""
        store, frontier, marks, waiting = self.store, self.frontier, mask.marks, self.store.waiting
        again = self.restarts and bool(frontier.phases)
        if again:
            waiting = Waiting(False, store.ground.regions)
            waiting.put(self.planner.starts)
        deep = store.deep(mask.least_depth)
        left, active, costs = self._admitted(mask, waiting, deep)
        queue, entering = np.empty(max(len(store.queue), len(active) + ROOM), np.int32), costs[:0]
        if self.reopens:
            entering = costs << COST | active
        else:
            queue[: len(active)] = active
        goals = np.flatnonzero(store.cells[active] & GOAL)
        first_time = mask.opened[marks[mask.opened] & OPENED == 0]
        opened = frozenset(mask.opened.tolist())
        report = PhaseReport(mask.kind, opened, mask.regions, mask.least_depth, len(active))
        if again:
            store.forget()
            store.defer(frontier.starts)
        waiting.put(left)

        store.queue, store.entering, store.waiting = queue, entering, waiting
        store.ground = store.ground._replace(deep=deep)
        store.opened += len(first_time)
        marks[first_time] |= OPENED
        marks[store.ground.regions[active]] |= VISITED
        store.cells[active] = store.cells[active] & ~DEFERRED | REACHED
        counters = store.counters
        counters[kernels.CELLS] += len(active)
        counters[[kernels.FIRST, kernels.END, kernels.LEVEL, kernels.ENTERED]] = 0
        counters[kernels.LAST], counters[kernels.ENTERING] = 0 if self.reopens else len(active), len(entering)
        if len(goals):
            nearest = goals[np.argmin(costs[goals])]
            if costs[nearest] < counters[kernels.LIMIT]:
                counters[kernels.LIMIT], counters[kernels.GOAL_CELL] = costs[nearest], active[nearest]
        self.before = int(counters[kernels.GENERATED]), int(counters[kernels.REOPENED])
        self.mask, frontier.deferred, frontier.least_depth = mask, waiting, mask.least_depth
        frontier.fell_back = frontier.fell_back or not mask.masked
        frontier.phases.append(report)
        self.see_goal()

    def _admitted(self, mask: Marked, waiting: Waiting, deep: Any) -> tuple[Any, Any, Any]:
        """Return the deferred cells that stay outside a mask; the admitted ones, in order; and the costs of these."""
        by_depth, regions = self.store.depths is not None, self.store.ground.regions

        def inside(cells: Any) -> Any:
            found = mask.marks[regions[cells]] & ADMITTED != 0 if mask.masked else np.ones(len(cells), bool)
            return found & (deep[cells] != 0) if by_depth else found

        met, ordered = waiting.cells[: waiting.count], waiting.in_order()
        left, active = met[~inside(met)], ordered[inside(ordered)]
        costs = self.store.cells[active] >> COST
        if self.reopens or waiting.by_region:
            order = np.argsort(costs, kind="stable")
            active, costs = active[order], costs[order]
        return left, active, costs
