"""What `benchmarks.python.versions` measures, in the process of one Python: see `benchmarks.peers.worker`.

Every function prepares a search, and returns it with what makes a number of its answer. `many_…` measures itself: its
answer is how many times as fast two threads are as one, by the clock.
"""

import gc
from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.python.contenders import BASELINE, OURS
from benchmarks.python.worker import Work
from searchkit import Search, load, solve, solve_many
from searchkit_dungeon import make_grid
from searchkit_dungeon.terrain import Terrain

LIBRARIES = ("searchkit",)
QUERIES = {"python": 4, "compiled": 16}
"""How many queries two threads answer."""
SMALL = 100
"""How often a small problem is solved."""
Prepared = tuple[Callable[[], Any], Callable[[Any], float]]


def _work(contender: str, workload: str, arrays: dict[str, Any]) -> Prepared:
    work = Work(contender, workload, tiny=bool(arrays["tiny"]))
    search = work.module.prepare(work.workload, None)

    def run() -> Any:
        gc.unfreeze()  # with frozen objects, the collector of free-threaded 3.13 runs far more often
        return search()

    return run, lambda answers: float(sum(one.cost for one in answers))


grid_bfs = partial(_work, OURS, "grid-bfs")
grid_dijkstra = partial(_work, OURS, "grid-dijkstra")
puzzles = partial(_work, OURS, "puzzle8-astar")
puzzles_by_hand = partial(_work, BASELINE, "puzzle8-astar")


def small(arrays: dict[str, Any]) -> Prepared:
    """Solve an open map of 10×10 cells a hundred times."""
    room = make_grid(Terrain([b"\1" * 10] * 10), [(0, 0)], [(9, 9)])

    def run() -> int:
        for _ in range(SMALL):
            cost = solve(room, "astar").cost
        return int(cost or 0)

    return run, float


def compiled(arrays: dict[str, Any]) -> Prepared:
    """Solve a map of 512×512 cells by machine code; Numba may be missing."""
    problem = load("random512")
    Search(problem, "astar", backend="compiled").run()
    return lambda: solve(problem, "astar", backend="compiled").cost, float


def many_python(arrays: dict[str, Any]) -> Prepared:
    """Answer queries on a map of 512×512 cells in Python."""
    return _many("python")


def many_compiled(arrays: dict[str, Any]) -> Prepared:
    """Answer queries on that map by machine code."""
    return _many("compiled")


def _many(backend: str) -> Prepared:
    problem: Any = load("random512")
    random = Random(1)
    cells = [(x, y) for x in range(512) for y in range(512) if problem.terrain.weight((x, y))]
    ends = [(random.choice(cells), random.choice(cells)) for _ in range(QUERIES[backend])]

    def answer(threads: int) -> float:
        begin = perf_counter()
        for _ in solve_many(problem, ends, "astar", backend=backend, workers=f"threads:{threads}"):
            pass
        return perf_counter() - begin

    answer(1)
    return lambda: answer(1) / answer(2), float
