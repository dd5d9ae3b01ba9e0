"""Judging a student's problem: the same steps and goals as those of the map, and no more states than it needs.

The problem is explored in the student's process, which sends a graph (`student/observing.py`). Here it is followed side
by side with the state space of the map, whatever its states look like: actions are compared, not states.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from searchkit.problem import Cost
from searchkit.testing.spaces.space import same
from searchkit_coursework.maps import Failure, Instance, shown
from searchkit_coursework.service import MAX_STATES, Graph, Seen
from searchkit_coursework.student.observing import name_of

MAX_ACTIONS = 12
"""The largest number of actions that a message lists."""
Pair = tuple[Any, int]
"""A state of the map, and the number of the state of the student's problem after the same actions."""
Arrivals = dict[Pair, tuple[Pair | None, str]]
"""Pair → the pair before it, and the action."""


def can_follow(instance: Instance, settings: Mapping[str, Any]) -> bool:
    """Whether actions lead to one state each, from one start, and the map can be written as text."""
    edges = instance.space.edges.values()
    return (
        len(instance.space.starts) == 1
        and all(len({name_of(action) for action, _, _ in out}) == len(out) for out in edges)
        and bool(instance.text)
    )


def same_steps(instance: Instance, seen: Seen, settings: Mapping[str, Any]) -> None:
    """Judge whether, after all sequences of actions up to a goal, the same actions are possible at the same cost."""
    assert seen.graph is not None
    _follow(instance, seen.graph)


def same_goals(instance: Instance, seen: Seen, settings: Mapping[str, Any]) -> None:
    """Judge whether it has the same steps, and whether the same sequences of actions end in a goal."""
    assert seen.graph is not None
    wrong_goal = _follow(instance, seen.graph)
    if wrong_goal is not None:
        raise wrong_goal


def no_more_states(instance: Instance, seen: Seen, settings: Mapping[str, Any]) -> None:
    """Judge whether it has the same steps, and no more states that can be reached than the map has."""
    graph, enough = seen.graph, len(instance.states)
    assert graph is not None
    _follow(instance, graph)
    if graph.states > enough:
        more = "more than " if graph.states > len(graph.edges) else ""
        raise Failure(
            f"it has {more}{graph.states:,} states, and {enough:,} are enough: states that differ, but from which the "
            "same actions lead to a goal, have to be equal"
        )


def _follow(instance: Instance, graph: Graph) -> Failure | None:
    """Compare the steps, in breadth-first order. Raises `Failure` for the first that differ.

    Return the first difference of goals.
    """
    first: Pair = (instance.space.starts[0], 0)
    arrivals: Arrivals = {first: (None, "")}
    pending, wrong_goal = deque([first]), None
    while pending:
        pair = state, number = pending.popleft()
        if number >= len(graph.edges) or len(arrivals) > MAX_STATES:
            raise Failure(
                f"it has more than {graph.states:,} states, and {len(instance.states):,} are enough"
            )
        is_goal = state in instance.space.goals
        if is_goal != (number in graph.goals) and wrong_goal is None:
            said = f"is_goal is {not is_goal}, and this is {'' if is_goal else 'not '}a goal"
            wrong_goal = _fault(instance, arrivals, pair, said)
        if is_goal:
            continue
        ours = {name_of(action): (cost, successor) for action, successor, cost in instance.space.edges[state]}
        difference = _difference(ours, graph.edges[number], instance.scale)
        if difference:
            raise _fault(instance, arrivals, pair, difference)
        for action, _, successor in graph.edges[number]:
            after = (ours[action][1], successor)
            if after not in arrivals:
                arrivals[after] = (pair, action)
                pending.append(after)
    return wrong_goal


def _difference(
    ours: Mapping[str, tuple[Cost, Any]], theirs: Sequence[tuple[str, Cost, int]], scale: float
) -> str:
    """Return what is wrong with the actions of a state, or ""."""
    told = [action for action, _, _ in theirs]
    for action, cost, _ in theirs:
        if told.count(action) > 1:
            return f"successors has {action} twice"
        if action not in ours:
            return f"successors has {action}, which is not possible there"
        if cost != cost or not same(ours[action][0], cost, scale):  # NaN is not itself
            return f"{action} costs {shown(cost)}; expected {shown(ours[action][0])}"
    missing = next((action for action in ours if action not in told), None)
    return f"successors does not have {missing}, which is possible there" if missing else ""


def _fault(instance: Instance, arrivals: Arrivals, pair: Pair, text: str) -> Failure:
    """Return the fault at a pair, with the actions that lead there."""
    path, actions = [pair[0]], list[str]()
    before, action = arrivals[pair]
    while before is not None:
        actions.insert(0, action)
        path.insert(0, before[0])
        before, action = arrivals[before]
    left_out = len(actions) - MAX_ACTIONS
    listed = [f"… {left_out} more …"] * (left_out > 0) + actions[-MAX_ACTIONS:]
    where = f"after {', '.join(listed)}: " if actions else "at the start: "
    return Failure(where + text, instance.draw(tuple(path)))
