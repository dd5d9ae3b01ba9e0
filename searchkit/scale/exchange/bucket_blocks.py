"""The tasks of a round over buckets, as in `searchkit.scale.buckets.tasks`, with objects instead of files.

Each returns its result, which goes to the driver, and a list of arrays, which stay in the cluster: the bytes of the
files that the tasks there write.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from searchkit.scale.arrays.keyed import Fault, Key
from searchkit.scale.buckets.tasks import (
    BucketFile,
    Expanded,
    expanded_into,
    merge_bucket_groups,
    runs_of_buckets,
)
from searchkit.scale.exchange.blocks import bytes_of, runs_of, states_of
from searchkit.scale.exchange.store import Stretch
from searchkit.scale.external.files import RunReader
from searchkit.scale.external.layers import Layer, LayerReader
from searchkit.scale.external.tasks import Job, Merged


def expand_bucket_stretches(
    job: Job,
    guided: bool,
    layer: Layer,
    stretches: Sequence[Stretch],
    key: Key,
    bits: int,
    names: Sequence[str],
    objects: Sequence[Any],
) -> tuple[Expanded, list[Any]]:
    """Expand states of a bucket; return the result, and the bytes of a run for each bundle of parts.

    Args:
        job: what all tasks have in common.
        guided: whether the heuristic is used.
        layer: the bucket.
        stretches: which of its states.
        key: its f and g.
        bits: the successors are divided into 2**bits parts.
        names: the names of the runs; each bundle has as many parts as the others. One without states has no run.
        objects: the bytes of the file of each stretch.

    """
    states = states_of(job, layer, stretches, objects)
    expanded = expanded_into(job, guided, states, key)
    if isinstance(expanded, Fault):
        return Expanded(0, 0, (), expanded), [None] * len(names)
    successors, found = expanded
    files: list[BucketFile] = []
    runs: list[Any] = []
    made = runs_of_buckets(found, bits, job.expander.words, len(names))
    for name, (writer, keys, counts) in zip(names, made, strict=True):
        run = None
        if writer.states:
            run, written = bytes_of(writer)
            files.append(BucketFile(name, written, bits, keys, counts))
        runs.append(run)
    return Expanded(len(states), successors, tuple(files)), runs


def merge_bucket_objects(
    # Same lines as in searchkit.scale.buckets.tasks, searchkit.scale.exchange.buckets: what a merge needs.
    job: Job,
    number: int,
    groups: range,
    bits: int,
    key: Key,
    files: Sequence[BucketFile],
    earlier: Sequence[Layer],
    names: Sequence[str],
    objects: Sequence[Any],
) -> tuple[list[Merged], list[Any]]:
    """Merge some groups of parts of a bucket; return, for each group, the result and the bytes of its run.

    Args:
        job: what all tasks have in common.
        number: the number of the layer.
        groups: the groups.
        bits: the layer is divided into 2**bits parts.
        key: f and g of the bucket.
        files: the files with states of it that wait. Their bytes are the first objects.
        earlier: the layers that are left out of it.
        names: the names of the files of these layers, whose bytes are the other objects.
        objects: the bytes.

    """
    words = job.expander.words
    waiting = {file.name: data for file, data in zip(files, objects, strict=False)}
    contents = dict(zip(names, objects[len(files) :], strict=True))

    def opened(file: BucketFile) -> RunReader:
        return RunReader(Path(file.name), words, file.written.bytes, waiting[file.name])

    def reader() -> LayerReader:
        return LayerReader(job.folder, words, contents)

    merged = merge_bucket_groups(job, number, groups, bits, key, files, earlier, opened, reader)
    return runs_of(number, bits, groups, merged)
