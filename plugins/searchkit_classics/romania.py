"""The roads of Romania."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist

from searchkit import SearchProblem
from searchkit.plugin import Cell, Drawing, Example, Mark, Places, ProblemSpec, Route, option, with_options

ROADS = """\
Arad Zerind 75, Arad Timisoara 118, Arad Sibiu 140, Zerind Oradea 71, Oradea Sibiu 151, Timisoara Lugoj 111,
Lugoj Mehadia 70, Mehadia Drobeta 75, Drobeta Craiova 120, Craiova Rimnicu 146, Craiova Pitesti 138, Rimnicu Sibiu 80,
Rimnicu Pitesti 97, Sibiu Fagaras 99, Fagaras Bucharest 211, Pitesti Bucharest 101, Bucharest Giurgiu 90,
Bucharest Urziceni 85, Urziceni Hirsova 98, Hirsova Eforie 86, Urziceni Vaslui 142, Vaslui Iasi 92, Iasi Neamt 87"""
PLACES = """\
Arad 91 492, Bucharest 400 327, Craiova 253 288, Drobeta 165 299, Eforie 562 293, Fagaras 305 449, Giurgiu 375 270,
Hirsova 534 350, Iasi 473 506, Lugoj 165 379, Mehadia 168 339, Neamt 406 537, Oradea 131 571, Pitesti 320 368,
Rimnicu 233 410, Sibiu 207 457, Timisoara 94 410, Urziceni 456 350, Vaslui 509 444, Zerind 108 531"""
TO_BUCHAREST = """\
Arad 366, Bucharest 0, Craiova 160, Drobeta 242, Eforie 161, Fagaras 176, Giurgiu 77, Hirsova 151, Iasi 226, Lugoj 244,
Mehadia 241, Neamt 234, Oradea 380, Pitesti 100, Rimnicu 193, Sibiu 253, Timisoara 329, Urziceni 80, Vaslui 199,
Zerind 374"""


def rows(text: str) -> list[list[str]]:
    """Return the words of each entry of a list that is separated by commas."""
    return [entry.split() for entry in text.split(",")]


LENGTHS = {(one, other): int(length) for one, other, length in rows(ROADS)}
LENGTHS |= {(other, one): length for (one, other), length in LENGTHS.items()}
NEXT: dict[str, list[str]] = {}
for town, other in LENGTHS:
    NEXT.setdefault(town, []).append(other)
TOWNS = {town: (int(x), int(y)) for town, x, y in rows(PLACES)}
"""Town → where it is on the map: x to the right, y up."""
STRAIGHT = {town: int(length) for town, length in rows(TO_BUCHAREST)}


@with_options
class Romania(SearchProblem[str, str]):
    """Drive from one town of Romania to another on the shortest way (Russell and Norvig, "Artificial Intelligence").

    A state is a town. An action is the name of the next town, and costs the kilometres of the road. The heuristic
    `straight-line` is the table of the book for Bucharest; for other goals, and as `map`, the distance is measured on
    the map, which is a smaller scale: `map` is weaker.
    """

    start: str = option("the town to start from", default="Arad", choices=TOWNS)
    goal: str = option("the town to drive to", default="Bucharest", choices=TOWNS)
    heuristic_name: str = option(
        "straight-line, the table of the book; map, measured on the map; zero",
        default="straight-line",
        choices=("straight-line", "map", "zero"),
        alias="heuristic",
    )

    def initial_states(self) -> Iterable[str]:
        """Return the start."""
        return [self.start]

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        """Return the next towns."""
        return [(other, other) for other in NEXT[state]]

    def is_goal(self, state: str) -> bool:
        """Whether this is the goal."""
        return state == self.goal

    def cost(self, state: str, action: str, successor: str) -> int:
        """Return the length of the road."""
        return LENGTHS[state, successor]

    def heuristic(self, state: str) -> int:
        """Return the length of the straight line to the goal, in whole kilometres."""
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "straight-line" and self.goal == "Bucharest":
            return STRAIGHT[state]
        return int(dist(TOWNS[state], TOWNS[self.goal]))


LETTER, BLANK = "#d7dae0", Mark(" ", "#1b1f27")
PLACE, ROAD, WALKED, EXPANDED, ON_PATH, START, GOAL = "\x01\x02\x03\x04\x05\x06\x07"
MARKS = {
    " ": BLANK,
    ROAD: Mark("·", "#5c6370", "road"),
    WALKED: Mark("•", "#ffd23f", "path", rank=3),
    PLACE: Mark("○", "#9aa3b2", "town", rank=2),
    EXPANDED: Mark("◎", "#2f74c0", "expanded", rank=2),
    ON_PATH: Mark("●", "#ffd23f", rank=3),
    START: Mark("S", "#3ddc84", "start", rank=4),
    GOAL: Mark("G", "#ff5c7a", "goal", rank=4),
}
"""Keys of the map; names and lengths have their letters as keys."""
WEST, NORTH, SCALE = 91, 571, 7
"""The coordinates of the upper left corner, and those of a column; a row is twice as high."""


def places(problem: Romania) -> Places[str]:
    """Return the map with the names of the towns and the lengths of the roads."""
    points = {
        town: (round((x - WEST) / SCALE), round((NORTH - y) / SCALE / 2)) for town, (x, y) in TOWNS.items()
    }
    canvas: dict[Cell, str] = {}

    def write(at: Cell, text: str) -> None:
        canvas.update({(at[0] + place, at[1]): letter for place, letter in enumerate(text)})

    for one, other in LENGTHS:
        canvas.update(dict.fromkeys(between(points[one], points[other]), ROAD))
    for (one, other), length in LENGTHS.items():
        if one < other:
            line = list(between(points[one], points[other]))
            write(line[len(line) // 2], str(length))
    for town, (x, y) in points.items():
        write((x + 1, y), town)
    canvas.update({points[town]: PLACE for town in TOWNS} | {points[problem.start]: START})
    canvas[points[problem.goal]] = GOAL
    width, height = (1 + max(cell[axis] for cell in canvas) for axis in (0, 1))
    ground = ["".join(canvas.get((x, y), " ") for x in range(width)) for y in range(height)]
    letters = {key: Mark(key, LETTER) for row in ground for key in row if key not in MARKS}

    def routes(path: Sequence[str]) -> list[Route]:
        cells = [points[path[0]]]
        for one, other in pairwise(path):
            cells += [*between(points[one], points[other]), points[other]]
        return [Route(cells, {ROAD: WALKED, PLACE: ON_PATH})]

    return Places(
        Drawing(ground, MARKS | letters),
        cells=lambda town: (points[town],),
        expanded={PLACE: EXPANDED},
        routes=routes,
        position=lambda town: TOWNS[town],
    )


def between(one: Cell, other: Cell) -> Iterator[Cell]:
    """Yield the cells of a line without its ends, the same in both directions."""
    (left, top), (right, bottom) = min(one, other), max(one, other)
    steps = max(right - left, abs(bottom - top))
    for step in range(1, steps):
        yield round(left + (right - left) * step / steps), round(top + (bottom - top) * step / steps)


SPEC = ProblemSpec(
    "romania",
    "the shortest way between two towns of Romania: Arad to Bucharest, 418 km",
    Romania,
    group="Routes",
    examples=(
        Example(
            "iasi",
            None,
            "Timisoara to Iasi: across the whole map",
            {"start": "Timisoara", "goal": "Iasi"},
        ),
    ),
    small={},
    places=places,
)
