"""Compiled engines in several threads at once."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, Status, solve_many
from searchkit_dungeon import Terrain, make_grid
from tests.helpers import facts

SIZE = 40
RNG = Random(5)
ROUGH = make_grid(
    Terrain([bytes(RNG.choice((0, 1, 1, 1, 2)) for _ in range(SIZE)) for _ in range(SIZE)]), [], [], moves=4
)
FLOOR = [(x, y) for x, y in ROUGH.terrain.cells if (x, y) in ROUGH.terrain and ROUGH.terrain.weight((x, y))]


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("quick_turns")
def test_answers_do_not_depend_on_the_threads() -> None:
    """Eight threads over one map, taking turns all the time; some searches were paused and continue."""
    rng = Random(7)
    queries = [(rng.choice(FLOOR), rng.choice(FLOOR)) for _ in range(80)]
    for engine in ("bfs", "dijkstra", "astar"):
        limits = Limits(expansions=600)
        expected = list(
            solve_many(ROUGH, queries, engine, backend="compiled", limits=limits, workers="threads:1")
        )
        found = list(
            solve_many(ROUGH, queries, engine, backend="compiled", limits=limits, workers="threads:8")
        )
        assert list(map(facts, found)) == list(map(facts, expected))
        open_ones = [result for result in found if result.status is Status.CUTOFF]
        assert 0 < len(open_ones) < len(queries)
        with ThreadPoolExecutor(8) as threads:
            ended = list(threads.map(lambda result: result.search.resume(), open_ones))  # type: ignore[union-attr]
        again = [result.search.resume() for result in expected if result.search is not None]
        assert list(map(facts, ended)) == list(map(facts, again))


@pytest.mark.long  # CI runs it; test_code_cache.py has two processes
def test_the_first_use_in_a_process_by_many_threads(tmp_path: Path) -> None:
    """Engines are imported, and compiled once per machine, by the first thread; the first use reports that it compiles.

    Later processes find the kernel in the cache directory.
    """
    code = (
        "import logging, sys; logging.basicConfig(level=logging.INFO)\n"
        "sys.setswitchinterval(1e-6)\n"
        "from searchkit import solve_many\n"
        "from searchkit_dungeon import Terrain, make_grid\n"
        "sides = range(2, 26)\n"
        "grids = [make_grid(Terrain([b'\\1' * n] * n), [(0, 0)], [(n - 1, n - 1)]) for n in sides]\n"
        "print([result.cost for result in solve_many(grids, engine='bfs', backend='compiled', workers='threads:8')])\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    said = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"{[2 * side - 2 for side in range(2, 26)]}\n"
        said.append(done.stderr.count("compiling breadth_first … (once per machine)"))
    assert said == [1, 0]
    assert list((tmp_path / "searchkit" / "kernels").iterdir())


def test_a_search_may_go_from_thread_to_thread() -> None:
    """Each run of it in another one."""
    task = ROUGH.aimed(FLOOR[:1], FLOOR[-1:])
    search: Search[Any, Any] = Search(task, "dijkstra", backend="compiled")
    with ThreadPoolExecutor(4) as threads:
        while True:
            result = threads.submit(search.run, Limits(expansions=100)).result()
            if result.status is not Status.CUTOFF:
                break
    assert facts(result) == facts(Search(task, "dijkstra", backend="compiled").run())
    assert np.isfinite(float(result.lower_bound))
