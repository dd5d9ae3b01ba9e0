"""The check that replays equal live trees can fail: it finds planted faults."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from searchkit import Recording, load
from searchkit.trace import (
    EXPAND,
    IMPROVE,
    LEAVE,
    REACH,
    REOPEN,
    Events,
    RecordedSearch,
)
from tests.trace.live import hold, watched
from tests.trace.roads import Roads


def middle(events: list[Any], kind: int) -> int:
    """Return the index of the event in the middle of those of a kind."""
    found = [at for at, event in enumerate(events) if event.kind == kind]
    return found[len(found) // 2]


def without(recording: Recording[Any, Any], kind: int) -> Recording[Any, Any]:
    """Return the recording that has lost an event of a kind in its middle."""
    events = list(recording.events)
    lost = middle(events, kind)
    return with_events(recording, [event for at, event in enumerate(events) if at != lost])


def with_events(recording: Recording[Any, Any], events: list[Any]) -> Recording[Any, Any]:
    """Return the recording with other events."""
    found = Events()
    for event in events:
        found.add(*event)
    return evolve(recording, events=found)


def replaced(of: int, **fields: Any) -> Callable[[Recording[Any, Any]], Recording[Any, Any]]:
    """Return what changes an event of a kind in the middle of a recording."""

    def change(recording: Recording[Any, Any]) -> Recording[Any, Any]:
        events = list(recording.events)
        at = middle(events, of)
        events[at] = events[at]._replace(**fields)
        return with_events(recording, events)

    return change


DEFECTS: dict[str, tuple[str, Callable[[Recording[Any, Any]], Recording[Any, Any]]]] = {
    "a lost improvement": ("dijkstra", lambda recording: without(recording, IMPROVE)),
    "a lost reopening": ("astar", lambda recording: without(recording, REOPEN)),
    "a reopening that is called an improvement": ("astar", replaced(REOPEN, kind=IMPROVE)),
    "an improvement that is called a reopening": ("dijkstra", replaced(IMPROVE, kind=REOPEN)),
    "a lost retreat": ("dfs", lambda recording: without(recording, LEAVE)),
    "a lost expansion": ("bfs", lambda recording: without(recording, EXPAND)),
    "another node expanded": ("bfs", replaced(EXPAND, node=0)),
    "another cost": ("dijkstra", replaced(REACH, g=1)),
    "another parent": ("dijkstra", replaced(REACH, parent=1)),
    "another action": ("dijkstra", replaced(REACH, action="AG")),
    "another half": ("bidirectional", lambda recording: evolve(recording, halves=bytearray(recording.nodes))),
    "another count": (
        "bfs",
        lambda recording: evolve(recording, generated=type(recording.generated)("q", [0] * 99)),
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_faulty_recording_is_not_the_live_tree(name: str) -> None:
    """The check of every engine finds each of these faults."""
    engine, spoil = DEFECTS[name]
    search: RecordedSearch[Any, Any] = RecordedSearch(load("maze") if engine == "dfs" else Roads(), engine)
    moments = watched(search)
    recording = search.recording()
    hold(recording, moments)
    with pytest.raises((AssertionError, KeyError)):
        hold(spoil(recording), moments)
