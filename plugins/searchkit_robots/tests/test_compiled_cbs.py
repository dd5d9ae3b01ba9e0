"""`cbs` in machine code: the same plans and counters as in Python, and the least cost."""

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from searchkit import Search, Status
from searchkit_robots import MultiAgentGrid, check_plan, plan_cost
from searchkit_robots.strategies import agents
from searchkit_robots.tests.brute_force import least_cost
from searchkit_robots.tests.instances import random_instance
from searchkit_robots.tests.test_costs import crowds
from searchkit_robots.tests.together import both, in_pieces

pytest.importorskip("numba")


pytestmark = pytest.mark.long
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
MOST = 300


@slow
@given(st.one_of(agents(most=4, width=5, height=5), crowds()))
def test_both_forms_do_the_same(problem: MultiAgentGrid) -> None:
    """Status, cost, bound, plan and counters, also for problems without a plan."""
    python, compiled = both(problem, "cbs", MOST)
    assert compiled == python
    event(f"{python[0]}, {python[4]}")


@settings(slow, max_examples=40)
@given(agents(most=2, width=3, height=2))
def test_the_cost_is_that_of_brute_force(problem: MultiAgentGrid) -> None:
    """Over all plans in time up to a length."""
    search: Search[Any, Any] = Search(problem, "cbs", backend="compiled")
    result, expected = search.run(), least_cost(problem, 5)
    if expected is not None:
        assert result.cost == expected
    if result.solution is not None:
        assert check_plan(problem, result.solution.states) == []
        assert plan_cost(problem, result.solution.states) == result.cost


@settings(slow, max_examples=20)
@given(st.one_of(agents(most=4, width=4, height=4), crowds()), st.integers(1, 12))
def test_a_search_that_is_paused(problem: MultiAgentGrid, size: int) -> None:
    """At any pause: it ends as if it had not been."""
    assert in_pieces(problem, "cbs", size, 60) == in_pieces(problem, "cbs", 60, 60)


def test_some_size() -> None:
    """Thirty robots: both forms, and a search in pieces."""
    problem = random_instance(32, 30, 0.2, 2)
    python, compiled = both(problem, "cbs", 1000)
    assert compiled == python
    assert compiled[:2] == (Status.SOLVED, 712)
    assert in_pieces(problem, "cbs", 29, 1000) == python
