"""Judging a student's problem: the same steps and goals as those of the map, and no more states than it needs.

The problem is explored in the student's process, which sends a graph (`student/observing.py`). Here it is followed side
by side with the state space of the map, whatever its states look like: actions are compared, not states.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any

from searchkit.problem import Cost
from searchkit_coursework.grading.paths import Settings
from searchkit_coursework.grading.verdicts import RIGHT, Verdict
from searchkit_coursework.maps import Instance, exceeds
from searchkit_coursework.sandbox.service import Seen
from searchkit_coursework.sandbox.values import Graph
from searchkit_coursework.sandbox.wording import shown
from searchkit_coursework.student.problem import name_of

TOLD = 12
"""The largest number of actions that a message lists."""
Pair = tuple[Any, int]
"""A state of the map, and the number of the state of the student's problem after the same actions."""
Arrivals = dict[Pair, tuple[Pair | None, str]]
"""Pair → the pair before it, and the action."""


def can_follow(instance: Instance, settings: Settings) -> bool:
    """Whether actions lead to one state each, from one start, and the map can be written as text."""
    edges = instance.space.edges.values()
    return (
        len(instance.space.starts) == 1
        and all(len({name_of(action) for action, _, _ in out}) == len(out) for out in edges)
        and bool(instance.text)
    )


def same_steps(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether, after all sequences of actions up to a goal, the same actions are possible at the same cost."""
    return _followed(instance, seen)["steps"]


def same_goals(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it has the same steps, and whether the same sequences of actions end in a goal."""
    found = _followed(instance, seen)
    return found["goals"] if found["steps"].right else found["steps"]


def no_more_states(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it has the same steps, and no more states that can be reached than the map has."""
    found = _followed(instance, seen)["steps"]
    if not found.right:
        return found
    return found if seen.graph is None else _few(instance, seen.graph)


def _few(instance: Instance, graph: Graph) -> Verdict:
    enough = len(instance.space.edges)
    if graph.states <= enough:
        return RIGHT
    more = "more than " if graph.states > len(graph.edges) else ""
    return Verdict(
        False,
        f"it has {more}{graph.states:,} states, and {enough:,} are enough: states that differ, but from which the same "
        "actions lead to a goal, have to be equal",
    )


def _followed(instance: Instance, seen: Seen) -> Mapping[str, Verdict]:
    """Return the verdicts on the steps and on the goals; a fault is the one after the fewest actions."""
    graph = seen.graph
    if graph is None:
        return {"steps": Verdict(False, seen.odd)}
    found = {"steps": RIGHT, "goals": RIGHT}
    if len(graph.starts) != 1:
        return {"steps": Verdict(False, f"it has {len(graph.starts)} start states; expected one")}
    first: Pair = (instance.space.starts[0], graph.starts[0])
    arrivals: Arrivals = {first: (None, "")}
    waiting = deque([first])
    while waiting:
        pair = state, number = waiting.popleft()
        if number >= len(graph.edges) or len(arrivals) > graph.most:
            enough = f"{len(instance.space.edges):,}"
            found["steps"] = Verdict(
                False, f"it has more than {graph.states:,} states, and {enough} are enough"
            )
            break
        is_goal = state in instance.space.goals
        if is_goal != (number in graph.goals) and found["goals"].right:
            said = f"is_goal is {not is_goal}, and this is {'' if is_goal else 'not '}a goal"
            found["goals"] = _fault(instance, arrivals, pair, said)
        if is_goal:
            continue
        ours = {name_of(action): (cost, successor) for action, successor, cost in instance.space.edges[state]}
        fault = _difference(ours, graph.edges[number], instance.scale)
        if fault:
            found["steps"] = _fault(instance, arrivals, pair, fault)
            break
        theirs = {action: successor for action, _, successor in graph.edges[number]}
        for action, (_, successor) in ours.items():
            after = (successor, theirs[action])
            if after not in arrivals:
                arrivals[after] = (pair, action)
                waiting.append(after)
    return found


def _difference(ours: Mapping[str, tuple[Cost, Any]], theirs: Any, scale: float) -> str:
    """Return what is wrong with the actions of a state, or ""."""
    met: dict[str, Cost] = {}
    for action, cost, _ in theirs:
        if action in met:
            return f"successors has {action} twice"
        met[action] = cost
        if action not in ours:
            return f"successors has {action}, which is not possible there"
    for action, (cost, _) in ours.items():
        if action not in met:
            return f"successors does not have {action}, which is possible there"
        given = met[action]
        if given != given or exceeds(cost, given, scale) or exceeds(given, cost, scale):  # NaN is not itself
            return f"{action} costs {shown(given)}; expected {shown(cost)}"
    return ""


def _fault(instance: Instance, arrivals: Arrivals, pair: Pair, text: str) -> Verdict:
    """Return the verdict on a pair, with the actions that lead there."""
    path, actions = [pair[0]], list[str]()
    before, action = arrivals[pair]
    while before is not None:
        actions.insert(0, action)
        path.insert(0, before[0])
        before, action = arrivals[before]
    left_out = len(actions) - TOLD
    listed = [f"… {left_out} more …"] * (left_out > 0) + actions[-TOLD:]
    where = f"after {', '.join(listed)}: " if actions else "at the start: "
    return Verdict(False, where + text, instance.draw(tuple(path)))
