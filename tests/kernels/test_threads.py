"""Compiled engines in several threads at once."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, Status, solve_many
from searchkit_dungeon import Grid, Terrain
from tests.helpers import facts

SIZE = 40
RNG = Random(5)
ROUGH = Grid(
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
