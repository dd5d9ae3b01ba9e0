"""Drawing a small graph whose nodes have coordinates, a path and the expanded nodes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from searchkit.plugin import Drawing, Mark
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.straight_line import Plane

MOST_NODES = 60
"""Larger graphs are not drawn, since the drawing would be illegible."""
WIDTH, HEIGHT = 79, 24
"""The numbers of columns, with those for names at the right, and of rows."""
ASPECT = 2
"""The height of a character divided by its width."""
BLANK, EDGE, PATH, NODE, EXPANDED, ON_PATH, START, GOAL = (
    " ",
    "\x01",
    "\x02",
    "\x03",
    "\x04",
    "\x05",
    "\x06",
    "\x07",
)
"""Keys of the raster; the keys of names are their letters."""
MARKS = {
    BLANK: Mark(" ", "#1b1f27"),
    EDGE: Mark("·", "#5c6370", "edge"),
    PATH: Mark("•", "#ffd23f", "path", rank=3),
    NODE: Mark("○", "#9aa3b2", "node", rank=2),
    EXPANDED: Mark("◎", "#2f74c0", "expanded", rank=2),
    ON_PATH: Mark("●", "#ffd23f", rank=3),
    START: Mark("S", "#3ddc84", "start", rank=4),
    GOAL: Mark("G", "#ff5c7a", "goal", rank=4),
}
Point = tuple[int, int]


def draw(problem: ExplicitGraph, path: Sequence[Any], expanded: Iterable[Any]) -> Drawing | None:
    """Return the drawing, with y upwards; None if the graph has no coordinates or too many nodes."""
    plane = problem.plane
    if plane is None or not 0 < len(problem.names) <= MOST_NODES:
        return None
    names = [str(name) for name in problem.names]
    longest = min(max(map(len, names)), WIDTH // 2)
    points = _points(plane, WIDTH - 1 - longest)
    wide, high = max(x for x, _ in points) + 1, max(y for _, y in points) + 1
    raster = [[BLANK] * (wide + 1 + longest) for _ in range(high)]

    def mark(pairs: Iterable[Point], key: str) -> None:
        for one, other in pairs:
            for x, y in _line(points[one], points[other]):
                raster[y][x] = key

    mark(zip(problem.rows.tails(), problem.rows.heads, strict=True), EDGE)
    mark(pairwise(map(problem.number, path)), PATH)
    for number, (x, y) in enumerate(points):
        for place, letter in enumerate(names[number][:longest], x + 1):
            if letter.isprintable() and raster[y][place] in (BLANK, EDGE):
                raster[y][place] = letter
    kinds = dict.fromkeys(range(len(points)), NODE)
    for key, nodes in ((EXPANDED, expanded), (ON_PATH, path), (START, problem.starts), (GOAL, problem.goals)):
        kinds.update((problem.number(node), key) for node in nodes)
    for number, (x, y) in enumerate(points):
        raster[y][x] = kinds[number]
    rows = tuple("".join(row) for row in raster)
    used = set().union(*rows)
    return Drawing(rows, {key: MARKS.get(key) or Mark(key, "#d7dae0") for key in used})


def _points(plane: Plane, wide: int) -> list[Point]:
    """Return the column and the row of each node, scaled to the drawing without distortion."""
    left, top = min(plane.xs), max(plane.ys)
    across, down = max(plane.xs) - left, top - min(plane.ys)
    scale = min((wide - 1) / (across or 1e-300), ASPECT * (HEIGHT - 1) / (down or 1e-300))
    if across == down == 0:
        scale = 0.0
    return [
        (round((x - left) * scale), round((top - y) * scale / ASPECT))
        for x, y in zip(plane.xs, plane.ys, strict=True)
    ]


def _line(one: Point, other: Point) -> Iterator[Point]:
    """Yield the points on a line, its ends included."""
    steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]), 1)
    for step in range(steps + 1):
        yield (
            round(one[0] + (other[0] - one[0]) * step / steps),
            round(one[1] + (other[1] - one[1]) * step / steps),
        )
