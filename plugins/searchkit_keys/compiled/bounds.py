"""The heuristics of the contracted problem, compiled: `searchkit_keys.heuristics.sums` over the table of a view."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, heuristic_function, kernel
from searchkit_keys.compiled.routes import bits

LETTERS = 26
FURTHEST, TREE, CROSSINGS = 1, 2, 4
"""The heuristic of a region: the largest of these."""

ROBOTS, BITS, SHIFT, ALL, PARTS, WALKS = range(6)
"""Indices into the table: the number of robots; the bits of a robot's node, and of the keys below them; all keys; the
number of regions with robots, −1 if the vault can't be solved; where the walks begin."""
REGIONS, WHAT, FIRST_SPAN, END_SPAN, LAST, START, ORDER, REGION = 8, 1, 2, 3, 4, 5, 6, 7
"""A record for each region with robots: its keys, its heuristics, where its spans are, the keys that can be the last
one, the site of a start, and where its part of the tour is."""
SPANS, STEPS, LEVEL, SPAN = REGIONS + LETTERS * REGION, 1, 2, 5
"""A record for each span, which is a bridge: the keys beyond it, its steps, where the levels of a robot on the start's
side begin, and of one on the other side, and the next span's."""
MOST_SPANS = 2 * LETTERS
"""The largest number of spans: sets of keys beyond bridges are nested or disjoint."""
ROWS = SPANS + (MOST_SPANS + 1) * SPAN
"""For each letter, where the distances of its node begin."""
TOUR = ROWS + LETTERS
"""The letters of each region in the order of a walk around it."""
NODES, KEY, FAR, NODE = TOUR + LETTERS, 1, 2, 2 + LETTERS
"""A record for each node: its region, −1 without a robot; its key, 0 without one; the distance to each key."""
LEVEL_BITS = 32

WORK = 2 * MOST_SPANS
"""The number of array elements that a heuristic needs."""


@compiled_function
def node_of(table: Any, state: Any, robot: Any) -> Any:
    """Return where the record of a robot's node begins."""
    return NODES + NODE * ((state >> (table[SHIFT] + table[BITS] * robot)) & ((1 << table[BITS]) - 1))


@compiled_function
def spread_out(table: Any, state: Any, part: Any, missing: Any, work: Any) -> Any:
    """Write the distance of each missing key of a region from the nearest robot in it, and after that, the keys.

    Returns their number.
    """
    count = 0
    for letter in range(LETTERS):
        if missing >> letter & 1:
            work[count], work[LETTERS + count] = 1 << 62, letter
            count += 1
    for robot in range(table[ROBOTS]):
        node = node_of(table, state, robot)
        if table[node] == part:
            for number in range(count):
                work[number] = min(work[number], table[node + FAR + work[LETTERS + number]])
    return count


@compiled_function
def spanning_tree(table: Any, count: Any, work: Any) -> Any:
    """Return the length of a minimum spanning tree of these keys and the robots (Prim 1957); overwrites them."""
    total = 0
    while count > 0:
        nearest = 0
        for number in range(1, count):
            nearest = number if work[number] < work[nearest] else nearest
        total += work[nearest]
        row = table[ROWS + work[LETTERS + nearest]]
        count -= 1
        work[nearest], work[LETTERS + nearest] = work[count], work[LETTERS + count]
        for number in range(count):
            work[number] = min(work[number], table[row + work[LETTERS + number]])
    return total


@compiled_function
def touring(table: Any, node: Any, part: Any, missing: Any) -> Any:
    """Return the length of some tree of these keys and the only robot, which is at least that of a minimum one."""
    nearest, total, row = 1 << 62, 0, 0
    place = table[REGIONS + REGION * part + ORDER]
    left = missing
    while left != 0:
        letter = table[place]
        place += 1
        if not missing >> letter & 1:
            continue
        left ^= 1 << letter
        nearest = min(nearest, table[node + FAR + letter])
        total += table[row + letter] if row > 0 else 0
        row = table[ROWS + letter]
    return total + nearest


@compiled_function
def crossings(table: Any, node: Any, part: Any, missing: Any, work: Any) -> Any:
    """Return the cost of crossing its bridges in a region with one robot."""
    record = REGIONS + REGION * part
    total, spans = 0, 0
    for span in range(table[record + FIRST_SPAN], table[record + END_SPAN], SPAN):
        beyond, steps = table[span], table[span + STEPS]
        across = (beyond & table[node + KEY]) != 0
        even = True
        level, end = table[span + LEVEL + across], table[span + LEVEL + 1 + across]
        while level < end:
            if table[level] & missing:
                count = table[level] >> LEVEL_BITS
                even = count & 1 == 0
                total += steps * (count + (count & 1))
                break
            level += 1
        work[spans] = steps if even else -steps
        work[MOST_SPANS + spans] = ~beyond if across else beyond
        spans += 1
    last, least = table[record + LAST] & missing, 0
    found = False
    while last != 0:
        key = last & -last
        last ^= key
        more = 0
        for span in range(spans):
            more += work[span] if work[MOST_SPANS + span] & key else 0
        least = min(least, more) if found else more
        found = True
    return total + least


@compiled_function
def estimate(table: Any, packed: Any, work: Any) -> Any:
    """Sum the heuristics of the regions with a missing key."""
    if table[PARTS] < 0:
        return inf
    state = np.int64(packed)
    missing, total = table[ALL] & ~state, 0
    for part in range(table[PARTS]):
        record = REGIONS + REGION * part
        wanted, what = table[record] & missing, table[record + WHAT]
        if wanted == 0:
            continue
        most = 0
        if what & CROSSINGS:
            robot = 0
            while table[node_of(table, state, robot)] != part:
                robot += 1
            node = node_of(table, state, robot)
            most = crossings(table, node, part, wanted, work)
            # no minimum spanning tree is longer than this tree, and finding one takes several times as long
            if what & TREE and most >= touring(table, node, part, wanted):
                what = CROSSINGS
        if what & (FURTHEST | TREE):
            count = spread_out(table, state, part, wanted, work)
            if what & FURTHEST:
                for number in range(count):
                    most = max(most, work[number])
            if what & TREE:
                most = max(most, spanning_tree(table, count, work))
        total += most
    return float(total)


@heuristic_function
def summed(table: Any, state: Any) -> Any:
    """Calculate every heuristic but the last, as the table says."""
    return estimate(table, state, np.empty(WORK, np.int64))


@kernel
def estimate_one(table: Any, state: Any, work: Any) -> Any:
    """Return the same for one state."""
    return estimate(table, state, work)


@compiled_function
def estimate_first(table: Any, packed: Any) -> Any:
    """Take the longest route of a robot that has not moved: the table has lengths of routes instead of distances."""
    state = np.int64(packed)
    missing, longest = table[ALL] & ~state, 0
    for robot in range(table[ROBOTS]):
        node = node_of(table, state, robot)
        for letter in range(LETTERS):
            if missing >> letter & 1:
                longest = max(longest, table[node + FAR + letter])
    return float(max(0, longest + bits(missing) - 1))


@heuristic_function
def furthest_and_missing(table: Any, state: Any) -> Any:
    """Read `furthest+missing-1` from the table."""
    return estimate_first(table, state)


@kernel
def estimate_first_one(table: Any, state: Any) -> Any:
    """Return the same for one state."""
    return estimate_first(table, state)
