"""Saving what `lacam` has explored, and checking it when it is read back: see `searchkit.compiled.kit.Fields`.

The kernels follow the numbers without checks, so each of them is checked here: a damaged file can't make machine code
read outside an array, nor make a plan with a step that the rules forbid.
"""

from typing import Any

import numpy as np

from searchkit.compiled.kit import Fields
from searchkit_robots.compiled import lacam
from searchkit_robots.compiled.lacam import (
    BEFORE,
    COUNTERS,
    EDGE,
    EDGE_COLUMNS,
    EDGES,
    ENTRIES,
    ENTRY,
    ENTRY_COLUMNS,
    FIRST,
    FIRST_EDGE,
    GOAL,
    HEAD,
    IMPROVE,
    IN_RING,
    LAST,
    LAST_EDGE,
    LAST_ENTRY,
    LINKS,
    NEVER,
    NODES,
    NONE,
    PARENT,
    PENDING,
    PLACES,
    SIZE,
    WAITED,
)
from searchkit_robots.compiled.roads import FAR, Numbered, Roads
from searchkit_robots.engines._common import set_incumbent

MOST = 1 << 30


def are_steps(roads: Roads, before: Any, after: Any) -> bool:
    """Whether each configuration, a row of `after`, follows from that of `before` by a step without conflicts."""
    reach = before == after
    for way in range(roads.ways.shape[1]):
        reach |= (roads.ways[before, way] == after) & (way < roads.degrees[before])
    if not reach.all() or not are_apart(after):
        return False
    size = len(roads.degrees)
    forth, back = before.astype(np.int64) * size + after, after.astype(np.int64) * size + before
    return not any(
        np.isin(there[moved], here[moved]).any()
        for here, there, moved in zip(forth, back, before != after, strict=True)
    )


def are_apart(rows: Any) -> bool:
    """Whether no two robots of a configuration are in one location."""
    return bool((np.diff(np.sort(rows, axis=1), axis=1) > 0).all())


def saved_explorer(explorer: Any) -> dict[str, Any]:
    """Return what an explorer holds, by name."""
    counters, nodes = explorer.counters.copy(), explorer.nodes
    count, size = int(counters[NODES]), int(counters[SIZE])
    waiting = (counters[LAST] - counters[FIRST]) % len(nodes.ring)
    return {
        "counters": counters,
        "places": np.ascontiguousarray(nodes.robots[:count, PLACES]),
        "waited": np.ascontiguousarray(nodes.robots[:count, WAITED]),
        "links": nodes.links[:count].copy(),
        "costs": nodes.costs[:count, 0].copy(),
        "constraints": explorer.entries[: counters[ENTRIES]].copy(),
        "edges": explorer.edges[: counters[EDGES]].copy(),
        "stack": nodes.stack[:size].copy(),
        "cheaper": np.roll(nodes.ring, -int(counters[FIRST]))[:waiting].copy(),
    }


def restore_explorer(explorer: Any, fields: Fields) -> None:
    """Let a fresh explorer continue from there. Raises `InputFormatError` if it is not one of this problem."""
    roads = explorer.roads
    counters = fields.array("counters", np.int64, length=COUNTERS).copy()
    fields.expect((counters >= NONE).all() and (counters <= NEVER).all(), "counters", "one is out of range")
    count = int(counters[NODES])
    fields.expect((count > 0) == (explorer.counters[NODES] > 0), "counters", "NODES is wrong")
    places, waited, costs = _nodes(roads, fields, count)
    links = fields.array("links", np.int32, length=count, columns=LINKS)
    waiting = fields.array("cheaper", np.int32, below=max(1, count))
    stack = fields.array("stack", np.int32, length=int(counters[SIZE]), below=max(1, count))
    fields.expect((links >= NONE).all(), "links", "one is out of range")
    in_ring = np.zeros(count, np.int32)
    in_ring[waiting] = 1
    fields.expect(np.array_equal(in_ring, links[:, IN_RING]), "cheaper", "the nodes are others")
    fields.expect(in_ring.sum() == len(waiting), "cheaper", "one is there twice")
    order = explorer.farthest[np.argsort(-waited[:, explorer.farthest], axis=1, kind="stable")]
    entries = _entries(roads, fields, counters, links, places, order)
    edges = _edges(roads, fields, counters, links, places, costs)
    distances = roads.distances[np.arange(len(roads.starts)), places]
    bounds = distances.sum(axis=1) if roads.sums else distances.max(axis=1, initial=0)
    goal, pending, head = (int(counters[name]) for name in (GOAL, PENDING, HEAD))
    fields.expect(
        max(goal, pending, head, counters[BEFORE]) < max(1, count) and head >= 0, "counters", "no such node"
    )
    fields.expect(goal == NONE or bounds[goal] == 0, "counters", "GOAL is not the goals")
    fields.expect(pending == NONE or len(stack), "counters", "PENDING without a stack")
    room = max(count, len(explorer.nodes.links))
    slots = np.full(4 << room.bit_length(), NONE, np.int32)
    explorer.nodes = lacam.Nodes(
        _longer(np.stack([places, waited, order], axis=1).astype(np.int32), room), _longer(links, room),
        _longer(np.stack([costs, bounds], axis=1).astype(np.int64), room), np.empty(room, np.uint64), slots,
        _longer(waiting, room + 1), _longer(stack, len(stack) + 2),
    )  # fmt: skip
    counters[FIRST], counters[LAST] = 0, len(waiting)
    counters[IMPROVE] = explorer.counters[IMPROVE]
    lacam.hash_all(explorer.nodes, count)
    explorer.entries, explorer.edges, explorer.counters = entries, edges, counters


def _longer(array: Any, room: int) -> Any:
    """Return an array of `room` rows that begins with the rows of another one."""
    longer = np.empty((room, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def _nodes(roads: Roads, fields: Fields, count: int) -> tuple[Any, Any, Any]:
    """Return the configurations, the steps since robots were last at their goals, and the costs."""
    robots, size = len(roads.starts), len(roads.degrees)
    places = fields.array("places", np.int32, length=count, columns=robots, below=size)
    waited = fields.array("waited", np.int32, length=count, columns=robots, below=MOST)
    costs = fields.array("costs", np.int64, length=count, below=NEVER)
    near = roads.distances[np.arange(robots), places] < FAR
    fields.expect(near.all() and are_apart(places), "places", "a robot can't be there")
    first = not count or (np.array_equal(places[0], roads.starts) and not costs[0])
    fields.expect(first, "places", "the starts are not those of this problem")
    fields.expect(len(np.unique(places, axis=0)) == count, "places", "a configuration is there twice")
    return places, waited, costs


def _entries(roads: Roads, fields: Fields, counters: Any, links: Any, places: Any, order: Any) -> Any:
    """Return the constraints."""
    count = int(counters[ENTRIES])
    entries = fields.array("constraints", np.int32, length=count, columns=ENTRY_COLUMNS)
    above, place, following, depth, owner = entries.T
    numbers = np.arange(count)
    fields.expect((owner >= 0).all() and (owner < len(links)).all(), "constraints", "there is no such node")
    _expect_chain(fields, "constraints", following, owner, links[:, ENTRY], links[:, LAST_ENTRY])
    deep = depth > 0
    fields.expect(
        ((depth >= 0) & (depth <= len(roads.starts))).all(), "constraints", "one has too many robots"
    )
    fields.expect(
        (deep == (above >= 0)).all() and (above < numbers).all(), "constraints", "one extends a later one"
    )
    higher, own = above[deep], owner[deep]
    same = (depth[higher] == depth[deep] - 1).all() and (owner[higher] == own).all()
    fields.expect(same, "constraints", "one extends another node's")
    fields.expect(
        ((place >= 0) & (place < len(roads.degrees))).all(), "constraints", "there is no such location"
    )
    here, there = places[own, order[own, depth[deep] - 1]], place[deep]
    reach = here == there
    for way in range(roads.ways.shape[1]):
        reach |= (roads.ways[here, way] == there) & (way < roads.degrees[here])
    fields.expect(reach.all(), "constraints", "a robot can't move there")
    return _longer(entries, max(count + roads.ways.shape[1] + 2, 64))


def _edges(roads: Roads, fields: Fields, counters: Any, links: Any, places: Any, costs: Any) -> Any:
    """Return the steps that were generated; each node but the first one was reached by one of them."""
    count, nodes = int(counters[EDGES]), len(links)
    edges = fields.array("edges", np.int32, length=count, columns=EDGE_COLUMNS)
    to, following, begin = edges.T
    known = ((to >= 0) & (to < nodes) & (begin >= 0) & (begin < nodes)).all()
    fields.expect(known, "edges", "there is no such node")
    _expect_chain(fields, "edges", following, begin, links[:, FIRST_EDGE], links[:, LAST_EDGE])
    fields.expect(are_steps(roads, places[begin], places[to]), "edges", "one is not a step")
    parents = links[:, PARENT]
    reached = np.isin(np.arange(nodes) * nodes + parents, to.astype(np.int64) * nodes + begin)
    fields.expect(
        reached[1:].all() and (parents[:1] == NONE).all(), "links", "a parent has no step to its node"
    )
    dearer = (costs[parents[1:]] < costs[1:]).all()
    fields.expect(dearer, "costs", "a node costs no more than its parent")
    edge = int(counters[EDGE])
    own = edge == NONE or (edge < count and begin[edge] == counters[BEFORE])
    fields.expect(own, "counters", "EDGE is not one of BEFORE")
    return _longer(edges, max(2 * count, 64))


def _expect_chain(fields: Fields, name: str, following: Any, owner: Any, first: Any, last: Any) -> None:
    """Expect lists, one of each owner, in which each element is followed by a later one of the same owner."""
    count = len(following)
    linked = np.flatnonzero(following != NONE)
    after = following[linked]
    fields.expect((after > linked).all() and (after < count).all(), name, "one is followed by an earlier one")
    fields.expect((owner[after] == owner[linked]).all(), name, "one is followed by another node's")
    for ends in (first, last):
        nodes = np.flatnonzero(ends != NONE)
        fields.expect((ends[nodes] < count).all(), "links", "there is no such element")
        fields.expect((owner[ends[nodes]] == nodes).all(), "links", "an element belongs to another node")
    both = first != NONE
    fields.expect(
        (last[both] != NONE).all() and (following[last[both]] == NONE).all(), "links", "a list has no end"
    )


def saved_plan(numbered: Numbered, tree: Any, paths: Any) -> dict[str, Any]:
    """Return the best plan, one configuration after the other; none if there is no plan."""
    rows = [[numbered.number(place) for place in places] for places in zip(*paths, strict=True)]
    return {
        "plan": np.array(rows, np.int32).reshape(-1, len(numbered.roads.starts)),
        "first plan": str(tree.details.get("first plan", "")),
    }


def restore_plan(numbered: Numbered, tree: Any, fields: Fields) -> Any:
    """Make the plan that was saved the incumbent; return the paths of the robots."""
    roads = numbered.roads
    plan = fields.array("plan", np.int32, columns=len(roads.starts), below=len(roads.degrees))
    paths = []
    if len(plan):
        ends = np.array_equal(plan[0], roads.starts) and np.array_equal(plan[-1], roads.goals)
        fields.expect(ends and are_steps(roads, plan[:-1], plan[1:]), "plan", "it is not a plan")
        paths = [numbered.locations(path) for path in plan.T]
        set_incumbent(numbered.problem, tree, paths)
    first = fields.value("first plan")
    fields.expect(isinstance(first, str), "first plan", "expected a text")
    if first:
        tree.details["first plan"] = first
    return paths
