"""Recordings of third-party engines, of engines with nodes of their own, and of several engines."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from searchkit import Limits, load, record, watch
from searchkit.trace import REACH, RecordedSearch, replay
from searchkit.tree import SearchTree
from tests.trace.live import hold, watched
from tests.trace.roads import Roads, kinds


class Kept:
    """Arrivals that are no dictionary."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, Any]] = []

    def __getitem__(self, state: Any) -> Any:
        return next(arrival for key, arrival in reversed(self.rows) if key == state)

    def __contains__(self, state: Any) -> bool:
        return any(key == state for key, _ in self.rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(dict(self.rows))

    def __len__(self) -> int:
        return len(dict(self.rows))

    def keys(self) -> Any:
        return dict(self.rows).keys()

    def path_to(self, state: Any) -> Any:
        raise KeyError(state)


def holding(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Expand states in the order in which they were reached, with arrivals of another kind."""
    if tree.frontier is None:
        tree.hold(Kept())
        tree.frontier = list(problem.initial_states())
        tree.closed = []
        tree.reached.rows += [(state, (0, None, None)) for state in tree.frontier]  # type: ignore[attr-defined]
    while tree.frontier:
        state = tree.frontier[0]
        yield state
        g = tree.reached[state][0]
        for action, successor in problem.successors(state):
            tree.generated += 1
            if successor not in tree.reached:
                tree.reached.rows.append((successor, (g + 1, state, action)))  # type: ignore[attr-defined]
                tree.frontier.append(successor)
        tree.frontier.pop(0)
        tree.closed.append(state)


def chained(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Do the same with a dictionary of its own, assigned to the tree and to a variable at once."""
    reached = tree.reached = dict.fromkeys(problem.initial_states(), (0, None, None))
    frontier = tree.frontier = list(reached)
    closed = tree.closed = set()
    while frontier:
        state = frontier[0]
        yield state
        for action, successor in problem.successors(state):
            tree.generated += 1
            if successor not in reached:
                reached[successor] = (reached[state][0] + 1, state, action)
                frontier.append(successor)
        closed.add(frontier.pop(0))


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


def dealing(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Yield nodes of its own without a word, and reach one state in the end."""
    tree.frontier = ["deal", "bid", "play"]
    tree.closed = set()
    while tree.frontier:
        yield tree.frontier[0]
        tree.frontier.pop(0)
    tree.start("A")


@pytest.mark.parametrize("engine", [holding, chained, changing])
def test_a_recording_is_the_tree_of_any_engine(engine: Callable[..., Any]) -> None:
    """At every yield: with arrivals of its own, and with every kind of write."""
    search: RecordedSearch[Any, Any] = RecordedSearch(Roads(), engine)
    moments = watched(search)
    hold(search.recording(), moments)
    assert len(moments) >= 7


def test_nodes_that_are_no_states_get_numbers() -> None:
    """Of the third kind, with the text as label."""
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
        for name, engine in (
            ("fairway", "corridor"),
            ("maze", "bidirectional"),
            ("8puzzle", "idastar"),
            ("siding", "odid"),
        )
    }
    assert "phase" in said.pop("corridor")
    assert said == {"bidirectional": {"meeting"}, "idastar": {"iteration"}, "odid": {"group"}}
    for engine in ("cbs", "lacam"):
        recording = record(load("siding"), engine)
        parents = {
            recording.events.parent[at] for at, kind in enumerate(recording.events.kind) if kind == REACH
        }
        assert recording.halves.count(2) > 10
        assert len(parents) > 5, "they form a tree"


def test_engines_are_watched_side_by_side() -> None:
    """With options of their own; `auto` if none is named."""
    recordings = watch(Roads(), "astar", ("wastar", {"weight": 2}))
    assert [recording.title for recording in recordings] == ["astar", "wastar weight=2"]
    assert [recording.weight for recording in recordings] == [1, 2]
    assert repr(recordings) == "<Recordings of astar, wastar weight=2>"
    assert repr(recordings[1:]) == "<Recordings of wastar weight=2>"
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
