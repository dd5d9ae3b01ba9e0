"""The browser, and pages of searches of all kinds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, load, problem_from, record, watch
from searchkit.render.player import save_html
from searchkit_dungeon import grid
from tests.render.player.chromium import Tab, browser

HOSTILE = "</script><img src=x onerror=alert(1)>"
RIGHT_TO_LEFT = "\u05d0\u05d1\u05d2 \u202e123"
SMALL = [
    "S....#...",
    ".##..#.#.",
    "..#....#.",
    "#.#.####.",
    "...#....G",
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Return the browser."""
    with browser() as program:
        yield program


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return pages by name."""
    folder = tmp_path_factory.mktemp("pages")
    small = grid("\n".join(SMALL), moves=4)
    reopening = problem_from(
        ["s"],
        lambda x: {
            "s": [("a", "a"), ("b", "b")],
            "a": [("c", "c")],
            "b": [("a", "a")],
            "c": [("g", "g")],
        }.get(x, []),
        lambda x: x == "g",
        cost=lambda x, _, y: {"sa": 5, "sb": 1, "ac": 1, "ba": 1, "cg": 9}[x + y],
        heuristic=lambda x: {"b": 8}.get(x, 0),
    )
    labels = problem_from(
        [HOSTILE], lambda x: [(RIGHT_TO_LEFT, RIGHT_TO_LEFT)] if x == HOSTILE else [], lambda x: False
    )
    recordings = {
        "small": watch(small, "astar", "dijkstra"),
        "halves": record(load("maze"), "bidirectional"),
        "tiles": record(load("8puzzle"), "astar", limits=Limits(expansions=150)),
        "reopening": record(reopening, "astar"),
        "labels": record(labels, "bfs"),
        "one state": record(problem_from([0], lambda x: [], lambda x: False), "bfs"),
        "a start that is the goal": record(problem_from([0], lambda x: [], lambda x: True), "bfs"),
        "nothing expanded": record(small, "bfs", limits=Limits(expansions=0)),
        "nowhere": record(load("siding"), "cbs"),
        "phases": record(load("fairway"), "corridor"),
        "graph": record(load("streets"), "astar"),
        "keys": record(load("vault"), "astar"),
    }
    files = {}
    for name, recording in recordings.items():
        files[name] = folder / f"{name}.html"
        save_html(recording, files[name], f"{HOSTILE} {name}" if name == "labels" else name)
    return files


@pytest.fixture
def tab(chromium: Any, pages: dict[str, Path]) -> Iterator[Any]:
    """Return what opens a page; at the end only the page may have been asked for, and nothing complained about."""
    opened: list[tuple[Tab, Path]] = []

    def open_page(name: str, width: int = 1280, **options: Any) -> Tab:
        opened.append((Tab(chromium, pages[name], width, **options), pages[name]))
        return opened[-1][0]

    yield open_page
    for one, file in opened:
        assert [url for url in one.requests if not url.startswith("blob:")] == [file.as_uri()]
        assert one.complaints == []
        one.close()
