"""A memory limit is used: machine code ends at the limit or close below it, whatever sizes its arrays have there."""

from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, Status
from searchkit.compiled.kit import arrays, hashed, run
from searchkit.compiled.kit.table import LOAD
from searchkit.kernels.queue.buckets import USED, Buckets
from searchkit.problem import SearchProblem
from searchkit_tiles import SlidingTiles

BEFORE = 100.0
"""The resident MB of the process without the search."""
PUZZLES = {
    1: (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3),
    2: (14, 5, 9, 2, 18, 8, 23, 19, 12, 17, 15, 0, 10, 20, 4, 6, 11, 21, 1, 7, 24, 3, 16, 22, 13),
}
"""Words of a state → a board that needs far more memory than the limits below allow."""


def written(kernel: Any) -> float:
    """Return how many MB of its arrays a search has written to: nodes, table and frontier."""
    held = kernel.records
    size = held.count * held.nodes.itemsize + held.store.slots.nbytes
    if isinstance(kernel.queue, Buckets):
        size += int(kernel.queue.state[USED]) * kernel.queue.entries.itemsize
    elif not isinstance(kernel.queue, np.ndarray):
        size += kernel.queue.growth
    return float(size) / 1e6


def puzzle(words: int) -> SearchProblem[Any, Any]:
    """Return a puzzle whose states have so many words."""
    side = int(len(PUZZLES[words]) ** 0.5)
    return SlidingTiles(side, side, PUZZLES[words])


@pytest.mark.one_in(2)  # two of the four limits for each engine
@pytest.mark.parametrize("part", [8.0, 9.5, 11.5, 14.0])
@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("bfs", 1),
        ("bfs", 2),
        ("dijkstra", 1),
        ("astar", 1),
        ("astar", 2),
        pytest.param("bucket", 1, marks=pytest.mark.long),  # compiled for no other test of the suite
    ],
)
def test_the_memory_that_a_limit_allows_is_used(
    engine: str, words: int, part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These limits lie within one doubling of the arrays.

    Of what a limit leaves to the arrays, 95 % are used at least; and the process keeps it within 5 %, although a bucket
    of the queue may have to be opened at the end.
    """
    search: Search[Any, Any] = Search(puzzle(words), engine, backend="compiled")

    def resident() -> float:
        return BEFORE + (0.0 if search.kernel is None else written(search.kernel))

    monkeypatch.setattr("searchkit.search.limits.resident_memory", resident)
    monkeypatch.setattr("searchkit.search.backend.resident_memory", resident)
    monkeypatch.setattr(run, "next_steps", lambda steps, seconds: 1 << 11)
    monkeypatch.setattr(run, "PATIENCE", 0)
    result = search.run(Limits(memory=BEFORE + part))
    assert (result.status, result.cutoff) == (Status.CUTOFF, f"the limit of {BEFORE + part} MB of memory")
    assert 0.95 * part <= written(search.kernel)
    assert resident() <= 1.05 * (BEFORE + part)
    expanded = result.statistics.expanded
    again = search.run(Limits(memory=2 * (BEFORE + part), expansions=1000))
    assert again.statistics.expanded == expanded + 1000


def test_arrays_grow_as_without_a_limit_while_it_is_far() -> None:
    """Near the limit they take what fits at once; if not even a copy fits, that is an error."""
    assert arrays.reserved(200, 100, 8, None) == 200
    plenty = arrays.PLENTY * 800
    assert arrays.reserved(200, 100, 8, plenty) == 200
    assert arrays.reserved(200, 100, 8, plenty - 8) == 100 + plenty // 8 - 1
    assert arrays.reserved(200, 100, 8, 800) == 200
    with pytest.raises(MemoryError, match=arrays.NOT_ALLOWED):
        arrays.reserved(200, 100, 8, 799)


def test_a_table_that_is_filled_anew_is_whole_whenever_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between two pieces of the work, and if it is broken off."""
    monkeypatch.setattr(hashed, "SLOTS_PIECE", 1 << 12)
    monkeypatch.setattr(hashed, "NODES_PIECE", 1 << 10)
    search: Search[Any, Any] = Search(puzzle(1), "bfs", backend="compiled")
    search.run(Limits(expansions=3000))
    held: Any = search.tree.reached
    states = list(held)
    pieces = held.grow(held.room + 1)
    while not (held._filling and held._entered):
        next(pieces)
    assert all(state in held for state in states)
    assert not held._filling
    for _ in pieces:
        pass
    assert list(held) == states

    broken_off = held.grow(held.room + 1)
    while not (held._filling and held._entered):
        next(broken_off)
    broken_off.close()
    assert not held._filling
    assert search.run(Limits(expansions=20_000)).statistics.expanded == 23_000
    assert len(set(held)) == len(held)


def test_a_table_grows_to_the_last_node_that_fits() -> None:
    """Near a limit, the room is what the bytes allow: they are used if the least room just fits, and not exceeded."""
    count, size, slots, least = 6_000, 16, 8_000, 6_100  # one more part of `LEAST_GROWTH` is 6,093
    needed = least * (size + arrays.SLOT.itemsize / LOAD) - count * size - slots * arrays.SLOT.itemsize
    assert arrays.larger_table(count, slots, count, size, least, needed + 1)[0] == least
    with pytest.raises(MemoryError, match=arrays.NOT_ALLOWED):
        arrays.larger_table(count, slots, count, size, least, needed - 8)
