"""What a search on disk shows of its buckets: the states, their costs, and paths to them.

No parents are stored. Those of a state are found again: if each action can be undone, among its successors, and
otherwise by expanding the buckets before.
"""

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.compiled.kit.state import as_number, as_words
from searchkit.disk.files import Run
from searchkit.disk.kernels import Expander, Key, divided, holds
from searchkit.disk.tasks import BITS, Bucket, states_in
from searchkit.errors import InvalidProblemError, quoted
from searchkit.problem import has_cost
from searchkit.tree import Trail


class BucketArrivals:
    """The states of all buckets that are merged: how many they are, and the path to the goal, once it is looked for.

    Args:
        expander: the graph.
        folder: where the files are.
        buckets: the buckets, which grow.

    """

    def __init__(self, expander: Expander, folder: Path, buckets: Sequence[Bucket]):
        self.problem, self.expander, self.view = expander.problem, expander, expander.view
        self._folder, self.buckets = folder, buckets
        self._found: dict[Any, Trail] = {}

    def __len__(self) -> int:
        return sum(bucket.states for bucket in self.buckets)

    def __contains__(self, state: object) -> bool:
        """Whether it is the goal, so that there is a path to it."""
        return state in self._found

    def path_to(self, state: Any) -> Trail:
        """Return the path to the goal. Raises `KeyError` for other states."""
        return self._found[state]

    def state(self, packed: Any) -> Any:
        """Return the state of a number or of an element of an array of states."""
        return self.view.unpack(as_number(packed))

    def states_of(self, bucket: Bucket, part: int | None = None) -> Iterator[Any]:
        """Yield the states of a bucket, in arrays, sorted if it is merged; those of one part at least, or all."""
        (f, g), words = bucket.key, self.view.words
        runs = (Run(self._folder, file, words) for file in bucket.files)
        yield from bucket.arrays
        yield from states_in(runs, f - g, range(g, g + 1), part)

    def _number_of(self, packed: int, g: float) -> int | None:
        """Return the number of the bucket of this g, if it has a state; None if it has not."""
        h, state = self.expander.h(packed), as_words(packed, self.view.words)
        # The buckets are in the order of their keys.
        number = bisect_left(self.buckets, (h + g, g), key=attrgetter("key"))
        if number == len(self.buckets) or self.buckets[number].key != (h + g, g):
            return None
        (part,) = (one for one, some in enumerate(divided(np.array([state]), BITS)) if len(some))
        found = any(holds(states, state) for states in self.states_of(self.buckets[number], part))
        return number if found else None

    def path(self, number: int, packed: int) -> Generator[Any, None, Trail]:
        """Yield None while a path to the goal, a state of a bucket, is looked for, and return the path."""
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
        trail = self._found[states[-1]] = Trail(states, actions)
        return trail

    def _parent(self, number: int, child: int) -> Generator[Any, None, tuple[int, int]]:
        """Yield None while a parent of a state of a bucket is looked for; return the number of its bucket, and it."""
        g, found = self.buckets[number].key[1], list[tuple[int, int]]()
        if self.view.undirected:
            for candidate, _ in set(self.expander.successors(child)):
                for successor, cost in self.expander.successors(candidate):
                    if successor == child:
                        before = self._number_of(candidate, g - (1 if self.expander.unit else cost))
                        found += [] if before is None else [(before, candidate)]
        else:
            found = yield from self._before(number, child)
        if not found:
            raise InvalidProblemError(
                f"no state that was expanded leads to {quoted(self.state(child))} at the cost {g}: successors have to "
                "return the same for a state each time, and a problem that is declared undirected has to lead back"
            )
        return min(found)

    def _before(self, number: int, child: int) -> Generator[Any, None, list[tuple[int, int]]]:
        """Yield None while the buckets before are expanded again; return the parent that is found first."""
        state, to = as_words(child, self.view.words), self.buckets[number].key
        for before in range(number - 1, -1, -1):
            key = self.buckets[before].key
            if key[1] >= to[1] or (self.expander.unit and key[1] < to[1] - 1):
                continue
            for states in self.states_of(self.buckets[before]):
                has_parent = yield from self._leads(states, key, state, to)
                while has_parent and len(states) > 1:
                    half = len(states) // 2
                    is_first = yield from self._leads(states[:half], key, state, to)
                    states = states[:half] if is_first else states[half:]
                if has_parent:
                    return [(before, as_number(states[0]))]
        return []

    def _leads(self, states: Any, key: Key, child: Any, to: Key) -> Generator[None, None, bool]:
        """Yield None while some states of a bucket are expanded; return whether one leads to this state there."""
        for _, found in self.expander.pieces(states, key):
            yield None
            if any((some.reshape(len(some), -1) == child).all(axis=1).any() for some in found.get(to, ())):
                return True
        return False

    def _action_at(self, parent: Any, state: Any, cost: float) -> Any:
        exact = has_cost(self.problem) and not self.expander.unit
        for action, successor in self.problem.successors(parent):
            if successor == state and (not exact or self.problem.cost(parent, action, state) == cost):
                return action
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has {quoted(state)} as a successor of "
            f"{quoted(parent)} at the cost {cost}, and the problem itself has not"
        )
