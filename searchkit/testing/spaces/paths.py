"""Checking that an answer is a path of the problem, step by step."""

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import Any

from searchkit.basics.rounding import differ
from searchkit.problem import Cost
from searchkit.testing.spaces.space import StateSpace

ADDITIONS = 4096
"""The number of additions whose rounding errors are allowed in a cost."""


def same(one: Cost, other: Cost, scale: Cost = 0) -> bool:
    """Whether two costs are equal, up to the rounding of floats of their size or of the size `scale`."""
    return not differ(one, other, ADDITIONS, scale)


def exceeds(one: Cost, other: Cost, scale: Cost = 0) -> bool:
    """Whether one cost is larger than another by more than rounding."""
    return bool(one > other) and not same(one, other, scale)


def fault_of_steps(space: StateSpace, states: Sequence[Any], actions: Sequence[Any]) -> str:
    """Return what is wrong with a path of states and actions; "" if nothing is."""
    if len(states) != len(actions) + 1:
        return f"the path has {len(states)} states and {len(actions)} actions; one action leads from state to state"
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if (action, after) not in [edge[:2] for edge in space.edges.get(before, ())]:
            return f"action {action!r} does not lead from {before!r} to {after!r}"
    return fault_of_ends(space, states)


def fault_of_ends(space: StateSpace, states: Sequence[Any]) -> str:
    """Return what is wrong with the first and the last state of a path; "" if nothing is."""
    if states[0] not in space.starts:
        if states[-1] in space.starts and states[0] in space.goals:
            return "the path leads from a goal to a start; return it the other way round: path[::-1]"
        starts = ", ".join(map(repr, space.starts))
        return f"the path begins in {states[0]!r}, which is not a start; expected it to begin in {starts}"
    if states[-1] not in space.goals:
        return f"the path ends in {states[-1]!r}, which is not a goal"
    return ""


def fault_of_list(space: StateSpace, answer: Any) -> str:
    """Return what is wrong with the path that a plain function returned, for its author; "" if nothing is."""
    if not isinstance(answer, list):
        kind = type(answer).__name__
        hint = "; write list(path)" if isinstance(answer, tuple) else ""
        return (
            f"it returned {answer!r}, of type {kind}; expected a list of states, or None if there is no "
            f"path{hint}"
        )
    if not answer:
        return "it returned an empty list; a path has at least its start; return None if there is no path"
    actions = [action for edges in space.edges.values() for action, _, _ in edges]
    for index, item in enumerate(answer):
        if not is_in(item, space.edges):
            where = f"item {index} of the list it returned is {item!r}"
            if isinstance(item, tuple) and len(item) == 2 and any(is_in(part, space.edges) for part in item):
                return f"{where}, a pair; expected states only: [state, state, …]"
            if item in actions:
                return (
                    f"{where}, an action; expected the states that the path runs through, its start included"
                )
            return f"{where}, which is not a state that can be reached from a start"
    for before, after in pairwise(answer):
        if after not in [successor for _, successor, _ in space.edges[before]]:
            return f"no action leads from {before!r} to {after!r}, which follow each other in the path"
    return fault_of_ends(space, answer)


def cost_of_list(space: StateSpace, states: Sequence[Any]) -> Cost:
    """Return the least cost of a walk through these states."""
    return sum(
        min((cost for _, head, cost in space.edges[before] if head == after), default=inf)
        for before, after in pairwise(states)
    )


def is_in(item: Any, states: Any) -> bool:
    """Whether an item, which may not be hashable, is one of the states."""
    try:
        return item in states
    except TypeError:  # not hashable
        return False
