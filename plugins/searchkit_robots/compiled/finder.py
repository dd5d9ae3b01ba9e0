"""Paths, diagrams and conflicts for `cbs`: the calls of its kernels, and their arrays, which grow."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from searchkit.compiled.kit import control
from searchkit.plugin import InputFormatError
from searchkit_robots.compiled import single
from searchkit_robots.compiled.roads import FAR, Numbered, patient
from searchkit_robots.compiled.single import COUNT, SIZE, Arrays, Levels, Queue
from searchkit_robots.constraints import VERTEX, Constraints

ROOM, TIMES = 1 << 10, 64
MAX_STEPS = 1 << 17
"""The steps of one call of `find`: a few milliseconds."""


class Diagram:
    """All paths of one robot with the least cost that its constraints allow: a multi-valued decision diagram.

    Args:
        robot: the robot.
        constraints: its constraints.
        levels: the paths.

    """

    def __init__(self, robot: int, constraints: Constraints, levels: Levels):
        self.robot, self.constraints, self.levels = robot, constraints, levels
        self.cost = len(levels.offsets) - 2
        times = np.repeat(np.arange(self.cost + 1), np.diff(levels.offsets))
        self.widths: list[int] = np.bincount(times[levels.places >= 0], minlength=self.cost + 1).tolist()
        """For each time, the number of locations."""
        self.size = sum(self.widths)
        """The number of places (time, location) on all paths."""

    def barrier(self, met: Any) -> bytes:
        """Return constraints that forbid the places that the robot must not enter, from its met places.

        If all paths of two diagrams conflict, then in any plan one of the robots enters no unmet place of its diagram,
        and arrives later than all paths of its diagram. So it suffices to forbid the first unmet places on the paths of
        a diagram, to one robot or to the other one.
        """
        offsets, places, after = self.levels
        ahead = after[np.flatnonzero(met[: offsets[-2]])].ravel()
        ahead = ahead[ahead >= 0]
        unmet = np.unique(ahead[met[ahead] == 0])
        times = np.searchsorted(offsets, unmet, side="right") - 1
        rows = np.stack([times, np.full(len(unmet), VERTEX), places[unmet]], axis=1)
        return rows.astype(np.int32).tobytes()


class Finder:
    """Finds paths of single robots, diagrams of them, and conflicts.

    Args:
        numbered: the problem, with the distances to its goals.

    """

    def __init__(self, numbered: Numbered):
        self.numbered, self.roads = numbered, numbered.roads
        self.poll: Callable[[], object] = bool
        """Called now and then; what it raises ends a call, which can be repeated."""
        self.counters = np.zeros(single.COUNTERS, np.int64)
        self._index, self._index_too = np.full((2, len(self.roads.degrees)), -1, np.int32)
        self._pairs, self._found = np.zeros((2, ROOM), np.uint8), np.empty((ROOM, 5), np.int32)
        self._make_arrays(TIMES, ROOM)
        self._make_cells(ROOM)

    def _make_arrays(self, times: int, room: int) -> None:
        size, widest = self.roads.ways.shape
        queue = Queue(np.empty(room, np.int64), np.empty(room, np.int64))
        self.counters[single.STAMP] = 0
        self._arrays = Arrays(
            np.zeros((times, size), np.uint8), np.zeros(times, np.uint8), np.zeros((times, size), np.int16),
            np.zeros((times, size, widest), np.int16), np.full(size, single.NEVER, np.int32),
            np.zeros((times, size, 4), np.int32), np.empty((room, 3), np.int32), queue, np.empty(room, np.int32),
        )  # fmt: skip

    def _make_cells(self, room: int) -> None:
        self._cells = np.empty(room, np.int32), np.empty((room, self.roads.ways.shape[1] + 1), np.int32)

    def _rows(self, constraints: Constraints) -> Any:
        """Return the rows of constraints, for which there is room then."""
        rows = np.frombuffer(constraints.rows, np.int32).reshape(-1, 3)
        self._fit(max(int(rows[:, 0].max()), constraints.earliest) + 2)
        return rows

    def _fit(self, times: int) -> None:
        if times > len(self._arrays.edged):
            self._make_arrays(2 * times, len(self._arrays.arrivals))

    def best_path(self, robot: int, constraints: Constraints, paths: Sequence[Any]) -> Any:
        """Return the path with the earliest last arrival that the constraints allow; None if there is none.

        Ties are broken by the number of conflicts with the paths of other robots.
        """
        others, firsts = _together(paths)
        rows = self._rows(constraints)
        self._fit(max(map(len, paths), default=0))
        ends = constraints.earliest, min(constraints.latest, FAR - 1)
        what, counters = single.BEGIN, self.counters
        why = control.PAUSED
        try:
            while True:
                why = patient(
                    self.poll, single.find, self.roads, robot, rows, *ends, others, firsts, self._arrays,
                    counters, what, MAX_STEPS,
                )  # fmt: skip
                what = single.CONTINUE
                if why == control.FULL:
                    self._make_arrays(len(self._arrays.edged), 2 * len(self._arrays.arrivals))
                    what = single.BEGIN
                elif why != control.PAUSED:
                    break
                self.poll()
        finally:
            if why == control.PAUSED and what == single.CONTINUE:
                single.find(
                    self.roads, robot, rows, *ends, others, firsts, self._arrays, counters, single.CLEAR, 0
                )
        return self._arrays.path[: counters[SIZE]].copy() if why == control.FOUND else None

    def diagram(self, robot: int, constraints: Constraints, cost: int) -> Diagram:
        """Return the diagram of the paths of a robot with this cost."""
        rows, offsets = self._rows(constraints), np.zeros(cost + 2, np.int64)
        while not patient(
            self.poll, single.draw, self.roads, robot, rows, cost, Levels(offsets, *self._cells), self._index,
            self._arrays, self.counters,
        ):  # fmt: skip
            self._make_cells(2 * len(self._cells[0]))
        count = int(self.counters[COUNT])
        places, after = (array[:count].copy() for array in self._cells)
        return Diagram(robot, constraints, Levels(offsets, places, after))

    def met(self, one: Diagram, other: Diagram) -> tuple[Any, Any] | None:
        """Return the met places of two diagrams; None if paths of them have no conflict."""
        widest, widest_too = (int(np.diff(each.levels.offsets).max()) for each in (one, other))
        if widest * widest_too > self._pairs.shape[1]:
            self._pairs = np.zeros((2, 2 * widest * widest_too), np.uint8)
        met, met_too = (np.zeros(len(each.levels.places), np.uint8) for each in (one, other))
        ways = np.empty(widest_too, np.int32)
        found = patient(self.poll, single.meet, one.levels, other.levels, self._pairs, ways, met, met_too)
        return None if found else (met, met_too)

    def conflicts(self, paths: Sequence[Any]) -> Any:
        """Return the conflicts of paths as rows: time, first robot, second robot, from, to; see `single.compare`."""
        places, firsts = _together(paths)
        while True:
            count = patient(
                self.poll, single.compare, places, firsts, self._index, self._index_too, self._found,
                len(self._found),
            )  # fmt: skip
            if count < 0:
                raise InputFormatError("a path leaves the locations of the problem")
            if count <= len(self._found):
                return self._found[:count].copy()
            self._found = np.empty((2 * count, 5), np.int32)


def _together(paths: Sequence[Any]) -> tuple[Any, Any]:
    """Return paths one after the other, and where each begins, and where the last one ends."""
    firsts = np.fromiter(accumulate(map(len, paths), initial=0), np.int64, len(paths) + 1)
    return np.concatenate([np.empty(0, np.int32), *paths]), firsts
