"""The page in a headless Chromium: it plays, by keys alone and at any width, and it shows what the replay has."""

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from searchkit import load, problem_from, record
from searchkit.render.player import save_html
from searchkit.trace import REOPEN, Replay
from searchkit.trace.replay import ABSENT, EXPANDED
from searchkit_dungeon import grid
from tests.render.player.chromium import Tab, executable
from tests.render.player.conftest import HOSTILE, RIGHT_TO_LEFT, SMALL
from tests.render.player.questions import CELL_UNDER, COLOURS, EXTENTS, ONE_OF_EACH, PAUSES, PIXELS
from tests.render.player.test_colours import THEMES, lightness

pytestmark = [
    pytest.mark.skipif(
        executable() is None,
        reason="there is no Chromium: apt-get install chromium, or name one in $SEARCHKIT_CHROMIUM",
    ),
    pytest.mark.long,  # starting a browser takes seconds; test_replay.py and test_layout.py run its scripts without one
]


def test_it_plays_and_stops(tab: Any) -> None:
    """Space plays, Space pauses; at the end it stops by itself and says so, and plays again from the beginning."""
    page = tab("small")
    assert page.time == 0
    page.run("player.speed(40)")
    page.press("Space")
    page.wait("player.time > 1")
    page.press("Space")
    paused = page.time
    page.page.wait_for_timeout(60)
    assert page.time == paused
    page.run("player.speed(110)")
    page.page.get_by_role("button", name="Play", exact=True).click()
    page.wait("!player.playing && player.time === player.length")
    assert "the end" in page.page.get_by_role("status").inner_text()
    page.run("player.speed(30)")
    page.press("Space")
    assert page.run("player.playing && player.time < 10")
    page.run("player.speed(110)")
    page.wait("player.time === player.length && !player.playing")


def test_every_step_has_a_key(tab: Any) -> None:
    """By expansion, by event, by a hundredth, to both ends, to what stands out, faster and slower, other colours."""
    page = tab("halves")
    page.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert page.time == 3
    page.press("ArrowLeft")
    assert page.time == 2
    before = page.run("player.panels[0].trace.t")
    page.press("Shift+ArrowRight")
    assert page.run("player.panels[0].trace.t") == before + 1
    page.press("Shift+ArrowLeft", "Shift+ArrowLeft")
    assert page.run("player.panels[0].trace.t") == before - 1
    page.press("Home", "Alt+ArrowRight")
    assert page.time == 4  # of 390 expansions
    page.press("End")
    assert page.time == page.run("player.length") == 390
    page.press("[")
    assert (
        page.run("player.panels[0].trace.kind[player.panels[0].trace.t - 1]") == 5
    )  # the note of the meeting
    rate = page.run("player.rate")
    page.press("ArrowUp")
    assert page.run("player.rate") > rate
    page.press("c")
    assert page.run("player.mode") == "order"
    page.press("v")
    assert page.run("player.panels[0].choice.value") == "tree"
    page.press("+")
    assert page.run("player.panels[0].view.zoom") > 1
    page.press("0")
    assert page.run("player.panels[0].view.zoom") == 1
    page.press("?")
    assert page.page.get_by_role("dialog").is_visible()
    page.press("Escape")
    assert not page.page.get_by_role("dialog").is_visible()


def test_the_slider_and_the_chart_go_anywhere(tab: Any) -> None:
    """All panels have one clock: the same number of expansions, or the same share."""
    page = tab("small")
    length = page.run("player.length")
    page.page.get_by_role("slider", name="Time in expansions").fill(str(length // 2))
    assert page.time == length // 2
    assert page.run("player.panels.map(p => p.trace.expansions)") == [
        min(length // 2, page.run("player.panels[0].trace.at.length")),
        length // 2,
    ]
    page.page.get_by_role("combobox", name="clock").select_option("share")
    shares = page.run("player.panels.map(p => p.trace.expansions / p.trace.at.length)")
    assert abs(shares[0] - shares[1]) < 0.1
    box = page.page.locator("#chart").bounding_box()
    page.page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + 5)
    assert abs(page.time - length / 4) <= 1


def test_cells_have_the_colours_of_the_replay(tab: Any) -> None:
    """What the screen shows at a cell is the state that the replay in Python has there, in light and in dark."""
    recording = record(grid("\n".join(SMALL), moves=4), "astar")
    replay = Replay(recording)
    width = len(SMALL[0])
    for scheme in ("light", "dark"):
        page = tab("small", color_scheme=scheme)
        colours = THEMES[scheme]
        for time in (0, 3, 7, recording.expansions - 1):
            page.run("time => player.seek(time)", time)
            replay.seek(page.run("player.panels[0].trace.t"))
            expected = {}
            for y, row in enumerate(SMALL):
                for x, glyph in enumerate(row):
                    if glyph == "#":
                        expected[x, y] = colours["wall"]
                    elif glyph == ".":
                        expected[x, y] = colours["floor"]
            for node, condition in enumerate(replay.conditions):
                y, x = divmod(recording.place(node), width)
                if condition != ABSENT and (x, y) in expected:
                    expected[x, y] = colours["closed" if condition == EXPANDED else "open"]
            looked = page.run(PIXELS, [list(cell) for cell in expected])
            assert dict(zip(expected, looked, strict=True)) == expected


@pytest.mark.parametrize(("vault", "legs"), [("vault4", 4), ("vault81", 20)])
def test_walks_in_vaults_are_drawn_through_free_cells(
    chromium: Any, tmp_path: Path, vault: str, legs: int
) -> None:
    """A step from key to key is no straight line: it is drawn as a walk that takes what it costs."""
    recording = record(load(vault), "astar")
    save_html(recording, tmp_path / "vault.html")
    tab = Tab(chromium, tmp_path / "vault.html", 1280)
    tab.run("player.seek(player.length)")
    tab.wait("player.panels[0].view.walks?.size > 0")
    found = tab.run("[...player.panels[0].view.walks]")
    tab.close()
    walks = [walk for _, walk in found]
    ground = recording.appearance.ground
    assert ground is not None
    assert len(walks) >= legs
    assert None not in walks
    cells = {divmod(cell, ground.width) for walk in walks for cell in walk}
    assert {ground.rows[y][x] for y, x in cells}.isdisjoint("#")
    for walk in walks:
        spots = [divmod(cell, ground.width) for cell in walk]
        assert {abs(y - v) + abs(x - u) for (y, x), (v, u) in pairwise(spots)} == {1}
    g = {event.node: event.g for event in recording.events}
    ends = [tuple(map(int, key.split()))[:2] for key, _ in found]
    assert [len(walk) - 1 for walk in walks] == [abs(g[a] - g[b]) for a, b in ends]


def test_states_differ_without_colour(tab: Any) -> None:
    """As somebody without any sight of colour sees the page, and on paper: floor, wall, open and closed differ."""
    from PIL import Image

    page = tab("halves")
    page.run("player.seek(200)")
    session = page.context.new_cdp_session(page.page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    picture = Image.open(BytesIO(page.page.locator("canvas").nth(0).screenshot())).convert("RGB")
    cells = page.run(ONE_OF_EACH)
    seen = {}
    for name, (x, y) in cells.items():
        red, green, blue = picture.getpixel((x, y))
        assert max(red, green, blue) - min(red, green, blue) <= 2  # it is grey
        seen[name] = lightness(f"#{red:02x}{green:02x}{blue:02x}")
    assert seen.keys() == {"open", "closed", "open-2", "closed-2", "wall", "floor"}
    steps = sorted(seen.values())
    assert min(high - low for low, high in pairwise(steps)) > 8


@pytest.mark.one_in(2)
@pytest.mark.parametrize("width", [320, 390, 1280, 768])
def test_every_width_has_room(tab: Any, width: int) -> None:
    """Nothing is wider than the window, the bar hides no panel, and every control lies within the window."""
    page = tab("small", width)
    for opened in (False, True):
        if opened and page.page.locator("#more").is_visible():
            page.page.locator("#more").click()
        found = page.run(EXTENTS)
        assert found["wide"] <= width
        assert found["out"] == []
        assert found["main"] <= found["bar"] + 0.5
        assert found["height"] > (250 if not opened else 150)


def test_every_control_has_a_name(tab: Any) -> None:
    """As a screen reader is told: buttons, sliders, choices and pictures."""
    page = tab("phases")
    page.run("player.seek(300), player.pin(player.panels[0], 5), player.panels[0].queue.open = true")
    session = page.context.new_cdp_session(page.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    roles = {
        "button",
        "slider",
        "combobox",
        "checkbox",
        "application",
        "image",
        "img",
        "DisclosureTriangle",
        "dialog",
    }
    found = [
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if node.get("role", {}).get("value") in roles
    ]
    assert {role for role, _ in found} >= {"button", "slider", "combobox", "checkbox", "application"}
    assert [role for role, name in found if not name.strip()] == []
    assert len(found) > 25


def test_a_state_can_be_selected_by_keys(tab: Any) -> None:
    """Tab to the picture, then the arrows: the page says f = g + h of the state, as the recording has them."""
    recording = record(grid("\n".join(SMALL), moves=4), "astar")
    page = tab("small")
    page.run("player.seek(6), player.panels[0].canvas.focus()")
    page.press("ArrowLeft", "ArrowUp")
    node = page.run("player.panels[0].pinned")
    assert node >= 0
    replay = Replay(recording).seek(page.run("player.panels[0].trace.t"))
    text = page.page.locator(".state").nth(0).inner_text()
    g, h = replay.g[node], recording.h(node)
    assert f"f {g + h} = g {g} + h {h}" in text
    assert recording.label(node) in text
    assert page.time == 6
    page.press("Escape")
    assert page.run("player.panels[0].pinned") == -1
    page.press("s", "p")
    parent = replay.parents[page.run("player.panels[0].trace.current")]
    assert page.run("player.panels[0].pinned") == parent
    page.page.locator("summary").nth(0).click()
    page.wait("document.querySelectorAll('.queue li').length > 0")
    rows = page.page.locator(".queue li bdi").all_inner_texts()
    first = [recording.label(node) for node in replay.frontier]
    assert rows[: len(first)] == first


def test_it_stops_where_it_is_told(tab: Any) -> None:
    """When a state is reopened, and when f rises; the page says why."""
    recording_stop = "a state is reopened"
    page = tab("reopening")
    page.page.get_by_role("checkbox", name=recording_stop).check()
    page.run("player.speed(100), document.activeElement.blur()")
    page.press("Space")
    page.wait("!player.playing")
    trace = "player.panels[0].trace"
    assert page.run(f"{trace}.kind[{trace}.t - 1]") == REOPEN
    assert f"stopped: {recording_stop}" in page.page.get_by_role("status").inner_text()
    page.press("Home")
    page.page.get_by_role("checkbox", name=recording_stop).uncheck()
    page.page.get_by_role("checkbox", name="f rises").check()
    page.run("document.activeElement.blur(), player.play(true)")
    page.wait("!player.playing")
    assert page.run(f"{trace}.f[{trace}.expansions - 1] > {trace}.f[{trace}.expansions - 2]")
    page.run("player.pin(player.panels[0], player.panels[0].goal), player.seek(0)")
    page.page.get_by_role("checkbox", name="f rises").uncheck()
    page.press("r")
    page.wait("!player.playing")
    assert page.run(f"{trace}.node[{trace}.t - 1]") == page.run("player.panels[0].goal")


def test_labels_are_texts(tab: Any) -> None:
    """Markup and right-to-left letters in labels and titles are shown as they are."""
    page = tab("labels")
    page.run("player.seek(1)")
    assert (
        page.run("document.querySelectorAll('img, iframe, script:not([class])').length") == 1
    )  # the script itself
    assert HOSTILE in page.page.locator("h1").inner_text()
    assert page.page.locator(".state .label bdi").text_content() == HOSTILE
    page.run("player.seek(2)")
    label = page.page.locator(".state .label bdi")
    assert label.text_content() == RIGHT_TO_LEFT
    assert label.evaluate("e => getComputedStyle(e).direction") == "rtl"


@pytest.mark.one_in(4)  # a page takes a second; what they have in common is in the tests of the script
@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("one state", "tree"),
        ("a start that is the goal", "tree"),
        ("nothing expanded", "map"),
        ("nowhere", "tree"),
        ("tiles", "tree"),
        ("phases", "map"),
        ("graph", "graph"),
        ("keys", "map"),
    ],
)
def test_every_recording_is_shown(tab: Any, name: str, view: str) -> None:
    """In the view that suits it, and in all others; to the end and back, playing, with a state selected."""
    page = tab(name)
    assert page.run("document.documentElement.dataset.ready") == "yes"
    assert page.run("player.panels[0].choice.value") == view
    for other in page.run("[...player.panels[0].choice.options].map(o => o.value)"):
        page.run("name => { player.panels[0].show(name); player.resize(); }", other)
        page.press("End", "Home", "ArrowRight", "Shift+ArrowRight", "s", "ArrowLeft", "End")
        page.run("mode => player.colour(mode)", "f")
        page.run("mode => player.colour(mode)", "state")
        assert page.run(COLOURS) > 1
    assert re.search(r"solved|unsolvable|cutoff|limit", page.page.locator(".verdict").nth(0).inner_text())


def test_reduced_motion_is_respected(tab: Any) -> None:
    """Pictures are a quarter of a second apart at least; without the wish, some are closer."""
    slow = tab("halves", reduced_motion="reduce").run(PAUSES)
    assert slow
    assert min(slow) >= 230
    assert min(tab("halves", reduced_motion="no-preference").run(PAUSES)) < 230


def test_wheel_drag_and_pinch_zoom(tab: Any) -> None:
    """The point under the pointer stays where it is; two fingers zoom."""
    page = tab("small", has_touch=True)
    box = page.page.locator("canvas").nth(0).bounding_box()
    x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.5
    page.page.mouse.move(x, y)
    cell = page.run(CELL_UNDER, [x, y])
    page.page.mouse.wheel(0, -300)
    page.wait("player.panels[0].view.zoom > 1")
    assert page.run(CELL_UNDER, [x, y]) == cell
    zoom = page.run("player.panels[0].view.zoom")
    session = page.context.new_cdp_session(page.page)
    for kind, apart in (("touchStart", 30), ("touchMove", 60), ("touchMove", 90)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait(f"player.panels[0].view.zoom > {zoom}")


def test_a_million_labels(chromium: Any, tmp_path: Path) -> None:
    """Labels are read when they are shown; a tree that is too large is shown around one state."""
    last = 1_000_000
    ladder = problem_from(
        [1], lambda x: [("left", 2 * x), ("right", 2 * x + 1)] if 2 * x < last else [], lambda x: x == last
    )
    recording = record(ladder, "bfs")
    assert recording.nodes == last - 1
    file = tmp_path / "million.html"
    save_html(recording, file)
    page = Tab(chromium, file)
    assert page.run("player.panels[0].choice.value") == "near"
    page.run("player.seek(300000)")
    node = page.run("player.panels[0].trace.current")
    assert page.page.locator(".state .label").inner_text() == recording.label(node)
    page.press("p")
    assert page.page.locator(".state .label").inner_text() == str(int(recording.label(node)) // 2)
    page.press("End")
    assert page.run("player.panels[0].trace.t") == len(recording)
    assert page.complaints == []
    page.close()
