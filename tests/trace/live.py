"""Recordings held to the trees that they are of: a replay says what the search held at each yield."""

from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from searchkit import EngineSpec, Recording
from searchkit.trace import RecordedSearch, Replay
from tests.contract.cases import cases_for, options_for


@frozen
class Moment:
    """What a search holds at a yield, or at its end."""

    reached: dict[Any, Any]
    backward: dict[Any, Any]
    expanded: set[Any]
    counters: tuple[int, int, int]

    @classmethod
    def of(cls, search: RecordedSearch[Any, Any], done: int) -> "Moment":
        """Return what it holds now, after so many expansions."""
        tree = search.tree
        expanded = tree.expanded_states()
        if search.spec.memory == "depth" and not search.ended:
            expanded.discard(search.next_state)  # on the path, and not expanded yet
        backward = dict(tree.backward.reached) if tree.backward else {}
        return cls(dict(tree.reached), backward, expanded, (done, tree.generated, tree.reopened))


def watched(search: RecordedSearch[Any, Any]) -> list[Moment]:
    """Step a search to its end; return what it held at each yield and at the end."""
    moments = [Moment.of(search, done) for done, _ in enumerate(search)]
    return [*moments, Moment.of(search, search.tree.expanded)]


def hold(recording: Recording[Any, Any], moments: list[Moment]) -> None:
    """Fail if a replay of the recording differs from what the search held, at any yield or at the end."""
    shown = Replay(recording)
    for time, moment in zip([*recording.expansions_at, len(recording)], moments, strict=True):
        shown.seek(time)
        assert Moment(shown.reached, shown.backward, shown.expanded_states, shown.counters) == moment  # type: ignore[arg-type]


@st.composite
def searches(draw: st.DrawFn, spec: EngineSpec) -> RecordedSearch[Any, Any]:
    """Draw a search by an engine that has not begun, with any of the options that have choices."""
    return RecordedSearch(draw(cases_for(spec)).problem, spec, **draw(options_for(spec)))
