"""What a search on disk shows of its buckets: the states, their costs, and paths to them.

No parents are stored. Those of a state are found again: if each action can be undone, among its successors, and
otherwise by expanding the buckets before.
"""

from bisect import bisect_left
from collections.abc import Generator, Iterator, Mapping
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.compiled.kit.graph import Probe
from searchkit.compiled.kit.state import as_number, as_words
from searchkit.disk.files import Run
from searchkit.disk.kernels import Expander, divided, holds
from searchkit.disk.tasks import Bucket, group_of
from searchkit.errors import InvalidProblemError
from searchkit.problem import has_cost
from searchkit.tree import Arrival, Trail


class BucketArrivals(Mapping[Any, Arrival[Any, Any]]):
    """The states of all buckets that are merged; the cost of an arrival is the g of its bucket.

    Args:
        expander: the graph.
        folder: returns where the files are.
        buckets: the buckets, which grow.

    """

    def __init__(self, expander: Expander, folder: Any, buckets: list[Bucket]):
        self.problem, self.expander, self.view = expander.problem, expander, expander.view
        self._folder, self.buckets = folder, buckets
        self._probe = Probe(expander.view)
        self._paths: dict[Any, Trail] = {}

    def state(self, packed: Any) -> Any:
        """Return the state of a number or of an element of an array of states."""
        return self.view.unpack(as_number(packed))

    def __len__(self) -> int:
        return sum(bucket.states for bucket in self.buckets)

    def __iter__(self) -> Iterator[Any]:
        for bucket in list(self.buckets):
            for states in segments_of(self._folder(), bucket, self.view.words):
                yield from map(self.state, states)

    def costs_so_far(self) -> dict[Any, int]:
        """Return state → cost so far, of all states that were reached."""
        return {
            self.state(packed): bucket.key[1]
            for bucket in list(self.buckets)
            for states in segments_of(self._folder(), bucket, self.view.words)
            for packed in states
        }

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        number, packed = self._find(state)
        g = self.buckets[number].key[1]
        if not g:
            return 0, None, None
        before, found = all_of(self._parent(number, packed))
        parent = self.state(found)
        return g, parent, self._action_at(parent, state, g - self.buckets[before].key[1])

    def _find(self, state: Any) -> tuple[int, int]:
        """Return the number of the bucket of a state, and the packed state. Raises `KeyError`."""
        try:
            packed = self.view.pack(state)
            words = as_words(packed, self.view.words)
            size = self.expander.size
            if size is not None and not (0 <= packed < size and self.view.unpack(packed) == state):
                raise KeyError(state)
        except (TypeError, ValueError, IndexError, OverflowError, AttributeError):
            raise KeyError(state) from None
        h = self._h(packed)
        for number, bucket in enumerate(self.buckets):
            f, g = bucket.key
            if f - g == h and self._holds(bucket, words):
                return number, packed
        raise KeyError(state)

    def _h(self, packed: int) -> float:
        return self._probe.heuristic(packed) if self.expander.guided else 0.0

    def _holds(self, bucket: Bucket, state: Any) -> bool:
        """Whether a state, as in an array, is in a bucket."""
        if bucket.array is not None:
            return holds(bucket.array, state)
        parts = divided(np.array([state], np.uint64), bucket.bits)
        (part,) = (number for number, states in enumerate(parts) if len(states))
        with Run(self._folder(), bucket.files[part // group_of(bucket.bits)], self.view.words) as run:
            segments = run.segments(bucket.key, part, part + 1)
            return any(holds(run.states([segment]), state) for segment in segments)

    def path_to(self, state: Any) -> Trail:
        """Return a path to a state. Raises `KeyError` if it was not reached."""
        if state not in self._paths:
            number, packed = self._find(state)
            self._paths[state] = all_of(self.path(number, packed))
        return self._paths[state]

    def path(self, number: int, packed: int) -> Generator[Any, None, Trail]:
        """Yield None while a path to a state of a bucket is looked for, and return the path."""
        numbers, found = [number], [packed]
        while self.buckets[numbers[-1]].key[1]:
            before, parent = yield from self._parent(numbers[-1], found[-1])
            numbers.append(before)
            found.append(parent)
        states = tuple(map(self.state, reversed(found)))
        costs = [self.buckets[one].key[1] for one in reversed(numbers)]
        actions = tuple(
            self._action_at(parent, state, g - before)
            for (parent, state), (before, g) in zip(pairwise(states), pairwise(costs), strict=True)
        )
        trail = self._paths[states[-1]] = Trail(states, actions)
        return trail

    def _parent(self, number: int, child: int) -> Generator[Any, None, tuple[int, int]]:
        """Yield None while a parent of a state of a bucket is looked for; return the number of its bucket, and it."""
        g = self.buckets[number].key[1]
        undirected = self.view.undirected
        found = (
            self._among_neighbours(child, g) if undirected else (yield from self._before(number, child, g))
        )
        if found is None:
            raise InvalidProblemError(
                f"no state that was expanded leads to {self.state(child)!r} at the cost {g}: successors have to return "
                "the same for a state each time"
                + (", and a problem that is declared undirected has to lead back" if undirected else "")
            )
        return found

    def _among_neighbours(self, child: int, g: int) -> tuple[int, int] | None:
        """Return the parent among the successors of a state: the first bucket that has one, and the least state."""
        found: list[tuple[int, int]] = []
        for candidate, _ in set(self._probe.successors(child)):
            words, h = as_words(candidate, self.view.words), self._h(candidate)
            for successor, cost in self._probe.successors(candidate):
                before = g - (1 if self.expander.unit else cost)
                key: Any = (before, before) if self.expander.unit else (before + h, before)
                number = bisect_left(self.buckets, key, key=attrgetter("key"))
                known = successor == child and number < len(self.buckets) and self.buckets[number].key == key
                if known and self._holds(self.buckets[number], words):
                    found.append((number, candidate))
        return min(found, default=None)

    def _before(self, number: int, child: int, g: int) -> Generator[Any, None, tuple[int, int] | None]:
        """Yield None while the buckets before are expanded again; return the parent that is found first."""
        state = as_words(child, self.view.words)
        for before in range(number - 1, -1, -1):
            bucket = self.buckets[before]
            cost = g - bucket.key[1]
            if cost < 1 or (self.expander.unit and cost > 1):
                continue
            for states in segments_of(self._folder(), bucket, self.view.words):
                for parent in self.expander.parent_in(states, state, cost):
                    if parent is not None:
                        return before, as_number(parent)
                    yield None
        return None

    def _action_at(self, parent: Any, state: Any, cost: float) -> Any:
        exact = has_cost(self.problem) and not self.expander.unit
        for action, successor in self.problem.successors(parent):
            if successor == state and (not exact or self.problem.cost(parent, action, state) == cost):
                return action
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has {state!r} as a successor of {parent!r} at the "
            f"cost {cost}, and the problem itself has not"
        )


def all_of(steps: Generator[object, None, Any]) -> Any:
    """Do all steps of some work; return what the generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def segments_of(folder: Path, bucket: Bucket, words: int) -> Iterator[Any]:
    """Yield the states of a bucket, in sorted arrays."""
    if bucket.array is not None:
        yield bucket.array
        return
    for file in bucket.files:
        with Run(folder, file, words) as run:
            for segment in run.segments(bucket.key):
                yield run.states([segment])
