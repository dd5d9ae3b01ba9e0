"""Recordings in files: what is read is what was written, exactly; a damaged file is one clear error."""

import json
import zlib
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Recording, load, problem_from, record
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.trace import RecordedSearch, file, load_recording, replay
from searchkit.trace.file import BEGIN, MAGIC, pack, unpack
from tests.contract.cases import every_engine
from tests.trace.live import searches


def equal(one: Recording[Any, Any], other: Recording[Any, Any]) -> None:
    """Fail unless the second recording is the first one as a file holds it."""
    events, others = one.events, other.events
    assert (others.kind, others.node, others.parent) == (events.kind, events.node, events.parent)
    assert others.g == events.g
    assert [action or "" for action in others.action] == [
        "" if action is None else str(action) for action in events.action
    ]
    same = ("halves", "generated", "engine", "options", "title", "status", "summary", "goal", "unrecorded")
    for name in (*same, "reached", "cost", "weight"):
        assert getattr(other, name) == getattr(one, name), name
    nodes, mine, theirs = range(one.nodes), one.appearance, other.appearance
    assert [other.h(node) for node in nodes] == [one.h(node) for node in nodes]
    assert [list(theirs.cells(node)) for node in nodes] == [list(mine.cells(node)) for node in nodes]
    for ask in ("label", "position", *(["changes"] if mine.changes else [])):
        assert [getattr(theirs, ask)(node) for node in nodes] == [
            getattr(mine, ask)(node) for node in nodes
        ], ask
    assert (theirs.ground, theirs.changes is None) == (mine.ground, mine.changes is None)
    assert [(note.kind, note.text, list(note.cells)) for note in other.notes] == [
        (note.kind, note.text, list(note.cells)) for note in one.notes
    ]


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.fewest(3)
@every_engine
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
        [0.1, 0.2, 0.3, 1e-300, 5e-324, 1e300],
        [Fraction(1, 3), Fraction(2), 1, 0.5],
        [Fraction(10**40, 3), 10**40],
        [0, 0.0, -0.0],
    ],
    ids=["huge", "floats", "mixed", "huge fractions", "zeros"],
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


def test_a_large_search_is_a_small_file() -> None:
    """A* on 512 × 512 cells: 77,091 expansions in at most 1.1 MB."""
    recording = record(load("random512"), "astar")
    assert recording.expansions == 77_091
    assert len(pack(recording)) <= 1_100_000


def test_it_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    """A file that can't be written stays as it was."""
    path = tmp_path / "maze.trace"
    recording = record(load("maze"), "astar")
    recording.save(path)
    equal(recording, load_recording(path))
    with pytest.raises(OSError, match="No such file"):
        recording.save(tmp_path / "nowhere" / "maze.trace")
    assert [one.name for one in tmp_path.iterdir()] == ["maze.trace"]


def test_too_many_events_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way out."""
    recording = record(load("maze"), "astar")
    monkeypatch.setattr(file, "MAX_BYTES", 100)
    with pytest.raises(
        InvalidOptionError, match=r"633 events, which take more than the 100 bytes of a file; record fewer"
    ):
        pack(recording)


def test_a_search_that_has_not_begun_is_a_file() -> None:
    """With its start."""
    recording = RecordedSearch(load("maze"), "astar").recording()
    assert recording.nodes == 1
    equal(recording, unpack(pack(recording)))


# Damaged files

MAZE = pack(record(load("maze"), "bidirectional"))


def wrapped(contents: bytes, version: int = 4) -> bytes:
    """Return a file of these contents, with the right checksum."""
    deflated = zlib.compress(contents)
    return MAGIC + version.to_bytes(4, "little") + sha256(deflated).digest() + deflated


def headed(header: bytes, columns: bytes = b"") -> bytes:
    """Return the file of a header in JSON, and of columns."""
    return wrapped(len(header).to_bytes(4, "little") + header + columns)


def header_with(**members: Any) -> bytes:
    """Return a file whose header has other members."""
    contents = zlib.decompress(MAZE[BEGIN:])
    end = 4 + int.from_bytes(contents[:4], "little")
    header = json.loads(contents[4:end])
    return headed(json.dumps({**header, **members}).encode(), contents[end:])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not begin with searchkit-trace"),
        (MAGIC, "checksum"),
        (wrapped(b"", version=1), "format 1, and this version of searchkit reads format 4"),
        (headed(b"{"), "JSONDecodeError"),
        (headed(b"[]"), "TypeError"),
        (headed(b"[" * 100_000), "RecursionError"),
        (header_with(status=7), "status in its header should be of the type str"),
        (header_with(goal=10_000), "IndexError"),
        (header_with(cost="ten"), "could not convert"),
        (header_with(nodes=9), "column parent has a number that is out of range"),
        (header_with(columns=[["kind", "z", 4]]), "a column kind of numbers"),
        (header_with(columns=7), "TypeError"),
        (header_with(nodes=10**12), "more nodes than events"),
        (header_with(cost={}), "TypeError|AttributeError"),
    ],
)
def test_a_file_that_is_no_recording_is_one_error(tmp_path: Path, data: bytes, message: str) -> None:
    """Which names the file and says what is wrong."""
    path = tmp_path / "file.trace"
    path.write_bytes(data)
    with pytest.raises(InputFormatError, match=message) as raised:
        load_recording(path)
    assert str(raised.value).startswith(str(path))


def test_robots_with_billions_of_steps_are_recorded_without_them() -> None:
    """Twenty robots that move at the same time have 5**20 successors; only the steps in the tree are written."""
    robots = record(load("warehouse"), "cbs", limits=Limits(expansions=2))
    assert robots.nodes > 1
    assert list(unpack(pack(robots)).appearance.edges()) == []
