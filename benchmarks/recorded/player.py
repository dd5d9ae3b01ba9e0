"""The player: how large its pages are, how soon they are ready, how fast they play, and how long a jump takes.

Times in the browser (Chromium, headless, a window of 1280×800 pixels) are times of the clock; those in Python are CPU
time. A jump goes to a random moment, and ends when the picture is drawn.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit import data
from benchmarks.kit.documents import RESULTS, document, keep
from searchkit import load, solve
from searchkit.render.player import assemble
from searchkit.trace import watch
from searchkit.trace.file import pack
from searchkit_dungeon import Terrain, make_grid

BYTES, READY, FPS, JUMP = 1_250_000, 1.0, 30.0, 0.030
"""To reach with two searches of a map of 512×512 cells: bytes of the page, seconds, pictures a second, seconds."""
PLAYING, JUMPS = 4.0, 60
"""The seconds for which each page plays, and the number of jumps."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
Case = tuple[str, Callable[[], Any], tuple[str, ...]]

JUMPING = """
async count => {
  const times = [];
  let seed = 1;
  for (let i = 0; i < count; i++) {
    seed = seed * 16807 % 2147483647;
    const begin = performance.now();
    player.seek(Math.floor(seed / 2147483647 * player.length));
    for (const panel of player.panels) panel.g.getImageData(0, 0, 1, 1);  // until it is drawn
    times.push(performance.now() - begin);
    await new Promise(requestAnimationFrame);
  }
  return times.sort((a, b) => a - b).map(ms => ms / 1000);
}
"""
FRAMES = """
async seconds => {
  player.seek(0);
  player.rate = player.length / seconds / 1.1;
  player.play(true);
  let frames = 0;
  const begin = performance.now(), end = begin + 1000 * seconds;
  while (player.playing && performance.now() < end) { await new Promise(requestAnimationFrame); frames++; }
  const taken = performance.now() - begin;
  player.play(false);
  return frames / taken * 1000;
}
"""


@frozen
class Row:
    """A page."""

    name: str
    expanded: int
    events: int
    search_seconds: float
    record_seconds: float
    pack_seconds: float
    data_bytes: int
    page_bytes: int
    ready_seconds: float
    frames: float
    """Pictures a second while playing all of it in a few seconds."""
    jump_seconds: float
    longest_jump_seconds: float


def cases() -> list[Case]:
    """Return the searches: what is shown, how the problem is made, and the engines."""
    return [
        ("A*, 512² random", lambda: load("random512", moves=8), ("astar",)),
        ("A* and Dijkstra, 512² random", lambda: load("random512", moves=8), ("astar", "dijkstra")),
        ("Dijkstra, 1024² open", lambda: ground(1024), ("dijkstra",)),
        ("A*, 8-puzzle, tree", lambda: load("8puzzle"), ("astar",)),
        ("A*, maze", lambda: load("maze"), ("astar",)),
    ]


def ground(side: int) -> Any:
    """Return a search from the middle of an open map for a corner."""
    terrain = Terrain([row.tobytes() for row in data.open_ground(side)])
    return make_grid(terrain, [(side // 2, side // 2)], [(side - 1, side - 1)])


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser that is installed, `$SEARCHKIT_CHROMIUM` or one on the path. Raises SystemExit if none is."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise SystemExit(f"the player is measured by Playwright, which is not installed ({error})") from error
    path = os.environ.get("SEARCHKIT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        raise SystemExit("there is no Chromium; install it, or name one in $SEARCHKIT_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def measure(case: Case, browser: Any, folder: Path, playing: float = PLAYING, jumps: int = JUMPS) -> Row:
    """Record, write the page, and try it in the browser."""
    name, make, engines = case
    problem = make()
    begin = process_time()
    for engine in engines:
        solve(problem, engine, backend="python")
    searched = process_time()
    recordings = watch(make(), *engines)
    recorded = process_time()
    traces = [pack(recording) for recording in recordings]
    packed = process_time()
    file = folder / "page.html"
    file.write_text(assemble(traces, name), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    row = Row(
        name,
        sum(recording.expansions for recording in recordings),
        sum(map(len, recordings)),
        searched - begin,
        recorded - searched,
        packed - recorded,
        sum(map(len, traces)),
        file.stat().st_size,
        page.evaluate("player.ready") / 1000,
        page.evaluate(FRAMES, playing),
        *((times := page.evaluate(JUMPING, jumps))[len(times) // 2], times[-1]),
    )
    page.close()
    return row


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal; what misses a target of the two searches is yellow."""
    drawn = Table()
    for heading in (
        "page",
        "expanded",
        "events",
        "search",
        "record",
        "pack",
        "data",
        "page",
        "ready",
        "fps",
        "jump",
        "at most",
    ):
        drawn.add_column(heading, justify="right" if drawn.columns else "left")
    for row in rows:
        reached = (
            row.page_bytes <= BYTES
            and row.ready_seconds <= READY
            and row.frames >= FPS
            and row.jump_seconds <= JUMP
        )
        drawn.add_row(
            row.name,
            f"{row.expanded:,}",
            f"{row.events:,}",
            *(f"{seconds:.2f} s" for seconds in (row.search_seconds, row.record_seconds, row.pack_seconds)),
            *(f"{size / 1000:,.0f} kB" for size in (row.data_bytes, row.page_bytes)),
            f"{row.ready_seconds:.2f} s",
            f"{row.frames:.0f}",
            *(f"{seconds * 1000:.0f} ms" for seconds in (row.jump_seconds, row.longest_jump_seconds)),
            style="" if reached else "yellow",
        )
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=PLAYING, help="how long each page plays (default 4)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write player.json to")
    chosen = parser.parse_args(arguments)
    rows = list[Row]()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for case in cases():
            rows.append(measure(case, browser, Path(folder), chosen.seconds))
    Console(width=150).print(table(rows))
    keep("player", document(rows), chosen.results)
    return 0
