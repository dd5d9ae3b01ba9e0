"""The locations of a multi-agent problem as numbers: where steps lead, and how far the goals are."""

from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit_dungeon import Cell
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.engines import _common
from searchkit_robots.problem import Makespan, SumOfCosts

FAR = 1 << 30
"""The distance of locations from which a goal can't be reached."""
MOST_FLOODED = 1 << 17
"""The locations that a call of `flood` takes from its queue at most: a few milliseconds."""


class Roads(NamedTuple):
    """The arrays of a problem. Locations and robots are numbered from 0."""

    ways: Any
    """int32: location, number of the step → where it leads; the steps are in the order of the problem."""
    degrees: Any
    """int32: location → the number of steps."""
    starts: Any
    """int32: robot → its start."""
    goals: Any
    """int32: robot → its goal."""
    distances: Any
    """int32: robot, location → steps from there to its goal, or `FAR`."""
    sums: Any
    """Whether the objective is the sum of costs, not the makespan."""


class Numbered:
    """A problem as arrays, and the locations by their numbers. The distances to goals are unknown until `flood`.

    Args:
        problem: the problem. Distances are computed by its `neighbours`.
        check_memory: called with a number of bytes before they are allocated.

    Raises what `check_memory` raises.

    """

    def __init__(self, problem: MultiAgent, check_memory: Callable[[int], None] = lambda size: None):
        self.problem = problem
        if type(problem) in (SumOfCosts, Makespan):
            self.location: Callable[[int], Location] = self._number_grid(problem)
        else:
            self.location = self._explore()
        starts, goals = (
            np.array(ends, np.int32) for ends in zip(*map(self._ends, problem.endpoints()), strict=True)
        )
        count, size = len(starts), len(self.degrees)
        check_memory(4 * count * size)
        sums = problem.objective == "sum-of-costs"
        self.roads = Roads(self.ways, self.degrees, starts, goals, np.empty((count, size), np.int32), sums)
        self._flooded = 0
        """The number of robots to whose goals the distances are known."""
        self._flood: Flood | None = None

    def flood(self) -> bool:
        """Compute distances to goals, for some milliseconds; return whether all are known."""
        roads = self.roads
        if self._flooded < len(roads.goals):
            if self._flood is None:
                self._flood = Flood(self, int(roads.goals[self._flooded]), roads.distances[self._flooded])
            if self._flood.advance():
                self._flooded, self._flood = self._flooded + 1, None
        return self._flooded == len(roads.goals)

    def _ends(self, ends: tuple[Location, Location]) -> tuple[int, int]:
        return self.number(ends[0]), self.number(ends[1])

    def _number_grid(self, problem: Any) -> Callable[[int], Cell]:
        """Give the cells of a grid the numbers of its terrain; return the cell of a number."""
        terrain = problem.terrain
        stride = terrain.stride
        masks = np.frombuffer(terrain.steps(4, "no").masks, np.uint8)
        cells = np.arange(len(masks), dtype=np.int32)
        self.ways = np.zeros((len(masks), 4), np.int32)
        self.degrees = np.zeros(len(masks), np.int32)
        for bit, offset in enumerate((-stride, 1, stride, -1)):
            able = cells[masks >> bit & 1 != 0]
            self.ways[able, self.degrees[able]] = able + np.int32(offset)
            self.degrees[able] += 1
        self.number: Callable[[Any], int] = lambda cell: cell[1] * stride + cell[0]
        return lambda number: (number % stride, number // stride)

    def _explore(self) -> Callable[[int], Location]:
        """Give numbers to the locations that can be reached from starts and goals; return the location of a number."""
        problem = self.problem
        known = {end: None for ends in problem.endpoints() for end in ends}
        numbers = {location: number for number, location in enumerate(known)}
        found = list(numbers)
        ways: list[list[int]] = []
        for location in found:  # which grows meanwhile
            ahead = problem.neighbours(location)
            for there in ahead:
                if there not in numbers:
                    numbers[there] = len(found)
                    found.append(there)
            ways.append([numbers[there] for there in ahead])
        widest = max(1, *map(len, ways))
        self.degrees = np.array([len(row) for row in ways], np.int32)
        self.ways = np.array([row + [0] * (widest - len(row)) for row in ways], np.int32)
        self.number = numbers.__getitem__
        return found.__getitem__

    def located(self, paths: Iterable[Any]) -> Generator[None, None, list[tuple[Location, ...]]]:
        """Return paths of numbers as locations, in pieces."""
        found, work = [], 0
        for path in paths:
            places: list[Location] = []
            for first in range(0, len(path), _common.MOST_ENTERED):
                part = path[first : first + _common.MOST_ENTERED]
                places += self.locations(part)
                work += len(part)
                if work >= _common.MOST_ENTERED:
                    yield
                    work = 0
            found.append(tuple(places))
        return found

    def locations(self, numbers: Any) -> tuple[Location, ...]:
        """Return the locations with these numbers."""
        return tuple(map(self.location, numbers.tolist()))


class Flood:
    """The computation of the distances to one location, in pieces.

    Args:
        numbered: the problem.
        goal: the location.
        distances: the array for the distance of each location, or for `FAR`.

    """

    def __init__(self, numbered: Numbered, goal: int, distances: Any):
        self.numbered, self.distances = numbered, distances
        self._queue, self._ends = np.empty(len(distances), np.int32), np.array([0, 1])
        distances.fill(FAR)
        distances[goal], self._queue[0] = 0, goal

    def advance(self) -> bool:
        """Compute some distances; return whether all are known."""
        numbered = self.numbered
        done: bool = flood(
            numbered.ways, numbered.degrees, self.distances, self._queue, self._ends, MOST_FLOODED
        )
        return done


@kernel
def flood(ways: Any, degrees: Any, distances: Any, queue: Any, ends: Any, most: Any) -> Any:
    """Write the distances of the neighbours of up to `most` locations of a queue; return whether it is empty.

    `ends` are the indices of the first location of the queue, and of the one after the last. O(locations) in all.
    """
    head, tail = ends[0], ends[1]
    last = min(head + most, queue.size)
    while head < min(tail, last):
        here = queue[head]
        head += 1
        for way in range(degrees[here]):
            there = ways[here, way]
            if distances[there] > distances[here] + 1:
                distances[there] = distances[here] + 1
                queue[tail] = there
                tail += 1
    ends[0], ends[1] = head, tail
    return head == tail
