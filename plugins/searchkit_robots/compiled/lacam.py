"""Lazy constraints addition as machine code: the search of `lacam`, and of the first phase of `cbs`.

Nodes are configurations, expanded depth-first. An expansion tries one constraint: the required next locations of some
robots, the first ones in the order of the node. Its successor is a step by `searchkit_robots.compiled.pibt`.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel, sub_kernel
from searchkit.compiled.kit import control
from searchkit_robots.compiled.pibt import NO_ROBOT, collides, move, take

(
    GENERATED, EXPANDED, PEAK, SIZE, NODES, ENTRIES, EDGES, TRIED, GOAL, REPORTED, IMPROVEMENTS, IMPROVE, HEAD, FIRST,
    LAST, EDGE, BEFORE, PENDING, COUNTERS,
) = range(19)  # fmt: skip
"""Indices into the array of counters. SIZE is the height of the stack. GOAL is the node of the goals, or `NONE`, and
REPORTED its cost when its plan was last looked at. The nodes that became cheaper are in a ring from FIRST to LAST; of
the node BEFORE, the edges from EDGE on have not been followed. PENDING is the node that is pushed after that,
unless no better plan leads through it: then the search begins again at the first one."""
NONE = -1
NEVER = 1 << 62


class Nodes(NamedTuple):
    """The configurations that were reached, by their numbers."""

    robots: Any
    """int32: node, kind, robot → its location, and the order of the robots: those come first that were last at their
    goals the longest time ago, and of equal ones those that had the farthest way."""
    links: Any
    """int32: node → parent, first and last constraint to try, first and last edge, whether it is in the ring."""
    costs: Any
    """int64: node → cost from the starts, and lower bound on the cost to the goals."""
    hashes: Any
    """uint64: node → the hash of its configuration."""
    slots: Any
    """int32: a table of nodes with open addressing; its size is a power of 2."""
    ring: Any
    """int32: the nodes that became cheaper."""
    stack: Any
    """int32: the nodes to expand, the last one first."""


PLACES, ORDER = range(2)
PARENT, ENTRY, LAST_ENTRY, FIRST_EDGE, LAST_EDGE, IN_RING, LINKS = range(7)
ABOVE, PLACE, NEXT, DEPTH, ENTRY_COLUMNS = range(5)
"""Of a constraint: the one that it extends, the location of its last robot, the next one of its node, and the number of
its robots."""
TO, NEXT_EDGE, EDGE_COLUMNS = range(3)


@compiled_function
def _hash(places: Any) -> Any:
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for robot in range(places.size):
        mixed = (mixed ^ np.uint64(places[robot])) * np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(32)
    return mixed


@compiled_function
def _slot_of(nodes: Any, places: Any, mixed: Any) -> Any:
    """Return the slot of a configuration, or the free slot where it belongs."""
    mask = nodes.slots.size - 1
    slot = np.int64(mixed & np.uint64(mask))
    while nodes.slots[slot] != NONE:
        node = nodes.slots[slot]
        if nodes.hashes[node] == mixed:
            robot = 0
            while robot < places.size and nodes.robots[node, PLACES, robot] == places[robot]:
                robot += 1
            if robot == places.size:
                break
        slot = (slot + 1) & mask
    return slot


@kernel
def hash_all(nodes: Any, count: Any) -> None:
    """Hash the nodes again, and enter them into an empty table."""
    for node in range(count):
        places = nodes.robots[node, PLACES]
        nodes.hashes[node] = _hash(places)
        nodes.slots[_slot_of(nodes, places, nodes.hashes[node])] = node


@compiled_function
def _step_cost(roads: Any, nodes: Any, before: Any, after: Any) -> Any:
    """Return the cost of the step between two configurations."""
    if not roads.sums:
        return 1
    cost = 0
    for robot in range(roads.goals.size):
        goal = roads.goals[robot]
        here, there = nodes.robots[before, PLACES, robot], nodes.robots[after, PLACES, robot]
        cost += here != goal or there != goal
    return cost


@kernel
def enter(
    roads: Any, nodes: Any, entries: Any, farthest: Any, places: Any, parent: Any, counters: Any
) -> Any:
    """Return the node of a configuration; a new one is entered."""
    mixed = _hash(places)
    slot = _slot_of(nodes, places, mixed)
    if nodes.slots[slot] != NONE:
        return np.int64(nodes.slots[slot])
    node, count = counters[NODES], places.size
    counters[NODES] += 1
    nodes.slots[slot], nodes.hashes[node] = node, mixed
    bound = 0
    for robot in range(count):
        here = places[robot]
        nodes.robots[node, PLACES, robot] = here
        distance = roads.distances[robot, here]
        bound = bound + distance if roads.sums else max(bound, distance)
    rank = 0
    for moving in (True, False):  # robots at their goals come last
        for place in range(count):
            robot = nodes.robots[parent, ORDER, place] if moving and parent != NONE else farthest[place]
            if (parent == NONE or places[robot] != roads.goals[robot]) == moving:
                nodes.robots[node, ORDER, rank] = robot
                rank += 1
    cost = 0 if parent == NONE else nodes.costs[parent, 0] + _step_cost(roads, nodes, parent, node)
    nodes.costs[node, 0], nodes.costs[node, 1] = cost, bound
    entry = counters[ENTRIES]
    counters[ENTRIES] += 1
    entries[entry, ABOVE], entries[entry, PLACE] = NONE, 0
    entries[entry, NEXT], entries[entry, DEPTH] = NONE, 0
    links = nodes.links[node]
    links[PARENT], links[ENTRY], links[LAST_ENTRY] = parent, entry, entry
    links[FIRST_EDGE], links[LAST_EDGE], links[IN_RING] = NONE, NONE, 0
    return node


@compiled_function
def _refine(roads: Any, nodes: Any, entries: Any, node: Any, entry: Any, counters: Any) -> None:
    """Append the constraint extended by one more robot, once for each location that it can move to."""
    depth = entries[entry, DEPTH]
    if depth == roads.goals.size:
        return
    places, order, links = nodes.robots[node, PLACES], nodes.robots[node, ORDER], nodes.links[node]
    here = places[order[depth]]
    degree = roads.degrees[here]
    for way in range(degree + 1):
        there = roads.ways[here, way] if way < degree else here
        above, conflicting = entry, False
        while entries[above, DEPTH] > 0 and not conflicting:
            to = entries[above, PLACE]
            other = order[entries[above, DEPTH] - 1]
            conflicting = there == to or (there == places[other] and to == here)
            above = entries[above, ABOVE]
        if conflicting:
            continue
        new = counters[ENTRIES]
        counters[ENTRIES] += 1
        entries[new, ABOVE], entries[new, PLACE] = entry, there
        entries[new, NEXT], entries[new, DEPTH] = NONE, depth + 1
        if links[ENTRY] == NONE:
            links[ENTRY] = new
        else:
            entries[links[LAST_ENTRY], NEXT] = new
        links[LAST_ENTRY] = new


@sub_kernel
def _step(roads: Any, nodes: Any, entries: Any, crew: Any, node: Any, entry: Any, turn: Any) -> Any:
    """Write the configuration after one step under a constraint into `crew.after`; return whether there is one."""
    places, order, count = nodes.robots[node, PLACES], nodes.robots[node, ORDER], roads.goals.size
    for robot in range(count):
        crew.robot_at[places[robot]] = robot
        crew.after[robot] = -1
    able = True
    while able and entries[entry, DEPTH] > 0:
        robot, location = order[entries[entry, DEPTH] - 1], entries[entry, PLACE]
        able = crew.taken[location] == NO_ROBOT and not collides(crew, places, robot, location)
        if able:
            take(crew, robot, location)
        entry = entries[entry, ABOVE]
    rank = 0
    while able and rank < count:
        robot = order[rank]
        able = crew.after[robot] >= 0 or move(roads, crew, places, turn, robot)
        rank += 1
    for robot in range(count):
        crew.robot_at[places[robot]] = NO_ROBOT
        crew.taken[places[robot]] = NO_ROBOT
        for way in range(roads.degrees[places[robot]]):
            crew.taken[roads.ways[places[robot], way]] = NO_ROBOT
    return able


@compiled_function
def _is_worse(nodes: Any, node: Any, counters: Any) -> Any:
    """Whether no plan through a node is better than the best one that is known."""
    goal = counters[GOAL]
    return goal != NONE and nodes.costs[node, 0] + nodes.costs[node, 1] >= nodes.costs[goal, 0]


@sub_kernel
def _relax(roads: Any, nodes: Any, before: Any, after: Any, counters: Any) -> None:
    """Make a node cheaper if the step to it is; see `Exploration.propagate`."""
    cost = nodes.costs[before, 0] + _step_cost(roads, nodes, before, after)
    if cost >= nodes.costs[after, 0]:
        return
    links = nodes.links[after]
    nodes.costs[after, 0], links[PARENT] = cost, before
    if not links[IN_RING]:
        links[IN_RING] = 1
        nodes.ring[counters[LAST]] = after
        counters[LAST] = (counters[LAST] + 1) % nodes.ring.size
    if counters[GOAL] != NONE and not _is_worse(nodes, after, counters):
        nodes.stack[counters[SIZE]] = after
        counters[SIZE] += 1


@kernel
def explore(
    roads: Any, nodes: Any, entries: Any, edges: Any, crew: Any, farthest: Any, counters: Any,
    expansions: Any, steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` nodes and stop before the next one; return the stop reason.

    FOUND means that the goals were reached at a lower cost than REPORTED.
    """
    expanded, left, count, why = 0, np.int64(steps), roads.goals.size, control.EXHAUSTED
    while True:
        if left <= 0:
            why = control.PAUSED
            break
        if nodes.stack.size - counters[SIZE] < 2:
            why = control.FULL
            break
        if counters[EDGE] != NONE:
            edge = counters[EDGE]
            _relax(roads, nodes, counters[BEFORE], edges[edge, TO], counters)
            counters[EDGE] = edges[edge, NEXT_EDGE]
            left -= count
            continue
        if counters[FIRST] != counters[LAST]:
            before = nodes.ring[counters[FIRST]]
            counters[FIRST] = (counters[FIRST] + 1) % nodes.ring.size
            counters[BEFORE], counters[EDGE] = before, nodes.links[before, FIRST_EDGE]
            nodes.links[before, IN_RING] = 0
            left -= 1
            continue
        if counters[PENDING] != NONE:
            worse = _is_worse(nodes, counters[PENDING], counters)
            nodes.stack[counters[SIZE]] = nodes.stack[0] if worse else counters[PENDING]
            counters[SIZE] += 1
            counters[PENDING] = NONE
        if counters[SIZE] == 0:
            break
        node = np.int64(nodes.stack[counters[SIZE] - 1])
        if counters[GOAL] == NONE and nodes.costs[node, 1] == 0:
            counters[GOAL] = node
        goal = counters[GOAL]
        if goal != NONE and nodes.costs[goal, 0] < counters[REPORTED]:
            why = control.FOUND
            break
        if goal != NONE and counters[IMPROVEMENTS] == counters[IMPROVE]:
            break
        entry = np.int64(nodes.links[node, ENTRY])
        if entry == NONE or _is_worse(nodes, node, counters):
            counters[SIZE] -= 1
            left -= 1
            continue
        counters[HEAD] = node
        counters[PEAK] = max(counters[PEAK], counters[SIZE])
        if expanded == expansions:
            why = control.WORKED
            break
        full = counters[NODES] == nodes.links.shape[0] or counters[EDGES] == edges.shape[0]
        if full or counters[ENTRIES] + roads.ways.shape[1] + 2 > entries.shape[0]:
            why = control.FULL
            break
        links = nodes.links[node]
        links[ENTRY] = entries[entry, NEXT]
        _refine(roads, nodes, entries, node, entry, counters)
        able = _step(roads, nodes, entries, crew, node, entry, counters[TRIED])
        counters[TRIED] += 1
        counters[IMPROVEMENTS] += goal != NONE
        expanded += 1
        left -= 8 * count + entries[entry, DEPTH] * roads.ways.shape[1]
        if not able:
            continue
        counters[GENERATED] += 1
        known = enter(roads, nodes, entries, farthest, crew.after, node, counters)
        edge = counters[EDGES]
        counters[EDGES] += 1
        edges[edge, TO], edges[edge, NEXT_EDGE] = known, NONE
        if links[FIRST_EDGE] == NONE:
            links[FIRST_EDGE] = edge
        else:
            edges[links[LAST_EDGE], NEXT_EDGE] = edge
        links[LAST_EDGE] = edge
        _relax(roads, nodes, node, known, counters)
        counters[PENDING] = known
    counters[EXPANDED] = expanded
    return why
