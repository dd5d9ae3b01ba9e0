"""The bucket queue: any kind of priorities, and the work of A*."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given

from searchkit import Cost, Search, problem_from, solve
from searchkit.testing import WeightedDigraph
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


@given(weighted_digraphs("int", heuristic="admissible"))
def test_the_same_work_as_astar(problem: WeightedDigraph) -> None:
    """With the same tie-breaking, expansions, reopenings and path are those of A* with a heap."""
    for ties in ("lifo", "fifo", "high-g", "low-h"):
        heap, buckets = (solve(problem, engine, ties=ties) for engine in ("astar", "bucket"))
        assert buckets.solution == heap.solution
        assert buckets.warnings == heap.warnings
        for counter in ("expanded", "generated", "reopened", "reached"):
            assert getattr(buckets.statistics, counter) == getattr(heap.statistics, counter)
