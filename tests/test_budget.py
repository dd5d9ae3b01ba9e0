"""The suite shows what was expensive if it took too long, and nothing otherwise."""

import pytest

from tests.budget import BUDGET, SHOWN, most_expensive, summary


def test_nothing_is_shown_within_the_budget() -> None:
    """Whatever single tests took."""
    assert list(summary(BUDGET, {"a.py::test": BUDGET})) == []


def test_the_cases_of_a_test_are_added_up() -> None:
    """The most expensive test is first, although each of its cases took less than another test."""
    spent = {"a.py::test_x": 3.0, "a.py::test_y[1]": 2.0, "a.py::test_y[2]": 2.5, "b.py::test_x": 1.0}
    assert most_expensive(spent) == [("a.py::test_y", 4.5), ("a.py::test_x", 3.0), ("b.py::test_x", 1.0)]
    first, *others = summary(BUDGET + 60, spent)
    assert first.startswith("The tests took 290 CPU seconds, and may take 230")
    assert others == ["     4.5 a.py::test_y", "     3.0 a.py::test_x", "     1.0 b.py::test_x"]
    assert len(list(summary(BUDGET + 1, {f"a.py::test_{n}": 1.0 for n in range(99)}))) == 1 + SHOWN


def test_the_time_of_every_test_is_known(request: pytest.FixtureRequest) -> None:
    """It was taken before this test began."""
    from tests.budget import BEGUN, seconds

    assert 0 < request.node.stash[BEGUN] <= seconds()
