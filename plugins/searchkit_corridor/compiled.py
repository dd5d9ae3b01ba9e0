"""The engine `corridor` as machine code: the kernels of `bfs` and `astar` inside each mask of a grid."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from attrs import evolve

from searchkit import problem_from
from searchkit.compiled.kit import KernelRun, control
from searchkit.compiled.kit.store import SEEN
from searchkit.compiled.view import CompiledProblem, Stencil
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
STEP = 1 << 14
"""The blocks that are expanded before a planner looks whether it has reached an exit."""


def planner(blocks: Blocks, targets: Sequence[int]) -> Route:
    """Return `Blocks.route` to these targets, with distances that a kernel finds, backwards from them."""
    stride = blocks.stride
    east, south = np.frombuffer(blocks.east, np.uint8), np.frombuffer(blocks.south, np.uint8)
    ways = np.roll(south, stride) | east << 1 | south << 2 | np.roll(east, 1) << 3

    def route(begins: Mapping[Any, int], searched: Collection[Any]) -> list[Any] | None:
        if not targets:
            return None
        masks, closed = ways.copy(), list(searched)
        masks[closed] = 0
        masks[targets] = ways[targets]
        exits = np.array(sorted(begins), np.int64)
        before = np.array([begins[block] for block in exits.tolist()])
        graph = Stencil(masks, [-stride, 1, stride, -1], [1.0] * 4, None, "NESW")
        problem: Any = problem_from(targets, lambda block: (), lambda block: False)
        problem.compiled = lambda: CompiledProblem(graph, pack=int, unpack=int)
        tree: SearchTree[Any, Any] = SearchTree()
        run = BreadthFirst(problem, tree)

        def distances(blocks: Any) -> Any:
            reached = run.records.flags_of(blocks) & SEEN != 0
            return np.where(reached, run.records.costs(blocks), inf)

        best = inf
        while not run.ended and tree.lower_bound <= best:
            run.advance(STEP)
            best = min(distances(exits) + before, default=inf)
        if best == inf:
            return None
        near, every = distances(exits), distances(np.arange(len(ways)))
        every[closed] = inf
        every[targets] = 0
        first = np.lexsort((exits, near, near + before))[0]
        return blocks.descend(
            int(exits[first]), int(near[first]), lambda block, distance: bool(every[block] == distance)
        )

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
        self.blocks, self.row_length = regions.blocks, problem.terrain.stride
        depths = getattr(problem, "depths", None)
        self.depths: Any = np.frombuffer(depths, np.uint8) if isinstance(depths, bytes) else depths
        self.cells: Any = None
        """For each cell whether it is in the mask; None for all."""
        self.records: Any = None
        """What the kernel has reached."""

    def enter(self, frontier: Frontier, mask: Mask) -> None:
        """Begin anew."""
        frontier.tree, self.cells = SearchTree(), self.cells_in(mask)

    def cells_in(self, mask: Mask) -> Any:
        """Return for each cell whether it is in a mask; None for all."""
        blocks, height = self.blocks, self.problem.terrain.height  # type: ignore[attr-defined]  # of a grid
        deep = None if self.depths is None else self.depths >= mask.least_depth
        if mask.regions is None:
            return deep
        found = np.zeros((blocks.rows, blocks.stride), bool)
        found.reshape(-1)[np.array([*mask.regions])] = True
        wide = found.repeat(blocks.cell, axis=1)[:, : self.row_length]
        cells = wide.repeat(blocks.cell, axis=0)[:height].reshape(-1)
        return cells if deep is None else cells & deep[: len(cells)]

    def run(self) -> Any:
        """Return the kernel for this phase: no move leads from a cell outside the mask, and no goal is there."""
        problem: Any = self.inside(self.frontier.mask)
        view = self.problem.compiled()  # type: ignore[attr-defined]  # of a grid
        if self.cells is not None:
            masks, cells = np.frombuffer(view.graph.masks, np.uint8), self.cells
            masks = masks[: len(cells)] * cells
            goals = [goal for goal in view.goals if cells[goal]]
            view = evolve(view, graph=evolve(view.graph, masks=masks), goals=goals)
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
        depths = np.zeros(len(cells), np.int64) if self.depths is None else np.asarray(self.depths)[cells]
        _, first = np.unique(np.stack([blocks, depths]), axis=1, return_index=True)
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
