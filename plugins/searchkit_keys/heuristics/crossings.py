"""The heuristic `crossings`: how often a robot must cross each bridge because of the order of the keys."""

from collections.abc import Callable
from operator import itemgetter
from typing import TypeAlias

from attrs import define

from searchkit_keys.contraction.routes import Contraction
from searchkit_keys.contraction.sites import SiteGraph
from searchkit_keys.vault import Keys, bit

Levels: TypeAlias = tuple[tuple[int, Keys], ...]
"""(number of crossings, keys that require it), largest number first."""


@define
class Bridge:
    """The edges that every path between two parts of a region uses, combined if they separate the same keys."""

    beyond: Keys
    """The keys on the other side than the start of the robot."""
    steps: int = 0
    levels: tuple[Levels, Levels] = ((), ())
    """The crossings that missing keys require of a robot on the side of the start, and of one on the other side."""


def followers(contraction: Contraction) -> dict[Keys, Keys]:
    """Return for each key the keys that can only be collected after it.

    These are the keys that no robot can reach while the doors of that key are closed and all others are open, and
    transitively their followers. Only for solvable vaults: in others a key may follow itself.
    """
    graph = contraction.graph
    starts = [number for number, site in enumerate(graph.sites) if site.is_start]
    all_keys = contraction.vault.all_keys
    after = {
        bit(letter): all_keys & ~graph.open_to(starts, closed=bit(letter)) & ~bit(letter)
        for letter in contraction.vault.keys
    }
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


def bridges(graph: SiteGraph, start: int) -> list[Bridge]:
    """Return the bridges in the region of a start with keys beyond them (depth-first search, Tarjan 1974)."""
    order = {start: 0}
    low: dict[int, int] = {start: 0}
    keys: dict[int, Keys] = {}
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
            below = keys.get(here, 0) | (bit(graph.sites[here].name) if graph.sites[here].is_key else 0)
            keys[parent] = keys.get(parent, 0) | below
            low[parent] = min(low[parent], low[here])
            if below and low[here] == order[here]:
                found.setdefault(below, Bridge(below)).steps += graph.edges[parent][here]
    return list(found.values())


def region_crossings(
    contraction: Contraction, start: str, after: dict[Keys, Keys]
) -> Callable[[str, Keys], int]:
    """Return the heuristic of a region with one robot: (node of the robot, missing keys) → steps.

    A chain is a sequence of keys that must be collected in this order. A bridge is crossed at least as often as a chain
    of missing keys changes sides, starting at the robot; and an odd number of times if the last key of all is on the
    other side, otherwise an even number of times. The value is the sum over the bridges of crossings times steps, and
    the minimum of that over all keys that can be the last.
    """
    graph = contraction.graph
    number = next(index for index, site in enumerate(graph.sites) if site.name == start)
    within = [bit(key) for key in contraction.distances[start]]
    region = sum(within)
    last = [key for key in within if not after[key] & region]
    spans = bridges(graph, number)
    within.sort(key=lambda key: (after[key] & region).bit_count())  # followers first
    for span in spans:
        changes: dict[Keys, int] = {}
        for key in within:
            side = bool(key & span.beyond)
            changes[key] = max(
                (
                    changes[later] + (side != bool(later & span.beyond))
                    for later in changes
                    if later & after[key]
                ),
                default=0,
            )
        span.levels = (
            _levels({key: count + bool(key & span.beyond) for key, count in changes.items()}),
            _levels({key: count + (not key & span.beyond) for key, count in changes.items()}),
        )

    paths: dict[str, list[tuple[Keys, Callable[[list[int]], tuple[int, ...]]]]] = {}
    sides: dict[str, list[tuple[int, Levels]]] = {}
    for node in [start, *contraction.distances[start]]:
        here = bit(node) if node.islower() else 0
        sides[node] = [(span.steps, span.levels[bool(here & span.beyond)]) for span in spans]
        paths[node] = [
            (
                key,
                itemgetter(
                    # two indices of 0 make it always return a tuple
                    *(
                        i
                        for i, span in enumerate(spans)
                        if bool(key & span.beyond) != bool(here & span.beyond)
                    ),
                    len(spans),
                    len(spans),
                ),
            )
            for key in last
        ]
    memo: dict[tuple[str, Keys], int] = {}

    def bound(node: str, missing: Keys) -> int:
        known = memo.get((node, missing))
        if known is not None:
            return known
        total = 0
        if_last_beyond: list[int] = []
        for steps, levels in sides[node]:
            for count, keys in levels:
                if keys & missing:
                    if count & 1:
                        total += steps * (count + 1)
                        if_last_beyond.append(-steps)
                    else:
                        total += steps * count
                        if_last_beyond.append(steps)
                    break
            else:
                if_last_beyond.append(steps)
        if_last_beyond.append(0)
        total += min((sum(path(if_last_beyond)) for key, path in paths[node] if key & missing), default=0)
        memo[node, missing] = total
        return total

    return bound


def _levels(counts: dict[Keys, int]) -> Levels:
    masks: dict[int, Keys] = {}
    for key, count in counts.items():
        if count:
            masks[count] = masks.get(count, 0) | key
    return tuple(sorted(masks.items(), reverse=True))
