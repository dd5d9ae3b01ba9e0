"""Judging the path that a search returned and the states that it expanded."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any

from attrs import evolve

from searchkit.problem import Cost
from searchkit_coursework.grading.verdicts import RIGHT, Verdict
from searchkit_coursework.maps import Instance, exceeds
from searchkit_coursework.sandbox.service import Seen, Unknown
from searchkit_coursework.sandbox.wording import shown

ORDERS = {
    "depth": "the fewest actions from a start (depth)",
    "g": "the least cost from a start (g)",
    "f": "f = g + h",
}

Settings = Mapping[str, Any]


def terminates(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether the function returned an answer. If it is called, it did."""
    return RIGHT


def valid(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it returns a path if one exists."""
    path = _path(instance, seen)
    return path if isinstance(path, Verdict) else RIGHT


def complete(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it returns a path if one exists, and None otherwise."""
    if instance.solvable:
        return valid(instance, seen, settings)
    if not seen.odd and not seen.path:
        if seen.exhausted:
            return RIGHT
        return Verdict(
            False,
            "it returned no path, which is right, but it can't know that: it did not expand all states that it had "
            f"reached ({len(set(seen.expanded))} expanded)",
        )
    what = seen.odd or f"a path of {len(seen.path or ())} states"
    return Verdict(False, f"it returned {what}; no path exists here, so return None", instance.draw())


def optimal(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether the path costs the least possible."""
    path = _path(instance, seen)
    if isinstance(path, Verdict):
        return path
    cost = sum(instance.edge_cost(*pair) or 0 for pair in pairwise(path))
    if not exceeds(cost, instance.least, instance.scale):
        return RIGHT
    best = instance.space.best_path() or ()
    return Verdict(
        False,
        f"its path costs {shown(cost)}; the least possible is {shown(instance.least)}",
        f"its path:\n{instance.draw(path)}\na best path:\n{instance.draw(best)}",
    )


def expands_at_most(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it finds a path, and expands no more states than precede the goal in the order of `by`."""
    by = settings["by"]
    found = valid(instance, seen, settings)
    if not found.right:
        return found
    must, within = _bounds(instance, by)
    most = int(within * settings["factor"]) + settings["extra"]
    count = len(seen.expanded)
    if count <= most:
        return _expanded(instance, seen, by, must)
    return Verdict(
        False,
        f"it expanded {count} states; at most {most:g} are allowed "
        f"(in {within} states, {by} is not above that of the best goal)",
    )


def closest(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether the path always goes to a closest state in which the heuristic `reference` is lower.

    If the heuristic counts what is left to collect, the path always collects what is closest.
    """
    path = _path(instance, seen)
    if isinstance(path, Verdict):
        return path
    left = instance.reference(settings["reference"])
    begin = 0
    walked: Cost = 0
    for end in range(1, len(path)):
        walked += instance.edge_cost(path[end - 1], path[end]) or 0
        if not left[path[end]] < left[path[begin]]:
            continue
        lower = {state for state in instance.space.edges if left[state] < left[path[begin]]}
        space = evolve(instance.space, starts=(path[begin],), goals=frozenset(lower))
        least = space.least_cost()
        if exceeds(walked, least, instance.scale):
            return Verdict(
                False,
                f"from {path[begin]!r} it goes {shown(walked)} to the next state where {settings['reference']} is "
                f"lower; the closest one is {shown(least)} away",
                f"it goes:\n{instance.draw(path[begin : end + 1])}\n"
                f"closest:\n{instance.draw(space.best_path() or ())}",
            )
        begin, walked = end, 0
    return RIGHT


def order(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it expands states in the order of `by`, ties in any order, and no state twice."""
    by = settings["by"]
    found = complete(instance, seen, settings)
    if not found.right:
        return found
    ordered = _in_order(seen.expanded, instance.values(by), ORDERS[by], instance.scale)
    if not ordered.right or not instance.solvable:
        return ordered
    return _expanded(instance, seen, by, _bounds(instance, by)[0])


def _bounds(instance: Instance, by: str) -> tuple[set[Any], int]:
    """Return `until_goal`; breadth-first search may recognise a goal when it is generated."""
    return instance.until_goal(instance.values(by), 1 if by == "depth" else 0)


def _expanded(instance: Instance, seen: Seen, by: str, must: set[Any]) -> Verdict:
    """Judge whether all states were expanded that a search in the order of `by` has to expand."""
    missing = must - set(seen.expanded)
    if not missing:
        return RIGHT
    values = instance.values(by)
    state = min(missing, key=lambda state: (values[state], repr(state)))
    return Verdict(
        False,
        f"it did not expand {state!r} with {shown(values[state])}, which comes before the goal: states come in the "
        f"order of {ORDERS[by]}, and {len(must)} have to be expanded",
    )


def _in_order(expanded: Sequence[Any], values: Mapping[Any, Cost], meaning: str, scale: float) -> Verdict:
    before: Any = None
    highest: Cost = -inf
    met = set()
    for number, state in enumerate(expanded, 1):
        if state in met:
            return Verdict(False, f"it expanded {state!r} twice (the second time as number {number})")
        met.add(state)
        value = values[state]
        if exceeds(highest, value, scale):
            return Verdict(
                False,
                f"it expanded {state!r} with {shown(value)} after {before!r} with {shown(highest)}; "
                f"states come in the order of {meaning}",
            )
        before, highest = state, max(highest, value)
    return RIGHT


def _path(instance: Instance, seen: Seen) -> tuple[Any, ...] | Verdict:
    """Return the states of the path, or the verdict about what is wrong with it."""
    if seen.odd:
        return Verdict(
            False, f"it returned {seen.odd}; expected a list of states from a start to a goal, or None"
        )
    states = seen.path
    if not states:
        nothing = "None" if states is None else "an empty list"
        return Verdict(
            False,
            f"it returned {nothing}; a path exists, of cost {shown(instance.least)}",
            instance.draw(instance.space.best_path() or ()),
        )
    wrong = next((state for state in states if isinstance(state, Unknown)), None)
    if wrong is not None:
        actions = {repr(action) for out in instance.space.edges.values() for action, _, _ in out}
        if wrong in actions:
            hint = "which is an action; return the states, start and goal included"
        else:
            hint = "which is not a state that the problem has returned"
        return Verdict(False, f"its path holds {wrong}, {hint}")
    path = tuple(states)
    if path[0] not in instance.space.starts:
        starts = " or ".join(map(repr, instance.space.starts))
        hint = "; is it backwards?" if path[-1] in instance.space.starts else ""
        return Verdict(
            False, f"its path begins at {path[0]!r}; expected the start {starts}{hint}", instance.draw(path)
        )
    for state, successor in pairwise(path):
        if instance.edge_cost(state, successor) is None:
            return Verdict(
                False,
                f"its path goes from {state!r} to {successor!r}, and there is no such action",
                instance.draw(path),
            )
        if state not in seen.expanded:
            return Verdict(
                False,
                f"its path goes from {state!r} to {successor!r}, but it never asked for the successors of {state!r}: "
                "use problem.successors(state)",
            )
    if path[-1] not in instance.space.goals:
        return Verdict(False, f"its path ends at {path[-1]!r}, which is not a goal", instance.draw(path))
    return path
