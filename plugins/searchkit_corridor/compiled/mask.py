"""The mask of each phase: `searchkit_corridor.search.mask`, over marks of blocks instead of sets."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from searchkit_corridor.compiled.coarse import (
    ADMITTED,
    SEARCHED,
    TARGET,
    UNSEEN,
    VISITED,
    Coarse,
    admit_around,
    route,
)
from searchkit_corridor.compiled.ground import empty_plan, ways_of
from searchkit_corridor.compiled.store import Store
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.frontier import Frontier
from searchkit_corridor.search.mask import first_depth

NONE = np.empty(0, np.int32)


@frozen(eq=False)
class Marked:
    """The mask of a phase, and how it was made."""

    kind: str
    marks: Any
    """uint8, by block; see `searchkit_corridor.compiled.coarse`."""
    opened: Any
    """The blocks that are new in the mask."""
    least_depth: Any

    @property
    def masked(self) -> bool:
        """Whether there is a mask at all."""
        return self.kind != "unrestricted"

    @property
    def regions(self) -> int:
        """How many blocks are in the mask."""
        return int(np.count_nonzero(self.marks & ADMITTED)) if self.masked else 0


class Planner:
    """Makes masks for one problem.

    Args:
        problem: a grid.
        store: its cells and blocks.
        starts: where the search starts.
        radius: how far a corridor reaches to both sides, in blocks.

    """

    def __init__(self, problem: Any, store: Store, starts: Sequence[Any], radius: int):
        self.problem, self.store, self.cells, self.radius = problem, store, starts, radius
        self.starts = np.array([store.number(start) for start in starts], np.int32)
        self.homes = store.ground.regions[self.starts]
        self.regions = Regions.of(problem)
        self.plan = empty_plan(len(store.marks))
        self.deep: dict[Any, Coarse] = {}
        """Depth → the blocks that are deep enough."""

    def first(self) -> tuple[Marked, int]:
        """Return the first corridor and the length of its path, in blocks; no mask and 0 without a path."""
        store, sources, least = self.store, self.homes, None
        marks = store.marks
        if store.depths is not None:
            least = first_depth(self.problem, self.regions, self.cells)
            sources = sources[store.depths[self.starts] >= least]
        path = self._route(marks, least, sources, NONE, 0, learn=False)
        if not len(path):
            return Marked("unrestricted", marks, NONE, least), 0
        return Marked("corridor", marks, self._admit(marks, path, self.radius), least), len(path)

    def wider(self, frontier: Frontier, before: Marked, budget: int, learn: bool) -> Marked:
        """Return the mask of the next phase; see `searchkit_corridor.search.mask.wider`."""
        store, marks, least = self.store, before.marks.copy(), frontier.least_depth
        waiting = store.waiting.in_order()
        doors = store.ground.regions[waiting]
        visited = np.flatnonzero(marks & (VISITED | SEARCHED) == VISITED)
        marks[visited] |= SEARCHED
        if store.depths is not None:
            depths = store.depths[waiting]
            if not (depths >= least).any():
                least = depths.max().item()
                return self._deeper(marks, before.masked, doors[depths >= least], least)
            doors = doors[depths >= least]
        if not before.masked or frontier.widenings >= budget:
            return Marked("unrestricted", marks, NONE, least)
        if learn and frontier.incumbent is None:
            path = self._route(marks, least, self.homes, np.unique(doors), SEARCHED, learn=True)
            if len(path):
                return Marked("replan", marks, self._admit(marks, path, self.radius), least)
        opened = self._admit(marks, visited, 1)
        if not len(opened):
            opened = self._admit(marks, np.flatnonzero(marks & ADMITTED), 1)
        return Marked("ring" if len(opened) else "unrestricted", marks, opened, least)

    def _deeper(self, marks: Any, masked: bool, doors: Any, least: Any) -> Marked:
        """Return the mask for a lower depth: the blocks that were searched, the old mask and a new corridor."""
        path = self._route(marks, least, NONE, np.unique(doors), 0, learn=True)
        if not len(path):
            return Marked("unrestricted", marks, NONE, least)
        admitted = marks & ADMITTED != 0 if masked else np.zeros(len(marks), bool)
        marks[:] = marks & ~np.uint8(ADMITTED) | (admitted | (marks & SEARCHED != 0))
        self._admit(marks, path, self.radius)
        return Marked("depth", marks, np.flatnonzero((marks & ADMITTED != 0) & ~admitted), least)

    def _route(self, marks: Any, least: Any, sources: Any, doors: Any, inside: int, *, learn: bool) -> Any:
        """Return a path over blocks that are deep enough; see `route`."""
        coarse, plan = self.store.coarse, self.plan
        if least is not None:
            if least not in self.deep:
                ways = ways_of(self.problem.blocks_at_depth(least))
                self.deep[least] = coarse._replace(ways=ways | (coarse.ways & TARGET))
            coarse = self.deep[least]
        plan.costs.fill(UNSEEN)
        plan.begins.fill(UNSEEN)
        return plan.path[: route(coarse, plan, marks, inside, sources, doors, learn)]

    def _admit(self, marks: Any, blocks: Any, radius: int) -> Any:
        """Admit the blocks around some blocks; return the new ones."""
        opened = np.empty(len(marks), np.int32)
        return opened[
            : admit_around(self.store.coarse, marks, blocks.astype(np.int32), radius, opened)
        ].copy()
