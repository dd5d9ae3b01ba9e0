"""The tasks of a round over blocks: arrays in the memory of a cluster instead of files in a folder.

They do what the tasks in `searchkit.scale.external.tasks` do, with the same states in the same order. Each returns its
result, which goes to the driver, and a list of arrays, which stay in the cluster.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from searchkit.errors import WorkerError
from searchkit.scale.exchange.store import Stretch
from searchkit.scale.external.files import RunWriter, Written
from searchkit.scale.external.layers import Layer, LayerReader, RunFile, parts_of_a_group
from searchkit.scale.external.tasks import (
    Divided,
    Job,
    Merged,
    kept_pieces,
    merge_groups,
    sums_of,
)


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
    pieces, size = kept_pieces(job, states, bits), (1 << bits) // bundles
    generated = sum(piece.generated for piece in pieces)
    sums = np.array([sums_of(piece) for piece in pieces], np.uint64).sum(0, dtype=np.uint64)
    blocks = [block_of(pieces, sums, first, size) for first in range(0, 1 << bits, size)]
    return (len(states), generated), blocks


def states_of(job: Job, layer: Layer, stretches: Sequence[Stretch], objects: Sequence[Any]) -> Any:
    """Return the states of a layer in some stretches, of whose files the objects are the bytes."""
    contents = {file.name: data for (file, _, _), data in zip(stretches, objects, strict=True)}
    with LayerReader(job.folder, job.expander.words, contents) as reader:
        found = [reader.slice(layer, *stretch) for stretch in stretches]
    states = found[0] if len(found) == 1 else np.concatenate(found)
    job.expander.check(states)
    return states


def block_of(pieces: Sequence[Divided], sums: Any, first: int, size: int) -> list[Any]:
    """Return some parts of all pieces: how many states each part of each piece has, their `sums`, and the states."""
    last = first + size
    return [
        np.array([np.diff(piece.places[first : last + 1]) for piece in pieces], np.int64),
        sums[first:last],
        *(piece.states[piece.places[first] : piece.places[last]] for piece in pieces),
    ]


class Block:
    """What `block_of` has made of some parts, which `merge_groups` reads; the first of them is part 0."""

    def __init__(self, arrays: Sequence[Any]):
        counts, self._sums, *self._pieces = arrays
        self.counts = counts.sum(0)
        self._ends = np.cumsum(counts, 1)
        self._begins = self._ends - counts

    def read(self, part: int, out: Any) -> None:
        """Write the states of a part to an array of their number. Raises `WorkerError` if they have changed."""
        at = 0
        begins, ends = self._begins[:, part].tolist(), self._ends[:, part].tolist()
        for states, begin, end in zip(self._pieces, begins, ends, strict=True):
            out[at : at + end - begin] = states[begin:end]
            at += end - begin
        if int(out.sum(dtype=np.uint64)) != int(self._sums[part]):
            raise WorkerError(f"part {part} of a block is not what was kept in the memory of the cluster")

    def close(self) -> None:
        """Do nothing: the arrays belong to whoever runs the task."""


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
    merged = merge_groups(
        job,
        depth,
        groups,
        bits,
        earlier,
        lambda: [Block(arrays) for arrays in objects[:blocks]],
        lambda: LayerReader(job.folder, words, contents),
        groups.start * parts_of_a_group(bits),
    )
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
    run = np.concatenate([np.frombuffer(piece, np.uint8) for piece in writer.contents()])
    return run, Written(len(run), sha256(run.data).hexdigest())
