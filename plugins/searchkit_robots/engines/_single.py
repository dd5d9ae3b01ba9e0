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
Barrier: TypeAlias = frozenset[tuple[int, Location]]
"""Places (t, v) that a robot must not enter: not in v at time t."""
Met: TypeAlias = Sequence[set[Location]]
"""For each time, the locations of a diagram to which a path leads that avoids another robot."""


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
    vertices, edges, closed_from = constraints.forbidden(robot.index)
    problem, goal, landmarks = robot.problem, robot.goal, dict(constraints.landmarks)
    distance, horizon = problem.distances_to(goal), constraints.horizon
    end = max(
        [distance.get(robot.start, inf), constraints.earliest]
        + [time + 1 for time, location in vertices if location == goal]
        + [time + distance.get(location, inf) for time, location in landmarks.items() if location != goal]
    )  # a lower bound on the time of the last arrival
    latest = constraints.latest(robot.index)
    if end == inf or end > latest or (0, robot.start) in vertices or goal in closed_from:
        return None
    if landmarks.get(0, robot.start) != robot.start or len(landmarks) < len(constraints.landmarks):
        return None
    ahead = [problem.distances_to(location) for _, location in sorted(landmarks.items())]
    times = sorted(landmarks)
    upcoming = [sum(passed <= time for passed in times) for time in range(horizon + 1)]
    frontier: list[tuple[Cost, int, int, int]] = [(end, 0, 0, 0)]
    arrivals: list[tuple[int, Location, int]] = [(0, robot.start, -1)]  # time, location, number of the parent
    known: dict[tuple[int, Location], tuple[int, int]] = {}  # the last arrival: its time and conflicts
    closed: set[tuple[int, Location]] = set()
    while frontier:
        _, conflicts, _, number = heappop(frontier)
        time, here, _ = arrivals[number]
        if (min(time, horizon + 1), here) in closed:
            continue
        closed.add((min(time, horizon + 1), here))
        if here == goal and time >= end:
            return _path(arrivals, number)
        time += 1
        for there in (*problem.neighbours(here), here):
            if (time, there) in vertices or (time, here, there) in edges:
                continue
            if closed_from.get(there, inf) <= time:
                continue
            if landmarks.get(time, there) != there or there not in distance:
                continue
            if time + distance[there] > latest:
                continue
            if time <= horizon and upcoming[time] < len(times):
                following = upcoming[time]
                if ahead[following].get(there, inf) > times[following] - time:
                    continue
            clashes = conflicts + traffic.conflicts(time, here, there)
            place = min(time, horizon + 1), there
            before, fewest = known.get(place, (-1, 0))
            if place in closed or (before == time and fewest <= clashes):
                continue
            known[place] = time, clashes
            heappush(frontier, (max(time + distance[there], end), clashes, -time, len(arrivals)))
            arrivals.append((time, there, number))
    return None


def _path(arrivals: list[tuple[int, Location, int]], number: int) -> Path:
    path = []
    while number >= 0:
        _, here, number = arrivals[number]
        path.append(here)
    return tuple(reversed(path))


class Diagram:
    """All paths of one robot with the least cost that its constraints allow: a multi-valued decision diagram.

    Args:
        robot: the robot.
        constraints: its constraints.
        cost: the cost of the path that `best_path` returns under the same constraints.

    """

    number = 0
    """The number that the constraint tree gives it."""

    def __init__(self, robot: Robot, constraints: Constraints, cost: int):
        self.robot, self.constraints, self.cost = robot, constraints, cost
        distance = robot.problem.distances_to(robot.goal)
        landmarks = dict(constraints.landmarks)
        vertices, edges, closed = constraints.forbidden(robot.index)

        def allowed(time: int, here: Location, there: Location) -> bool:
            return (
                (time, there) not in vertices
                and (time, here, there) not in edges
                and closed.get(there, inf) > time
                and landmarks.get(time, there) == there
            )

        self.levels: list[dict[Location, tuple[Location, ...]]] = [{robot.start: ()}]
        """For each time, location → the locations at which the robot can be next."""
        for time in range(1, cost + 1):
            level: dict[Location, tuple[Location, ...]] = {}
            for here in self.levels[-1]:
                near = (*robot.problem.neighbours(here), here)
                after = [
                    there
                    for there in near
                    if distance.get(there, inf) <= cost - time and allowed(time, here, there)
                ]
                self.levels[-1][here] = tuple(after)
                level.update(dict.fromkeys(after, ()))
            self.levels.append(level)
        for time in range(cost - 1, -1, -1):
            for here, ahead in list(self.levels[time].items()):
                left = tuple(there for there in ahead if there in self.levels[time + 1])
                self.levels[time][here] = left
                if not left:
                    del self.levels[time][here]
        self.widths = [len(level) for level in self.levels]
        """For each time, the number of locations."""

    @property
    def size(self) -> int:
        """The number of places (time, location) on all paths."""
        return sum(self.widths)

    @property
    def path(self) -> Path:
        """One of the paths."""
        path = [self.robot.start]
        while len(path) <= self.cost:
            path.append(self.levels[len(path) - 1][path[-1]][0])
        return tuple(path)

    def holds(self, time: int, location: Location) -> bool:
        """Whether a path is at a location at a time."""
        return location in self.levels[min(time, len(self.levels) - 1)]

    def last_time(self, location: Location) -> int:
        """Return the last time at which a path is at a location before it ends, or −1."""
        return max((time for time, level in enumerate(self.levels) if location in level), default=-1)

    def after(self, time: int, here: Location) -> tuple[Location, ...]:
        """Return where a robot that is at a location at a time can be next."""
        return self.levels[time][here] if time < len(self.levels) - 1 else (here,)

    def met(self, other: "Diagram") -> tuple[Met, Met] | None:
        """Return the met places of two diagrams; None if paths of them have no conflict.

        A place (t, v) of a diagram is met if a path to it and a path of the other diagram are without conflict up to
        time t (mutex propagation; Zhang et al. 2022).
        """
        mine, others = [{here} for here in self.levels[0]], [{here} for here in other.levels[0]]
        pairs = {(one, two) for one in self.levels[0] for two in other.levels[0]}
        for time in range(max(len(self.levels), len(other.levels)) - 1):
            pairs = {
                (there, place)
                for here, at in pairs
                for there in self.after(time, here)
                for place in other.after(time, at)
                if there != place and not (there == at and place == here)
            }
            mine.append({there for there, _ in pairs})
            others.append({place for _, place in pairs})
        return None if pairs else (mine, others)

    def barrier(self, met: Met) -> Barrier:
        """Return the places that the robot must not enter, from the met places of its diagram.

        If all paths of two diagrams conflict, then in any plan one of the robots enters no unmet place of its diagram,
        and arrives later than all paths of its diagram. So it suffices to forbid the first unmet places on the paths of
        a diagram, to one robot or to the other one.
        """
        return frozenset(
            (time, there)
            for time in range(1, len(self.levels))
            for here in met[time - 1]
            for there in self.levels[time - 1][here]
            if there not in met[time]
        )


def at(path: Sequence[Location], time: int) -> Location:
    """Return the location of a robot at a time; after its path, the end of the path."""
    return path[time] if time < len(path) else path[-1]
