"""Paths, conflicts and diagrams of a compiled `cbs`, as arrays."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from searchkit_robots.compiled.single import Levels
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines._single import Barrier


class Route(tuple[int, ...]):
    """A path as the numbers of locations, and as an array."""

    array: Any


class Clashes(Sequence[list[int]]):
    """Conflicts: lists with the fields of `searchkit_robots.engines._conflicts.Conflict`.

    Args:
        rows: the fields of each conflict.

    """

    def __init__(self, rows: Any):
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index].tolist()

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.rows.tolist())

    def pairs(self, robots: int) -> Iterable[tuple[int, int]]:
        """Return the pairs of robots, each once, in the order of the conflicts; given the number of robots."""
        numbers = np.array(
            list(dict.fromkeys((self.rows[:, 1] * robots + self.rows[:, 2]).tolist())), np.int32
        )
        return zip((numbers // robots).tolist(), (numbers % robots).tolist(), strict=True)


class Drawing:
    """A diagram as arrays; see `searchkit_robots.engines._single.Diagram`."""

    number = 0

    def __init__(self, tools: Any, robot: Robot, constraints: Constraints, levels: Levels):
        self.tools, self.robot, self.constraints, self.levels = tools, robot, constraints, levels
        offsets, places, _ = levels
        self.cost = len(offsets) - 2
        self.key = robot.index, constraints, self.cost
        """Diagrams with the same key are equal."""
        times = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        alive = np.bincount(times[places >= 0], minlength=len(offsets) - 1)
        self.size = int(alive.sum())
        self.widest = int(np.diff(offsets).max())
        self.widths: list[int] = alive.tolist()
        """For each time, the number of locations."""
        self._held: dict[int, set[int]] = {}
        self._last_times: dict[int, int] = {}

    @property
    def path(self) -> Route:
        """One of the paths."""
        _, places, after = self.levels
        numbers = [0]
        for _ in range(self.cost):
            ahead = after[numbers[-1]]
            numbers.append(int(ahead[ahead >= 0][0]))
        route: Route = self.tools.route(places[numbers])
        return route

    def holds(self, time: int, location: int) -> bool:
        """Whether a path is at a location at a time."""
        level = min(time, len(self.widths) - 1)
        if level not in self._held:
            offsets, places, _ = self.levels
            self._held[level] = set(places[offsets[level] : offsets[level + 1]].tolist())
        return location in self._held[level]

    def last_time(self, location: int) -> int:
        """Return the last time at which a path is at a location before it ends, or −1."""
        if not self._last_times:
            offsets, places, _ = self.levels
            times = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
            self._last_times = dict(zip(places.tolist(), times.tolist(), strict=True))
        return self._last_times.get(location, -1)

    def met(self, other: "Drawing") -> tuple[Any, Any] | None:
        """Return the met places of two diagrams; None if paths of them have no conflict."""
        found: tuple[Any, Any] | None = self.tools.met(self, other)
        return found

    def barrier(self, met: Any) -> Barrier:
        """Return the first unmet places on the paths, from an array that has a 1 for each met place."""
        offsets, places, after = self.levels
        ahead = after[np.flatnonzero(met[: offsets[-2]])].ravel()
        ahead = ahead[ahead >= 0]
        unmet = np.unique(ahead[met[ahead] == 0])
        times = np.searchsorted(offsets, unmet, side="right") - 1
        return frozenset(zip(times.tolist(), places[unmet].tolist(), strict=True))
