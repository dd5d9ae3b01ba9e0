"""The playground in headless Chromium, with Python: drawing, keys, options, own code, code without end, links."""

import functools
import http.server
import io
import json
import shutil
import threading
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from searchkit import certify, load, solve
from tests.render.player import chromium

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "playground"
WAIT = 120_000
"""Milliseconds: Python takes long to start on a machine with much to do. Nothing is asserted about times."""
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the files of the playground; yield the address."""
    jinja2 = pytest.importorskip("jinja2", reason="the extra docs has it")
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        publish = import_module("publish")
    for file in FOLDER.iterdir():
        if file.suffix in (".js", ".mjs", ".css"):
            shutil.copy(file, folder)
    for name, content in publish.contents().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    if not (folder / "python").is_dir():
        pytest.skip("Pyodide is not in the cache, and can't be downloaded")
    template = jinja2.Template((ROOT / "docs" / "theme" / "playground.html").read_text(encoding="utf-8"))
    config = {"site_name": "x", "extra": {"playground_policy": publish.policy()}}
    page = template.render(page={"title": "Playground", "content": ""}, config=config, base_url=".")
    (folder / "index.html").write_text(page, encoding="utf-8")

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012  # as the class declares it
            **http.server.SimpleHTTPRequestHandler.extensions_map,
            ".mjs": "text/javascript",
            ".wasm": "application/wasm",
        }

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start the Chromium of this machine."""
    pytest.importorskip("playwright", reason="the extra dev has it")
    if chromium.CHROMIUM is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    with chromium.browser() as program:
        yield program


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    """Open the playground; afterwards, nothing was said on the console and no other machine was asked."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(WAIT)
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(site)
    opened.wait_for_selector("body[data-shown]")
    yield opened
    context.close()
    origin = site.rpartition("/")[0]
    assert said == []
    assert [url for url in asked if not url.startswith((origin, "about:", "data:", "blob:"))] == []


def wait_for(page: Any, condition: str, arg: Any = None) -> None:
    """Wait until JavaScript is true. The function of playwright is `eval` in the page, which its policy forbids."""
    for _ in range(WAIT // 50):
        if page.evaluate(condition, arg):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"this did not become true: {condition}")


def answers(page: Any) -> int:
    """Return how many answers were shown."""
    return int(page.evaluate("document.body.dataset.answers || 0"))


def next_answer(page: Any, act: Any) -> str:
    """Do something, wait until it is answered, and return what is shown about the first engine."""
    before = answers(page)
    act()
    wait_for(page, f"document.body.dataset.python === 'ready' && document.body.dataset.answers > {before}")
    return str(page.inner_text("#verdicts p"))


def shared(page: Any) -> Any:
    """Return the state in the link that the page makes."""
    page.click("#share")
    wait_for(page, "document.getElementById('state').textContent.startsWith('the link')")
    fragment = page.evaluate("location.hash.slice(1)")
    return json.loads(zlib.decompress(urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)), -15))


def expected(state: Any, number: int = 0) -> str:
    """Return what searchkit finds here for what the page has shared."""
    run = state["runs"][number]
    problem = load(io.StringIO(state["map"]), "dungeon", **state["mapOptions"])
    result = solve(problem, run["engine"], **run["options"])
    checked = certify(problem, result)
    said = str(result if checked.assumed else evolve(result, assumes=""))
    return f"{run['engine']} {said.replace(run['engine'] + ' expanded', 'expanded')}"


def place(page: Any, x: int, y: int) -> tuple[float, float]:
    """Return the middle of a cell of the map on the screen."""
    box = page.locator("#map").bounding_box()
    width, height = (int(page.input_value(f"#{name}")) for name in ("width", "height"))
    return box["x"] + (x + 0.5) * box["width"] / width, box["y"] + (y + 0.5) * box["height"] / height


def test_maps_are_solved_while_they_are_drawn(page: Any) -> None:
    """With pointer and keys, engines and options: always what searchkit finds here for the same map."""
    wait_for(page, "document.body.dataset.answers === '1'")  # nobody has to start anything
    assert page.inner_text("#verdicts p") == expected(shared(page))
    page.wait_for_selector("#player iframe:not(.coming)")
    frame = page.frame_locator("#player iframe")
    frame.locator("html[data-ready=yes]").wait_for()
    said = expected(shared(page)).partition(" expanded ")[2].split()[0]
    assert frame.locator("#scrub").input_value() == said, "the player begins at the end"
    assert not frame.locator(".stage").is_visible(), "the map is drawn once"
    begin = shared(page)["map"].split("\n")
    y = next(number for number, row in enumerate(begin) if "S" in row)
    x = begin[y].index("S")

    def wall() -> None:
        page.mouse.move(*place(page, x + 4, y))
        page.mouse.down()
        page.mouse.up()

    assert next_answer(page, wall) == expected(shared(page))
    drawn = shared(page)["map"].split("\n")
    assert begin[y][x + 4] == "."
    assert drawn[y] == begin[y][: x + 4] + "#" + begin[y][x + 5 :]

    def drag_start() -> None:
        page.mouse.move(*place(page, x, y))
        page.mouse.down()
        page.mouse.move(*place(page, x + 2, y + 1), steps=4)
        page.mouse.up()

    next_answer(page, drag_start)
    wait_for(page, "document.body.dataset.python === 'ready'")
    state = shared(page)
    assert state["map"].split("\n")[y + 1][x + 2] == "S"
    assert page.inner_text("#verdicts p") == expected(state)

    page.focus("#map")  # the cursor is where the start was put
    page.keyboard.press("ArrowRight")
    assert next_answer(page, lambda: page.keyboard.press("7")) == expected(shared(page))
    assert shared(page)["map"].split("\n")[y + 1][x + 3] == "7"
    assert page.inner_text("#said") == f"column {x + 3}, row {y + 1}: costs 7"
    page.focus("#map")
    assert next_answer(page, lambda: page.keyboard.press("Control+z")) == expected(shared(page))
    assert shared(page)["map"].split("\n")[y + 1][x + 3] == "."

    next_answer(page, lambda: page.select_option("#map-options select", "8"))
    next_answer(page, lambda: page.click("text=+ Compare"))
    state = shared(page)
    assert state["mapOptions"] == {"moves": "8"}
    assert [run["engine"] for run in state["runs"]] == ["astar", "dijkstra"]
    shown = page.locator("#verdicts p:has(strong)").all_inner_texts()
    assert shown == [expected(state, 0), expected(state, 1)]


def test_the_switch_of_the_documentation_sets_the_theme(page: Any) -> None:
    """Of the page and of the player; until it is used, the system's theme is shown."""
    wait_for(page, "document.body.dataset.answers === '1'")
    page.wait_for_selector("#player iframe:not(.coming)")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for()
        page.frame_locator("#player iframe").locator(f"html[data-theme={scheme}]").wait_for()
    page.evaluate("localStorage.setItem('/.__palette', JSON.stringify({ color: { scheme: 'slate' } }))")
    page.reload()
    page.locator("html[data-theme=dark]").wait_for()
    page.frame_locator("#player iframe:not(.coming)").locator("html[data-theme=dark]").wait_for()


def test_a_puzzle_has_options(page: Any) -> None:
    """Those of its kind, which the link holds."""
    next_answer(page, lambda: page.click("#tab-file"))
    page.click("#file-options summary")
    level = page.locator("#file-options input").first
    level.fill("2")
    assert "solved: cost 16" in next_answer(page, lambda: level.press("Enter"))
    assert shared(page)["file"]["options"] == {"level": "2"}


def write(page: Any, code: str) -> None:
    """Replace the text in the editor for code."""
    page.locator("#code .cm-content").press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(code)


def test_own_code_is_run_and_ended(page: Any) -> None:
    """One message with the line if it is wrong; a time limit and a button if it does not end."""
    page.click("#tab-python")
    wait_for(page, "document.body.dataset.answers > 0 && document.body.dataset.editor === 'shown'")
    assert "bfs" in next_answer(page, lambda: page.click("#run"))
    seen = answers(page)
    write(
        page,
        "class P:\n    initial_states = lambda s: [0]\n    is_goal = lambda s, x: False\n"
        "    def successors(self, state):\n        return [('a', 1 / 0)]\n",
    )
    page.wait_for_timeout(500)
    assert page.locator("#code .error").count() == 0
    page.click("#run")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem") == (
        "line 5: P.successors(0) raised ZeroDivisionError: division by zero, while 0 was being expanded"
    )
    assert "1 / 0" in page.inner_text("#code .error")
    write(page, "while True:\n    pass\n")
    page.click("#run")
    wait_for(page, "document.getElementById('problem').textContent.startsWith('ended after 30 seconds')")
    page.wait_for_selector("body[data-python=ready]")  # again
    page.click("#run")
    page.click("#stop")
    assert page.inner_text("#problem") == "stopped"
    assert answers(page) == seen, "code runs only when the reader says so"
    assert "cost 6 (optimal)" in next_answer(page, lambda: page.select_option("#codes", "jugs"))


def test_links_are_not_trusted(page: Any) -> None:
    """A damaged one is one sentence; code in a good one is shown, and waits for the reader."""
    page.click("#tab-python")
    page.wait_for_selector("body[data-editor]")
    write(page, "problem = 1 </script><img src=x onerror=alert(1)>")
    page.click("#share")
    wait_for(page, "document.getElementById('state').textContent.startsWith('the link')")
    link = page.evaluate("location.href")
    for fragment, complaint in (
        ("AAAA", "it is damaged"),
        ("<b>", "it has characters that do not belong there"),
        ("A" * 60_001, "it is too long"),
        (link.partition("#")[2][:-4], "it is damaged"),
    ):
        page.evaluate("fragment => { location.hash = fragment; }", fragment)
        wait_for(page, "text => document.getElementById('problem').textContent.includes(text)", arg=complaint)
        page.evaluate("document.getElementById('problem').textContent = ''")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("body[data-editor]")
    assert page.inner_text("#code .cm-content") == "problem = 1 </script><img src=x onerror=alert(1)>"
    page.wait_for_selector("body[data-python=ready]")
    assert answers(page) == 0


def test_nothing_from_elsewhere_is_loaded_or_run(browser: Any, site: str) -> None:
    """The policy of the page stops other sites, scripts and styles in the page, and `eval`."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site)
    page.wait_for_selector("body[data-shown]")
    stopped = page.evaluate(
        """async () => {
            const stopped = new Set();
            document.addEventListener("securitypolicyviolation", event => stopped.add(event.effectiveDirective));
            const put = (name, has) => document.body.append(Object.assign(document.createElement(name), has));
            put("img", { src: "http://127.0.0.1:9/a.png" });
            put("script", { src: "http://127.0.0.1:9/a.js" });
            put("script", { textContent: "window.ran = true" });
            put("link", { rel: "stylesheet", href: "http://127.0.0.1:9/a.css" });
            put("style", { textContent: "body { color: red }" });
            put("iframe", { src: "http://127.0.0.1:9/" });
            await fetch("http://127.0.0.1:9/").catch(() => 0);
            setTimeout("window.ran = true", 0);
            try { new Worker("http://127.0.0.1:9/a.js"); } catch { stopped.add("worker of another site"); }
            for (let i = 0; i < 200 && stopped.size < 7; i++) await new Promise(done => setTimeout(done, 50));
            return [window.ran === undefined, ...[...stopped].sort()];
        }"""
    )
    context.close()
    assert stopped == [
        True,
        "connect-src",
        "frame-src",
        "img-src",
        "script-src",
        "script-src-elem",
        "style-src-elem",
        "worker of another site",
    ]


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_sticks_out(page: Any, width: int) -> None:
    """At the widths of phones, tablets and desktops; and every control has a name."""
    page.set_viewport_size({"width": width, "height": 800})
    for tab in ("map", "file", "python"):
        page.click(f"#tab-{tab}")
        for button in page.locator(".more:visible > summary").all():
            button.click()
        wide = page.evaluate(
            """width => [...document.querySelectorAll('body *')].filter(one =>
                one.getBoundingClientRect().right > width && !one.closest('.sheet, textarea, .unseen, iframe, #code'))
                .map(one => `${one.outerHTML.slice(0, 80)} ends at ${one.getBoundingClientRect().right}`)""",
            width,
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width, wide
    nameless = page.evaluate(
        """[...document.querySelectorAll('button, select, input, textarea, canvas, iframe')].filter(one =>
            !(one.textContent.trim() && one.tagName === 'BUTTON') && !one.labels?.length
            && !one.getAttribute('aria-label') && !one.title).map(one => one.outerHTML)"""
    )
    assert nameless == []
