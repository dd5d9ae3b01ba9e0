"""Weighted vertex covers: the least sums by brute force, and lower bounds where branches run out."""

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit_robots.engines import _cover
from searchkit_robots.engines._cover import least_cover

PAIRS = list(combinations(range(5), 2))
graphs = st.dictionaries(st.sampled_from(PAIRS), st.integers(1, 4), min_size=1, max_size=8)


def least_sum(weights: dict[tuple[int, int], int]) -> int:
    """Return the least sum of all choices of numbers."""
    most = max(weights.values())
    return min(
        sum(numbers)
        for numbers in product(range(most + 1), repeat=5)
        if all(numbers[one] + numbers[other] >= weight for (one, other), weight in weights.items())
    )


@given(graphs)
def test_sums_are_least(weights: dict[tuple[int, int], int]) -> None:
    """A vertex may have a number that is the weight of none of its edges."""
    assert least_cover(weights) == least_sum(weights)


def test_triangle_costs_half_of_its_weights() -> None:
    """Three robots that cost two more in pairs may cost three more together: a larger value would be no bound."""
    assert least_cover({(0, 1): 2, (0, 2): 2, (1, 2): 2}) == 3


def test_sums_are_bounds_without_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no vertex may be tried, the sum is not larger, and smaller for some graphs."""
    random = Random(0)
    drawn = [{pair: random.randint(1, 4) for pair in random.sample(PAIRS, 8)} for _ in range(10)]
    expected = [least_sum(weights) for weights in drawn]
    _cover._cover_of_part.cache_clear()
    monkeypatch.setattr(_cover, "MOST_BRANCHES", 0)
    found = [least_cover(weights) for weights in drawn]
    _cover._cover_of_part.cache_clear()
    assert all(one <= other for one, other in zip(found, expected, strict=True))
    assert found != expected
