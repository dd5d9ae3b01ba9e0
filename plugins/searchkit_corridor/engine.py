"""The engine `corridor`: coarse-to-fine search in a mask of regions that widens."""

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from itertools import islice
from math import inf
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from searchkit import SearchProblem, available_engines, problem_from
from searchkit.engines.kit import POLL_EVERY, distinct_starts
from searchkit.plugin import has_cost
from searchkit.tree import Arrival, SearchTree
from searchkit_corridor.plan import Region, route_over
from searchkit_corridor.regions import Regions

Outside: TypeAlias = tuple[int, Region, Any]
"""A state that was reached outside the mask: its cost so far, its region, and its depth, None without depths."""
MASKED = ("restart", "proved")
"""The variants that begin again in each mask, with engines of searchkit: breadth-first search, and A* for the proof."""


def corridor(
    problem: SearchProblem[Any, Any],
    tree: SearchTree[Any, Any],
    variant: str = "restart",
    radius: int = 2,
    budget: int = 32,
    learn: bool = True,
) -> Iterator[Any]:
    """Search inside a corridor that a coarse map suggests; widen it if it is too narrow (after Raphael 2001).

    The corridor is a shortest path over regions from the starts to the goals, with all regions at a distance of at most
    `radius`. States outside are reached, but not expanded. If the search inside ends without a goal, the mask is
    widened; after `budget` widenings it is given up, so a misleading corridor never causes a wrong "no path".

    Complete. The path is a shortest one in the final mask (`restart`, `optimal`), any path (`fast`), or a shortest one
    (`proved`); see the lower bound of the result. Requires regions (`Relaxable`; the grids of the plugin `dungeon` have
    them) and unit costs. Time and memory are at worst those of breadth-first search, times the number of phases for
    `restart`.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_corridor import corridor_grid
        >>> result = solve(corridor_grid(["S..#....", "..##.##.", "......#G"], cell=2), "corridor", radius=0)
        >>> result.cost, [phase.kind for phase in result.details["phases"]]
        (13, ['corridor'])

    """
    kind = Phases if variant in MASKED else ContinuedPhases
    phases = kind(problem, tree, Regions.of(problem), variant, radius, budget, learn)
    if tree.frontier is None:
        phases.begin()
    while True:
        yield from phases.search()
        if phases.conclude():
            return
        phases.widen()


@define
class PhaseReport:
    """A phase: how the mask was opened, and what the search did until the mask had to be opened further."""

    kind: str
    """How the mask was made: `corridor`, `replan`, `ring`, `depth`, `unrestricted`, or `proof`, which has none."""
    opened: frozenset[Hashable]
    """The regions added to the mask; empty if there is no mask."""
    regions: int
    """The number of regions in the mask; 0 if there is none."""
    depth: Any = None
    """The least depth of states; None without depths."""
    expanded: int = 0
    generated: int = 0
    reopened: int = 0

    def __str__(self) -> str:
        at = "" if self.depth is None else f" at depth {self.depth}"
        size = f"{self.regions:,} regions" if self.regions else "no mask"
        return f"{self.kind}{at}: {size}, {self.expanded:,} expanded"


@frozen
class Mask:
    """The states that a phase may expand, and how they were chosen."""

    kind: str
    regions: frozenset[Region] | None
    """None for all."""
    least_depth: Any = None
    """None without depths."""


@define(eq=False)
class Frontier:
    """What the search knows between two expansions, apart from arrivals."""

    starts: tuple[Any, ...]
    mask: Mask
    tree: SearchTree[Any, Any] = field(factory=SearchTree)
    """The tree of the search in this mask, which shares its arrivals; of the variants that begin again."""
    buckets: dict[int, deque[Any]] = field(factory=dict)
    """Cost so far → the states to expand, first in, first out; of the variants that continue."""
    outside: dict[Any, Arrival[Any, Any]] = field(factory=dict)
    """The arrivals at states outside the mask; of the variants that begin again, those that were passed over."""
    phases: list[PhaseReport] = field(factory=list)
    """A report for each phase, the current one last."""
    before: tuple[int, int] = (0, 0)
    """Generated and reopened states before the current phase."""
    opened: set[Region] = field(factory=set)
    """All regions that have been in the mask."""
    searched: set[Region] = field(factory=set)
    """The regions in which a finished phase has reached a state."""
    scanned: int = 0
    """The number of reached states, in their order, whose regions are in `searched`."""
    widenings: int = 0
    """The number of widenings at the current depth."""
    fell_back: bool = False
    """Whether the mask was given up before there was a path."""
    bound: Any = 0
    """A lower bound on the cost of any path."""
    goal: Any = None
    """The goal of the best known path, whose cost is `incumbent`."""
    incumbent: int | None = None

    @property
    def phase(self) -> PhaseReport:
        """The current phase."""
        return self.phases[-1]

    def __len__(self) -> int:
        return len(self.outside) + sum(map(len, self.buckets.values())) + len(self.tree.frontier or ())

    def __iter__(self) -> Iterator[Any]:
        for bucket in self.buckets.values():
            yield from bucket
        yield from self.outside
        yield from self.tree.frontier or ()


class Phases:
    """The phases of a search that begins again in each mask; all that changes is in the tree."""

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        tree: SearchTree[Any, Any],
        regions: Regions,
        variant: str,
        radius: int,
        budget: int,
        learn: bool,
    ):
        self.problem, self.tree, self.regions = problem, tree, regions
        self.radius, self.budget, self.learn = radius, budget, learn
        self.proves, self.reopens = variant == "proved", variant == "optimal"
        self.exact = variant != "fast"
        """Whether arrivals are least costs in the mask; in the first phase they always are."""
        self.left_outside: list[Outside] = []
        """The states outside the mask that the finished phase has reached."""

    @property
    def frontier(self) -> Frontier:
        """What the search knows."""
        return self.tree.frontier  # type: ignore[no-any-return]  # once it has begun

    def begin(self) -> None:
        """Plan the first corridor, and begin in it."""
        regions, starts = self.regions, tuple(distinct_starts(self.problem))
        least: Any = None if regions.depth is None else first_depth(self.problem, regions, starts)
        deep = starts if regions.depth is None else [s for s in starts if regions.depth(s) >= least]
        path = deep_enough(regions, least).route(dict.fromkeys(map(regions.region, deep), 0), ())
        mask = Mask("unrestricted", None, least)
        if path is not None:
            mask = Mask("corridor", frozenset(regions.around(path, self.radius)), least)
        frontier = Frontier(starts, mask)
        frontier.bound = self._least_cost([(0, regions.region(state), None) for state in starts])
        if frontier.bound == inf or (regions.to_go is None and regions.depth is None):
            # Each action crosses at most one border between regions.
            frontier.bound = max(0, len(path or ()) - 1)
        self.open(frontier, mask)

    def open(self, frontier: Frontier, mask: Mask) -> None:
        """Begin a phase in a mask."""
        self.enter(frontier, mask)
        tree, old = self.tree, frontier.mask.regions
        regions = frozenset() if mask.regions is None else mask.regions
        opened = regions - (old or frozenset()) if frontier.phases else regions
        frontier.mask, frontier.before = mask, (tree.generated, tree.reopened)
        frontier.opened |= opened
        frontier.fell_back |= mask.kind == "unrestricted"
        frontier.phases.append(PhaseReport(mask.kind, opened, len(regions), mask.least_depth))
        tree.frontier, tree.lower_bound = frontier, frontier.bound
        kind = "phase" if len(frontier.phases) == 1 else "mask widened"
        tree.note(kind, mask.kind, regions=tuple(opened), mask=len(regions))

    def enter(self, frontier: Frontier, mask: Mask) -> None:
        """Enter the states with which the search in a mask begins: the starts alone."""
        self.tree.reached.clear()
        frontier.outside.clear()
        frontier.tree, frontier.scanned = SearchTree(), 0

    def search(self) -> Iterator[Any]:
        """Search in the mask with an engine of searchkit, whose expansions of states outside do nothing."""
        frontier, tree, count, expanded = self.frontier, self.tree, self.count, 0
        if frontier.tree.found:
            return
        frontier.tree.poll, frontier.tree.reached = tree.poll, tree.reached
        admits, run = self.admits(frontier.mask), available_engines()[self.engine_name()].run
        for state in run(self.inside(frontier.mask), frontier.tree):
            if admits(state):
                count(expanded)
                expanded = 1
                yield state
            else:
                frontier.outside[state] = tree.reached[state]
        count(expanded)

    def count(self, expanded: int) -> None:
        """Write the counters of the search in the mask to the tree and to the report of the phase."""
        frontier, tree = self.frontier, self.tree
        inner, phase, (generated, reopened) = frontier.tree, frontier.phases[-1], frontier.before
        phase.expanded += expanded
        phase.generated, phase.reopened = inner.generated, inner.reopened
        tree.generated, tree.reopened = generated + inner.generated, reopened + inner.reopened
        tree.closed = inner.closed
        if inner.peak_frontier > tree.peak_frontier:
            tree.peak_frontier = inner.peak_frontier

    def engine_name(self) -> str:
        """Return the engine for this phase."""
        mask = self.frontier.mask
        proof = mask.kind == "proof" and mask.least_depth is None
        return "astar" if proof and self.regions.has_heuristic else "bfs"

    def inside(self, mask: Mask) -> SearchProblem[Any, Any]:
        """Return the problem inside a mask: states outside have no successors, and are no goals."""
        problem, admits, outside = self.problem, self.admits(mask), self.frontier.outside
        return problem_from(
            self.frontier.starts,
            lambda state: () if state in outside else problem.successors(state),
            lambda state: problem.is_goal(state) and admits(state),
            heuristic=problem.heuristic if self.regions.has_heuristic else None,
        )

    def admits(self, mask: Mask) -> Callable[[Any], bool]:
        """Return whether a state is in a mask, as a function."""
        region, depth, inside, least = self.regions.region, self.regions.depth, mask.regions, mask.least_depth
        if depth is None:
            return (lambda state: True) if inside is None else (lambda state: region(state) in inside)
        return lambda state: (inside is None or region(state) in inside) and depth(state) >= least

    def goal_cost(self) -> int | None:
        """Return the cost of the path that this phase has found; None without one."""
        inner = self.frontier.tree
        return int(inner.reached[inner.goal][0]) if inner.found else None

    def conclude(self) -> bool:
        """Record what the finished phase has proved; return whether the search ends."""
        frontier, tree, mask = self.frontier, self.tree, self.frontier.mask
        cost, outside = self.goal_cost(), list(self.outside())
        self.left_outside = outside
        proof = mask.kind == "proof"
        if not proof and (self.exact or len(frontier.phases) == 1):
            proved = min(inf if cost is None else cost, self._least_cost(outside))
            frontier.bound = frontier.bound if proved == inf else max(frontier.bound, proved)
        elif proof and cost is not None and mask.least_depth is None:
            frontier.bound = cost
        over = not outside if cost is None else proof or not self.proves or frontier.bound >= cost
        if over and cost is not None:
            tree.finish(frontier.tree.goal if frontier.tree.found else frontier.goal)
        tree.lower_bound = frontier.bound
        details: dict[str, object] = {}
        if over and cost is not None and not has_cost(self.problem):
            details["gap"] = cost - frontier.bound
        if mask.least_depth is not None:
            details["depth"] = mask.least_depth
        details["regions opened"], details["fall-back"] = len(frontier.opened), frontier.fell_back
        details["phases"] = tuple(frontier.phases)
        tree.details = details
        return over

    def _least_cost(self, outside: Collection[Outside]) -> Any:
        """Return a lower bound on the cost of paths through these states; infinity without any.

        It is valid if their costs are least ones in the mask: a path that leaves the mask has a first state outside it,
        up to which it lies in the mask, and `to_go` is a lower bound on the rest.
        """
        to_go, least = self.regions.to_go, dict[Region, int]()
        for g, region, _ in outside:
            least[region] = min(g, least.get(region, g))
        return min((g + (to_go(region) if to_go else 0) for region, g in least.items()), default=inf)

    def outside(self) -> Iterable[Outside]:
        """Return the states that were reached outside the mask; of those in one region at one depth, the nearest."""
        region, depth = self.regions.region, self.regions.depth
        for state, arrival in self.arrivals_outside():
            yield int(arrival[0]), region(state), None if depth is None else depth(state)

    def arrivals_outside(self) -> Iterable[tuple[Any, Arrival[Any, Any]]]:
        """Return (state, arrival) of the states that were reached outside the mask."""
        admits = self.admits(self.frontier.mask)
        return [known for known in self.tree.reached.items() if not admits(known[0])]

    def visited(self) -> set[Region]:
        """Return the regions in which this phase has reached a state inside the mask."""
        reached, admits = self.tree.reached, self.admits(self.frontier.mask)
        return {self.regions.region(s) for s in islice(reached, self.frontier.scanned, None) if admits(s)}

    def widen(self) -> None:
        """Widen the mask, and search in it; or look for a shorter path everywhere, if there is a path."""
        frontier = self.frontier
        visited, scanned = self.visited(), len(self.tree.reached)
        mask = self.next_mask(visited)
        self.open(frontier, mask)
        frontier.searched |= visited
        frontier.scanned = min(scanned, len(self.tree.reached))
        frontier.widenings = 0 if mask.kind == "depth" else frontier.widenings + 1

    def next_mask(self, visited: set[Region]) -> Mask:
        """Return the mask of the next phase, after a phase that has searched all states it could reach.

        With `learn`, it is the old mask and a new corridor, planned around the regions searched without success.
        Otherwise, or if there is no such corridor, the mask grows by one ring around the regions visited in the last
        phase, or around the whole mask if there are none. After `budget` widenings there is no mask. The least depth is
        lowered only if no state outside has it.
        """
        frontier, regions = self.frontier, self.regions
        least, mask, around = frontier.mask.least_depth, frontier.mask.regions, regions.around
        outside, searched = self.left_outside, frontier.searched | visited
        exits = self.exits(outside, least)
        if self.goal_cost() is not None or (self.proves and exits):
            return Mask("proof", None, least)
        if not exits:
            least = max(depth for _, _, depth in outside)
            path = deep_enough(regions, least).route(self.exits(outside, least), ())
            if path is None:
                return Mask("unrestricted", None, least)
            return Mask("depth", frozenset(searched | (mask or set()) | around(path, self.radius)), least)
        if mask is None or frontier.widenings >= self.budget:
            return Mask("unrestricted", None, least)
        if self.learn:
            path = deep_enough(regions, least).route(exits, searched)
            if path is not None:
                return Mask("replan", mask | around(path, self.radius), least)
        ring = mask | around(visited or mask, 1)
        if ring == mask:
            ring = mask | around(mask, 1)
        return Mask("unrestricted", None, least) if ring == mask else Mask("ring", ring, least)

    def exits(self, outside: Iterable[Outside], least: Any) -> dict[Region, int]:
        """Return the regions outside that are deep enough, with the cost of reaching them in regions."""
        found: dict[Region, int] = {}
        for g, region, depth in outside:
            if least is None or depth >= least:
                found[region] = min(g // self.regions.side, found.get(region, g))
        return found


class ContinuedPhases(Phases):
    """The phases of a search that keeps its arrivals when the mask widens."""

    def enter(self, frontier: Frontier, mask: Mask) -> None:
        """Enter the states outside the old mask that the new one admits, by their cost."""
        tree, is_goal, begins = self.tree, self.problem.is_goal, not frontier.phases
        outside: Any = dict.fromkeys(frontier.starts, (0, None, None)) if begins else frontier.outside
        states = list(filter(self.admits(mask), outside))
        goals = list(filter(is_goal, states))
        if begins:
            tree.closed, frontier.outside = set(), outside
        for state in states:
            arrival = tree.reached[state] = outside.pop(state)
            frontier.buckets.setdefault(int(arrival[0]), deque()).append(state)
        for state in goals:
            cost = int(tree.reached[state][0])
            if frontier.incumbent is None or cost < frontier.incumbent:
                frontier.incumbent, frontier.goal = cost, state

    def goal_cost(self) -> int | None:
        """Return the cost of the best path so far; None without one."""
        return self.frontier.incumbent

    def arrivals_outside(self) -> Iterable[tuple[Any, Arrival[Any, Any]]]:
        """Return (state, arrival) of the states that were reached outside the mask."""
        return self.frontier.outside.items()

    def search(self) -> Iterator[Any]:
        """Expand the state with the least cost so far, until no path in the mask can be shorter than the best one.

        With `optimal`, states of earlier phases that the wider mask makes cheaper are expanded again; then a state is
        expanded at its least cost in the mask. With `fast`, each state keeps its first arrival, and the first path is
        taken.
        """
        frontier, tree, phase, reopens = self.frontier, self.tree, self.frontier.phase, self.reopens
        successors, is_goal, reached = self.problem.successors, self.problem.is_goal, tree.reached
        buckets, outside, closed, admits = (
            frontier.buckets,
            frontier.outside,
            tree.closed,
            self.admits(frontier.mask),
        )
        poll, size = tree.poll, sum(map(len, buckets.values()))
        while buckets:
            g = min(buckets) + 1
            bucket, following = buckets[g - 1], buckets.get(g)
            if frontier.incumbent is not None and (g >= frontier.incumbent or not reopens):
                buckets.clear()
                return
            while bucket:
                state = bucket[0]
                if state in closed:  # it was expanded at a lower cost
                    bucket.popleft()
                    size -= 1
                    continue
                tree.peak_frontier = max(tree.peak_frontier, size)
                yield state
                children, goal, generated = [], None, tree.generated
                for action, child in successors(state):
                    generated += 1
                    if generated % POLL_EVERY == 0:
                        poll()
                    known = reached.get(child)
                    if known is None or (reopens and known[0] > g):
                        inside = admits(child)
                        children.append((action, child, inside))
                        if inside and is_goal(child):
                            goal = child
                            break
                reopened = tree.reopened
                for action, child, inside in children:
                    known = (reached if inside else outside).get(child)
                    if known is not None and known[0] <= g:
                        continue
                    if not inside:
                        outside[child] = g, state, action
                        continue
                    reached[child] = g, state, action
                    if child in closed:
                        closed.remove(child)
                        reopened += 1
                    if following is None:
                        following = buckets.setdefault(g, deque())
                    following.append(child)
                    size += 1
                bucket.popleft()
                size -= 1
                closed.add(state)
                phase.expanded, phase.generated = (
                    phase.expanded + 1,
                    phase.generated + generated - tree.generated,
                )
                phase.reopened += reopened - tree.reopened
                tree.generated, tree.reopened = generated, reopened
                if goal is not None:
                    frontier.incumbent, frontier.goal = g, goal
                    break
            if not bucket:
                del buckets[g - 1]


def deep_enough(regions: Regions, least: Any) -> Regions:
    """Return the planning functions over the regions that may contain a state of that depth."""
    region_depth = regions.region_depth
    if least is None or region_depth is None:
        return regions
    neighbours = regions.neighbours

    def deep(region: Any) -> list[Any]:
        return [beside for beside in neighbours(region) if region_depth(beside) >= least]

    return evolve(regions, neighbours=deep, route=route_over(deep, regions.goal_regions))


def first_depth(problem: SearchProblem[Any, Any], regions: Regions, starts: Iterable[Any]) -> Any:
    """Return an upper bound on the depth of a path, from the starts, the goals and the paths over regions."""
    assert regions.depth is not None
    least = max(map(regions.depth, starts))
    goals = list(getattr(problem, "goal_states", tuple)())
    if goals:
        least = min(least, max(map(regions.depth, goals)))
    if regions.region_depth is None:
        return least
    return min(least, _deepest_path(regions, regions.region_depth, map(regions.region, starts), least))


def _deepest_path(
    regions: Regions, region_depth: Callable[[Any], Any], sources: Iterable[Region], most: Any
) -> Any:
    """Return the largest depth at which a path over regions exists; `most` if there is no path at all.

    Runs the widest-path form of Dijkstra's algorithm: the depth of a path is that of its shallowest region.
    """
    targets = set(regions.goal_regions())
    heap = [(-min(most, region_depth(region)), order, region) for order, region in enumerate(set(sources))]
    heapify(heap)
    order, closed = len(heap), set()
    while heap:
        depth, _, region = heappop(heap)
        if region in targets:
            return -depth
        if region in closed:
            continue
        closed.add(region)
        for beside in regions.neighbours(region):
            if beside not in closed:
                order += 1
                heappush(heap, (max(depth, -region_depth(beside)), order, beside))
    return most
