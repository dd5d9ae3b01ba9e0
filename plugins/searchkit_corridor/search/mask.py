"""The mask of each phase: the first corridor, and the ways to widen it."""

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from typing import Any

from attrs import evolve, frozen

from searchkit import SearchProblem
from searchkit_corridor.plan import Region, coarse_path_over, detour_over
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.frontier import Frontier


@frozen
class Opening:
    """The mask of a phase, and how it was created."""

    kind: str
    mask: frozenset[Region] | None
    least_depth: Any = None


def first_opening(
    problem: SearchProblem[Any, Any], regions: Regions, starts: Iterable[Any], radius: int
) -> tuple[Opening, list[Region] | None]:
    """Return the first corridor and the path over regions at its centre; no mask if there is no path."""
    least = None if regions.depth is None else first_depth(problem, regions, starts)
    sources = list(
        dict.fromkeys(
            regions.region(state)
            for state in starts
            if regions.depth is None or least is None or regions.depth(state) >= least
        )
    )
    path = deep_enough(regions, least).coarse_path(sources, regions.goal_regions())
    if path is None:
        return Opening("unrestricted", None, least), None
    return Opening("corridor", frozenset(regions.around(path, radius)), least), path


def wider(
    frontier: Frontier, regions: Regions, visited: set[Region], radius: int, budget: int, learn: bool
) -> Opening:
    """Return the mask of the next phase, after a phase that has searched all states it could reach.

    With `learn`, it is the old mask and a new corridor, planned around the regions searched without success. Otherwise,
    or if there is no such corridor, the mask grows by one ring around the regions visited in the last phase, or around
    the whole mask if there are none. After `budget` widenings there is no mask. The least depth is lowered only if no
    deferred state has it.
    """
    least, mask, depth = frontier.least_depth, frontier.mask, regions.depth
    deferred = frontier.deferred
    if depth is None:
        exits = dict.fromkeys(region for _, _, region in deferred)
    else:
        exits = dict.fromkeys(region for state, _, region in deferred if depth(state) >= least)
        if not exits:
            least = max(depth(state) for state, _, _ in deferred)
            exits = dict.fromkeys(region for state, _, region in deferred if depth(state) >= least)
            path = deep_enough(regions, least).detour((), set(), exits)
            kept = frontier.searched | visited | (mask or set())
            if path is None:
                return Opening("unrestricted", None, least)
            return Opening("depth", frozenset(kept | regions.around(path, radius)), least)
    if mask is None or frontier.widenings >= budget:
        return Opening("unrestricted", None, least)
    if learn and frontier.incumbent is None:
        sources = dict.fromkeys(map(regions.region, frontier.starts))
        path = deep_enough(regions, least).detour(sources, frontier.searched | visited, exits)
        if path is not None:
            return Opening("replan", mask | regions.around(path, radius), least)
    ring = mask | regions.around(visited or mask, 1)
    if ring == mask:
        ring = mask | regions.around(mask, 1)
    return Opening("unrestricted", None, least) if ring == mask else Opening("ring", ring, least)


def deep_enough(regions: Regions, least: Any) -> Regions:
    """Return the planning functions over the regions that may contain a state of that depth."""
    region_depth = regions.region_depth
    if least is None or region_depth is None:
        return regions
    if regions.at_depth is not None:
        graph, coarse_path, detour = regions.at_depth(least)
        return evolve(regions, neighbours=graph, coarse_path=coarse_path, detour=detour)
    neighbours = regions.neighbours

    def deep(region: Any) -> list[Any]:
        return [beside for beside in neighbours(region) if region_depth(beside) >= least]

    return evolve(
        regions,
        neighbours=deep,
        coarse_path=coarse_path_over(deep),
        detour=detour_over(deep, regions.goal_regions),
    )


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
