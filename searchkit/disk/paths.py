"""What a search on disk shows of its buckets: the states, their costs, and paths to them.

No parents are stored. They are found again by expanding states of the buckets before: if each action can be undone,
only those that the state leads to.
"""

from bisect import bisect_left
from collections.abc import Generator, Iterator
from functools import lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.compiled.kit.graph import as_number, as_words
from searchkit.disk.files import Run
from searchkit.disk.kernels import Expander, Key, without
from searchkit.disk.tasks import Bucket, states_in
from searchkit.errors import InvalidProblemError, quoted
from searchkit.problem import has_cost
from searchkit.tree import Arrival


class BucketArrivals(dict[Any, Arrival[Any, Any]]):
    """The arrivals at the states on the path to the goal, once that is known; its length is that of all merged buckets.

    Args:
        expander: the graph.
        folder: where the files are.

    """

    def __init__(self, expander: Expander, folder: Path):
        super().__init__()
        self.problem, self.expander, self.view = expander.problem, expander, expander.view
        self.buckets: list[Bucket] = []
        """They are in the order of their keys."""
        self._run = lru_cache(maxsize=8)(partial(Run, folder, words=self.view.words))
        """Opens a file: many small buckets are in one."""
        self.largest = 1
        """The largest cost of an action so far."""
        self._states = 0

    def __len__(self) -> int:
        return self._states

    def add(self, bucket: Bucket) -> None:
        """Add the next bucket."""
        self.buckets.append(bucket)
        self._states += bucket.states

    def state(self, packed: Any) -> Any:
        """Return the state of a number or of an element of an array of states."""
        return self.view.unpack(as_number(packed))

    def states_of(self, bucket: Bucket) -> Iterator[Any]:
        """Yield the states of a bucket, in arrays, sorted if it is merged."""
        f, g = bucket.key
        yield from bucket.arrays
        yield from states_in(map(self._run, bucket.files), f - g, range(g, g + 1))

    def _place_of(self, key: tuple[float, float]) -> int:
        """Return how many buckets come before a key."""
        return bisect_left(self.buckets, key, key=attrgetter("key"))

    def find_path(self, number: int, packed: int) -> Generator[Any, None, Any]:
        """Yield None while a path to the goal, a state of a bucket, is looked for; return the goal."""
        way = [(number, packed)]
        while self.buckets[way[-1][0]].key[1]:
            way.append((yield from self._parent(*way[-1])))
        state, g = self.state(way.pop()[1]), 0
        self[state] = 0, None, None
        for number, packed in reversed(way):
            before, state, cost = state, self.state(packed), self.buckets[number].key[1]
            self[state] = cost, before, self._action_at(before, state, cost - g)
            g = cost
        return state

    def _parent(self, number: int, child: int) -> Generator[Any, None, tuple[int, int]]:
        """Yield None while a parent of a state of a bucket is looked for; return the number of its bucket, and it.

        The states of earlier buckets are expanded again; if actions can be undone, only successors of the child.
        """
        words, to, near = self.view.words, self.buckets[number].key, list[Any]()
        state, least_g = as_words(child, words), to[1] - self.largest
        if self.view.undirected:
            near = sorted({successor for successor, _ in self.expander.successors(child)})
            near = [np.array([as_words(packed, words) for packed in near], np.uint64)]
        first = self._place_of((least_g, least_g))
        while number > first:
            number -= 1
            key = f, g = self.buckets[number].key
            if not least_g <= g < to[1]:  # others with this f are skipped, too
                number = self._place_of((f, to[1] if g >= to[1] else 0))
                continue
            for states in self.states_of(self.buckets[number]):
                for others in near:
                    states = without(others.copy(), [without(others.copy(), [states])])
                has_parent = yield from self._leads(states, key, state, to)
                while has_parent and len(states) > 1:
                    half = len(states) // 2
                    is_first = yield from self._leads(states[:half], key, state, to)
                    states = states[:half] if is_first else states[half:]
                if has_parent:
                    return number, as_number(states[0])
        raise InvalidProblemError(
            f"no state that was expanded leads to {quoted(self.state(child))} at the cost {to[1]}: successors have to "
            "return the same for a state each time, and a problem that is declared undirected has to lead back"
        )

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
