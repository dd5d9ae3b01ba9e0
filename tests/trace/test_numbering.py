"""Numbering at once, for searches that reach each state once, gives the events of the loop."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, load, problem_from
from searchkit.trace import RecordedSearch, record
from searchkit.trace.file.pack import pack
from searchkit.trace.log import Log
from searchkit.trace.noting import RecordedTree
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


def logged(operations: list[tuple[str, int]], *, listed: bool) -> tuple[list[Any], list[Any], list[int]]:
    """Return the writes that a log has after these operations; `listed`: they are appended to a list from the start."""
    log = Log(99)
    arrivals = RecordedTree(log).reached
    if listed:
        log.list_writes()
    for number, (what, state) in enumerate(operations):
        if what == "expand":
            log.expanded.append(state)
            log.expanded_at.append(len(log.writes))
        elif what == "write":
            arrivals[state] = (number, None, None)
        else:
            arrivals.pop(state, None)
    log.list_writes()
    return log.states, log.arrivals, list(log.expanded_at)


OPERATIONS = st.lists(st.tuples(st.sampled_from(["write", "write", "expand", "drop"]), st.integers(0, 5)))


@given(OPERATIONS)
def test_arrivals_are_a_log_of_their_own_writes(operations: list[tuple[str, int]]) -> None:
    """The list that is made of a dictionary, when a state is dropped or at the end, is that of all writes in order."""
    assert logged(operations, listed=False) == logged(operations, listed=True)


@pytest.mark.parametrize(
    ("engine", "own"), [("bfs", True), ("astar", True), ("bidirectional", False), ("dfs", False)]
)
def test_few_searches_need_a_list_of_writes(engine: str, own: bool) -> None:
    """Only those that drop states, or have two halves."""
    search = RecordedSearch(load("maze"), engine)
    search.run()
    assert (search._log.writes is not search._log.states) is own
    search.recording()
    assert search._log.writes is search._log.states


@pytest.mark.parametrize("limits", [None, Limits(expansions=0), Limits(expansions=5)])
def test_the_file_of_a_breadth_first_search_is_that_of_its_events(limits: Limits | None) -> None:
    """It is made without a look at each event, and has the same bytes as if each had been looked at."""
    recording = record(load("maze"), "bfs", limits=limits)
    assert recording.events.in_order
    quick = pack(recording)
    recording.events.in_order = False
    assert pack(recording) == quick
