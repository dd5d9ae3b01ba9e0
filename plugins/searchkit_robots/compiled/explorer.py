"""The search of `lacam` over arrays: what its run and the first phase of `cbs` have in common."""

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from math import inf
from typing import Any

import numpy as np

from searchkit import Cost
from searchkit.compiled.kit import KernelRun, control
from searchkit.plugin import MissingCapabilityError
from searchkit_robots.capability import Location
from searchkit_robots.compiled import lacam
from searchkit_robots.compiled.lacam import (
    COUNTERS,
    EDGE,
    EDGE_COLUMNS,
    EDGES,
    ENTRIES,
    ENTRY_COLUMNS,
    FIRST,
    GENERATED,
    GOAL,
    HEAD,
    IMPROVE,
    LAST,
    NEVER,
    NODES,
    NONE,
    PARENT,
    PEAK,
    PENDING,
    PLACES,
    REPORTED,
    SIZE,
    Nodes,
)
from searchkit_robots.compiled.pibt import Crew
from searchkit_robots.compiled.roads import FAR, Numbered
from searchkit_robots.engines._common import combined, enter_plan
from searchkit_robots.engines.lacam import Node, report_in_pieces

FIRST_ROOM = 64
MOST_ROBOTS = 1 << 20


class Explorer:
    """The configurations that were reached, and those to expand.

    Args:
        numbered: the problem.
        improve: the number of expansions after the first plan.

    """

    def __init__(self, numbered: Numbered, improve: int):
        roads = self.roads = numbered.roads
        self.numbered = numbered
        size, widest = roads.ways.shape
        count = len(roads.starts)
        if count >= MOST_ROBOTS:
            raise MissingCapabilityError(
                f"compiled lacam has fewer than {MOST_ROBOTS:,} robots; use backend='python'"
            )
        self.crew = Crew(
            np.full(size, -1, np.int32), np.full(size, -1, np.int32), np.empty(count, np.int32),
            np.empty(count, np.int32), np.empty((count, 2), np.int32), np.empty((count, widest + 1), np.int32),
            np.empty(widest + 1, np.int64),
        )  # fmt: skip
        first = roads.distances[np.arange(count), roads.starts]
        self.bound: Cost = combined(numbered.problem, first.tolist()) if first.max() < FAR else inf
        self.farthest = np.argsort(-first, kind="stable").astype(np.int32)
        self.keys = np.empty((2, count), np.int64)
        self.nodes = Nodes(
            np.empty((FIRST_ROOM, 3, count), np.int32), np.empty((FIRST_ROOM, lacam.LINKS), np.int32),
            np.empty((FIRST_ROOM, 2), np.int64), np.empty(FIRST_ROOM, np.uint64),
            np.full(4 * FIRST_ROOM, NONE, np.int32), np.empty(FIRST_ROOM + 1, np.int32),
            np.empty(FIRST_ROOM, np.int32),
        )  # fmt: skip
        self.entries, self.edges = (
            np.empty((8 * FIRST_ROOM, ENTRY_COLUMNS), np.int32),
            np.empty((FIRST_ROOM, EDGE_COLUMNS), np.int32),
        )
        self.counters = np.zeros(COUNTERS, np.int64)
        self.counters[[GOAL, EDGE, PENDING]], self.counters[REPORTED] = NONE, NEVER
        self.counters[IMPROVE] = improve
        if self.bound < inf:
            lacam.enter(
                roads, self.nodes, self.entries, self.farthest, self.keys, roads.starts, NONE, self.counters
            )
            self.nodes.stack[0], self.counters[SIZE] = 0, 1

    def __len__(self) -> int:
        return int(self.counters[SIZE])

    def slice(self, expansions: int, steps: int) -> tuple[int, int]:
        """Run the kernel; return the stop reason and the number of expansions."""
        why = lacam.explore(
            self.roads, self.nodes, self.entries, self.edges, self.crew, self.farthest, self.keys, self.counters,
            expansions, steps,
        )  # fmt: skip
        return why, int(self.counters[lacam.EXPANDED])

    def grow(self, grown: Callable[[Any, int, int], Any]) -> None:
        """Make room for one more expansion; `grown` is that of a run. Raises `MemoryError`."""
        counters, nodes = self.counters, self.nodes
        count, size = int(counters[NODES]), int(counters[SIZE])
        if len(nodes.stack) - size < 2:
            nodes = nodes._replace(stack=grown(nodes.stack, size, 2 * len(nodes.stack)))
        if len(self.edges) == counters[EDGES]:
            self.edges = grown(self.edges, len(self.edges), 2 * len(self.edges))
        entries = int(counters[ENTRIES])
        if len(self.entries) < entries + self.roads.ways.shape[1] + 2:
            self.entries = grown(self.entries, entries, 2 * len(self.entries))
        if count == len(nodes.links):
            arrays = {}
            for name in ("robots", "links", "costs", "hashes"):
                arrays[name] = grown(getattr(nodes, name), count, 2 * count)
            waiting = np.roll(nodes.ring, -int(counters[FIRST]))
            ring = grown(waiting, len(waiting), 2 * count + 1)
            counters[LAST] = (counters[LAST] - counters[FIRST]) % len(nodes.ring)
            counters[FIRST] = 0
            slots = np.full(2 * len(nodes.slots), NONE, np.int32)
            nodes = nodes._replace(ring=ring, slots=slots, **arrays)
            lacam.hash_all(nodes, count)
        self.nodes = nodes

    @property
    def goal_cost(self) -> Cost | None:
        """The step costs of the best plan; None if there is no plan yet."""
        goal = int(self.counters[GOAL])
        return None if goal == NONE else int(self.nodes.costs[goal, 0])

    def node(self, number: int) -> Node:
        """Return a node as the engine in Python has it, without its links."""
        places, waited, order = self.nodes.robots[number]
        cost, bound = self.nodes.costs[number].tolist()
        configuration = self.numbered.locations(places)
        return Node(configuration, cost, bound, None, tuple(waited.tolist()), tuple(order.tolist()))

    @property
    def head(self) -> Node:
        """The node to expand next."""
        return self.node(int(self.counters[HEAD]))

    def plan(self) -> Generator[None, None, list[tuple[Location, ...]]]:
        """Return the path of each robot to its goal, in pieces."""
        numbers, at = [], int(self.counters[GOAL])
        while at != NONE:
            numbers.append(at)
            at = int(self.nodes.links[at, PARENT])
        places = self.nodes.robots[numbers[::-1], PLACES]
        return (yield from self.numbered.located(places.T))

    def show(self, tree: Any) -> None:
        """Write the counters into a tree."""
        tree.generated, tree.peak_frontier = int(self.counters[GENERATED]), int(self.counters[PEAK])


class Noted:
    """Tells a recording of the nodes that were entered, each one once."""

    def __init__(self, explorer: Explorer):
        self.explorer, self.noted = explorer, 0

    def tell(self, tree: Any) -> None:
        """Tell the listener of the tree, if there is one, of new nodes."""
        explorer = self.explorer
        while tree.listener is not None and self.noted < explorer.counters[NODES]:
            node, parent = explorer.node(self.noted), int(explorer.nodes.links[self.noted, PARENT])
            above = {} if parent == NONE else {"parent": explorer.node(parent)}
            tree.note("node", node=node, cost=node.cost, **above)
            self.noted += 1


class RobotsRun(KernelRun):
    """Base class of the runs of engines for robots. The distances to the goals are computed first, in pieces."""

    def __init__(self, problem: Any, tree: Any, improve: int = 0):
        self.problem, self.tree, self.improve = problem, tree, improve
        self.numbered = Numbered(problem, self.check_memory)
        self.explorer: Any = None
        """The `Explorer`; None until the distances are known."""
        self.best: list[tuple[Location, ...]] = []
        """The paths of the best plan."""
        tree.closed, tree.frontier = set(), ()

    def open(self) -> bool:
        """Compute some distances, or begin if all are known; return whether the search has begun."""
        if self.explorer is None and self.numbered.flood():
            self.explorer = Explorer(self.numbered, self.improve)
            self._noted = Noted(self.explorer)
            self.tree.lower_bound = self.explorer.bound
            self.tree.frontier = self.make_frontier()
        return self.explorer is not None

    def open_whole(self) -> None:
        """Compute all distances and begin."""
        while not self.open():
            pass

    def grow(self) -> Iterator[None]:
        """Make room for one more expansion of LaCAM."""
        explorer: Explorer = self.explorer
        explorer.grow(self.grown)
        return iter(())

    @abstractmethod
    def make_frontier(self) -> Any:
        """Return the frontier of the tree."""

    def slice(self, expansions: int) -> tuple[int, int]:
        """Compute distances; after that, run the kernel."""
        return self.expand(expansions) if self.open() else (control.PAUSED, 0)

    @abstractmethod
    def expand(self, expansions: int) -> tuple[int, int]:
        """Do what `slice` does, after the search has begun."""


class Lacam(RobotsRun):
    """`lacam`, compiled. Begins from the starts of the problem, with an empty tree."""

    @property
    def state(self) -> Node | None:
        """The node to be expanded next; None if there is none."""
        return self.explorer.head if self.explorer is not None and self.explorer.counters[NODES] else None

    def make_frontier(self) -> Explorer:
        """Return the explorer."""
        explorer: Explorer = self.explorer
        return explorer

    def expand(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        return self.make_frontier().slice(expansions, self.steps)

    def show(self) -> None:
        """Bring the tree up to date."""
        if self.explorer is None:
            return
        self.explorer.show(self.tree)
        self._noted.tell(self.tree)

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        explorer = self.explorer
        if why == control.FULL:
            return self.grow()
        if why == control.FOUND:
            return self._take_plan()
        self.ended = True
        if explorer.goal_cost is not None:
            self._conclude()
        return None

    def _take_plan(self) -> Iterator[None]:
        """Take over the plan that was found, in pieces."""
        tree, explorer = self.tree, self.explorer
        plan = yield from explorer.plan()
        if not self.improve:
            yield from enter_plan(self.problem, tree, plan)
            self.best, self.ended = plan, True
            tree.finish(tree.goal)
            return
        if (yield from report_in_pieces(self.problem, tree, plan)):
            self.best = plan
        explorer.counters[REPORTED] = explorer.goal_cost
        self.ended = tree.incumbent == tree.lower_bound
        if self.ended:
            self._conclude()

    def _conclude(self) -> None:
        """End the search with the best plan."""
        tree, cost = self.tree, self.explorer.goal_cost
        if not len(self.explorer) and cost is not None:
            tree.lower_bound = max(tree.lower_bound, cost)
        tree.finish(tree.goal)
