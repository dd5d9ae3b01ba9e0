"""The arrays with which `cbs` searches for paths, draws diagrams and compares them, as machine code."""

from collections.abc import Callable
from math import prod
from mmap import mmap
from time import thread_time
from typing import Any

import numpy as np

from searchkit.compiled.kit import KernelRun, control
from searchkit_robots.compiled import single
from searchkit_robots.compiled.drawing import Clashes, Drawing, Route
from searchkit_robots.compiled.roads import FAR, Flood, Numbered
from searchkit_robots.compiled.single import (
    ABLE,
    COUNT,
    ROW,
    SIZE,
    STAMP,
    TIME_AT,
    Levels,
    Queue,
    Rules,
    Traffic,
)  # fmt: skip
from searchkit_robots.engines._constraints import Constraints, Robot

ROOM = 1 << 10
MORE_TIMES = 32
MOST_STEPS = 1 << 14
"""The steps of one call of a kernel at most: some 0.2 ms, or 10 ms if they touch memory for the first time."""
MOST_RULED = 64
"""The number of constraints of a robot whose arrays are kept."""
MOST_PATHS = 8
"""The number of paths that are entered into the traffic before the time is looked at."""


def _sparse(shape: tuple[int, ...], kind: type[np.generic]) -> Any:
    """Return an array of zeros. Memory is taken in small pages as it is written to; numpy takes 2 MB at a time."""
    size = prod(shape)
    try:
        pages = mmap(-1, size * np.dtype(kind).itemsize)
    except OSError as error:
        raise MemoryError from error
    return np.frombuffer(pages, kind, size).reshape(shape)


class Late(BaseException):
    """Raised in an expansion that takes long. It is begun again, and finds what it has computed so far."""


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
        self._floods: dict[int, Flood] = {}
        """Location → the computation of the distances to it that was broken off."""
        self.counters = np.zeros(single.COUNTERS, np.int64)
        self._times = 0
        self._make_times(MORE_TIMES)
        self._make_arrivals(ROOM)
        self._cells, self._after = np.empty(ROOM, np.int32), np.empty((ROOM, self.widest + 1), np.int32)
        self._index, self._too = np.full((2, self.size), -1, np.int32)
        self._pairs, self._paired = np.zeros((2, ROOM), np.uint8), 0
        self._found = np.empty((ROOM, 5), np.int32)
        self._ruled: dict[tuple[int, Constraints], tuple[Any, ...]] = {}
        """What follows from constraints of a robot, for those that were used last."""
        self.memory: dict[tuple[Any, ...], Any] = {}
        """Paths, diagrams and comparisons that were computed since the last expansion or evaluation was done."""
        self.begun: tuple[Any, ...] | None = None
        """Which search for a path, diagram or comparison was broken off."""

    def _make_times(self, times: int) -> None:
        """Make the arrays with a row for each time."""
        self.run.check_memory(times * self.size * (17 + 2 + 2 * self.widest))
        self._times = times
        self._driven: dict[int, Route] = {}
        """The paths in the arrays of traffic."""
        self._rests = np.full(self.size, single.NEVER, np.int32)
        self._banned = _sparse((times, self.size), np.uint8)
        self._at = _sparse((times, self.size), np.int16)
        self._moves = _sparse((times, self.size, self.widest), np.int16)
        self._places = _sparse((times, self.size, 4), np.int32)

    def _make_arrivals(self, room: int) -> None:
        self.run.check_memory(room * 28)
        self._arrivals = np.empty((room, 3), np.int32)
        self._queue = Queue(np.empty(room, np.int64), np.empty(room, np.int64))
        self._path = np.empty(room, np.int32)

    def _distances_to(self, location: int) -> Any:
        if location not in self.distances:
            if location not in self._floods:
                self.run.check_memory(8 * self.size)
                self._floods = {location: Flood(self.numbered, location, np.empty(self.size, np.int32))}
            flood = self._floods[location]
            while not flood.advance():
                if self.is_late():
                    raise Late
            self.distances[location] = flood.distances
            self._floods.clear()
        return self.distances[location]

    def rules(self, robot: int, constraints: Constraints) -> tuple[Rules, Any, Any]:
        """Return the rules of a robot, and the forbidden (time, location), which the caller has to clear.

        Until it is called, no other rules may be made.
        """
        key = robot, constraints
        if key not in self._ruled:
            if len(self._ruled) >= MOST_RULED:
                self._ruled.clear()
            self._ruled[key] = self._made_rules(robot, constraints)
        rows, banned, wanted, rules = self._ruled[key]
        if rows > self._times:
            self._make_times(rows + MORE_TIMES)
        self._banned[banned[0], banned[1]] = 1
        return Rules(self._banned, *rules), banned, wanted

    def _made_rules(self, robot: int, constraints: Constraints) -> tuple[Any, ...]:
        """Return the number of times, the forbidden (time, location), the landmarks, and the fields of `Rules`."""
        wanted: list[Any] = sorted(constraints.landmarks)
        rests = [self._distances_to(location) for _, location in wanted]
        ahead = np.stack(rests) if rests else np.empty((0, self.size), np.int32)
        vertices, edges, closed = constraints.forbidden(robot)
        rows = constraints.horizon + 2
        vertices |= {(time, place) for place, first in closed.items() for time in range(first, rows)}
        banned = np.array(list(vertices), np.int64).reshape(-1, 2).T
        moves = np.array(list(edges), np.int32).reshape(-1, 3)
        has_edges, landmarks = np.zeros(rows, np.uint8), np.full(rows, -1, np.int32)
        has_edges[moves[:, 0]] = 1
        times = np.array([time for time, _ in wanted], np.int32)
        for time, location in wanted:
            landmarks[time] = location
        upcoming = np.searchsorted(times, np.arange(rows), side="right").astype(np.int32)
        return rows, banned, wanted, (moves, has_edges, landmarks, upcoming, times, ahead)

    def recalled(self, key: tuple[Any, ...], compute: Callable[[tuple[Any, ...]], Any]) -> Any:
        """Return what is computed for a key, also if an expansion was broken off after that. Raises `Late`."""
        if key not in self.memory:
            self.memory[key] = compute(key)
            if self.is_late():
                raise Late
        return self.memory[key]

    def begins(self, key: Any) -> bool:
        """Whether the work that this key stands for begins, instead of going on after it was broken off."""
        begins: bool = self.begun != key
        self.begun = key
        return begins

    def remembered(self, robot: int, constraints: Constraints, others: list[Any]) -> Route | None:
        """Return the best path of a robot, also if an expansion was broken off after it was found. Raises `Late`."""
        key = (robot, constraints, *map(id, others))
        found: Route | None = self.recalled(key, lambda key: self.best_path(robot, constraints, others, key))
        return found

    def best_path(self, robot: int, constraints: Constraints, others: list[Any], key: Any) -> Route | None:
        """Return the best path of a robot; see `searchkit_robots.engines._single.best_path`."""
        roads, counters = self.roads, self.counters
        rules, banned, wanted = self.rules(robot, constraints)
        try:
            start, goal = int(roads.starts[robot]), int(roads.goals[robot])
            end = max(
                [int(roads.distances[robot, start]), constraints.earliest]
                + (banned[0][banned[1] == goal] + 1).tolist()
                + [time + int(roads.distances[robot, place]) for time, place in wanted if place != goal]
            )
            latest = int(min(constraints.latest(robot), FAR - 1))
            able = (
                end <= latest
                and not self._banned[0, start]
                and len({time for time, _ in wanted}) == len(wanted)
            )
            at_last = self._banned[len(rules.has_edges) - 1, goal]
            if not able or at_last or rules.landmarks[0] not in (-1, start):
                return None
            traffic = self._traffic_of(others)
            if self.begins(key):
                counters[STAMP] += 1
                counters[SIZE] = counters[COUNT] = 1
                self._arrivals[0] = 0, start, -1
                self._queue.costs[0], self._queue.turns[0] = end << 31, single.LATEST << 31
            return self._find(robot, rules, traffic, (end, latest))
        finally:
            self._banned[banned[0], banned[1]] = 0

    def _traffic_of(self, others: list[Route]) -> Traffic:
        """Return the traffic of these paths. Those that the last traffic had too remain. Raises `Late`."""
        driven, numbers = self._driven, list(map(id, others))
        changes = [(driven[number], -1) for number in driven.keys() - numbers]
        if len(driven) - len(changes) < len(numbers):
            changes += [
                (path, 1) for number, path in zip(numbers, others, strict=True) if number not in driven
            ]
        traffic = Traffic(self._at, self._moves, self._rests)
        for number, (path, change) in enumerate(changes, 1):
            single.drive(self.roads, traffic, path.array, change)
            if change > 0:
                self._driven[id(path)] = path
            else:
                del self._driven[id(path)]
            if number % MOST_PATHS == 0 and self.is_late():
                raise Late
        return traffic

    def _find(self, robot: int, rules: Rules, traffic: Traffic, ends: tuple[int, int]) -> Route | None:
        """Run the kernel until the search has ended. Raises `Late`; then the next call continues."""
        counters = self.counters
        while True:
            why = single.find(
                self.roads, rules, traffic, robot, *ends, self._queue, self._arrivals,
                self._places, self._path, counters, MOST_STEPS,
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
        return thread_time() > self.until

    until = 0.0
    """The CPU time of the thread after which the run has to return."""

    def route(self, array: Any) -> Route:
        """Return a path of these numbers; make room for its times."""
        if len(array) > self._times:
            self._make_times(len(array) + MORE_TIMES)
        route = Route(array.tolist())
        route.array = array
        return route

    def draw(self, robot: Robot, constraints: Constraints, cost: int) -> Drawing:
        """Return the diagram of the paths of a robot with this cost. Raises `Late`."""
        key = "diagram", robot.index, constraints, cost
        drawn: Drawing = self.recalled(key, lambda key: self._draw(robot, constraints, cost, key))
        return drawn

    def _draw(self, robot: Robot, constraints: Constraints, cost: int, key: Any) -> Drawing:
        rules, banned, _ = self.rules(robot.index, constraints)
        counters = self.counters
        try:
            if self.begins(key):
                self._offsets = np.zeros(cost + 2, np.int64)
                self._offsets[1], self._cells[0] = 1, self.roads.starts[robot.index]
                counters[[COUNT, TIME_AT]] = 1
            while True:
                why = single.draw(
                    self.roads, rules, robot.index, cost, self._offsets, self._cells, self._after, self._index,
                    counters, MOST_STEPS,
                )  # fmt: skip
                if why == control.EXHAUSTED:
                    break
                if why == control.FULL:
                    self._make_cells(2 * len(self._cells), int(counters[COUNT]))
                elif self.is_late():
                    raise Late
        finally:
            self._banned[banned[0], banned[1]] = 0
        self.begun, count = None, int(counters[COUNT])
        self._after[self._offsets[-2] : count] = -1
        levels = Levels(self._offsets, self._cells[:count].copy(), self._after[:count].copy())
        return Drawing(self, robot, constraints, levels)

    def _make_cells(self, room: int, used: int) -> None:
        self.run.check_memory(room * (8 + 4 * self.widest))
        cells, after = np.empty(room, np.int32), np.empty((room, self.widest + 1), np.int32)
        cells[:used], after[:used] = self._cells[:used], self._after[:used]
        self._cells, self._after = cells, after

    def met(self, one: Drawing, other: Drawing) -> tuple[Any, Any] | None:
        """Return the met places of two diagrams; None if paths of them have no conflict. Raises `Late`."""
        found: tuple[Any, Any] | None = self.recalled(
            (one.key, other.key), lambda key: self._meet(one, other, key)
        )
        return found

    def _meet(self, one: Drawing, other: Drawing, key: Any) -> tuple[Any, Any] | None:
        counters, count = self.counters, one.widest * other.widest
        if self.begins(key):
            self._pairs[:, : self._paired] = 0
            if count > self._pairs.shape[1]:
                self.run.check_memory(4 * count)
                self._pairs = np.zeros((2, 2 * count), np.uint8)
            self._paired, self._ways = count, np.empty(other.widest, np.int32)
            self._met = (
                np.zeros(len(one.levels.places), np.uint8),
                np.zeros(len(other.levels.places), np.uint8),
            )
            self._pairs[0, 0] = 1
            counters[[TIME_AT, ROW]] = 0
            counters[ABLE] = max(len(one.levels.offsets), len(other.levels.offsets)) == 2
        while (
            single.meet(one.levels, other.levels, self._pairs, self._ways, *self._met, counters, MOST_STEPS)
            == control.PAUSED
        ):
            if self.is_late():
                raise Late
        self.begun, self._paired = None, 0
        return None if counters[ABLE] else self._met

    def conflicts(self, paths: tuple[Route, ...]) -> Clashes:
        """Return the conflicts of paths; see `conflicts_between`. Raises `Late`; then the next call continues."""
        key = "conflicts", *map(id, paths)
        found: Clashes = self.memory[key] if key in self.memory else self._conflicts(paths, key)
        return found

    def _conflicts(self, paths: tuple[Route, ...], key: Any) -> Clashes:
        counters = self.counters
        if self.begins(key):
            lengths = np.fromiter(map(len, paths), np.int64, len(paths))
            places = np.concatenate([path.array for path in paths])
            self._compared = places, np.cumsum(lengths) - lengths, lengths
            counters[[COUNT, TIME_AT]] = 0
        while True:
            why = single.compare(
                *self._compared,
                self._index,
                self._too,
                self._found,
                counters,
                MOST_STEPS,
            )
            if why == control.EXHAUSTED:
                break
            if why == control.FULL:
                self.run.check_memory(40 * len(self._found))
                found, count = self._found, int(counters[COUNT])
                self._found = np.empty((2 * max(len(found), 2 * len(paths)), 5), np.int32)
                self._found[:count] = found[:count]
            elif self.is_late():
                raise Late
        self.begun = None
        self.memory[key] = clashes = Clashes(self._found[: int(counters[COUNT])].copy())
        return clashes
