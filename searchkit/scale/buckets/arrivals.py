"""What a search on disk shows of its buckets: the states reached, their costs, and paths to them."""

from collections.abc import Generator, Iterable, Iterator
from typing import Any

import numpy as np

from searchkit.compiled.kit.arrays import finished
from searchkit.compiled.kit.state import state_array
from searchkit.errors import InvalidProblemError
from searchkit.problem import SearchProblem, has_cost
from searchkit.scale.arrays.keyed import KeyedExpander
from searchkit.scale.buckets.store import Buckets
from searchkit.scale.buckets.tasks import find_parent_at
from searchkit.scale.external.arrivals import LayerArrivals, holds
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import least
from searchkit.tree import Arrival, Trail

Parent = Generator[None, None, tuple[int, Any]]
"""Returns the number of the bucket of a parent, and the parent."""


class BucketArrivals(LayerArrivals):
    """The states of all buckets that are merged; the cost of an arrival is the g of its bucket.

    Args:
        problem: the problem.
        keyed: its graph and heuristic.
        place: where the files are.
        buckets: the buckets, which grow.
        guided: whether the heuristic is used.

    """

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        keyed: KeyedExpander,
        place: Place,
        buckets: Buckets,
        guided: bool,
    ):
        super().__init__(problem, keyed.expander, place, buckets.layers)
        self.keyed, self.buckets, self.keys_of, self.guided = keyed, buckets, buckets.keys, guided

    def __len__(self) -> int:
        return self.buckets.reached

    def depth(self, state: Any) -> int:
        """Return the number of the bucket of a state. Raises `KeyError` if it was not reached."""
        packed = self.packed(state)
        (h,) = self.keyed.heuristics(np.array([packed], np.uint64))
        with self.reader() as reader:
            for layer, (f, g) in zip(self.layers, self.keys_of, strict=False):
                if f - g == h and holds(reader, layer, packed):
                    return layer.depth
        raise KeyError(state)

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        number = self.depth(state)
        g = self.keys_of[number][1]
        if not g:
            return 0, None, None
        before, packed = finished(self.parent_of(number, self.packed(state)))
        parent = self.state(packed)
        return g, parent, self._action_at(parent, state, g - self.keys_of[before][1])

    def cost_of(self, layer: Layer) -> int:
        """Return the g of a bucket."""
        return self.keys_of[layer.depth][1]

    def f_of(self, layer: Layer) -> int:
        """Return the f of a bucket."""
        return self.keys_of[layer.depth][0]

    def path(self, depth: int, packed: Any) -> Generator[None, None, Trail]:
        """Return the path to a state in the bucket of this number, and keep it; in pieces."""
        number, found, costs = depth, [packed], []
        while self.keys_of[number][1]:
            before, parent = yield from self.parent_of(number, found[-1])
            costs.append(self.keys_of[number][1] - self.keys_of[before][1])
            found.append(parent)
            number = before
        states = tuple(map(self.state, reversed(found)))
        actions = tuple(map(self._action_at, states, states[1:], reversed(costs)))
        trail = self._paths[states[-1]] = Trail(states, actions)
        return trail

    def parent_of(self, number: int, child: Any) -> Parent:
        """Return a parent of a state of a bucket: in the last bucket that has one, the least state; in pieces."""
        _, g = self.keys_of[number]
        for before in range(number - 1, -1, -1):
            _, earlier_g = self.keys_of[before]
            if not g - self.buckets.largest <= earlier_g < g:
                continue
            parent = yield from self._parent_in(self.layers[before], child, g - earlier_g)
            if parent is not None:
                return before, parent
        raise InvalidProblemError(
            f"no state that was expanded leads to {self.state(child)!r} at the cost {g}: successors have to return the "
            "same for a state each time"
            + (", and a problem that is declared undirected has to lead back" if self.view.undirected else "")
        )

    def _parent_in(self, layer: Layer, child: Any, cost: int) -> Generator[None, None, Any]:
        found = None
        if layer.keys is not None:
            place = self.keyed.first_parent(layer.keys, child, cost)
            return None if place is None else layer.keys[place]
        if self.view.undirected:
            yield
            with self.reader() as reader:
                for candidate in self._neighbours(child):
                    leads = self.keyed.first_parent(np.array([candidate], np.uint64), child, cost) is not None
                    if leads and holds(reader, layer, candidate):
                        found = least(found, candidate.copy())
            return found
        calls: list[Any] = [
            (find_parent_at, self.place.job, self.guided, layer, file, child, cost) for file in layer.files
        ]
        if self.place.stopped or not self.place.shares_files:
            return _least(task(*arguments) for task, *arguments in calls)
        steps = self.place.run(calls)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return _least(end.value)
            yield

    def _neighbours(self, state: Any) -> Iterator[Any]:
        out = state_array(max(1, self.expander.branching), self.view.words)
        count, _ = self.expander.successors(np.array([state], np.uint64), out)
        yield from out[:count]

    def _action_at(self, parent: Any, state: Any, cost: int) -> Any:
        costs = has_cost(self.problem)
        for action, successor in self.problem.successors(parent):
            if successor == state and (not costs or self.problem.cost(parent, action, state) == cost):
                return action
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has {state!r} as a successor of {parent!r} at the "
            f"cost {cost}, and the problem itself has not"
        )


def _least(states: Iterable[Any]) -> Any:
    found = None
    for state in states:
        found = least(found, state)
    return found
