"""How much faster one breadth-first search is on several cores: `python -m benchmarks threads`.

The same states are reached one by one, and in batches by 1, 2, … threads, in turn for several rounds. On a machine that
others use too, wall-clock times say little, so CPU times are compared. All threads of a batch do equal shares, and the
searching thread does the rest alone: so its CPU time is what the search takes on cores that nobody else uses.

Below the table is what decides about small layers: the microseconds in which two threads begin and end a step together,
and those in which one thread searches a whole layer of an open grid. A batch has three steps.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit.machine import this_machine
from searchkit.compiled import cores
from searchkit.problem import SearchProblem
from searchkit.search.distances.distance_map import goalless
from searchkit.tree import SearchTree
from searchkit_classics.permutations.pancakes import Pancakes
from searchkit_dungeon import Terrain, make_grid
from searchkit_tiles import SlidingTiles

SIDE = 2000
"""The side of the grid."""
KORF = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
"""The first of Korf's 15-puzzles."""
STACK = (7, 12, 3, 9, 1, 11, 5, 10, 2, 8, 4, 6)
WORK: dict[str, tuple[Callable[[], SearchProblem[Any, Any]], int]] = {
    "15-puzzle": (lambda: SlidingTiles(4, 4, KORF), 5_300_000),
    "12 pancakes": (lambda: Pancakes(STACK), 1_900_000),
}
"""Name → a problem, and the expansions that reach ten million states."""


@frozen
class Cost:
    """What a search took."""

    cpu: float
    """CPU seconds of all threads."""
    own: float
    """CPU seconds of the searching thread."""
    wall: float
    counters: tuple[int, ...]


def searched(problem: SearchProblem[Any, Any], expansions: int, threads: int) -> Cost:
    """Expand so many states; with 0 threads, one by one."""
    from searchkit.kernels.bfs import BreadthFirst

    run = BreadthFirst(goalless(problem), SearchTree(), threads=max(1, threads))
    run.may_batch &= threads > 0
    begin = process_time(), thread_time(), perf_counter()
    while not run.ended and run.tree.expanded < expansions:
        run.tree.expanded += run.advance(expansions - run.tree.expanded)
    cpu, own, wall = process_time() - begin[0], thread_time() - begin[1], perf_counter() - begin[2]
    tree = run.tree
    return Cost(cpu, own, wall, (tree.expanded, tree.generated, tree.peak_frontier, run.records.count))


def measured(problem: SearchProblem[Any, Any], expansions: int, most_threads: int, rounds: int) -> list[Cost]:
    """Return the median costs one by one, and with 1, 2, … threads. Raises `AssertionError` where counters differ."""
    ways = range(most_threads + 1)
    costs: list[list[Cost]] = [[] for _ in ways]
    for threads in ways:
        searched(problem, expansions // 4, threads)  # compiles
    for _ in range(rounds):
        for threads in ways:
            costs[threads].append(searched(problem, expansions, threads))
    counters = costs[0][0].counters
    assert all(cost.counters == counters for way in costs for cost in way), "counters differ"
    return [
        Cost(
            median(cost.cpu for cost in way),
            median(cost.own for cost in way),
            median(cost.wall for cost in way),
            counters,
        )
        for way in costs
    ]


def handshake(rounds: int = 2000) -> float:
    """Return the median microseconds in which two threads begin and end a step that does nothing."""
    from searchkit.kernels.team import Team

    team, took = Team(2), []
    for _ in range(rounds):
        begin = perf_counter()
        team.run(lambda number: None)
        took.append(perf_counter() - begin)
    return median(took) * 1e6


def layer(side: int) -> float:
    """Return the CPU microseconds in which one thread searches a layer of an open grid from its corner, on average."""
    grid = make_grid(Terrain([b"\1" * side] * side), [(0, 0)], [])
    cost = min((searched(grid, side * side, 0) for _ in range(3)), key=lambda cost: cost.cpu)
    return cost.cpu / (2 * side - 1) * 1e6


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and the two lines below it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--threads", type=int, default=cores(), help="the most threads; by default, as many as cores"
    )
    parser.add_argument("--part", type=int, default=1, help="do one part of so many of the expansions")
    chosen = parser.parse_args(arguments)
    table = Table(title=str(this_machine()))
    for heading in ("problem", "states", "threads", "CPU s", "own CPU s", "wall s", "faster by own CPU"):
        table.add_column(heading, justify="left" if heading == "problem" else "right")
    for name, (make, expansions) in WORK.items():
        costs = measured(make(), expansions // chosen.part, chosen.threads, chosen.rounds)
        for threads, cost in enumerate(costs):
            times = f"{cost.cpu:.2f}", f"{cost.own:.2f}", f"{cost.wall:.2f}", f"{costs[0].own / cost.own:.2f}"
            table.add_row(name, f"{cost.counters[-1]:,}", str(threads or "no batches"), *times)
    console = Console(width=120)
    console.print(table)
    console.print(f"two threads begin and end a step in {handshake():.0f} µs")
    console.print(f"one thread searches a layer of a grid of {SIDE}×{SIDE} cells in {layer(SIDE):.0f} µs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
