"""The two tasks of a round: expand some states of a bucket, and merge some parts of a bucket.

They are pure functions over the files of one folder: a task that runs twice writes the same bytes, so whoever runs them
may run one again.
"""

import pickle
import socket
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from attrs import define, field

from searchkit.compiled.kit.state import as_number, state_array
from searchkit.disk.files import COUNT, PART, Run, RunFile, RunWriter, unwritable
from searchkit.disk.kernels import Expander, Key, divided, sorted_unique, without
from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.problem import SearchProblem

MAX_GROUP = 16
"""The most parts that stand in one file. Many small files take much longer to write than few large ones."""
_received: dict[str, Expander] = {}
"""The graph of the last search whose tasks this process was sent."""


@define(eq=False)
class Bucket:
    """States with the same f and g that were merged: they were expanded, or are expanded next."""

    key: Key
    states: int
    bits: int = 0
    """The states are divided into 2**bits parts in the files."""
    files: tuple[RunFile, ...] = ()
    """One for each group of parts; none if the states are in memory only."""
    array: Any = field(default=None, repr=False)
    """All of its states, sorted; None if they are in files only."""


class Job:
    """What all tasks of a search have in common. To another process, the problem is sent once.

    Args:
        expander: the graph.
        folder: where the files are.
        durable: whether what is written has to survive a crash of the machine.

    """

    def __init__(self, expander: Expander, folder: Path, durable: bool):
        self.expander, self.folder, self.durable = expander, folder, durable
        self._token, self._pickled = uuid4().hex, b""

    def __reduce__(self) -> Any:
        expander = self.expander
        if not self._pickled:
            try:
                self._pickled = _pickled(expander.problem)
            except Exception as error:
                raise MissingCapabilityError(
                    f"{type(expander.problem).__name__} can't be sent to other processes ({error}); use "
                    "workers='threads'"
                ) from error
        made = self._pickled, expander.engine, expander.unit, expander.guided
        return _receive, (self._token, made, self.folder, self.durable)


def _pickled(problem: SearchProblem[Any, Any]) -> bytes:
    try:
        import cloudpickle
    except ImportError:
        return pickle.dumps(problem)
    pickled: bytes = cloudpickle.dumps(problem)
    return pickled


def _receive(token: str, made: tuple[bytes, str, bool, bool], folder: Path, durable: bool) -> Job:
    """Return a job that was sent by another process. Raises `DirectoryError` if this computer lacks its folder."""
    if not folder.is_dir():
        raise DirectoryError(
            f"{folder} is not found on {socket.gethostname()}: give a directory that all computers see at the same path"
        )
    if token not in _received:
        _received.clear()
        pickled, engine, unit, guided = made
        _received[token] = Expander(pickle.loads(pickled), engine, unit, guided)
    return Job(_received[token], folder, durable)


def group_of(bits: int) -> int:
    """Return how many of 2**bits parts stand in one file: so that there are 8 files, or more if parts are many."""
    return max(1, min(MAX_GROUP, (1 << bits) // 8))


def expand_task(
    job: Job, name: str, bucket: Bucket, file: RunFile, first: int, end: int, bits: int
) -> tuple[int, int, RunFile, dict[Key, int]]:
    """Expand the states of some segments of a bucket; write their successors, divided into 2**bits parts, into a file.

    Return the numbers of states and of successors, the file, and how many states of each bucket are in it.
    """
    expander = job.expander
    with Run(job.folder, file, expander.words) as run:
        states = run.states(run.segments(bucket.key)[first:end])
    expander.check(states)
    generated = 0
    found: dict[Key, list[list[Any]]] = {}
    for number, arrays in expander.pieces(states, bucket.key, bits):
        generated += number
        for key, parts in arrays.items():
            found.setdefault(key, []).append(parts)
    written = write_arrivals(job, name, found, bits)
    counts = {key: sum(len(part) for parts in pieces for part in parts) for key, pieces in found.items()}
    return len(states), generated, written, counts


def write_arrivals(job: Job, name: str, found: dict[Key, list[list[Any]]], bits: int) -> RunFile:
    """Write bucket → pieces, each divided into 2**bits parts, into a file. Raises `DirectoryError`."""
    try:
        with RunWriter(job.folder, name, job.expander.words, job.durable) as writer:
            for key in sorted(found):
                for part in range(1 << bits):
                    writer.add(key, part, np.concatenate([parts[part] for parts in found[key]]))
    except OSError as error:
        raise unwritable(job.folder, error) from error
    return writer.file


def merge_task(
    job: Job, name: str, key: Key, bits: int, first: int, files: Sequence[RunFile], earlier: Sequence[Bucket]
) -> tuple[RunFile, int, Any]:
    """Merge a group of parts of a bucket out of the files that have arrivals in it; write what is new into a file.

    What is in the `earlier` buckets is left out. Return the file, the number of its states, and the least goal or None.
    """
    expander, end, count, goal = job.expander, first + group_of(bits), 0, None
    arrivals, ends = read_parts(job.folder, files, key, first, end, expander.words)
    parts = [sorted_unique(arrivals[begin:stop]) for begin, stop in pairwise([0, *ends])]
    for bucket in earlier:
        subtract(job.folder, parts, bucket, expander.words, first, bits)
    try:
        with RunWriter(job.folder, name, expander.words, job.durable) as writer:
            for part, states in enumerate(parts, first):
                expander.check(states)
                writer.add(key, part, states)
                goal = least(goal, expander.first_goal(states))
                count += len(states)
    except OSError as error:
        raise unwritable(job.folder, error) from error
    return writer.file, count, goal


def read_parts(
    folder: Path, files: Sequence[RunFile], key: Key, first: int, end: int, words: int
) -> tuple[Any, list[int]]:
    """Return the states of some parts of a bucket in several files, part by part, and where each part ends."""
    counts = np.zeros((len(files), end - first), np.int64)
    for number, file in enumerate(files):
        with Run(folder, file, words) as run:
            rows = run.index[run.segments(key, first, end)]
            np.add.at(counts[number], rows[:, PART] - first, rows[:, COUNT])
    ends = np.cumsum(counts.sum(0))
    places = ends - counts.sum(0) + np.cumsum(counts, 0) - counts
    out = state_array(int(ends[-1]), words)
    for number, file in enumerate(files):
        with Run(folder, file, words) as run:
            for segment in run.segments(key, first, end):
                at, count = (
                    int(places[number, run.index[segment, PART] - first]),
                    int(run.index[segment, COUNT]),
                )
                run.read(segment, out[at : at + count])
    return out, ends.tolist()


def subtract(folder: Path, parts: list[Any], bucket: Bucket, words: int, first: int, bits: int) -> None:
    """Remove what is in an earlier bucket from the sorted states of some of 2**bits parts, `first` and those after it.

    The bucket may be divided into fewer parts.
    """
    shift, last, others = bits - bucket.bits, -1, dict[int, Any]()
    with Run(folder, bucket.files[(first >> shift) // group_of(bucket.bits)], words) as run:
        for part, states in enumerate(parts, first):
            if part >> shift != last:
                last = part >> shift
                found = run.states(run.segments(bucket.key, last, last + 1))
                others = dict(enumerate(divided(found, bits))) if shift else {part: found}
            parts[part - first] = without(states, others[part])


def least(one: Any, other: Any) -> Any:
    """Return the lesser of two states; None stands for none."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other, key=as_number)
