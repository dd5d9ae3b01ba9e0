"""What recordings hold: of third-party engines, of searches that are cut off, interrupted or too long."""

from collections.abc import Iterator
from typing import Any

import pytest

from searchkit import EngineSpec, Limits, Recording, Search, load, problem_from, record, solve, watch
from searchkit.errors import InvalidOptionError, InvalidProblemError, MissingCapabilityError
from searchkit.plugin import SearchTree
from searchkit.trace import (
    EXPAND,
    KINDS,
    REACH,
    RecordedSearch,
    replay,
)
from tests.helpers import engines_for_digraphs
from tests.trace.live import hold, watched
from tests.trace.roads import Roads, kinds


def test_events_say_what_happens() -> None:
    """A state reached, improved, expanded too soon and reopened."""
    recording = record(Roads(), "astar")
    told = [(KINDS[event.kind], recording.states[event.node], event.g) for event in recording.events]
    assert told[:5] == [
        ("reach", "A", 0),
        ("expand", "A", 0),
        ("reach", "B", 2),
        ("reach", "C", 5),
        ("reach", "D", 9),
    ]
    assert told[5:10] == [
        ("expand", "C", 5),
        ("reach", "E", 8),
        ("improve", "D", 6),
        ("expand", "B", 2),
        ("reopen", "C", 3),
    ]
    assert (recording.status, recording.cost) == ("solved", solve(Roads(), "dijkstra").cost)
    assert recording.result is not None
    assert recording.result.solution is not None
    path = [recording.states[node] for node in replay(recording).path_to(recording.goal or 0)]
    assert path == list(recording.result.solution.states)


def test_small_searches() -> None:
    """A start that is a goal, one state without a path, and a space without a goal."""
    one: Recording[Any, Any] = record(problem_from([0], lambda n: [], lambda n: True), "dijkstra")
    assert (kinds(one), one.goal, one.status) == (["reach"], 0, "solved")
    none: Recording[Any, Any] = record(problem_from([0], lambda n: [], lambda n: False), "bfs")
    assert (kinds(none), none.goal, none.status) == (["reach", "expand"], None, "unsolvable")


def test_a_search_that_is_cut_off_is_resumed() -> None:
    """A recording of the beginning; later one of all of it, the same as in one run."""
    search = RecordedSearch(load("maze"), "astar")
    begin = search.recording(search.run(Limits(expansions=100)))
    assert (begin.status, begin.expansions, begin.complete) == ("cutoff", 100, True)
    whole = search.recording(search.run())
    assert list(whole.events) == list(record(load("maze"), "astar").events)
    assert list(whole.events[: len(begin)]) == list(begin.events)


class Faulty(Roads):
    """Roads whose member raises once, when it is called for the n-th time."""

    def __init__(self, call: int):
        self.left = call

    def cost(self, state: str, action: str, to: str) -> int:
        self.left -= 1
        if not self.left:
            raise ZeroDivisionError("a bridge is down")
        return super().cost(state, action, to)


@pytest.mark.parametrize(
    "spec", [spec for spec in engines_for_digraphs() if spec.costs == "any"], ids=lambda spec: spec.name
)
@pytest.mark.parametrize("call", [1, 4])
def test_an_error_of_the_problem_loses_nothing(spec: EngineSpec, call: int) -> None:
    """It is the error that the search raises, and what was recorded until then is kept when the search is resumed."""
    search, plain = RecordedSearch(Faulty(call), spec), Search(Faulty(call), spec, backend="python")
    with pytest.raises(InvalidProblemError) as raised:
        search.run()
    with pytest.raises(InvalidProblemError) as expected:
        plain.run()
    assert str(raised.value) == str(expected.value)
    broken = search.recording()
    assert replay(broken).reached == dict(search.tree.reached)
    if spec.memory != "depth":  # depth-first search leaves the state and reaches it again
        assert replay(broken).expanded_states == search.tree.expanded_states()
    whole = search.recording(search.run())
    assert replay(whole).reached == replay(record(Roads(), spec)).reached == dict(search.tree.reached)


def test_a_full_recording_says_so() -> None:
    """The first expansions are kept, with all that they wrote; the search itself is not cut off."""
    full, whole = record(load("maze"), "astar", cap=50), record(load("maze"), "astar")
    assert (full.expansions, full.unrecorded, full.complete, full.cost) == (50, 261, False, 160)
    assert list(full.events) == list(whole.events[: len(full)])
    assert whole.events.kind[len(full)] == EXPAND
    assert replay(full).counters == replay(whole, len(full)).counters
    empty = record(load("maze"), "astar", cap=0)
    assert (empty.expansions, empty.unrecorded) == (0, 311)
    deep = record(load("8puzzle"), "idastar", cap=1000)
    assert deep.expansions + deep.unrecorded == deep.result.statistics.expanded  # type: ignore[union-attr]


@pytest.mark.parametrize("cap", [-1, 1.5, True, "many", None])
def test_a_cap_is_a_whole_number(cap: Any) -> None:
    """Anything else is one error."""
    with pytest.raises(InvalidOptionError, match="expected a whole number of expansions"):
        record(Roads(), "bfs", cap=cap)


# Third-party engines


def changing(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Write to the tree in every way in which a dictionary can be written to."""
    reached = tree.reached
    tree.start("A")
    tree.frontier, tree.closed = ["A"], set()
    for step in (
        lambda: reached.update({"B": (2, "A", "AB")}, C=(5, "A", "AC")),
        lambda: reached.setdefault("D", (9, "A", "AD")),
        lambda: reached.setdefault("D", (8, "A", "AD")),
        lambda: reached.pop("B"),
        lambda: reached.pop("B", None),
        lambda: reached.__ior__({"B": (1, "A", "AB")}),
        lambda: reached.__delitem__("C"),
        reached.popitem,
        reached.clear,
        lambda: tree.start("A"),
    ):
        yield "A"
        tree.closed.add("A")
        step()
        tree.closed &= reached.keys()
        tree.generated += 1
    tree.frontier = []


def test_a_recording_has_every_kind_of_write() -> None:
    """At every yield."""
    search: RecordedSearch[Any, Any] = RecordedSearch(Roads(), changing)
    moments = watched(search)
    hold(search.recording(), moments)
    assert len(moments) >= 7


def test_an_engine_with_a_dictionary_of_its_own_is_one_error() -> None:
    """What it writes can't be seen."""

    def own(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
        tree.frontier = tree.closed = []
        tree.reached = {"A": (0, None, None)}
        yield "A"

    with pytest.raises(MissingCapabilityError, match="own can't be recorded"):
        record(Roads(), own)


def test_nodes_that_are_no_states_get_numbers() -> None:
    """Of the third kind, with the text as label."""

    def dealing(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
        tree.frontier, tree.closed = [], set()
        yield from ("deal", "bid", "play")
        tree.start("A")

    recording = record(Roads(), dealing)
    assert kinds(recording) == ["reach", "expand"] * 3 + ["reach"]
    assert list(recording.halves) == [2, 2, 2, 0]
    assert [recording.label(node) for node in range(3)] == ["deal", "bid", "play"]
    assert replay(recording).reached == {"A": (0, None, None)}
    assert replay(recording).expanded_states == set()


def test_engines_say_more_than_arrivals() -> None:
    """Phases, meetings, iterations, nodes and groups: what the docs promise."""
    said = {
        engine: {note.kind for note in record(load(name), engine).notes}
        for name, engine in (("maze", "bidirectional"), ("8puzzle", "idastar"), ("siding", "odid"))
    }
    assert said == {"bidirectional": {"meeting"}, "idastar": {"iteration"}, "odid": {"group"}}
    assert "phase" in {note.kind for note in record(load("fairway"), "corridor").notes}
    for engine in ("cbs", "lacam"):
        recording = record(load("siding"), engine)
        parents = {event.parent for event in recording.events if event.kind == REACH}
        assert recording.halves.count(2) > 10
        assert len(parents) > 5, "they form a tree"


def test_engines_are_watched_side_by_side() -> None:
    """With options of their own; `auto` if none is named."""
    recordings = watch(Roads(), "astar", ("wastar", {"weight": 2}))
    assert [recording.title for recording in recordings] == ["astar", "wastar weight=2"]
    assert [recording.weight for recording in recordings] == [1, 2]
    assert repr(recordings) == "<Recordings of astar, wastar weight=2>"
    assert [recording.engine for recording in watch(Roads())] == ["astar"]


def test_the_frontier_is_in_order() -> None:
    """The open nodes as they will be expanded; those that never are, by f."""
    recording = record(Roads(), "astar")
    for at in recording.expansions_at:
        assert replay(recording, at).frontier[0] == recording.events.node[at]
    early = record(load("maze"), "astar", limits=Limits(expansions=60))
    end = replay(early)
    values = [early.f(node, end.g[node]) for node in end.frontier]
    assert len(values) > 1
    assert values == sorted(values)
    with pytest.raises(ValueError, match="time 9999"):
        replay(recording, 9999)
