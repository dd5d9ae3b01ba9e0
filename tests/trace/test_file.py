"""Recordings in files: what is read is what was written, exactly."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Recording, available_engines, load, problem_from, record
from searchkit.errors import InvalidOptionError
from searchkit.trace import RecordedSearch, load_recording, replay
from searchkit.trace.file import pack as packing
from searchkit.trace.file.columns import decode, exact_text, moved, read_exact, steps
from searchkit.trace.file.pack import pack
from searchkit.trace.file.unpack import unpack
from tests.trace.live import searches

ENGINES = sorted(available_engines().values(), key=lambda spec: spec.name)


def typed(values: Sequence[Any]) -> list[tuple[type, Any]]:
    """Return values with their types: 1, 1.0 and Fraction(1) are not the same."""
    return [(type(value), value) for value in values]


def equal(one: Recording[Any, Any], other: Recording[Any, Any]) -> None:
    """Fail unless the second recording is the first one as a file holds it."""
    assert (other.events.kind, other.events.node, other.parents) == (
        one.events.kind,
        one.events.node,
        one.parents,
    )
    arrivals = [at for at, kind in enumerate(one.events.kind) if kind in (1, 2, 3)]
    assert typed([other.g[at] for at in arrivals]) == typed([one.g[at] for at in arrivals])
    assert [action or "" for action in other.actions] == [
        "" if action is None else str(action) for action in one.actions
    ]
    assert (other.halves, other.generated, other.before) == (one.halves, one.generated, one.before)
    for name in (
        "engine",
        "options",
        "title",
        "status",
        "summary",
        "goal",
        "unrecorded",
        "reached",
        "expansions",
    ):
        assert getattr(other, name) == getattr(one, name), name
    assert typed([other.cost, other.weight]) == typed([one.cost, one.weight])
    nodes = range(one.nodes)
    assert typed([other.h(node) for node in nodes]) == typed([one.h(node) for node in nodes])
    assert [other.label(node) for node in nodes] == [one.label(node) for node in nodes]
    assert [list(other.looks.cells(node)) for node in nodes] == [
        list(one.looks.cells(node)) for node in nodes
    ]
    for ask in ("changes", "position"):
        looks, others = getattr(one.looks, ask), getattr(other.looks, ask)
        assert [others(node) for node in nodes] == [looks(node) for node in nodes], ask
    assert other.looks.ground == one.looks.ground
    assert [(note.kind, note.text, list(note.cells)) for note in other.notes] == [
        (note.kind, note.text, list(note.cells)) for note in one.notes
    ]


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.fewest(3)
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
def test_a_file_holds_all_of_it(spec: EngineSpec, data: Any) -> None:
    """Of every engine on every kind of problem, finished or cut off; and a replay of it says the same."""
    search = data.draw(searches(spec))
    recording = search.recording(search.run(Limits(expansions=data.draw(st.integers(0, 60)))))
    read = unpack(pack(recording))
    equal(recording, read)
    for time in {0, len(recording) // 2, len(recording)}:
        one, other = replay(recording, time), replay(read, time)
        assert (other.g, other.parents, other.conditions) == (one.g, one.parents, one.conditions)
        assert (other.counters, other.frontier) == (one.counters, one.frontier)
    equal(read, unpack(pack(read)))


@pytest.mark.parametrize(
    "costs",
    [
        [0, 1, 2**31, 2**64, 10**30],
        [0, 10**5000],
        [0.1, 0.2, 0.3, 1e-300, 5e-324, 1e300],
        [Fraction(1, 3), Fraction(2), 1, 0.5],
        [Fraction(10**40, 3), 10**40],
        [0, 0.0, -0.0],
    ],
    ids=["huge", "5,000 digits", "floats", "mixed", "huge fractions", "zeros"],
)
def test_costs_are_exact(costs: list[Any]) -> None:
    """Ints of any size, floats to the last bit, fractions, one beside the other."""
    chain = problem_from(
        [0],
        lambda n: [(f"step {n}", n + 1)] if n < 2 * len(costs) else [],
        lambda n: n == 2 * len(costs),
        cost=lambda n, action, to: costs[n % len(costs)],
    )
    recording = record(chain, "dijkstra")
    equal(recording, unpack(pack(recording)))


def test_infinite_heuristic_values_are_exact() -> None:
    """A start from which no goal can be reached is reached, and has an infinite value."""
    two = problem_from(
        [0, 9], lambda n: [("on", n + 1)], lambda n: n == 3, heuristic=lambda n: inf if n > 3 else (3 - n) / 3
    )
    recording = record(two, "astar")
    assert recording.h(1) == inf
    equal(recording, unpack(pack(recording)))


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.fractions()))
def test_numbers_as_text_are_exact(number: Any) -> None:
    """Whatever their type and sign."""
    assert typed([read_exact(exact_text(number))]) == typed([number])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, max_size=30))
def test_steps_are_exact_or_refused(values: list[float]) -> None:
    """A float that is no exact sum is some units in the last place from it."""
    bases = [None, *values[:-1]]
    columns = {header["name"]: (header, data) for header, data in steps("s", values, bases)}
    if not columns:
        return
    places = decode(*columns["s"])
    known = [read_exact(text) for text in decode(*columns["s_values"])]
    ulps = decode(*columns["s_ulps"]) if "s_ulps" in columns else [0] * len(values)
    found: list[float] = []
    for index, ulp, base in zip(places, ulps, bases, strict=True):
        total = known[index] if base is None else base + known[index]
        found.append(moved(total, ulp) if ulp else total)
    assert typed(found) == typed(values)


def test_a_large_search_is_a_small_file() -> None:
    """A* on 512 × 512 cells: 77,091 expansions in at most 350 kB."""
    recording = record(load("random512"), "astar")
    assert recording.expansions == 77_091
    assert len(pack(recording)) <= 350_000


def test_it_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    """A file that can't be written stays as it was."""
    path = tmp_path / "maze.trace"
    recording = record(load("maze"), "astar")
    recording.save(path)
    equal(recording, load_recording(path))
    with pytest.raises(OSError, match="No such file"):
        recording.save(tmp_path / "nowhere" / "maze.trace")
    assert [file.name for file in tmp_path.iterdir()] == ["maze.trace"]


def test_too_many_events_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way out."""
    recording = record(load("maze"), "astar")
    monkeypatch.setattr(packing, "MOST_EVENTS", 100)
    with pytest.raises(
        InvalidOptionError, match="633 events, and a file has at most 100; record fewer expansions"
    ):
        pack(recording)


def test_a_search_that_has_not_begun_is_a_file() -> None:
    """Without an event."""
    recording = RecordedSearch(load("maze"), "astar").recording()
    assert recording.nodes == 1
    equal(recording, unpack(pack(recording)))
