"""The contraction of a vault: a small graph whose nodes are starts and keys.

Its edges are *routes*. A route needs the keys of the doors and the other keys on it. Of all routes between two nodes,
only those are kept that are not dominated, that is, for which no other route is at most as long and needs only keys
that this one needs. For the proof that this is exact see `docs/reference/plugins/keys.md`.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import TypeAlias

from attrs import field, frozen

from searchkit.plugin import InvalidProblemError
from searchkit_keys.vault import START, WALL, Cell, Keys, Vault, bit, letters

CellGraph: TypeAlias = dict[Cell, dict[Cell, int]]
"""Cell → adjacent cells → the distance between them in steps. Symmetric."""
MAX_ROUTES = 1_000
"""The largest number of routes between two nodes. With n doors there may be 2ⁿ non-dominated routes."""


@frozen
class Site:
    """A start, a key, a door or a junction."""

    name: str
    """The letter of a key or a door; `@` for a start, `@1`, `@2`, … row by row if there are several; "" for a junction.

    Doors with the same letter have the same name and different cells.
    """
    cell: Cell

    @property
    def is_start(self) -> bool:
        """Whether a robot starts here."""
        return self.name.startswith(START)

    @property
    def is_key(self) -> bool:
        """Whether a key lies here."""
        return self.name.islower()

    @property
    def is_door(self) -> bool:
        """Whether there is a door here."""
        return self.name.isupper()


@frozen(slots=False)
class SiteGraph:
    """The graph of sites. Its edges are shortest paths that pass no other site."""

    sites: tuple[Site, ...]
    """Starts, keys, doors, junctions. Doors at dead ends are omitted."""
    edges: tuple[Mapping[int, int], ...]
    """For each site, the adjacent sites with the length of the shortest path in steps. Symmetric."""

    @classmethod
    def of(cls, vault: Vault) -> "SiteGraph":
        """Build the graph. Takes about O(cells) time for mazes, O((doors + keys) · cells) with open areas."""
        doors = [
            Site(mark[0], (mark.start(), y))
            for y, row in enumerate(vault.rows)
            for mark in re.finditer("[A-Z]", row)
            if mark[0].lower() in vault.keys
        ]
        sites = [Site(name, cell) for name, cell in zip(vault.start_names, vault.starts, strict=True)]
        sites += [Site(letter, cell) for letter, cell in vault.keys.items()]
        graph = reduced(vault, {site.cell for site in sites}, {door.cell for door in doors})
        sites = [site for site in [*sites, *doors] if site.cell in graph]
        placed = {site.cell for site in sites}
        sites += [Site("", cell) for cell in graph if cell not in placed]
        number = {site.cell: index for index, site in enumerate(sites)}
        return cls(
            tuple(sites),
            tuple({number[there]: steps for there, steps in graph[site.cell].items()} for site in sites),
        )

    @cached_property
    def keys(self) -> list[Keys]:
        """The key that lies on each site; 0 for none."""
        return [bit(site.name) if site.is_key else 0 for site in self.sites]

    @cached_property
    def doors(self) -> list[Keys]:
        """The key that is needed to enter each site; 0 for none."""
        return [bit(site.name) if site.is_door else 0 for site in self.sites]

    def open_to(self, starts: Iterable[int], closed: Keys = 0) -> Keys:
        """Return the keys that can be reached from these sites if only the doors of the keys `closed` are closed."""
        reached: Keys = 0
        frontier = [site for site in starts if not self.doors[site] & closed]
        seen = set(frontier)
        for here in frontier:
            reached |= self.keys[here]
            for there in self.edges[here]:
                if there not in seen and not self.doors[there] & closed:
                    seen.add(there)
                    frontier.append(there)
        return reached

    def collectable(self, starts: Iterable[int]) -> Keys:
        """Return every key that robots at these sites can ever collect.

        Keys are never lost, open doors stay open, and every step can be reversed. So no action makes a later one
        impossible: the keys that are reached open doors until nothing changes.
        """
        starts, held = list(starts), 0
        while (found := self.open_to(starts, closed=~held)) != held:
            held = found
        return held

    def unbeaten(self, origin: int) -> list[tuple[int, Keys, int]]:
        """Return (length, needs, site) of all non-dominated paths from a site to keys, shortest first.

        A path needs the keys of its doors and those that lie on it. It dominates another one to the same site if it is
        at most as long and needs only keys that the other needs. Label setting (Martins 1984): labels are settled in
        order of length, so only settled labels can dominate a new one. Time grows with the number of labels, which is
        exponential in the worst case.

        Raises `InvalidProblemError` if there are more than `MAX_ROUTES` paths to one site.
        """
        edges, doors, keys = self.edges, self.doors, self.keys
        settled: list[list[Keys]] = [[] for _ in edges]
        found: list[tuple[int, Keys, int]] = []
        frontier: list[tuple[int, int, Keys, int]] = [(0, 0, 0, origin)]
        while frontier:
            length, _, needs, here = heappop(frontier)
            before = settled[here]
            if before and any(other & ~needs == 0 for other in before):
                continue
            if len(before) == MAX_ROUTES:
                raise too_many_routes()
            before.append(needs)
            if keys[here] and here != origin:
                found.append((length, needs, here))
                needs |= keys[here]
            for there, steps in edges[here].items():
                both, others = needs | doors[there], settled[there]
                if not (others and any(other & ~both == 0 for other in others)):
                    heappush(frontier, (length + steps, both.bit_count(), both, there))
        return found


def too_many_routes() -> InvalidProblemError:
    """Return the error for more than `MAX_ROUTES` routes between two nodes."""
    return InvalidProblemError(
        f"the vault has more than {MAX_ROUTES:,} routes between two places, each shorter or with fewer doors "
        "than the others, so its contraction would be larger than the vault; search the grid instead, with "
        "contracted=false"
    )


@frozen
class Route:
    """A non-dominated path between two nodes."""

    origin: str
    target: str
    length: int
    """Steps."""
    needs: Keys
    """The keys that must be held before: those of the doors on the path, and those that lie on it."""

    def __str__(self) -> str:
        doors = f", needs {letters(self.needs)}" if self.needs else ""
        return f"{self.origin} to {self.target}: {self.length}{doors}"


@frozen(slots=False)
class Contraction:
    """Starts and keys, and all non-dominated routes between them."""

    vault: Vault
    graph: SiteGraph = field(repr=False)
    robots: tuple[str, ...]
    """The starts of the robots that can reach a key if all doors are open. Other robots never need to move."""
    solvable: bool
    """Whether all keys can be collected."""

    @cached_property
    def nodes(self) -> dict[str, int]:
        """The starts in `robots` and all keys: name → site."""
        sites = enumerate(self.graph.sites)
        return {site.name: number for number, site in sites if site.name in self.robots or site.is_key}

    @cached_property
    def reaches(self) -> dict[str, list[Route]]:
        """For each node, all non-dominated routes to any key, also over other keys, shortest first.

        A route needs the keys that it passes: a robot that does not hold one takes the route to that key instead.
        """
        sites = self.graph.sites
        return {
            node: [
                Route(node, sites[to].name, steps, needs) for steps, needs, to in self.graph.unbeaten(site)
            ]
            for node, site in self.nodes.items()
        }

    @cached_property
    def distances(self) -> dict[str, dict[str, int]]:
        """For each node, the steps to each other key that can be reached if all doors are open."""
        return {
            node: {route.target: route.length for route in reversed(routes)}
            for node, routes in self.reaches.items()
        }

    @cached_property
    def regions(self) -> dict[str, Keys]:
        """For each node, the keys of its region, that is the part that can be reached from it if all doors are open."""
        return {node: self.graph.open_to([site]) for node, site in self.nodes.items()}


def contract(vault: Vault) -> Contraction:
    """Return the contraction of a vault, whose routes are computed when they are read.

    Reading them raises `InvalidProblemError` if there are more than `MAX_ROUTES` routes between two nodes.
    """
    graph = SiteGraph.of(vault)
    starts = [number for number, site in enumerate(graph.sites) if site.is_start]
    robots = tuple(graph.sites[start].name for start in starts if graph.open_to([start]))
    return Contraction(vault, graph, robots, graph.collectable(starts) == vault.all_keys)


def reduced(vault: Vault, places: set[Cell], doors: set[Cell]) -> CellGraph:
    """Return the graph of the places and doors, which are the sites, and of the junctions between them.

    The length of a shortest path between two sites that passes no third site is that on the grid.

    Dead ends are left out, also doors there, and corridors are edges. The remaining cells other than sites are
    junctions. In an open area, joining the sites around it pairwise may take fewer edges than its junctions have; then
    the junctions are left out as well.
    """
    graph, sites = corridors(vault, places, doors), places | doors
    pending = list(graph)
    while pending:
        cell = pending.pop()
        around = graph.get(cell)
        if around is None or len(around) > 2 or (cell in sites and (cell in places or len(around) == 2)):
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


def corridors(vault: Vault, places: set[Cell], doors: set[Cell]) -> CellGraph:
    """Return the graph of the sites, and of the cells with three or four neighbours, without dead ends."""
    stride = len(vault.rows[0]) + 2
    drawn = WALL * stride + "".join([f"{WALL}{row}{WALL}" for row in vault.rows]) + WALL * stride
    shut = "".join(mark for mark in set(drawn) if mark.isupper() and mark.lower() not in vault.keys)
    free = bytearray(drawn.encode().translate(bytes(chr(i) not in WALL + shut for i in range(256))))
    fixed, steps = bytearray(len(free)), (-stride, 1, stride, -1)
    for x, y in places:
        fixed[(y + 1) * stride + x + 1] = 1
    pending = [cell for cell, is_free in enumerate(free) if is_free]
    for cell in pending:  # dead ends
        while free[cell] and not fixed[cell]:
            beside = [cell + step for step in steps if free[cell + step]]
            if len(beside) > 1:
                break
            free[cell] = 0
            cell = beside[0] if beside else cell
    for x, y in doors:
        fixed[(y + 1) * stride + x + 1] = 1
    around = {cell: [step for step in steps if free[cell + step]] for cell in pending if free[cell]}
    stops = [cell for cell, ways in around.items() if fixed[cell] or len(ways) > 2]
    fixed = bytearray(len(free))
    for cell in stops:
        fixed[cell] = 1
    place = {cell: (cell % stride - 1, cell // stride - 1) for cell in stops}
    graph: CellGraph = {place[cell]: {} for cell in stops}
    for cell in stops:
        for step in around[cell]:
            here, length = cell + step, 1
            while not fixed[here]:
                one, other = around[here]
                step = other if one == -step else one
                here, length = here + step, length + 1
            if here != cell:
                join(graph, place[cell], place[here], length)
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
