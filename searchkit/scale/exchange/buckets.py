"""How the states of buckets go from task to task: through files, or through the memory of a cluster.

The successors of a bucket wait until their own buckets are merged, often for many rounds. Through the memory of a
cluster, they stay there as objects. Those that still wait are fetched into files before the search is written down,
every few rounds.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve

from searchkit.scale.arrays.keyed import Key
from searchkit.scale.buckets.tasks import (
    BucketFile,
    Expanded,
    bucket_name,
    expand_bucket,
    merge_bucket,
)
from searchkit.scale.exchange.bucket_blocks import expand_bucket_stretches, merge_bucket_objects
from searchkit.scale.exchange.store import Store, files_for, store_of, stretches_of
from searchkit.scale.external.layers import Layer, groups_of
from searchkit.scale.external.place import WAITING, Place
from searchkit.scale.external.tasks import Merged
from searchkit.scale.external.united import United

Begin = Callable[[str, int], object]
"""Called with what is done and the number of tasks."""


class FileBuckets:
    """The two halves of a round over buckets, by tasks over files.

    Args:
        place: the directory and the workers.
        undirected: whether each action can be undone, so that only buckets within two steps are subtracted.
        guided: whether the heuristic is used.

    """

    def __init__(self, place: Place, undirected: bool, guided: bool):
        self.place, self.undirected, self.guided = place, undirected, guided
        self.united = United(place)

    def away(self, waiting: Collection[str]) -> Collection[str]:
        """Return the names of the files with states that wait and that are not in the directory yet: none."""
        return ()

    def begin_round(self, waiting: Collection[str]) -> Iterator[bool]:
        """Let go of what the round does not need, in pieces; called before a bucket is expanded.

        Args:
            waiting: the names of the files with states that wait.

        """
        return iter(())

    def expand(
        self,
        layer: Layer,
        key: Key,
        bits: int,
        chunk: int,
        begin: Begin,
        take: Callable[[Expanded], object],
        may: Callable[[], bool],
    ) -> Generator[bool, None, list[Expanded]]:
        """Expand a bucket; return what the tasks return.

        Args:
            layer: the bucket, which is in files.
            key: its f and g.
            bits: buckets are divided into 2**bits parts.
            chunk: how many states a task expands.
            begin: called with what is done and the number of tasks.
            take: called with what each task returns, before the next one begins.
            may: whether another task may begin.

        """
        job = self.place.job
        pieces = [
            (file, first)
            for file in layer.files
            for first in range(0, layer.states if len(layer.files) == 1 else file.states, chunk)
        ]
        calls: Iterator[Any] = (
            (
                expand_bucket,
                job,
                self.guided,
                layer,
                file,
                first,
                first + chunk,
                key,
                bits,
                bucket_name(layer.depth, task),
            )
            for task, (file, first) in enumerate(pieces)
        )
        begin("expanding", len(pieces))
        return (yield from self.place.run(calls, take, may))

    def merge(
        self,
        number: int,
        key: Key,
        bits: int,
        files: Sequence[BucketFile],
        earlier: Sequence[Layer],
        begin: Begin,
        take: Callable[[object], object],
    ) -> Generator[bool, None, list[Merged]]:
        """Merge the states that wait for a bucket; return the result for each group.

        Args:
            number: the number of the layer that it becomes.
            key: its f and g.
            bits: it is divided into 2**bits parts.
            files: the files with states of it.
            earlier: the layers that may have its states.
            begin: called with what is done and the number of tasks.
            take: called with what each task returns.

        """
        groups = range(groups_of(bits))
        begin("merging", len(groups))
        if not self.undirected:
            earlier = yield from self.united.of(earlier, bits, key[0] - key[1])
        job = self.place.job
        calls = ((merge_bucket, job, number, group, bits, key, tuple(files), earlier) for group in groups)
        return (yield from self.place.run(calls, take))

    def bring(self, names: Iterable[str]) -> None:
        """Write files into the directory that are not there yet: none."""

    def forget(self) -> None:
        """Let go of what only the next round would need."""
        self.united.forget()


class ObjectBuckets:
    """The two halves of a round over buckets, by tasks over objects.

    Args:
        place: the directory of the driver, and the workers.
        store: the objects.
        guided: whether the heuristic is used.

    """

    def __init__(self, place: Place, store: Store, guided: bool):
        self.place, self.store, self.guided = place, store, guided
        self._away: set[str] = set()
        self._bundle_of: dict[str, int] = {}
        """File → which bundle of parts it has; other files may have all parts."""

    def away(self, waiting: Collection[str]) -> Collection[str]:
        """Return the names of the files with states that wait and that are not in the directory yet."""
        self._away.intersection_update(waiting)
        return self._away

    def begin_round(self, waiting: Collection[str]) -> Iterator[bool]:
        """Let go of what the round does not need, and end what could be made again, if that has become long."""
        self._bundle_of = {name: bundle for name, bundle in self._bundle_of.items() if name in waiting}
        away = self.away(waiting)
        if not self.store.is_last_of_its_rounds():
            merged = {name for name in self.store.names if name.startswith(WAITING) and name not in waiting}
            self.store.keep(set(self.store.names) - merged)
            return
        for name in sorted(away):
            self.bring([name])
            yield False
        self.store.keep(())

    def expand(
        # Same lines as in `FileBuckets`: the same interface.
        self,
        layer: Layer,
        key: Key,
        bits: int,
        chunk: int,
        begin: Begin,
        take: Callable[[Expanded], object],
        may: Callable[[], bool],
    ) -> Generator[bool, None, list[Expanded]]:
        """Expand a bucket: see `FileBuckets.expand`."""
        bundles = self.store.bundles(bits)
        tasks = stretches_of(layer, chunk, bundles)
        names = [
            [bucket_name(layer.depth, task * bundles + bundle) for bundle in range(bundles)]
            for task in range(len(tasks))
        ]
        made: list[list[Any]] = [[] for _ in tasks]
        alone = evolve(layer, files=())
        calls = (
            (
                (expand_bucket_stretches, self.store.job, self.guided, alone, stretches, key, bits, some),
                [self.store.object_of(file.name) for file, _, _ in stretches],
                bundles,
                found,
                near,
            )
            for (near, stretches), some, found in zip(tasks, names, made, strict=True)
        )
        begin("expanding", len(tasks))
        results = yield from self.place.run(calls, take, may, self.store.submit)
        for expanded, some, found in zip(results, names, made, strict=True):
            for file in expanded.files:
                bundle = some.index(file.name)
                self.store.take(file.name, found[bundle])
                self._away.add(file.name)
                self._bundle_of[file.name] = bundle
        return results

    def merge(
        # Same lines as in `FileBuckets`: the same interface.
        self,
        number: int,
        key: Key,
        bits: int,
        files: Sequence[BucketFile],
        earlier: Sequence[Layer],
        begin: Begin,
        take: Callable[[object], object],
    ) -> Generator[bool, None, list[Merged]]:
        """Merge the states that wait for a bucket: see `FileBuckets.merge`."""
        bundles = self.store.bundles(bits)
        size = groups_of(bits) // bundles
        made: list[list[Any]] = [[] for _ in range(bundles)]
        found = (
            (bundle, [file for file in files if self._bundle_of.get(file.name, bundle) == bundle])
            for bundle in range(bundles)
        )
        tasks = [(bundle, own) for bundle, own in found if own]
        calls = (
            (
                *self._merging(number, range(bundle * size, (bundle + 1) * size), bits, key, own, earlier),
                size,
                made[bundle],
                bundle,
            )
            for bundle, own in tasks
        )

        begin("merging", len(tasks))
        merged = yield from self.place.run(
            calls, self.store.fetching(made, size, take), submit=self.store.submit
        )
        return [one for some in merged for one in some]

    def bring(self, names: Iterable[str]) -> None:
        """Write files with states that wait into the directory, unless they are there."""
        for name in names:
            if name in self._away:
                self.store.fetch(name)
                self._away.discard(name)

    def forget(self) -> None:
        """Let go of the objects whose files are in the directory."""
        self.store.keep(self._away)

    def _merging(
        # Same lines as in searchkit.scale.buckets.tasks: what a merge needs.
        self,
        number: int,
        groups: range,
        bits: int,
        key: Key,
        files: Sequence[BucketFile],
        earlier: Sequence[Layer],
    ) -> tuple[Any, ...]:
        """Return the task that merges some groups, and its objects."""
        near = [evolve(layer, files=files_for(layer, groups, bits)) for layer in earlier]
        names = dict.fromkeys(file.name for layer in near for file in layer.files)
        objects = [self.store.object_of(name) for name in (*(file.name for file in files), *names)]
        task = (
            merge_bucket_objects,
            self.store.job,
            number,
            groups,
            bits,
            key,
            tuple(files),
            near,
            tuple(names),
        )
        return task, objects


def bucket_exchange_of(
    name: str, place: Place, undirected: bool, guided: bool
) -> FileBuckets | ObjectBuckets:
    """Return the exchange "files" or "objects" of buckets. Raises `InvalidOptionError` if workers keep no objects."""
    if name == "files":
        return FileBuckets(place, undirected, guided)
    return ObjectBuckets(place, store_of(place), guided)
