"""One step for all robots at once, by priority inheritance with backtracking (PIBT; Okumura et al. 2022)."""

from collections.abc import Mapping, Sequence

from searchkit_robots.capability import Location, MultiAgent

Configuration = tuple[Location, ...]
"""The location of each robot."""


def next_configuration(
    problem: MultiAgent,
    here: Configuration,
    order: Sequence[int],
    forced: Mapping[int, Location],
    distances: Sequence[Mapping[Location, int]],
) -> Configuration | None:
    """Return the configuration after one step; each robot moves as near to its goal as robots before it allow.

    A robot that blocks another one moves first and inherits its priority. Robots in `forced` move to the given
    locations. Returns None if no such step was found; if all robots are forced, there is none. O(robots · neighbours).
    """
    robot_at = {location: robot for robot, location in enumerate(here)}
    after: list[Location | None] = [None] * len(here)
    taken: set[Location] = set()
    far = len(distances[0]) + len(here)

    def swaps(robot: int, location: Location) -> bool:
        other = robot_at.get(location)
        return other is not None and other != robot and after[other] == here[robot]

    def move(robot: int) -> bool:
        distance = distances[robot]
        choices = sorted(
            (*problem.neighbours(here[robot]), here[robot]),
            key=lambda to: (distance.get(to, far), robot_at.get(to, robot) != robot),
        )
        for location in choices:
            if location in taken or swaps(robot, location):
                continue
            after[robot] = location
            taken.add(location)
            other = robot_at.get(location)
            if other is None or after[other] is not None or move(other):
                return True
        after[robot] = here[robot]  # the robot that pushed wants this location and can't take it
        taken.add(here[robot])
        return False

    for robot, location in forced.items():
        if location in taken or swaps(robot, location):
            return None
        after[robot] = location
        taken.add(location)
    for robot in order:
        if after[robot] is None and not move(robot):
            return None
    return tuple(after)
