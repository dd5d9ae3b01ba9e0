"""A memory limit holds: machine code ends at the limit or below it, whatever sizes its arrays have there."""

from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, SearchProblem, Status
from searchkit.compiled.kit import run
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
    size = held.count * 8 * held.width + held.store.slots.nbytes
    if not isinstance(kernel.queue, np.ndarray):
        size += kernel.queue.nbytes
    return float(size) / 1e6


def puzzle(words: int) -> SearchProblem[Any, Any]:
    """Return a puzzle whose states have so many words."""
    side = int(len(PUZZLES[words]) ** 0.5)
    return SlidingTiles(side, side, PUZZLES[words])


@pytest.mark.parametrize(
    ("engine", "words"), [("bfs", 1), ("bfs", 2), ("dijkstra", 1), ("astar", 1), ("astar", 2)]
)
def test_a_limit_of_memory_holds(engine: str, words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At least half of what a limit leaves to the arrays is used, and the process keeps it within 5 %."""
    part = 40.0
    search: Search[Any, Any] = Search(puzzle(words), engine, backend="compiled")

    def resident() -> float:
        return BEFORE + (0.0 if search.kernel is None else written(search.kernel))

    monkeypatch.setattr("searchkit.search.limits.resident_memory", resident)
    monkeypatch.setattr("searchkit.search.backend.resident_memory", resident)
    monkeypatch.setattr(run, "next_steps", lambda steps, seconds: 1 << 11)
    result = search.run(Limits(memory=BEFORE + part))
    assert (result.status, result.cutoff) == (Status.CUTOFF, f"the limit of {BEFORE + part} MB of memory")
    assert 0.5 * part <= written(search.kernel)
    assert resident() <= 1.05 * (BEFORE + part)
    again = search.run(Limits(memory=2 * (BEFORE + part), expansions=1000))
    assert again.statistics.expanded == result.statistics.expanded + 1000
