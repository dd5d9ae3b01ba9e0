"""The measured searches: each is one problem, or a list of problems that are solved one after the other."""

from collections.abc import Callable
from typing import Literal

from attrs import frozen

from benchmarks.python.domains.grid import random_grid
from benchmarks.python.domains.instance import Counter, Instance
from benchmarks.python.domains.puzzle import puzzle, scrambled, weights_of

Algorithm = Literal["bfs", "dijkstra", "astar"]
GROUPS = ("grid", "puzzle8", "puzzle15")
HARDEST_8_PUZZLES = ((8, 7, 6, 0, 4, 1, 2, 5, 3), (8, 0, 6, 5, 4, 7, 2, 3, 1))
"""The two starts that are 31 moves from the goal, more than any other (Reinefeld 1993)."""


@frozen
class Workload:
    """One row of the comparison: an algorithm and what it is run on."""

    name: str
    title: str
    algorithm: Algorithm
    instances: tuple[Instance, ...]
    finite: bool = True
    """Whether the whole graph is small enough to be built beforehand, as some libraries need."""

    @property
    def exhaustive(self) -> bool:
        """Whether all states are to be seen: the answer is their number, not a path."""
        return self.instances[0].goal is None

    def counted(self, counter: Counter) -> "Workload":
        """Return the same workload, its expansions counted."""
        instances = tuple(instance.counted(counter) for instance in self.instances)
        return Workload(self.name, self.title, self.algorithm, instances, self.finite)


def grid(algorithm: Algorithm, tiny: bool) -> Workload:
    """Return the grid: 500 × 500 cells, 25 % walls, corner to corner; h is the Manhattan distance."""
    size = 12 if tiny else 500
    title = f"{size}×{size} grid, 25 % walls, corner to corner, {algorithm}"
    return Workload(f"grid-{algorithm}", title, algorithm, (random_grid(size, seed=0),))


def puzzle8_whole(tiny: bool) -> Workload:
    """Return the 8-puzzle's 181,440 states (tiny: the 3-puzzle's 12), breadth-first from the goal."""
    size = 2 if tiny else 3
    title = f"whole {size * size - 1}-puzzle, bfs"
    start = tuple(range(size * size))
    return Workload("puzzle8-whole", title, "bfs", (puzzle(size, start, exhaustive=True),))


def puzzle8(algorithm: Algorithm, tiny: bool) -> Workload:
    """Return 8-puzzles to be solved: for breadth-first one, for A* eight scrambled ones and the two hardest."""
    size, steps = (2, 3) if tiny else (3, 80)
    count = 8 if algorithm == "astar" else 1
    starts = [scrambled(size, steps, seed) for seed in range(1, count + 1)]
    if algorithm == "astar" and not tiny:
        starts += HARDEST_8_PUZZLES
    title = f"{len(starts)} {size * size - 1}-puzzle{'s' * (len(starts) > 1)}, {algorithm}"
    return Workload(f"puzzle8-{algorithm}", title, algorithm, tuple(puzzle(size, start) for start in starts))


def puzzle15(algorithm: Algorithm, tiny: bool) -> Workload:
    """Return ten 15-puzzles with tiles of weight 1 to 3, scrambled by random walks of fixed length and seeds."""
    steps = 40 if algorithm == "astar" else 12
    if tiny:
        steps //= 4
    count = 2 if tiny else 10
    starts = (scrambled(4, steps, seed) for seed in range(count))
    instances = tuple(puzzle(4, start, weights_of(4, largest=3)) for start in starts)
    title = f"{count} weighted 15-puzzles, walks of {steps}, {algorithm}"
    return Workload(f"puzzle15-{algorithm}", title, algorithm, instances, finite=False)


WORKLOADS: dict[str, Callable[[bool], Workload]] = {
    "grid-bfs": lambda tiny: grid("bfs", tiny),
    "grid-dijkstra": lambda tiny: grid("dijkstra", tiny),
    "grid-astar": lambda tiny: grid("astar", tiny),
    "puzzle8-whole": puzzle8_whole,
    "puzzle8-bfs": lambda tiny: puzzle8("bfs", tiny),
    "puzzle8-astar": lambda tiny: puzzle8("astar", tiny),
    "puzzle15-dijkstra": lambda tiny: puzzle15("dijkstra", tiny),
    "puzzle15-astar": lambda tiny: puzzle15("astar", tiny),
}
"""name → function that makes the workload, full-sized or tiny (for tests)."""


def names(group: str | None) -> list[str]:
    """Return the names of the workloads of a group, of all where it is None."""
    return [name for name in WORKLOADS if group is None or name.split("-")[0] == group]
