"""Making hub labels: read from the file beside the map or the graph, or computed, once for each."""

from array import array
from collections.abc import Callable, MutableMapping
from heapq import heappop, heappush
from itertools import accumulate
from pathlib import Path
from typing import Any

from searchkit_graph.precomputed.labels.dissection import cutter, frame_of
from searchkit_graph.precomputed.labels.table import NOWHERE, WHAT, Frame, HubLabels, with_rows
from searchkit_graph.precomputed.labels.table_file import read_labels
from searchkit_graph.precomputed.network import FAR, NONE, Network, added
from searchkit_graph.precomputed.tables import is_fast, table_of

NAME = "hub-labels"
"""The name of the engine, and of the method of `searchkit precompute`."""
SUFFIX = ".labels"
"""The end of the names of files of labels."""


def labels_of(
    kept: MutableMapping[Any, Any], key: Any, path: Path | None, network: Callable[[], Network]
) -> HubLabels:
    """Return the labels of a network: at the first use, read from their file, or computed.

    The arguments are those of `table_of`.

    Raises:
        InputFormatError: the file does not fit.
        MissingCapabilityError: as for `make`.

    """
    return table_of(kept, key, path, network, make, read_labels)


def make(network: Network) -> HubLabels:
    """Return the labels of a network, computed in Python or in machine code: they are the same.

    Raises `MissingCapabilityError` if they would be too large or have distances that are too long, and if there are too
    many states to make them without Numba.
    """
    if is_fast(network, WHAT):
        from searchkit_graph.precomputed.labels.compiled.making import make_labels as make_fast

        return make_fast(network)
    return make_labels(network)


def make_labels(network: Network) -> HubLabels:
    """Return the labels of a network, computed in Python."""
    frame = frame_of(network, cutter(network))
    return with_rows(network, frame, lambda reverse: _rows(reverse, frame))


def _rows(network: Network, frame: Frame) -> "array[int]":
    """Return the rows of all hubs."""
    places = frame[3]
    begins = list(accumulate((place + 1 for place in places), initial=0))
    rows = array("I", [NONE]) * begins[-1]
    for hub, place in enumerate(places):
        if place != NOWHERE:
            for state, length in _lengths_from(network, hub, places).items():
                if places[state] != NOWHERE:
                    rows[begins[state] + place] = length
    return rows


def _lengths_from(network: Network, hub: int, places: "array[int]") -> dict[int, int]:
    """Return state → length of the shortest way from a hub over states that are no hubs or have higher places."""
    lengths, values, done = {hub: 0}, {hub: 0}, set()
    frontier = [(0, hub)]
    while frontier:
        value, here = heappop(frontier)
        if here in done:
            continue
        done.add(here)
        for head, length in network.edges(here):
            if NOWHERE != places[head] <= places[hub]:
                continue
            beyond = value + network.value(length)
            if beyond < values.get(head, FAR):
                values[head], lengths[head] = beyond, added(network, lengths[here], length)
                heappush(frontier, (beyond, head))
    return lengths
