"""Costs and heuristic values of any type: made numbers of Python by whatever reads them, or refused by name."""

from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from searchkit import (
    Certificate,
    Limits,
    SearchProblem,
    available_engines,
    certify,
    compare,
    distance_map,
    k_best,
    optimal_paths,
    problem_from,
    solve,
)
from searchkit.basics.checks import python_number
from searchkit.engines.kit import NUMBERS, checked_cost, checked_heuristic
from searchkit.errors import InvalidProblemError


class Level(IntEnum):
    """An integer with a name."""

    HIGH = 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, 7),
        (0.5, 0.5),
        (Fraction(1, 3), Fraction(1, 3)),
        (True, 1),
        (Level.HIGH, 3),
        (np.uint8(200), 200),
        (np.int64(-1), -1),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float64(0.1), 0.1),
        (np.longdouble(0.5), 0.5),
        (np.bool_(True), 1),
        (np.array(3), 3),
        (np.array([3]), None),
        (np.datetime64("2026-01-01"), None),
        (Decimal("1.5"), None),
        (1j, None),
        ("1", None),
        (None, None),
    ],
    ids=repr,
)
def test_numbers_are_converted_or_refused(value: Any, expected: object) -> None:
    """Real numbers become `int`, `float` or `Fraction` of the same value; nothing else is taken."""
    number = python_number(value)
    assert number == expected
    assert number is None or type(number) in NUMBERS


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            lambda: checked_cost("s", "a", "t", np.array([1])),
            r"cost\('s', 'a', 't'\) is array\(\[1\]\), of type ndarray; expected a finite int",
        ),
        (
            lambda: checked_cost("s", "a", "t", Decimal("1.5")),
            r"is Decimal\('1.5'\), of type Decimal; expected a finite int, float or Fraction ≥ 0",
        ),
        (
            lambda: checked_cost("s", "a", "t", -1),
            "is -1; expected a finite number ≥ 0. Make every cost non-negative",
        ),
        (lambda: checked_cost("s", "a", "t", np.float64("nan")), "nan.*; expected a finite number ≥ 0"),
        (lambda: checked_heuristic("s", -1), r"^heuristic\('s'\) is -1; expected a number ≥ 0"),
        (
            lambda: checked_heuristic("s", "1", "backward_heuristic"),
            r"^backward_heuristic\('s'\) is '1', of type str; expected an int",
        ),
    ],
)
def test_an_invalid_number_is_an_error_that_names_the_call(check: Callable[[], Any], message: str) -> None:
    """The arguments, the value and what was expected; an infinite heuristic value is valid."""
    with pytest.raises(InvalidProblemError, match=message):
        check()
    assert checked_heuristic("s", np.float32("inf")) == float("inf")


class Line(SearchProblem[int, str]):
    """Three steps that cost 100 each, or one if `kind` holds no more; every number is of a kind."""

    def __init__(self, kind: Any, step: Any = 100):
        self.kind, self.step = kind, 1 if kind is np.bool_ else step

    def initial_states(self) -> list[int]:
        return [0]

    def goal_states(self) -> list[int]:
        return [3]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("E", state + 1)] if state < 3 else []

    def predecessors(self, state: int) -> list[tuple[str, int]]:
        return [("E", state - 1)] if state > 0 else []

    def cost(self, state: int, action: str, successor: int) -> Any:
        return self.kind(self.step)

    def heuristic(self, state: int) -> Any:
        return self.kind(self.step * (3 - state)) if self.step * (3 - state) < 250 else self.kind(0)

    def backward_heuristic(self, state: int) -> Any:
        return self.kind(0)


def proof_of(problem: Any, engine: str = "dijkstra") -> Certificate:
    """Return a certificate."""
    certificate = solve(problem, engine, certificate=True).certificate
    assert certificate is not None
    return certificate


READERS: dict[str, Callable[[Any], Any]] = {
    **{
        spec.name: lambda problem, name=spec.name: solve(problem, name).cost  # type: ignore[misc]
        for spec in available_engines().values()
        if spec.costs == "any" and all(isinstance(Line(int), needed) for needed in spec.requires)
    },
    "distance_map": lambda problem: distance_map(problem)[3],
    "k_best": lambda problem: k_best(problem, 2)[0].cost,
    "compare": lambda problem: max(row.result.cost for row in compare(problem) if row.result is not None),
    "optimal_paths": lambda problem: optimal_paths(problem).number * 3 * problem.step,
    "certify": lambda problem: (
        bool(certify(problem, proof_of(Line(int, problem.step), "astar"))) * 3 * problem.step
    ),
}


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32, np.bool_], ids=lambda of: of.__name__)
@pytest.mark.parametrize("reader", READERS)
def test_numbers_of_numpy_do_not_wrap_around(reader: str, kind: Any) -> None:
    """Three costs of 100 in `uint8` are 300, as a number of Python."""
    problem = Line(kind)
    cost = READERS[reader](problem)
    assert cost == 3 * problem.step
    assert type(cost) in (int, float)


@pytest.mark.parametrize("reader", [name for name in READERS if name not in ("certify", "compare")])
def test_an_array_is_no_cost(reader: str) -> None:
    """The error names the call."""
    with pytest.raises(
        InvalidProblemError, match=r"(cost|heuristic)\(.*\) is array.*, of type ndarray; expected a"
    ):
        READERS[reader](Line(lambda number: np.array([number])))


def test_integers_of_numpy_choose_the_bucket_queue() -> None:
    """`auto` reads costs as engines do."""
    line = problem_from([0], lambda x: [("E", x + 1)], lambda x: x == 3, cost=lambda *edge: np.int64(2))
    assert solve(line).engine == "bucket"


def test_a_raster_of_bytes_ends() -> None:
    """The parents of a search formed a circle, and no limit was reached."""
    raster = np.full((3, 5), 100, np.uint8)

    def steps(cell: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        x, y = cell
        near = [("E", (x + 1, y)), ("S", (x, y + 1)), ("W", (x - 1, y)), ("N", (x, y - 1))]
        return [(name, (a, b)) for name, (a, b) in near if 0 <= a < 5 and 0 <= b < 3]

    field = problem_from(
        [(0, 0)], steps, lambda cell: cell == (4, 2), cost=lambda c, a, d: raster[d[1], d[0]]
    )
    assert solve(field).cost == distance_map(field)[4, 2] == 600
    assert optimal_paths(field).number == 15


def test_single_precision_is_added_in_double_precision() -> None:
    """The sum is not that of 24 bits."""
    row = np.full(20_001, 0.1, np.float32)
    exact = float(row[1:].astype(np.float64).sum())
    line = problem_from(
        [0],
        lambda x: [("E", x + 1)] if x < 20_000 else [],
        lambda x: x == 20_000,
        cost=lambda x, action, y: row[y],
    )
    assert solve(line, "dijkstra").cost == pytest.approx(exact, rel=1e-12)
    assert distance_map(line)[20_000] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("cost", [10**400, Fraction(2 * 10**400 + 1, 2)])
def test_a_cost_that_no_float_holds_as_json(cost: int | Fraction) -> None:
    """`to_dict` raised OverflowError."""
    walk = problem_from([0], lambda x: [("E", x + 1)], lambda x: x == 3, cost=lambda x, action, y: cost)
    assert solve(walk).to_dict()["cost"] == round(3 * cost)


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "astar", "idastar", "anytime", "k_best", "greedy"])
def test_costs_of_more_digits_than_python_writes(engine: str) -> None:
    """They are one error, which says what to do: no result could be printed."""
    dear, steps = 10**5000, lambda n: [("+", n + 1)]
    problem = problem_from([0], steps, lambda n: n == 3, lambda *edge: dear, lambda n: max(0, 3 - n) * dear)
    for limit in (2, 99):
        with pytest.raises(InvalidProblemError, match=r"more digits than Python writes.*up to 4,300 digits"):
            solve(problem, engine, limits=Limits(expansions=limit))
