"""Few runs instead of many layers: what a new layer is compared with if all earlier ones have to be subtracted.

The files of the layers stay as they are, for paths. The runs here stand beside them while the search goes on; they are
made again by a search that goes on in the directory, so that no manifest names them.
"""

from collections.abc import Generator, Sequence
from contextlib import suppress

import numpy as np

from searchkit.compiled.kit.state import state_array
from searchkit.scale.arrays.sorting import sort
from searchkit.scale.external.files import RunWriter
from searchkit.scale.external.layers import Layer, RunFile, groups_of, parts_of_a_group, run_name
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import Job

SHARE = 16
"""A run with less than one in so many of all states is small …"""
FEW = 4
"""… and so many small ones are united. So there are at most SHARE large runs and FEW − 1 small ones."""


class United:
    """The states of all layers of a search in few runs."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.runs: dict[int, list[Layer]] = {}
        """Heuristic value, if layers are told apart by it → what the layers stand in that were looked at: layers, and
        runs of several, whose depth is that of the last."""
        self._covered: dict[int, int] = {}
        self._made = 0

    def of(self, layers: Sequence[Layer], bits: int, h: int = 0) -> Generator[bool, None, list[Layer]]:
        """Return runs with the states of all layers of a heuristic value, which are in files; the newest ones first.

        Small ones are united by the workers, whose files are divided into 2**bits parts.
        """
        runs = [*self.runs.get(h, ()), *layers[self._covered.get(h, 0) :]]
        total = sum(run.states for run in runs)
        small = [run for run in runs if run.states * SHARE < total]
        if len(small) >= FEW:
            self._made += 1
            job, depth = self.place.job, max(run.depth for run in small)
            calls = [(unite, job, small, self._made, depth, bits, group) for group in range(groups_of(bits))]
            files = yield from self.place.run(calls)
            states = sum(run.states for run in small)
            united = Layer(depth, states, tuple(file for file in files if file is not None))
            runs = sorted([run for run in runs if run not in small] + [united], key=lambda run: run.depth)
        self.runs[h], self._covered[h] = runs, len(layers)
        self.place.beside = [run for some in self.runs.values() for run in some if run.files[0].united]
        return runs[::-1]

    def forget(self) -> None:
        """Delete the files, and begin again with the layers."""
        for file in (file for run in self.place.beside for file in run.files):
            with suppress(OSError):  # a leftover that is deleted when the search goes on
                (self.place.folder / file.name).unlink()
        self.runs, self._covered, self.place.beside = {}, {}, []


def unite(job: Job, runs: Sequence[Layer], number: int, depth: int, bits: int, group: int) -> RunFile | None:
    """Write a group of parts of some runs, which share no states, into one file; return None if there are no states."""
    words = job.expander.words
    writer = RunWriter(words)
    with job.reader() as reader:
        size = parts_of_a_group(bits)
        for part in range(group * size, (group + 1) * size):
            pieces = [states for run in runs for states in reader.part(run, part, bits)]
            states = np.concatenate(pieces) if pieces else state_array(0, words)
            sort(states)
            writer.add(depth, part, states)
    if not writer.states:
        return None
    written = writer.write(job.folder / run_name(0, depth, group, number), durable=False)
    return RunFile(0, depth, bits, group, writer.states, written, number)
