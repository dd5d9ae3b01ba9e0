"""Recordings in files: what is read is what was written, exactly; a damaged or forged file is one clear error."""

import json
import random
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Recording, available_engines, load, problem_from, record
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.trace import RecordedSearch, file, load_recording, replay
from searchkit.trace.file import BEGIN, MAGIC, number_text, pack, read_number, unpack
from tests.trace.live import searches

ENGINES = sorted(
    (spec for spec in available_engines().values() if not spec.layered), key=lambda spec: spec.name
)


def typed(values: Sequence[Any]) -> list[tuple[type, Any]]:
    """Return values with their types: 1, 1.0 and Fraction(1) are not the same."""
    return [(type(value), value) for value in values]


def equal(one: Recording[Any, Any], other: Recording[Any, Any]) -> None:
    """Fail unless the second recording is the first one as a file holds it."""
    events, others = one.events, other.events
    assert (others.kind, others.node, others.parent) == (events.kind, events.node, events.parent)
    assert typed(others.g) == typed(events.g)
    assert [action or "" for action in others.action] == [
        "" if action is None else str(action) for action in events.action
    ]
    assert (other.halves, other.generated, other.before) == (one.halves, one.generated, one.before)
    for name in ("engine", "options", "title", "status", "summary", "goal", "unrecorded", "reached"):
        assert getattr(other, name) == getattr(one, name), name
    assert typed([other.cost, other.weight]) == typed([one.cost, one.weight])
    nodes, mine, theirs = range(one.nodes), one.appearance, other.appearance
    assert typed([other.h(node) for node in nodes]) == typed([one.h(node) for node in nodes])
    assert [list(theirs.cells(node)) for node in nodes] == [list(mine.cells(node)) for node in nodes]
    for ask in ("label", "changes", "position"):
        assert [getattr(theirs, ask)(node) for node in nodes] == [
            getattr(mine, ask)(node) for node in nodes
        ], ask
    assert (theirs.ground, theirs.expanded, theirs.path) == (mine.ground, mine.expanded, mine.path)
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


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.fractions(max_denominator=99)))
def test_numbers_as_text_are_exact(number: Any) -> None:
    """Whatever their type and sign; only whole fractions become ints, which are equal."""
    read = read_number(number_text(number))
    assert read == number
    assert type(read) is type(number) or number == int(number)


def test_a_large_search_is_a_small_file() -> None:
    """A* on 512 × 512 cells: 77,091 expansions in at most 400 kB."""
    recording = record(load("random512"), "astar")
    assert recording.expansions == 77_091
    assert len(pack(recording)) <= 400_000


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
    monkeypatch.setattr(file, "MAX_EVENTS", 100)
    with pytest.raises(
        InvalidOptionError, match=r"633 events, and a file has at most 100, .* record fewer expansions"
    ):
        pack(recording)


def test_a_search_that_has_not_begun_is_a_file() -> None:
    """With its start."""
    recording = RecordedSearch(load("maze"), "astar").recording()
    assert recording.nodes == 1
    equal(recording, unpack(pack(recording)))


# Damaged and forged files

MAZE, VAULT, ISLAND = (
    pack(record(load(name), engine))
    for name, engine in (("maze", "bidirectional"), ("vault", "astar"), ("island", "idastar"))
)
SEEDS = (MAZE, VAULT, ISLAND)


def wrapped(contents: bytes, version: int = 2) -> bytes:
    """Return a file of these contents, with the right checksum."""
    deflated = zlib.compress(contents)
    return MAGIC + version.to_bytes(4, "little") + sha256(deflated).digest() + deflated


def apart(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header of a file, and its columns."""
    contents = zlib.decompress(data[BEGIN:])
    end = 4 + int.from_bytes(contents[:4], "little")
    return json.loads(contents[4:end]), contents[end:]


def headed(header: bytes, content: bytes = b"") -> bytes:
    """Return the file of a header in JSON, and of columns."""
    return wrapped(len(header).to_bytes(4, "little") + header + content)


def together(header: dict[str, Any], content: bytes) -> bytes:
    """Return the file of both."""
    return headed(json.dumps(header).encode(), content)


def survives(data: bytes) -> bool:
    """Read a file; if it is a recording, replay it and ask for everything. Return whether it is one."""
    try:
        recording = unpack(data)
    except InputFormatError:
        return False
    end = replay(recording)
    assert end.counters.expanded >= recording.expansions + min(0, recording.before.expanded)
    for node in range(recording.nodes):
        recording.label(node)
        recording.appearance.changes(node)
        recording.place(node)
        with suppress(InputFormatError):  # the parents go in a circle
            end.path_to(node)
    assert len(end.frontier) <= recording.nodes
    pack(recording)
    return True


def test_what_is_taken_apart_can_be_put_together() -> None:
    """So that the tests below begin with valid files."""
    assert all(survives(together(*apart(seed))) for seed in SEEDS)


def test_damage_is_found_by_the_checksum() -> None:
    """Each changed, lost or doubled byte behind the magic is one error."""
    rng = random.Random(1)
    for _ in range(300):
        data = bytearray(rng.choice(SEEDS))
        where = rng.randrange(len(data))
        if rng.random() < 0.5:
            data[where] ^= 1 << rng.randrange(8)
        else:
            del data[where : where + rng.randint(1, 50)]
        with pytest.raises(InputFormatError, match=r"^x: not a valid recording: ."):
            unpack(bytes(data), "x")


def test_forged_columns_are_one_error_or_a_recording(share: Callable[[int], int]) -> None:
    """Three thousand files with the right checksum, and changed bytes in columns; the suite tries a tenth."""
    rng, refused, files = random.Random(2), 0, share(3_000)
    for _ in range(files):
        header, content = apart(rng.choice(SEEDS))
        changed = bytearray(content)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] = rng.choice((0, 1, 2, 3, 127, 128, 255, rng.randrange(256)))
        refused += not survives(together(header, bytes(changed)))
    assert 0.2 * files < refused < files, "some changes are harmless: a label, a colour"


def test_forged_headers_are_one_error_or_a_recording(share: Callable[[int], int]) -> None:
    """Three thousand files in which one value of the header is another one; the suite tries a tenth."""
    rng, refused, files = random.Random(3), 0, share(3_000)
    values = [0, 1, -1, 2, 7, 255, 1 << 20, 1 << 40, None, "x", "nan", "", [], {}, [1], {"a": 1}, 1.5, True]
    for _ in range(files):
        header, content = apart(rng.choice(SEEDS))
        place: Any = header
        while isinstance(place, dict | list) and place:
            key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
            if not isinstance(place[key], dict | list) or not place[key] or rng.random() < 0.3:
                place[key] = rng.choice(values)
                break
            place = place[key]
        refused += not survives(together(header, content))
    assert 0.3 * files < refused < files


def header_with(**members: Any) -> bytes:
    """Return a file whose header has other members."""
    header, content = apart(MAZE)
    return together({**header, **members}, content)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not begin with searchkit-trace"),
        (MAGIC, "checksum"),
        (wrapped(b"", version=1), "format 1, and this version of searchkit reads format 2"),
        (headed(b"{"), "JSONDecodeError"),
        (headed(b"[]"), "TypeError"),
        (headed(b"[" * 100_000), "RecursionError"),
        (header_with(status="happy"), "a member of a wrong form"),
        (header_with(goal=10_000), "a member of a wrong form"),
        (header_with(cost="ten"), "could not convert"),
        (header_with(nodes=9_999), "a column half of 9,999"),
        (header_with(map=None), "a column labels"),
        (header_with(columns=[["kind", "w", 1 << 40]]), "is longer than the file"),
        (header_with(columns=[["kind", "z", 4]]), "a column kind of whole numbers"),
        (header_with(columns=[]), "a column kind of whole numbers"),
        (header_with(columns=7), "columns in its header"),
    ],
)
def test_a_file_that_is_no_recording_is_one_error(tmp_path: Path, data: bytes, message: str) -> None:
    """Which names the file and says what is wrong."""
    path = tmp_path / "file.trace"
    path.write_bytes(data)
    with pytest.raises(InputFormatError, match=message) as raised:
        load_recording(path)
    assert str(raised.value).startswith(str(path))
