"""Where two recordings begin to differ, and why."""

from itertools import chain
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
    left, right = (
        [(at, event) for at, event in enumerate(side.events) if event.kind != NOTE] for side in (one, other)
    )
    expansions = 0
    for (at, mine), (other_at, theirs) in zip(
        chain(left, [(len(one), None)]), chain(right, [(len(other), None)]), strict=False
    ):
        if mine is None and theirs is None:
            break
        found = _compare(one, other, mine, theirs)
        if found is not None:
            reason, text = found
            after = f"after {quantity(expansions, 'expansion')}"
            return Difference(reason, (at, other_at), expansions, f"{after}: {text}")
        expansions += mine is not None and mine.kind == EXPAND
    return None


def _compare(
    one: Recording[Any, Any], other: Recording[Any, Any], mine: Event | None, theirs: Event | None
) -> tuple[str, str] | None:
    """Return why two events differ, and a text. Nodes have the same numbers, because all before was the same."""
    if mine is None or theirs is None:
        ended, going, event = (one, other, theirs) if mine is None else (other, one, mine)
        assert event is not None
        return "end", f"{ended.title} is over ({ended.status}), {_does(going, event)}"
    both, labels = (
        f"{_does(one, mine)}, {_does(other, theirs)}",
        (one.label(mine.node), other.label(theirs.node)),
    )
    if mine.kind != theirs.kind:
        return "event", both
    if mine.node != theirs.node and mine.kind == EXPAND:
        f = [(side.f(mine.node, mine.g), side.f(theirs.node, theirs.g)) for side in (one, other)]
        if all(value == other_value for value, other_value in f):
            return "tie", f"{both}; both have f = {f[0][0]}: a tie"
        values = f"{f[0][0]} and {f[0][1]} in {one.title} and {f[1][0]} and {f[1][1]} in {other.title}"
        return "state", f"{both}; f of {labels[0]} and {one.label(theirs.node)} is {values}"
    if mine.node != theirs.node or (mine.kind == REACH and not _same_node(one, other, mine.node)):
        return "state", both
    if mine.g != theirs.g:
        return "cost", f"{labels[0]} has the cost {mine.g} in {one.title} and {theirs.g} in {other.title}"
    h, other_h = one.h(mine.node), other.h(theirs.node)
    if mine.kind == REACH and None not in (h, other_h) and h != other_h:
        return (
            "heuristic",
            f"{labels[0]} has the heuristic value {h} in {one.title} and {other_h} in {other.title}",
        )
    if mine.parent != theirs.parent or _text(mine.action) != _text(theirs.action):
        return "parent", f"{both}, from {_from(one, mine)} and from {_from(other, theirs)}"
    return None


def _same_node(one: Recording[Any, Any], other: Recording[Any, Any], node: int) -> bool:
    if one.halves[node] != other.halves[node]:
        return False
    mine, theirs = one.states[node], other.states[node]
    if mine is None or theirs is None or one.halves[node] == OWN:
        return one.label(node) == other.label(node)
    return bool(mine == theirs)


def _text(action: Any) -> str:
    return "" if action is None else str(action)


def _does(recording: Recording[Any, Any], event: Event) -> str:
    return f"{recording.title} {VERBS[event.kind]} {recording.label(event.node)}"


def _from(recording: Recording[Any, Any], event: Event) -> str:
    return "nowhere" if event.parent < 0 else f"{recording.label(event.parent)} by {_text(event.action)}"
