"""Constraints of one robot: where it must not be, and where it must be, at given times."""

from math import inf

from attrs import evolve, field, frozen

from searchkit import Cost
from searchkit_robots.capability import Location, MultiAgent


@frozen
class Robot:
    """A single robot of a problem."""

    problem: MultiAgent = field(eq=False)
    index: int
    start: Location = field(eq=False)
    goal: Location = field(eq=False)

    @classmethod
    def all_of(cls, problem: MultiAgent) -> tuple["Robot", ...]:
        """Return the robots of a problem."""
        return tuple(cls(problem, index, *ends) for index, ends in enumerate(problem.endpoints()))


@frozen(cache_hash=True)
class Constraints:
    """The constraints of a robot. Times count from 0; a move *at* time t ends at t."""

    vertices: frozenset[tuple[int, Location]] = frozenset()
    """(t, v): not in v at time t."""
    edges: frozenset[tuple[int, Location, Location]] = frozenset()
    """(t, u, v): no move from u to v that ends at time t."""
    landmarks: frozenset[tuple[int, Location]] = frozenset()
    """(t, v): in v at time t (Li et al. 2019)."""

    def without(self, time: int, *way: Location) -> "Constraints":
        """Return these constraints and one that forbids a location (v), or a move (u, v), at a time."""
        if len(way) == 1:
            return evolve(self, vertices=self.vertices | {(time, way[0])})
        here, there = way
        return evolve(self, edges=self.edges | {(time, here, there)})

    def through(self, time: int, *way: Location) -> "Constraints":
        """Return these constraints and one that requires a location, or a move, at a time."""
        first = time - len(way) + 1
        return evolve(self, landmarks=self.landmarks | set(enumerate(way, first)))

    def out_of_the_way_of(self, time: int, *way: Location) -> "Constraints":
        """Return these constraints and those that follow if another robot must be in a location, or move, at a time."""
        first = time - len(way) + 1
        evaded = evolve(self, vertices=self.vertices | set(enumerate(way, first)))
        return evaded if len(way) == 1 else evaded.without(time, *reversed(way))

    @property
    def horizon(self) -> int:
        """The last time of any constraint; −1 if there are none."""
        return max(
            [time for time, _ in self.vertices | self.landmarks] + [time for time, _, _ in self.edges],
            default=-1,
        )

    def earliest_end(self, robot: Robot) -> Cost:
        """Return a lower bound on the time of the last arrival at the goal; infinity if the goal can't be reached."""
        distance = robot.problem.distances_to(robot.goal)
        return max(
            [distance.get(robot.start, inf)]
            + [time + 1 for time, location in self.vertices if location == robot.goal]
            + [
                time + distance.get(location, inf)
                for time, location in self.landmarks
                if location != robot.goal
            ],
        )
