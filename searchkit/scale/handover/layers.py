"""Writing the layers of a search in memory as those of a search on disk, which then goes on from them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from searchkit.compiled.kit import control
from searchkit.kernels.bfs import BreadthFirst
from searchkit.scale.arrays.expanding import PIECE, divided
from searchkit.scale.arrays.sorting import sort
from searchkit.scale.external import bfs
from searchkit.scale.external.files import RunWriter
from searchkit.scale.external.layers import Layer, RunFile, groups_of, parts_of_a_group, run_name
from searchkit.scale.external.place import Place, body_of
from searchkit.scale.external.tasks import Sent, packed_starts, successor_pieces

MOST_AT_ONCE = 1 << 22
"""The states of a layer that are sorted at a time: all of them, or those of an eighth of the parts if that is more."""
HAS_A_SEARCH = "the directory has a search already, which goes on instead"


def write_layers(run: Any, directory: Path, seconds: float | None) -> str:
    """Write the complete layers of a compiled search into a directory for `external_bfs`.

    Return "", or why they can't be handed over. The layer that was not complete is left out. A directory that holds a
    search is not changed. Besides what the search takes, this takes 70 MB for each word of a state, or the memory of a
    quarter of a layer.

    Args:
        run: the search.
        directory: the directory.
        seconds: for how long another layer may be begun; None for no limit.

    Raises:
        DirectoryError: the directory can't be used.

    """
    if not (isinstance(run, BreadthFirst) and run.records.hashed):
        return "what it has found is not kept in the order of its layers"
    begun, sent = perf_counter(), Sent(run.problem)
    place = Place(
        run.problem, "external_bfs", sent, str(directory), "serial", packed_starts(run.problem, sent.expander)
    )
    try:
        if place.body:
            return HAS_A_SEARCH
        layers, successors, held = list[Layer](), list[int](), 0
        for nodes in _layers(run):
            small = len(nodes) <= bfs.SMALL
            if layers and seconds is not None and perf_counter() - begun >= seconds:
                break
            if not small or held > bfs.MOST_HELD:
                place.write_small(layers)
                held = 0
            if small:
                states = _states(run, nodes)
                sort(states)
                layer, generated = Layer(len(layers), len(states), keys=states), _count(sent, states)
                held += len(states)
            else:
                layer, generated = _written(run, place, len(layers), nodes)
            layers.append(layer)
            successors.append(generated)
        place.write_small(layers)
        place.commit(body_of(layers, successors[:-1], None))
        return ""
    finally:
        place.close()


def _layers(run: BreadthFirst) -> Iterator[range]:
    """Yield the nodes of each layer that is complete: those that are not deeper than the state to be expanded next."""
    end, size = run.counters[[control.QUEUED, control.SIZE]].tolist()
    first, last = 0, end - size
    for depth in range(_depth(run, last) + 1):
        low, high = first, end
        while low < high:
            middle = (low + high) // 2
            if _depth(run, middle) <= depth:
                low = middle + 1
            else:
                high = middle
        yield range(first, low)
        first = low


def _depth(run: BreadthFirst, node: int) -> int:
    return int(run.records.costs(np.array([node]))[0])


def _states(run: BreadthFirst, nodes: range) -> Any:
    return np.ascontiguousarray(run.records.packed(slice(nodes.start, nodes.stop)))


def _count(sent: Sent, states: Any) -> int:
    """Return the number of successors of some states."""
    return sum(map(len, successor_pieces(sent.expander, states)))


def _written(run: BreadthFirst, place: Place, depth: int, nodes: range) -> tuple[Layer, int]:
    """Write a large layer; return it and the number of its successors."""
    generated = 0

    def of_parts(parts: range, bits: int) -> tuple[Any, Any]:
        nonlocal generated
        found = _of_parts(run, nodes, parts, bits)
        generated += _count(place.sent, found[0])
        return found

    layer = large_layer(place, depth, len(nodes), bfs.LEAST_BITS, MOST_AT_ONCE, of_parts)
    return layer, generated


def large_layer(
    place: Place,
    depth: int,
    size: int,
    bits: int,
    most: int,
    of_parts: Callable[[range, int], tuple[Any, Any]],
) -> Layer:
    """Write a layer of so many states into files of its own; return it.

    About `most` states are sorted at a time. `of_parts` returns the states of some of the 2**bits parts of the layer,
    and the places where the parts begin.
    """
    files = list[RunFile]()
    parts, groups = parts_of_a_group(bits), groups_of(bits)
    at_once = max(1, min(groups, groups * most // size))
    for first in range(0, groups, at_once):
        some = range(first, min(first + at_once, groups))
        states, places = of_parts(range(some.start * parts, some.stop * parts), bits)
        for group in some:
            writer = RunWriter(place.sent.expander.words)
            for part in range(group * parts, (group + 1) * parts):
                keys = states[places[part] : places[part + 1]]
                sort(keys)
                writer.add(depth, part, keys)
            if not writer.states:
                continue
            directory = place.directory
            with directory.writing("written"):
                written = writer.write(directory.path / run_name(depth, depth, group), directory.durable)
            files.append(RunFile(depth, depth, bits, group, writer.states, written))
    return Layer(depth, size, tuple(files))


def _of_parts(run: BreadthFirst, nodes: range, parts: range, bits: int) -> tuple[Any, Any]:
    """Return the states of some of the 2**bits parts of a layer, and the places where the parts begin."""
    if len(parts) == 1 << bits:
        return divided(_states(run, nodes), bits)
    pieces = []
    for begin in range(0, len(nodes), PIECE):
        states, places = divided(_states(run, nodes[begin : begin + PIECE]), bits)
        pieces.append(states[places[parts.start] : places[parts.stop]].copy())
    return divided(np.concatenate(pieces), bits)
