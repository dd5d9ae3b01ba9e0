"""Compiled engines in several threads at once: no array is used twice, and the first thread compiles."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest

from searchkit import Limits, Search, Status, solve_many
from searchkit.compiled.kit import ArrayPool, arrays, graph
from searchkit.compiled.kit.arrays import plain_array
from searchkit.compiled.kit.records import LAST_STAMP
from searchkit.compiled.kit.store import NODE
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
        expected = list(solve_many(ROUGH, queries, engine, backend="compiled", limits=limits, threads=1))
        found = list(solve_many(ROUGH, queries, engine, backend="compiled", limits=limits, threads=8))
        assert list(map(facts, found)) == list(map(facts, expected))
        open_ones = [result for result in found if result.status is Status.CUTOFF]
        assert 0 < len(open_ones) < len(queries)
        with ThreadPoolExecutor(8) as threads:
            ended = list(threads.map(lambda result: result.search.resume(), open_ones))  # type: ignore[union-attr]
        again = [result.search.resume() for result in expected if result.search is not None]
        assert list(map(facts, ended)) == list(map(facts, again))


def node_array(size: int) -> tuple[Any, int]:
    """Return an array of records and its stamp, from the pool."""
    return arrays.stamped_array(NODE, size, LAST_STAMP[NODE])


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> ArrayPool:
    """Use a pool that holds nothing yet."""
    gc.collect()
    pool = ArrayPool()
    monkeypatch.setattr(arrays, "POOL", pool)
    return pool


@pytest.mark.usefixtures("quick_turns")
def test_no_array_is_given_to_two() -> None:
    """If many threads take and return arrays, each has its own, and a stamp that it never had."""

    def use(seed: int) -> None:
        rng = Random(seed)
        for _ in range(400):
            size = rng.choice((10, 20))
            nodes, stamp = node_array(size)
            queue = plain_array(np.uint32, size)
            assert (len(nodes), len(queue)) == (size, size)
            assert stamp not in set(nodes["stamp"].tolist())
            nodes["stamp"], queue[:] = stamp, seed
            for _ in range(5):
                assert set(queue.tolist()) == {seed}
                assert set(nodes["stamp"].tolist()) == {stamp}
            del nodes, queue

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(use, range(8)))


def test_no_counter_numbers_what_is_given_back(pool: ArrayPool) -> None:
    """Two threads without a lock could get the same number; then an array would be lent while another was taken."""
    lent = [plain_array(np.uint32, size) for size in (10, 20)]
    lent.clear()
    assert [type(key) for key in pool._kept] == [object, object]


def test_all_threads_get_the_same_form_of_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also that thread which makes it a moment later than another one."""
    form, make = make_grid(ROUGH.terrain, [FLOOR[0]], [], moves=4).compiled().graph, graph._arrays_of
    begun, others = list[bool](), list[Any]()

    def made_late(stencil: Any) -> Any:
        begun.append(True)
        if len(begun) == 1:
            others.append(graph.arrays_of(stencil))  # what another thread does meanwhile
        return make(stencil)

    monkeypatch.setattr(graph, "_made", WeakKeyDictionary())
    monkeypatch.setattr(graph, "_arrays_of", made_late)
    assert graph.arrays_of(form) is others[0]
    assert graph.arrays_of(form) is others[0]


def address(array: Any) -> int:
    """Return where in memory an array lies."""
    return int(array.ctypes.data)


@pytest.mark.usefixtures("pool")
def test_arrays_are_used_again() -> None:
    """The next search of that size uses them, once the previous one is gone; as many at a time as before."""
    lent = [node_array(7)[0] for _ in range(3)]
    first = set(map(address, lent))
    assert len(first) == 3
    lent.clear()
    other = node_array(8)[0]
    assert address(other) not in first
    lent = [node_array(7)[0] for _ in range(3)]
    assert set(map(address, lent)) == first


def test_an_array_comes_back_with_its_last_view(pool: ArrayPool) -> None:
    """Not earlier, for any view of a view of the array that was lent."""
    queue, records = plain_array(np.uint32, 6), node_array(6)[0]
    part = queue[1:5].view(np.uint8)[::2]
    field = records["g"]
    del queue, records
    assert len(pool) == 0
    del part
    assert [kept.array.dtype for kept in pool._kept.values()] == [np.uint32]
    del field
    assert [kept.array.dtype for kept in pool._kept.values()] == [np.uint32, NODE]


@pytest.mark.usefixtures("pool")
def test_a_stamp_is_used_once() -> None:
    """Then the array is a new one, and stamps begin again."""
    stamps = [node_array(7)[1] for _ in range(300)]
    assert stamps == [*range(1, 256), *range(1, 46)]


def test_few_arrays_are_kept(pool: ArrayPool) -> None:
    """The newest, up to a number and to a total size; a larger one is not kept at all."""
    pool.most_arrays, pool.most_bytes = 3, 100 * NODE.itemsize
    for size in (10, 20, 30, 40):
        node_array(size)
    assert [len(kept.array) for kept in pool._kept.values()] == [20, 30, 40]
    node_array(50)
    assert [len(kept.array) for kept in pool._kept.values()] == [40, 50]
    node_array(200)
    assert 200 not in [len(kept.array) for kept in pool._kept.values()]


def test_the_garbage_collector_may_give_back_at_any_time(pool: ArrayPool) -> None:
    """Even while another array is being taken in the same thread."""
    gc.disable()  # what is young stays young: then the collector need not go over all that earlier tests have left
    cycle: list[Any] = [node_array(7)[0]]
    cycle.append(cycle)  # so that the garbage collector alone finds it
    lost = address(cycle[0])
    node_array(7)
    del cycle

    class Kept(dict[object, Any]):
        def get(self, key: object, default: Any = None) -> Any:
            gc.collect(0)
            return super().get(key, default)

    pool._kept = Kept(pool._kept)
    try:
        taken = node_array(7)[0]
    finally:
        gc.enable()
    assert address(taken) != lost
    assert [address(kept.array) for kept in pool._kept.values()] == [lost]


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
        "print([result.cost for result in solve_many(grids, engine='bfs', backend='compiled', threads=8)])\n"
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
