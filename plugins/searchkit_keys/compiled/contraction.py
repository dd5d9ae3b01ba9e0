"""The contraction of a vault in machine code: the result of `searchkit_keys.contraction.routes.contract`, as arrays."""

from itertools import pairwise
from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit_keys.compiled.routes import Nodes, RouteArrays, reaches_of, routes_of
from searchkit_keys.compiled.sites import site_arrays
from searchkit_keys.contraction.routes import Contraction, Route
from searchkit_keys.contraction.sites import Site, SiteGraph
from searchkit_keys.vault import Vault


@compiled_function
def flood(sites: Any, starts: Any, opened: Any, seen: Any, mark: Any, stack: Any) -> Any:
    """Mark all sites that can be reached if the doors of these keys are open; return the keys that lie there."""
    found, size = 0, 0
    for start in starts:
        if seen[start] != mark:
            seen[start] = mark
            stack[size] = start
            size += 1
    while size > 0:
        size -= 1
        here = stack[size]
        found |= sites.key[here]
        for edge in range(sites.begin[here], sites.begin[here + 1]):
            there = sites.to[edge]
            if seen[there] != mark and sites.door[edge] & ~opened == 0:
                seen[there] = mark
                stack[size] = there
                size += 1
    return found


@kernel
def explore(sites: Any, starts: Any, region: Any, keys: Any, seen: Any, stack: Any) -> Any:
    """Write the region of each site and the keys of each region; return the keys that robots can ever collect."""
    region[:] = -1
    count = 0
    for site in range(region.size):
        if region[site] < 0:
            keys[count] = flood(sites, (site,), -1, region, count, stack)
            count += 1
    seen[:] = 0
    held, floods, more = 0, 0, True
    while more:  # keys are never lost: the set of reachable sites only grows
        floods += 1
        found = flood(sites, starts, held, seen, floods, stack)
        more = found != held
        held = found
    return held


class ContractionArrays:
    """A contraction as arrays. Raises `InvalidProblemError` beyond `MOST_ROUTES` routes between two nodes.

    Nodes are the starts of the robots that matter and then the keys, in the order of their names.
    """

    def __init__(self, vault: Vault):
        self.vault = vault
        self.sites, self.stride = site_arrays(vault)
        count, starts = len(self.sites.cell), len(vault.starts)
        self.region, self.region_keys = np.empty(count, np.int64), np.empty(count, np.int64)
        """The region of each site, and the keys of each region."""
        room = np.empty(count, np.int64), np.empty(count, np.int64)
        self.starts = np.arange(starts)
        held = int(explore(self.sites, self.starts, self.region, self.region_keys, *room))
        self.solvable = held == vault.all_keys
        names = vault.start_names
        useful = np.flatnonzero(self.region_keys[self.region[:starts]]).tolist()
        self.robots = tuple([names[number] for number in useful])
        useful.sort(key=names.__getitem__)
        self.names = (*(names[number] for number in useful), *vault.keys)
        site = np.array([*useful, *range(starts, starts + len(vault.keys))], np.int64)
        self.nodes = Nodes(site, self.sites.key[site])
        self.routes = routes_of(self.sites, self.nodes)
        self.reaches: RouteArrays | None = (
            reaches_of(self.sites, self.nodes, self.routes) if self.solvable else None
        )
        """Routes over other keys too; None if the vault can't be solved."""

    def contraction(self) -> Contraction:
        """Return the same as `searchkit_keys.contraction.routes.contract`."""
        vault = self.vault
        cells = [(cell % self.stride - 1, cell // self.stride - 1) for cell in self.sites.cell.tolist()]
        names = [*vault.start_names, *vault.keys]
        marks = [vault.rows[y][x] for x, y in cells[len(names) :]]
        names += [mark if mark.isupper() else "" for mark in marks]
        begin, *columns = (array.tolist() for array in self.sites[1:4])
        edges = list(zip(*columns, strict=True))
        graph = SiteGraph(
            tuple(map(Site, names, cells)),
            tuple([dict(edges[here:there]) for here, there in pairwise(begin)]),
        )
        begin, *columns = (array.tolist() for array in self.routes)
        ways = list(zip(*columns, strict=True))
        order = np.argsort(self.nodes.site).tolist()
        routes = [
            Route(self.names[node], self.names[to], length, needs)
            for node in order
            for to, length, needs in ways[begin[node] : begin[node + 1]]
        ]
        return Contraction(vault, graph, self.robots, tuple(routes), self.solvable)
