"""Labels as kernels take them, and what several kernels do with them.

The elements of arrays that were read from a file have been checked, or are being checked: see
`searchkit_graph.precomputed.labels.compiled.checking`.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, sub_kernel
from searchkit_graph.precomputed.compiled.tables import numbers_of
from searchkit_graph.precomputed.labels.table import HubLabels
from searchkit_graph.precomputed.network import FAR, HALF, LOW, NONE, Network


class Edges(NamedTuple):
    """A network, and its reverse."""

    begins: Any
    heads: Any
    lengths: Any
    back_begins: Any
    back_heads: Any
    back_lengths: Any
    straight: Any
    """The value of a unit of the upper half of a length."""
    slant: Any
    """The value of a unit of the lower half."""


class Side(NamedTuple):
    """The labels for ways to hubs; those for ways from hubs are the same with reverse edges."""

    edges: Edges
    parts: Any
    places: Any
    starts: Any
    """State → where its row begins."""
    rows: Any


class Near(NamedTuple):
    """Arrays for the ways within a part, used again and again."""

    values: Any
    """State → the value of the way there; `FAR` where there is none."""
    states: Any
    """The states with a value."""
    changed: Any
    """State → whether its value is not passed on yet."""


def edges_of(network: Network) -> Edges:
    """Return a network for kernels."""
    kinds = {"begins": np.int64, "heads": np.uint32, "lengths": np.uint32}
    arrays = [
        numbers_of(getattr(side, name), kind)
        for side in (network, network.reverse)
        for name, kind in kinds.items()
    ]
    return Edges(*arrays, *map(np.int64, network.units))


def side_of(labels: HubLabels) -> Side:
    """Return labels for kernels, as they are on one side."""
    parts, places = numbers_of(labels.parts, np.int32), numbers_of(labels.places, np.int32)
    starts = np.zeros(len(places) + 1, np.int64)
    np.cumsum(places + 1, out=starts[1:])
    rows = numbers_of(labels.forward, np.uint32)
    return Side(edges_of(labels.network), parts, places, starts, rows)


def room_near(size: int) -> Near:
    """Return the arrays for a network of that many states."""
    return Near(np.full(size, FAR, np.int64), np.empty(size, np.int64), np.zeros(size, np.uint8))


@compiled_function
def value_of(edges: Any, length: Any) -> Any:
    """Return the value of a length."""
    if length == NONE:
        return np.int64(FAR)
    return np.int64(length >> HALF) * edges.straight + np.int64(length & LOW) * edges.slant


@sub_kernel
def settle(edges: Any, places: Any, source: Any, near: Any) -> Any:
    """Find the shortest ways within the part of a state, to it and to the hubs around it; return how many there are.

    Values are passed on until none changes: in a part of some dozen states that takes two or three rounds.
    """
    near.values[source], near.states[0], count = 0, source, 1
    near.changed[source] = again = places[source] < 0
    while again:
        again, index = False, 0
        while index < count:
            here = near.states[index]
            index += 1
            if not near.changed[here]:
                continue
            near.changed[here] = 0
            for edge in range(edges.begins[here], edges.begins[here + 1]):
                head = np.int64(edges.heads[edge])
                value = near.values[here] + value_of(edges, edges.lengths[edge])
                if value < near.values[head]:
                    if near.values[head] == FAR:
                        near.states[count] = head
                        count += 1
                    near.values[head] = value
                    if places[head] < 0:
                        near.changed[head] = 1
                        again = True
    return count


@compiled_function
def clear(near: Any, count: Any) -> None:
    """Forget the values of that many states."""
    for index in range(count):
        near.values[near.states[index]] = FAR


@sub_kernel
def read_label(side: Any, near: Any, count: Any, most: Any, label: Any) -> None:
    """Write the values of the distances to the hubs at the places below `most`, given the ways near a state."""
    for place in range(most):
        label[place] = FAR
    straight, slant = side.edges.straight, side.edges.slant
    for index in range(count):
        hub = near.states[index]
        if side.places[hub] < 0:
            continue
        value, row = near.values[hub], np.uint64(side.starts[hub])
        for place in range(np.uint64(min(np.int64(side.places[hub]) + 1, most))):
            length = side.rows[row + place]
            there = value + np.int64(length >> HALF) * straight + np.int64(length & LOW) * slant
            label[place] = min(label[place], np.int64(FAR) if length == NONE else there)
