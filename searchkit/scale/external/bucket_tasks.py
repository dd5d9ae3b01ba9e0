"""The tasks of a round over buckets: merge some parts of a bucket, expand some of its states, look for a parent.

They are pure, as those in `searchkit.scale.external.tasks`.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from searchkit.compiled.kit.state import state_array
from searchkit.scale.arrays.expanding import divided
from searchkit.scale.arrays.keyed import Fault, Key, KeyedExpander
from searchkit.scale.arrays.sorting import sorted_unique
from searchkit.scale.external.files import RunReader, RunWriter, Written
from searchkit.scale.external.layers import Layer, RunFile, parts_of_a_group, run_name
from searchkit.scale.external.tasks import Job, Merged, least, without_layers


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
    writer, keys = RunWriter(words), sorted(states)
    for number, key in enumerate(keys):
        parts, places = divided(states[key], bits)  # which keeps their order
        for part, (begin, end) in enumerate(pairwise(places.tolist())):
            if begin < end:
                writer.add(number, part, parts[begin:end])
    written = writer.write(folder / name, durable)
    return BucketFile(name, written, bits, tuple(keys), tuple(len(states[key]) for key in keys))


def joined(arrays: Iterable[Any], words: int) -> Any:
    """Return the states of some arrays in one, sorted and without duplicates."""
    found = [array for array in arrays if len(array)]
    if len(found) == 1:
        return found[0]
    return sorted_unique(np.concatenate(found)) if found else state_array(0, words)


@frozen
class Expanded:
    """What `expand_bucket` returns."""

    states: int
    successors: int
    file: BucketFile | None
    """None if all successors are dead ends, or after a fault."""
    fault: Fault | None = None


def expand_bucket(
    job: Job, guided: bool, layer: Layer, file: RunFile, begin: int, end: int, key: Key, bits: int, name: str
) -> Expanded:
    """Expand the states of a file of a bucket, from one place to another; write the successors into a file."""
    with job.reader() as reader:
        states = reader.slice(layer, file, begin, end)
    job.expander.check(states)
    found: dict[Key, list[Any]] = {}
    successors = 0
    for piece in KeyedExpander(job.expander, guided).pieces(states, key):
        if isinstance(piece, Fault):
            return Expanded(0, 0, None, piece)
        successors += piece[0]
        for to, some in piece[1].items():
            found.setdefault(to, []).append(some)
    words = job.expander.words
    merged = {to: joined(found.pop(to), words) for to in list(found)}
    written = write_buckets(job.folder, name, merged, bits, words, job.durable) if merged else None
    return Expanded(len(states), successors, written)


def read_bucket(folder: Path, file: BucketFile, key: Key, words: int, part: int | None = None) -> Any:
    """Return the states of a bucket in a file, or of a part of it; of the whole they are not sorted."""
    with RunReader(folder / file.name, words, file.written.bytes) as run:
        return run.blocks(run.numbers(file.keys.index(key), part))


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
    expander, words = job.expander, job.expander.words
    writer, goal = RunWriter(words), None
    with ExitStack() as opened:
        reader = opened.enter_context(job.reader())
        readers = [
            (file, opened.enter_context(RunReader(job.folder / file.name, words, file.written.bytes)))
            for file in files
        ]
        size = parts_of_a_group(bits)
        for part in range(group * size, (group + 1) * size):
            states = joined(
                [run.blocks(run.numbers(file.keys.index(key), part)) for file, run in readers], words
            )
            states = without_layers(states, earlier, reader, part, bits)
            place = expander.first_goal(states)
            if place is not None:
                goal = least(goal, states[place].copy())
            writer.add(number, part, states)
    if not writer.states:
        return Merged(None, None)
    written = writer.write(job.folder / run_name(number, number, group), job.durable)
    return Merged(RunFile(number, number, bits, group, writer.states, written), goal)


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
