"""The page in a headless Chromium: it plays, by keys alone and at any width, and it shows what the replay has."""

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from searchkit import Limits, load, problem_from, record, watch
from searchkit.render.player import save_html
from searchkit.trace import NOTE, REOPEN, Replay
from searchkit_dungeon import grid
from tests.render.player.chromium import CHROMIUM, browser

pytestmark = [
    pytest.mark.skipif(
        CHROMIUM is None,
        reason="there is no Chromium: apt-get install chromium, or name one in $SEARCHKIT_CHROMIUM",
    ),
    pytest.mark.long,  # starting a browser takes seconds; test_replay.py and test_layout.py run its scripts without one
]
HOSTILE = "</script><img src=x onerror=alert(1)>"
SMALL = grid(["S....#...", ".##..#.#.", "..#....#.", "#.#.####.", "...#....G"], moves=4)
TRACE = "player.panels[0].trace"

EXTENTS = """
() => {
  const box = selector => document.querySelector(selector).getBoundingClientRect();
  const out = [...document.querySelectorAll("button, select, input, canvas")].filter(e => {
    const { left, right } = e.getBoundingClientRect();
    return e.checkVisibility() && (left < 0 || right > innerWidth + 0.5);
  });
  return {
    wide: document.documentElement.scrollWidth, main: box("main").bottom, bar: box("#bar").top,
    out: out.map(e => e.id || e.title || e.textContent),
  };
}
"""
"""How wide the page is, where panels end and the bar begins, and which controls are outside the window."""
LOOKS = """
() => { const view = player.panels[0].view; view.draw(); return Array.from(view.pixels, (_, p) => view.lookAt(p)); }
"""
"""How each cell of a map looks: the condition of the state there; 0 if none is reached."""


def reopening() -> Any:
    """Return a problem in which A* reopens a state."""
    roads = {"s": {"a": 5, "b": 1}, "a": {"c": 1}, "b": {"a": 1}, "c": {"g": 9}, "g": {}}
    return problem_from(
        ["s"],
        lambda x: [(to, to) for to in roads[x]],
        lambda x: x == "g",
        cost=lambda x, _, y: roads[x][y],
        heuristic=lambda x: {"b": 8}.get(x, 0),
    )


def recordings() -> dict[str, tuple[Any, str]]:
    """Return recordings by name, and the view that suits each."""
    one: Any = problem_from([0], lambda x: [], lambda x: False)
    labels: Any = problem_from(
        [HOSTILE], lambda x: [("x", "\u05d0\u202e1")] if x == HOSTILE else [], lambda x: False
    )
    return {
        "small": (watch(SMALL, "astar", "dijkstra"), "map"),
        "hexagons": (record(grid(["S..#.", ".#...", "...#G"], moves=6), "astar"), "map"),
        "halves": (record(load("maze"), "bidirectional"), "map"),
        "reopening": (record(reopening(), "astar"), "tree"),
        "labels": (record(labels, "bfs"), "tree"),
        "one state": (record(one, "bfs"), "tree"),
        "nothing expanded": (record(SMALL, "bfs", limits=Limits(expansions=0)), "map"),
        "nowhere": (record(load("siding"), "cbs"), "tree"),
        "tiles": (record(load("8puzzle"), "astar", limits=Limits(expansions=150)), "tree"),
        "phases": (record(load("fairway"), "corridor"), "map"),
        "graph": (record(load("streets"), "astar"), "graph"),
        "keys": (record(load("vault"), "astar"), "map"),
    }


class Tab:
    """A page that is open in the browser, with all that it asked for and complained about."""

    def __init__(self, browser: Any, file: Path, width: int):
        self.page = browser.new_page(viewport={"width": width, "height": 800})
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)
        self.run = self.page.evaluate

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def wait(self, condition: str) -> None:
        """Wait until a condition holds; the page's policy forbids the `eval` that `wait_for_function` needs."""
        end = monotonic() + 60
        while not self.run(condition):
            assert monotonic() < end, condition
            self.page.wait_for_timeout(15)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Return the browser."""
    with browser() as program:
        yield program


@pytest.fixture
def tab(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """Return what opens a page; at the end only the page may have been asked for, and nothing complained about."""
    opened: list[tuple[Tab, Path]] = []

    def open_page(name: str, width: int = 1280) -> Tab:
        file = tmp_path / f"{name}.html"
        save_html(recordings()[name][0], file, f"{HOSTILE} {name}")
        opened.append((Tab(chromium, file, width), file))
        return opened[-1][0]

    yield open_page
    for one, file in opened:
        assert [url for url in one.requests if not url.startswith("blob:")] == [file.as_uri()]
        assert one.complaints == []
        one.page.close()


def test_it_plays_and_stops(tab: Any) -> None:
    """Space plays, Space pauses; at the end it stops by itself and says so."""
    page = tab("small")
    page.run("player.speed(20)")  # slow: a busy machine must not come to the end before the next key
    page.press("Space")
    page.wait("player.time > 1")
    page.press("Space")
    paused = page.run("player.time")
    page.page.wait_for_timeout(60)
    assert page.run("player.time") == paused
    page.run("player.speed(110)")
    page.page.get_by_role("button", name="Play", exact=True).click()
    page.wait("!player.playing && player.time === player.length")
    assert "the end" in page.page.get_by_role("status").inner_text()


def test_every_step_has_a_key(tab: Any) -> None:
    """By expansion, by event, to both ends, to what stands out, faster, other colours, other views, zoom, help."""
    page = tab("halves")
    for keys, code, expected in (
        (("ArrowRight", "ArrowRight", "ArrowLeft"), "player.time", 1),
        (("End",), "player.time === player.length", True),
        (("[",), f"{TRACE}.kind[{TRACE}.t - 1]", NOTE),
        (("Home",), "player.time", 0),
        (("Shift+ArrowRight",), f"{TRACE}.t > 0 && player.time < 1.1", True),
        (("ArrowUp", "c"), "player.mode", "order"),
        (("v",), "player.panels[0].choice.value", "tree"),
        (("+",), "player.panels[0].view.zoom > 1", True),
        (("0", "?"), "document.querySelector('dialog').open", True),
    ):
        page.press(*keys)
        assert page.run(code) == expected, keys


def test_the_page_around_it_may_choose_the_theme(tab: Any) -> None:
    """By a message, as the documentation does when the reader switches its theme."""
    page = tab("small")
    for dark in (True, False):
        page.run("dark => parent.postMessage({ dark }, '*')", dark)
        page.wait(f"theme.dark === {str(dark).lower()}")


def test_cells_look_as_the_replay_says(tab: Any) -> None:
    """At some times, also after long jumps."""
    page, replay = tab("small"), Replay(recordings()["small"][0][0])
    ground = replay.recording.appearance.ground
    assert ground is not None
    for time in (7, 0, 3, replay.recording.expansions - 1):
        page.run("time => player.seek(time)", time)
        replay.seek(page.run(f"{TRACE}.t"))
        cells = {
            replay.recording.appearance.cells(node)[0]: condition
            for node, condition in enumerate(replay.conditions)
        }
        assert page.run(LOOKS) == [cells.get(p, 0) for p in range(ground.width * ground.height)]


def test_hexagons_are_in_shifted_rows(tab: Any) -> None:
    """The cell around a point of the canvas is the one whose middle is nearest."""
    page = tab("hexagons")
    middles = "[...Array(view.w * view.h).keys()].map(p => view.middle(p).map(v => v / view.sx))"
    points = page.run(f"() => {{ const view = player.panels[0].view; view.draw(); return {middles}; }}")
    assert [round(points[p][0] - points[0][0], 6) for p in (1, 5, 6, 10)] == [1, 0.5, 1.5, 0]
    assert round(points[5][1] - points[0][1], 3) == 0.866
    cells = (
        "(x, y) => player.panels[0].view.cellAt(x * player.panels[0].view.sx, y * player.panels[0].view.sx)"
    )
    for number, (x, y) in enumerate(points):
        for dx, dy in ((0, 0), (0.45, 0), (-0.45, 0.2), (0, 0.5), (0, -0.5)):
            assert page.run(f"([x, y]) => ({cells})(x, y)", [x + dx, y + dy]) == number


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_every_width_has_room(tab: Any, width: int) -> None:
    """Nothing is wider than the window, the bar hides no panel, and every control lies within the window."""
    found = tab("small", width).run(EXTENTS)
    assert found["wide"] <= width
    assert found["out"] == []
    assert found["main"] <= found["bar"] + 0.5


def test_a_state_can_be_selected_by_keys(tab: Any) -> None:
    """Tab to the picture, then the arrows: the page says f = g + h of the state, and lists the frontier in order."""
    recording = recordings()["small"][0][0]
    page = tab("small")
    page.run("player.seek(6), player.panels[0].canvas.focus()")
    page.press("ArrowLeft", "ArrowUp")
    node = page.run("player.panels[0].pinned")
    replay = Replay(recording).seek(page.run(f"{TRACE}.t"))
    text = page.page.locator(".state").nth(0).inner_text()
    g, h = replay.g[node], recording.h(node)
    assert f"f {g + h} = g {g} + h {h}" in text
    assert recording.label(node) in text
    page.page.locator("summary").nth(0).click()
    page.wait("document.querySelectorAll('.queue li').length > 0")
    rows = page.page.locator(".queue li bdi").all_inner_texts()
    assert rows[: len(replay.frontier)] == list(map(recording.label, replay.frontier))


def test_it_stops_where_it_is_told(tab: Any) -> None:
    """When a state is reopened; the page says why."""
    page = tab("reopening")
    page.page.get_by_role("checkbox", name="a state is reopened").check()
    page.run("player.speed(100), document.activeElement.blur()")
    page.press("Space")
    page.wait("!player.playing")
    assert page.run(f"{TRACE}.kind[{TRACE}.t - 1]") == REOPEN
    assert "stopped: a state is reopened" in page.page.get_by_role("status").inner_text()


def test_labels_are_texts(tab: Any) -> None:
    """Markup in labels and titles is shown as it is."""
    page = tab("labels")
    page.run("player.seek(1)")
    assert page.run("document.querySelectorAll('img, iframe, script:not([class])').length") == 1  # the script
    assert HOSTILE in page.page.locator("h1").inner_text()
    assert page.page.locator(".state .label bdi").text_content() == HOSTILE


@pytest.mark.parametrize("name", list(recordings()))
def test_every_recording_is_shown(tab: Any, name: str) -> None:
    """In the view that suits it, and in all others; to the end and back, with a state selected; controls have names."""
    page = tab(name)
    assert page.run("document.documentElement.dataset.ready") == "yes"
    assert page.run("player.panels[0].choice.value") == recordings()[name][1]
    for other in page.run("[...player.panels[0].choice.options].map(o => o.value)"):
        page.run("name => { player.panels[0].show(name); player.resize(); }", other)
        page.press("End", "Home", "ArrowRight", "Shift+ArrowRight", "s", "ArrowLeft", "End")
        page.run("mode => player.colour(mode)", "f")
        page.run("mode => player.colour(mode)", "state")
    assert re.search(r"solved|unsolvable|cut off", page.page.locator(".verdict").nth(0).inner_text())
    nodes = page.page.context.new_cdp_session(page.page).send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "slider", "combobox", "checkbox", "application", "image"}
    found = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") in roles]
    assert len(found) > 15
    assert all(name.strip() for name in found)
