"""What both searches share: their counters, and the base class of their runs."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from searchkit import Cost
from searchkit.compiled.functions import compiled_function
from searchkit.compiled.kit import Fields, GridDistanceArrays, KernelRun, control, overestimates
from searchkit.engines.kit import enter_starts
from searchkit.plugin import MissingCapabilityError
from searchkit.tree import Trail
from searchkit_dungeon.heuristics import SLANT, rectangles
from searchkit_dungeon.jumps.compiled.arrivals import RECORD, Arrivals, Closed
from searchkit_dungeon.jumps.compiled.compass import AHEAD_X, AHEAD_Y, START
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

    def saved_arrays(self) -> dict[str, Any]:
        """Return the records, the frontier and the counters."""
        space, counters = self.arrivals.space, self.counters
        records, openings = space.records[: counters[COUNT]], space.heap[: counters[SIZE]]
        names = {
            "cell": "cells",
            "g": "costs",
            "steps": "lengths",
            "direction": "directions",
            "closed": "closed",
        }
        columns = {name: records[field].copy() for field, name in names.items()}
        frontier = {"f": openings["f"].copy(), "nodes": openings["node"].copy()}
        return {**columns, **frontier, "counters": counters.copy(), "least": self.least.copy()}

    def restore_arrays(self, fields: Fields) -> None:
        """Take over the records, the frontier and the counters."""
        counters = fields.array("counters", np.int64, length=COUNTERS).copy()
        counters[LEFT] = 0  # of the slice before
        fields.expect(
            (counters >= 0).all() and (counters < MOST_COUNT).all(), "counters", "one is out of range"
        )
        places, records = self._restore_records(fields, counters)
        self._check_runs(fields, places, records)
        reached = not fields.flag("found") or places[counters[HEAD]] >= 0
        fields.expect(reached, "counters", "the goal was not reached")
        f, nodes = fields.array("f", np.float64, below=control.EXACT), fields.array("nodes", np.uint32)
        fields.expect(len(f) == len(nodes) == counters[SIZE], "f", "the number of entries is wrong")
        space = self.arrivals.space
        while len(space.records) < len(records) or len(space.heap) < len(f):
            space.grow_at_once()
        order = np.lexsort((-nodes.astype(np.int64), f))  # a sorted array is a heap
        space.heap["f"][: len(f)], space.heap["node"][: len(f)] = f[order], nodes[order]
        space.records[: len(records)] = records
        space.slots[records["cell"]] = places[records["cell"]]
        self.restore_openings(fields, nodes, counters)
        self.least = fields.array("least", np.float64, length=1, below=control.EXACT).copy()
        self.counters = counters

    def restore_openings(self, fields: Fields, nodes: Any, counters: Any) -> None:
        """Take over what the entries of the frontier refer to. Raises `InputFormatError`."""
        fields.expect((nodes < counters[COUNT]).all(), "nodes", "there is no such record")

    def are_open(self, cells: Any) -> bool:
        """Whether all cells of an array can be entered."""
        weights = np.frombuffer(self.terrain.weights, np.uint8)
        return bool((cells < len(weights)).all()) and bool((weights[cells] > 0).all())

    def _restore_records(self, fields: Fields, counters: Any) -> tuple[Any, Any]:
        """Return cell → the number of its last record, −1 for others; and the records."""
        count, starts = int(counters[COUNT]), self.arrivals.count
        cells = fields.array("cells", np.uint32, length=count)
        records = np.zeros(count, RECORD)
        records["cell"] = cells
        records["g"] = fields.array("costs", np.float64, length=count, below=control.EXACT)
        records["steps"] = fields.array("lengths", np.uint16, length=count)
        records["direction"] = fields.array("directions", np.uint8, length=count, below=START + 1)
        records["closed"] = fields.array("closed", np.uint8, length=count, below=2)
        fields.expect(
            self.are_open(cells) and self.are_open(counters[[HEAD]]), "cells", "one can't be entered"
        )
        places = np.full(len(self.terrain.weights), -1, np.int64)
        places[cells] = np.arange(count)  # of several records of a cell, the last one counts
        own = self.arrivals.space.records["cell"][:starts]
        begun = np.flatnonzero(records["direction"] == START)
        same = np.array_equal(begun, np.arange(starts)) and np.array_equal(cells[:starts], own)
        fields.expect(
            same and not records["g"][:starts].any(), "cells", "the starts are not those of this problem"
        )
        reached = np.count_nonzero(places >= 0)
        fields.expect(reached == counters[REACHED], "counters", "REACHED is wrong")
        return places, records

    def _check_runs(self, fields: Fields, places: Any, records: Any) -> None:
        """Raise `InputFormatError` unless each run begins at a cell that was reached, and adds to its cost."""
        runs = records[records["direction"] != START]
        codes, steps = runs["direction"], runs["steps"].astype(np.int64)
        y, x = np.divmod(runs["cell"].astype(np.int64), self.terrain.stride)
        x, y = x - steps * AHEAD_X[codes], y - steps * AHEAD_Y[codes]
        inside = (x >= 0) & (x < self.terrain.width) & (y >= 0) & (y < self.terrain.height) & (steps > 0)
        fields.expect(inside.all(), "lengths", "a run begins outside the map")
        above = places[y * self.terrain.stride + x]
        longer = (above >= 0) & (records["g"][above] < runs["g"])
        fields.expect(longer.all(), "lengths", "a run begins at a cell that was not reached before its end")

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """Whether no heuristic value on a path exceeds the cost of its rest; False if that is not known."""
        heuristic = GridDistanceArrays(np.uint32(self.terrain.stride), 1.0, SLANT, self.sides)
        nodes, steps = trail.nodes.astype(np.uint64), np.asarray(costs, np.float64)
        return not overestimates(heuristic, NO_TABLE, nodes, steps, whole=False)
