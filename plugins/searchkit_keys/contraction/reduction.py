"""Reducing the graph of cells without changing any distance between sites."""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import TypeAlias

from searchkit_keys.vault import DIRECTIONS, Cell

CellGraph: TypeAlias = dict[Cell, dict[Cell, int]]
"""Cell → adjacent cells → the distance between them in steps. Symmetric."""


def neighbours(cells: Iterable[Cell]) -> CellGraph:
    """Return the graph of cells with edges between cells that are one step apart."""
    graph: CellGraph = {cell: {} for cell in cells}
    for (x, y), around in graph.items():
        for _, (dx, dy) in DIRECTIONS:
            there = (x + dx, y + dy)
            if there in graph:
                around[there] = 1
    return graph


def reduced(graph: CellGraph, sites: set[Cell], doors: set[Cell]) -> CellGraph:
    """Reduce a graph in place to its sites and the junctions between them.

    The length of a shortest path between two sites that passes no third site stays the same.

    Dead ends are removed, and so are corridor cells, whose two edges become one. The remaining cells other than sites
    are junctions. In an open area, joining the sites around it pairwise may take fewer edges than its junctions have;
    then the junctions are removed as well. Doors at dead ends are removed, although they are sites.
    """
    pending = [cell for cell, around in graph.items() if len(around) <= 2]
    while pending:
        cell = pending.pop()
        around = graph.get(cell)
        if around is None or len(around) > 2:
            continue
        if cell in sites and not (cell in doors and len(around) < 2):
            continue
        del graph[cell]
        for there in around:
            del graph[there][cell]
        if len(around) == 2:
            (one, steps), (other, more) = around.items()
            join(graph, one, other, steps + more)
        pending += around
    for area in _areas(graph, sites):
        _close(graph, area, sites)
    return graph


def join(graph: CellGraph, one: Cell, other: Cell, steps: int) -> None:
    """Add an edge unless there is one that is not longer."""
    if graph[one].get(other, steps + 1) > steps:
        graph[one][other] = graph[other][one] = steps


def _areas(graph: CellGraph, sites: set[Cell]) -> list[list[Cell]]:
    """Return the junctions, grouped by whether they can be reached from one another without passing a site."""
    seen: set[Cell] = set()
    areas = []
    for cell in graph:
        if cell in sites or cell in seen:
            continue
        area = [cell]
        seen.add(cell)
        for here in area:
            for there in graph[here]:
                if there not in sites and there not in seen:
                    seen.add(there)
                    area.append(there)
        areas.append(area)
    return areas


def _close(graph: CellGraph, area: list[Cell], sites: set[Cell]) -> None:
    """Join the sites around an area pairwise and remove its junctions if that saves edges. Trees stay trees."""
    border = sorted({there for cell in area for there in graph[cell] if there in sites})
    edges = sum(1 if there in sites else 0.5 for cell in area for there in graph[cell])
    if len(border) * (len(border) - 1) / 2 >= edges:
        return
    inside = set(area)
    found = {site: _ways(graph, site, inside) for site in border}
    for cell in area:
        for there in graph.pop(cell):
            if there in graph:
                del graph[there][cell]
    for one, other in combinations(border, 2):
        join(graph, one, other, found[one][other])


def _ways(graph: CellGraph, site: Cell, inside: set[Cell]) -> dict[Cell, int]:
    """Return the distances from a site through an area to all cells in it and to the sites around it."""
    found: dict[Cell, int] = {}
    frontier = [(steps, there) for there, steps in graph[site].items() if there in inside]
    heapify(frontier)
    while frontier:
        steps, here = heappop(frontier)
        if here not in found:
            found[here] = steps
            if here in inside:
                for there, more in graph[here].items():
                    if there not in found:
                        heappush(frontier, (steps + more, there))
    return found
