"""Recordings and pictures that pages show: made at each build, never committed.

The line `<!-- recording: NAME -->` is replaced by the player, and `<!-- picture: SOURCE NAME=VALUE … -->` by the
picture of a problem that is solved; `start` shows its start, `tree` the states that were reached first.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from io import StringIO
from pathlib import Path
from runpy import run_path
from typing import Any, NamedTuple

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from searchkit import draw, load, problem_from, record, solve
from searchkit.render.moments import Moments
from searchkit.render.player import page as player
from searchkit.render.scene import to_svg
from searchkit.trace import RecordedReplanner, Recordings, watch
from searchkit_dungeon import grid

MARKER = re.compile(r"^<!-- recording: ([\w-]+) -->$", re.MULTILINE)
PICTURE = re.compile(r"^<!-- (picture|start|tree): (\S+)((?: \w+=\S+)*) -->$", re.MULTILINE)
ROOT = Path(__file__).parents[1]
OPEN = ["S" + "." * 22, *["." * 23] * 5, "." * 22 + "G"]


class Shown(NamedTuple):
    """A recording on a page; its height is in pixels, or 0 for one that plays by itself."""

    title: str
    make: Callable[[], Recordings]
    height: int = 560


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


def lifelong() -> Recordings:
    """Return lifelong planning A* on the room of the page about maps that change: a wall rises, and falls again."""
    page = (ROOT / "docs" / "how-to" / "search-again.md").read_text(encoding="utf-8")
    [drawn] = re.findall(r'MAP = """\\\n(.*?)"""', page, re.DOTALL)
    room: Any = load(StringIO(drawn), "dungeon")
    planner = RecordedReplanner(room)
    for cells in {}, {(22, y): 0 for y in range(4, 8)}, {(22, 4): 1}:
        room = room.with_cells(cells)
        planner.change(room, room.surroundings(cells)) if cells else None
        planner.solve()
    return Recordings([planner.recording("lpastar: the door closes, and another one opens")])


RIVER = ROOT / "docs" / "playground" / "problems" / "river.py"
VAULT = ROOT / "plugins" / "searchkit_keys" / "vaults" / "door_on_shortest_route_deadlock.txt"
RECORDINGS: Mapping[str, Shown] = {
    "home": Shown("Dijkstra's algorithm and A*", lambda: watch(load("crypt"), "dijkstra", "astar"), height=0),
    "river": Shown("The river, breadth first", lambda: watch(run_path(str(RIVER))["River"](), "bfs")),
    "reopening": Shown("A* expands C twice", reopening),
    "ties": Shown(
        "A* with two policies for ties",
        lambda: watch(grid(OPEN), ("astar", {"ties": "high-g"}), ("astar", {"ties": "fifo"})),
        height=860,
    ),
    "corridor": Shown(
        "A corridor that widens",
        lambda: watch(load("skerries"), ("corridor", {"radius": 0, "variant": "optimal"}), "bfs"),
        height=860,
    ),
    "bidirectional": Shown(
        "From both ends, and from the start",
        lambda: watch(load("maze"), "bidirectional", "dijkstra"),
        height=860,
    ),
    "lifelong": Shown("Lifelong planning A*, and two changes", lifelong),
    "deadlock": Shown(
        "A door whose key lies behind it", lambda: watch(load(VAULT, contracted="false"), "astar")
    ),
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page of the player for each recording into `recordings/` (called by MkDocs)."""
    for name, shown in RECORDINGS.items():
        content = player(shown.make(), title=shown.title)
        files.append(File.generated(config, f"recordings/{name}.html", content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put players and pictures in their places (called by MkDocs)."""
    markdown = MARKER.sub(lambda found: frame(found[1], page.url), markdown)
    return PICTURE.sub(lambda found: image(*found.groups()), markdown)


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


SHOWN = {"picture": "solved", "start": "before the search", "tree": "the search tree"}


def image(shown: str, source: str, options: str = "") -> str:
    """Return the HTML that shows a picture of a problem; the picture is part of the page."""
    given: dict[str, Any] = {name: value for name, _, value in (o.partition("=") for o in options.split())}
    engine = given.pop("engine", "auto")
    problem = load(source, **given)
    if shown == "tree":
        moments = Moments(record(problem, engine))
        svg = to_svg(moments.go(len(moments)).scene())
    else:
        svg = draw(problem, solve(problem, engine) if shown == "picture" else None).svg()
    data = b64encode(svg.encode()).decode("ascii")
    return f'<img alt="{escape(source)}, {SHOWN[shown]}" src="data:image/svg+xml;base64,{data}">'
