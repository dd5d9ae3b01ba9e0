"""The places of a graph whose nodes have coordinates."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from searchkit.plugin import Cell, Drawing, Mark, Places, Route
from searchkit_graph.network import Plane
from searchkit_graph.problem import ExplicitGraph

MOST_NODES = 60
"""Larger graphs have no ground, since the drawing would be illegible."""
WIDTH, HEIGHT = 79, 24
"""The numbers of columns, with those for names at the right, and of rows."""
ASPECT = 2
"""The height of a character divided by its width."""
BLANK, EDGE, PATH, NODE, EXPANDED, ON_PATH, START, GOAL = " \x01\x02\x03\x04\x05\x06\x07"
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
LETTER_COLOUR = "#d7dae0"


def places(problem: ExplicitGraph) -> Places[Any]:
    """Return the places: names as labels, coordinates as positions, and for a small graph a ground, with y upwards."""
    network, number = problem.network, problem.network.number
    plane = network.plane
    if plane is None:
        return Places(None, cells=lambda name: ())
    xs, ys = plane

    def position(name: Any) -> tuple[float, float]:
        return xs[number(name)], ys[number(name)]

    if len(network.names) > MOST_NODES:
        return Places(None, cells=lambda name: (), position=position)
    names = [str(name) for name in network.names]
    longest = min(max(map(len, names)), WIDTH // 2)
    points = _points(plane, WIDTH - 1 - longest)
    ground = _ground(problem, names, longest, points)
    nodes = frozenset(points)
    walked = {EDGE: PATH, BLANK: PATH, NODE: ON_PATH}

    def routes(path: Sequence[Any]) -> list[Route]:
        """Return the walk along the edges, which leaves out nodes that an edge only passes."""
        stops = [points[number(name)] for name in path]
        cells = stops[:1]
        for one, other in pairwise(stops):
            cells += [point for point in _line(one, other) if point not in nodes]
            cells.append(other)
        return [Route(cells, walked)]

    return Places(
        ground,
        cells=lambda name: (points[number(name)],),
        expanded={NODE: EXPANDED},
        routes=routes,
        position=position,
    )


def _ground(problem: ExplicitGraph, names: Sequence[str], longest: int, points: Sequence[Cell]) -> Drawing:
    """Return the drawing of the nodes, at most `longest` letters of their names, and the edges."""
    wide, high = max(x for x, _ in points) + 1, max(y for _, y in points) + 1
    raster = [[BLANK] * (wide + 1 + longest) for _ in range(high)]
    for tail, head in zip(problem.network.tails, problem.network.heads, strict=True):
        for x, y in _line(points[tail], points[head]):
            raster[y][x] = EDGE
    for number, (x, y) in enumerate(points):
        for place, letter in enumerate(names[number][:longest], x + 1):
            if letter.isprintable() and raster[y][place] in (BLANK, EDGE):
                raster[y][place] = letter
    kinds = dict.fromkeys(range(len(points)), NODE)
    for key, nodes in ((START, problem.starts), (GOAL, problem.goals)):
        kinds.update((problem.network.number(node), key) for node in nodes)
    for number, (x, y) in enumerate(points):
        raster[y][x] = kinds[number]
    rows = tuple("".join(row) for row in raster)
    letters = set().union(*rows) - MARKS.keys()
    return Drawing(rows, MARKS | {letter: Mark(letter, LETTER_COLOUR) for letter in letters})


def _points(plane: Plane, wide: int) -> list[Cell]:
    """Return the column and the row of each node, scaled to the drawing without distortion."""
    xs, ys = plane
    left, top = min(xs), max(ys)
    across, down = max(xs) - left, top - min(ys)
    scale = min((wide - 1) / (across or 1e-300), ASPECT * (HEIGHT - 1) / (down or 1e-300))
    return [
        (round((x - left) * scale), round((top - y) * scale / ASPECT)) for x, y in zip(xs, ys, strict=True)
    ]


def _line(one: Cell, other: Cell) -> Iterator[Cell]:
    """Yield the points on a line, its ends included."""
    steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]), 1)
    for step in range(steps + 1):
        yield (
            round(one[0] + (other[0] - one[0]) * step / steps),
            round(one[1] + (other[1] - one[1]) * step / steps),
        )
