"""What a search over buckets holds: the buckets that are merged, and the states that wait for their merge."""

from collections import Counter
from collections.abc import Mapping
from math import inf
from time import perf_counter
from typing import Any

import numpy as np
from attrs import Factory, define, evolve
from sortedcontainers import SortedDict

from searchkit.scale.arrays.keyed import Key
from searchkit.scale.arrays.sorting import added
from searchkit.scale.buckets.manifest import body_of_buckets, buckets_of, repaired_buckets
from searchkit.scale.buckets.tasks import BucketFile, joined, write_buckets
from searchkit.scale.exchange.buckets import FileBuckets, ObjectBuckets
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import Place, layers_of

BITS = 6
"""Buckets in files are divided into 2**BITS parts, which are merged one after the other."""
MOST_HELD = 1 << 20
"""States that are in memory only, before they are written."""
KNOWN = 1 << 22
"""States in memory that new ones are compared with; states of buckets before them are read from files."""
SAVE_SECONDS = 1.0
"""How much work on small buckets may be lost when the process is killed."""


@define
class Waiters:
    """The states of a bucket that is not merged yet."""

    arrays: list[Any] = Factory(list)
    """In memory: sorted arrays."""
    files: list[BucketFile] = Factory(list)
    states: int = 0
    """How many, with those that are in several arrays or files."""


class Buckets:
    """The buckets of a search, in memory and in files.

    Args:
        place: where the files are.
        words: the words of a state.
        undirected: whether each action can be undone.
        exchange: who knows which files with states that wait are not in the directory yet.

    """

    def __init__(self, place: Place, words: int, undirected: bool, exchange: FileBuckets | ObjectBuckets):
        self.place, self.words, self.undirected, self.exchange = place, words, undirected, exchange
        self.layers: list[Layer] = []
        """The buckets that are merged, in the order in which they were."""
        self.keys: list[Key] = []
        """f and g of each."""
        self.successors: list[int] = []
        """The number of successors of each bucket that was expanded."""
        self.waiting: Any = SortedDict()
        """f and g → the states that are not merged yet."""
        self.goal: Any = None
        """The least goal of the last bucket, as in an array of states; None if there is none."""
        self.largest = 1
        """The largest cost of a step so far."""
        self.reached = self.generated = self.peak = 0
        """The states in all buckets, the successors of those that were expanded, the states of the largest bucket."""
        self.known: dict[int, list[Any]] = {}
        """h → the states of the buckets from `_covered` on, in sorted arrays, each at most half as long as the last."""
        self._covered = self._number_known = self._held = self._written = 0
        self.handed = 0
        """The first so many buckets come from a search in memory: see `searchkit.scale.handover.buckets`."""
        self.to_expand = 0
        """So many buckets have to be expanded again, because files with their successors were lost."""
        self._parts: dict[Key, int] = {}
        """The states of a bucket that a search in memory has expanded, if others of that bucket may wait."""
        self._of: dict[int, list[int]] = {}
        """h → the numbers of its buckets."""
        self._saved = perf_counter()

    def read(self, repair: bool) -> None:
        """Go on where the directory ends. Raises `DirectoryError`.

        With `repair`, what is damaged is left out; then all buckets that were expanded are `to_expand` again, or there
        are no buckets.
        """
        folder, body = self.place.directory.path, self.place.body
        kept = repaired_buckets(body, folder) if repair else None
        if kept is not None:
            body = kept
            if not body:
                self.place.commit(body)
                self.place.clean(())
                return
        self.layers[:], self.successors[:], goal = layers_of(body, folder)
        self.to_expand = 0 if kept is None else len(self.successors)
        if goal is not None:
            self.goal = np.array(goal, np.uint64).reshape(() if self.words == 1 else (self.words,))
        self.keys[:], self.largest, self._written, waiting, self.handed = buckets_of(
            body, folder, self.layers
        )
        for number, (f, g) in enumerate(self.keys):
            self._of.setdefault(f - g, []).append(number)
        self.reached = sum(layer.states for layer in self.layers)
        sizes: Counter[Key] = Counter()
        for key, layer in zip(self.keys, self.layers, strict=True):
            sizes[key] += layer.states
        self.peak = max(sizes.values(), default=0)
        self._parts = {key: sizes[key] for key in self.keys[: self.handed] if key >= self.merged}
        self.generated, self._covered = sum(self.successors), len(self.layers)
        for file in waiting:
            for key, states in zip(file.keys, file.states, strict=True):
                self.add({key: Waiters([], [file], states)})
        if not self.to_expand:
            self._clean()

    def add(self, found: Mapping[Key, Waiters]) -> None:
        """Let states wait for the merge of their buckets, unless these are merged."""
        merged = self.merged
        for key, more in found.items():
            if key <= merged:
                continue
            waiters = self.waiting.setdefault(key, Waiters())
            waiters.arrays += more.arrays
            waiters.files += more.files
            waiters.states += more.states
            self._held += sum(map(len, more.arrays))

    @property
    def merged(self) -> Key:
        """No states wait for the buckets up to this one. Of the last f of a search in memory, all may have some."""
        if len(self.keys) > self.handed:
            return self.keys[-1]
        return (self.keys[-1][0], -1) if self.keys else (-1, -1)

    def leave(self, found: Mapping[Key, Waiters], successors: int) -> None:
        """Note that the last bucket was expanded into others."""
        self.add(found)
        self.successors.append(successors)
        self.generated += successors
        self.largest = max([self.largest, *(g - self.keys[-1][1] for _, g in found)])

    def enter(self, key: Key, layer: Layer, goal: Any) -> None:
        """Replace the states that wait by the bucket that they were merged into; it may be empty."""
        h = key[0] - key[1]
        known = self.known.get(h, [])
        if layer.states and layer.keys is not None:
            known = added(known, layer.keys)
        self._held -= sum(map(len, self.waiting.pop(key).arrays))
        if not layer.states:
            return
        self._of.setdefault(h, []).append(layer.depth)
        self.layers.append(layer)
        self.keys.append(key)
        self.goal = goal
        self.reached += layer.states
        self.peak = max(self.peak, layer.states + self._parts.get(key, 0))
        if layer.keys is None:
            self.forget()
        else:
            self._held += layer.states
            self._number_known += layer.states
            self.known[h] = known
            if self._number_known > KNOWN:
                self.write()
                self.forget()

    def forget(self) -> None:
        """Compare with files from now on: all buckets are in files."""
        self.known.clear()
        self._covered, self._number_known = len(self.layers), 0

    def earlier(self, key: Key) -> list[Layer]:
        """Return the buckets that are not `known` and may have states of a bucket.

        They have the same h. If each action can be undone, the neighbour from which a state is reached again is no
        further than a step from it, so that it comes back within two steps.
        """
        f, g = key
        far = 2 * self.largest if self.undirected else inf
        numbers = self._of.get(f - g, ())
        return [self.layers[n] for n in numbers if n < self._covered and g - self.keys[n][1] <= far]

    def states(self, number: int) -> Any:
        """Return all states of a bucket, sorted, and keep them."""
        layer = self.layers[number]
        if layer.keys is None:
            with self.place.reader() as reader:
                layer = self.layers[number] = evolve(layer, keys=reader.whole(layer))
        return layer.keys

    @property
    def is_due(self) -> bool:
        """Whether what is in memory should be written now."""
        due = self.place.lasting and perf_counter() - self._saved >= SAVE_SECONDS
        return due or self._held > MOST_HELD

    @property
    def waiting_files(self) -> dict[str, BucketFile]:
        """The files with states that wait, by their names."""
        return {file.name: file for one in self.waiting.values() for file in one.files}

    def write(self, everything: bool = False) -> None:
        """Write what is in memory only, and then the manifest.

        Files with states that wait and that only a cluster has are fetched if `everything` is written. Else the
        manifest is not written as long as there are such files, and the files that it names are kept.
        """
        self.place.write_small(self.layers)
        self._write_waiting()
        away = self.exchange.away(self.waiting_files) if self.place.lasting else ()
        if everything:
            self.exchange.bring(sorted(away))
        if everything or not away:
            self.place.commit(self.body())
            self._clean()
        for number in range(len(self.layers) - 1):
            if self.layers[number].keys is not None:
                self.layers[number] = evolve(self.layers[number], keys=None)
        self._held, self._saved = 0, perf_counter()

    def body(self) -> dict[str, Any]:
        """Return what the manifest says now; nothing is in memory only."""
        goal = None if self.goal is None else np.atleast_1d(self.goal).tolist()
        waiting = self.waiting_files.values()
        return body_of_buckets(
            self.layers,
            self.successors,
            goal,
            self.keys,
            self.largest,
            self._written,
            waiting,
            self.handed,
        )

    def expanded_again(self, number: int, found: Mapping[Key, Waiters]) -> None:
        """Let the successors of a bucket wait again; after those of the last one, write the manifest."""
        self.add(found)
        self.layers[number] = evolve(self.layers[number], keys=None)
        if self._held > MOST_HELD:
            self._write_waiting()
            self._held = 0
        if number + 1 == self.to_expand:
            self.to_expand = 0
            self.write(everything=True)

    def _write_waiting(self) -> None:
        """Write the states that wait and are in memory only into a file."""
        arrays = {key: joined(one.arrays, self.words) for key, one in self.waiting.items() if one.arrays}
        if arrays:
            directory, name = self.place.directory, f"buckets-{self._written + 1:09d}.run"
            with directory.writing("written"):
                file = write_buckets(directory.path, name, arrays, BITS, self.words, directory.durable)
            self._written += 1
            for key in arrays:
                self.waiting[key].arrays.clear()
                self.waiting[key].files.append(file)

    def _clean(self) -> None:
        """Delete the files that nothing needs."""
        wanted = {file.name for layer in (*self.layers, *self.place.beside) for file in layer.files}
        wanted |= self.waiting_files.keys()
        self.place.directory.clean(wanted)
