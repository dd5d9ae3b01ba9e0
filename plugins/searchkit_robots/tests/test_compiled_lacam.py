"""`lacam` in machine code: the same plans and counters as in Python, tie for tie."""

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status
from searchkit_robots import MultiAgentGrid, check_plan
from searchkit_robots.strategies import agents
from searchkit_robots.tests.instances import random_instance
from searchkit_robots.tests.together import both, in_pieces

pytest.importorskip("numba")
pytestmark = pytest.mark.long
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
MOST = 400


@slow
@given(agents(most=5, width=6, height=5), st.sampled_from([0, 0, 40, 10_000]))
def test_both_forms_do_the_same(problem: MultiAgentGrid, improve: int) -> None:
    """Also with improvements, and for problems without a plan."""
    python, compiled = both(problem, "lacam", MOST, improve=improve)
    assert compiled == python
    event(f"improve={improve}: {python[0]}")


@settings(slow, max_examples=20)
@given(agents(most=4, width=5, height=4), st.integers(1, 20), st.sampled_from([0, 60]))
def test_a_search_that_is_paused(problem: MultiAgentGrid, size: int, improve: int) -> None:
    """At any pause: it ends as if it had not been."""
    search: Search[Any, Any] = Search(problem, "lacam", backend="compiled", improve=improve)
    search.run(Limits(expansions=MOST))
    pieces = in_pieces(problem, "lacam", size, MOST, improve=improve)
    assert pieces == in_pieces(problem, "lacam", MOST, MOST, improve=improve)


def test_four_hundred_robots() -> None:
    """Nearly half of the cells have a robot; arrays grow, and slices end between expansions."""
    problem = random_instance(32, 400, 0.2, 0)
    search: Search[Any, Any] = Search(problem, "lacam", backend="compiled")
    result = search.run()
    assert result.status is Status.SOLVED
    assert result.solution is not None
    assert (result.cost, result.statistics.expanded) == (31729, 116)
    faults = check_plan(problem, [result.solution.states[at] for at in (0, 1, 2, -3, -2, -1)])
    assert [fault for fault in faults if "jumps" not in fault] == []
