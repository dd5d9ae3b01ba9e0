"""The travelling salesman problem."""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from math import cos, dist, isfinite, pi, sin
from random import Random
from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import (
    Cell,
    Example,
    InvalidOptionError,
    Mark,
    Places,
    ProblemSpec,
    option,
    picture,
    with_options,
)
from searchkit_local.problem import GROUP

Order = tuple[int, ...]
"""The numbers of the cities in the order of the tour, from city 0."""
Place = tuple[float, float]
MAP = {
    " ": Mark(" ", "#14171c"),
    "o": Mark("●", "#ffb000", "city", rank=3),
    "0": Mark("◆", "#3ddc84", "first city", rank=4),
    "~": Mark("·", "#5aa9e6", "tour", rank=2),
}
WIDTH = 61
"""The cells in a row of a map with cities, which are twice as high as wide."""


def _places(value: Any) -> tuple[Place, ...]:
    parts = [part.split(",") for part in value.split(";")] if isinstance(value, str) else value
    try:
        return tuple((float(x), float(y)) for x, y in parts)
    except (TypeError, ValueError) as error:
        raise ValueError("expected coordinates such as 0,0;3,1;2,5") from error


@with_options
class Tour(SearchProblem[Order, tuple[int, int]]):
    """A round tour through all cities; a move reverses a part of it (2-opt, Croes 1958).

    The value of a tour is minus its length in the plane. No tour is a goal, unless a length is given that is short
    enough. The shortest tour through points on a circle is the polygon; on others, nothing tells that a tour is the
    shortest.
    """

    cities: int = option("the number of cities, if no places are given", default=25, least=3, most=10_000)
    shape: str = option(
        "where they are: random places, or equally spaced on a circle",
        default="random",
        choices=("random", "circle"),
    )
    places: tuple[Place, ...] | None = option(
        "the coordinates of the cities, such as 0,0;3,1;2,5", default=None, convert=_places
    )
    seed: int = option("the seed of the places and of the first tour", default=0, least=0)
    target: float | None = option("a tour of at most this length is a goal", default=None, convert=float)

    def __attrs_post_init__(self) -> None:
        if len(self.sites) < 3 or not all(isfinite(x) and isfinite(y) for x, y in self.sites):
            raise InvalidOptionError(
                f"places={self.places}: expected at least 3 cities with finite coordinates"
            )

    @cached_property
    def sites(self) -> tuple[Place, ...]:
        """The coordinates of the cities."""
        if self.places is not None:
            return self.places
        if self.shape == "circle":
            angles = [2 * pi * number / self.cities for number in range(self.cities)]
            return tuple((50 + 50 * cos(angle), 50 + 50 * sin(angle)) for angle in angles)
        rng = Random(self.seed)
        return tuple((rng.random() * 100, rng.random() * 100) for _ in range(self.cities))

    @cached_property
    def start(self) -> Order:
        """The tour in which path search begins."""
        return self.random_state(Random(self.seed))

    def initial_states(self) -> tuple[Order]:
        """Return the start tour."""
        return (self.start,)

    def is_goal(self, state: Order) -> bool:
        """Whether the tour is at most as long as the target."""
        return self.target is not None and self.length(state) <= self.target

    def successors(self, state: Order) -> Iterator[tuple[tuple[int, int], Order]]:
        """Yield ((first, last), tour) for each part whose reversal gives another tour; city 0 stays first."""
        count = len(state)
        for first in range(1, count - 1):
            for last in range(first + 1, count):
                yield (first, last), _reversed(state, first, last)

    def random_successor(self, state: Order, rng: Random) -> Order:
        """Return the tour with a random part reversed."""
        first, last = sorted(rng.sample(range(1, len(state)), 2))
        return _reversed(state, first, last)

    def value(self, state: Order) -> float:
        """Return minus the length."""
        return -self.length(state)

    def length(self, state: Order) -> float:
        """Return the length of a tour, the way back to its first city included."""
        sites = self.sites
        here, total = sites[state[-1]], 0.0
        for city in state:
            there = sites[city]
            total += dist(here, there)
            here = there
        return total

    def random_state(self, rng: Random) -> Order:
        """Return a random tour."""
        others = list(range(1, len(self.sites)))
        rng.shuffle(others)
        return (0, *others)

    def crossover(self, one: Order, other: Order, rng: Random) -> Order:
        """Return the first cities of one tour, then the others in the order of the other (order crossover)."""
        kept = one[: rng.randrange(1, len(one) + 1)]
        return kept + tuple(city for city in other if city not in kept)

    mutate = random_successor


def _reversed(state: Order, first: int, last: int) -> Order:
    return state[:first] + state[first : last + 1][::-1] + state[last + 1 :]


def places(problem: Tour) -> Places[Order]:
    """Return the places of a tour: cities on a map, and straight lines between them. The ground is the start."""
    columns, rows = ([place[axis] for place in problem.sites] for axis in (0, 1))
    left, top = min(columns), max(rows)
    scale = (WIDTH - 1) / (max(max(columns) - left, top - min(rows)) or 1)
    cities = [(round((x - left) * scale), round((top - y) * scale / 2)) for x, y in problem.sites]
    height = max(y for _, y in cities) + 1

    def rows_of(state: Order) -> list[str]:
        raster = [[" "] * WIDTH for _ in range(height)]
        for one, other in pairwise(cities[city] for city in (*state, state[0])):
            for x, y in line(one, other):
                raster[y][x] = "~"
        for city in reversed(range(len(cities))):
            x, y = cities[city]
            raster[y][x] = "o" if city else "0"
        return ["".join(row) for row in raster]

    return picture(rows_of, problem.start, MAP, lambda state: "-".join(map(str, state)))


def line(one: Cell, other: Cell) -> list[Cell]:
    """Return the cells of a straight line, both ends included."""
    across, down = other[0] - one[0], other[1] - one[1]
    count = max(abs(across), abs(down), 1)
    steps = range(count + 1)
    return [(one[0] + round(across * step / count), one[1] + round(down * step / count)) for step in steps]


SPEC = ProblemSpec(
    "tour",
    "the travelling salesman: a short round tour through all cities",
    Tour,
    group=GROUP,
    examples=(
        Example(
            "circle",
            None,
            "eight cities on a circle: the polygon is the shortest tour",
            {"cities": 8, "shape": "circle", "target": 306.15},
        ),
    ),
    small={"cities": (5, 6), "seed": range(8), "target": (300.0, 250.0, 200.0, None)},
    places=places,
)
