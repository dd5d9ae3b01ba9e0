"""Recordings that pages show: made at each build, one page of the player for each, never committed.

A page has the line `<!-- recording: NAME -->`; the player stands there in the built documentation.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from io import StringIO
from pathlib import Path
from runpy import run_path
from typing import Any

from attrs import frozen
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from searchkit import load, problem_from
from searchkit.render.player import page as player
from searchkit.trace import RecordedReplanner, Recordings, watch

MARKER = re.compile(r"^<!-- recording: ([\w-]+) -->$", re.MULTILINE)
VAULTS = Path(__file__).parents[1] / "plugins" / "searchkit_keys" / "vaults"

PROBLEMS = Path(__file__).parent / "playground" / "problems"
"""The problems that the playground offers to edit."""
OPEN = """\
#########################
#S......................#
#.......................#
#.......................#
#.......................#
#.......................#
#.......................#
#......................G#
#########################
"""


@frozen
class Shown:
    """A recording on a page."""

    title: str
    make: Callable[[], Recordings]
    height: int = 560
    """Of the player, in pixels; 0 for one that plays by itself and has its size in `site.css`."""


def river() -> Recordings:
    """Return breadth-first search on the problem of the first tutorial. A state has the initials on both banks."""
    return watch(run_path(str(PROBLEMS / "river.py"))["River"](), "bfs")


def home() -> Recordings:
    """Return two searches of the map that `searchkit demo` solves."""
    return watch(load("crypt"), "dijkstra", "astar")


def reopening() -> Recordings:
    """Return A* on the counterexample of the page about reopening."""
    roads: dict[str, dict[str, Any]] = {
        "S": {"B": 2, "C": Fraction(7, 2)},
        "B": {"C": 1},
        "C": {"G": 3},
        "G": {},
    }
    problem = problem_from(
        ["S"],
        lambda town: [(to, to) for to in roads[town]],
        lambda town: town == "G",
        cost=lambda town, road, to: roads[town][to],
        heuristic=lambda town: 4 if town == "B" else 0,
    )
    return watch(problem, "astar")


def ties() -> Recordings:
    """Return A* with two policies on an open map, where many states have the same f."""
    return watch(load(StringIO(OPEN), "dungeon"), ("astar", {"ties": "high-g"}), ("astar", {"ties": "fifo"}))


def corridor() -> Recordings:
    """Return a corridor that has to widen, beside breadth-first search."""
    return watch(load("skerries"), ("corridor", {"radius": 0, "variant": "optimal"}), "bfs")


def bidirectional() -> Recordings:
    """Return a search from both ends beside one from the start."""
    return watch(load("maze"), "bidirectional", "dijkstra")


def deadlock() -> Recordings:
    """Return a vault whose shortest way needs a key that lies behind its own door."""
    vault = load(VAULTS / "door_on_shortest_route_deadlock.txt", contracted="false")
    return watch(vault, "astar")


def lifelong() -> Recordings:
    """Return lifelong planning A* on the room of the page about maps that change: a wall rises, and falls again."""
    page = (Path(__file__).parent / "how-to" / "search-again.md").read_text(encoding="utf-8")
    [drawn] = re.findall(r'MAP = """\\\n(.*?)"""', page, re.DOTALL)
    grid: Any = load(StringIO(drawn), "dungeon")
    planner = RecordedReplanner(grid)
    planner.solve()
    for weight in (0, 1):
        cells = {(22, y): weight for y in range(4, 8)} if weight == 0 else {(22, 4): 1}
        changed = planner.problem.with_cells(cells)  # type: ignore[attr-defined]
        planner.change(changed, changed.surroundings(cells))
        planner.solve()
    return Recordings([planner.recording("lpastar: the door closes, and another one opens")])


RECORDINGS: Mapping[str, Shown] = {
    "home": Shown("Dijkstra's algorithm and A*", home, height=0),
    "river": Shown("The river, breadth first", river),
    "reopening": Shown("A* expands C twice", reopening),
    "ties": Shown("A* with two policies for ties", ties, height=860),
    "corridor": Shown("A corridor that widens", corridor, height=860),
    "bidirectional": Shown("From both ends, and from the start", bidirectional, height=860),
    "lifelong": Shown("Lifelong planning A*, and two changes", lifelong),
    "deadlock": Shown("A door whose key lies behind it", deadlock),
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page of the player for each recording into `recordings/` (called by MkDocs)."""
    for name, shown in RECORDINGS.items():
        content = player(shown.make(), title=shown.title)
        files.append(File.generated(config, f"recordings/{name}.html", content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the players in their places (called by MkDocs)."""
    return MARKER.sub(lambda found: frame(found[1], page.url), markdown)


def frame(name: str, url: str) -> str:
    """Return the HTML that shows a recording on the page with this address. The player's page can read nothing else."""
    shown = RECORDINGS[name]
    address, title = get_relative_url(f"recordings/{name}.html", url), escape(shown.title)
    if not shown.height:
        return f'<iframe class="demo" name="demo" title="{title}" src="{address}" sandbox="allow-scripts"></iframe>'
    return (
        f'<iframe title="{title}" src="{address}" sandbox="allow-scripts" loading="lazy" '
        f'style="width:100%;height:{shown.height}px;border:1px solid #8888;border-radius:4px"></iframe>\n'
        f'<small><a href="{address}">{title}</a> on a page of its own</small>'
    )
