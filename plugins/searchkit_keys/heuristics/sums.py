"""Heuristics that are sums over the regions of a vault."""

from collections.abc import Callable
from math import inf
from typing import TypeAlias

from searchkit_keys.contraction.routes import Contraction
from searchkit_keys.heuristics.crossings import followers, region_crossings
from searchkit_keys.vault import Keys, bit

Heuristic: TypeAlias = Callable[[tuple[tuple[str, ...], Keys]], float]
"""Function of a state (nodes and keys) that returns steps."""
RegionHeuristic: TypeAlias = Callable[[list[str], Keys], float]
"""Function of the nodes of the robots in a region and of its missing keys, at least one each, that returns steps."""


def zero(contraction: Contraction) -> Heuristic:
    """Return the heuristic that is always 0; with it, A* is Dijkstra's algorithm."""
    return lambda state: 0


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


def crossings(contraction: Contraction) -> Heuristic:
    """Return the sum over the regions of the steps for crossing bridges: see `searchkit_keys.heuristics.crossings`.

    In regions with several robots, which can share the work, it is the distance of the furthest missing key.
    """
    if not contraction.solvable:
        return lambda state: inf
    return _summed(contraction, counted_crossings(contraction))


def combined(contraction: Contraction) -> Heuristic:
    """Return the sum over the regions of the largest of `regions`, `crossings` and, unless the region is a tree, `mst`.

    On a tree with one robot, `crossings` is never less than the other two.
    """
    if not contraction.solvable:
        return lambda state: inf
    members = contraction.regions
    count = {keys: sum(members[robot] == keys for robot in contraction.robots) for keys in members.values()}
    trees = {keys for keys in count if count[keys] == 1 and contraction.is_tree(keys)}
    crossed, spanned = counted_crossings(contraction), spanning_tree(contraction)

    def heuristic(robots: list[str], missing: Keys) -> float:
        if members[robots[0]] in trees:
            return crossed(robots, missing)
        return max(crossed(robots, missing), spanned(robots, missing))

    return _summed(contraction, heuristic)


def furthest_and_missing(contraction: Contraction) -> Heuristic:
    """Return the longest route from a robot that has not moved to an adjacent missing key, plus one for each other key.

    "Adjacent" means without a key in between. In a forest that route is the only path, and a robot that is alone in its
    region has to walk all of it; each other missing key takes another step. With loops, or with two robots in a region,
    keys can be collected on another path or by the other robot. When the last such robot takes its first walk, however
    short, the value drops by the whole route, so the heuristic is not consistent.
    """
    lengths: dict[str, list[tuple[int, Keys]]] = {start: [] for start in contraction.robots}
    for route in contraction.routes:
        if route.origin in lengths:
            lengths[route.origin].append((route.length, bit(route.target)))
    all_keys = contraction.vault.all_keys

    def heuristic(state: tuple[tuple[str, ...], Keys]) -> float:
        robots, keys = state
        missing = all_keys & ~keys
        longest = max(
            (steps for node in robots if node in lengths for steps, key in lengths[node] if key & missing),
            default=0,
        )
        return max(0, longest + missing.bit_count() - 1)

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
    """Return the heuristic `crossings` for regions with one robot, and `furthest` for others."""
    after, far, members = followers(contraction), furthest(contraction), contraction.regions
    counted: dict[str, Callable[[str, Keys], int]] = {}
    for start in contraction.robots:
        if sum(members[start] == members[other] for other in contraction.robots) == 1:
            bound = region_crossings(contraction, start, after)
            counted |= dict.fromkeys([start, *contraction.distances[start]], bound)

    def heuristic(robots: list[str], missing: Keys) -> float:
        bound = counted.get(robots[0])
        return far(robots, missing) if bound is None else bound(robots[0], missing)

    return heuristic


def _summed(contraction: Contraction, part: RegionHeuristic) -> Heuristic:
    """Return the sum of a heuristic over the regions with a missing key."""
    members, all_keys = contraction.regions, contraction.vault.all_keys

    def heuristic(state: tuple[tuple[str, ...], Keys]) -> float:
        robots, keys = state
        missing = all_keys & ~keys
        groups: dict[Keys, list[str]] = {}
        for node in robots:
            region = members[node]
            if region & missing:
                groups.setdefault(region, []).append(node)
        return sum([part(group, region & missing) for region, group in groups.items()])

    return heuristic
