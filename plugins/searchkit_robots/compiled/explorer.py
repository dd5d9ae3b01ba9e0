"""The arrays of LaCAM, which grow, and the call of its kernel until the next expansion."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from searchkit import Cost
from searchkit.compiled.kit import control
from searchkit_robots.capability import Location
from searchkit_robots.compiled import lacam
from searchkit_robots.compiled.lacam import NODES, NONE, PLACES, SIZE, Nodes
from searchkit_robots.compiled.pibt import Crew
from searchkit_robots.compiled.roads import FAR, Numbered, patient

FIRST_ROOM = 64
MAX_STEPS = 1 << 18
"""The steps of one call of the kernel, unless it expands: a few milliseconds."""


class Explorer:
    """The configurations that were reached, and those to expand.

    Args:
        numbered: the problem, with the distances to its goals.
        improve: the number of expansions after the first plan.

    """

    def __init__(self, numbered: Numbered, improve: int):
        roads = self.roads = numbered.roads
        self.numbered = numbered
        size, widest = roads.ways.shape
        count = len(roads.starts)
        self.crew = Crew(
            np.full(size, -1, np.int32), np.full(size, -1, np.int32), np.empty(count, np.int32),
            np.empty(count, np.int32), np.empty((count, 2), np.int32), np.empty((count, widest + 1), np.int32),
            np.empty(widest + 1, np.int64),
        )  # fmt: skip
        first = roads.distances[np.arange(count), roads.starts]
        self.bound: Cost = int(first.sum() if roads.sums else first.max()) if first.max() < FAR else inf
        """The cost if robots could not conflict; infinite if a robot can't reach its goal."""
        self.farthest = np.argsort(-first, kind="stable").astype(np.int32)
        self.nodes = Nodes(
            np.empty((FIRST_ROOM, 2, count), np.int32), np.empty((FIRST_ROOM, lacam.LINKS), np.int32),
            np.empty((FIRST_ROOM, 2), np.int64), np.empty(FIRST_ROOM, np.uint64),
            np.full(4 * FIRST_ROOM, NONE, np.int32), np.empty(FIRST_ROOM + 1, np.int32),
            np.empty(FIRST_ROOM, np.int32),
        )  # fmt: skip
        self.entries = np.empty((8 * FIRST_ROOM, lacam.ENTRY_COLUMNS), np.int32)
        self.edges = np.empty((FIRST_ROOM, lacam.EDGE_COLUMNS), np.int32)
        self.counters = np.zeros(lacam.COUNTERS, np.int64)
        self.counters[[lacam.GOAL, lacam.EDGE, lacam.PENDING]] = NONE
        self.counters[lacam.REPORTED], self.counters[lacam.IMPROVE] = lacam.NEVER, improve
        self.left = self.bound < inf
        """Whether the starts have to be entered, or the next node has to be expanded."""

    def advance(self, poll: Callable[[], object]) -> int:
        """Go on until a node is to be expanded, a better plan was found, or nothing is left; return the reason.

        Raises what `poll` raises; then the next call continues there.
        """
        counters = self.counters
        if not counters[NODES] and self.left:
            roots = self.roads, self.nodes, self.entries, self.farthest, self.roads.starts, NONE, counters
            self.nodes.stack[0] = patient(poll, lacam.enter, *roots)
            counters[SIZE], self.left = 1, False
        while True:
            held = self.roads, self.nodes, self.entries, self.edges, self.crew, self.farthest, counters
            why: int = patient(poll, lacam.explore, *held, int(self.left), MAX_STEPS)
            self.left &= not counters[lacam.EXPANDED]
            if why == control.FULL:
                self._grow()
            elif why != control.PAUSED:
                return why
            poll()

    def _grow(self) -> None:
        """Make room for one more expansion."""
        counters, nodes = self.counters, self.nodes
        count, size = int(counters[NODES]), int(counters[SIZE])
        if len(nodes.stack) - size < 2:
            nodes = nodes._replace(stack=_grown(nodes.stack))
        if len(self.edges) == counters[lacam.EDGES]:
            self.edges = _grown(self.edges)
        if len(self.entries) < counters[lacam.ENTRIES] + self.roads.ways.shape[1] + 2:
            self.entries = _grown(self.entries)
        if count == len(nodes.links):
            ring = np.roll(nodes.ring, -int(counters[lacam.FIRST]))
            counters[lacam.LAST] = (counters[lacam.LAST] - counters[lacam.FIRST]) % len(ring)
            counters[lacam.FIRST] = 0
            arrays = {name: _grown(getattr(nodes, name)) for name in ("robots", "links", "costs", "hashes")}
            slots = np.full(2 * len(nodes.slots), NONE, np.int32)
            nodes = nodes._replace(ring=_grown(ring), slots=slots, **arrays)
            lacam.hash_all(nodes, count)
        self.nodes = nodes

    @property
    def goal_cost(self) -> Cost | None:
        """The step costs of the best plan; None if there is no plan yet."""
        goal = int(self.counters[lacam.GOAL])
        return None if goal == NONE else int(self.nodes.costs[goal, 0])

    def configuration(self, number: int) -> tuple[Location, ...]:
        """Return the locations of the robots in a node."""
        return self.numbered.locations(self.nodes.robots[number, PLACES])

    def plan(self) -> list[tuple[Location, ...]]:
        """Return the path of each robot to its goal."""
        numbers, at = [], int(self.counters[lacam.GOAL])
        while at != NONE:
            numbers.append(at)
            at = int(self.nodes.links[at, lacam.PARENT])
        return [self.numbered.locations(path) for path in self.nodes.robots[numbers[::-1], PLACES].T]


def _grown(array: Any) -> Any:
    """Return an array twice as long, which begins with another one."""
    return np.concatenate([array, np.empty_like(array)])
