"""The bucket queue: any kind of priorities, and priorities that fall."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Cost, Limits, Search, problem_from, solve
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.strategies import weighted_digraphs


def chain(cost: Callable[[int], Cost], length: int = 5) -> Search[int, str]:
    """Open a search along a chain whose n-th step costs `cost(n)`."""
    problem = problem_from(
        [0], lambda n: [("on", n + 1)], lambda n: n == length, cost=lambda n, action, after: cost(n)
    )
    return Search(problem, "bucket")


@pytest.mark.parametrize("cost", [1, 7, 10**5, 0.25, Fraction(1, 3), 10**30])
def test_the_answer_is_as_exact_as_the_costs_are(cost: Cost) -> None:
    """Small, sparse and huge integers, floats and fractions."""
    assert chain(lambda n: cost).run().cost == 5 * cost


def test_kinds_of_numbers_may_be_mixed() -> None:
    """A float among integers, and a pause between them."""
    search = chain(lambda n: 1 if n != 2 else 0.5)
    search.run(Limits(expansions=2))
    assert search.run().cost == 4.5


@given(weighted_digraphs("int", heuristic="admissible"))
def test_the_same_work_as_astar(problem: WeightedDigraph) -> None:
    """With the same tie-breaking, expansions, reopenings and path are those of A* with a heap."""
    for ties in ("lifo", "fifo", "high-g", "low-h"):
        heap, buckets = (solve(problem, engine, ties=ties) for engine in ("astar", "bucket"))
        assert buckets.solution == heap.solution
        assert buckets.warnings == heap.warnings
        for counter in ("expanded", "generated", "reopened", "reached"):
            assert getattr(buckets.statistics, counter) == getattr(heap.statistics, counter)


@given(st.data())
def test_priorities_may_fall(data: st.DataObject) -> None:
    """A heuristic that drops by more than a step costs sends the search back to lower buckets."""
    values = data.draw(st.lists(st.integers(0, 9), min_size=6, max_size=6))
    problem = problem_from(
        [0], lambda n: [("on", n + 1)] if n < 5 else [], lambda n: n == 5, heuristic=lambda n: values[n]
    )
    assert solve(problem, "bucket").cost == 5
