"""A recording equals the live tree at each step."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec
from searchkit.trace import RecordedSearch, Replay, replay
from tests.contract.cases import cases_for, every_engine, options_for

MOST = 120
"""Expansions of a search that is compared at every yield."""


@frozen
class Moment:
    """What a search holds at a yield, or at its end."""

    reached: dict[Any, Any]
    backward: dict[Any, Any]
    counters: tuple[int, int, int]


def moments(search: RecordedSearch[Any, Any]) -> Iterator[Moment]:
    """Step a search; yield what it holds at each yield, and at its end if it comes there."""

    def now(done: int) -> Moment:
        tree = search.tree
        backward = dict(tree.backward.reached) if tree.backward else {}
        return Moment(dict(tree.reached), backward, (done, tree.generated, tree.reopened))

    for done, _ in enumerate(search):
        yield now(done)
        if done == MOST:
            return
    yield now(search.tree.expanded)


@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=60)
def test_a_replay_is_the_live_tree(spec: EngineSpec, data: st.DataObject) -> None:
    """At every yield and at the end: arrivals of both halves and counters; and those of the result."""
    problem, options = data.draw(cases_for(spec)).problem, data.draw(options_for(spec))
    search: RecordedSearch[Any, Any] = RecordedSearch(problem, spec, **options)
    live = list(moments(search))
    recording = search.recording()
    times = [*recording.expansions_at, len(recording)]
    shown = Replay(recording)
    for time, moment in zip(times, live, strict=True):
        shown.seek(time)
        assert Moment(dict(shown.reached), dict(shown.backward), tuple(shown.counters)) == moment
    for time, moment in reversed(list(zip(times, live, strict=True))):
        assert shown.seek(time).counters.expanded == moment.counters[0]
    assert dict(shown.seek(0).reached) == {}
    assert recording.result is not None
    statistics, end = recording.result.statistics, replay(recording)
    assert end.counters == (statistics.expanded, statistics.generated, statistics.reopened)
    assert recording.reached == statistics.reached == len(end.reached) + len(end.backward)
    assert recording.complete
