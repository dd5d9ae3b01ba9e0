"""The bound `crossings`: how often a robot has to cross each bridge, because of what it needs before what."""

from collections.abc import Callable
from operator import itemgetter
from typing import TypeAlias

from attrs import define

from searchkit_keys.contraction.routes import Contraction
from searchkit_keys.contraction.sites import SiteGraph
from searchkit_keys.vault import Keys, bit

Levels: TypeAlias = tuple[tuple[int, Keys], ...]
"""(crossings, keys that ask for so many), most first."""


@define
class Bridge:
    """Edges that every way between two parts of a region uses, all those that part its keys alike."""

    beyond: Keys
    """The keys on the side away from the robot's start."""
    steps: int = 0
    levels: tuple[Levels, Levels] = ((), ())
    """The crossings that missing keys ask for: of a robot on the start's side, and of one on the other side."""


def followers(contraction: Contraction) -> dict[Keys, Keys]:
    """For each key, the keys that can only be collected after it, whatever the robots do.

    Those are the keys that no robot can get at while its doors are closed, all other doors open; and theirs in turn.
    Only for vaults that can be solved: in others a key may have to come before itself.
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
    """Return the bridges of the region around a start beyond which keys lie (depth-first search, Tarjan 1974)."""
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
    """Return the bound of a region with one robot: it takes the robot's node and the keys missing, and gives steps.

    Let a chain be keys that have to be collected one after the other. A bridge is crossed at least as often as a
    chain of missing keys changes sides, counted from where the robot is; and an odd number of times if the last key of
    all is on the other side, otherwise an even number of times. The bound is the sum over the bridges of crossings
    times steps, least over all keys that can be the last.
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
                    # two places of 0 make it return a tuple in every case
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
