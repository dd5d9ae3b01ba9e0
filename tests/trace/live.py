"""Recordings held to the trees that they are of: a replay says what the search held at each yield."""

from functools import cache
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from searchkit import EngineSpec, Recording, SearchProblem, available_problems
from searchkit.testing.engine_problems import fits
from searchkit.testing.strategies import problems, weighted_digraphs
from searchkit.testing.strategies.shares import drawn
from searchkit.trace import RecordedSearch, Replay
from tests.helpers import problems_for as digraphs_for
from tests.helpers import some_of

MAX_EXPANSIONS = 120
"""Expansions of a search that is compared at every yield."""


@frozen
class Moment:
    """What a search holds at a yield, or at its end."""

    reached: dict[Any, Any]
    backward: dict[Any, Any]
    expanded: set[Any] | None
    """None if the search can't say which states of its path are expanded: it leaves them, and comes back."""
    counters: tuple[int, int, int]

    @classmethod
    def of(cls, search: RecordedSearch[Any, Any], done: int) -> "Moment":
        """Return what it holds now, after so many expansions."""
        tree = search.tree
        expanded = None if search.spec.memory == "option" else tree.expanded_states()
        if expanded is not None and search.spec.memory == "depth" and not search.ended:
            expanded.discard(search.next_state)  # on the path, and not expanded yet
        return cls(
            dict(tree.reached),
            dict(tree.backward.reached) if tree.backward else {},
            expanded,
            (done, tree.generated, tree.reopened),
        )


def watched(search: RecordedSearch[Any, Any], most: int = MAX_EXPANSIONS) -> list[Moment]:
    """Step a search, at most so many times; return what it held at each yield, and at its end if it came there."""
    moments = []
    for done, _ in enumerate(search):
        moments.append(Moment.of(search, done))
        if done == most:
            break
    else:
        moments.append(Moment.of(search, search.tree.expanded))
    return moments


def hold(recording: Recording[Any, Any], moments: list[Moment]) -> None:
    """Fail if a replay of the recording differs from what the search held, at any yield or at the end."""
    replay = Replay(recording)
    times = [*recording.expansions_at, len(recording)]
    assert len(moments) == len(times)
    for time, moment in zip(times, moments, strict=True):
        replay.seek(time)
        assert replay.counters == moment.counters
        assert replay.reached == moment.reached
        assert replay.backward == moment.backward
        unsure = set()
        if (
            time == len(recording) and recording.expansions
        ):  # some engines end within an expansion, and leave its state
            last = recording.events.node[times[-2]]
            unsure = {recording.states[node] for node in (last, recording.goal) if node is not None}
        assert moment.expanded is None or replay.expanded_states - unsure == moment.expanded - unsure
    for time in reversed(times):
        assert replay.seek(time).counters.expanded == recording.before.expanded + recording.expansions_before(
            time
        )
    assert dict(replay.seek(0).reached) == {}


@cache
def kinds_for(spec: EngineSpec) -> list[str]:
    """Return the registered kinds of problem that an engine accepts."""
    kinds = sorted(name for name, kind in available_problems().items() if kind.strategy is not None)
    return [name for name in kinds if any(fits(problem, spec) for problem in some_of(name))]


@cache
def _digraphs() -> list[SearchProblem[Any, Any]]:
    return list(drawn(weighted_digraphs(), 20, 0))


def problems_for(spec: EngineSpec) -> st.SearchStrategy[SearchProblem[Any, Any]]:
    """Draw a problem of any kind that an engine accepts; for most engines, often a weighted digraph."""
    found = [problems(kind).filter(lambda problem: fits(problem, spec)) for kind in kinds_for(spec)]
    if not spec.requires or any(fits(graph, spec) for graph in _digraphs()):
        found.insert(0, digraphs_for(spec))
    return st.one_of(found)


@st.composite
def searches(draw: st.DrawFn, spec: EngineSpec) -> RecordedSearch[Any, Any]:
    """Draw a search by an engine that has not begun, with any of the options that have choices."""
    options = {
        option.name: draw(st.sampled_from(option.choices)) for option in spec.options if option.choices
    }
    return RecordedSearch(draw(problems_for(spec)), spec, **options)
