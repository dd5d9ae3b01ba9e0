"""The objects of a cluster that stand for the files of a search, and the files that are made of them.

An object that is lost with its computer is made again from those that its task was given. Every `ROUNDS` rounds, the
files that are needed are put into the cluster anew: then nothing older has to be made again.
"""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.errors import DirectoryError, InvalidOptionError
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
Stretch = tuple[RunFile, int, int]
"""States of a layer in a file, from one place to another."""


class Store:
    """The objects that stand for files.

    Args:
        place: the directory of the driver.
        workers: the workers, which keep objects.

    """

    def __init__(self, place: Place, workers: ClusterWorkers):
        self.place, self.workers = place, workers
        self._objects: dict[str, Any] = {}
        """The name of a file → the object that has its bytes."""
        self._made: set[str] = set()
        """Those of them that a task has made."""
        self._rounds = 0

    @property
    def job(self) -> Job:
        """What tasks have in common; its folder is not there."""
        return Job(self.place.sent, Path("objects"), durable=False, threads=self.workers.threads)

    def bundles(self, bits: int) -> int:
        """Return how many tasks merge the groups of 2**bits parts."""
        wanted: int = 1 << (EACH * self.workers.count - 1).bit_length()
        return min(wanted, groups_of(bits))

    def submit(self, call: tuple[Any, ...]) -> "Future[Any]":
        """Begin a task over objects near others of the same bundle, and keep what it makes in a list.

        The call is the task with its arguments, the objects, how many it makes, the list, and the number of the bundle.
        """
        (task, *arguments), objects, made, kept, near = call
        future, found = self.workers.submit_with_objects(task, tuple(arguments), objects, made, near)
        kept += found
        return future

    def is_last_of_its_rounds(self) -> bool:
        """Begin a round; return whether the store has to be emptied before it."""
        self._rounds += 1
        return self._rounds % ROUNDS == 0

    @property
    def names(self) -> Collection[str]:
        """The names of the files that objects stand for."""
        return self._objects.keys()

    def keep(self, names: Collection[str]) -> None:
        """Let go of the objects of other files."""
        self._objects = {name: found for name, found in self._objects.items() if name in names}
        self._made.intersection_update(names)

    def forget_made(self) -> None:
        """Let go of what tasks have made: it is put anew when it is needed, out of its files."""
        for name in self._made:
            del self._objects[name]
        self._made.clear()

    def take(self, name: str, found: Any) -> None:
        """Keep an object that a task has made, and that stands for a file of this name."""
        self._objects[name] = found
        self._made.add(name)

    def object_of(self, name: str) -> Any:
        """Return the object with the bytes of a file. Raises `DirectoryError` if the file can't be read."""
        if name not in self._objects:
            path = self.place.folder / name
            try:
                contents = np.fromfile(path, np.uint8)
            except OSError as error:
                raise DirectoryError(f"{path} can't be read: {error.strerror}", path.name) from error
            self._objects[name] = self.workers.put_object(contents)
        return self._objects[name]

    def fetch(self, name: str) -> None:
        """Write the bytes of an object into its file. Raises `DirectoryError`, and `WorkerError` if it is lost."""
        directory = self.place.directory
        contents = self.workers.get_object(self._objects[name])
        with directory.writing("written"):
            write_file(directory.path / name, [contents], directory.durable, digested=False)

    def fetching(
        self, made: Sequence[Sequence[Any]], size: int, take: Callable[[object], object]
    ) -> Callable[[list[Merged]], None]:
        """Return what writes the files of merged groups, of which a task makes `size`, and then calls `take`."""

        def fetch(merged: list[Merged]) -> None:
            for one in merged:
                if one.file is not None:
                    name, group = one.file.name, one.file.group
                    self.take(name, made[group // size][group % size])
                    self.fetch(name)
            take(merged)

        return fetch


def store_of(place: Place) -> Store:
    """Return a store in the memory of the workers. Raises `InvalidOptionError` if they keep no objects."""
    if not isinstance(place.workers, ClusterWorkers):
        raise InvalidOptionError(
            "exchange=objects: these workers keep no objects between tasks; use workers=ray, or exchange=files"
        )
    place.shares_files = False
    return Store(place, place.workers)


def stretches_of(layer: Layer, chunk: int, bundles: int) -> list[tuple[int, list[Stretch]]]:
    """Return the states of a layer in stretches, for tasks that expand about `chunk` states each.

    With the stretches of a task stands the bundle of groups that all of them belong to: the task that has merged this
    bundle has made their files. A task expands up to an eighth more, so that a bundle that is a bit larger than others
    is not divided.
    """
    found: list[tuple[int, list[Stretch]]] = []
    groups = groups_of(layer.bits)
    for bundle, some in groupby(layer.files, lambda file: file.group * bundles // groups):
        sizes = {file: layer.states if len(layer.files) == 1 else file.states for file in some}
        states = sum(sizes.values())
        tasks = max(1, -(-states // (chunk + chunk // 8)))  # a manifest may name files without states
        each = -(-states // tasks)
        room = 0
        for file, size in sizes.items():
            first = 0
            while first < size:
                if not room:
                    found.append((bundle if len(layer.files) > 1 else len(found), []))
                    room = each
                last = min(size, first + room)
                found[-1][1].append((file, first, last))
                room -= last - first
                first = last
    return found


def files_for(layer: Layer, groups: range, bits: int) -> tuple[RunFile, ...]:
    """Return the files that have states of some groups of 2**bits parts."""
    size, shift = parts_of_a_group(bits), bits - layer.bits
    first, last = groups.start * size >> shift, (groups.stop * size - 1) >> shift
    own = parts_of_a_group(layer.bits)
    return tuple(file for file in layer.files if first // own <= file.group <= last // own)
