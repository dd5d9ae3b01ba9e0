"""A search that is paused at any points ends like one without pauses: same path, same cost, same counters."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Search, Status, solve
from tests.contract.cases import cases_for, every_engine, facts, pool, walk


@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=60)
def test_pause_at_every_expansion(spec: EngineSpec, data: st.DataObject) -> None:
    """One expansion per run: identical result, and at each pause a true lower bound and a path that can be walked.

    It leads to the state that is next, or, where that is one of a backward half, to a goal: the best path so far.
    """
    case = data.draw(cases_for(spec))
    problem, best = case.problem, case.best
    whole = solve(problem, spec, backend="python")
    search = Search(problem, spec, backend="python")
    result = search.run(Limits(expansions=0))
    while result.status is Status.CUTOFF:
        before = search.statistics.expanded
        assert result.lower_bound <= best
        assert result.solution is None
        assert "expansions" in result.cutoff
        if result.partial is not None:
            assert walk(problem, result.partial, case.space.starts) == result.partial.cost
            assert result.partial.goal == search.next_state or problem.is_goal(result.partial.goal)
        assert result.search is search
        result = search.run(Limits(expansions=1))
        assert search.statistics.expanded - before == (
            1 if result.status is Status.CUTOFF else 1 - (search.statistics.expanded == before)
        )
    assert facts(result) == facts(whole)


@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=40)
def test_stepping_by_hand_and_running_mix(spec: EngineSpec, data: st.DataObject) -> None:
    """Iterating yields each state just before it is expanded; a run continues from there."""
    problem = data.draw(cases_for(spec)).problem
    whole, order = Search(problem, spec, backend="python"), list[Any]()
    for state in whole:
        assert whole.statistics.expanded == len(order)
        order.append(state)
    search = Search(problem, spec, backend="python")
    seen = [state for state, _ in zip(search, range(data.draw(st.integers(0, 4))), strict=False)]
    assert list(map(str, seen)) == list(map(str, order[: len(seen)]))
    assert facts(search.run()) == facts(whole.run()) == facts(solve(problem, spec, backend="python"))
    assert search.statistics.expanded == len(order)


@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=40)
def test_observers_see_every_expansion_and_change_nothing(spec: EngineSpec, data: st.DataObject) -> None:
    """They are called before each expansion, in order, with the search and the state."""
    problem = data.draw(cases_for(spec)).problem
    seen = []

    def observe(search: Search[Any, Any], state: Any) -> None:
        assert search.next_state is state
        assert search.statistics.expanded == len(seen)
        seen.append(str(state))

    observed = solve(problem, spec, backend="python", observers=[observe])
    assert facts(observed) == facts(solve(problem, spec, backend="python"))
    assert seen == list(map(str, Search(problem, spec, backend="python")))


@every_engine
def test_an_observer_that_raised_is_called_again(spec: EngineSpec) -> None:
    """Nothing was expanded between the two calls."""
    problem = pool(spec)[len(pool(spec)) // 2].problem
    whole = solve(problem, spec, backend="python")
    seen: list[Any] = []

    def observe(search: Search[Any, Any], state: Any) -> None:
        seen.append(state)
        if len(seen) == 1 + whole.statistics.expanded // 2:
            raise OSError("the disk is full")

    search = Search(problem, spec, backend="python", observers=[observe])
    if whole.statistics.expanded:
        with pytest.raises(OSError, match="the disk is full"):
            search.run()
        assert search.statistics.expanded == len(seen) - 1
        assert search.next_state is seen[-1]
    assert facts(search.run()) == facts(whole)
