"""Exchange through the memory of a cluster: for computers that share no disk.

The successors stay in the cluster, as objects, until they are merged. The layers stay there too as long as the next one
needs them, and are also fetched to the directory of the driver, where paths, certificates and a search that goes on
later find them. So a task reads no file.

An object that is lost with its computer is made again from those that its task was given. Every `ROUNDS` rounds, the
layers that are needed are put into the cluster anew, out of their files: then nothing older has to be made again.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve

from searchkit.errors import DirectoryError, InvalidOptionError
from searchkit.scale.exchange.blocks import Stretch, expand_stretches, merge_blocks
from searchkit.scale.exchange.files import FileExchange
from searchkit.scale.external.files import write_file
from searchkit.scale.external.layers import Layer, RunFile, groups_of, parts_of_a_group
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import Job, Merged
from searchkit.scale.workers import ClusterWorkers

ROUNDS = 8
"""So many rounds at most are made again after the loss of a computer."""
EACH = 2
"""Tasks of a kind that each worker gets in a round, so that one that is slower gets fewer. The number of blocks is the
square of the number of tasks."""


class ObjectExchange:
    """The two halves of a round, by tasks over objects.

    Args:
        place: the directory of the driver, and the workers.
        workers: the workers, which keep objects.
        undirected: whether each action can be undone, so that only two layers are subtracted from the next one.

    """

    def __init__(self, place: Place, workers: ClusterWorkers, undirected: bool):
        self.place, self.workers, self.undirected = place, workers, undirected
        self._runs: dict[str, Any] = {}
        """The name of a file → the object that has its bytes."""
        self._made: set[str] = set()
        """Those of them that a task has made."""
        self._blocks: list[list[Any]] = []
        """What each task has generated: an object for each bundle of groups."""
        self._rounds = 0

    @property
    def _job(self) -> Job:
        """What tasks have in common; its folder is not there."""
        return Job(self.place.sent, Path("objects"), durable=False, threads=self.workers.threads)

    def expand(
        # Same lines as in searchkit.scale.exchange.files: the same interface.
        self,
        layers: Sequence[Layer],
        bits: int,
        chunk: int,
        begin: Callable[[str, int], object],
        take: Callable[[tuple[int, int]], object],
        may: Callable[[], bool],
    ) -> Generator[bool, None, None]:
        """Expand the last layer: see `FileExchange.expand`."""
        self._keep(self._earlier(layers))
        tasks, bundles = stretches_of(layers[-1], chunk), self._bundles(bits)
        self._blocks = [[] for _ in tasks]
        job, alone = self._job, evolve(layers[-1], files=())
        calls = (
            (
                (expand_stretches, job, alone, stretches, bits, bundles),
                [self._run(file) for file, _, _ in stretches],
                bundles,
                blocks,
            )
            for stretches, blocks in zip(tasks, self._blocks, strict=True)
        )
        begin("expanding", len(tasks))
        yield from self.place.run(calls, take, may, self._submit)

    def merge(
        # Same lines as in searchkit.scale.exchange.files: the same interface.
        self,
        layers: Sequence[Layer],
        bits: int,
        begin: Callable[[str, int], object],
        take: Callable[[object], object],
    ) -> Generator[bool, None, list[Merged]]:
        """Merge what was generated into the next layer: see `FileExchange.merge`."""
        bundles = self._bundles(bits)
        size = groups_of(bits) // bundles
        made: list[list[Any]] = [[] for _ in range(bundles)]
        calls = (
            self._merging(layers, range(number * size, (number + 1) * size), bits, number, made[number])
            for number in range(bundles)
        )

        def fetch(merged: list[Merged]) -> None:
            for one in merged:
                if one.file is not None:
                    self._fetch(one.file, made[one.file.group // size][one.file.group % size])
            take(merged)

        begin("merging", bundles)
        merged = yield from self.place.run(calls, fetch, submit=self._submit)
        self._blocks = []
        return [one for some in merged for one in some]

    def forget(self) -> None:
        """Let go of all objects."""
        self._runs, self._made, self._blocks = {}, set(), []

    def _earlier(self, layers: Sequence[Layer]) -> Sequence[Layer]:
        """Return the layers that are subtracted from the next one, the newest one first."""
        return layers[:-3:-1] if self.undirected else layers[::-1]

    def _bundles(self, bits: int) -> int:
        """Return how many tasks merge the groups of 2**bits parts."""
        wanted: int = 1 << (EACH * self.workers.count - 1).bit_length()
        return min(wanted, groups_of(bits))

    def _merging(
        self, layers: Sequence[Layer], groups: range, bits: int, number: int, made: list[Any]
    ) -> tuple[Any, ...]:
        """Return the call that merges some groups."""
        near = [evolve(layer, files=files_for(layer, groups, bits)) for layer in self._earlier(layers)]
        files = {file.name: file for layer in near for file in layer.files}
        blocks = [found[number] for found in self._blocks]
        task = merge_blocks, self._job, len(layers), groups, bits, len(blocks), near, tuple(files)
        return task, [*blocks, *map(self._run, files.values())], len(groups), made

    def _submit(self, call: tuple[Any, ...]) -> "Future[Any]":
        """Begin a task over objects, and keep what it makes in the list that is the last element of the call."""
        (task, *arguments), objects, made, kept = call
        future, found = self.workers.submit_with_objects(task, tuple(arguments), objects, made)
        kept += found
        return future

    def _keep(self, layers: Sequence[Layer]) -> None:
        """Let go of other layers, and end what could be made again, if that has become long."""
        needed = {file.name for layer in layers for file in layer.files}
        self._runs = {name: run for name, run in self._runs.items() if name in needed}
        self._made &= needed
        self._rounds += 1
        if self._rounds % ROUNDS == 0:
            for name in self._made:
                del self._runs[name]
            self._made.clear()

    def _run(self, file: RunFile) -> Any:
        """Return the object with the bytes of a file."""
        if file.name not in self._runs:
            path = self.place.folder / file.name
            try:
                contents = np.fromfile(path, np.uint8)
            except OSError as error:
                raise DirectoryError(f"{path} can't be read: {error.strerror}", path.name) from error
            self._runs[file.name] = self.workers.put_object(contents)
        return self._runs[file.name]

    def _fetch(self, file: RunFile, run: Any) -> None:
        """Write what a task has made into the directory."""
        directory = self.place.directory
        contents = self.workers.get_object(run)
        with directory.writing("written"):
            write_file(directory.path / file.name, [contents], directory.durable, digested=False)
        self._runs[file.name] = run
        self._made.add(file.name)


def exchange_of(name: str, place: Place, undirected: bool) -> FileExchange | ObjectExchange:
    """Return the exchange "files" or "objects". Raises `InvalidOptionError` if the workers keep no objects."""
    if name == "files":
        return FileExchange(place, undirected)
    if not isinstance(place.workers, ClusterWorkers):
        raise InvalidOptionError(
            "exchange=objects: these workers keep no objects between tasks; use workers=ray, or exchange=files"
        )
    place.shares_files = False
    return ObjectExchange(place, place.workers, undirected)


def stretches_of(layer: Layer, chunk: int) -> list[list[Stretch]]:
    """Return the states of a layer in stretches, as many as `chunk` together."""
    found: list[list[Stretch]] = [[]]
    room = chunk
    for file in layer.files:
        size = layer.states if len(layer.files) == 1 else file.states
        first = 0
        while first < size:
            if not room:
                found.append([])
                room = chunk
            last = min(size, first + room)
            found[-1].append((file, first, last))
            room -= last - first
            first = last
    return found


def files_for(layer: Layer, groups: range, bits: int) -> tuple[RunFile, ...]:
    """Return the files that have states of some groups of 2**bits parts."""
    size, shift = parts_of_a_group(bits), bits - layer.bits
    first, last = groups.start * size >> shift, (groups.stop * size - 1) >> shift
    own = parts_of_a_group(layer.bits)
    return tuple(file for file in layer.files if first // own <= file.group <= last // own)
