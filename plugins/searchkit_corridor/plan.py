"""Planning over a region graph: the first corridor, the regions around it, and the next corridor after a failed one."""

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, TypeAlias

Region: TypeAlias = Hashable
Neighbours: TypeAlias = Callable[[Any], Iterable[Any]]
Detour: TypeAlias = Callable[[Iterable[Region], Collection[Region], Collection[Region]], list[Region] | None]
Plans: TypeAlias = tuple[Neighbours, Callable[..., list[Any] | None], Callable[..., list[Any] | None]]
"""The functions for planning: neighbours, and the functions that `coarse_path_over` and `detour_over` return."""

PENALTY = 32
"""The additional cost, in regions, for a new corridor to enter a region that was searched without success."""


def around_over(neighbours: Neighbours) -> Callable[[Iterable[Region], int], set[Region]]:
    """Return the function (regions, radius) → regions at a distance of at most radius."""

    def around(regions: Iterable[Region], radius: int) -> set[Region]:
        found = set(regions)
        rim: Iterable[Region] = found
        for _ in range(radius):
            rim = {beside for region in rim for beside in neighbours(region)} - found
            found |= rim
        return found

    return around


def coarse_path_over(
    neighbours: Neighbours,
) -> Callable[[Iterable[Region], Iterable[Region]], list[Region] | None]:
    """Return a breadth-first search over a region graph: (sources, targets) → a path of fewest regions, or None."""

    def coarse_path(sources: Iterable[Region], targets: Iterable[Region]) -> list[Region] | None:
        goals = set(targets)
        parents: dict[Region, Region | None] = dict.fromkeys(sources)
        queue = deque(parents)
        while queue:
            region = queue.popleft()
            if region in goals:
                return _walk_back(parents, region)
            for beside in neighbours(region):
                if beside not in parents:
                    parents[beside] = region
                    queue.append(beside)
        return None

    return coarse_path


def detour_over(neighbours: Neighbours, goal_regions: Callable[[], Iterable[Region]]) -> Detour:
    """Return the planner of the next corridor: (start regions, searched, exits) → its regions, or None.

    A failed phase has reached every state that can be reached inside its mask. So all steps out of the mask lead into
    `exits`, the regions of the deferred states. The new corridor leads from one of them to a goal. It can enter the
    regions `searched` again at a penalty, because the part of a region that was not reached may be connected to others.

    Runs Dijkstra's algorithm over regions. The initial cost of an exit is its distance from a start in regions.
    """

    def detour(
        sources: Iterable[Region], searched: Collection[Region], exits: Collection[Region]
    ) -> list[Region] | None:
        targets = set(goal_regions())
        distances = _distances(neighbours, sources, searched, exits)
        costs = {region: distances.get(region, 0) for region in exits}
        parents: dict[Region, Region | None] = dict.fromkeys(exits)
        heap = [(cost, order, region) for order, (region, cost) in enumerate(costs.items())]
        heapify(heap)
        order, closed = len(heap), set()
        while heap:
            cost, _, region = heappop(heap)
            if region in closed:
                continue
            if region in targets:
                return _walk_back(parents, region)
            closed.add(region)
            for beside in neighbours(region):
                further = cost + (1 + PENALTY if beside in searched else 1)
                if beside not in costs or further < costs[beside]:
                    costs[beside], parents[beside] = further, region
                    order += 1
                    heappush(heap, (further, order, beside))
        return None

    return detour


def _distances(
    neighbours: Neighbours,
    sources: Iterable[Region],
    searched: Collection[Region],
    exits: Collection[Region],
) -> dict[Region, int]:
    """Return the distance of each exit from the nearest source over regions that were searched."""
    distances = dict.fromkeys((region for region in sources if region in searched), 0)
    queue = deque(distances)
    while queue:
        region = queue.popleft()
        for beside in neighbours(region):
            if beside not in distances and (beside in searched or beside in exits):
                distances[beside] = distances[region] + 1
                if beside in searched:
                    queue.append(beside)
    return distances


def _walk_back(parents: Mapping[Region, Region | None], region: Region) -> list[Region]:
    """Return the path to `region` along the parents."""
    path: list[Region] = []
    at: Region | None = region
    while at is not None:
        path.append(at)
        at = parents[at]
    return path[::-1]
