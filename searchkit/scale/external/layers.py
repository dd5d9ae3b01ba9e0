"""The layers of a search on disk: where their states are, and how tasks read them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen

from searchkit.compiled.kit.state import state_array
from searchkit.scale.arrays.expanding import divided
from searchkit.scale.arrays.sorting import sort
from searchkit.scale.external.files import STATES, RunReader, Written

MOST_OPEN = 200
"""How many files of one kind a task holds open. Systems allow a process 256 (macOS) or 1024 (Linux)."""


@frozen
class RunFile:
    """A run that the manifest names: the states of some layers that belong to one group of parts."""

    first: int
    """The first layer in it …"""
    last: int
    """… and the last one."""
    bits: int
    """The layers are divided into 2**bits parts."""
    group: int
    """Which of the groups of these parts it holds."""
    states: int
    """How many states are in it."""
    written: Written
    united: int = 0
    """The number of a run that holds the same states once more: see `searchkit.scale.external.united`; 0 for others."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return run_name(self.first, self.last, self.group, self.united)


def run_name(first: int, last: int, group: int, united: int = 0) -> str:
    """Return the name of the file of a group of some layers."""
    if united:
        return f"united-{united:07d}-{group:05d}.run"
    return f"layers-{first:07d}-{last:07d}-{group:05d}.run"


@frozen(eq=False)
class Layer:
    """The states at one depth, in files, or in memory if they are few."""

    depth: int
    states: int
    files: tuple[RunFile, ...] = ()
    """The runs with its states, in the order of the groups; groups without states have none."""
    keys: Any = field(default=None, repr=False)
    """All of its states, sorted; None if they are in files only."""

    @property
    def bits(self) -> int:
        """The layer is divided into 2**bits parts in its files."""
        return self.files[0].bits if self.files else 0


def parts_of_a_group(bits: int) -> int:
    """Return how many of 2**bits parts stand in one file: so that there are 8 files, or more if parts are many.

    Many small files take much longer to write than few large ones, and one file can't be merged by several tasks.
    """
    return max(1, min(64, (1 << bits) // 8))


def groups_of(bits: int) -> int:
    """Return the number of files of 2**bits parts."""
    return (1 << bits) // parts_of_a_group(bits)


class LayerReader:
    """Reads layers for one task; it holds files open, and the last part of each layer that is divided less finely.

    Args:
        folder: where the files are.
        words: the words of a state.
        contents: name → the bytes of a file, if all that is read is in memory; then `folder` is for messages only.

    """

    def __init__(self, folder: Path, words: int, contents: Mapping[str, Any] | None = None):
        self.folder, self.words, self.contents = folder, words, contents
        self._open: dict[str, RunReader] = {}
        self._divided: dict[int, tuple[int, Any, Any]] = {}

    def run(self, file: RunFile) -> RunReader:
        """Return the reader of a file."""
        if file.name not in self._open:
            if len(self._open) >= MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            contents = None if self.contents is None else self.contents[file.name]
            path, size = self.folder / file.name, file.written.bytes
            self._open[file.name] = RunReader(path, self.words, size, contents)
        return self._open[file.name]

    def whole(self, layer: Layer) -> Any:
        """Return all states of a layer, sorted."""
        pieces = list(self.pieces(layer))
        states = np.concatenate(pieces) if pieces else state_array(0, self.words)
        if layer.bits:
            sort(states)
        return states

    def pieces(self, layer: Layer) -> Iterator[Any]:
        """Yield the states of a layer in sorted arrays."""
        if layer.keys is not None:
            yield layer.keys
            return
        for run in map(self.run, layer.files):
            yield from map(run.block, run.numbers(layer.depth))

    def part(self, layer: Layer, part: int, bits: int) -> Iterator[Any]:
        """Yield the states of one of 2**bits parts of a layer, in sorted arrays that ascend.

        The layer may be divided less finely, but not more finely. Parts of a layer are best read in their order.
        """
        if layer.bits == bits:
            for file in layer.files:
                if file.group == part // parts_of_a_group(bits):
                    run = self.run(file)
                    yield from map(run.block, run.numbers(layer.depth, part))
            return
        coarse = part >> (bits - layer.bits)
        if layer.depth not in self._divided or self._divided[layer.depth][0] != coarse:
            pieces = list(self.part(layer, coarse, layer.bits))
            states = np.concatenate(pieces) if pieces else state_array(0, self.words)
            self._divided[layer.depth] = coarse, *divided(states, bits)
        _, states, places = self._divided[layer.depth]
        yield states[places[part] : places[part + 1]]  # dividing keeps the order

    def slice(self, layer: Layer, file: RunFile, begin: int, end: int) -> Any:
        """Return the states of the blocks that begin between two places of a layer in a file."""
        run = self.run(file)
        numbers = run.numbers(layer.depth)
        starts = np.cumsum([0, *(int(run.index[number][STATES]) for number in numbers)])[:-1]
        return run.blocks([number for number, at in zip(numbers, starts, strict=True) if begin <= at < end])

    def close(self) -> None:
        """Close the files."""
        for run in self._open.values():
            run.close()
        self._open.clear()

    def __enter__(self) -> "LayerReader":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
