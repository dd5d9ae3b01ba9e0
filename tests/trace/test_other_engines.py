"""Recordings of engines of other makers, of engines with nodes of their own, and of machine code."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from searchkit import (
    Limits,
    available_engines,
    load,
    record,
    watch,
)
from searchkit.errors import UnknownNameError
from searchkit.search.auto import fitting_engines
from searchkit.trace import (
    REACH,
    RecordedSearch,
    first_difference,
    replay,
)
from searchkit.tree import SearchTree
from tests.trace.live import hold, watched
from tests.trace.roads import ROADS, Roads, kinds


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
            if successor not in reached:
                reached[successor] = (reached[state][0] + 1, state, action)
                frontier.append(successor)
        closed.add(frontier.pop(0))


def silent(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Expand from both ends in turn, and do not say which half grows."""
    backward = tree.backward = SearchTree()
    reached, other = tree.reached, backward.reached
    for half, states in ((tree, problem.initial_states()), (backward, problem.goal_states())):
        for state in states:
            half.start(state)
        half.frontier, half.closed = list(half.reached), set()
    while tree.frontier and backward.frontier:
        for half, held, steps in (
            (tree, reached, problem.successors),
            (backward, other, problem.predecessors),
        ):
            state = half.frontier[0]
            yield state
            for action, successor in steps(state):
                if successor not in half.reached:
                    half.reached[successor] = (half.reached[state][0] + 1, state, action)
                    half.frontier.append(successor)
            half.closed.add(half.frontier.pop(0))
            assert held is not None


def dealing(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Yield nodes of its own without a word, and reach one state in the end."""
    tree.frontier = ["deal", "bid", "play"]
    tree.closed = set()
    while tree.frontier:
        yield tree.frontier[0]
        tree.frontier.pop(0)
    tree.start("A")


@pytest.mark.parametrize("engine", [holding, chained])
def test_arrivals_that_can_not_be_noted_are_read_at_each_yield(engine: Callable[..., Any]) -> None:
    """A state that is expanded is reached before, from the right parent; so are the ones on its path."""
    recording = record(Roads(), engine)
    end = replay(recording)
    live = recording.result.search.tree.reached if recording.result and recording.result.search else {}
    assert end.expanded_states == set(ROADS)
    assert {state: end.reached[state] for state in ROADS} == {state: live[state] for state in ROADS}
    assert kinds(recording).count("expand") == 7


def test_a_silent_second_half_is_seen() -> None:
    """From the parents of what is reached next, or from what is reached at all."""
    search = RecordedSearch(Roads(), silent)
    moments = watched(search)
    hold(search.recording(), moments)


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
        engine: [note.kind for note in record(load(name), engine).notes]
        for name, engine in (
            ("fairway", "corridor"),
            ("maze", "bidirectional"),
            ("8puzzle", "idastar"),
            ("siding", "odid"),
        )
    }
    assert said["corridor"][0] == "phase"
    assert set(said["bidirectional"]) == {"meeting"}
    assert set(said["idastar"]) == {"iteration"}
    assert set(said["odid"]) == {"group"}
    for engine in ("cbs", "lacam"):
        recording = record(load("siding"), engine)
        own = [node for node, half in enumerate(recording.halves) if half == 2]
        parents = {
            recording.events.parent[at] for at, kind in enumerate(recording.events.kind) if kind == REACH
        }
        assert len(own) > 10
        assert len(parents) > 5, "they form a tree"


# Machine code, and several engines


# The island differs from the maze in its costs, and each engine takes seconds to compile for such a map.
@pytest.mark.parametrize(
    ("name", "engines"),
    [
        ("maze", {"astar", "bfs"}),
        *(
            pytest.param(name, set(available_engines()), marks=pytest.mark.long)
            for name in ("maze", "island")
        ),
    ],
)
def test_machine_code_does_the_same(name: str, engines: set[str]) -> None:
    """Stepped, for every engine that has it: no difference, event by event."""
    problem = load(name)
    for engine in engines.intersection(fitting_engines(problem)):
        spec = available_engines()[engine]
        if not spec.kernel or spec.requires or spec.memory == "depth" or spec.costs == "zero-one":
            continue  # they write in another order within an expansion, or do not take these costs
        compiled = record(problem, engine, backend="compiled")
        assert compiled.result is not None
        assert compiled.result.backend == "compiled"
        plain = record(problem, engine)
        assert first_difference(plain, compiled) is None, engine
        assert replay(plain).counters == replay(compiled).counters


def test_backends_are_named() -> None:
    """There are two."""
    with pytest.raises(UnknownNameError, match="python or compiled"):
        record(Roads(), "bfs", backend="auto")


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
