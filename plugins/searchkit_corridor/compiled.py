"""The engine `corridor` as machine code: the kernels of `bfs` and `astar` inside each mask of a grid."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from math import inf
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from attrs import evolve

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import KernelRun, control
from searchkit.compiled.kit.store import GOAL, ONE, SEEN, ZERO
from searchkit.kernels.best_first import AStar
from searchkit.kernels.bfs import BreadthFirst
from searchkit.plugin import MissingCapabilityError
from searchkit.tree import SearchTree
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.engine import Frontier, Mask, Outside, Phases
from searchkit_corridor.problem import BlockRegions, block_regions
from searchkit_corridor.regions import Regions


class InMask(BreadthFirst):
    """Breadth-first search in a mask, in the arrays of the phase before, of which only what it used is cleared."""

    def __init__(self, problem: Any, tree: Any, before: "InMask | None"):
        self.before = before
        super().__init__(problem, tree)
        self.before = None

    def make_records(self) -> Any:
        """Return the records of the phase before, empty."""
        if self.before is None:
            return super().make_records()
        records, view = self.before.records, self.view
        records.words[records.order], records.words[list(view.goals)] = 0, GOAL
        records.problem, records.view, records.order = self.problem, view, None
        records.count = records.reached = 0
        return records

    def make_queue(self) -> Any:
        """Return the queue of the phase before."""
        return super().make_queue() if self.before is None else self.before.queue


@kernel
def find_route(ways: Any, offsets: Any, begins: Any, distances: Any, queue: Any, targets: Any) -> Any:
    """Write the blocks of a cheapest route to a target to the front of `queue`; return their number, 0 without a route.

    `ways` has the steps from each block, as bits; `begins` has the cost of each block to begin in, and −1 for others.
    `queue` begins with so many targets. `distances`, from the targets, is 0 for them, −1 for others that the route may
    enter, and positive for those that it must not.
    """
    head, tail, best = ZERO, np.uint64(targets), np.int64(1) << 62
    nearest, start = np.int64(0), np.int64(-1)
    while head < tail:
        block = np.uint64(queue[head])
        head += ONE
        way, near, cost = ways[block], np.int64(distances[block]), np.int64(begins[block])
        if near > best:
            break
        if cost >= 0 and (
            near + cost < best or (near + cost == best and near == nearest and np.int64(block) < start)
        ):
            best, nearest, start = near + cost, near, np.int64(block)
        for bit in range(4):  # choosing values is faster than branches
            beside = block + (offsets[bit] if way >> bit & 1 else ZERO)
            known = distances[beside]
            distances[beside] = near + 1 if known < 0 else known
            queue[tail] = beside
            tail += ONE if known < 0 else ZERO
    if start < 0:
        return 0
    queue[0] = start
    for place in range(nearest):
        for bit in range(4):
            beside = start + np.int64(offsets[bit])
            if ways[start] >> bit & 1 and distances[beside] == nearest - place - 1:
                start = beside
                break
        queue[place + 1] = start
    return nearest + 1


class Coarse:
    """The blocks of a terrain as arrays."""

    def __init__(self, blocks: Blocks):
        self.stride, self.passable = blocks.stride, np.frombuffer(blocks.passable, bool)
        east, south = np.frombuffer(blocks.east, np.uint8), np.frombuffer(blocks.south, np.uint8)
        self.ways = np.roll(south, self.stride) | east << 1 | south << 2 | np.roll(east, 1) << 3
        self.offsets = np.array([-self.stride, 1, self.stride, -1]).astype(np.uint64)
        self.blocks_of_cells = blocks.of_cell

    @cached_property
    def of_cell(self) -> Any:
        """For each cell, its block."""
        return np.array(self.blocks_of_cells, np.int32)

    def route(self, targets: Any, begins: Mapping[Any, int], searched: Collection[Any]) -> list[Any] | None:
        """Return what `Blocks.route` returns."""
        size = len(self.ways)
        distances, costs = np.full((2, size), -1, np.int32)
        queue = np.empty(size + 1, np.int32)
        costs[list(begins)] = list(begins.values())
        distances[list(searched)] = size
        distances[targets], queue[: len(targets)] = 0, targets
        length = find_route(self.ways, self.offsets, costs, distances, queue, len(targets))
        return queue[:length].tolist() if length else None

    def around(self, blocks: Iterable[Any], radius: int) -> set[Any]:
        """Return what `Blocks.around` returns."""
        near = np.zeros(len(self.passable), bool)
        near[list(blocks)] = True
        for step in (1, self.stride):
            for _ in range(min(radius, len(near))):
                wide = near.copy()
                wide[step:] |= near[:-step]
                wide[:-step] |= near[step:]
                wide[self.stride - 1 :: self.stride] = False  # the ends of rows are no blocks
                near = wide
        return set(np.flatnonzero(near & self.passable).tolist())


_COARSE: WeakKeyDictionary[Blocks, Coarse] = WeakKeyDictionary()


def coarse_of(blocks: Blocks) -> Coarse:
    """Return the arrays of blocks, made at the first use."""
    return _COARSE.get(blocks) or _COARSE.setdefault(blocks, Coarse(blocks))


class GridPhases(Phases):
    """The phases over arrays of cells: the mask, and what the kernel has reached."""

    def __init__(self, problem: Any, tree: Any, regions: BlockRegions, *options: Any):
        targets = np.array(sorted(set(regions.goal_regions())), np.int64)
        self.coarse = coarse_of(regions.blocks)
        planned = evolve(
            Regions.of(problem), route=partial(self.coarse.route, targets), around=self.coarse.around
        )
        super().__init__(problem, tree, planned, *options)
        self.grid, self.blocks, self.view = regions, regions.blocks, problem.compiled()
        self.depths = None if regions.depths is None else np.frombuffer(regions.depths, np.uint8)
        self.mask = Mask("", None)
        """The mask of the present phase."""
        self.cells: Any = None
        """For each cell whether it is in the mask; None for all."""
        self.graph: Any = None
        """The stencil without the moves from cells outside the mask."""
        self.run: Any = None
        """The kernel of the present phase."""
        self.last: InMask | None = None
        """The last search inside a mask."""

    def enter(self, frontier: Frontier, mask: Mask) -> None:
        """Begin anew, with the cells of a mask."""
        frontier.tree, least, graph = SearchTree(), mask.least_depth, self.view.graph
        old, full = self.mask, np.frombuffer(graph.masks, np.uint8)
        self.mask = mask
        if mask.regions is None:
            self.cells = None if self.depths is None else self.depths >= least
            self.graph = graph if self.cells is None else evolve(graph, masks=full * self.cells)
            return
        known: Any = old.regions or frozenset()
        if not known or old.least_depth != least or not known <= mask.regions:
            known, self.cells = frozenset(), np.zeros(len(full), bool)
            self.graph = evolve(graph, masks=np.zeros(len(full), np.uint8))
        opened = self.cells_of(mask.regions - known)
        opened = opened if self.depths is None else opened[self.depths[opened] >= least]
        self.cells[opened], self.graph.masks[opened] = True, full[opened]

    def cells_of(self, blocks: Collection[Any]) -> Any:
        """Return the cells of blocks."""
        side, terrain = self.blocks.cell, self.problem.terrain  # type: ignore[attr-defined]  # of a grid
        rows, columns = np.divmod(np.array([*blocks], np.int64)[:, None, None], self.blocks.stride)
        y, x = rows * side + np.arange(side)[:, None], columns * side + np.arange(side)
        return (y * terrain.stride + x)[(y < terrain.height) & (x < terrain.width)]

    def begin_run(self) -> Any:
        """Return the kernel for this phase: no move leads from a cell outside the mask, and no goal is there."""
        problem: Any = self.inside(self.frontier.mask)
        goals = [goal for goal in self.view.goals if self.cells is None or self.cells[goal]]
        view = evolve(self.view, graph=self.graph, goals=goals)
        problem.compiled = lambda: view
        if self.engine_name() == "astar":
            self.run = AStar(problem, self.frontier.tree)
        else:
            self.run = self.last = InMask(problem, self.frontier.tree, self.last)
        return self.run

    def reached(self, inside: bool) -> Any:
        """Return the cells that were reached inside the mask, or outside it, in order."""
        cells = self.run.records.having(SEEN)
        return cells[(np.ones(len(cells), bool) if self.cells is None else self.cells[cells]) == inside]

    def outside(self) -> Iterable[Outside]:
        """Return the cells that were reached outside the mask: of those in one block at one depth, the nearest."""
        cells = self.reached(inside=False)[::-1]
        blocks, depths = self.coarse.of_cell[cells], None if self.depths is None else self.depths[cells]
        place, found = np.empty(len(self.coarse.ways), np.int32), list[Outside]()
        for depth in [None] if depths is None else np.unique(depths).tolist():
            here = np.arange(len(cells)) if depth is None else np.flatnonzero(depths == depth)
            place[blocks[here]] = here  # the last of those in one block, which is the nearest
            here = here[place[blocks[here]] == here]
            costs = self.run.records.costs(cells[here]).astype(np.int64).tolist()
            found += [(cost, block, depth) for cost, block in zip(costs, blocks[here].tolist(), strict=True)]
        return found

    def _least_cost(self, outside: Collection[Outside]) -> Any:
        """Return what `Phases._least_cost` returns: with `to_go` of all blocks at once, where one call each is slow."""
        if not outside:
            return inf
        costs, blocks, _ = zip(*outside, strict=True)
        (rows, columns), side = np.divmod(blocks, self.blocks.stride), self.blocks.cell
        left, right, top, bottom = self.grid.goal_box
        across = np.maximum(0, np.maximum(left - (columns + 1) * side + 1, columns * side - right))
        down = np.maximum(0, np.maximum(top - (rows + 1) * side + 1, rows * side - bottom))
        rest = np.maximum(across, down) if self.grid.diagonal else across + down
        return int((np.array(costs) + rest).min())

    def visited(self) -> set[Any]:
        """Return the blocks in which this phase has reached a cell inside the mask."""
        seen = np.zeros(len(self.coarse.ways), bool)
        seen[self.coarse.of_cell[self.reached(inside=True)]] = True
        return set(np.flatnonzero(seen).tolist())


class CorridorRun(KernelRun):
    """A search by the engine `corridor` on a grid, from its starts, with an empty tree.

    Raises `MissingCapabilityError` for other problems, and for subclasses, which may have other steps.
    """

    def __init__(self, problem: Any, tree: Any, *options: Any):
        regions = block_regions(problem)
        if regions is None:
            raise MissingCapabilityError(
                f"engine 'corridor' has a compiled form for grids alone, and {type(problem).__name__} may have other "
                "steps; use backend='python'"
            )
        self.problem, self.tree = problem, tree
        self.phases = GridPhases(problem, tree, regions, *options)
        self.phases.begin()
        self._begin()

    def _begin(self) -> None:
        """Begin the search of a phase; end it if a start is a goal."""
        self.run = self.phases.begin_run()
        self.tree.reached = self.run.records
        self.show()
        self._end_phase()

    def _end_phase(self) -> None:
        """If the search of the phase is over, end or begin the next one."""
        if self.run.ended:
            if self.phases.conclude():
                self.ended = True
            else:
                self.phases.widen()
                self._begin()

    @property
    def state(self) -> Any:
        """The cell to be expanded next."""
        return self.run.state

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel of this phase, and count the cells inside the mask: those outside have no moves."""
        self.phases.tree = self.tree  # which may have been replaced
        run, cells, before = self.run, self.phases.cells, self._first
        run.steps, run.spare = self.steps, self.spare
        why, expanded = run.slice(expansions)
        if cells is not None:  # then it is breadth-first search, which expands cells in order
            expanded -= int(np.count_nonzero(~cells[run.queue[before : self._first]]))
            while why == control.WORKED and not cells[run.queue[self._first]]:
                waiting = cells[run.queue[self._first : run.counters[control.QUEUED]]]
                why, _ = run.slice(int(waiting.argmax()) or len(waiting))
        self.phases.count(expanded)
        return why, expanded

    @property
    def _first(self) -> int:
        """The place in the queue of the cell to be expanded next."""
        return int(self.run.counters[control.QUEUED] - self.run.counters[control.SIZE])

    def show(self) -> None:
        """Update the tree."""
        self.run.show()
        self.phases.count(0)

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        task: Iterator[None] | None = self.run.handle(why)
        self._end_phase()
        return task
