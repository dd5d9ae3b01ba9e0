"""The travelling salesman problem."""

from collections.abc import Iterable, Iterator
from math import cos, dist, isfinite, pi, sin
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError

Order = tuple[int, ...]
"""The numbers of the cities in the order of the tour, from city 0."""
Place = tuple[float, float]

SHAPES = ("random", "circle")


def places_of(cities: int, shape: str, seed: int) -> list[Place]:
    """Return the places of cities: drawn from a square with sides of 100, or equally spaced on a circle in it."""
    if shape == "circle":
        angles = [2 * pi * number / cities for number in range(cities)]
        return [(50 + 50 * cos(angle), 50 + 50 * sin(angle)) for angle in angles]
    rng = Random(seed)
    return [(rng.random() * 100, rng.random() * 100) for _ in range(cities)]


class Tour(SearchProblem[Order, tuple[int, int]]):
    """A round tour through all cities; a move reverses a part of it (2-opt, Croes 1958).

    The value of a tour is minus its length in the plane. No tour is a goal, unless a length is given that is short
    enough. The shortest tour through points on a circle is the polygon; on others, nothing tells that a tour is the
    shortest.

    Args:
        places: the coordinates of the cities, at least three.
        target: a tour of at most this length is a goal; None: none is.
        start: the tour in which path search begins: all cities from city 0 on; a number: a random tour of this seed.

    """

    def __init__(self, places: Iterable[Place], target: float | None = None, start: Order | int = 0):
        self.places = tuple((float(x), float(y)) for x, y in places)
        self.target = target
        if len(self.places) < 3 or not all(isfinite(x) and isfinite(y) for x, y in self.places):
            raise InvalidOptionError(
                f"a tour needs at least 3 cities with finite coordinates, got {self.places}"
            )
        self.start = self.random_state(Random(start)) if isinstance(start, int) else tuple(start)
        if self.start[0] != 0 or sorted(self.start) != list(range(len(self.places))):
            raise InvalidOptionError(
                f"start={start}: expected the numbers 0 to {len(self.places) - 1}, 0 first, each once"
            )

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
        places = self.places
        here, total = places[state[-1]], 0.0
        for city in state:
            there = places[city]
            total += dist(here, there)
            here = there
        return total

    def random_state(self, rng: Random) -> Order:
        """Return a random tour."""
        others = list(range(1, len(self.places)))
        rng.shuffle(others)
        return (0, *others)

    def crossover(self, one: Order, other: Order, rng: Random) -> Order:
        """Return the first cities of one tour, then the others in the order of the other (order crossover)."""
        kept = one[: rng.randrange(1, len(one) + 1)]
        return kept + tuple(city for city in other if city not in kept)

    def mutate(self, state: Order, rng: Random) -> Order:
        """Return the tour with a random part reversed."""
        return self.random_successor(state, rng)

    def __repr__(self) -> str:
        target = "" if self.target is None else f" target={self.target!r}"
        return f"<Tour of {len(self.places)} cities, start={','.join(map(str, self.start))}{target}>"


def _reversed(state: Order, first: int, last: int) -> Order:
    return state[:first] + state[first : last + 1][::-1] + state[last + 1 :]
