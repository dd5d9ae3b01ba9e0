"""Queries for the tests of `solve_many`, the threads that answer them, and results without what runs differ in."""

import threading
from time import sleep
from typing import Any

from attrs import evolve

from searchkit import (
    Result,
    SearchProblem,
    problem_from,
)
from searchkit_dungeon import Cell, Grid, Terrain, grid
from tests.helpers import facts

OPEN = Grid(Terrain([b"\1" * 20] * 20), [(0, 0)], [(19, 19)])
CRYPT = grid(["S...#", ".##.#", "...G#"])
AISLES: list[tuple[Cell, Cell]] = [((0, 0), (3, 2)), ((0, 1), (3, 1)), ((2, 0), (2, 0))]


def line(goal: float) -> SearchProblem[int, str]:
    """Return a line of numbers from 0 on; it is endless if the goal is not on it."""
    return problem_from([0], lambda n: [("+1", n + 1)], lambda n: n == goal)


def endless(begun: threading.Event) -> SearchProblem[int, str]:
    """Return an endless line that sets an event while it is searched."""

    def successors(n: int) -> list[tuple[str, int]]:
        if n == 100:
            begun.set()
        return [("+1", n + 1)]

    return problem_from([0], successors, lambda n: False)


EARLIER: set[threading.Thread] = set()
"""Threads of iterators that other code of this process holds open, such as the names of a page of the documentation."""


def workers() -> list[threading.Thread]:
    """Return the threads that answer queries of this test."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("searchkit")]
    return [thread for thread in threads if thread not in EARLIER]


def wait_for_no_workers() -> None:
    """Fail if threads still run after a minute."""
    for _ in range(6000):
        if not workers():
            return
        sleep(0.01)
    raise AssertionError(f"{workers()} still run")


def alike(result: Result[Any, Any], backend: str) -> Result[Any, Any]:
    """Return the result without what may differ: the seconds; with `auto`, the backend and the peak of the frontier."""
    if backend == "auto":
        result = evolve(result, backend="", statistics=evolve(result.statistics, peak_frontier=0))
    return facts(result)
