"""The baseline: the plain loop that one would write for one's own problem, without any framework.

It uses the same functions and the same order of expansion as searchkit's default, and counts, limits and checks
nothing. Each loop is the fastest of several attempts: one dictionary of tuples, because hashing states takes most of
the time; no closed set, because an outdated heap entry is recognised by its cost.
"""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any

from benchmarks.python.answer import Answer, Searches, searches
from benchmarks.python.problems import Instance, State

LIBRARIES = ()
EASIER: dict[str, str] = {}
CANNOT = ""


def bfs(arrays: dict[str, Any]) -> Searches:
    """Breadth-first search."""
    return searches(arrays, lambda instance: breadth_first(instance, instance.goal_test()))


def dijkstra(arrays: dict[str, Any]) -> Searches:
    """Dijkstra's algorithm, with a loop of its own for actions that all cost 1."""
    return searches(
        arrays, lambda instance: (with_costs if instance.cost else with_unit)(instance, instance.goal_test())
    )


def astar(arrays: dict[str, Any]) -> Searches:
    """Run A*, with a loop of its own for actions that all cost 1."""
    return searches(
        arrays, lambda instance: (guided if instance.cost else guided_unit)(instance, instance.goal_test())
    )


def breadth_first(instance: Instance, is_goal: Callable[[State], bool]) -> Answer:
    """Breadth-first search; the goal is tested when a state is put into the queue."""
    start, successors = instance.start, instance.successors
    reached: dict[State, Any] = {start: (None, None)}
    if is_goal(start):
        return path(reached, start, 0)
    frontier = deque([start])
    while frontier:
        state = frontier.popleft()
        for action, successor in successors(state):
            if successor not in reached:
                reached[successor] = (state, action)
                if is_goal(successor):
                    return path(reached, successor, None)
                frontier.append(successor)
    return Answer(len(reached))


def with_unit(instance: Instance, is_goal: Callable[[State], bool]) -> Answer:
    """Dijkstra's algorithm where every action costs 1."""
    start, successors = instance.start, instance.successors
    reached: dict[State, Any] = {start: (None, None, 0)}
    number = count(0, -1)
    frontier = [(0, 0, start)]
    while frontier:
        g, _, state = heappop(frontier)
        if g > reached[state][2]:
            continue
        if is_goal(state):
            return path(reached, state, g)
        new_g = g + 1
        for action, successor in successors(state):
            arrival = reached.get(successor)
            if arrival is None or new_g < arrival[2]:
                reached[successor] = (state, action, new_g)
                heappush(frontier, (new_g, next(number), successor))
    return Answer(len(reached))


def with_costs(instance: Instance, is_goal: Callable[[State], bool]) -> Answer:
    """Dijkstra's algorithm with a cost function."""
    start, successors, cost = instance.start, instance.successors, instance.cost
    assert cost is not None
    reached: dict[State, Any] = {start: (None, None, 0)}
    number = count(0, -1)
    frontier = [(0, 0, start)]
    while frontier:
        g, _, state = heappop(frontier)
        if g > reached[state][2]:
            continue
        if is_goal(state):
            return path(reached, state, g)
        for action, successor in successors(state):
            new_g = g + cost(state, action, successor)
            arrival = reached.get(successor)
            if arrival is None or new_g < arrival[2]:
                reached[successor] = (state, action, new_g)
                heappush(frontier, (new_g, next(number), successor))
    return Answer(len(reached))


def guided_unit(instance: Instance, is_goal: Callable[[State], bool]) -> Answer:
    """Run A* where every action costs 1; of equal f, the larger g first."""
    start, successors, heuristic = instance.start, instance.successors, instance.heuristic
    reached: dict[State, Any] = {start: (None, None, 0)}
    number = count(0, -1)
    frontier = [(heuristic(start), 0, 0, start)]
    while frontier:
        _, minus_g, _, state = heappop(frontier)
        if -minus_g > reached[state][2]:
            continue
        if is_goal(state):
            return path(reached, state, -minus_g)
        new_g = 1 - minus_g
        for action, successor in successors(state):
            arrival = reached.get(successor)
            if arrival is None or new_g < arrival[2]:
                reached[successor] = (state, action, new_g)
                heappush(frontier, (new_g + heuristic(successor), -new_g, next(number), successor))
    return Answer(len(reached))


def guided(instance: Instance, is_goal: Callable[[State], bool]) -> Answer:
    """Run A* with a cost function; of equal f, the larger g first."""
    start, successors, heuristic, cost = (
        instance.start,
        instance.successors,
        instance.heuristic,
        instance.cost,
    )
    assert cost is not None
    reached: dict[State, Any] = {start: (None, None, 0)}
    number = count(0, -1)
    frontier = [(heuristic(start), 0, 0, start)]
    while frontier:
        _, minus_g, _, state = heappop(frontier)
        if -minus_g > reached[state][2]:
            continue
        if is_goal(state):
            return path(reached, state, -minus_g)
        for action, successor in successors(state):
            new_g = cost(state, action, successor) - minus_g
            arrival = reached.get(successor)
            if arrival is None or new_g < arrival[2]:
                reached[successor] = (state, action, new_g)
                heappush(frontier, (new_g + heuristic(successor), -new_g, next(number), successor))
    return Answer(len(reached))


def path(reached: dict[State, Any], state: State, cost: int | None) -> Answer:
    """Return the path to `state`; its cost is its length where `cost` is None."""
    states, actions = [state], []
    parent, action = reached[state][:2]
    while parent is not None:
        states.append(parent)
        actions.append(action)
        parent, action = reached[parent][:2]
    return Answer(len(actions) if cost is None else cost, tuple(reversed(states)), tuple(reversed(actions)))
