"""Where two recordings begin to differ, and why."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from attrs import frozen

from searchkit.basics.text import quantity
from searchkit.trace.appearance import OWN
from searchkit.trace.recording import EXPAND, NOTE, REACH, Event, Recording

VERBS = ("expands", "reaches", "improves", "reopens", "leaves")


@frozen
class Difference:
    """The first events in which two recordings differ. Its `str` is a sentence about them."""

    reason: str
    """Why: `tie`, states with the same f are expanded in another order; `state`, another state is expanded or reached;
    `cost`, a state is reached at another cost; `heuristic`, a state has another heuristic value (if both engines use
    one); `parent`, it is reached from another state or by another action; `event`, something else happens; `end`, one
    recording is over."""
    times: tuple[int, int]
    """The index of the event in each recording; the number of its events if it is over."""
    expansions: int
    """How many expansions came before."""
    text: str

    def __str__(self) -> str:
        return self.text


def first_difference(one: Recording[Any, Any], other: Recording[Any, Any]) -> Difference | None:
    """Return the first difference of two recordings of one problem; None if they tell the same.

    Notes are not compared. States are compared by `==`, or by their labels if a recording was read from a file; actions
    by their texts. Takes O(events).

    Example:
        >>> from searchkit import problem_from, record
        >>> from searchkit.trace import first_difference
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 2)
        >>> print(first_difference(record(line, "dijkstra", ties="lifo"), record(line, "dijkstra", ties="fifo")))
        after 1 expansion: dijkstra ties=lifo expands 1, dijkstra ties=fifo expands -1; both have f = 1: a tie

    """
    expansions = 0
    for mine, theirs in zip_longest(_told(one), _told(other)):
        found = _compare(one, other, mine and mine[1], theirs and theirs[1])
        if found is not None:
            times = mine[0] if mine else len(one), theirs[0] if theirs else len(other)
            after = f"after {quantity(expansions, 'expansion')}"
            return Difference(found[0], times, expansions, f"{after}: {found[1]}")
        expansions += mine[1].kind == EXPAND
    return None


def _told(recording: Recording[Any, Any]) -> Iterator[Any]:
    return ((at, event) for at, event in enumerate(recording.events) if event.kind != NOTE)


def _compare(
    one: Recording[Any, Any], other: Recording[Any, Any], mine: Event | None, theirs: Event | None
) -> tuple[str, str] | None:
    """Return why two events differ, and a text. Nodes have the same numbers, because all before was the same."""
    if mine is None or theirs is None:
        ended, going, event = (one, other, theirs) if mine is None else (other, one, mine)
        assert event is not None
        return "end", f"{ended.title} is over ({ended.status}), {_does(going, event)}"
    both, label = f"{_does(one, mine)}, {_does(other, theirs)}", one.label(mine.node)
    if mine.kind != theirs.kind:
        return "event", both
    if mine.node != theirs.node and mine.kind == EXPAND:
        f, other_f = ([side.f(event.node, event.g) for event in (mine, theirs)] for side in (one, other))
        if f[0] == f[1] and other_f[0] == other_f[1]:
            return "tie", f"{both}; both have f = {f[0]}: a tie"
        values = f"{f[0]} and {f[1]} in {one.title} and {other_f[0]} and {other_f[1]} in {other.title}"
        return "state", f"{both}; f of {label} and {one.label(theirs.node)} is {values}"
    if mine.node != theirs.node or (mine.kind == REACH and not _same_node(one, other, mine.node)):
        return "state", both
    h, other_h = one.h(mine.node), other.h(theirs.node)
    for reason, what, value, other_value in (
        ("cost", "cost", mine.g, theirs.g),
        ("heuristic", "heuristic value", h, h if other_h is None or h is None else other_h),
    ):
        if value != other_value:
            return reason, f"{label} has the {what} {value} in {one.title} and {other_value} in {other.title}"
    if mine.parent != theirs.parent or _text(mine.action) != _text(theirs.action):
        return "parent", f"{both}, from {_from(one, mine)} and from {_from(other, theirs)}"
    return None


def _same_node(one: Recording[Any, Any], other: Recording[Any, Any], node: int) -> bool:
    if one.halves[node] != other.halves[node]:
        return False
    if one.problem is None or other.problem is None or one.halves[node] == OWN:
        return one.label(node) == other.label(node)
    return bool(one.states[node] == other.states[node])


def _text(action: Any) -> str:
    return "" if action is None else str(action)


def _does(recording: Recording[Any, Any], event: Event) -> str:
    return f"{recording.title} {VERBS[event.kind]} {recording.label(event.node)}"


def _from(recording: Recording[Any, Any], event: Event) -> str:
    return "nowhere" if event.parent < 0 else f"{recording.label(event.parent)} by {event.action}"
