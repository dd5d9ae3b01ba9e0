"""What the plugin registers: both problems, made from options."""

from typing import Any

from searchkit.plugin import Example, Parameter, ProblemSpec, Written, imported_late
from searchkit_local.methods.options import whole
from searchkit_local.problems.looks import queens_places, tour_places
from searchkit_local.problems.queens import Board, CompleteQueens
from searchkit_local.problems.tour import SHAPES, Order, Place, Tour, places_of

GROUP = "Local search"
BOARDS = imported_late("searchkit_local.problems.strategies", "boards")
TOURS = imported_late("searchkit_local.problems.strategies", "tours")


def _length(value: Any) -> float | None:
    return None if value is None or value == "none" else float(value)


def _numbers(value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    try:
        return tuple(map(int, value.split(",") if isinstance(value, str) else value))
    except ValueError as error:
        raise ValueError("expected whole numbers such as 0,2,1") from error


def _places(value: Any) -> tuple[Place, ...] | None:
    if value is None:
        return None
    parts = [part.split(",") for part in value.split(";")] if isinstance(value, str) else value
    try:
        return tuple((float(x), float(y)) for x, y in parts)
    except (TypeError, ValueError) as error:
        raise ValueError("expected coordinates such as 0,0;3,1;2,5") from error


def make_queens(n: int = 8, rows: Board | None = None, seed: int = 0) -> CompleteQueens:
    """Return queens in given rows; without these, n queens in random rows."""
    return CompleteQueens(n, seed) if rows is None else CompleteQueens(len(rows), rows)


def make_tour(
    cities: int = 25,
    shape: str = "random",
    places: tuple[Place, ...] | None = None,
    order: Order | None = None,
    seed: int = 0,
    target: float | None = None,
) -> Tour:
    """Return a tour through cities at given places; without these, places that are drawn or lie on a circle."""
    where = places_of(cities, shape, seed) if places is None else places
    return Tour(where, target, seed if order is None else order)


def write_queens(problem: CompleteQueens) -> Written | None:
    """Return the options from which a board is made; None for a subclass."""
    if type(problem) is not CompleteQueens:
        return None
    return Written("complete_queens", "", {"rows": ",".join(map(str, problem.start))})


def write_tour(problem: Tour) -> Written | None:
    """Return the options from which a tour is made; None for a subclass."""
    if type(problem) is not Tour:
        return None
    options: dict[str, object] = {
        "places": ";".join(f"{x!r},{y!r}" for x, y in problem.places),
        "order": ",".join(map(str, problem.start)),
    }
    return Written("tour", "", options | ({} if problem.target is None else {"target": problem.target}))


QUEENS = ProblemSpec(
    name="complete_queens",
    summary="n queens, one in each column from the beginning; a move puts one into another row",
    factory=CompleteQueens,
    group=GROUP,
    parameters=(
        Parameter("n", "the number of queens", default=8, convert=whole(1)),
        Parameter(
            "rows", "the row of the queen of each column, such as 1,3,0,2 (default: random)", convert=_numbers
        ),
        Parameter("seed", "the seed of the rows, if they are random", default=0, convert=whole(0)),
    ),
    examples=(Example("eight_queens", None, "eight queens in random rows"),),
    instance=make_queens,
    strategy=BOARDS,
    strategies={"complete_queens": BOARDS},
    always_solvable=True,
    places=queens_places,
    write=write_queens,
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
        Parameter(
            "places",
            "the coordinates of the cities, such as 0,0;3,1;2,5 (default: by shape)",
            convert=_places,
        ),
        Parameter(
            "order", "the tour in which path search begins, such as 0,2,1 (default: random)", convert=_numbers
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
            "circle",
            None,
            "eight cities on a circle: the polygon is the shortest tour",
            {"cities": 8, "shape": "circle", "target": 306.15},
        ),
    ),
    instance=make_tour,
    strategy=TOURS,
    strategies={"tours": TOURS},
    places=tour_places,
    write=write_tour,
)

SPECS = (QUEENS, TOUR)
