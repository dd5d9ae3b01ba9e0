"""The tasks of a round over buckets: merge some parts of a bucket, expand some of its states, look for a parent.

They are pure, as those in `searchkit.scale.external.tasks`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen

from searchkit.compiled.kit.state import state_array
from searchkit.scale.arrays.expanding import divided
from searchkit.scale.arrays.keyed import Fault, Key, KeyedExpander
from searchkit.scale.arrays.sorting import sorted_unique
from searchkit.scale.external.files import RunReader, RunSource, RunWriter, Written
from searchkit.scale.external.layers import MOST_OPEN, Layer, LayerReader, RunFile, run_name
from searchkit.scale.external.tasks import Job, Merged, in_threads, least, merge_groups


@frozen
class BucketFile:
    """A file with states that wait to be merged: for each of some buckets, sorted and divided into 2**bits parts."""

    name: str
    written: Written
    bits: int
    keys: tuple[Key, ...]
    """The buckets; their places are the numbers of the layers in the file."""
    states: tuple[int, ...]
    """How many states of each bucket are in it."""


def bucket_name(round_number: int, number: int) -> str:
    """Return the name of the file that a task of a round writes."""
    return f"buckets-{round_number:07d}-{number:06d}.run"


def write_buckets(
    folder: Path, name: str, states: Mapping[Key, Any], bits: int, words: int, durable: bool
) -> BucketFile:
    """Write sorted states of some buckets into a file. Raises `OSError`."""
    ((writer, keys, counts),) = runs_of_buckets(states, bits, words, 1)
    written = writer.write(folder / name, durable)
    return BucketFile(name, written, bits, keys, counts)


def runs_of_buckets(
    states: Mapping[Key, Any], bits: int, words: int, bundles: int
) -> list[tuple[RunWriter, tuple[Key, ...], tuple[int, ...]]]:
    """Return sorted states of some buckets in as many runs as there are bundles of the 2**bits parts.

    With each run stand the buckets that have states in it, and how many. The places of the buckets are the numbers of
    the layers in the run.
    """
    found = {key: divided(states[key], bits) for key in sorted(states)}  # which keeps their order
    size = (1 << bits) // bundles
    runs: list[tuple[RunWriter, tuple[Key, ...], tuple[int, ...]]] = []
    for first in range(0, 1 << bits, size):
        writer = RunWriter(words)
        keys: list[Key] = []
        counts: list[int] = []
        for key, (parts, places) in found.items():
            ends = places[first : first + size + 1].tolist()
            if ends[0] == ends[-1]:
                continue
            for part, (begin, end) in enumerate(pairwise(ends), first):
                if begin < end:
                    writer.add(len(keys), part, parts[begin:end])
            keys.append(key)
            counts.append(ends[-1] - ends[0])
        runs.append((writer, tuple(keys), tuple(counts)))
    return runs


def joined(arrays: Iterable[Any], words: int) -> Any:
    """Return the states of some arrays in one, sorted and without duplicates."""
    found = [array for array in arrays if len(array)]
    if len(found) == 1:
        return found[0]
    return sorted_unique(np.concatenate(found)) if found else state_array(0, words)


@frozen
class Expanded:
    """What a task returns that expands some states of a bucket."""

    states: int
    successors: int
    files: tuple[BucketFile, ...]
    """Empty if all successors are dead ends, or after a fault."""
    fault: Fault | None = None


def expand_bucket(
    job: Job, guided: bool, layer: Layer, file: RunFile, begin: int, end: int, key: Key, bits: int, name: str
) -> Expanded:
    """Expand the states of a file of a bucket, from one place to another; write the successors into a file."""
    with job.reader() as reader:
        states = reader.slice(layer, file, begin, end)
    job.expander.check(states)
    expanded = expanded_into(job, guided, states, key)
    if isinstance(expanded, Fault):
        return Expanded(0, 0, (), expanded)
    successors, found = expanded
    if not found:
        return Expanded(len(states), successors, ())
    written = write_buckets(job.folder, name, found, bits, job.expander.words, job.durable)
    return Expanded(len(states), successors, (written,))


def expanded_into(job: Job, guided: bool, states: Any, key: Key) -> tuple[int, dict[Key, Any]] | Fault:
    """Expand states of a bucket by all threads of a task.

    Return the number of successors, and bucket → its sorted states without duplicates; or the first fault.
    """
    keyed = KeyedExpander(job.expander, guided)
    share = max(1, -(-len(states) // job.threads))

    def pieces(begin: int) -> list[tuple[int, dict[Key, Any]] | Fault]:
        return list(keyed.pieces(states[begin : begin + share], key))

    found: dict[Key, list[Any]] = {}
    successors = 0
    for some in in_threads(job.threads, pieces, range(0, len(states), share)):
        for piece in some:
            if isinstance(piece, Fault):
                return piece
            successors += piece[0]
            for to, more in piece[1].items():
                found.setdefault(to, []).append(more)
    return successors, {to: joined(found.pop(to), job.expander.words) for to in list(found)}


def read_bucket(folder: Path, file: BucketFile, key: Key, words: int) -> Any:
    """Return the states of a bucket in a file, sorted within each part."""
    with RunReader(folder / file.name, words, file.written.bytes) as run:
        return run.blocks(run.numbers(file.keys.index(key)))


def merge_bucket(
    job: Job,
    number: int,
    group: int,
    bits: int,
    key: Key,
    files: Sequence[BucketFile],
    earlier: Sequence[Layer],
) -> Merged:
    """Merge a group of parts of a bucket out of all files that have states of it, into a file of the layer `number`.

    What is in the `earlier` layers is left out. A group without states has no file.
    """
    words = job.expander.words

    def opened(file: BucketFile) -> RunReader:
        return RunReader(job.folder / file.name, words, file.written.bytes)

    groups = range(group, group + 1)
    ((writer, goal),) = merge_bucket_groups(
        job, number, groups, bits, key, files, earlier, opened, job.reader
    )
    if not writer.states:
        return Merged(None, None)
    written = writer.write(job.folder / run_name(number, number, group), job.durable)
    return Merged(RunFile(number, number, bits, group, writer.states, written), goal)


def merge_bucket_groups(
    job: Job,
    number: int,
    groups: range,
    bits: int,
    key: Key,
    files: Sequence[BucketFile],
    earlier: Sequence[Layer],
    opened: Callable[[BucketFile], RunReader],
    reader: Callable[[], LayerReader],
) -> list[tuple[RunWriter, Any]]:
    """Merge some groups of parts of a bucket; return the run and the least goal of each: see `merge_groups`."""
    if len(files) * job.threads > MOST_OPEN:
        job = evolve(job, threads=1)

    def sources() -> list[RunSource]:
        found: list[RunSource] = []
        try:
            for file in files:
                found.append(RunSource(opened(file), file.keys.index(key), file.bits))
        except BaseException:
            for source in found:
                source.close()
            raise
        return found

    return merge_groups(job, number, groups, bits, earlier, sources, reader)


def find_parent_at(job: Job, guided: bool, layer: Layer, file: RunFile, child: Any, cost: int) -> Any:
    """Return the least state of a layer in a file that has `child` as a successor at this cost; None without one."""
    expander, found = KeyedExpander(job.expander, guided), None
    with job.reader() as reader:
        run = reader.run(file)
        for number in run.numbers(layer.depth):
            states = run.block(number)
            job.expander.check(states)
            place = expander.first_parent(states, child, cost)
            if place is not None:
                found = least(found, states[place].copy())
    return found
