"""The tasks of a round: expand some states of a layer, merge some parts of the next one, look for a parent.

They are pure: a task that runs twice writes the same bytes. So whoever runs them may run one again.
"""

import os
import pickle
from collections.abc import Iterator, Sequence
from hashlib import sha256
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from searchkit.compiled.kit.state import state_array
from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.problem import SearchProblem
from searchkit.scale.arrays.expanding import PIECE, Expander, divided
from searchkit.scale.arrays.sorting import Subtraction, sorted_unique
from searchkit.scale.external.files import RunWriter, write_file
from searchkit.scale.external.layers import MOST_OPEN, Layer, LayerReader, RunFile, parts_of_a_group, run_name

SAMPLE, WORTH_KEEPING = 1 << 14, 0.75
"""So many successors of a task are looked at; if fewer of them are different, it leaves duplicates out."""
_received: dict[str, "Sent"] = {}
"""The last problem that this process was sent."""


class Sent:
    """A problem that is sent to tasks: as it is within a process, and pickled once to another one, which keeps it."""

    def __init__(self, problem: SearchProblem[Any, Any]):
        self.problem = problem
        self.expander = Expander(problem.compiled())  # type: ignore[attr-defined]  # it is Compilable
        self._pickled: tuple[bytes, str] | None = None

    def __reduce__(self) -> Any:
        if self._pickled is None:
            try:
                pickled = pickle.dumps(self.problem)
            except Exception as error:
                raise MissingCapabilityError(
                    f"{type(self.problem).__name__} can't be sent to other processes ({error}); use workers='serial'"
                ) from error
            self._pickled = pickled, sha256(pickled).hexdigest()
        return _receive, self._pickled


def _receive(pickled: bytes, digest: str) -> Sent:
    """Return what was sent by another process of the same search."""
    if digest not in _received:
        _received.clear()
        _received[digest] = Sent(pickle.loads(pickled))
    return _received[digest]


@frozen
class Job:
    """What all tasks of a search have in common."""

    sent: Sent
    folder: Path
    durable: bool
    """Whether what is written has to survive a crash of the machine."""

    @property
    def expander(self) -> Expander:
        """The graph."""
        return self.sent.expander

    def reader(self) -> LayerReader:
        """Return a reader of layers."""
        return LayerReader(self.folder, self.expander.words)


def successor_pieces(expander: Expander, states: Any) -> Iterator[Any]:
    """Yield the successors of states, piece by piece. Each piece is overwritten by the next one."""
    place = 0
    out = state_array(max(PIECE, expander.branching), expander.words)
    while place < len(states):
        count, place = expander.successors(states, out, place)
        yield out[:count]


def all_successors(expander: Expander, states: Any) -> Any:
    """Return the successors of states, with duplicates."""
    out = state_array(
        len(states) * expander.branching, expander.words
    )  # memory that is not used is not taken
    count = place = 0
    while place < len(states):
        more, place = expander.successors(states, out[count:], place)
        count += more
    return out[:count]


def spill_name(depth: int, number: int) -> str:
    """Return the name of the file with the successors that one task has generated for the layer at a depth."""
    return f"successors-{depth:07d}-{number:06d}.spill"


def expand(
    job: Job, layer: Layer, file: RunFile, begin: int, end: int, bits: int, number: int
) -> tuple[int, int]:
    """Expand the states of a file of a layer, from one place to another; write the successors into a file.

    The file begins with the number of successors in each of 2**bits parts and the sum of their words. Duplicates in it
    are left out if they are many. Return the number of states that were expanded, and of successors with duplicates.
    """
    with job.reader() as reader:
        states = reader.slice(layer, file, begin, end)
    expander = job.expander
    expander.check(states)
    out = all_successors(expander, states)
    expanded, generated = len(states), len(out)
    del states
    out, places = divided(out, bits)
    parts = [out[first:last] for first, last in pairwise(places)]
    pieces = [out]
    if _are_many_duplicates(parts):
        pieces = parts = [sorted_unique(part) for part in parts]
    header = np.array([[len(part), int(part.sum(dtype=np.uint64))] for part in parts], np.uint64)
    write_file(
        job.folder / spill_name(layer.depth + 1, number),
        [header, *(piece for piece in pieces if len(piece))],
        False,
        digested=False,  # the file is read once, part by part, and each part has a sum
    )
    return expanded, generated


def _are_many_duplicates(parts: Sequence[Any]) -> bool:
    """Whether a sample says that sorting the parts, which are sorted later in any case, is worth the bytes it saves."""
    looked = kept = 0
    for part in parts:
        if looked >= SAMPLE:
            break
        looked += len(part)
        kept += len(sorted_unique(part.copy()))
    return kept < WORTH_KEEPING * looked


class Spill:
    """A file that `expand` has written. Raises `DirectoryError` if it is not as it was written.

    It stays open if it is one of few: the system limits how many files a process may have open.
    """

    def __init__(self, path: Path, bits: int, words: int, *, stays_open: bool):
        self.path, self.words = path, words
        self._file: FileIO | None = None
        file = self._opened()
        try:
            self._header = np.frombuffer(file.read(16 << bits), np.uint64).reshape(-1, 2)
            ends = np.cumsum(self._header[:, 0], dtype=np.uint64)
            size = os.fstat(file.fileno()).st_size
            if len(self._header) != 1 << bits or (16 << bits) + int(ends[-1]) * 8 * words != size:
                raise DirectoryError(f"{path} is damaged: its length is not what its header says")
        except (OSError, ValueError) as error:
            raise DirectoryError(f"{path} can't be read: {error}") from error
        finally:
            file.close()
        self._ends = ends
        self._file = self._opened() if stays_open else None

    def _opened(self) -> FileIO:
        try:
            return FileIO(self.path)
        except OSError as error:
            raise DirectoryError(f"{self.path} can't be read: {error}") from error

    def count(self, part: int) -> int:
        """Return the number of states of a part."""
        return int(self._header[part, 0])

    def read(self, part: int, out: Any) -> None:
        """Write the states of a part to an array of their number."""
        count = self.count(part)
        file = self._file or self._opened()
        try:
            file.seek(16 * len(self._header) + (int(self._ends[part]) - count) * 8 * self.words)
            target = memoryview(out).cast("B")
            while len(target):
                read = file.readinto(target)
                if not read:
                    raise DirectoryError(f"{self.path} is damaged: it is shorter than it was")
                target = target[read:]
        finally:
            if file is not self._file:
                file.close()
        if int(out.sum(dtype=np.uint64)) != int(self._header[part, 1]):
            raise DirectoryError(f"{self.path} is damaged: part {part} is not what was written")

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._file is not None:
            self._file.close()


@frozen
class Merged:
    """What `merge` returns: the file that it has written, None without states, and the least goal in it or None."""

    file: RunFile | None
    goal: Any


def merge(job: Job, depth: int, group: int, bits: int, spills: int, earlier: Sequence[Layer]) -> Merged:
    """Merge a group of parts of all files of successors into a file of the layer at `depth`.

    What is in the `earlier` layers is left out. A group without states has no file.
    """
    expander = job.expander
    words = expander.words
    writer, goal = RunWriter(words), None
    sources: list[Spill] = []
    try:
        for number in range(spills):
            path = job.folder / spill_name(depth, number)
            sources.append(Spill(path, bits, words, stays_open=spills <= MOST_OPEN))
        with job.reader() as reader:
            size = parts_of_a_group(bits)
            for part in range(group * size, (group + 1) * size):
                states = _merged(sources, part, words)
                states = without_layers(states, earlier, reader, part, bits)
                place = expander.first_goal(states)
                if place is not None:
                    goal = least(goal, states[place].copy())
                writer.add(depth, part, states)
    finally:
        for source in sources:
            source.close()
    if not writer.states:
        return Merged(None, None)
    written = writer.write(job.folder / run_name(depth, depth, group), job.durable)
    return Merged(RunFile(depth, depth, bits, group, writer.states, written), goal)


def without_layers(states: Any, earlier: Sequence[Layer], reader: LayerReader, part: int, bits: int) -> Any:
    """Remove the states of a part of some layers from a sorted array, in place; return what is left."""
    for layer in earlier:
        if len(states):
            subtraction = Subtraction(states)
            for others in reader.part(layer, part, bits):
                subtraction.take(others)
            states = subtraction.result()
    return states


def _merged(sources: Sequence[Spill], part: int, words: int) -> Any:
    """Return the states of a part of all sources, sorted and without duplicates."""
    states = state_array(sum(source.count(part) for source in sources), words)
    at = 0
    for source in sources:
        count = source.count(part)
        if count:
            source.read(part, states[at : at + count])
        at += count
    return sorted_unique(states)


def least(state: Any, other: Any) -> Any:
    """Return the state that comes first in sorted arrays; either may be None."""
    if state is None or other is None:
        return other if state is None else state
    return state if tuple(np.atleast_1d(state)[::-1]) <= tuple(np.atleast_1d(other)[::-1]) else other


def find_parent(job: Job, layer: Layer, file: RunFile, child: Any) -> Any:
    """Return the least state of a layer in a file that has `child` as a successor; None if there is none."""
    found = None
    with job.reader() as reader:
        run = reader.run(file)
        for number in run.numbers(layer.depth):
            states = run.block(number)
            job.expander.check(states)
            place = job.expander.first_parent(states, child)
            if place is not None:
                found = least(found, states[place].copy())
    return found
