"""What both searches share: their counters, and the base class of their runs."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from searchkit import Cost
from searchkit.compiled.functions import compiled_function
from searchkit.compiled.kit import GridDistanceArrays, KernelRun, control, overestimates
from searchkit.engines.kit import enter_starts
from searchkit.plugin import MissingCapabilityError
from searchkit.tree import Trail
from searchkit_dungeon.heuristics import SLANT, rectangles
from searchkit_dungeon.jumps.compiled.arrivals import Arrivals, Closed
from searchkit_dungeon.jumps.compiled.heap import AT
from searchkit_dungeon.problem import Grid

GENERATED, EXPANDED, PEAK, SIZE, COUNT, REACHED, HEAD, PUSHED, LEFT, COUNTERS = range(10)
"""Indices into the array of counters; LEFT is the number of steps that a slice may still take."""
MOST_COUNT = 1 << 62
MOST = 8
"""The largest number of jump points that an expansion adds."""
NO_TABLE: Any = np.zeros(1, np.int64)
NO_TABLE.flags.writeable = False


@compiled_function
def octile(sides: Any, x: Any, y: Any) -> Any:
    """Return the octile distance to the nearest of some rectangles; 0 without rectangles."""
    least = np.inf if sides.shape[0] else 0.0
    for number in range(sides.shape[0]):
        across = max(sides[AT(number), 0] - x, x - sides[AT(number), 1], 0)
        down = max(sides[AT(number), 2] - y, y - sides[AT(number), 3], 0)
        least = min(least, max(across, down) + SLANT * min(across, down))
    return least


class JumpingSearch(KernelRun):
    """A search over jump points. Begins from the problem's starts, with an empty tree.

    Raises `MissingCapabilityError` for a grid with a heuristic of its own, or with another one than octile.
    """

    arrivals: Arrivals

    def __init__(self, problem: Any, tree: Any):
        if getattr(type(problem), "heuristic", None) is not Grid.heuristic:
            raise MissingCapabilityError(
                f"the heuristic of {type(problem).__name__} has no compiled form; use backend='python'"
            )
        if problem.heuristic_name != "octile":
            raise MissingCapabilityError(
                f"heuristic={problem.heuristic_name}: compiled jump point search has only octile; use backend='python'"
            )
        self.problem, self.tree, self.terrain = problem, tree, problem.terrain
        self.counters, self.least = np.zeros(COUNTERS, np.int64), np.zeros(1)
        self.sides = np.array(rectangles(problem.goals), np.int64).reshape(-1, 4)

    @abstractmethod
    def enter(self, starts: list[Any]) -> None:
        """Enter the starts into the arrays."""

    def begin(self) -> None:
        """Enter the starts, and let the tree show the arrays."""
        self.enter(enter_starts(self.problem, self.tree))
        tree, arrivals, counters = self.tree, self.arrivals, self.counters
        counters[COUNT], counters[REACHED] = arrivals.count, arrivals.reached
        tree.hold(arrivals)
        tree.closed, tree.frontier = Closed(arrivals), arrivals.space

    @property
    def state(self) -> Any:
        """The cell to be expanded next."""
        return self.terrain.cells[int(self.counters[HEAD])]

    def show(self) -> None:
        """Bring the tree up to date."""
        counters, tree = self.counters.tolist(), self.tree
        self.arrivals.count, self.arrivals.reached = counters[COUNT], counters[REACHED]
        tree.generated, tree.peak_frontier = counters[GENERATED], counters[PEAK]
        tree.lower_bound = float(self.least[0])

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why == control.FULL:
            growing: Iterator[None] = self.arrivals.space.grow(self.check_memory)
            return growing
        self.ended = True
        if why == control.FOUND:
            self.tree.finish(self.state)
        return None

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """Whether no heuristic value on a path exceeds the cost of its rest; False if that is not known."""
        heuristic = GridDistanceArrays(np.uint32(self.terrain.stride), 1.0, SLANT, self.sides)
        nodes, steps = trail.nodes.astype(np.uint64), np.asarray(costs, np.float64)
        return not overestimates(heuristic, NO_TABLE, nodes, steps, whole=False)
