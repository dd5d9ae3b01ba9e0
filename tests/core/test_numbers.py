"""Costs and heuristic values of any type: made numbers of Python, or refused by an error that names the call."""

from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from searchkit import problem_from, solve
from searchkit.basics.checks import NUMBERS, checked_cost, checked_heuristic, python_number, step_costs
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


def test_sums_of_converted_numbers_do_not_wrap_around() -> None:
    """Three `uint8` costs of 100 are 300."""
    row = np.full(4, 100, dtype=np.uint8)
    line = problem_from([0], lambda x: [("E", x + 1)], lambda x: x == 3, cost=lambda x, a, y: row[y])
    costs = step_costs(line, (0, 1, 2, 3), ("E", "E", "E"))
    assert (sum(costs), {type(cost) for cost in costs}) == (300, {int})


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (np.array([1]), r"cost\('s', 'a', 't'\) is array\(\[1\]\), of type ndarray; expected a finite int"),
        (
            Decimal("1.5"),
            r"is Decimal\('1.5'\), of type Decimal; expected a finite int, float or Fraction ≥ 0",
        ),
        (-1, "is -1; expected a finite number ≥ 0. Make every cost non-negative"),
        (np.float64("nan"), "nan.*; expected a finite number ≥ 0"),
    ],
    ids=repr,
)
def test_an_invalid_cost_is_an_error_that_names_the_call(cost: object, message: str) -> None:
    """The arguments, the value and what was expected."""
    with pytest.raises(InvalidProblemError, match=message):
        checked_cost("s", "a", "t", cost)


def test_an_invalid_heuristic_value_is_an_error_that_names_the_call() -> None:
    """As for costs; infinity is valid, and another member can be named."""
    assert checked_heuristic("s", np.float32("inf")) == float("inf")
    with pytest.raises(InvalidProblemError, match=r"^heuristic\('s'\) is -1; expected a number ≥ 0"):
        checked_heuristic("s", -1)
    with pytest.raises(
        InvalidProblemError, match=r"^backward_heuristic\('s'\) is '1', of type str; expected an int"
    ):
        checked_heuristic("s", "1", "backward_heuristic")


def test_integers_of_numpy_choose_the_bucket_queue() -> None:
    """`auto` reads costs as engines do."""
    line = problem_from([0], lambda x: [("E", x + 1)], lambda x: x == 3, cost=lambda *edge: np.int64(2))
    assert solve(line).engine == "bucket"
