"""Slices of any size give the same search."""

from typing import Any

import pytest

from searchkit import Limits, Search, solve
from searchkit.compiled.kit.control import MOST_STEPS
from searchkit_dungeon import Terrain, make_grid
from tests.kernels.together import answer


def long(engine: str) -> Any:
    """Leave an engine to `--long`: it takes seconds to compile it for these grids, which no other test needs."""
    return pytest.param(engine, marks=pytest.mark.long)


def open_floor(engine: str, side: int = 301) -> Any:
    """Return a grid on which the engine has much to do, because its start and its goal are far from each other."""
    ends = [(0, 0)], [(side - 1, side - 1)]
    rows = [bytes(1 + (x * y) % 3 % 2 for x in range(side)) for y in range(side)]
    if engine in ("zero_one", "idastar", "corridor"):
        rows = [bytes(1 for _ in range(side)) for _ in range(side)]
    return make_grid(Terrain(rows), *ends)


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "idastar", *map(long, ("bucket", "zero_one"))])
def test_steps_do_not_show(engine: str) -> None:
    """It is the same search, with any number of steps in a slice."""
    task = open_floor(engine, 7 if engine == "idastar" else 61)
    expected = answer(solve(task, engine, backend="python"))
    for steps in (1, 7, 300, MOST_STEPS):
        search: Search[Any, Any] = Search(task, engine, backend="compiled")
        search.run(Limits(expansions=0))
        search.kernel.steps = steps
        assert answer(search.run()) == expected
