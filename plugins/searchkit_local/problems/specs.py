"""What the plugin registers: both problems, made from options."""

from typing import Any

from searchkit.plugin import Example, Parameter, ProblemSpec, imported_late
from searchkit_local.methods.options import whole
from searchkit_local.problems.queens import CompleteQueens
from searchkit_local.problems.tour import SHAPES, Tour, places_of

GROUP = "local search"


def _length(value: Any) -> float | None:
    return None if value is None or value == "none" else float(value)


def make_queens(n: int, seed: int) -> CompleteQueens:
    """Return n queens in random rows."""
    return CompleteQueens(n, seed)


def make_tour(cities: int, shape: str, seed: int, target: float | None) -> Tour:
    """Return a tour through cities that are drawn from the seed, or on a circle."""
    return Tour(places_of(cities, shape, seed), target, seed)


QUEENS = ProblemSpec(
    name="complete_queens",
    summary="n queens, one in each column from the beginning; a move puts one into another row",
    factory=CompleteQueens,
    group=GROUP,
    parameters=(
        Parameter("n", "the number of queens", default=8, convert=whole(1)),
        Parameter("seed", "the seed of the rows in which they begin", default=0, convert=whole(0)),
    ),
    instance=make_queens,
    strategy=imported_late("searchkit_local.problems.strategies", "boards"),
    strategies={"complete_queens": imported_late("searchkit_local.problems.strategies", "boards")},
    always_solvable=True,
)

TOUR = ProblemSpec(
    name="tour",
    summary="the travelling salesman: a short round tour through all cities",
    factory=Tour,
    group=GROUP,
    parameters=(
        Parameter("cities", "the number of cities", default=25, convert=whole(3)),
        Parameter(
            "shape",
            "where they are: random places, or equally spaced on a circle",
            default="random",
            choices=SHAPES,
        ),
        Parameter("seed", "the seed of the places and of the first tour", default=0, convert=whole(0)),
        Parameter(
            "target",
            "a tour of at most this length is a goal (default: none is)",
            default=None,
            convert=_length,
        ),
    ),
    examples=(
        Example(
            "circle", None, "25 cities on a circle: the polygon is the shortest tour", {"shape": "circle"}
        ),
    ),
    instance=make_tour,
)

SPECS = (QUEENS, TOUR)
