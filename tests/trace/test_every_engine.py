"""A replay is the tree that the search had: every registered engine on every kind of problem that it accepts."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, available_engines
from searchkit.trace import replay
from tests.trace.live import hold, searches, watched

ENGINES = sorted(available_engines().values(), key=lambda spec: spec.name)


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.fewest(6)
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
def test_a_replay_is_the_live_tree(spec: EngineSpec, data: Any) -> None:
    """At every yield and at the end: arrivals of both halves, expanded states, counters; and those of the result."""
    search = data.draw(searches(spec))
    moments = watched(search)
    recording = search.recording()
    hold(recording, moments)
    assert recording.result is not None
    statistics = recording.result.statistics
    end = replay(recording)
    assert end.counters == (statistics.expanded, statistics.generated, statistics.reopened)
    assert recording.reached == statistics.reached == len(end.reached) + len(end.backward)
    assert recording.complete
