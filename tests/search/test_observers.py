"""Observers that are called once a slice see how far a search has come, and change nothing."""

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Search, Status, available_engines, per_slice, problem_from, solve
from searchkit.search import auto as backends
from searchkit.search import driver
from searchkit_dungeon import Grid, Terrain
from tests.helpers import compile_now, facts, problems_for

OPEN = Grid(Terrain([b"\1" * 60] * 60), [(0, 0)], [(59, 59)])
SLICES = [0.0, inf]
"""Seconds of a slice: so few that each is one expansion, and so many that each is twice as long as the one before."""


class Seen:
    """An observer that records its arguments, and checks them."""

    def __init__(self) -> None:
        self.expanded: list[int] = []
        self.states: list[Any] = []

    def __call__(self, search: Search[Any, Any], state: Any) -> None:
        assert (state is None) == search.ended
        assert search.ended or state == search.next_state
        self.expanded.append(search.statistics.expanded)
        self.states.append(state)


@pytest.mark.parametrize("spec", [available_engines()[name] for name in ("bfs", "idastar", "bidirectional")])
@given(data=st.data())
@settings(max_examples=40)
def test_once_a_slice(spec: EngineSpec, data: st.DataObject) -> None:
    """Counters grow from call to call; the last call of each run is made at its end; the result is the same."""
    problem = data.draw(problems_for(spec))
    seen, limits = Seen(), Limits(expansions=data.draw(st.integers(1, 9)))
    searching = Search(problem, spec, observers=[per_slice(seen)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "SLICE_SECONDS", data.draw(st.sampled_from(SLICES)))
        while True:
            before = searching.tree.expanded
            result = searching.run(limits)
            if searching.tree.expanded > before:
                assert seen.expanded[-1] == searching.tree.expanded
                assert seen.states[-1] == (None if searching.ended else searching.next_state)
            if result.status is not Status.CUTOFF:
                break
    assert seen.expanded == sorted(seen.expanded)
    assert seen.states.count(None) == (1 if seen.states else 0)
    assert facts(result) == facts(solve(problem, spec))


def test_auto_becomes_machine_code_though_they_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unlike an observer of each expansion, one that is called once a slice does not keep a search in Python."""
    monkeypatch.setattr(backends, "COLD_SECONDS", 0.0)
    monkeypatch.setattr(backends, "WARM_SECONDS", 0.0)
    compile_now(OPEN, "bfs")
    seen = Seen()
    result = solve(OPEN, "bfs", observers=[per_slice(seen)])
    assert result.backend == "compiled"
    assert seen.expanded[-1] == result.statistics.expanded
    assert len(seen.states) < 100
    assert solve(OPEN, "bfs", observers=[per_slice(seen), lambda search, state: None]).backend == "python"


def test_stepping_by_hand() -> None:
    """Each step is a slice."""
    line = problem_from([0], lambda n: [("+1", n + 1)], lambda n: n == 5)
    seen = Seen()
    assert list(Search(line, "bfs", observers=[per_slice(seen)])) == [0, 1, 2, 3, 4]
    assert (seen.expanded, seen.states) == ([1, 2, 3, 4, 5], [1, 2, 3, 4, None])
