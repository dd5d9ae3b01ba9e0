"""The two tasks of a round: expand some states of a bucket, and merge some parts of a bucket.

They are pure functions over the files of one folder: a task that runs twice writes the same bytes, so whoever runs them
may run one again.
"""

import socket
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field

from searchkit.compiled.kit.graph import as_number
from searchkit.disk.executors import unpacked
from searchkit.disk.files import PART, UNDIVIDED, Run, RunFile, write_run
from searchkit.disk.kernels import Expander, Key, divided, sorted_unique, without
from searchkit.errors import DirectoryError

BITS = 6
"""What tasks write is divided into 2**BITS parts by the hash of the states …"""
GROUP = 8
"""… of which so many are merged by one task, into one file. Many small files take much longer to write than few."""
FEW = 1 << 12
"""A bucket of fewer states that was in memory is written without dividing it."""

LONG = 1 << 16
"""Longer arrays in memory are not united with others."""


@define(eq=False)
class Bucket:
    """States with the same f and g. Those that have arrived are in it with duplicates, until they are merged."""

    key: Key
    states: int = 0
    files: list[RunFile] = field(factory=list)
    """Files with states of the bucket, and of other ones."""
    arrays: list[Any] = field(factory=list, repr=False)
    """The states that are in no file; of a bucket that is merged, one sorted array."""


class SeenStates:
    """States of merged buckets that are in memory, by their heuristic values, for comparison with small buckets.

    An array is united with the one before unless that is long, or more than twice as long. So there are few, and each
    state is moved a logarithmic number of times (Bentley and Saxe 1980).
    """

    def __init__(self) -> None:
        self.size = 0
        """The number of states."""
        self.begins: dict[int, int] = {}
        """h → from which g on the states of all merged buckets are here."""
        self._arrays: dict[int, list[tuple[int, Any]]] = {}
        """h → sorted arrays, each with the largest g of its states; the shortest one last."""

    def add(self, h: int, g: int, states: Any) -> None:
        """Add a sorted array of states."""
        self.size += len(states)
        arrays = [*self._arrays.get(h, ())]
        while arrays and len(arrays[-1][1]) <= min(LONG, 2 * len(states)):
            before, others = arrays.pop()
            g, states = max(g, before), sorted_unique(np.concatenate([others, states]))
        self._arrays[h] = [*arrays, (g, states)]

    def arrays(self, h: int, begin: int) -> list[Any]:
        """Return sorted arrays that hold the states with a g from `begin` on; those before are not needed any more."""
        kept = [(g, states) for g, states in self._arrays.get(h, []) if g >= begin]
        self.size -= sum(len(states) for g, states in self._arrays.get(h, []) if g < begin)
        self._arrays[h], self.begins[h] = kept, begin
        return [states for _, states in kept]


def received(graph: Expander | bytes, folder: Path) -> Expander:
    """Return the graph of a task. Raises `DirectoryError` if this computer lacks its folder."""
    if not folder.is_dir():
        raise DirectoryError(
            f"{folder} is not found on {socket.gethostname()}: give a directory that all computers see at the same path"
        )
    return unpacked(graph) if isinstance(graph, bytes) else graph


def expand_task(
    graph: Expander | bytes, folder: Path, name: str, key: Key, file: RunFile, segments: Sequence[int]
) -> tuple[int, int, RunFile, dict[Key, int]]:
    """Expand the states of a bucket in some segments of a file; write their successors into a file.

    Return the numbers of states and of successors, the file, and how many states of each bucket are in it.
    """
    expander, total = received(graph, folder), 0
    states = np.concatenate(list(map(Run(folder, file, expander.words).segment, segments)))
    found: dict[Key, list[list[Any]]] = {}
    for number, arrays in expander.pieces(states, key, BITS):
        total += number
        for to, divided_states in arrays.items():
            found.setdefault(to, []).append(divided_states)
    divided_by_key = {to: list(map(np.concatenate, zip(*found[to], strict=True))) for to in sorted(found)}
    parts = (
        (to, part, some) for to, all_parts in divided_by_key.items() for part, some in enumerate(all_parts)
    )
    counts = {to: sum(map(len, all_parts)) for to, all_parts in divided_by_key.items()}
    return len(states), total, write_run(folder, name, parts), counts


def merge_task(
    graph: Expander | bytes,
    folder: Path,
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
    expander, count, goal, (f, g) = received(graph, folder), 0, None, key
    runs, others = ([Run(folder, file, expander.words) for file in some] for some in (files, earlier))

    def merged() -> Iterator[tuple[Key, int, Any]]:
        nonlocal count, goal
        for part in range(first, first + GROUP):
            arrived = list(states_in(runs, f - g, range(g, g + 1), part))
            if arrived:
                states = sorted_unique(np.concatenate(arrived))
                states = without(states, states_in(others, f - g, range(least_g, g), part))
                count += len(states)
                goal = least([goal, expander.first_goal(states)])
                yield key, part, states

    return write_run(folder, name, merged()), count, goal


def states_in(runs: Iterable[Run], h: int, g: range, part: int | None = None) -> Iterator[Any]:
    """Yield the states with such values of h and g, in arrays as they were written; of one part, or of all."""
    for run in runs:
        for number in run.segments(h, g):
            of = run.index[number, PART]
            if part in (None, of):
                yield run.segment(number)
            elif of == UNDIVIDED:
                yield divided(run.segment(number), BITS)[part]


def in_parts(key: Key, states: Any) -> Iterator[tuple[Key, int, Any]]:
    """Return the states of a bucket as `write_run` takes them, divided if they are many."""
    parts = [(UNDIVIDED, states)] if len(states) < FEW else enumerate(divided(states, BITS))
    return ((key, part, some) for part, some in parts)


def least(states: Iterable[Any]) -> Any:
    """Return the least of some states; None stands for none."""
    return min((state for state in states if state is not None), key=as_number, default=None)
