"""Judging what a search returned and what it expanded, outside of the process in which it ran."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any

from searchkit.coursework.instances import Instance
from searchkit.coursework.verdicts import NO_SAY, RIGHT, Verdict, exceeds
from searchkit.problem import Cost

ORDERS = {
    "depth": "the fewest actions from a start (depth)",
    "g": "the least cost from a start (g)",
    "f": "f = g + h",
}

Seen = Mapping[str, Any]
Settings = Mapping[str, Any]


def terminates(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Pass: the function came back with an answer, whatever that is."""
    return RIGHT


def valid(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it returns a path where one exists."""
    if not instance.solvable:
        return NO_SAY
    path = _path(instance, seen)
    return path if isinstance(path, Verdict) else RIGHT


def complete(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it returns a path where one exists, and None where none does."""
    if instance.solvable:
        return valid(instance, seen, settings)
    if "odd" not in seen and not seen["path"]:
        return RIGHT
    what = seen.get("odd") or f"a path of {len(seen['path'])} states"
    return Verdict(False, f"it returned {what}; no path exists here, so return None", instance.draw())


def optimal(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether the path costs the least possible."""
    if not instance.solvable:
        return NO_SAY
    path = _path(instance, seen)
    if isinstance(path, Verdict):
        return path
    cost = sum(instance.edge_cost(*pair) or 0 for pair in pairwise(path))
    if not exceeds(cost, instance.least):
        return RIGHT
    best = instance.space.best_path() or ()
    return Verdict(
        False,
        f"its path costs {cost:g}; the least possible is {instance.least:g}",
        f"its path:\n{instance.draw(path)}\na best path:\n{instance.draw(best)}",
    )


def expands_at_most(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it finds a path, and expands not many more states than one of searchkit's engines."""
    found = valid(instance, seen, settings)
    if not found.right:
        return found
    reference = instance.expansions_of(settings["engine"])
    most = int(reference * settings["factor"]) + settings["extra"]
    count = len(seen["expanded"])
    if count <= most:
        return RIGHT
    return Verdict(
        False,
        f"it expanded {count} states; at most {most} are allowed "
        f"(searchkit's {settings['engine']} expands {reference})",
    )


def order(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it expands states in the order of `by`, those that are equal in any order, and none twice."""
    by = settings["by"]
    if by == "f" and not instance.consistent:
        return NO_SAY
    found = complete(instance, seen, settings)
    if not found.right:
        return found
    values = {"depth": instance.steps, "g": instance.distance}.get(by) or {
        state: g + instance.estimates[state] for state, g in instance.distance.items()
    }
    starts = instance.space.starts
    needed = not set(starts) & instance.space.goals and any(instance.estimates[each] < inf for each in starts)
    if needed and not seen["expanded"]:
        return Verdict(False, "it never asked for the successors of a state: use problem.successors(state)")
    return _in_order(instance, seen["expanded"], values, ORDERS[by])


def _in_order(instance: Instance, names: Sequence[str], values: Mapping[Any, Cost], meaning: str) -> Verdict:
    before = ""
    highest: Cost = -inf
    met = set()
    for number, name in enumerate(names, 1):
        state = instance.states.get(name)
        if state is None:
            return Verdict(False, f"it asked for the successors of {name}, which is no state of this map")
        if name in met:
            return Verdict(False, f"it expanded {name} twice (the second time as number {number})")
        met.add(name)
        value = values[state]
        if exceeds(highest, value):
            return Verdict(
                False,
                f"it expanded {name} with {value:g} after {before} with {highest:g}; "
                f"states come in the order of {meaning}",
            )
        before, highest = name, max(highest, value)
    return RIGHT


def _path(instance: Instance, seen: Seen) -> tuple[Any, ...] | Verdict:
    """Return the states of the path that was returned, or what is wrong with it."""
    if "odd" in seen:
        return Verdict(
            False, f"it returned {seen['odd']}; expected a list of states from a start to a goal, or None"
        )
    names = seen["path"]
    if not names:
        nothing = "None" if names is None else "an empty list"
        return Verdict(
            False,
            f"it returned {nothing}; a path exists, of cost {instance.least:g}",
            instance.draw(instance.space.best_path() or ()),
        )
    states = [instance.states.get(name) for name in names]
    if None in states:
        wrong = names[states.index(None)]
        actions = {repr(action) for out in instance.space.edges.values() for action, _, _ in out}
        if wrong in actions:
            return Verdict(
                False,
                f"its path holds {wrong}, which is an action; return the states, start and goal included",
            )
        return Verdict(False, f"its path holds {wrong}, which is no state that can be reached on this map")
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
    if path[-1] not in instance.space.goals:
        return Verdict(False, f"its path ends at {path[-1]!r}, which is no goal", instance.draw(path))
    return path
