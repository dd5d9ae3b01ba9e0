"""The tasks of a round: expand some states of a layer, merge some parts of the next one, look for a parent.

They are pure: a task that runs twice writes the same bytes. So whoever runs them may run one again.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from attrs import frozen

from searchkit.compiled.kit.state import as_words, state_array
from searchkit.engines.kit import distinct_starts
from searchkit.errors import MissingCapabilityError
from searchkit.problem import SearchProblem
from searchkit.scale.arrays.expanding import PIECE, Expander, divided, part_array
from searchkit.scale.arrays.sorting import Subtraction, sorted_unique
from searchkit.scale.exchange.spills import Spill, spill_name
from searchkit.scale.external.files import RunWriter, write_file
from searchkit.scale.external.layers import MOST_OPEN, Layer, LayerReader, RunFile, parts_of_a_group, run_name
from searchkit.scale.sources import check_sources, sources_of

Argument = TypeVar("Argument")
Value = TypeVar("Value")
SAMPLE, WORTH_KEEPING = 1 << 14, 0.75
"""So many successors of a task are looked at; if fewer of them are different, it leaves duplicates out."""
LEAST_PIECE, LEAST_SEGMENT = 1 << 17, 1 << 9
"""So many successors are divided at a time that they stay in the processor's cache, and at least so many for each part,
so that few reads are needed."""
_received: dict[str, "Sent"] = {}
"""The last problem that this process was sent."""


class Sent:
    """A problem that is sent to tasks: as it is within a process, and pickled once to another one, which keeps it."""

    def __init__(self, problem: SearchProblem[Any, Any]):
        self.problem = problem
        self.expander = Expander(problem.compiled())  # type: ignore[attr-defined]  # it is Compilable
        self._pickled: tuple[bytes, str, dict[str, str]] | None = None

    def __reduce__(self) -> Any:
        if self._pickled is None:
            try:
                pickled = pickle.dumps(self.problem)
            except Exception as error:
                raise MissingCapabilityError(
                    f"{type(self.problem).__name__} can't be sent to other processes ({error}); use workers='serial'"
                ) from error
            self._pickled = pickled, sha256(pickled).hexdigest(), sources_of(self.problem, self.expander.view)
        return _receive, self._pickled


def _receive(pickled: bytes, digest: str, sources: dict[str, str]) -> Sent:
    """Return what was sent by another process of the same search. Raises `WorkerError` if that has other code."""
    if digest not in _received:
        _received.clear()
        sent = Sent(pickle.loads(pickled))
        check_sources(sources_of(sent.problem, sent.expander.view), sources)
        _received[digest] = sent
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
    threads: int = 1
    """How many threads a task may use."""

    @property
    def expander(self) -> Expander:
        """The graph."""
        return self.sent.expander

    def reader(self) -> LayerReader:
        """Return a reader of layers."""
        return LayerReader(self.folder, self.expander.words)


@frozen
class InTurn:
    """A task that runs another one several times, and returns a list of the results."""

    func: Callable[..., Any]
    """The other task. The name is that of `functools.partial`, which messages look at."""

    def __call__(self, calls: Iterable[Iterable[Any]]) -> list[Any]:
        """Call the task with the arguments of each call."""
        return [self.func(*arguments) for arguments in calls]


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
    contents = _Contents(job, states, bits)
    write_file(
        job.folder / spill_name(layer.depth + 1, number),
        contents,
        False,
        digested=False,  # the file is read once, part by part, and each part has a sum
    )
    return len(states), contents.generated


class _Contents:
    """The contents of the file that `expand` writes, in arrays of which each is overwritten by the next one."""

    def __init__(self, job: Job, states: Any, bits: int):
        self.job, self.states, self.bits = job, states, bits
        self.generated = 0

    def __iter__(self) -> Iterator[Any]:
        table, self.generated = [], 0
        pieces: Iterable[Divided] = (
            divided_pieces(self.job.expander, self.states, self.bits)
            if self.job.threads == 1
            else kept_pieces(self.job, self.states, self.bits)
        )
        for piece in pieces:
            self.generated += piece.generated
            if len(piece.states):
                yield piece.states
            table.append(np.stack([np.diff(piece.places).astype(np.uint64), sums_of(piece)], 1))
        yield np.concatenate([part.reshape(-1) for part in table] + [np.array([len(table)], np.uint64)])


@frozen(eq=False)
class Divided:
    """Some successors, divided into parts."""

    generated: int
    """How many there were, with duplicates."""
    states: Any
    """They, one part after the other."""
    places: Any
    """Where the parts begin, and the length of the whole."""


def divided_pieces(expander: Expander, states: Any, bits: int) -> Iterator[Divided]:
    """Yield the successors of states, divided into 2**bits parts. Each piece is overwritten by the next one."""
    room = max(LEAST_PIECE, LEAST_SEGMENT << bits, expander.branching)
    spare = state_array(room, expander.words), part_array(room, bits)
    is_first = True
    for piece in successor_pieces(expander, states, room):
        out, places = divided(piece, bits, *spare)
        if is_first and _are_many_duplicates(out, places):
            break
        is_first = False
        yield Divided(len(piece), out, places)
    else:
        return
    for piece in successor_pieces(expander, states, len(states) * expander.branching):
        out, places = divided(piece, bits)
        parts = [sorted_unique(out[first:last]) for first, last in pairwise(places)]
        yield Divided(len(piece), np.concatenate(parts), np.cumsum([0, *map(len, parts)]))


def kept_pieces(job: Job, states: Any, bits: int) -> list[Divided]:
    """Return the successors of states as `divided_pieces` does, made by all threads, in arrays of their own."""
    if not len(states):  # a stretch of a file in which no block begins
        return [Divided(0, states, np.zeros((1 << bits) + 1, np.int64))]
    share = -(-len(states) // job.threads)

    def pieces(begin: int) -> list[Divided]:
        found = divided_pieces(job.expander, states[begin : begin + share], bits)
        return [Divided(piece.generated, piece.states.copy(), piece.places) for piece in found]

    return [piece for some in in_threads(job.threads, pieces, range(0, len(states), share)) for piece in some]


def sums_of(piece: Divided) -> Any:
    """Return the sum of the words of each part, modulo 2**64."""
    counts = np.diff(piece.places)
    sums, filled = np.zeros(len(counts), np.uint64), counts > 0
    if len(piece.states):
        words = piece.states.size // len(piece.states)
        sums[filled] = np.add.reduceat(piece.states.reshape(-1), piece.places[:-1][filled] * words)
    return sums


def in_threads(threads: int, work: Callable[[Argument], Value], arguments: Sequence[Argument]) -> list[Value]:
    """Return the results of `work` for some arguments, in their order; kernels run beside one another."""
    if threads == 1 or len(arguments) <= 1:
        return list(map(work, arguments))
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, arguments))


def _are_many_duplicates(states: Any, places: Any) -> bool:
    """Whether a sample says that sorting the parts, which are sorted later in any case, is worth the bytes it saves."""
    looked = kept = 0
    for first, last in pairwise(places):
        if looked >= SAMPLE:
            break
        looked += last - first
        kept += len(sorted_unique(states[first:last].copy()))
    return kept < WORTH_KEEPING * looked


@frozen
class Merged:
    """What `merge` returns: the file that it has written, None without states, and the least goal in it or None."""

    file: RunFile | None
    goal: Any


def merge(job: Job, depth: int, group: int, bits: int, spills: int, earlier: Sequence[Layer]) -> Merged:
    """Merge a group of parts of all files of successors into a file of the layer at `depth`.

    What is in the `earlier` layers is left out. A group without states has no file.
    """
    paths = [job.folder / spill_name(depth, number) for number in range(spills)]

    def sources() -> list[Spill]:
        stay = spills * job.threads <= MOST_OPEN
        return [Spill(path, bits, job.expander.words, stays_open=stay) for path in paths]

    ((writer, goal),) = merge_groups(job, depth, range(group, group + 1), bits, earlier, sources, job.reader)
    if not writer.states:
        return Merged(None, None)
    written = writer.write(job.folder / run_name(depth, depth, group), job.durable)
    return Merged(RunFile(depth, depth, bits, group, writer.states, written), goal)


class Source(Protocol):
    """Successors that were divided into parts."""

    @property
    def counts(self) -> Any:
        """The number of states of each part."""

    def read(self, part: int, out: Any) -> None:
        """Write the states of a part to an array of their number."""

    def close(self) -> None:
        """Let go of them."""


def merge_groups(
    job: Job,
    depth: int,
    groups: range,
    bits: int,
    earlier: Sequence[Layer],
    sources: Callable[[], Sequence[Source]],
    reader: Callable[[], LayerReader],
) -> list[tuple[RunWriter, Any]]:
    """Merge some groups of parts of the sources; return the run and the least goal of each group.

    Each thread merges some parts of a group. It calls `sources` and `reader` for what it reads.
    """
    size, words = parts_of_a_group(bits), job.expander.words
    step = max(1, size * len(groups) // job.threads) if len(groups) < job.threads else size

    def some(first: int) -> tuple[RunWriter, Any]:
        writer, goal = RunWriter(words), None
        opened: list[Source] = []
        try:
            opened += sources()
            with reader() as layers:
                room = state_array(int(sum(source.counts for source in opened).max()), words)
                for part in range(first, min(first + step, (first // size + 1) * size)):
                    states = _merged(opened, part, room)
                    states = without_layers(states, earlier, layers, part, bits)
                    place = job.expander.first_goal(states)
                    if place is not None:
                        goal = least(goal, states[place].copy())
                    writer.add(depth, part, states)
        finally:
            for source in opened:
                source.close()
        return writer, goal

    firsts = [first for group in groups for first in range(group * size, (group + 1) * size, step)]
    found: dict[int, tuple[RunWriter, Any]] = {}
    for first, (writer, goal) in zip(firsts, in_threads(job.threads, some, firsts), strict=True):
        group = first // size
        if group in found:
            found[group][0].extend(writer)
            found[group] = found[group][0], least(found[group][1], goal)
        else:
            found[group] = writer, goal
    return list(found.values())


def without_layers(states: Any, earlier: Sequence[Layer], reader: LayerReader, part: int, bits: int) -> Any:
    """Remove the states of a part of some layers from a sorted array, in place; return what is left."""
    for layer in earlier:
        if len(states):
            subtraction = Subtraction(states)
            for others in reader.part(layer, part, bits):
                subtraction.take(others)
            states = subtraction.result()
    return states


def _merged(sources: Sequence[Source], part: int, out: Any) -> Any:
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
