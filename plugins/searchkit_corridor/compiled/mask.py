"""What the mask is in each phase: `searchkit_corridor.mask`, over marks of blocks instead of sets."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from searchkit_corridor.compiled.coarse import ADMITTED, SEARCHED, UNSEEN, VISITED, admit_around, route
from searchkit_corridor.compiled.ground import empty_plan
from searchkit_corridor.compiled.store import Store
from searchkit_corridor.frontier import Frontier
from searchkit_corridor.mask import deep_enough, first_opening
from searchkit_corridor.regions import Regions

NONE = np.empty(0, np.int32)


@frozen(eq=False)
class Marked:
    """The mask of a phase, and what made it so."""

    kind: str
    marks: Any
    """uint8, by block; see `searchkit_corridor.compiled.coarse`."""
    opened: Any
    """The blocks that were not in the mask before."""
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
    """Makes masks for one problem. Corridors by depth are planned in Python, by the functions that plan them there.

    Args:
        problem: a grid.
        store: what is known of it.
        starts: where the search starts.
        radius: how far a corridor reaches to both sides, in blocks.

    """

    def __init__(self, problem: Any, store: Store, starts: Sequence[Any], radius: int):
        self.problem, self.store, self.cells, self.radius = problem, store, starts, radius
        self.starts = np.array([store.number(start) for start in starts], np.int32)
        self.homes = store.ground.regions[self.starts]
        self.regions = Regions.of(problem)
        self.plan = empty_plan(len(store.marks))

    def first(self) -> tuple[Marked, int]:
        """Return the first corridor and the length of its path, in blocks; where there is none, no mask and 0."""
        marks, least = self.store.marks, None
        if self.regions.depth is None:
            path = self._route(marks, self.homes, NONE, learn=False)
        else:
            opening, blocks = first_opening(self.problem, self.regions, self.cells, 0)
            path, least = np.array(blocks or (), np.int32), opening.least_depth
        if not len(path):
            return Marked("unrestricted", marks, NONE, least), 0
        return Marked("corridor", marks, self._admit(marks, path, self.radius), least), len(path)

    def wider(self, frontier: Frontier, before: Marked, budget: int, learn: bool) -> Marked:
        """Return the mask of the next phase; see `searchkit_corridor.mask.wider`."""
        store, marks, least = self.store, before.marks.copy(), frontier.least_depth
        waiting = store.waiting.in_order()
        doors = store.ground.regions[waiting]
        visited = np.flatnonzero(marks & (VISITED | SEARCHED) == VISITED)
        marks[marks & VISITED != 0] ^= VISITED
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
            path = self._detour(marks, doors, least)
            if len(path):
                return Marked("replan", marks, self._admit(marks, path, self.radius), least)
        opened = self._admit(marks, visited, 1)
        if not len(opened):
            opened = self._admit(marks, np.flatnonzero(marks & ADMITTED), 1)
        return Marked("ring" if len(opened) else "unrestricted", marks, opened, least)

    def _deeper(self, marks: Any, masked: bool, doors: Any, least: Any) -> Marked:
        """Return the mask for a lower depth: what was searched, the old mask and a new corridor."""
        path = self._generic(least, (), set(), doors)
        if not len(path):
            return Marked("unrestricted", marks, NONE, least)
        admitted = marks & ADMITTED != 0 if masked else np.zeros(len(marks), bool)
        marks[:] = marks & ~np.uint8(ADMITTED) | (admitted | (marks & SEARCHED != 0))
        self._admit(marks, path, self.radius)
        return Marked("depth", marks, np.flatnonzero((marks & ADMITTED != 0) & ~admitted), least)

    def _detour(self, marks: Any, doors: Any, least: Any) -> Any:
        """Return the path over blocks of the next corridor; empty where there is none."""
        if least is None:
            return self._route(marks, self.homes, np.unique(doors), learn=True)
        return self._generic(
            least, self.homes.tolist(), set(np.flatnonzero(marks & SEARCHED).tolist()), doors
        )

    def _generic(self, least: Any, sources: Sequence[int], searched: set[int], doors: Any) -> Any:
        regions = deep_enough(self.regions, least)
        path = regions.detour(dict.fromkeys(sources), searched, dict.fromkeys(doors.tolist()))
        return np.array(path or (), np.int32)

    def _route(self, marks: Any, sources: Any, doors: Any, *, learn: bool) -> Any:
        plan, inside = self.plan, SEARCHED if learn else 0
        plan.costs.fill(UNSEEN)
        plan.begins.fill(UNSEEN)
        return plan.path[: route(self.store.coarse, plan, marks, inside, sources, doors, learn)]

    def _admit(self, marks: Any, blocks: Any, radius: int) -> Any:
        """Admit what is around some blocks; return what is new."""
        opened = np.empty(len(marks), np.int32)
        return opened[
            : admit_around(self.store.coarse, marks, blocks.astype(np.int32), radius, opened)
        ].copy()
