"""A* over the joint moves of a group of robots, chosen robot by robot (operator decomposition)."""

from heapq import heappop, heappush
from itertools import product
from math import inf
from typing import NamedTuple, TypeAlias

from searchkit import Cost
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.engines._single import Path, Traffic, at


class Move(NamedTuple):
    """A partial joint move: the locations of the robots before it, and those of the robots that have moved after it.

    If no robot has moved, it is a state of the group at one time.
    """

    before: tuple[Location, ...]
    resting: tuple[bool, ...]
    """Whether each robot rests at its goal for good; for robots that have moved, after the move."""
    after: tuple[Location, ...] = ()
    clock: int = 0
    """The time, at most the last one at which the robots to avoid move."""

    def __str__(self) -> str:
        return " ".join(map(str, (*self.after, *self.before[len(self.after) :])))


Arrival: TypeAlias = tuple[Cost, int, int, Move | None]
"""The cost so far, the conflicts with others so far, the time, and the parent."""


class GroupSearch:
    """The search for the best plan of a group. It can stop between any two expansions.

    Args:
        problem: the problem.
        group: the robots, by index.
        others: the paths of robots with which conflicts are forbidden.
        traffic: the paths of robots with which conflicts are avoided if that costs nothing.
        most: the largest cost of a plan.

    """

    def __init__(
        self,
        problem: MultiAgent,
        group: tuple[int, ...],
        others: tuple[Path, ...] = (),
        traffic: tuple[Path, ...] = (),
        most: Cost = inf,
    ):
        self.problem, self.group, self.others, self.most = problem, group, others, most
        self.reached: dict[Move, Arrival] = {}
        self.closed: set[Move] = set()
        self.frontier: list[tuple[Cost, int, Cost, int, Move]] = []
        self.generated = 0
        ends = [self.problem.endpoints()[robot] for robot in self.group]
        self._goals = tuple(goal for _, goal in ends)
        self._distances = [self.problem.distances_to(goal) for goal in self._goals]
        self._sums = self.problem.objective == "sum-of-costs"
        self._forbidden, self._avoided = Traffic(others), Traffic(traffic)
        self._horizon = max(map(len, others), default=0)
        starts = tuple(start for start, _ in ends)
        choices = [
            (True, False) if self._sums and start == goal and self._free_from(0, goal) else (False,)
            for start, goal in ends
        ]
        for resting in product(*choices):
            self._enter(Move(starts, resting), 0, 0, 0, None)

    def __len__(self) -> int:
        return len(self.frontier)

    def next(self) -> Move | None:
        """Return the next state to expand; None if no state is left."""
        while self.frontier and self.frontier[0][-1] in self.closed:
            heappop(self.frontier)
        return self.frontier[0][-1] if self.frontier else None

    @property
    def lower_bound(self) -> Cost:
        """A lower bound on the cost of a plan of the group; infinity if there is no plan."""
        return self.frontier[0][0] if self.frontier else inf

    def is_goal(self, move: Move) -> bool:
        """Whether a state is the end of a plan."""
        if move.after:
            return False
        if self._sums:
            return all(move.resting)
        time = self.reached[move][2]
        return move.before == self._goals and all(self._free_from(time, goal) for goal in self._goals)

    def expand(self, move: Move) -> None:
        """Enter the successors of a state: the moves of the next robot."""
        cost, conflicts, time, _ = self.reached[move]
        robot = len(move.after)
        here = move.before[robot]
        if move.resting[robot]:
            self._decide(move, cost, conflicts, time, here, True)
        else:
            step = 1 if self._sums or robot == 0 else 0
            for there in (*self.problem.neighbours(here), here):
                if self._sums and there == self._goals[robot]:
                    self._decide(move, cost + step, conflicts, time, there, True)
                self._decide(move, cost + step, conflicts, time, there, False)
        self.closed.add(move)

    def paths(self, end: Move) -> list[Path]:
        """Return the path of each robot of the group to a state."""
        positions = []
        move: Move | None = end
        while move is not None:
            if not move.after:
                positions.append(move.before)
            move = self.reached[move][3]
        return list(zip(*reversed(positions), strict=True))

    def _decide(
        self, move: Move, cost: Cost, conflicts: int, time: int, there: Location, rests: bool
    ) -> None:
        robot = len(move.after)
        here = move.before[robot]
        for other, location in enumerate(move.after):
            if location == there or (location == here and move.before[other] == there):
                return
        if self._forbidden.conflicts(time + 1, here, there):
            return
        newly = rests and not move.resting[robot]
        if newly and not self._free_from(time + 1, there):
            return
        conflicts += self._avoided.conflicts(time + 1, here, there)
        resting = (*move.resting[:robot], rests, *move.resting[robot + 1 :])
        after = (*move.after, there)
        if len(after) < len(self.group):
            self._enter(Move(move.before, resting, after, move.clock), cost, conflicts, time, move)
        else:
            clock = min(time + 1, self._horizon)
            self._enter(Move(after, resting, (), clock), cost, conflicts, time + 1, move)

    def _enter(self, move: Move, cost: Cost, conflicts: int, time: int, parent: Move | None) -> None:
        f = cost + self._heuristic(move)
        known = self.reached.get(move)
        if f > self.most or f == inf or move in self.closed:
            return
        if known is not None and (known[0], known[1]) <= (cost, conflicts):
            return
        self.reached[move] = cost, conflicts, time, parent
        self.generated += 1
        heappush(self.frontier, (f, conflicts, -cost, -self.generated, move))

    def _heuristic(self, move: Move) -> Cost:
        """Return the heuristic: the cost to the goals if robots could not conflict."""
        where = (*move.after, *move.before[len(move.after) :])
        distances: list[Cost] = [
            to_goal.get(location, inf) for to_goal, location in zip(self._distances, where, strict=True)
        ]
        if self._sums:
            return sum(max(d, 1) for d, rests in zip(distances, move.resting, strict=True) if not rests)
        decided = len(move.after)
        rest = max(distances[decided:], default=0)
        return max([rest - 1 if decided else rest, *distances[:decided]])

    def _free_from(self, time: int, location: Location) -> bool:
        """Whether no robot to avoid is in a location at a time or later."""
        return all(
            at(path, moment) != location
            for path in self.others
            for moment in range(time, max(time + 1, len(path)))
        )
