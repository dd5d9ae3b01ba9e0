"""python-pathfinding: finders on its own `Grid`, which was built before."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from benchmarks.python.answer import Answer, NotApplicableError
from benchmarks.python.domains.grid import Cell
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.workloads import Workload

PACKAGE = "pathfinding"
EASIER = "grid built beforehand, gives no actions"
FINDERS = {
    "bfs": ("breadth_first", "BreadthFirstFinder"),
    "dijkstra": ("dijkstra", "DijkstraFinder"),
    "astar": ("a_star", "AStarFinder"),
}


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Build the grids; return the run of the finder, whose default is 4 moves and the Manhattan distance."""
    if not workload.instances[0].rows:
        raise NotApplicableError("grids only")
    module, name = FINDERS[workload.algorithm]
    finder = getattr(import_module(f"pathfinding.finder.{module}"), name)()
    grid_class: Any = import_module("pathfinding.core.grid").Grid
    if counter:
        grid_class = type("CountingGrid", (grid_class,), {"neighbors": counter.wrap(grid_class.neighbors)})
    grids = [
        grid_class(matrix=[[int(character == ".") for character in row] for row in instance.rows])
        for instance in workload.instances
    ]

    pairs: list[tuple[Any, Instance]] = list(zip(grids, workload.instances, strict=True))

    def run() -> list[Answer]:
        return [find(finder, grid, instance) for grid, instance in pairs]

    return run


def find(finder: Any, grid: Any, instance: Instance) -> Answer:
    """Find the path; the grid remembers a search until the next one cleans it up."""
    start, goal = (grid.node(x, y) for x, y in (instance.start, cast(Cell, instance.goal)))
    nodes, _ = finder.find_path(start, goal, grid)
    return Answer(len(nodes) - 1, tuple((node.x, node.y) for node in nodes))
