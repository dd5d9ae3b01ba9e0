"""The routes between nodes in machine code: label setting as in `searchkit_keys.contraction.routes`."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import bits_set, heap
from searchkit_keys.compiled.sites import SiteArrays
from searchkit_keys.contraction.routes import MOST_ROUTES, too_many_routes

SHUT = -1
"""In place of the keys that it takes to leave a node: no path continues from there."""
DONE, FULL, TOO_MANY, GOES_ON = range(4)
"""How label setting ended: with all routes; for lack of room; with more than `MOST_ROUTES` between two nodes; not yet,
after much work."""
ORIGIN, WAYS, LABELS, FOUND, STATE = range(5)
"""Indices into the state of label setting: the origin, the number of waiting paths (−1: not begun), labels, routes
found."""
MOST_STEPS = 1 << 18
"""Labels that are visited before `find_routes` returns."""
FIRST_ROOM = 1 << 12
NEEDS_BITS = 32


class Nodes(NamedTuple):
    """The nodes of a contraction: starts of robots that matter, then keys."""

    site: Any
    """The site of each node."""
    key: Any
    """The key that lies there; 0 if there is none."""


class RouteArrays(NamedTuple):
    """Routes, sorted by their origin: those of node i are from begin[i] up to begin[i + 1]."""

    begin: Any
    to: Any
    length: Any
    needs: Any


class Room(NamedTuple):
    """Scratch arrays for label setting, with arbitrary values."""

    heap: Any
    label: Any
    """For each label its needs, and the previous label at the same place."""
    last: Any
    """The last label of each place, and the number of its labels."""


@compiled_function
def bits(number: Any) -> Any:
    """Return the number of bits that are set, as a signed number."""
    return np.int64(bits_set(np.uint64(number)))


@compiled_function
def beaten(room: Any, place: Any, needs: Any) -> Any:
    """Whether a settled path, which is not longer, needs no other keys than `needs`; and how many were compared."""
    label, looked = room.last[2 * place], np.int64(1)
    while label >= 0:
        if room.label[2 * label] & ~needs == 0:
            return True, looked
        label = room.label[2 * label + 1]
        looked += 1
    return False, looked


@compiled_function
def unbeaten(
    origin: Any, edges: Any, leave: Any, node_of: Any, most: Any, room: Any, found: Any, state: Any
) -> Any:
    """Append all undominated paths from a place to nodes to `found`, sorted by length, needs and node.

    `edges` are begin, to, length and needs; `leave` is what it takes to leave each place; `node_of` the number of the
    node at each place, −1 without a node; `most` the largest number of paths to one place. Returns how it ended; it
    continues from `state`.
    """
    begin, to, length, needs = edges
    queue, label, last = heap.Pairs(room.heap), room.label, room.last
    labels, size, count = state[LABELS], state[WAYS], state[FOUND]
    if size < 0:
        for place in range(leave.size):
            last[2 * place], last[2 * place + 1] = -1, 0
        labels, size = 0, heap.push(queue, 0, (0, origin))
    why, left = DONE, np.int64(MOST_STEPS)
    while size > 0:
        if left <= 0:
            why = GOES_ON
            break
        key, way = heap.load(queue, np.uint64(0))
        steps = key >> 5
        size = heap.pop(queue, size)
        place, taken = way & 0xFFFFFFFF, way >> NEEDS_BITS
        is_beaten, looked = beaten(room, place, taken)
        left -= looked
        if is_beaten:
            continue
        if last[2 * place + 1] == most:
            why = TOO_MANY
            break
        if 2 * labels + 2 > label.size or count >= found.to.size:
            why = FULL
            break
        label[2 * labels], label[2 * labels + 1] = taken, last[2 * place]
        last[2 * place] = labels
        last[2 * place + 1] += 1
        labels += 1
        if place != origin:
            if node_of[place] >= 0:
                found.to[count], found.length[count], found.needs[count] = node_of[place], steps, taken
                count += 1
            if leave[place] == SHUT:
                continue
            taken |= leave[place]
        if 2 * (size + begin[place + 1] - begin[place]) > queue.numbers.size:
            why = FULL
            break
        for edge in range(begin[place], begin[place + 1]):
            there, both = to[edge], taken | needs[edge]
            is_beaten, looked = beaten(room, there, both)
            left -= looked
            if not is_beaten:
                further = steps + length[edge]
                size = heap.push(queue, size, (further << 5 | bits(both), both << NEEDS_BITS | there))
    state[LABELS], state[WAYS], state[FOUND] = labels, size, count
    return why


@kernel
def find_routes(
    edges: Any, origins: Any, leave: Any, node_of: Any, most: Any, room: Any, found: Any, state: Any
) -> Any:
    """Find the routes from each origin in turn, continuing from `state`; return how it ended."""
    while state[ORIGIN] < origins.size:
        number = state[ORIGIN]
        if state[WAYS] < 0:
            found.begin[number] = state[FOUND]
        why = unbeaten(origins[number], edges, leave, node_of, most, room, found, state)
        if why != DONE:
            return why
        state[ORIGIN], state[WAYS] = number + 1, -1
    found.begin[origins.size] = state[FOUND]
    return DONE


def routes_of(sites: SiteArrays, nodes: Nodes) -> RouteArrays:
    """Return `Contraction.routes`. Raises `InvalidProblemError` beyond `MOST_ROUTES` between two sites."""
    found = _found(_edges(sites), nodes.site, np.where(sites.key != 0, SHUT, 0), _node_of(sites, nodes))
    if found is None:
        raise too_many_routes()
    return found


def reaches_of(sites: SiteArrays, nodes: Nodes, routes: RouteArrays) -> RouteArrays:
    """Return `Contraction.reaches` of each node. Raises `InvalidProblemError` beyond `MOST_ROUTES` between two nodes.

    Chains of routes are paths from site to site over keys: if there are fewer edges than routes, edges are used.
    """
    found = None
    if len(sites.to) < len(routes.to):
        found = _found(_edges(sites), nodes.site, sites.key, _node_of(sites, nodes))
    if found is None:
        everywhere = np.arange(len(nodes.site))
        found = _found(tuple(routes), everywhere, nodes.key, np.where(nodes.key != 0, everywhere, -1))
    if found is None:
        raise too_many_routes()
    return found


def _edges(sites: SiteArrays) -> tuple[Any, ...]:
    return sites.begin, sites.to, sites.length, sites.door


def _node_of(sites: SiteArrays, nodes: Nodes) -> Any:
    """Return the number of the node at each site where a key lies, −1 at others."""
    node_of = np.full(len(sites.cell), -1, np.int64)
    node_of[nodes.site] = np.where(nodes.key != 0, np.arange(len(nodes.site)), -1)
    return node_of


def _found(edges: Any, origins: Any, leave: Any, node_of: Any) -> RouteArrays | None:
    """Return the routes from all origins; None if there are more than `MOST_ROUTES` between two places."""
    size = FIRST_ROOM
    while True:
        room = Room(
            np.empty(2 * size, np.int64), np.empty(2 * size, np.int64), np.empty(2 * len(leave), np.int64)
        )
        found = RouteArrays(
            np.empty(len(origins) + 1, np.int64), *(np.empty(size, np.int64) for _ in range(3))
        )
        state, why = np.array([0, -1, 0, 0]), GOES_ON
        while why == GOES_ON:  # between two calls, Ctrl-C and other threads have their turn
            why = find_routes(edges, origins, leave, node_of, MOST_ROUTES, room, found, state)
        if why == DONE:
            count = int(found.begin[-1])
            return RouteArrays(found.begin, *(array[:count] for array in found[1:]))
        if why == TOO_MANY:
            return None
        size *= 4
