"""`searchkit solve --animate`: the path, state by state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from searchkit import problem_from
from searchkit.errors import PluginWarning
from searchkit.plugin.drawing import Drawing, Mark, Places, Route
from searchkit.plugin.hookspecs import hookimpl
from searchkit.plugin.registry import registry
from searchkit.render.drawings import frames, still

FIELD = ("field", "S.#", "..G")


def test_the_path_grows_state_by_state(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Without a terminal, one frame below the other, and then the usual report."""
    path = file(*FIELD)
    outcome = run("solve", path, "--animate")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert [line for line in lines if line.startswith("state ")] == [f"state {n} of 4" for n in range(1, 5)]
    shown = [lines[index + 1 : index + 3] for index in range(0, 12, 3)]
    assert len({tuple(frame) for frame in shown}) > 1  # the path grows
    assert all(len(row) == 3 for frame in shown for row in frame)
    plain = run("solve", path).out.splitlines()
    assert lines[12:][:5] == plain[:5]


def test_without_a_path_there_is_nothing_to_animate(
    run: Callable[..., Any], file: Callable[..., Any]
) -> None:
    """The report says what there is to say."""
    outcome = run("solve", file("field", "S#G"), "--animate")
    assert outcome.code == 1
    assert "state 1 of" not in outcome.out


def test_it_is_no_json(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """JSON output is one object and nothing else."""
    outcome = run("solve", file(*FIELD), "--json", "--animate")
    assert outcome.code == 2
    assert outcome.err.startswith("error: --json, --animate: with --json nothing but one object is printed")


DRAWING = Drawing(["..."], {key: Mark(key, "#ffffff") for key in ".*r"})
LINE = problem_from([0], lambda x: [("right", x + 1)], lambda x: x == 2)


class Placing:
    """A plugin whose places are given."""

    def __init__(self, answer: object):
        self.answer = answer

    @hookimpl
    def searchkit_places(self) -> object:
        """Return the answer."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@contextmanager
def plugged(plugin: object) -> Iterator[None]:
    """Add a plugin to those that are installed, for a while."""
    manager = registry()._manager
    manager.register(plugin, name="a placing plugin")
    try:
        yield
    finally:
        manager.unregister(plugin)


def shown(**members: Any) -> list[str]:
    """Return the frames of a walk over the line, for places with these members."""
    places: Places[int] = Places(DRAWING, cells=lambda x: [(x, 0)], **members)
    with plugged(Placing(places)):
        return [frame.rows[0] for frame in frames(LINE, [0, 1, 2])]


def test_a_frame_is_the_way_so_far_on_the_ground_of_its_state() -> None:
    """With changes and without."""
    assert shown(path={".": "*"}) == ["*..", "**.", "***"]
    assert shown(changes=lambda x: {(x, 0): "r"}) == ["r..", ".r.", "..r"]
    assert shown(path={".": "*"}, changes=lambda x: {(x, 0): "r"}) == ["r..", "*r.", "**r"]
    walk = Route([(1, 0)], {".": "*"})
    assert shown(routes=lambda path: [walk] * (len(path) > 1)) == ["...", ".*.", ".*."]


def test_a_still_shows_the_last_state_unless_there_are_walks() -> None:
    """A board is shown as it is in the end; robots have walks, which tell more."""
    changing: dict[str, Any] = {"cells": lambda x: [], "changes": lambda x: {(x, 0): "r"}}
    walking = changing | {"routes": lambda path: [Route([(0, 0)], {".": "*"})]}
    for members, row in ((changing, "..r"), (walking, "*..")):
        with plugged(Placing(Places(DRAWING, **members))):
            drawing = still(LINE, [0, 1, 2])
        assert drawing is not None
        assert drawing.rows == (row,)


def test_the_legend_names_walks() -> None:
    """The first label of a key is kept."""
    walks = [Route([(x, 0)], {".": key}, f"walk {x}") for x, key in enumerate("*r*")]
    places: Places[int] = Places(DRAWING, cells=lambda x: [(x, 0)], routes=lambda path: walks)
    with plugged(Placing(places)):
        drawing = still(LINE, [0])
    assert drawing is not None
    assert drawing.rows == ("*r*",)
    assert {key: mark.label for key, mark in drawing.marks.items()} == {".": "", "*": "walk 0", "r": "walk 1"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (ValueError("no"), "raised ValueError: no"),
        (["text"], "returned .'text'., expected a .*Places or None"),
    ],
)
def test_a_faulty_plugin_is_named(answer: object, message: str) -> None:
    """And the result is not lost."""
    with plugged(Placing(answer)), pytest.warns(PluginWarning, match=message):
        assert list(frames(LINE, [0, 1])) == []
