"""A recording equals the live tree at each step."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec
from searchkit.trace import Replay, replay
from tests.contract.cases import every_engine
from tests.trace.live import hold, searches, watched


@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=60)
def test_a_replay_is_the_live_tree(spec: EngineSpec, data: Any) -> None:
    """At every yield and at the end: arrivals of both halves and counters; and those of the result."""
    search = data.draw(searches(spec))
    live = watched(search)
    recording = search.recording()
    hold(recording, live)
    shown = Replay(recording)
    times = [*recording.expansions_at, len(recording)]
    for time, moment in reversed(list(zip(times, live, strict=True))):
        assert shown.seek(time).counters.expanded == moment.counters[0]
    assert dict(shown.seek(0).reached) == {}
    assert recording.result is not None
    statistics, end = recording.result.statistics, replay(recording)
    assert end.counters == (statistics.expanded, statistics.generated, statistics.reopened)
    assert recording.reached == statistics.reached == len(end.reached) + len(end.backward)
    assert recording.complete
