"""Exchange through files: a folder that all tasks see has the successors and the layers."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from searchkit.scale.external.layers import Layer, groups_of
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import Merged, expand, merge
from searchkit.scale.external.united import United


class FileExchange:
    """The two halves of a round, by tasks over files.

    Args:
        place: the directory and the workers.
        undirected: whether each action can be undone, so that only two layers are subtracted from the next one.

    """

    def __init__(self, place: Place, undirected: bool):
        self.place, self.undirected = place, undirected
        self.united = United(place)
        self._spills = 0

    def expand(
        self,
        layers: Sequence[Layer],
        bits: int,
        chunk: int,
        begin: Callable[[str, int], object],
        take: Callable[[tuple[int, int]], object],
        may: Callable[[], bool],
    ) -> Generator[bool, None, None]:
        """Expand the last layer.

        Args:
            layers: all layers, which are in files.
            bits: the next layer is divided into 2**bits parts.
            chunk: how many states a task expands.
            begin: called with what is done and the number of tasks.
            take: called with what each task returns: the numbers of states that it has expanded and of successors.
            may: whether another task may begin.

        """
        job, layer = self.place.job, layers[-1]
        pieces = [
            (file, first)
            for file in layer.files
            for first in range(0, layer.states if len(layer.files) == 1 else file.states, chunk)
        ]
        calls: Iterator[Any] = (
            (expand, job, layer, file, first, first + chunk, bits, number)
            for number, (file, first) in enumerate(pieces)
        )
        self._spills = len(pieces)
        begin("expanding", len(pieces))
        yield from self.place.run(calls, take, may)

    def merge(
        self,
        layers: Sequence[Layer],
        bits: int,
        begin: Callable[[str, int], object],
        take: Callable[[object], object],
    ) -> Generator[bool, None, list[Merged]]:
        """Merge what was generated into the next layer; return the result for each group.

        Args:
            layers: the layers before it, which are in files.
            bits: it is divided into 2**bits parts.
            begin: called with what is done and the number of tasks.
            take: called with what each task returns.

        """
        earlier = layers[:-3:-1] if self.undirected else (yield from self.united.of(layers, bits))
        job, groups = self.place.job, range(groups_of(bits))
        calls = ((merge, job, len(layers), group, bits, self._spills, earlier) for group in groups)
        begin("merging", len(groups))
        return (yield from self.place.run(calls, take))

    def forget(self) -> None:
        """Let go of what only the next round would need."""
        self.united.forget()
