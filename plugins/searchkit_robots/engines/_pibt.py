"""One step for all robots at once, by priority inheritance with backtracking (PIBT; Okumura et al. 2022)."""

from collections.abc import Mapping, Sequence
from typing import Any

from searchkit_robots.capability import Location, MultiAgent

Configuration = tuple[Location, ...]
"""The location of each robot."""


class Pibt:
    """Steps of the robots of a problem, each as near to its goal as the robots before it allow.

    A robot that blocks another one moves first and inherits its priority. Two robots that have to change places in a
    corridor do so where a junction lets them pass: the one with priority steps back, and pulls the other one after it
    (the operation *swap* of Okumura 2023b).
    """

    def __init__(self, problem: MultiAgent):
        self.neighbours = problem.neighbours
        self.goals = [goal for _, goal in problem.endpoints()]
        self.distances: list[Mapping[Location, int]] = [problem.distances_to(goal) for goal in self.goals]
        self._here: Configuration = ()
        self._robot_at: dict[Location, int] = {}
        self._after: list[Any] = []
        self._taken: dict[Location, int] = {}
        self._turn = 0

    def step(
        self, here: Configuration, order: Sequence[int], forced: Mapping[int, Location], turn: int
    ) -> Configuration | None:
        """Return the configuration after one step from `here` in which robots of `forced` move to the given locations.

        Robots choose in the given order. Choices that are equally good are ordered at random, the same for the same
        `turn`. Returns None if no such step was found; if all robots are forced, there is none. O(robots · neighbours),
        apart from corridors that are followed for swaps.
        """
        self._here, self._after, self._taken, self._turn = here, [None] * len(here), {}, turn
        self._robot_at = {location: robot for robot, location in enumerate(here)}
        for robot, location in forced.items():
            if location in self._taken or self._collides(robot, location):
                return None
            self._take(robot, location)
        for robot in order:
            if self._after[robot] is None and not self._move(robot):
                return None
        return tuple(self._after)

    def _take(self, robot: int, location: Location) -> None:
        self._after[robot] = location
        self._taken[location] = robot

    def _collides(self, robot: int, location: Location) -> bool:
        """Whether a robot that moves to a location changes places with another one."""
        other = self._robot_at.get(location)
        return other is not None and other != robot and self._after[other] == self._here[robot]

    def _move(self, robot: int) -> bool:
        """Choose a location for a robot, and for robots in its way; return False if it has to stay where it is."""
        here, robot_at, distance = self._here[robot], self._robot_at, self.distances[robot]
        numbered = enumerate((*self.neighbours(here), here))
        keys = sorted((distance[to], shuffled(self._turn, robot, way), way, to) for way, to in numbered)
        choices = [key[-1] for key in keys]
        follower = self._partner(robot, choices[0])
        if follower is not None:
            choices.reverse()
        for location in choices:
            if location in self._taken or self._collides(robot, location):
                continue
            self._take(robot, location)
            other = robot_at.get(location)
            if other is not None and self._after[other] is None and not self._move(other):
                continue
            pulls = follower is not None and location == choices[0]
            if pulls and self._after[follower] is None and here not in self._taken:
                self._take(follower, here)
            return True
        self._take(robot, here)  # the robot that pushed wants this location and can't take it
        return False

    def _partner(self, robot: int, first: Location) -> Any:
        """Return the robot that has to change places with this one, whose first choice is given, and can; or None."""
        here = self._here[robot]
        if first == here:
            return None
        other = self._robot_at.get(first)
        if (
            other is not None
            and self._after[other] is None
            and self._must_swap(robot, other, here, first)
            and self._can_swap(first, here)
        ):
            return other
        for beside in self.neighbours(here):  # it may clear the way for a robot behind it
            behind = self._robot_at.get(beside)
            if behind is None or beside == first:
                continue
            if self._must_swap(behind, robot, here, first) and self._can_swap(first, here):
                return behind
        return None

    def _must_swap(self, pusher: int, puller: int, behind: Location, ahead: Location) -> bool:
        """Whether two robots want to pass each other, if one pushes the other one along the corridor from `behind`."""
        wants, other = self.distances[pusher], self.distances[puller]
        exits = 1
        while exits == 1 and wants[ahead] < wants[behind]:
            exits, onward = self._exits(behind, ahead)
            if exits == 1:
                behind, ahead = ahead, onward
        if exits > 1:
            return False
        return other[behind] < other[ahead] and (wants[behind] == 0 or wants[ahead] < wants[behind])

    def _can_swap(self, behind: Location, ahead: Location) -> bool:
        """Whether the corridor from `behind` leads to a junction where two robots can pass each other."""
        start, exits = behind, 1
        while ahead != start and exits == 1:
            exits, onward = self._exits(behind, ahead)
            behind, ahead = ahead, onward
        return exits >= 2

    def _exits(self, behind: Location, ahead: Location) -> tuple[int, Location]:
        """Return the number of ways on, without dead ends where a robot is at home, and the last of them."""
        exits, onward = 0, ahead
        for location in self.neighbours(ahead):
            robot = self._robot_at.get(location)
            at_home = robot is not None and self.goals[robot] == location
            if location != behind and not (at_home and len(self.neighbours(location)) == 1):
                exits, onward = exits + 1, location
        return exits, onward


def shuffled(turn: int, robot: int, way: int) -> int:
    """Return a number of 32 bits that looks random, by which a robot orders its ways in a turn."""
    mixed = (turn * 0x9E3779B1 + robot * 0x85EBCA6B + way * 0xC2B2AE35) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return mixed ^ mixed >> 12
