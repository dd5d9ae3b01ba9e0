"""Checking hub labels that were read from a file, in one pass over the network: faster than making them.

A checksum proves nothing: whoever forges labels forges that too. A distance follows from those of the neighbours, and
each edge leads up or down between the parts, so labels in which each number agrees with the adjacent ones are correct.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit_graph.precomputed.compiled.tables import numbers_of
from searchkit_graph.precomputed.labels.compiled.sides import (
    clear,
    read_label,
    room_near,
    settle,
    side_of,
    value_of,
)
from searchkit_graph.precomputed.labels.dissection import LARGEST_LEAF
from searchkit_graph.precomputed.labels.table import HubLabels
from searchkit_graph.precomputed.network import FAR, NONE

PIECE = 1 << 22
"""Distances that are compared in one call."""
DEEPEST = 64
"""More parts than this are never within one another: a part has at most two thirds of the states of the one above."""


def fault_of(labels: HubLabels) -> str:
    """Return what is wrong with labels; "" if their distances are right."""
    fault = _fault_of_frame(labels)
    if fault:
        return fault
    for one_side in {id(side): side for side in (labels, labels.reverse)}.values():
        if not _are_distances(one_side):
            return "a distance is not that of a shortest path"
    return ""


def _fault_of_frame(labels: HubLabels) -> str:
    """Return what is wrong with the parts and places; "" if each number may be used as an index."""
    above, ends, parts, places = (
        numbers_of(part, np.int32).astype(np.int64)
        for part in (labels.above, labels.ends, labels.parts, labels.places)
    )
    count, network = len(above), labels.network
    begins, back = (np.frombuffer(side.begins, np.int64) for side in (network, network.reverse))
    has_edges = (np.diff(begins) > 0) | (np.diff(back) > 0)
    if count > len(parts) or (count == 0 and has_edges.any()):
        return "it has too many or too few parts"
    numbers = np.arange(count)
    if count and not (above[0] == -1 and (above[1:] >= 0).all() and (above[1:] < numbers[1:]).all()):
        return "a part is not a part of an earlier one"
    chain, levels = numbers, 0
    while (chain >= 0).any() and levels <= DEEPEST:
        chain, levels = np.where(chain >= 0, above[chain], -1), levels + 1
    if levels > DEEPEST:
        return "too many parts are within one another"
    if ((parts < -1) | (parts >= count) | ((parts >= 0) != has_edges)).any():
        return "a state is in a part that does not exist"
    first = np.where(above >= 0, ends[above], 0) if count else ends
    if (ends < first).any() or ends.max(initial=0) > len(parts):
        return "a part has an impossible number of hubs"
    hubs = np.flatnonzero(places >= 0)
    if (places < -1).any() or (parts[hubs] < 0).any():
        return "a hub is in no part"
    of_hub = parts[hubs]
    if ((places[hubs] < first[of_hub]) | (places[hubs] >= ends[of_hub])).any():
        return "the place of a hub is not one of its part"
    if (np.bincount(of_hub, minlength=count) != ends - first).any():
        return "a part has more places than hubs"
    if len(np.unique(of_hub * (len(parts) + 1) + places[hubs])) != len(hubs):
        return "two hubs have the same place"
    others = parts[(places < 0) & (parts >= 0)]
    if (ends != first)[others].any() or np.bincount(others, minlength=1).max() > LARGEST_LEAF:
        return "a state without a place is in a part that is cut, or in one that is too large"
    entries = int((places + 1).sum())
    if entries != len(labels.forward) or entries != len(labels.backward):
        return "its length is not that of its rows"
    tails, heads = np.repeat(parts, np.diff(begins)), parts[numbers_of(network.heads, np.uint32)]
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    for _ in range(levels):
        high = np.where(high > low, above[high], high)
    return "" if (high == low).all() else "an edge leads from one part to another one beside it"


def _are_distances(labels: HubLabels) -> bool:
    """Whether the rows have the lengths of the shortest ways to the hubs."""
    side, size = side_of(labels), labels.network.size
    ends = numbers_of(labels.ends, np.int32)
    right, label = np.zeros(len(side.rows), np.uint8), np.empty(int(ends.max(initial=0)), np.int64)
    near, state, agree = room_near(size), np.zeros(1, np.int64), True
    while state[0] < size and agree:
        agree = _check(side, ends, near, label, right, state, PIECE)
    own = side.starts[1:][side.places >= 0] - 1  # the last entry of a row is the hub itself
    right[side.rows == NONE] = 1
    return agree and not side.rows[own].any() and int(right.sum()) + len(own) == len(right)


@kernel
def _check(side: Any, ends: Any, near: Any, label: Any, right: Any, state: Any, left: Any) -> Any:
    """Check the edges of states, and mark the lengths of rows that an edge explains; return whether all agree.

    The distance of a state from a hub exceeds that of a neighbour by the edge between them at most. One that a
    neighbour explains is that of a way.
    """
    edges, places, parts = side.edges, side.places, side.parts
    here, agree = state[0], True
    while here < places.size and left > 0 and agree:
        if parts[here] < 0:
            here += 1
            continue
        left -= 8
        if places[here] >= 0:
            for edge in range(edges.begins[here], edges.begins[here + 1]):
                head = np.int64(edges.heads[edge])
                if places[head] >= 0:
                    most = np.int64(min(places[here], places[head])) + 1
                    left -= most
                    near.states[0], near.values[head] = head, 0
                    read_label(side, near, 1, most, label)
                    clear(near, 1)
                    agree &= _agree(side, here, value_of(edges, edges.lengths[edge]), label, most, right)
        else:
            count, most = settle(edges, places, here, near), np.int64(ends[parts[here]])
            left -= count * most
            read_label(side, near, count, most, label)
            clear(near, count)
            for edge in range(edges.back_begins[here], edges.back_begins[here + 1]):
                hub, length = np.int64(edges.back_heads[edge]), edges.back_lengths[edge]
                if places[hub] >= 0:
                    shared = min(most, np.int64(places[hub]) + 1)
                    agree &= _agree(side, hub, value_of(edges, length), label, shared, right)
        here += 1
    state[0] = here
    return agree


@compiled_function
def _agree(side: Any, hub: Any, length: Any, label: Any, most: Any, right: Any) -> Any:
    """Mark what a neighbour with this label explains of a row; return whether none of its lengths is too long."""
    row, agree = np.uint64(side.starts[hub]), True
    for place in range(np.uint64(most)):
        value = value_of(side.edges, side.rows[row + place])
        there = min(label[place] + length, np.int64(FAR))
        agree &= value <= there
        right[row + place] |= value == there
    return agree
