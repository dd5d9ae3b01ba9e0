"""The first step of the contraction: from cells to sites, that is starts, keys, doors and junctions."""

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

from attrs import frozen

from searchkit_keys.contraction.reduction import neighbours, reduced
from searchkit_keys.vault import START, Cell, Keys, Vault, bit


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

    @property
    def door(self) -> Keys:
        """The key that is needed to enter; 0 if the site is not a door."""
        return bit(self.name) if self.is_door else 0


@frozen
class SiteGraph:
    """The graph of sites. Its edges are shortest paths that pass no other site."""

    sites: tuple[Site, ...]
    """Starts, keys, doors, junctions. Doors at dead ends are omitted."""
    edges: tuple[Mapping[int, int], ...]
    """For each site, the adjacent sites with the length of the shortest path in steps. Symmetric."""

    @classmethod
    def of(cls, vault: Vault) -> "SiteGraph":
        """Build the graph. Takes about O(cells) time for mazes, O((doors + keys) · cells) with open areas."""
        cells = vault.cells()
        sites = [Site(name, cell) for name, cell in zip(vault.start_names, vault.starts, strict=True)]
        sites += [Site(letter, cell) for letter, cell in vault.keys.items()]
        sites += [Site(mark, cell) for cell, mark in cells.items() if mark.isupper()]
        graph = reduced(
            neighbours(cells), {site.cell for site in sites}, {s.cell for s in sites if s.is_door}
        )
        sites = [site for site in sites if site.cell in graph]
        placed = {site.cell for site in sites}
        sites += [Site("", cell) for cell in graph if cell not in placed]
        number = {site.cell: index for index, site in enumerate(sites)}
        return cls(
            tuple(sites),
            tuple({number[there]: steps for there, steps in graph[site.cell].items()} for site in sites),
        )

    def distances(self, site: int) -> dict[int, int]:
        """Return the number of steps to each site that can be reached if all doors are open."""
        found: dict[int, int] = {}
        frontier = [(0, site)]
        while frontier:
            steps, here = heappop(frontier)
            if here not in found:
                found[here] = steps
                for there, length in self.edges[here].items():
                    if there not in found:
                        heappush(frontier, (steps + length, there))
        return found

    def collectable(self, starts: Iterable[int]) -> Keys:
        """Return every key that robots at these sites can ever collect.

        Keys are never lost, open doors stay open, and every step can be reversed. So no action makes a later one
        impossible, and a single flood that continues behind a door once its key is reached finds all keys.
        """
        held: Keys = 0
        seen: set[int] = set()
        waiting: list[int] = []
        frontier = list(starts)
        while frontier:
            here = frontier.pop()
            if here in seen:
                continue
            site = self.sites[here]
            if site.door & ~held:
                waiting.append(here)
                continue
            seen.add(here)
            frontier += self.edges[here]
            if site.is_key and not held & bit(site.name):
                held |= bit(site.name)
                frontier += waiting
                waiting = []
        return held

    def open_to(self, starts: Iterable[int], closed: Keys) -> Keys:
        """Return the keys that can be reached from these sites if only the doors of the keys `closed` are closed."""
        reached: Keys = 0
        seen: set[int] = set()
        frontier = list(starts)
        while frontier:
            here = frontier.pop()
            if here not in seen and not self.sites[here].door & closed:
                seen.add(here)
                frontier += self.edges[here]
                if self.sites[here].is_key:
                    reached |= bit(self.sites[here].name)
        return reached
