"""Exchange through the memory of a cluster: for computers that share no disk.

The successors stay in the cluster, as objects, until they are merged. The layers stay there too as long as the next one
needs them, on the computers that have merged them, where they are expanded; and they are fetched to the directory of
the driver, where paths, certificates and a search that goes on later find them. So a task reads no file.

`searchkit.scale.exchange.store` says what happens when a computer is lost.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any

from attrs import evolve

from searchkit.scale.exchange.blocks import expand_stretches, merge_blocks
from searchkit.scale.exchange.files import FileExchange
from searchkit.scale.exchange.store import Store, files_for, store_of, stretches_of
from searchkit.scale.external.layers import Layer, groups_of
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import Merged


class ObjectExchange:
    """The two halves of a round, by tasks over objects.

    Args:
        place: the directory of the driver, and the workers.
        store: the objects.
        undirected: whether each action can be undone, so that only two layers are subtracted from the next one.

    """

    def __init__(self, place: Place, store: Store, undirected: bool):
        self.place, self.store, self.undirected = place, store, undirected
        self._blocks: list[list[Any]] = []
        """What each task has generated: an object for each bundle of groups."""

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
        self.store.keep({file.name for layer in self._earlier(layers) for file in layer.files})
        if self.store.is_last_of_its_rounds():
            self.store.forget_made()
        bundles = self.store.bundles(bits)
        tasks = stretches_of(layers[-1], chunk, bundles)
        self._blocks = [[] for _ in tasks]
        job, alone = self.store.job, evolve(layers[-1], files=())
        calls = (
            (
                (expand_stretches, job, alone, stretches, bits, bundles),
                [self.store.object_of(file.name) for file, _, _ in stretches],
                bundles,
                blocks,
                near,
            )
            for (near, stretches), blocks in zip(tasks, self._blocks, strict=True)
        )
        begin("expanding", len(tasks))
        yield from self.place.run(calls, take, may, self.store.submit)

    def merge(
        # Same lines as in searchkit.scale.exchange.files: the same interface.
        self,
        layers: Sequence[Layer],
        bits: int,
        begin: Callable[[str, int], object],
        take: Callable[[object], object],
    ) -> Generator[bool, None, list[Merged]]:
        """Merge what was generated into the next layer: see `FileExchange.merge`."""
        bundles = self.store.bundles(bits)
        size = groups_of(bits) // bundles
        made: list[list[Any]] = [[] for _ in range(bundles)]
        calls = (
            self._merging(layers, range(number * size, (number + 1) * size), bits, number, made[number])
            for number in range(bundles)
        )

        begin("merging", bundles)
        merged = yield from self.place.run(
            calls, self.store.fetching(made, size, take), submit=self.store.submit
        )
        self._blocks = []
        return [one for some in merged for one in some]

    def forget(self) -> None:
        """Let go of all objects."""
        self.store.keep(())
        self._blocks = []

    def _earlier(self, layers: Sequence[Layer]) -> Sequence[Layer]:
        """Return the layers that are subtracted from the next one, the newest one first."""
        return layers[:-3:-1] if self.undirected else layers[::-1]

    def _merging(
        self, layers: Sequence[Layer], groups: range, bits: int, number: int, made: list[Any]
    ) -> tuple[Any, ...]:
        """Return the call that merges some groups."""
        near = [evolve(layer, files=files_for(layer, groups, bits)) for layer in self._earlier(layers)]
        names = dict.fromkeys(file.name for layer in near for file in layer.files)
        blocks = [found[number] for found in self._blocks]
        task = merge_blocks, self.store.job, len(layers), groups, bits, len(blocks), near, tuple(names)
        return task, [*blocks, *map(self.store.object_of, names)], len(groups), made, number


def exchange_of(name: str, place: Place, undirected: bool) -> FileExchange | ObjectExchange:
    """Return the exchange "files" or "objects". Raises `InvalidOptionError` if the workers keep no objects."""
    if name == "files":
        return FileExchange(place, undirected)
    return ObjectExchange(place, store_of(place), undirected)
