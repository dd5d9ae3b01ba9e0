"""The best path of one robot under constraints, by A* over (location, time)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import inf
from typing import TypeAlias

from searchkit import Cost
from searchkit_robots.capability import Location
from searchkit_robots.engines._constraints import Constraints, Robot

Path: TypeAlias = tuple[Location, ...]
"""The locations of a robot at times 0, 1, 2, …; it stays at the last one."""


class Traffic:
    """The paths of other robots, which are avoided if that costs nothing."""

    def __init__(self, paths: Iterable[Path]):
        self._at: Counter[tuple[int, Location]] = Counter()
        self._moves: Counter[tuple[int, Location, Location]] = Counter()
        self._rests: dict[Location, int] = {}
        for path in filter(None, paths):
            self._at.update(enumerate(path))
            self._moves.update(
                (time, there, here) for time, (here, there) in enumerate(pairwise(path), 1) if here != there
            )
            self._rests[path[-1]] = len(path)

    def conflicts(self, time: int, here: Location, there: Location) -> int:
        """Return the number of conflicts of a move from `here` to `there` that ends at `time`."""
        return (
            self._at[time, there]
            + self._moves[time, here, there]
            + (self._rests.get(there, time + 1) <= time)
        )


def best_path(robot: Robot, constraints: Constraints, traffic: Traffic) -> Path | None:
    """Return a path with the earliest last arrival that the constraints allow; None if there is none.

    Ties are broken by the number of conflicts with the traffic. Times after the last constraint, at time h, are
    equivalent, so there are at most (h + 2) · locations expansions.
    """
    end, horizon = constraints.earliest_end(robot), constraints.horizon
    if end == inf or (0, robot.start) in constraints.vertices:
        return None
    problem, goal, landmarks = robot.problem, robot.goal, dict(constraints.landmarks)
    if landmarks.get(0, robot.start) != robot.start or len(landmarks) < len(constraints.landmarks):
        return None
    ahead = [problem.distances_to(location) for _, location in sorted(landmarks.items())]
    times = sorted(landmarks)
    upcoming = [sum(passed <= time for passed in times) for time in range(horizon + 1)]
    distance = problem.distances_to(goal)
    frontier: list[tuple[Cost, int, int, int, Location]] = [(end, 0, 0, 0, robot.start)]
    arrivals: dict[tuple[int, Location], tuple[int, Location | None]] = {(0, robot.start): (0, None)}
    closed: set[tuple[int, Location]] = set()
    serial = 0
    while frontier:
        _, conflicts, negative_time, _, here = heappop(frontier)
        time = -negative_time
        key = min(time, horizon + 1), here
        if key in closed:
            continue
        closed.add(key)
        if here == goal and time >= end:
            return _path(arrivals, time, here)
        time += 1
        for there in (*problem.neighbours(here), here):
            if (time, there) in constraints.vertices or (time, here, there) in constraints.edges:
                continue
            if landmarks.get(time, there) != there or there not in distance:
                continue
            if time <= horizon and upcoming[time] < len(times):
                following = upcoming[time]
                if ahead[following].get(there, inf) > times[following] - time:
                    continue
            clashes = conflicts + traffic.conflicts(time, here, there)
            known = arrivals.get((time, there))
            if (min(time, horizon + 1), there) in closed or (known is not None and known[0] <= clashes):
                continue
            arrivals[time, there] = clashes, here
            serial += 1
            heappush(frontier, (max(time + distance[there], end), clashes, -time, serial, there))
    return None


def _path(
    arrivals: dict[tuple[int, Location], tuple[int, Location | None]], time: int, end: Location
) -> Path:
    path = [end]
    for moment in range(time, 0, -1):
        path.append(arrivals[moment, path[-1]][1])
    return tuple(reversed(path))


def levels(robot: Robot, constraints: Constraints, cost: int) -> list[set[Location]]:
    """Return the locations of all paths of this cost at each time (a multi-valued decision diagram).

    `cost` is the cost of the path that `best_path` returns under the same constraints.
    """
    distance = robot.problem.distances_to(robot.goal)
    landmarks = dict(constraints.landmarks)

    def allowed(time: int, here: Location, there: Location) -> bool:
        return (
            (time, there) not in constraints.vertices
            and (time, here, there) not in constraints.edges
            and landmarks.get(time, there) == there
        )

    forward: list[set[Location]] = [{robot.start}]
    for time in range(1, cost + 1):
        forward.append(
            {
                there
                for here in forward[-1]
                for there in (*robot.problem.neighbours(here), here)
                if distance.get(there, inf) <= cost - time and allowed(time, here, there)
            }
        )
    for time in range(cost, 0, -1):
        forward[time - 1] = {
            here
            for here in forward[time - 1]
            if any(
                there in forward[time] and allowed(time, here, there)
                for there in (*robot.problem.neighbours(here), here)
            )
        }
    return forward


def at(path: Sequence[Location], time: int) -> Location:
    """Return the location of a robot at a time; after its path, the end of the path."""
    return path[time] if time < len(path) else path[-1]
