"""What recordings hold of searches that are cut off, interrupted or too long."""

from typing import Any

import pytest

from searchkit import EngineSpec, Limits, Recording, Search, load, problem_from, record, solve
from searchkit.errors import InvalidOptionError, InvalidProblemError, SearchkitError
from searchkit.trace import (
    EXPAND,
    KINDS,
    RecordedSearch,
    first_difference,
    replay,
)
from tests.helpers import engines_for_digraphs
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
    assert recording.status == "solved"
    assert recording.cost == solve(Roads(), "dijkstra").cost
    assert [recording.states[node] for node in replay(recording).path_to(recording.goal or 0)] == list(
        recording.result.solution.states if recording.result and recording.result.solution else ()
    )


def test_small_searches() -> None:
    """A start that is a goal, one state without a path, and a space without a goal."""
    one: Recording[Any, Any] = record(problem_from([0], lambda n: [], lambda n: True), "dijkstra")
    assert (kinds(one), one.goal, one.status) == (["reach"], 0, "solved")
    none: Recording[Any, Any] = record(problem_from([0], lambda n: [], lambda n: False), "bfs")
    assert (kinds(none), none.goal, none.status) == (["reach", "expand"], None, "unsolvable")
    ring = record(problem_from([0], lambda n: [("on", (n + 1) % 3)], lambda n: False), "dfs")
    assert (ring.status, ring.expansions, ring.goal) == ("unsolvable", 3, None)


def test_a_search_that_is_cut_off_goes_on() -> None:
    """A recording of the beginning; later one of all of it, the same as in one run."""
    search = RecordedSearch(load("maze"), "astar")
    begin = search.recording(search.run(Limits(expansions=100)))
    assert (begin.status, begin.expansions, begin.complete) == ("cutoff", 100, True)
    whole = search.recording(search.run())
    assert first_difference(whole, record(load("maze"), "astar")) is None
    assert list(whole.events[: len(begin)]) == list(begin.events)


ASKING = [spec for spec in engines_for_digraphs() if spec.costs == "any"]
"""The engines that ask for costs."""


class Faulty(Roads):
    """Roads whose member raises once, when it is called for the n-th time."""

    def __init__(self, call: int):
        self.left = call

    def cost(self, state: str, action: str, to: str) -> int:
        self.left -= 1
        if not self.left:
            raise ZeroDivisionError("a bridge is down")
        return super().cost(state, action, to)


@pytest.mark.parametrize("spec", ASKING, ids=lambda spec: spec.name)
@pytest.mark.parametrize("call", [1, 2, 4, 6])
def test_an_error_of_the_problem_loses_nothing(spec: EngineSpec, call: int) -> None:
    """It is the error that the search raises, and what was recorded until then is kept when the search is resumed."""
    search, plain = RecordedSearch(Faulty(call), spec), Search(Faulty(call), spec, backend="python")
    with pytest.raises(SearchkitError) as raised:
        search.run()
    with pytest.raises(SearchkitError) as expected:
        plain.run()
    assert (type(raised.value), str(raised.value)) == (type(expected.value), str(expected.value))
    assert type(raised.value) is InvalidProblemError
    broken = search.recording()
    assert replay(broken).reached == dict(search.tree.reached)
    if spec.memory not in ("depth", "option"):  # depth-first search leaves the state and reaches it again
        assert replay(broken).expanded_states == search.tree.expanded_states()
    whole = search.recording(search.run())
    assert replay(whole).reached == replay(record(Roads(), spec)).reached == dict(search.tree.reached)


# Recordings that are full


def test_a_full_recording_says_so() -> None:
    """The first expansions are kept, with all that they wrote; the search itself is not cut off."""
    full = record(load("maze"), "astar", cap=50)
    whole = record(load("maze"), "astar")
    assert (full.expansions, full.unrecorded, full.before.expanded) == (50, 261, 0)
    assert not full.complete
    assert list(full.events) == list(whole.events[: len(full)])
    assert whole.events.kind[len(full)] == EXPAND
    assert full.cost == 160
    assert replay(full).counters == replay(whole, len(full)).counters
    empty = record(load("maze"), "astar", cap=0)
    assert (empty.expansions, empty.unrecorded) == (0, 311)


@pytest.mark.parametrize("engine", ["idastar", "iddfs"])
@pytest.mark.parametrize("cap", [40, 150, 1000, 5000])
def test_iterative_deepening_keeps_its_last_iterations(engine: str, cap: int) -> None:
    """The last one from its beginning at least. Counters continue from what is dropped."""
    grid = problem_from(
        [(0, 0)],
        lambda at: [("x", (at[0] + 1, at[1])), ("y", (at[0], at[1] + 1))],
        lambda at: at == (4, 4),
        heuristic=lambda at: max(0, 8 - at[0] - at[1]) // 2,
    )
    whole, some = record(grid, engine), record(grid, engine, cap=cap)
    assert whole.complete
    assert some.expansions <= cap
    assert some.expansions + some.before.expanded + some.unrecorded == whole.expansions
    assert some.notes[-1].facts["threshold"] == 8
    kept = [event for event in whole.events if event.kind == EXPAND]
    labels = [whole.label(event.node) for event in kept]
    mine = [some.label(event.node) for event in some.events if event.kind == EXPAND]
    begin = some.before.expanded
    assert mine == labels[begin : begin + some.expansions]
    if cap < whole.expansions:
        assert begin > 0
    if not some.unrecorded:
        assert replay(some).counters == replay(whole).counters
        assert replay(some).reached == replay(whole).reached


@pytest.mark.parametrize("cap", [-1, 1.5, True, "many", None])
def test_a_cap_is_a_whole_number(cap: Any) -> None:
    """Anything else is one error."""
    with pytest.raises(InvalidOptionError, match="expected a whole number of expansions"):
        record(Roads(), "bfs", cap=cap)


def test_unhashable_states_that_cannot_be_printed_are_one_error() -> None:
    """The message, which quotes states, tells of both faults."""

    class Faulty:
        def __eq__(self, other: object) -> bool:  # without a hash
            return self is other

        def __repr__(self) -> str:
            raise ValueError("no text")

    problem: Any = problem_from([Faulty()], lambda state: [], lambda state: False)
    with pytest.raises(
        InvalidProblemError, match=r"ValueError when it is printed.*unhashable type: 'Faulty'"
    ):
        record(problem, "bfs")
