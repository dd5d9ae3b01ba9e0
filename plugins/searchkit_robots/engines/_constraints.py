"""Constraints of one robot: where it must not be, and where it must be, at given times, and when it may arrive."""

from math import inf
from typing import TypeAlias

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


Claim: TypeAlias = tuple[int, int, tuple[Location, ...]]
"""A robot, a time t, and what it does then: (v,) is being in v at t, (u, v) is moving from u to v, and (v, v) is
resting in v, its goal, from t on."""


def is_rest(way: tuple[Location, ...]) -> bool:
    """Whether a robot rests at its goal from the time of a claim on."""
    return len(way) == 2 and way[0] == way[1]


@frozen(cache_hash=True)
class Constraints:
    """The constraints of a robot. Times count from 0; a move *at* time t ends at t."""

    vertices: frozenset[tuple[int, Location]] = frozenset()
    """(t, v): not in v at time t."""
    edges: frozenset[tuple[int, Location, Location]] = frozenset()
    """(t, u, v): no move from u to v that ends at time t."""
    landmarks: frozenset[tuple[int, Location]] = frozenset()
    """(t, v): in v at time t (Li et al. 2019)."""
    claims: tuple["Claim", ...] = ()
    """What robots have to do according to their landmarks; all robots of a node have the same. Others must not be in
    their way."""

    earliest: int = 0
    """The robot pays for at least this many steps, even if it is at its goal sooner."""

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

    def with_barrier(self, places: frozenset[tuple[int, Location]], earliest: int) -> "Constraints":
        """Return these constraints and some that forbid locations (t, v), and a last arrival before a time."""
        return evolve(self, vertices=self.vertices | places, earliest=max(self.earliest, earliest))

    def with_claims(self, claims: tuple[Claim, ...]) -> "Constraints":
        """Return these constraints with other claims."""
        return Constraints(self.vertices, self.edges, self.landmarks, claims, self.earliest)

    def forbidden(
        self, robot: int
    ) -> tuple[set[tuple[int, Location]], set[tuple[int, Location, Location]], dict[Location, int]]:
        """Return all forbidden (t, v) and (t, u, v), also those that follow from the claims of other robots.

        The dictionary has locations that are forbidden from a time on.
        """
        vertices, edges = set(self.vertices), set(self.edges)
        closed: dict[Location, int] = {}
        for claimant, time, way in self.claims:
            if claimant == robot:
                continue
            if is_rest(way):
                closed[way[0]] = min(time, closed.get(way[0], time))
                continue
            vertices.update(enumerate(way, time - len(way) + 1))
            if len(way) == 2:
                edges.add((time, way[1], way[0]))
        return vertices, edges, closed

    def latest(self, robot: int) -> Cost:
        """Return the time by which a robot has to be at its goal for good; infinity if there is none."""
        return min(
            (time for claimant, time, way in self.claims if claimant == robot and is_rest(way)), default=inf
        )

    @property
    def horizon(self) -> int:
        """The last time of any constraint; −1 if there are none."""
        return max(
            [self.earliest - 1]
            + [time for time, *_ in self.vertices | self.edges | self.landmarks]
            + [time for _, time, _ in self.claims]
        )
