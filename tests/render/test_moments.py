"""Moments of recorded searches: what is drawn is what the replay says, at every expansion."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, SearchProblem, load, problem_from, record
from searchkit.plugin import Drawing
from searchkit.render.moments import Moments
from searchkit.render.scene import to_svg
from searchkit.trace import Recording, load_recording, replay
from searchkit.trace.replay import EXPANDED, OPEN
from searchkit_corridor import corridor_grid
from searchkit_dungeon import grid
from searchkit_dungeon.strategies import grids
from tests.helpers import every_example

FIELD = ["S...#", ".#.2.", "...#G"]


def labels(drawing: Drawing | None) -> list[list[str]]:
    """Return what the legend says about each cell."""
    assert drawing is not None
    return [[drawing.marks[key].label for key in row] for row in drawing.rows]


@given(grids(), st.sampled_from(["astar", "dfs", "idastar", "bidirectional"]), st.floats(0, 1))
def test_cells_show_what_the_replay_says(problem: Any, engine: str, share: float) -> None:
    """Every open and every expanded cell, apart from starts and goals, the path and the state expanded last."""
    recording = record(problem, engine, limits=Limits(expansions=60))
    moments = Moments(recording).go(int(share * recording.expansions))
    shown = labels(moments.drawing())
    again = replay(recording, moments.replay.time)
    own = {*problem.starts, *problem.goals, *(recording.states[node] for node in moments.path)}
    if moments.current is not None:
        own.add(recording.states[moments.current])
    kinds = dict.fromkeys((OPEN, EXPANDED), 0)
    for node, condition in enumerate(again.conditions):
        state = recording.states[node]
        if state in own or condition not in kinds or recording.halves[node] == 2:
            continue
        others = [n for n, other in enumerate(recording.states) if other == state and again.conditions[n]]
        if len(others) == 1:  # a state of one half only
            x, y = state
            name = shown[y][x].replace(", from the goals", "").replace(" from the goals", "")
            assert name == ("expanded" if condition == EXPANDED else name)
            assert name in ("expanded", "open", "reopened")
            kinds[condition] += 1


def test_a_moment_in_detail() -> None:
    """Glyphs, the path and the state that was expanded last."""
    recording = record(grid(FIELD), "dijkstra")
    moments = Moments(recording).go(4)
    drawing = moments.drawing()
    assert drawing is not None
    shown = ["".join(drawing.marks[key].glyph for key in row) for row in drawing.rows]
    replayed = moments.replay
    assert moments.current is not None
    current = recording.states[moments.current]
    x, y = current
    assert shown[y][x] == "◆"
    for node in replayed.expanded_nodes:
        x, y = recording.states[node]
        assert shown[y][x] in "S●░◆"
    for node in replayed.frontier:
        x, y = recording.states[node]
        assert shown[y][x] in "○2"
    assert list(moments.lines())[1].startswith("expanded 4, generated ")
    assert moments.title() == f"dijkstra, expansion 4 of {recording.expansions}"


@pytest.mark.parametrize(("kind", "name"), every_example())
def test_every_example_has_moments_and_pictures(kind: str, name: str) -> None:
    """At the beginning, in the middle and at the end."""
    recording = record(load(name, kind), limits=Limits(expansions=40))
    moments = Moments(recording)
    for at in (0, len(moments) // 2, len(moments)):
        moments.go(at)
        assert all(
            "\n" not in line for line in (moments.title(), *moments.lines(), *moments.table().split("\n"))
        )
        root = ElementTree.fromstring(to_svg(moments.scene()))
        assert f"expansion {at:,} of {len(moments):,}" in "".join(root.itertext())


@pytest.mark.parametrize(
    "make",
    [
        lambda: (grid(FIELD), "astar"),
        lambda: (load("vault2"), "astar"),
        lambda: (load("island"), "astar"),
        lambda: (corridor_grid(["S" + "." * 30 + "G"] * 9), "corridor"),
        lambda: (grid(FIELD), "bidirectional"),
    ],
)
def test_a_file_shows_the_same(tmp_path: Path, make: Callable[[], tuple[Any, str]]) -> None:
    """A recording that was written and read again, but for walks that only the problem knows."""
    problem, engine = make()
    recording = record(problem, engine)
    recording.save(tmp_path / "search.trace")
    again: Recording[Any, Any] = load_recording(tmp_path / "search.trace")
    for at in range(0, recording.expansions + 1, 5):
        one, other = Moments(recording).go(at), Moments(again).go(at)
        assert list(one.lines()) == list(other.lines())
        assert one.table() == other.table()
        places = recording.appearance.places
        if places is not None and places.ground is not None and places.routes is None:
            ours, theirs = one.drawing(), other.drawing()
            assert ours is not None
            assert labels(ours) == labels(theirs)


def test_problems_without_a_map_have_a_table() -> None:
    """The path, and the frontier in the order in which it will be expanded."""
    problem: SearchProblem[int, str] = problem_from(
        [1], lambda n: [("double", 2 * n), ("add 1", n + 1)], lambda n: n == 20
    )
    moments = Moments(record(problem, "bfs")).go(4)
    lines = moments.table().split("\n")
    assert lines[0] == "path: 1 → 2 → 3"
    assert lines[1].split() == ["1.", "8", "g", "=", "3"]
    for at in range(len(moments) + 1):
        table = moments.go(at).table().split("\n")
        shown = [line.split()[1] for line in table if line.startswith("  ") and line.split()[0].endswith(".")]
        assert shown == [moments.recording.label(node) for node in moments.replay.frontier[:8]]
    assert moments.drawing() is None
    assert not any("can't" in line for line in to_svg(moments.scene()).split("\n"))


@pytest.mark.parametrize(
    "problem",
    [
        problem_from([0], lambda n: [], lambda n: True),
        problem_from([0], lambda n: [], lambda n: False),
        problem_from(["</script>\x1b\u202e\n"], lambda n: [], lambda n: False),
        grid(["S"], goal=(0, 0)),
    ],
)
def test_small_and_hostile_recordings(problem: Any) -> None:
    """A start that is a goal, no way, no start, labels that could do harm."""
    recording = record(problem, "bfs")
    recording.title, recording.summary = "\x1b[2J</title>", "\u202eend\n"
    moments = Moments(recording)
    for at in range(len(moments) + 1):
        moments.go(at)
        assert not any("\n" in line for line in (moments.title(), *moments.lines()))
        text = "\n".join([moments.title(), *moments.lines(), moments.table()])
        assert not {"\x1b", "\u202e"} & set(text)
        ElementTree.fromstring(to_svg(moments.scene()))


def test_boards_are_shown_as_a_tree() -> None:
    """They are nowhere on the ground; each node of the tree shows its board."""
    moments = Moments(record(load("8puzzle"), "astar", limits=Limits(expansions=5)))
    root = ElementTree.fromstring(to_svg(moments.go(5).scene()))
    rows = moments.recording.label(0).split("\n")
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(rows) == 3
    assert any(texts[begin : begin + 3] == rows for begin in range(len(texts)))
