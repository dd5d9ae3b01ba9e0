"""What notebooks show: every form exists, strangers' text stays text, and asking imports and changes nothing else."""

import sys
from collections.abc import Iterable
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import format_exception
from types import SimpleNamespace
from typing import Any

import pytest

from searchkit import Limits, Search, SearchProblem, load, problem_from, record, solve, watch
from searchkit.errors import InvalidProblemError
from searchkit.testing import digraph
from searchkit.trace import load_recording

HOSTILE = "</script><img src=x onerror=alert(1)>"


class Tags(HTMLParser):
    """The elements of a piece of HTML."""

    def __init__(self, text: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of the elements of this name."""
        return [attributes for name, attributes in self.found if name == tag]


class Hostile(SearchProblem[str, str]):
    """States, actions and a name that are no text to be shown as it is."""

    def __init__(self) -> None:
        self.__class__.__name__ = HOSTILE

    def initial_states(self) -> Iterable[str]:
        return [HOSTILE]

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        return [(HOSTILE, state + "\u202e"), ("\x1b[2J", state)]

    def is_goal(self, state: str) -> bool:
        return state.count("\u202e") == 2


def from_file(recording: Any) -> Any:
    """Return a recording as it is read from a file: without its problem."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.trace"
        recording.save(path)
        return load_recording(path)


def shown() -> dict[str, Any]:
    """Return something of each type that notebooks show."""
    crypt = load("crypt")
    search = Search(crypt, "astar")
    search.run(Limits(expansions=10))
    return {
        "problem": crypt,
        "tree": Hostile(),
        "functions": problem_from([1], lambda n: [("double", 2 * n)], lambda n: n == 4),
        "result": solve(crypt),
        "cut off": solve(crypt, limits=Limits(expansions=5)),
        "unsolvable": solve(load("loyd")),
        "hostile": solve(Hostile()),
        "search": search,
        "recording": record(crypt, "astar"),
        "recordings": watch(crypt, "astar", "bfs"),
        "from a file": from_file(record(crypt, "astar")),
    }


@pytest.mark.parametrize("name", list(shown()))
def test_every_form_is_there(name: str) -> None:
    """Text, and HTML with a picture whose data are in it; nothing is loaded and nothing runs beside the frame."""
    bundle = shown()[name]._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    tags = Tags(bundle["text/html"])
    pictures = tags.named("img")
    assert pictures
    assert all(str(one["src"]).startswith("data:image/svg+xml;base64,") for one in pictures)
    assert tags.named("script") == []
    assert not any(key.startswith("on") for _, attributes in tags.found for key in attributes)
    assert "\x1b" not in bundle["text/plain"]
    assert "\u202e" not in bundle["text/html"]


def test_a_result_tells_its_numbers_and_warnings() -> None:
    """As text; a copy, whose search stayed where it was, has no picture."""
    graph = digraph("0 -3→ 2, 0 -1→ 1, 1 -1→ 2, 2 -2→ 3", starts=[0], goals=[3], heuristic={0: 4, 1: 3})
    result = solve(graph, "astar")
    assert escape(str(result)) in result._repr_mimebundle_()["text/html"]
    assert "warning: " in str(result)
    from pickle import dumps, loads

    copy = loads(dumps(result))
    assert Tags(copy._repr_mimebundle_()["text/html"]).named("img") == []
    assert copy._repr_mimebundle_()["text/plain"] == str(result)


@pytest.mark.parametrize("name", ["recording", "recordings", "from a file"])
def test_recordings_play_in_a_frame_of_their_own(name: str) -> None:
    """The frame runs scripts and nothing else; a picture of each search is below it."""
    html = shown()[name]._repr_mimebundle_()["text/html"]
    [frame] = Tags(html).named("iframe")
    assert frame["sandbox"] == "allow-scripts"
    page = Tags(str(frame["srcdoc"]))
    recordings = [one for one in page.named("script") if one.get("class") == "recording"]
    assert len(recordings) == len(Tags(html).named("img")) == (2 if name == "recordings" else 1)


def test_tracebacks_are_the_lines_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython, which is stood in for, is given nothing that is inside searchkit."""
    made = SimpleNamespace(structured_traceback=lambda _, error, frames, tb_offset: format_exception(error))
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(InteractiveTB=made))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    with pytest.raises(InvalidProblemError) as raised:
        solve(problem_from([1], lambda n: [("x", 1 // 0)], lambda n: False))
    text = "".join(raised.value._render_traceback_())
    files = {line.split('"')[1] for line in text.splitlines() if line.startswith("  File")}
    assert "in <lambda>" in text
    assert files == {__file__}
