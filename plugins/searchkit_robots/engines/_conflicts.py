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
    here: Location
    there: Location
    """The second robot moves from `here` to `there`, and the first one back; if they are equal, both are there."""

    def way(self, side: int) -> tuple[Location, ...]:
        """Return what the first robot (0) or the second one does: (v,) is being in v, (u, v) is moving from u to v."""
        if self.here == self.there:
            return (self.there,)
        return (self.here, self.there) if side else (self.there, self.here)


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
                found.append(Conflict(time, robot_at[there], robot, there, there))
            else:
                robot_at[there] = robot
            if before and before[robot] != there:
                other = robot_before.get(there)
                if other is not None and other < robot and now[other] == before[robot]:
                    found.append(Conflict(time, other, robot, before[robot], there))
        before, robot_before = now, robot_at
    return found


def most_costly(conflicts: Sequence[Any], diagram: Callable[[int], Any]) -> tuple[Conflict, int, bool]:
    """Choose the conflict to resolve (Boyarski et al. 2015).

    A conflict is cardinal for a robot if all its cheapest paths have it, so that avoiding it costs more. Conflicts that
    are cardinal for both robots come first, then those cardinal for one, then others. Of these, the one comes first
    around which the diagrams of the two robots have the fewest locations: a constraint removes most paths there, so
    that other conflicts become cardinal. Of these, it is one with a robot at its goal, where it has been for longest.
    Ties go to the earliest.

    Args:
        conflicts: at least one, each a `Conflict` or a list with its fields.
        diagram: robot → the diagram of its cheapest paths.

    Returns:
        the conflict, the side (0 or 1) whose robot is constrained, and whether that robot has arrived at its goal.

    """
    best: tuple[tuple[int, ...], Any, int, bool] | None = None
    robots = {robot for conflict in conflicts for robot in conflict[1:3]}
    widths = {robot: diagram(robot).widths for robot in robots}
    for conflict in conflicts:
        time, first, second, here, there = conflict
        levels, levels_too = widths[first], widths[second]
        end, end_too = len(levels) - 1, len(levels_too) - 1
        one, other = levels[min(time, end)], levels_too[min(time, end_too)]
        delay = -1
        if here == there:
            delay = time - min(end, end_too)
        else:
            one, other = max(one, levels[min(time - 1, end)]), max(other, levels_too[min(time - 1, end_too)])
        rank = (one > 1) + (other > 1), one + other, -delay
        if best is None or rank < best[0]:
            side = int(end_too < end if delay >= 0 else other < one)
            best = rank, conflict, side, delay >= 0
    assert best is not None
    return Conflict._make(best[1]), *best[2:]
