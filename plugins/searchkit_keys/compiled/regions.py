"""The facts about a vault that the heuristics of the contracted problem need, calculated in machine code."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import heap
from searchkit_keys.compiled.bounds import (
    CROSSINGS,
    END_SPAN,
    FAR,
    FIRST_SPAN,
    FURTHEST,
    KEY,
    LAST,
    LETTERS,
    LEVEL,
    LEVEL_BITS,
    MOST_SPANS,
    NODE,
    NODES,
    ORDER,
    PARTS,
    REGION,
    REGIONS,
    ROWS,
    SPAN,
    SPANS,
    START,
    STEPS,
    TOUR,
    TREE,
    WHAT,
)
from searchkit_keys.compiled.contraction import ContractionArrays, flood
from searchkit_keys.compiled.routes import bits

RECKONED = {
    "combined": (CROSSINGS, CROSSINGS | TREE, FURTHEST | TREE),
    "crossings": (CROSSINGS, CROSSINGS, FURTHEST),
    "regions": (FURTHEST, FURTHEST, FURTHEST),
    "mst": (TREE, TREE, TREE),
}
"""For each heuristic, its parts in a region: a tree with one robot, another part with one, a part with several."""
NEVER = ("combined", "crossings")
"""Heuristics that detect that a vault can't be solved."""


@compiled_function
def distances_from(sites: Any, site: Any, table: Any, far: Any, distance: Any, queue: Any) -> None:
    """Write the distance of each key from a site if all doors are open (Dijkstra 1959)."""
    distance[:] = 1 << 62
    distance[site] = 0
    size = heap.push(queue, 0, (0, site))
    while size > 0:
        steps, here = heap.load(queue, np.uint64(0))
        size = heap.pop(queue, size)
        if steps > distance[here]:
            continue
        if sites.key[here] != 0:
            table[far + bits(sites.key[here] - 1)] = steps
        for edge in range(sites.begin[here], sites.begin[here + 1]):
            there, further = sites.to[edge], steps + sites.length[edge]
            if further < distance[there]:
                distance[there] = further
                size = heap.push(queue, size, (further, there))


@compiled_function
def find_followers(sites: Any, starts: Any, all_keys: Any, after: Any, seen: Any, stack: Any) -> None:
    """Write for each key those that can only be collected after it; see `followers` in `heuristics/crossings.py`."""
    seen[:] = 0
    for letter in range(LETTERS):
        key = (1 << letter) & all_keys
        after[letter] = 0
        if key:
            open_to = flood(sites, starts, all_keys & ~key, seen, letter + 1, stack)
            after[letter] = all_keys & ~open_to & ~key
    changed = True
    while changed:
        changed = False
        for letter in range(LETTERS):
            more = after[letter]
            for other in range(LETTERS):
                if after[letter] >> other & 1:
                    more |= after[other]
            if more != after[letter]:
                after[letter], changed = more, True


@compiled_function
def find_spans(sites: Any, start: Any, table: Any, first: Any, tour: Any, work: Any) -> Any:
    """Write the bridges of the region around a start beyond which keys lie (Tarjan 1974), from a record on.

    Returns the end of the last one. The keys are written in the order of the walk. `work` has room for five arrays over
    sites.
    """
    order, low, below, edge, stack = work
    order[:] = -1
    order[start], low[start], below[start], edge[start] = 0, 0, 0, sites.begin[start]
    stack[0], depth, met, end = start, 0, 1, first
    while depth >= 0:
        here = stack[depth]
        if sites.key[here] and edge[here] == sites.begin[here]:
            table[tour] = bits(sites.key[here] - 1)
            tour += 1
        parent = stack[depth - 1] if depth > 0 else -1
        if edge[here] < sites.begin[here + 1]:
            there = sites.to[edge[here]]
            edge[here] += 1
            if order[there] < 0:
                order[there], low[there], below[there], edge[there] = met, met, 0, sites.begin[there]
                met += 1
                depth += 1
                stack[depth] = there
            elif there != parent:
                low[here] = min(low[here], order[there])
            continue
        depth -= 1
        if parent < 0:
            continue
        below[here] |= sites.key[here]
        below[parent] |= below[here]
        low[parent] = min(low[parent], low[here])
        if below[here] == 0 or low[here] != order[here]:
            continue
        span = first
        while span < end and table[span] != below[here]:
            span += SPAN
        if span == end:
            table[span], table[span + STEPS] = below[here], 0
            end += SPAN
        for way in range(sites.begin[parent], sites.begin[parent + 1]):
            if sites.to[way] == here:
                table[span + STEPS] += sites.length[way]
    return end


@compiled_function
def write_levels(table: Any, span: Any, within: Any, after: Any, level: Any, changes: Any, masks: Any) -> Any:
    """Write how often the missing keys make a robot cross a bridge, from either side; return the end of the levels."""
    beyond = table[span]
    for followers in range(LETTERS):  # keys without followers first
        for letter in range(LETTERS):
            if not within >> letter & 1 or bits(after[letter] & within) != followers:
                continue
            side, most = beyond >> letter & 1, 0
            for later in range(LETTERS):
                if after[letter] & within & (1 << later):
                    most = max(most, changes[later] + (side != (beyond >> later & 1)))
            changes[letter] = most
    for across in range(2):
        table[span + LEVEL + across] = level
        masks[:] = 0
        for letter in range(LETTERS):
            if within >> letter & 1:
                masks[changes[letter] + ((beyond >> letter & 1) != across)] |= 1 << letter
        for count in range(LETTERS, 0, -1):
            if masks[count]:
                table[level] = count << LEVEL_BITS | masks[count]
                level += 1
    table[span + LEVEL + 2] = level
    return level


@compiled_function
def is_tree(sites: Any, region: Any, number: Any) -> Any:
    """Whether a region is free of loops."""
    inside, edges = 0, 0
    for site in range(region.size):
        if region[site] == number:
            inside += 1
            edges += sites.begin[site + 1] - sites.begin[site]
    return edges == 2 * (inside - 1)


@compiled_function
def enter_regions(sites: Any, nodes: Any, region: Any, region_keys: Any, reckoned: Any, table: Any) -> Any:
    """Write the regions of the nodes, those with robots first, and their heuristics; return all of it."""
    parts, every = 0, 0
    for node in range(nodes.site.size):
        number, key = region[nodes.site[node]], nodes.key[node]
        keys = region_keys[number]
        part = 0
        while part < parts and table[REGIONS + REGION * part] != keys:
            part += 1
        record = REGIONS + REGION * part
        if part == parts and not key:
            table[record], table[record + WHAT] = keys, reckoned[0 if is_tree(sites, region, number) else 1]
            table[record + START] = nodes.site[node]
            parts += 1
        elif not key:
            table[record + WHAT] = reckoned[2]
        place = NODES + NODE * node
        table[place], table[place + KEY] = part if part < parts else -1, key
        if key:
            table[ROWS + bits(key - 1)] = place + FAR
    for part in range(parts):
        every |= table[REGIONS + REGION * part + WHAT]
    table[PARTS] = parts
    return every


@kernel
def describe(
    sites: Any, starts: Any, nodes: Any, region: Any, region_keys: Any, all_keys: Any, reckoned: Any, level: Any,
    table: Any, work: Any, room: Any, after: Any, masks: Any, changes: Any,
) -> None:  # fmt: skip
    """Write all that the heuristics but the last need into the table, levels from `level` on."""
    every = enter_regions(sites, nodes, region, region_keys, reckoned, table)
    if every & (FURTHEST | TREE):
        for node in range(nodes.site.size):
            place = NODES + NODE * node
            if table[place] >= 0:
                distances_from(sites, nodes.site[node], table, place + FAR, work[0], heap.Pairs(room))
    if not every & CROSSINGS:
        return
    find_followers(sites, starts, all_keys, after, work[0], work[1])
    span, tour = SPANS, TOUR
    for part in range(table[PARTS]):
        record = REGIONS + REGION * part
        if not table[record + WHAT] & CROSSINGS:
            continue
        within = table[record]
        for letter in range(LETTERS):
            if within >> letter & 1 and not after[letter] & within:
                table[record + LAST] |= 1 << letter
        table[record + FIRST_SPAN], table[record + ORDER] = span, tour
        end = find_spans(sites, table[record + START], table, span, tour, work)
        tour += bits(within)
        while span < end:
            level = write_levels(table, span, within, after, level, changes, masks)
            span += SPAN
        table[record + END_SPAN] = end


def describe_regions(arrays: ContractionArrays, heuristic: str, table: Any, level: int) -> None:
    """Write what a heuristic needs into a table; levels from `level` on, where there is room for `LEVELS`."""
    count = len(arrays.region)
    describe(
        arrays.sites, arrays.starts, arrays.nodes, arrays.region, arrays.region_keys, arrays.vault.all_keys,
        np.array(RECKONED[heuristic], np.int64), level, table, np.empty((5, count), np.int64),
        np.empty(2 * len(arrays.sites.to) + 2, np.int64), *np.zeros((3, LETTERS + 1), np.int64),
    )  # fmt: skip


LEVELS = 2 * LETTERS * MOST_SPANS
"""The largest number of levels."""
