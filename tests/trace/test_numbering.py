"""Numbering at once, for searches that reach each state once, gives the events of the loop."""

from typing import Any

import pytest

from searchkit import Limits, load, problem_from
from searchkit.trace import RecordedSearch
from searchkit.trace.numbering import Numbering

LINE = problem_from([0, 9], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4)
NO_STEPS: Any = problem_from(["a"], lambda state: [], lambda state: False)


def numberings(problem: Any, engine: str, limits: Limits | None = None, **options: Any) -> tuple[Any, Any]:
    """Return the numbering of a recorded search as it is, and the one that the loop makes."""
    search = RecordedSearch(problem, engine, **options)
    search.run(limits)
    looped = type("Looped", (Numbering,), {"_fill_at_once": lambda self: False})
    return Numbering(search._log), looped(search._log)


@pytest.mark.parametrize(
    ("problem", "limits"),
    [
        (LINE, None),
        (LINE, Limits(expansions=0)),
        (LINE, Limits(expansions=3)),
        (NO_STEPS, None),
        (load("maze"), None),
    ],
)
def test_breadth_first_search_is_numbered_at_once(problem: Any, limits: Limits | None) -> None:
    """The events, states and numbers are those of the loop."""
    found, looped = numberings(problem, "bfs", limits)
    assert (found._at_once, looped._at_once) == (True, False)
    assert found.events == looped.events
    assert (found.states, found.halves) == (looped.states, looped.halves)
    assert [found.node(0, state) for state in found.states] == list(range(len(found.states)))
    assert found.node(0, ("no", "state")) is looped.node(0, ("no", "state")) is None


@pytest.mark.parametrize("engine", ["dfs", "astar", "dijkstra", "bidirectional", "idastar"])
def test_other_searches_are_numbered_by_the_loop(engine: str) -> None:
    """Searches that expand in another order, or reach states again, are not taken for breadth-first search."""
    found, looped = numberings(load("maze"), engine)
    assert not found._at_once
    assert found.events == looped.events


def test_a_full_recording_is_numbered_by_the_loop() -> None:
    """After the limit, the arrivals hold more states than were written to the log."""
    found, looped = numberings(LINE, "bfs", cap=2)
    assert not found._at_once
    assert found.events == looped.events


def test_a_node_is_found_by_an_equal_state() -> None:
    """A state that is equal, but not the same object, has the same number."""
    found, looped = numberings(load("maze"), "bfs")
    x, y = found.states[7]
    assert found.node(0, (int(str(x)), int(str(y)))) == looped.node(0, (x, y)) == 7
