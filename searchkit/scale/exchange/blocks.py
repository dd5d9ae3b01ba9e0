"""The tasks of a round over blocks: arrays in the memory of a cluster instead of files in a folder.

They do what the tasks in `searchkit.scale.external.tasks` do, with the same states in the same order. Each returns its
result, which goes to the driver, and a list of arrays, which stay in the cluster.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.compiled.kit.state import state_array
from searchkit.errors import DirectoryError, WorkerError
from searchkit.scale.arrays.expanding import divided, part_array
from searchkit.scale.arrays.sorting import sorted_unique
from searchkit.scale.exchange.store import Stretch
from searchkit.scale.external.files import RunReader, RunSource, RunWriter, Written
from searchkit.scale.external.layers import Layer, LayerReader, RunFile
from searchkit.scale.external.tasks import Job, Merged, in_threads, merge_groups, successor_pieces

SORTED, SEGMENT = 1 << 19, 1 << 13
"""So many successors are sorted at a time that they stay in the processor's cache, and at least so many for each part:
fewer have fewer duplicates among them, and larger differences."""
BLOCK = Path("block")
"""What stands for the name of a file when successors are read."""


def expand_stretches(
    job: Job, layer: Layer, stretches: Sequence[Stretch], bits: int, bundles: int, objects: Sequence[Any]
) -> tuple[tuple[int, int], list[Any]]:
    """Expand states of a layer; return their number and that of their successors, and a block for each bundle of parts.

    Args:
        job: what all tasks have in common.
        layer: the layer.
        stretches: which of its states.
        bits: the successors are divided into 2**bits parts.
        bundles: the number of blocks; each has as many parts as the others.
        objects: the bytes of the file of each stretch.

    """
    states = states_of(job, layer, stretches, objects)
    generated, writers = runs_of_successors(job, layer.depth + 1, states, bits, bundles)
    return (len(states), generated), in_threads(job.threads, contents_of, writers)


def runs_of_successors(
    job: Job, depth: int, states: Any, bits: int, bundles: int
) -> tuple[int, list[RunWriter]]:
    """Return how many successors states have, with duplicates, and the runs with them, for each bundle of parts.

    Each part has several blocks, since so many successors are sorted at a time that they stay in the processor's cache.
    """
    words, branching = job.expander.words, job.expander.branching
    share = max(1, -(-len(states) // job.threads))
    room = max(branching, min(share * branching, max(SORTED, SEGMENT << bits)))

    def some(begin: int) -> tuple[int, list[RunWriter]]:
        spare = state_array(room, words), part_array(room, bits)
        writers, generated = [RunWriter(words) for _ in range(bundles)], 0
        for piece in successor_pieces(job.expander, states[begin : begin + share], room):
            out, places = divided(piece, bits, *spare)
            generated += len(piece)
            for part, (first, last) in enumerate(pairwise(places.tolist())):
                if first < last:
                    writers[part * bundles >> bits].add(depth, part, sorted_unique(out[first:last]))
        return generated, writers

    found = in_threads(job.threads, some, range(0, len(states), share))
    runs = [RunWriter(words) for _ in range(bundles)]
    for _, writers in found:
        for run, writer in zip(runs, writers, strict=True):
            run.extend(writer)
    return sum(generated for generated, _ in found), runs


def states_of(job: Job, layer: Layer, stretches: Sequence[Stretch], objects: Sequence[Any]) -> Any:
    """Return the states of a layer in some stretches, of whose files the objects are the bytes."""
    contents = {file.name: data for (file, _, _), data in zip(stretches, objects, strict=True)}
    with LayerReader(job.folder, job.expander.words, contents) as reader:
        found = [reader.slice(layer, *stretch) for stretch in stretches]
    states = found[0] if len(found) == 1 else np.concatenate(found)
    job.expander.check(states)
    return states


def merge_blocks(
    job: Job,
    depth: int,
    groups: range,
    bits: int,
    blocks: int,
    earlier: Sequence[Layer],
    names: Sequence[str],
    objects: Sequence[Any],
) -> tuple[list[Merged], list[Any]]:
    """Merge some groups of parts of the next layer; return, for each group, the result and the bytes of its run.

    Args:
        job: what all tasks have in common.
        depth: the depth of the layer.
        groups: the groups.
        bits: the layer is divided into 2**bits parts.
        blocks: how many of the objects are blocks that belong to these groups; they come first.
        earlier: the layers that are left out of it.
        names: the names of the files of these layers whose bytes are the other objects.
        objects: the blocks and the bytes.

    """
    words = job.expander.words
    contents = dict(zip(names, objects[blocks:], strict=True))

    def sources() -> list[RunSource]:
        return [RunSource(RunReader(BLOCK, words, len(data), data), depth, bits) for data in objects[:blocks]]

    def reader() -> LayerReader:
        return LayerReader(job.folder, words, contents)

    try:
        merged = merge_groups(job, depth, groups, bits, earlier, sources, reader)
    except DirectoryError as error:
        if error.file != BLOCK.name:
            raise
        raise WorkerError(
            "a block of successors is not what was kept in the memory of the cluster"
        ) from error
    return runs_of(depth, bits, groups, merged)


def runs_of(
    depth: int, bits: int, groups: range, merged: Sequence[tuple[RunWriter, Any]]
) -> tuple[list[Merged], list[Any]]:
    """Return what `merge_groups` has merged into a layer: for each group, the result and the bytes of its run."""
    results: list[Merged] = []
    runs: list[Any] = []
    for group, (writer, goal) in zip(groups, merged, strict=True):
        if not writer.states:
            results.append(Merged(None, None))
            runs.append(None)
            continue
        run, written = bytes_of(writer)
        results.append(Merged(RunFile(depth, depth, bits, group, writer.states, written), goal))
        runs.append(run)
    return results, runs


def bytes_of(writer: RunWriter) -> tuple[Any, Written]:
    """Return the bytes of a run in an array, and what a manifest says of them."""
    run = contents_of(writer)
    return run, Written(len(run), sha256(run.data).hexdigest())


def contents_of(writer: RunWriter) -> Any:
    """Return the bytes of a run in an array."""
    return np.concatenate([np.frombuffer(piece, np.uint8) for piece in writer.contents()])
