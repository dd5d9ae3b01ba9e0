"""The constraint tree of `cbs` over numbered locations: the searches of single robots are machine code."""

from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from searchkit.compiled.kit import KernelRun, control
from searchkit_robots.compiled import single
from searchkit_robots.compiled.roads import FAR, Numbered, flood
from searchkit_robots.compiled.single import COUNT, SIZE, STAMP, Queue, Rules, Traffic
from searchkit_robots.engines._conflicts import Conflict
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines.cbs import ConstraintTree, Node

ROOM = 1 << 10
MORE_TIMES = 32


class Late(BaseException):
    """Raised in an expansion that takes long. It is begun again, and finds what it has computed so far."""


class Route(tuple[int, ...]):
    """A path as the numbers of locations, and as an array."""

    array: Any


class Drawing:
    """A diagram as arrays; see `searchkit_robots.engines._single.Diagram`."""

    number = 0
    robot: Robot
    constraints: Constraints
    path: Any

    def __init__(self, tools: "Tools", offsets: Any, places: Any, after: Any):
        self.tools, self.offsets, self.places, self.after = tools, offsets, places, after
        self._times = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        alive = np.bincount(self._times[places >= 0], minlength=len(offsets) - 1)
        self.widest = int(np.diff(offsets).max())
        self._single = (alive == 1).tolist()
        self._cells: set[tuple[int, int]] | None = None

    def is_single(self, time: int) -> bool:
        """Whether all paths are at the same location at a time."""
        return bool(self._single[min(time, len(self._single) - 1)])

    def holds(self, time: int, location: int) -> bool:
        """Whether a path is at a location at a time."""
        if self._cells is None:
            self._cells = set(zip(self._times.tolist(), self.places.tolist(), strict=True))
        return (min(time, len(self._single) - 1), location) in self._cells

    def is_compatible(self, other: "Drawing") -> bool:
        """Whether a path of this diagram and one of another have no conflict."""
        now, then = self.tools.pairs(self.widest * other.widest)
        return bool(
            single.are_compatible(
                self.offsets, self.places, self.after, other.offsets, other.places, other.after, now, then
            )
        )


class Tools:
    """The arrays with which paths are searched for. They grow as they are needed.

    Args:
        numbered: the problem.
        run: the run, which says how much memory is left and how many steps a call may take.

    """

    def __init__(self, numbered: Numbered, run: KernelRun):
        self.numbered, self.run, self.roads = numbered, run, numbered.roads
        self.size, self.widest = self.roads.ways.shape
        self.distances: dict[int, Any] = {}
        """Location → the distances to it, for landmarks."""
        self.counters = np.zeros(single.COUNTERS, np.int64)
        self._times = 0
        self._make_times(MORE_TIMES)
        self._make_arrivals(ROOM)
        self._cells, self._after = np.empty(ROOM, np.int32), np.empty((ROOM, self.widest + 1), np.int32)
        self._index, self._too = np.full((2, self.size), -1, np.int32)
        self._pairs = np.zeros((2, ROOM), np.uint8)
        self._found = np.empty((ROOM, 5), np.int32)
        self._rests = np.full(self.size, single.NEVER, np.int32)
        self.memory: dict[tuple[Any, ...], Route | None] = {}
        """The paths that were found since the last expansion or evaluation was done."""
        self.begun: tuple[Any, ...] | None = None
        """Which search for a path was broken off."""

    def _make_times(self, times: int) -> None:
        """Make the arrays with a row for each time."""
        self.run.check_memory(times * self.size * (17 + 2 + 2 * self.widest))
        self._times = times
        self._banned = np.zeros((times, self.size), np.uint8)
        self._at = np.zeros((times, self.size), np.int16)
        self._moves = np.zeros((times, self.size, self.widest), np.int16)
        self._places = np.zeros((times, self.size, 4), np.int32)

    def _make_arrivals(self, room: int) -> None:
        self.run.check_memory(room * 28)
        self._arrivals = np.empty((room, 3), np.int32)
        self._queue = Queue(np.empty(room, np.int64), np.empty(room, np.int64))
        self._path = np.empty(room, np.int32)

    def pairs(self, count: int) -> Any:
        """Return two arrays of zeros."""
        if count > self._pairs.shape[1]:
            self.run.check_memory(4 * count)
            self._pairs = np.zeros((2, 2 * count), np.uint8)
        return self._pairs

    def _distances_to(self, location: int) -> Any:
        if location not in self.distances:
            self.run.check_memory(4 * self.size)
            distances = np.full(self.size, FAR, np.int32)
            flood(self.roads.ways, self.roads.degrees, location, distances, np.empty(self.size, np.int32))
            self.distances[location] = distances
        return self.distances[location]

    def rules(self, robot: int, constraints: Constraints) -> tuple[Rules, Any, Any]:
        """Return the rules of a robot, and the forbidden (time, location), which `clear` needs.

        Until it is called, no other rules may be made.
        """
        vertices, edges = constraints.forbidden(robot)
        rows = constraints.horizon + 2
        if rows > self._times:
            self._make_times(rows + MORE_TIMES)
        banned = np.array(list(vertices), np.int64).reshape(-1, 2).T
        self._banned[banned[0], banned[1]] = 1
        moves = np.array(list(edges), np.int32).reshape(-1, 3)
        has_edges, landmarks = np.zeros(rows, np.uint8), np.full(rows, -1, np.int32)
        has_edges[moves[:, 0]] = 1
        wanted: list[Any] = sorted(constraints.landmarks)
        times = np.array([time for time, _ in wanted], np.int32)
        for time, location in wanted:
            landmarks[time] = location
        upcoming = np.searchsorted(times, np.arange(rows), side="right").astype(np.int32)
        rests = [self._distances_to(location) for _, location in wanted]
        ahead = np.stack(rests) if rests else np.empty((0, self.size), np.int32)
        return Rules(self._banned, moves, has_edges, landmarks, upcoming, times, ahead), banned, wanted

    def remembered(self, robot: int, constraints: Constraints, others: list[Any]) -> Route | None:
        """Return the best path of a robot, also if an expansion was broken off after it was found. Raises `Late`."""
        key = (robot, constraints, *map(id, others))
        if key not in self.memory:
            self.memory[key] = self.best_path(robot, constraints, others, key)
            if self.is_late():
                raise Late
        return self.memory[key]

    def best_path(self, robot: int, constraints: Constraints, others: list[Any], key: Any) -> Route | None:
        """Return the best path of a robot; see `searchkit_robots.engines._single.best_path`."""
        roads, counters = self.roads, self.counters
        rules, banned, wanted = self.rules(robot, constraints)
        try:
            start, goal = int(roads.starts[robot]), int(roads.goals[robot])
            end = max(
                [int(roads.distances[robot, start])]
                + (banned[0][banned[1] == goal] + 1).tolist()
                + [time + int(roads.distances[robot, place]) for time, place in wanted if place != goal]
            )
            able = (
                end < FAR and not self._banned[0, start] and len({time for time, _ in wanted}) == len(wanted)
            )
            if not able or rules.landmarks[0] not in (-1, start):
                return None
            lengths = np.array([len(path) for path in others], np.int64)
            longest = int(lengths.max(initial=0))
            if longest > self._times:
                raise AssertionError("paths are no longer than the arrays")
            places = np.concatenate([path.array for path in others]) if others else np.empty(0, np.int32)
            traffic = Traffic(self._at, self._moves, self._rests)
            single.drive(roads, traffic, places, lengths, 1)
            try:
                if self.begun != key:
                    counters[STAMP] += 1
                    counters[SIZE] = counters[COUNT] = 1
                    self._arrivals[0] = 0, start, -1
                    self._queue.costs[0], self._queue.turns[0] = end << 31, single.LATEST << 31
                    self.begun = key
                return self._find(robot, rules, traffic, end)
            finally:
                single.drive(roads, traffic, places, lengths, -1)
        finally:
            self._banned[banned[0], banned[1]] = 0

    def _find(self, robot: int, rules: Rules, traffic: Traffic, end: int) -> Route | None:
        """Run the kernel until the search has ended. Raises `Late`; then it goes on with the next call."""
        counters = self.counters
        while True:
            why = single.find(
                self.roads, rules, traffic, robot, end, self._queue, self._arrivals, self._places, self._path,
                counters, self.run.steps,
            )  # fmt: skip
            if why == control.FULL:
                arrivals, queue, used = self._arrivals, self._queue, int(counters[COUNT])
                size = int(counters[SIZE])
                self._make_arrivals(2 * len(arrivals))
                self._arrivals[:used] = arrivals[:used]
                for array, old in zip(self._queue, queue, strict=True):
                    array[:size] = old[:size]
            elif why == control.PAUSED:
                if self.is_late():
                    raise Late
            else:
                break
        self.begun = None
        if why != control.FOUND:
            return None
        return self.route(self._path[: int(counters[SIZE])].copy())

    def is_late(self) -> bool:
        """Whether the run has to return soon."""
        return perf_counter() > self.until

    until = 0.0
    """The time of the clock after which the run has to return."""

    def route(self, array: Any) -> Route:
        """Return a path of these numbers; make room for its times."""
        if len(array) > self._times:
            self._make_times(len(array) + MORE_TIMES)
        route = Route(array.tolist())
        route.array = array
        return route

    def draw(self, robot: int, constraints: Constraints, cost: int) -> Drawing:
        """Return the diagram of the paths of a robot with this cost."""
        rules, banned, _ = self.rules(robot, constraints)
        offsets = np.zeros(cost + 2, np.int64)
        while True:
            count = single.draw(
                self.roads, rules, robot, cost, offsets, self._cells, self._after, self._index
            )
            if count >= 0:
                break
            room = 2 * len(self._cells)
            self.run.check_memory(room * (8 + 4 * self.widest))
            self._cells, self._after = np.empty(room, np.int32), np.empty((room, self.widest + 1), np.int32)
        self._banned[banned[0], banned[1]] = 0
        return Drawing(self, offsets, self._cells[:count].copy(), self._after[:count].copy())

    def conflicts(self, paths: tuple[Route, ...]) -> list[Conflict]:
        """Return the conflicts of paths; see `searchkit_robots.engines._conflicts.conflicts_between`."""
        lengths = np.array([len(path) for path in paths], np.int64)
        places, firsts = np.concatenate([path.array for path in paths]), np.cumsum(lengths) - lengths
        count = single.compare(places, firsts, lengths, self._index, self._too, self._found)
        if count > len(self._found):
            self.run.check_memory(40 * count)
            self._found = np.empty((2 * count, 5), np.int32)
            single.compare(places, firsts, lengths, self._index, self._too, self._found)
        return [
            Conflict(time, first, second, ((to,), (to,)) if here < 0 else ((to, here), (here, to)))
            for time, first, second, here, to in self._found[:count].tolist()
        ]


class ShownNode:
    """A node of the constraint tree as the engine in Python has it. Its locations are looked up late."""

    def __init__(self, tree: "NumberedTree", node: Node):
        self.tree, self.node = tree, node
        self.cost = node.cost

    @cached_property
    def paths(self) -> tuple[Any, ...]:
        """The paths of the robots."""
        return tuple(self.tree.plan(self.node))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node | ShownNode):
            return NotImplemented
        return self.cost == other.cost and self.paths == other.paths

    def __hash__(self) -> int:
        return hash((self.cost, self.paths))

    def __str__(self) -> str:
        return str(self.node)


class NumberedTree(ConstraintTree):
    """The constraint tree over numbered locations."""

    tools: Tools

    @classmethod
    def of(cls, tools: Tools, solvability: Any) -> "NumberedTree":
        """Return the tree of a problem, without nodes."""
        problem, roads = tools.numbered.problem, tools.roads
        ends = zip(roads.starts.tolist(), roads.goals.tolist(), strict=True)
        robots = tuple(Robot(problem, index, *both) for index, both in enumerate(ends))
        tree = cls(problem, robots, solvability)
        tree.tools = tools
        return tree

    def part(self, robots: tuple[Robot, ...]) -> "NumberedTree":
        """Return a constraint tree for some robots, without nodes."""
        tree = NumberedTree(self.problem, robots, ())
        tree.tools = self.tools
        return tree

    def best_path(self, robot: int, constraints: Constraints, others: list[Any]) -> Any:
        """Return the best path of a robot."""
        return self.tools.remembered(self.robots[robot].index, constraints, others)

    def settle(self) -> None:
        """Forget the paths that were found in an expansion or evaluation, which is done."""
        self.tools.memory.clear()

    def conflicts(self, paths: Any) -> list[Conflict]:
        """Return the conflicts of paths."""
        return self.tools.conflicts(paths)

    def new_diagram(self, robot: int, constraints: Constraints, cost: int) -> Any:
        """Return the cheapest paths of a robot."""
        return self.tools.draw(self.robots[robot].index, constraints, cost)

    def plan(self, node: Node) -> Any:
        """Return the paths of a node, as locations."""
        return [self.tools.numbered.locations(path.array) for path in node.paths]  # type: ignore[attr-defined]

    def shown(self, node: Node) -> "ShownNode":
        """Return a node as observers see it."""
        return ShownNode(self, node)
