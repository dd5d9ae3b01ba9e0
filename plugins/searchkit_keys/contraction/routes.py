"""The contraction of a vault: a small graph whose nodes are starts and keys.

Its edges are *routes*. A route ends at the first key that it meets, so no other key lies on it. Of all routes between
two nodes, only those are kept that are not dominated, that is, for which no other route is at most as long and needs
only keys that this one needs. For the proof that this is exact see `docs/reference/plugins/keys.md`.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from heapq import heappop, heappush
from typing import TypeVar

from attrs import field, frozen

from searchkit.plugin import InvalidProblemError
from searchkit_keys.contraction.sites import SiteGraph
from searchkit_keys.vault import Cell, Keys, Vault, bit, letters

Node = TypeVar("Node", int, str)
MOST_ROUTES = 1_000
"""The largest number of routes between two nodes. With n doors there may be 2ⁿ non-dominated routes."""


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
    """Starts and keys, and all non-dominated routes between neighbours."""

    vault: Vault
    graph: SiteGraph = field(repr=False)
    robots: tuple[str, ...]
    """The starts of the robots that can reach a key if all doors are open. Other robots never need to move."""
    routes: tuple[Route, ...] = field(repr=False)
    """From each node to the keys that can be met first; in both directions between keys, never to a start."""
    solvable: bool
    """Whether all keys can be collected."""

    def reaches(self, node: str) -> tuple[Route, ...]:
        """Return all non-dominated routes from a node to any key, also over other keys, shortest first.

        A route needs the keys that it passes: a robot that does not hold one takes the route to that key instead.
        """
        return self._reaches[node]

    @cached_property
    def _reaches(self) -> dict[str, tuple[Route, ...]]:
        onward: dict[str, list[tuple[int, Keys, str]]] = {name: [] for name in self.nodes}
        for route in self.routes:
            onward[route.origin].append((route.length, route.needs, route.target))

        def steps(node: str, origin: str) -> list[tuple[int, Keys, str]]:
            passed = bit(node) if node != origin and node.islower() else 0
            return [(length, needs | passed, target) for length, needs, target in onward[node]]

        return {
            name: tuple(
                Route(name, target, length, needs)
                for length, needs, target in unbeaten(name, lambda node, name=name: steps(node, name))  # type: ignore[misc]
                if target.islower() and target != name
            )
            for name in self.nodes
        }

    @cached_property
    def nodes(self) -> dict[str, Cell]:
        """The starts in `robots` and all keys: name → cell."""
        return {site.name: site.cell for site in self.graph.sites if site.name in self.robots or site.is_key}

    @cached_property
    def distances(self) -> dict[str, dict[str, int]]:
        """For each node, the steps to each key that can be reached if all doors are open."""
        sites = self.graph.sites
        return {
            site.name: {
                sites[other].name: steps
                for other, steps in self.graph.distances(number).items()
                if sites[other].is_key
            }
            for number, site in enumerate(sites)
            if site.name in self.nodes
        }

    @cached_property
    def regions(self) -> dict[str, Keys]:
        """For each node, the keys of its region, that is the part that can be reached from it if all doors are open."""
        return {
            node: sum(map(bit, found)) | (bit(node) if node.islower() else 0)
            for node, found in self.distances.items()
        }

    def is_tree(self, region: Keys) -> bool:
        """Whether the region with these keys has no loop."""
        first = next(node for node, keys in self.regions.items() if keys == region)
        start = next(number for number, site in enumerate(self.graph.sites) if site.name == first)
        inside = self.graph.distances(start)
        return sum(len(self.graph.edges[site]) for site in inside) == 2 * (len(inside) - 1)


def contract(vault: Vault) -> Contraction:
    """Return the contraction of a vault.

    Raises `InvalidProblemError` if there are more than `MOST_ROUTES` routes between two nodes.
    """
    graph = SiteGraph.of(vault)
    sites, edges = graph.sites, graph.edges
    starts = [number for number, site in enumerate(sites) if site.is_start]
    useful = [number for number in starts if any(sites[other].is_key for other in graph.distances(number))]

    def onward(number: int, origin: int) -> list[tuple[int, Keys, int]]:
        if sites[number].is_key and number != origin:
            return []
        return [(length, sites[other].door, other) for other, length in edges[number].items()]

    routes = [
        Route(sites[origin].name, sites[target].name, length, needs)
        for origin in [*useful, *(number for number, site in enumerate(sites) if site.is_key)]
        for length, needs, target in unbeaten(origin, lambda number, origin=origin: onward(number, origin))  # type: ignore[misc]
        if sites[target].is_key and target != origin
    ]
    return Contraction(
        vault,
        graph,
        tuple(sites[number].name for number in useful),
        tuple(routes),
        graph.collectable(starts) == vault.all_keys,
    )


def too_many_routes() -> InvalidProblemError:
    """Return the error for more than `MOST_ROUTES` routes between two nodes."""
    return InvalidProblemError(
        f"the vault has more than {MOST_ROUTES:,} routes between two places, each shorter or with fewer doors "
        "than the others, so its contraction would be larger than the vault; search the grid instead, with "
        "contracted=false"
    )


def unbeaten(
    origin: Node, onward: Callable[[Node], Iterable[tuple[int, Keys, Node]]]
) -> list[tuple[int, Keys, Node]]:
    """Return (length, needs, node) of all non-dominated paths from `origin`, shortest first.

    A path dominates another one to the same node if it is at most as long and needs only keys that the other needs.
    Label setting (Martins 1984): labels are settled in order of length, so only settled labels can dominate a new one.
    Time grows with the number of labels, which is exponential in the worst case.

    Raises `InvalidProblemError` if there are more than `MOST_ROUTES` paths to one node.
    """
    settled: dict[Node, list[Keys]] = {}
    found: list[tuple[int, Keys, Node]] = []
    frontier: list[tuple[int, int, Keys, Node]] = [(0, 0, 0, origin)]
    while frontier:
        length, _, needs, node = heappop(frontier)
        before = settled.setdefault(node, [])
        if any(other & ~needs == 0 for other in before):
            continue
        if len(before) == MOST_ROUTES:
            raise too_many_routes()
        before.append(needs)
        found.append((length, needs, node))
        for step, more, target in onward(node):
            both = needs | more
            if not any(other & ~both == 0 for other in settled.get(target, ())):
                heappush(frontier, (length + step, both.bit_count(), both, target))
    return found
