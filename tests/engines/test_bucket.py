"""The bucket queue: dense and sorted buckets, and the change from one to the other."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sortedcontainers import SortedDict

from searchkit import Cost, Limits, Search, problem_from, solve
from searchkit.engines.kit import DENSE
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.strategies import weighted_digraphs


def chain(cost: Callable[[int], Cost], length: int = 5) -> Search[int, str]:
    """Open a search along a chain whose n-th step costs `cost(n)`."""
    problem = problem_from(
        [0], lambda n: [("on", n + 1)], lambda n: n == length, cost=lambda n, action, after: cost(n)
    )
    return Search(problem, "bucket")


@pytest.mark.parametrize("cost", [1, 7, DENSE // 8])
def test_small_integers_index_a_list(cost: int) -> None:
    """Dense buckets for small integer priorities."""
    search = chain(lambda n: cost)
    assert search.run().cost == 5 * cost
    assert isinstance(search.tree.frontier, list)


@pytest.mark.parametrize("cost", [0.25, Fraction(1, 3), DENSE, 10**30])
def test_all_other_priorities_are_sorted(cost: Cost) -> None:
    """Sparse, huge, float and Fraction priorities; the answer is as exact as the costs are."""
    search = chain(lambda n: cost)
    assert search.run().cost == 5 * cost
    assert isinstance(search.tree.frontier, SortedDict)


def test_the_passage_from_one_to_the_other_loses_nothing() -> None:
    """A float in the middle of a search on integers moves every entry to the other queue."""
    search = chain(lambda n: 1 if n != 2 else 0.5)
    search.run(Limits(expansions=2))
    assert isinstance(search.tree.frontier, list)
    assert search.run().cost == 4.5
    assert isinstance(search.tree.frontier, SortedDict)


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
