"""The arrays of a search: no search sees what memory held before."""

from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search
from searchkit.compiled.kit import arrays, records
from searchkit.compiled.kit.store import LOW
from searchkit.compiled.kit.table import LOAD, MOST_SLOTS, hashed_store
from searchkit.testing.spaces.digraphs import digraph
from tests.kernels.views import FORMS, compilable

LENGTH = 3_000
LINE = digraph(
    ", ".join(f"{node} -1→ {node + 1}, {node} -1→ {LENGTH + 1 + node}" for node in range(LENGTH)),
    [0],
    [LENGTH],
    {node: max(LENGTH - node, 0) for node in range(2 * LENGTH + 1)},
)


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"rows"}))
@pytest.mark.parametrize("engine", ["bfs", "astar"])
def test_memory_that_is_used_again(engine: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """New arrays may hold the records of an earlier search; records after the last node are ignored."""
    graph = compilable(LINE, form)
    first = Search(graph, engine, backend="compiled")
    expected = first.run()
    before: Any = first.tree.reached
    assert before.room > records.FIRST_ROOM, "the arrays grew"

    empty = np.empty

    def used(shape: Any, kind: Any = float) -> Any:
        return np.resize(before.nodes, shape) if kind == before.nodes.dtype else empty(shape, kind)

    again = Search(graph, engine, backend="compiled")
    monkeypatch.setattr(np, "empty", used)
    result = again.run()
    monkeypatch.undo()
    assert result.solution == expected.solution
    assert result.statistics.expanded == expected.statistics.expanded
    assert dict(again.tree.reached) == dict(before)


def test_costs_that_do_not_fit_into_a_record() -> None:
    """Small whole costs are kept in the record of a hashed state, all others beside it; both survive growth."""
    step, count = 0.5, 3_000
    graph = digraph(
        ", ".join(f"{node} -{3 if node % 2 else step}→ {node + 1}" for node in range(count)), [0], []
    )
    search = Search(compilable(graph, "functions"), "dijkstra", backend="compiled")
    search.run()
    held: Any = search.tree.reached
    nodes = np.arange(held.count)
    expected = [node // 2 * (3 + step) + node % 2 * step for node in range(count + 1)]
    assert [held[node][0] for node in range(count + 1)] == expected
    beside = int(held.costs_are_elsewhere(held.nodes[nodes]).sum())
    room_in_a_record = int(LOW) >> held.cost_at
    assert room_in_a_record < max(expected), "also whole numbers are too large"
    assert beside == sum(cost % 1 != 0 or cost >= room_in_a_record for cost in expected)


@pytest.mark.parametrize(
    "slots", [1, 2, 3, 4, 1000, 1 << 20, (1 << 20) + 1, (1 << 31) - 1, 1 << 31, MOST_SLOTS]
)
def test_an_entry_has_room_for_each_node(slots: int) -> None:
    """And none is `EMPTY`, whatever bits of a hash it has."""
    nodes = np.empty(1, [("arrival", np.uint64), ("state", np.uint64)])
    store: Any = hashed_store(nodes, np.empty(1), range(slots), 15)
    largest = int(LOW & ~store.tags)
    assert max(1, int(slots * LOAD)) <= largest
    assert store.tags == 0 or slots > largest // 4, "bits are not wasted"


@pytest.mark.skipif(not arrays._has_free_addresses(), reason="addresses are limited here")
def test_large_arrays_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have addresses for all that they may ever hold, so memory has no peak when they grow."""
    monkeypatch.setattr(arrays, "LARGE", records.FIRST_ROOM + 1)
    monkeypatch.setattr(arrays, "MANY", 0)
    search = Search(compilable(LINE, "functions"), "dijkstra", backend="compiled")
    held: Any = None
    rooms, places = set(), set()
    while not search.ended:
        search.run(Limits(expansions=100))
        held = search.tree.reached
        rooms.add(held.room)
        places.add((held.nodes.ctypes.data, held.costs_elsewhere.ctypes.data))
    assert len(rooms) > 1
    assert len(places) == 1, "they are large from the first growth on, before the first state is expanded"
    assert len(held) == 2 * LENGTH + 1
