"""The engine `corridor` as machine code: the kernels of `bfs` and `astar` inside each mask of a grid."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import KernelRun, control
from searchkit.compiled.kit.store import SEEN
from searchkit.kernels.best_first import AStar
from searchkit.kernels.bfs import BreadthFirst
from searchkit.plugin import MissingCapabilityError
from searchkit.tree import SearchTree
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.engine import Frontier, Mask, Outside, Phases
from searchkit_corridor.plan import Route
from searchkit_corridor.problem import BlockRegions, block_regions
from searchkit_corridor.regions import Regions

KERNELS: dict[str, Any] = {"bfs": BreadthFirst, "astar": AStar}


@kernel
def flood(ways: Any, offsets: Any, targets: Any, begins: Any, distances: Any, queue: Any) -> None:
    """Write the distances of blocks to the nearest target, as far as a route from a block to begin in may need them.

    `ways` has the steps from each block, as bits; `begins` has the cost of each block to begin in, and −1 for others;
    `distances` is −1 at first; `queue` has room for all blocks.
    """
    head, tail, best = 0, np.int64(targets.size), np.int64(1) << 62
    for number in range(targets.size):
        queue[number] = targets[number]
        distances[targets[number]] = 0
    while head < tail and distances[queue[head]] <= best:
        block = queue[head]
        head += 1
        if begins[block] >= 0:
            best = min(best, np.int64(begins[block]) + distances[block])
        for way in range(4):
            beside = block + offsets[way]
            if ways[block] >> way & 1 and distances[beside] < 0:
                distances[beside] = distances[block] + 1
                queue[tail] = beside
                tail += 1


def planner(blocks: Blocks, targets: Sequence[int]) -> Route:
    """Return `Blocks.route` to these targets, with distances that a kernel finds, backwards from them."""
    stride, size = blocks.stride, len(blocks.passable)
    east, south = np.frombuffer(blocks.east, np.uint8), np.frombuffer(blocks.south, np.uint8)
    ways = np.roll(south, stride) | east << 1 | south << 2 | np.roll(east, 1) << 3
    offsets, ends = np.array([-stride, 1, stride, -1]), np.array(sorted(set(targets)), np.int64)

    def route(begins: Mapping[Any, int], searched: Collection[Any]) -> list[Any] | None:
        costs, distances = np.full(size, -1), np.full(size, -1, np.int32)
        costs[list(begins)] = list(begins.values())
        distances[list(searched)] = size  # they are not entered
        distances[ends] = -1
        flood(ways, offsets, ends, costs, distances, np.empty(size, np.int32))
        exits = np.flatnonzero((costs >= 0) & (distances >= 0) & (distances < size))
        if not len(exits):
            return None
        near, known = distances[exits], memoryview(distances)  # type: ignore[arg-type]  # a buffer
        first = np.lexsort((exits, near, near + costs[exits]))[0]
        return blocks.descend(int(exits[first]), int(near[first]), lambda block, at: bool(known[block] == at))

    return route


class GridPhases(Phases):
    """The phases over arrays of cells: the mask, and what the kernel has reached."""

    def __init__(self, problem: Any, tree: Any, regions: BlockRegions, *options: Any):
        targets = regions.goal_regions()
        planned = evolve(Regions.of(problem), route=planner(regions.blocks, targets))
        if planned.at_depth is not None:
            planned = evolve(
                planned,
                at_depth=lambda least: (planned.neighbours, planner(problem.blocks_at_depth(least), targets)),
            )
        super().__init__(problem, tree, planned, *options)
        self.blocks, self.row_length, self.view = regions.blocks, problem.terrain.stride, problem.compiled()
        depths = getattr(problem, "depths", None)
        self.depths: Any = np.frombuffer(depths, np.uint8) if isinstance(depths, bytes) else depths
        self.cells: Any = None
        """For each cell whether it is in the mask; None for all."""
        self.graph: Any = None
        """The stencil without the moves from cells outside the mask."""
        self.admitted = Mask("", frozenset())
        """The mask of which `cells` and `graph` are."""
        self.records: Any = None
        """What the kernel has reached."""

    def enter(self, frontier: Frontier, mask: Mask) -> None:
        """Begin anew, with the cells of a mask."""
        frontier.tree, least, graph = SearchTree(), mask.least_depth, self.view.graph
        old, full = self.admitted, np.frombuffer(graph.masks, np.uint8)
        if mask.regions is None:
            self.cells = None if self.depths is None else self.depths >= least
            self.graph = graph if self.cells is None else evolve(graph, masks=full * self.cells)
        else:
            known: Any = old.regions or frozenset()
            if self.cells is None or old.least_depth != least or not known <= mask.regions:
                known, self.cells = frozenset(), np.zeros(len(full), bool)
                self.graph = evolve(graph, masks=np.zeros_like(full))
            opened = self.cells_of(mask.regions - known)
            opened = opened if self.depths is None else opened[self.depths[opened] >= least]
            self.cells[opened], self.graph.masks[opened] = True, full[opened]
        self.admitted = mask

    def cells_of(self, blocks: Collection[Any]) -> Any:
        """Return the cells of blocks."""
        side, terrain = self.blocks.cell, self.problem.terrain  # type: ignore[attr-defined]  # of a grid
        rows, columns = np.divmod(np.array([*blocks], np.int64)[:, None, None], self.blocks.stride)
        y, x = rows * side + np.arange(side)[:, None], columns * side + np.arange(side)
        return (y * self.row_length + x)[(y < terrain.height) & (x < terrain.width)]

    def run(self) -> Any:
        """Return the kernel for this phase: no move leads from a cell outside the mask, and no goal is there."""
        problem: Any = self.inside(self.frontier.mask)
        goals = [goal for goal in self.view.goals if self.cells is None or self.cells[goal]]
        view = evolve(self.view, graph=self.graph, goals=goals)
        problem.compiled = lambda: view
        run = KERNELS[self.engine_name()](problem, self.frontier.tree)
        self.records = run.records
        return run

    def reached(self, inside: bool) -> tuple[Any, Any]:
        """Return the cells that were reached inside the mask, or outside it, in order; and the block of each."""
        cells, side = self.records.having(SEEN), self.blocks.cell
        admitted = np.ones(len(cells), bool) if self.cells is None else self.cells[cells]
        found = cells[admitted == inside].astype(np.int64)
        rows, columns = np.divmod(found, self.row_length)
        return found, rows // side * self.blocks.stride + columns // side

    def outside(self) -> Iterable[Outside]:
        """Return the cells that were reached outside the mask: of those in one block at one depth, the nearest."""
        cells, blocks = self.reached(inside=False)
        depths = np.zeros(len(cells), np.int64) if self.depths is None else self.depths[cells]
        levels, level = np.unique(depths, return_inverse=True)
        _, first = np.unique(blocks * len(levels) + level, return_index=True)
        first.sort()
        costs = self.records.costs(cells[first]).astype(np.int64)
        known = [None] * len(first) if self.depths is None else depths[first].tolist()
        return list(zip(costs.tolist(), blocks[first].tolist(), known, strict=True))

    def visited(self) -> set[Any]:
        """Return the blocks in which this phase has reached a cell inside the mask."""
        return set(np.unique(self.reached(inside=True)[1]).tolist())


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
        self.run = self.phases.run()
        self.tree.hold(self.phases.records)
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
        if (
            cells is not None
        ):  # then it is breadth-first search, which expands cells in the order of its queue
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
