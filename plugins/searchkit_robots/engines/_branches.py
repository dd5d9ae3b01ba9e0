"""The children of a node of the constraint tree: the constraints of each, and which paths and diagrams they change."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from searchkit_robots.capability import Location
from searchkit_robots.engines._barriers import Split
from searchkit_robots.engines._conflicts import Conflict
from searchkit_robots.engines._constraints import Claim, Constraints, Robot, is_rest
from searchkit_robots.engines._single import Path, at

Branch: TypeAlias = tuple[list[Constraints], list[int], list[int]]
"""The constraints of a child, the robots whose paths they may forbid, and those whose diagrams they do not change."""


def behind_barriers(node: Any, split: Split) -> Iterator[Branch]:
    """Yield a child for each of two robots, behind a barrier; the constraints of others are the same."""
    for robot, barrier, earliest in zip(*split[:3], strict=True):
        constraints = list(node.constraints)
        constraints[robot] = constraints[robot].with_barrier(barrier, earliest)
        yield constraints, [robot], [other for other in node.diagrams if other != robot]


def disjoint(node: Any, robots: Sequence[Robot], conflict: Conflict, side: int) -> Iterator[Branch]:
    """Yield two children: a robot must not do what it did in a conflict, or it must, and others keep out of its way.

    (Disjoint splitting: Li et al. 2019.)
    """
    told, time, way = (conflict.first, conflict.second)[side], conflict.time, conflict.way(side)
    forbidden = list(node.constraints)
    forbidden[told] = forbidden[told].without(time, *way)
    yield forbidden, [told], [robot for robot in node.diagrams if robot != told]
    demanded, changed, kept = _claimed(node, told, (robots[told].index, time, way))
    demanded[told] = demanded[told].through(time, *way)
    yield demanded, changed, [robot for robot in kept if robot != told]


def at_goal(node: Any, robots: Sequence[Robot], conflict: Conflict, side: int) -> Iterator[Branch]:
    """Yield two children: a robot that was at its goal in a conflict arrives later, or stays there from then on.

    In the second one, no other robot may be at this goal at that time or later (target reasoning: Li et al. 2020).
    """
    told, time, goal = (conflict.first, conflict.second)[side], conflict.time, conflict.there
    late = list(node.constraints)
    late[told] = late[told].with_barrier(frozenset(), time + 1)
    yield late, [told], [robot for robot in node.diagrams if robot != told]
    yield _claimed(node, told, (robots[told].index, time, (goal, goal)))


def _claimed(node: Any, told: int, claim: Claim) -> Branch:
    """Return the child in which a robot does something, and others keep out of its way."""
    _, time, way = claim
    claims = (*node.constraints[told].claims, claim)
    changed = [
        robot for robot, path in enumerate(node.paths) if robot != told and _is_in_the_way(path, time, way)
    ]
    kept = [
        robot
        for robot, diagram in node.diagrams.items()
        if robot == told or not (robot in changed or _meets(diagram, time, way))
    ]
    return [constraints.with_claims(claims) for constraints in node.constraints], changed, kept


def _is_in_the_way(path: Path, time: int, way: tuple[Location, ...]) -> bool:
    if len(way) == 1:
        return at(path, time) == way[0]
    if is_rest(way):
        return way[0] in path[time:]
    step = at(path, time - 1), at(path, time)
    return step[0] == way[0] or step[1] == way[1] or step == (way[1], way[0])


def _meets(diagram: Any, time: int, way: tuple[Location, ...]) -> bool:
    """Whether a path of a diagram may be in the way of a robot."""
    if is_rest(way):
        return bool(diagram.last_time(way[0]) >= time)
    first = time - len(way) + 1
    return any(diagram.holds(moment, location) for moment in range(first, time + 1) for location in way)
