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

from searchkit.compiled.kit.state import as_words, state_array
from searchkit.engines.kit import distinct_starts
from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.problem import SearchProblem
from searchkit.scale.arrays.expanding import PIECE, Expander, divided, part_array
from searchkit.scale.arrays.sorting import Subtraction, sorted_unique
from searchkit.scale.external.files import RunWriter, write_file
from searchkit.scale.external.layers import MOST_OPEN, Layer, LayerReader, RunFile, parts_of_a_group, run_name

SAMPLE, WORTH_KEEPING = 1 << 14, 0.75
"""So many successors of a task are looked at; if fewer of them are different, it leaves duplicates out."""
LEAST_PIECE, LEAST_SEGMENT = 1 << 17, 1 << 11
"""So many successors are divided at a time that they stay in the processor's cache, and at least so many for each part,
so that few reads are needed."""
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


def packed_starts(problem: SearchProblem[Any, Any], expander: Expander) -> Any:
    """Return the start states of a problem in a sorted array."""
    packed = [as_words(expander.view.pack(state), expander.words) for state in distinct_starts(problem)]
    return sorted_unique(np.array(packed, np.uint64))


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


def successor_pieces(expander: Expander, states: Any, room: int = PIECE) -> Iterator[Any]:
    """Yield the successors of states, up to `room` of them at a time. Each piece is overwritten by the next one."""
    place, branching = 0, expander.branching
    out = state_array(max(room, branching), expander.words)  # memory that is not used is not taken
    while place < len(states):
        count = 0
        while place < len(states) and count + branching <= len(out):
            more, place = expander.successors(states, out[count:], place)
            count += more
        yield out[:count]


def spill_name(depth: int, number: int) -> str:
    """Return the name of the file with the successors that one task has generated for the layer at a depth."""
    return f"successors-{depth:07d}-{number:06d}.spill"


def expand(
    job: Job, layer: Layer, file: RunFile, begin: int, end: int, bits: int, number: int
) -> tuple[int, int]:
    """Expand the states of a file of a layer, from one place to another; write the successors into a file.

    The file consists of pieces, each divided into 2**bits parts. After them stand, for each part of each piece, the
    number of its states and the sum of their words, and at the end the number of pieces. Duplicates in a piece are left
    out if they are many. Return the number of states that were expanded, and of successors with duplicates.
    """
    with job.reader() as reader:
        states = reader.slice(layer, file, begin, end)
    job.expander.check(states)
    contents = _Contents(job.expander, states, bits)
    write_file(
        job.folder / spill_name(layer.depth + 1, number),
        contents,
        False,
        digested=False,  # the file is read once, part by part, and each part has a sum
    )
    return len(states), contents.generated


class _Contents:
    """The contents of the file that `expand` writes, in arrays of which each is overwritten by the next one."""

    def __init__(self, expander: Expander, states: Any, bits: int):
        self.expander, self.states, self.bits = expander, states, bits
        self.generated = 0

    def __iter__(self) -> Iterator[Any]:
        table, self.generated = [], 0
        for out, places in self._pieces():
            counts, flat = np.diff(places), out.reshape(-1)
            sums, filled = np.zeros(len(counts), np.uint64), counts > 0
            if len(out):
                sums[filled] = np.add.reduceat(flat, places[:-1][filled] * self.expander.words)
                yield out
            table.append(np.stack([counts.astype(np.uint64), sums], 1))
        yield np.concatenate([part.reshape(-1) for part in table] + [np.array([len(table)], np.uint64)])

    def _pieces(self) -> Iterator[tuple[Any, Any]]:
        """Yield successors in the order of their parts, and where the parts begin."""
        room = max(LEAST_PIECE, LEAST_SEGMENT << self.bits, self.expander.branching)
        spare = state_array(room, self.expander.words), part_array(room, self.bits)
        for piece in successor_pieces(self.expander, self.states, room):
            out, places = divided(piece, self.bits, *spare)
            if not self.generated and _are_many_duplicates(out, places):
                break
            self.generated += len(piece)
            yield out, places
        else:
            return
        for piece in successor_pieces(self.expander, self.states, len(self.states) * self.expander.branching):
            self.generated += len(piece)
            out, places = divided(piece, self.bits)
            parts = [sorted_unique(out[first:last]) for first, last in pairwise(places)]
            yield np.concatenate(parts), np.cumsum([0, *map(len, parts)])


def _are_many_duplicates(states: Any, places: Any) -> bool:
    """Whether a sample says that sorting the parts, which are sorted later in any case, is worth the bytes it saves."""
    looked = kept = 0
    for first, last in pairwise(places):
        if looked >= SAMPLE:
            break
        looked += last - first
        kept += len(sorted_unique(states[first:last].copy()))
    return kept < WORTH_KEEPING * looked


class Spill:
    """A file that `expand` has written. Raises `DirectoryError` if it is not as it was written.

    It stays open if it is one of few: the system limits how many files a process may have open.
    """

    def __init__(self, path: Path, bits: int, words: int, *, stays_open: bool):
        self.path, self.words = path, words
        self._file: FileIO | None = None
        self.counts: Any = None
        """The number of states of each part."""
        file = self._opened()
        try:
            self._read_table(file, bits)
        except (OSError, ValueError) as error:
            raise DirectoryError(f"{path} can't be read: {error}") from error
        finally:
            file.close()
        self._file = self._opened() if stays_open else None

    def _read_table(self, file: FileIO, bits: int) -> None:
        """Read what stands after the pieces."""
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - 8))
        pieces = int.from_bytes(file.read(8), "little")
        begin = size - 8 - (pieces * 16 << bits)
        if begin >= 0:
            file.seek(begin)
            table = np.frombuffer(file.read(size - 8 - begin), np.uint64).reshape(pieces, 1 << bits, 2)
            counts = table[:, :, 0]
            ends = np.cumsum(counts, dtype=np.uint64)
            total = int(ends[-1]) if pieces else 0
            if total * 8 * self.words == begin and int(counts.max(initial=0)) <= total:
                self._counts, self._begins = counts.astype(np.int64), ends.reshape(counts.shape) - counts
                self.counts = self._counts.sum(0)
                self._sums = table[:, :, 1].sum(0, dtype=np.uint64)
                return
        raise DirectoryError(f"{self.path} is damaged: its length is not what it says")

    def _opened(self) -> FileIO:
        try:
            return FileIO(self.path)
        except OSError as error:
            raise DirectoryError(f"{self.path} can't be read: {error}") from error

    def read(self, part: int, out: Any) -> None:
        """Write the states of a part to an array of their number."""
        file = self._file or self._opened()
        target = memoryview(out).cast("B")
        each, at = 8 * self.words, 0
        try:
            for begin, count in zip(
                self._begins[:, part].tolist(), self._counts[:, part].tolist(), strict=True
            ):
                end = at + count * each
                file.seek(begin * each)
                while at < end:
                    read = file.readinto(target[at:end])
                    if not read:
                        raise DirectoryError(f"{self.path} is damaged: it is shorter than it was")
                    at += read
        finally:
            if file is not self._file:
                file.close()
        if int(out.sum(dtype=np.uint64)) != int(self._sums[part]):
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
            room = state_array(int(sum(source.counts for source in sources).max()), words)
            for part in range(group * size, (group + 1) * size):
                states = _merged(sources, part, room)
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


def _merged(sources: Sequence[Spill], part: int, out: Any) -> Any:
    """Write the states of a part of all sources into an array; return its beginning, sorted and without duplicates."""
    at = 0
    for source in sources:
        count = int(source.counts[part])
        if count:
            source.read(part, out[at : at + count])
        at += count
    return sorted_unique(out[:at])


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
