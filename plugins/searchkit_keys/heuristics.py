"""The heuristics of the contracted problem. All are admissible and consistent, and sums over the regions.

A region is the part of a vault that a robot can reach if all doors are open.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import TypeAlias

from attrs import define

from searchkit_keys.contraction import Contraction, SiteGraph
from searchkit_keys.vault import Keys, NodeState, bit

Heuristic: TypeAlias = Callable[[NodeState], float]
"""Function of a state (nodes and keys) that returns steps."""
RegionHeuristic: TypeAlias = Callable[[list[str], Keys], float]
"""Function of the nodes of the robots in a region and of its missing keys, at least one each, that returns steps."""
Levels: TypeAlias = tuple[tuple[int, Keys], ...]
"""(number of crossings, keys that require it), largest number first."""


def combined(contraction: Contraction) -> Heuristic:
    """Return the sum over the regions of `crossings` or `mst`, whichever is larger in the region at the start."""
    if not contraction.solvable:
        return lambda state: inf
    crossed, spanned, members = (
        counted_crossings(contraction),
        spanning_tree(contraction),
        contraction.regions,
    )
    robots: dict[Keys, list[str]] = {}
    for node in contraction.robots:
        robots.setdefault(members[node], []).append(node)
    counts = {region for region, group in robots.items() if crossed(group, region) >= spanned(group, region)}

    def heuristic(robots: list[str], missing: Keys) -> float:
        return crossed(robots, missing) if members[robots[0]] in counts else spanned(robots, missing)

    return _summed(contraction, heuristic)


def crossings(contraction: Contraction) -> Heuristic:
    """Return the sum over the regions of the steps for crossing bridges: see `counted_crossings`."""
    if not contraction.solvable:
        return lambda state: inf
    return _summed(contraction, counted_crossings(contraction))


def regions(contraction: Contraction) -> Heuristic:
    """Return the sum over the regions of the distance of the furthest missing key.

    The distance of a key is that from the nearest robot of its region if all doors are open. Some robot has to walk
    that far. An action of `l` steps reduces the distances in one region by at most `l`.
    """
    return _summed(contraction, furthest(contraction))


def minimum_spanning_tree(contraction: Contraction) -> Heuristic:
    """Return the sum over the regions of the length of a minimum spanning tree of the missing keys and the robots.

    All doors are open, and edges between robots cost nothing. The paths between the keys that robots collect one after
    the other form a spanning tree, so it is not shorter than the minimum (Prim 1957).
    """
    return _summed(contraction, spanning_tree(contraction))


def zero(contraction: Contraction) -> Heuristic:
    """Return the heuristic that is always 0; with it, A* is Dijkstra's algorithm."""
    return lambda state: 0


HEURISTICS: Mapping[str, Callable[[Contraction], Heuristic]] = {
    "combined": combined,
    "crossings": crossings,
    "regions": regions,
    "mst": minimum_spanning_tree,
    "zero": zero,
}
"""Name → the function of a contraction that returns the heuristic; all are admissible and consistent."""


def _summed(contraction: Contraction, part: RegionHeuristic) -> Heuristic:
    """Return the sum of a heuristic over the regions with a missing key."""
    members, all_keys = contraction.regions, contraction.vault.all_keys

    def heuristic(state: NodeState) -> float:
        robots, keys = state
        missing = all_keys & ~keys
        groups: dict[Keys, list[str]] = {}
        for node in robots:
            region = members[node]
            if region & missing:
                groups.setdefault(region, []).append(node)
        return sum([part(group, region & missing) for region, group in groups.items()])

    return heuristic


def furthest(contraction: Contraction) -> RegionHeuristic:
    """Return the largest distance of a missing key from its nearest robot."""
    far = {
        node: sorted(((steps, bit(key)) for key, steps in found.items()), reverse=True)
        for node, found in contraction.distances.items()
    }
    near = {
        node: {bit(key): steps for key, steps in found.items()}
        for node, found in contraction.distances.items()
    }

    def heuristic(robots: list[str], missing: Keys) -> float:
        if len(robots) == 1:
            return next(steps for steps, key in far[robots[0]] if key & missing)
        found = [near[node] for node in robots]
        return max(min(steps[key] for steps in found) for key in found[0] if key & missing)

    return heuristic


def spanning_tree(contraction: Contraction) -> RegionHeuristic:
    """Return the length of a minimum spanning tree of robots and missing keys."""
    distances = contraction.distances
    memo: dict[tuple[Keys, tuple[str, ...]], float] = {}

    def heuristic(robots: list[str], missing: Keys) -> float:
        place = (missing, tuple(robots))
        if place not in memo:
            apart = {
                key: min(distances[node][key] for node in robots)
                for key in distances[robots[0]]
                if bit(key) & missing
            }
            total = 0
            while apart:
                nearest = min(apart, key=apart.__getitem__)
                total += apart.pop(nearest)
                around = distances[nearest]
                for key, steps in apart.items():
                    if around[key] < steps:
                        apart[key] = around[key]
            memo[place] = total
        return memo[place]

    return heuristic


def counted_crossings(contraction: Contraction) -> RegionHeuristic:
    """Return how many steps it takes to cross bridges as often as the order of the keys requires.

    That is for regions with one robot. In regions with several, which can share the work, it is the distance of the
    furthest missing key.

    A chain is a sequence of keys that must be collected in this order. A bridge is crossed at least as often as a chain
    of missing keys changes sides, starting at the robot; and an odd number of times if the last key of all is on the
    other side, otherwise an even number of times. The value is the sum over the bridges of crossings times steps, and
    the minimum of that over all keys that can be the last.
    """
    after, far, members = followers(contraction), furthest(contraction), contraction.regions
    levels: dict[str, list[tuple[int, Levels]]] = {}
    lasts: dict[str, list[tuple[Keys, list[int]]]] = {}
    for start in contraction.robots:
        region = members[start]
        if sum(members[other] == region for other in contraction.robots) > 1:
            continue
        spans = bridges(contraction.graph, contraction.nodes[start])
        for span in spans:
            span.require(after, region)
        last = [key for key in after if key & region and not after[key] & region]
        for node in contraction.nodes:
            if members[node] == region:
                here = contraction.graph.keys[contraction.nodes[node]]
                across = [span.beyond if not here & span.beyond else ~span.beyond for span in spans]
                levels[node] = [(span.steps, span.levels[bool(here & span.beyond)]) for span in spans]
                lasts[node] = [(key, [i for i, side in enumerate(across) if key & side]) for key in last]
    memo: dict[tuple[str, Keys], float] = {}

    def heuristic(robots: list[str], missing: Keys) -> float:
        node = robots[0]
        if node not in levels:
            return far(robots, missing)
        known = memo.get((node, missing))
        if known is not None:
            return known
        total, odd = 0, []
        for steps, required in levels[node]:
            more = steps
            for count, keys in required:
                if keys & missing:
                    total += steps * (count + (count & 1))
                    if count & 1:
                        more = -steps
                    break
            odd.append(more)
        total += min(
            [sum([odd[i] for i in across]) for key, across in lasts[node] if key & missing], default=0
        )
        memo[node, missing] = total
        return total

    return heuristic


def followers(contraction: Contraction) -> dict[Keys, Keys]:
    """Return for each key the keys that can only be collected after it.

    These are the keys that no robot can reach while the doors of that key are closed and all others are open, and
    transitively their followers. Only for solvable vaults: in others a key may follow itself.
    """
    graph, all_keys = contraction.graph, contraction.vault.all_keys
    starts = [number for number, site in enumerate(graph.sites) if site.is_start]
    keys = [bit(letter) for letter in contraction.vault.keys]
    after = {key: all_keys & ~graph.open_to(starts, closed=key) & ~key for key in keys}
    changed = True
    while changed:
        changed = False
        for key, later in after.items():
            more = later
            for other, following in after.items():
                if other & later:
                    more |= following
            if more != later:
                after[key], changed = more, True
    return after


@define
class Bridge:
    """The edges that every path between two parts of a region uses, combined if they separate the same keys."""

    beyond: Keys
    """The keys on the other side than the start of the robot."""
    steps: int = 0
    levels: tuple[Levels, Levels] = ((), ())
    """The crossings that missing keys require of a robot on the side of the start, and of one on the other side."""

    def require(self, after: Mapping[Keys, Keys], region: Keys) -> None:
        """Compute the crossings that each key of the region requires, given the followers of all keys."""
        keys = sorted(
            (key for key in after if key & region), key=lambda key: (after[key] & region).bit_count()
        )
        changes: dict[Keys, int] = {}
        for key in keys:  # followers first
            across = self.beyond if not key & self.beyond else ~self.beyond
            changes[key] = max(
                [changes[later] + bool(later & across) for later in changes if later & after[key]], default=0
            )
        self.levels = (
            _levels({key: count + bool(key & self.beyond) for key, count in changes.items()}),
            _levels({key: count + (not key & self.beyond) for key, count in changes.items()}),
        )


def _levels(counts: dict[Keys, int]) -> Levels:
    masks: dict[int, Keys] = {}
    for key, count in counts.items():
        if count:
            masks[count] = masks.get(count, 0) | key
    return tuple(sorted(masks.items(), reverse=True))


def bridges(graph: SiteGraph, start: int) -> list[Bridge]:
    """Return the bridges in the region of a start with keys beyond them (depth-first search, Tarjan 1974)."""
    order = {start: 0}
    low: dict[int, int] = {start: 0}
    beyond = list(graph.keys)
    found: dict[Keys, Bridge] = {}
    stack = [(start, -1, iter(graph.edges[start]))]
    while stack:
        here, parent, around = stack[-1]
        for there in around:
            if there not in order:
                order[there] = low[there] = len(order)
                stack.append((there, here, iter(graph.edges[there])))
                break
            if there != parent:
                low[here] = min(low[here], order[there])
        else:
            stack.pop()
            if parent < 0:
                continue
            below = beyond[here]
            beyond[parent] |= below
            low[parent] = min(low[parent], low[here])
            if below and low[here] == order[here]:
                found.setdefault(below, Bridge(below)).steps += graph.edges[parent][here]
    return list(found.values())
