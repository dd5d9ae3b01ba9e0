"""While the jump table of a map is made, limits and interruptions take effect."""

import threading
from typing import Any

import pytest

from searchkit import Limits, Search, Status, solve
from searchkit_dungeon import grid
from searchkit_dungeon.jumps import making


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return what has to be set before a table is made."""
    gate, make = threading.Event(), making.make

    def slowly(*arguments: Any) -> Any:
        assert gate.wait(60)
        return make(*arguments)

    monkeypatch.setattr(making, "make", slowly)
    return gate


@pytest.mark.parametrize("backend", ["python", "compiled"])
def test_a_limit_ends_a_search_whose_table_is_being_made(backend: str, gate: threading.Event) -> None:
    """Nothing is expanded then; the next run waits for the same table, and goes on."""
    room = grid(["S.......", "........", "....#...", "....#..G"], moves=8)
    search: Search[Any, Any] = Search(room, "jps+", backend=backend)
    for limits in (Limits(seconds=0.01), Limits(seconds=0)):
        result = search.run(limits)
        assert (result.status, result.statistics.expanded) == (Status.CUTOFF, 0)
        assert "seconds" in result.cutoff
    search.interrupt()
    assert search.run().cutoff == "an interruption"
    gate.set()
    assert search.run().status is Status.SOLVED
    gate.clear()
    assert solve(room, "jps+", backend="python").optimal, "the map keeps its table"


def test_iterating_waits_for_the_table(gate: threading.Event) -> None:
    """The first state comes when the table is there; an error of making it is raised."""
    room = grid(["S..", "..#", "..G"], moves=8)
    timer = threading.Timer(0.05, gate.set)
    timer.start()
    assert next(Search(room, "jps+", backend="python")) == (0, 0)
    timer.join()


def test_an_error_of_the_table_is_the_error_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of a thread."""

    def fails(*arguments: Any) -> Any:
        raise MemoryError("no room for a table")

    monkeypatch.setattr(making, "make", fails)
    with pytest.raises(MemoryError, match="no room for a table"):
        Search(grid(["S.", ".G"], moves=8), "jps+", backend="python").run()
