"""The traits of a problem: whether it has a path, the length of the best path, and whether another path costs more."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any

from attrs import frozen

from searchkit.problem import Cost, SearchProblem
from searchkit.testing.spaces.space import StateSpace, explore

STEPS = 300
"""The largest number of steps of a walk that looks for a second path if there is no detour from the best one."""
FIRST = 60
"""The number of states that are expanded at first."""
MOST_ACTIONS = 5_000
"""A part of a space with more actions is not extended: the states of several robots have hundreds each."""
TOLERANCE = 1e-9
"""The relative difference from which two costs differ: floats are summed in different orders."""

Links = dict[Any, tuple[Any, Cost] | None]
"""State → its parent and the cost of the edge between them; None for a source."""


@frozen
class Traits:
    """The traits of one problem."""

    apart: bool
    """No start is a goal."""
    solvable: bool | None
    """None if a part of the states was expanded and contains no goal."""
    steps: int = 0
    """The fewest actions of a path of least cost."""
    rivals: bool = False
    """Two simple paths of different cost were found."""


def traits(problem: SearchProblem[Any, Any], max_states: int) -> Traits:
    """Expand at most `max_states` states of a problem; stop earlier if all traits are known."""
    looked = min(FIRST, max_states)
    while True:
        space = explore(problem, looked)
        found = _of_space(space)
        large = sum(map(len, space.edges.values())) > MOST_ACTIONS
        if space.whole or large or looked == max_states or (found.solvable and found.rivals):
            return found
        looked = min(4 * looked, max_states)


def _of_space(space: StateSpace) -> Traits:
    starts = [start for start in space.starts if start not in space.goals]
    apart = len(starts) == len(space.starts)
    forward = {state: [(head, cost) for _, head, cost in edges] for state, edges in space.edges.items()}
    near, towards = _shortest(space.starts, forward, space.goals)
    goals = [goal for goal in space.goals if goal in near]
    if not goals:
        return Traits(apart, None if not space.whole else False)
    best, steps = min(near[goal] for goal in goals)
    return Traits(apart, True, steps, _has_rival(space, near, towards, best))


def _shortest(
    sources: Any, edges: dict[Any, list[tuple[Any, Cost]]], ends: frozenset[Any] = frozenset()
) -> tuple[dict[Any, tuple[Cost, int]], Links]:
    """Return (least cost, fewest steps of it) of each state, and its link; edges out of `ends` are ignored."""
    near: dict[Any, tuple[Cost, int]] = dict.fromkeys(sources, (0, 0))
    links: Links = dict.fromkeys(sources)
    ties = count()
    frontier: list[tuple[tuple[Any, int], int, Any]] = [((0, 0), next(ties), source) for source in near]
    while frontier:
        distance, _, state = heappop(frontier)
        if distance != near[state] or state in ends:
            continue
        for head, cost in edges.get(state, ()):
            reached = distance[0] + cost, distance[1] + 1
            if head not in near or reached < near[head]:
                near[head], links[head] = reached, (state, cost)
                heappush(frontier, (reached, next(ties), head))
    return near, links


def _has_rival(space: StateSpace, near: dict[Any, tuple[Cost, int]], towards: Links, best: Cost) -> bool:
    """Whether a simple path that costs more than the best is found: over one edge off that path, or by a walk."""
    backward: dict[Any, list[tuple[Any, Cost]]] = {}
    for tail, edges in space.edges.items():
        if tail not in space.goals:
            for _, head, cost in edges:
                backward.setdefault(head, []).append((tail, cost))
    rest, onwards = _shortest([goal for goal in space.goals if goal in near], backward)
    for tail, edges in space.edges.items():
        if tail not in near or tail not in rest or tail in space.goals:
            continue
        for _, head, cost in edges:
            if head not in rest or not _dearer(near[tail][0] + cost + rest[head][0], best):
                continue
            before = set(_chain(tail, towards))
            if before.isdisjoint(_chain(head, onwards)):
                return True
    return _walked(space, rest, best)


def _dearer(cost: Cost, best: Cost) -> bool:
    return cost > best and (not isinstance(cost, float) or cost - best > TOLERANCE * cost)


def _chain(state: Any, links: Links) -> Iterator[Any]:
    """Yield the states from `state` to a source."""
    yield state
    while (link := links[state]) is not None:
        state = link[0]
        yield state


def _walked(space: StateSpace, rest: dict[Any, tuple[Cost, int]], best: Cost) -> bool:
    """Whether a depth-first walk over simple paths, highest cost first, finds a path that costs more."""
    for start in space.starts:
        path: dict[Any, Cost] = {start: 0}
        waiting = [_continued(space, start, path, rest)]
        left = STEPS
        while waiting and left:
            left -= 1
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                path.popitem()
            else:
                state, cost = step
                if state in space.goals:
                    if _dearer(cost, best):
                        return True
                else:
                    path[state] = cost
                    waiting.append(_continued(space, state, path, rest))
    return False


def _continued(
    space: StateSpace, state: Any, path: dict[Any, Cost], rest: dict[Any, tuple[Cost, int]]
) -> Iterator[tuple[Any, Cost]]:
    if state in space.goals:
        return
    steps = [
        (head, path[state] + cost)
        for _, head, cost in space.edges.get(state, ())
        if head in rest and rest[head][0] < inf
    ]
    for head, cost in sorted(steps, key=lambda step: step[1] + rest[step[0]][0], reverse=True):
        if head not in path:
            yield head, cost
