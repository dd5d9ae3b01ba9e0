"""Properties are tried on the share of examples that the effort says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import FEWEST, SHARE, examples, set_effort


def test_examples() -> None:
    """A share of the examples that a property asks for, but at least the minimum; in `./run fuzz` a multiple."""
    assert examples(1000, SHARE) == 1000 * SHARE
    assert examples(50, SHARE) == FEWEST
    assert examples(5, SHARE) == 5
    assert examples(100, 3) == 300
    assert [examples(asked, SHARE, fewest=3) for asked in (2, 10, 30, 1000)] == [2, 3, 3, 1000 * SHARE]


@pytest.mark.parametrize(("effort", "tried"), [(0.3, 30), (2, 200)])
def test_a_property_is_tried_so_often(effort: float, tried: int) -> None:
    """The number reaches Hypothesis."""
    seen = []

    @given(st.integers())
    @settings(max_examples=100, database=None)
    def a_property(number: int) -> None:
        seen.append(number)

    set_effort(a_property, effort)
    a_property()
    assert len(seen) == tried


@given(st.integers())
@settings(max_examples=300)
def test_the_suite_takes_its_share(number: int) -> None:
    """The number of this property was set when it was collected: see the next test."""


def test_it_was_set(request: pytest.FixtureRequest) -> None:
    """The properties of this run have what its option says."""
    held = test_the_suite_takes_its_share._hypothesis_internal_use_settings  # type: ignore[attr-defined]
    assert held.max_examples == examples(300, request.config.getoption("--effort"))


CASES = list(range(7))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", CASES)
def test_one_case_in_three(case: int, request: pytest.FixtureRequest) -> None:
    """The suite runs the first case, the fourth and the seventh; `--long` the others; an effort of 1 all of them."""
    if request.config.getoption("--effort") < 1:
        assert (case % 3 == 0) != request.config.getoption("--long")
