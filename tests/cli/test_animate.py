"""`searchkit solve --animate`: the path, state by state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from searchkit import problem_from
from searchkit.errors import PluginWarning
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.plugin.hookspecs import hookimpl
from searchkit.plugin.registry import registry
from searchkit.render.drawings import frames

FIELD = ("field", "S.#", "..G")


def test_the_path_grows_state_by_state(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Without a terminal, one frame below the other, and then the report as ever."""
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
    assert outcome.err.startswith("error: --animate: with --json nothing but one object is printed")


class Framing:
    """A plugin whose frames are told."""

    def __init__(self, answer: object):
        self.answer = answer

    @hookimpl
    def searchkit_frames(self, path: tuple[object, ...]) -> object:
        """Return the answer."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@contextmanager
def plugged(plugin: object) -> Iterator[None]:
    """Add a plugin to those that are installed, for a while."""
    manager = registry()._manager
    manager.register(plugin, name="framing")
    try:
        yield
    finally:
        manager.unregister(plugin)


DRAWING = Drawing(["."], {".": Mark(".", "#ffffff")})
LINE = problem_from([0], lambda x: [("right", x + 1)], lambda x: x == 1)


def test_frames_of_a_plugin_come_first() -> None:
    """They stand for the drawings of the path up to each state."""
    with plugged(Framing([DRAWING, DRAWING])):
        assert list(frames(LINE, [0, 1])) == [DRAWING, DRAWING]


@pytest.mark.parametrize(
    ("answer", "message"),
    [(ValueError("no"), "raised ValueError: no"), (["text"], "something else than a list of")],
)
def test_a_faulty_plugin_is_named(answer: object, message: str) -> None:
    """And the result is not lost."""
    with plugged(Framing(answer)), pytest.warns(PluginWarning, match=message):
        assert list(frames(LINE, [0, 1])) == []
