"""The two tasks of a round: expand some states of a bucket, and merge some parts of a bucket.

They are pure functions over the files of one folder: a task that runs twice writes the same bytes, so whoever runs them
may run one again.
"""

import pickle
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from attrs import define, field

from searchkit.compiled.kit.state import as_number
from searchkit.disk.files import PART, UNDIVIDED, Run, RunFile, write_run
from searchkit.disk.kernels import Expander, Key, divided, sorted_unique, without
from searchkit.errors import DirectoryError, MissingCapabilityError

BITS = 6
"""What tasks write is divided into 2**BITS parts by the hash of the states …"""
GROUP = 8
"""… of which so many are merged by one task, into one file. Many small files take much longer to write than few."""
FEW = 1 << 12
"""A bucket of fewer states that was in memory is written without dividing it."""
_received: dict[str, Expander] = {}
"""The graph of the last search whose tasks this process was sent."""


@define(eq=False)
class Bucket:
    """States with the same f and g. Those that have arrived are in it with duplicates, until they are merged."""

    key: Key
    states: int = 0
    files: list[RunFile] = field(factory=list)
    """Files with states of the bucket, and of other ones."""
    arrays: list[Any] = field(factory=list, repr=False)
    """The states that are in memory only; of a bucket that is merged, one sorted array that may be in a file, too."""


class Job:
    """What all tasks of a search have in common. To another process, the problem is sent once.

    Args:
        expander: the graph.
        folder: where the files are.

    """

    def __init__(self, expander: Expander, folder: Path):
        self.expander, self.folder = expander, folder
        self._token, self._pickled = uuid4().hex, b""

    def __reduce__(self) -> Any:
        expander = self.expander
        if not self._pickled:
            try:
                import cloudpickle

                self._pickled = cloudpickle.dumps(expander.problem)
            except Exception as error:
                raise MissingCapabilityError(
                    f"{type(expander.problem).__name__} can't be sent to other processes ({error}); use "
                    "workers='threads'"
                ) from error
        made = self._pickled, expander.engine, expander.unit, expander.guided
        return _receive, (self._token, made, self.folder)


def _receive(token: str, made: tuple[bytes, str, bool, bool], folder: Path) -> Job:
    """Return a job that was sent by another process. Raises `DirectoryError` if this computer lacks its folder."""
    if not folder.is_dir():
        raise DirectoryError(
            f"{folder} is not found on {socket.gethostname()}: give a directory that all computers see at the same path"
        )
    if token not in _received:
        _received.clear()
        _received[token] = Expander(pickle.loads(made[0]), *made[1:])
    return Job(_received[token], folder)


def expand_task(
    job: Job, name: str, key: Key, file: RunFile, begin: int, end: int
) -> tuple[int, RunFile, dict[Key, int]]:
    """Expand the states of a bucket in a file from one place to another; write their successors into a file.

    Return the number of successors, the file, and how many states of each bucket are in it.
    """
    expander, total = job.expander, 0
    states = Run(job.folder, file, expander.words).states(key, begin, end)
    found: dict[Key, list[list[Any]]] = {}
    for number, arrays in expander.pieces(states, key, BITS):
        total += number
        for to, divided_states in arrays.items():
            found.setdefault(to, []).append(divided_states)
    divided_by_key = {to: list(map(np.concatenate, zip(*found[to], strict=True))) for to in sorted(found)}
    parts = (
        (to, part, some) for to, all_parts in divided_by_key.items() for part, some in enumerate(all_parts)
    )
    written = write_run(job.folder, name, parts)
    return total, written, {to: sum(map(len, all_parts)) for to, all_parts in divided_by_key.items()}


def merge_task(
    job: Job,
    name: str,
    key: Key,
    first: int,
    files: Sequence[RunFile],
    earlier: Sequence[RunFile],
    least_g: int,
) -> tuple[RunFile, int, Any]:
    """Merge a group of parts of a bucket out of the files that have arrivals in it; write what is new into a file.

    What the `earlier` files have of the same heuristic value, and with a g from `least_g` on, is left out. Return the
    file, the number of its states, and the least goal or None.
    """
    expander, count, goal, (f, g) = job.expander, 0, None, key
    arrivals = part_states(job.folder, files, expander.words, f - g, range(g, g + 1))
    others = part_states(job.folder, earlier, expander.words, f - g, range(least_g, g))

    def merged() -> Iterator[tuple[Key, int, Any]]:
        nonlocal count, goal
        for part in range(first, first + GROUP):
            arrived = list(arrivals(part))
            if arrived:
                states = without(sorted_unique(np.concatenate(arrived)), others(part))
                count += len(states)
                goal = least(goal, expander.first_goal(states))
                yield key, part, states

    return write_run(job.folder, name, merged()), count, goal


def part_states(
    folder: Path, files: Iterable[RunFile], words: int, h: int, g: range
) -> Callable[[int], Iterator[Any]]:
    """Return a function that yields the states in a part with such values of h and g, in arrays as written."""
    found: dict[int, list[tuple[Run, int]]] = {}
    for file in files:
        run = Run(folder, file, words)
        for segment in run.segments(h, g):
            found.setdefault(int(run.index[segment, PART]), []).append((run, segment))

    def states(part: int) -> Iterator[Any]:
        yield from (run.segment(segment) for run, segment in found.get(part, ()))
        yield from (divided(run.segment(segment), BITS)[part] for run, segment in found.get(UNDIVIDED, ()))

    return states


def all_states(folder: Path, files: Iterable[RunFile], words: int, h: int, g: range) -> Iterator[Any]:
    """Yield the states with such values of h and g, in arrays as they were written."""
    for file in files:
        run = Run(folder, file, words)
        yield from map(run.segment, run.segments(h, g))


def in_parts(key: Key, states: Any) -> Iterator[tuple[Key, int, Any]]:
    """Yield the states of a bucket as `write_run` takes them, divided if they are many."""
    if len(states) < FEW:
        yield key, UNDIVIDED, states
    else:
        for part, some in enumerate(divided(states, BITS)):
            yield key, part, some


def least(one: Any, other: Any) -> Any:
    """Return the lesser of two states; None stands for none."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other, key=as_number)
