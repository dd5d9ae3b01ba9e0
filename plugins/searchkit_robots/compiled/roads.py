"""The locations of a multi-agent problem as numbers: where steps lead, and how far the goals are."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from searchkit.compiled import compiler
from searchkit.compiled.cache import NotCompiledError, no_compiling
from searchkit.compiled.functions import kernel
from searchkit.plugin import MissingExtraError
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.plans import WAIT_SECONDS
from searchkit_robots.problem import Makespan, SumOfCosts

Locate: TypeAlias = Callable[[Any], tuple[Location, ...]]
"""Returns the locations of an array of numbers."""
FAR = 1 << 30
"""The distance of locations from which a goal can't be reached."""


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
    """A problem as arrays, and the locations by their numbers. The distances to goals are unknown until `flood`."""

    def __init__(self, problem: MultiAgent):
        self.problem = problem
        if type(problem) in (SumOfCosts, Makespan):
            self.locations = self._number_grid(problem)
        else:
            self.locations = self._explore()
        ends = [(self.number(start), self.number(goal)) for start, goal in problem.endpoints()]
        starts, goals = np.array(ends, np.int32).T.copy()
        distances = np.empty((len(ends), len(self.degrees)), np.int32)
        sums = problem.objective == "sum-of-costs"
        self.roads = Roads(self.ways, self.degrees, starts, goals, distances, sums)
        self._flooded = 0
        """The number of robots to whose goals the distances are known."""

    def flood(self, poll: Callable[[], object]) -> None:
        """Compute the distances to the goals that are not known yet. Raises what `poll` raises."""
        roads, queue = self.roads, np.empty(len(self.degrees), np.int32)
        while self._flooded < len(roads.goals):
            robot = self._flooded
            patient(poll, flood, self.ways, self.degrees, roads.goals[robot], roads.distances[robot], queue)
            self._flooded += 1
            poll()

    def _number_grid(self, problem: Any) -> Locate:
        """Give the cells of a grid the numbers of its terrain; return what finds the cells of numbers."""
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
        return lambda numbers: tuple(
            zip((numbers % stride).tolist(), (numbers // stride).tolist(), strict=True)
        )

    def _explore(self) -> Locate:
        """Give numbers to the locations that can be reached from starts and goals; return what finds them."""
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
        return lambda numbers: tuple(map(found.__getitem__, numbers.tolist()))


def patient(poll: Callable[[], object], function: Any, *arguments: Any) -> Any:
    """Call a kernel. If it is not compiled yet, another process compiles it, and limits hold meanwhile."""
    requested = None
    while True:
        try:
            with no_compiling:
                return function(*arguments)
        except NotCompiledError as error:
            known, requested = error.request == requested, error.request
        try:
            while not known and not compiler.wait(requested, WAIT_SECONDS):
                poll()
        except MissingExtraError:
            known = True
        if known:  # no other process can compile it
            return function(*arguments)


@kernel
def flood(ways: Any, degrees: Any, goal: Any, distances: Any, queue: Any) -> None:
    """Write the distance of each location to a goal, or `FAR`; `queue` is room for them. O(locations)."""
    for location in range(distances.size):
        distances[location] = FAR
    distances[goal], queue[0], tail, head = 0, goal, 1, 0
    while head < tail:
        here = queue[head]
        head += 1
        for way in range(degrees[here]):
            there = ways[here, way]
            if distances[there] == FAR:
                distances[there] = distances[here] + 1
                queue[tail] = there
                tail += 1
