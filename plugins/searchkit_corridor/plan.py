"""Planning over a region graph: the first corridor, the regions around it, and the next corridor after a failed one."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, TypeAlias

Region: TypeAlias = Hashable
Neighbours: TypeAlias = Callable[[Any], Iterable[Any]]
Route: TypeAlias = Callable[[Mapping[Any, int], Collection[Any]], list[Any] | None]
"""The regions of a shortest path to a goal; None if there is none. It may begin in any of the regions that are given,
with the cost of reaching each in regions; it enters none of those that were searched without success.

A failed phase has reached every state that can be reached inside its mask, so all steps out of the mask lead to regions
of the states outside, where the next corridor begins."""


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


def route_over(neighbours: Neighbours, goal_regions: Callable[[], Iterable[Region]]) -> Route:
    """Return the planner over a region graph, by Dijkstra's algorithm."""

    def route(begins: Mapping[Region, int], searched: Collection[Region]) -> list[Region] | None:
        targets, costs = set(goal_regions()), dict(begins)
        parents: dict[Region, Region | None] = dict.fromkeys(begins)
        heap = [(cost, order, region) for order, (region, cost) in enumerate(costs.items())]
        heapify(heap)
        order, closed = len(heap), set()
        while heap:
            cost, _, region = heappop(heap)
            if region in closed:
                continue
            if region in targets:
                path: list[Region] = []
                at: Region | None = region
                while at is not None:
                    path.append(at)
                    at = parents[at]
                return path[::-1]
            closed.add(region)
            for beside in neighbours(region):
                if beside not in searched and (beside not in costs or cost + 1 < costs[beside]):
                    costs[beside], parents[beside] = cost + 1, region
                    order += 1
                    heappush(heap, (cost + 1, order, beside))
        return None

    return route
