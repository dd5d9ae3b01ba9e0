"""Conflicts between paths, and which one to resolve first."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from searchkit_robots.capability import Location
from searchkit_robots.engines._single import Path, at


class Conflict(NamedTuple):
    """Two robots in one location, or two robots that swap locations."""

    time: int
    first: int
    second: int
    ways: tuple[tuple[Location, ...], tuple[Location, ...]]
    """The action of each robot: (v,) is being in v at the time, (u, v) is moving from u to v."""


def conflicts_between(paths: Sequence[Path]) -> list[Conflict]:
    """Return the conflicts, earliest first; at each time, each robot with the first robot it conflicts with.

    O(robots · time).
    """
    found: list[Conflict] = []
    before: list[Location] = []
    robot_before: dict[Location, int] = {}
    for time in range(max(map(len, paths))):
        now = [at(path, time) for path in paths]
        robot_at: dict[Location, int] = {}
        for robot, there in enumerate(now):
            if there in robot_at:
                found.append(Conflict(time, robot_at[there], robot, ((there,), (there,))))
            else:
                robot_at[there] = robot
            if before and before[robot] != there:
                other = robot_before.get(there)
                if other is not None and other < robot and now[other] == before[robot]:
                    found.append(
                        Conflict(time, other, robot, ((there, before[robot]), (before[robot], there)))
                    )
        before, robot_before = now, robot_at
    return found


def most_costly(conflicts: Sequence[Conflict], diagram: Callable[[int], Any]) -> tuple[Conflict, int, bool]:
    """Choose the conflict to resolve (Boyarski et al. 2015).

    A conflict is cardinal for a robot if all its cheapest paths have it, so that avoiding it costs more. Conflicts that
    are cardinal for both robots come first, then those cardinal for one, then others. Of these, the one comes first
    around which the diagrams of the two robots have the fewest locations: a constraint removes most paths there, so
    that other conflicts become cardinal. Of these, it is one with a robot at its goal, where it has been for longest.
    Ties go to the earliest.

    Args:
        conflicts: at least one.
        diagram: robot → the diagram of its cheapest paths.

    Returns:
        the conflict, the side (0 or 1) whose robot is constrained, and whether that robot has arrived at its goal.

    """
    best: tuple[tuple[int, ...], Conflict, int, bool] | None = None
    robots = {robot for conflict in conflicts for robot in (conflict.first, conflict.second)}
    widths = {robot: diagram(robot).widths for robot in robots}
    for conflict in conflicts:
        time, before = conflict.time, conflict.time - len(conflict.ways[0]) + 1
        levels = widths[conflict.first], widths[conflict.second]
        ends = len(levels[0]) - 1, len(levels[1]) - 1
        one, other = (
            max(level[min(before, end)], level[min(time, end)])
            for level, end in zip(levels, ends, strict=True)
        )
        delay = time - min(ends) if before == time else -1
        rank = (one > 1) + (other > 1), one + other, -delay
        if best is None or rank < best[0]:
            side = int(ends[1] < ends[0] if delay >= 0 else other < one)
            best = rank, conflict, side, delay >= 0
    assert best is not None
    return best[1:]
