"""What the player's script makes of a `.trace` file: at any time the tree that the replay in Python has."""

import zlib
from bisect import bisect_left
from collections import defaultdict
from fractions import Fraction
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Recording, load, problem_from, record
from searchkit.trace import Replay
from searchkit.trace.file import BEGIN, pack
from tests.contract.cases import every_engine
from tests.render.player.javascript import Script
from tests.trace.live import searches

SCRIPT = Script(Path(__file__).with_name("replay.js").read_text("utf-8"))


def contents(trace: bytes) -> bytes:
    """Return the contents of a file, inflated: QuickJS can't do that."""
    return zlib.decompress(trace[BEGIN:])


def opened(recording: Recording[Any, Any]) -> Any:
    """Give a recording to the script."""
    trace = pack(recording)
    return SCRIPT.call("open", list(trace), list(contents(trace)))


def same(one: Any, other: Any) -> bool:
    """Whether two numbers are the same; None is no number."""
    if one is None or other is None:
        return one is other
    return isclose(float(one), float(other), rel_tol=1e-12, abs_tol=1e-12)


def check_frontier(recording: Recording[Any, Any], replay: Replay, found: list[int]) -> None:
    """Fail unless these are the first 200 open nodes: those that are expanded later in their order, the others by f.

    The script compares f as floats, so that others may stand in another order than in Python if their f is the same.
    """
    expected = replay.frontier
    later = [n for n in expected if any(at >= replay.time for at in recording.expanded_at.get(n, ()))]
    assert found[: len(later)] == later[:200]
    assert len(found) == min(200, len(expected)) == len(set(found))
    assert set(found) <= set(expected)
    fs = [recording.f(n, replay.g[n]) for n in expected[:200]]
    assert all(same(recording.f(n, replay.g[n]), f) for n, f in zip(found, fs, strict=True))


def check(recording: Recording[Any, Any], times: list[int]) -> None:
    """Fail unless the script has the tree of the replay at these times, one after the other."""
    replay = Replay(recording)
    for time in times:
        replay.seek(time)
        found = SCRIPT.call("look", time)
        assert found["state"] == list(replay.conditions)
        assert all(map(same, found["g"], replay.g))
        assert found["parent"] == list(replay.parents)
        assert found["action"] == ["" if action is None else str(action) for action in replay.actions]
        check_frontier(recording, replay, found["frontier"])
        assert found["open"] == len(replay.frontier)
        assert found["expansions"] == bisect_left(recording.expansions_at, time)
        for text, g in zip(found["texts"], replay.g, strict=True):
            if isinstance(g, int | Fraction):
                assert Fraction(text) == g
        kids: defaultdict[int, list[int]] = defaultdict(list)
        for node, parent in enumerate(replay.parents):
            kids[parent].append(node)
        assert all(sorted(children) == kids[node] for node, children in enumerate(found["children"]))


@pytest.mark.one_in(4)  # CI runs the others
@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
def test_the_script_has_the_tree_of_the_replay(spec: EngineSpec, data: Any) -> None:
    """Of every engine, on any problem that it accepts, forwards and back."""
    search = data.draw(searches(spec))
    recording = search.recording(search.run(Limits(expansions=150)))
    said = opened(recording)
    assert said["notes"] == [note.kind for note in recording.notes]
    end = len(recording)
    check(recording, [end, 0, *data.draw(st.lists(st.integers(0, end), max_size=6)), end])
    found = SCRIPT.call("looks")
    nodes = range(recording.nodes)
    assert found["labels"] == [recording.label(node) for node in nodes]
    assert all(map(same, found["h"], (recording.h(node) for node in nodes)))
    assert found["cells"] == [list(recording.appearance.cells(node)) for node in nodes]
    fs = [recording.f(recording.events.node[at], recording.events.g[at]) for at in recording.expansions_at]
    assert all(map(same, said["f"], fs))


@pytest.mark.parametrize(
    ("source", "engine"),
    [("vault", "astar"), ("crossing", "odid"), ("fairway", "corridor"), ("streets", "astar")],
)
def test_bundled_examples(source: str, engine: str) -> None:
    """Changes of the ground, several bodies, iterations, phases and decimal numbers."""
    recording = record(load(source), engine)
    opened(recording)
    end = len(recording)
    check(recording, [end // 3, end, end // 2, 0, end])
    looks = recording.appearance.changes or (lambda node: {})
    changes = [dict(pairs) for pairs in SCRIPT.call("looks")["changes"]]
    assert changes == [looks(node) for node in range(recording.nodes)]


def test_states_of_a_board_are_pictures() -> None:
    """A problem with `draw` and without places on a map."""
    rows = ["@..", ".@.", "..@"]
    line = problem_from([0], lambda n: [("on", n + 1)], lambda n: n == 2, draw=rows.__getitem__)
    opened(record(line, "bfs"))
    assert SCRIPT.call("looks")["pictures"] == rows


def test_a_long_jump_ends_where_steps_end() -> None:
    """Far jumps take another path through the code than steps that the views are told about."""
    recording = record(load("8puzzle"), "idastar")
    opened(recording)
    end = len(recording)
    assert end > 25_000
    check(recording, [end, 1_000, end - 1_000, 0])


def test_what_is_not_a_trace_is_one_error() -> None:
    """Other bytes, and another version."""
    import quickjs

    trace = pack(record(load("maze"), "astar"))
    for broken, message in (
        (b"PNG" + trace, "not a searchkit trace"),
        (trace[:16] + b"\x05" + trace[17:], "version 5"),
    ):
        with pytest.raises(quickjs.JSException, match=message):
            SCRIPT.call("open", list(broken), list(contents(trace)))
