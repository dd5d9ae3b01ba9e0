"""What a search on disk shows of its layers: the states reached, their depths, and paths to them.

No parents are kept: the parent of a state is the least state of the layer before that has it as a successor.
"""

from collections.abc import Collection, Generator, Iterator, Mapping
from typing import Any

import numpy as np

from searchkit.compiled.kit.arrays import finished
from searchkit.compiled.kit.state import as_number, as_words, state_array
from searchkit.errors import InvalidProblemError
from searchkit.problem import SearchProblem
from searchkit.scale.arrays.digests import halves_of
from searchkit.scale.arrays.expanding import Expander, divided
from searchkit.scale.arrays.sorting import place_in
from searchkit.scale.external.layers import Layer, LayerReader
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import find_parent, least
from searchkit.tree import Arrival, Trail


class LayerArrivals(Mapping[Any, Arrival[Any, Any]]):
    """The states of all layers, which a certificate can be made of; the cost of an arrival is its depth.

    Args:
        problem: the problem.
        expander: its graph.
        place: where the files are.
        layers: the list of layers, which grows.

    """

    def __init__(
        self, problem: SearchProblem[Any, Any], expander: Expander, place: Place, layers: list[Layer]
    ):
        self.problem, self.expander, self.view = problem, expander, expander.view
        self.place, self.layers = place, layers
        self.guided = False
        self._paths: dict[Any, Trail] = {}

    def packed(self, state: Any) -> Any:
        """Return a state as in an array of states. Raises `KeyError` for what can't be a state."""
        try:
            number = self.view.pack(state)
            packed = as_words(number, self.view.words)
            size = self.expander.size
            if size is None or (0 <= number < size and self.view.unpack(number) == state):
                return packed
        except (TypeError, ValueError, IndexError, OverflowError, AttributeError):
            pass
        raise KeyError(state)

    def state(self, packed: Any) -> Any:
        """Return the state that an element of an array of states stands for."""
        return self.view.unpack(as_number(packed))

    def reader(self) -> LayerReader:
        """Return a reader of the layers."""
        return self.place.reader()

    def depth(self, state: Any) -> int:
        """Return the depth of a state. Raises `KeyError` if it was not reached. O(layers · log states)."""
        packed = self.packed(state)
        with self.reader() as reader:
            for layer in self.layers:
                if holds(reader, layer, packed):
                    return layer.depth
        raise KeyError(state)

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        depth = self.depth(state)
        if not depth:
            return 0, None, None
        parent = self.state(finished(self.parent(depth, self.packed(state))))
        return depth, parent, self._action(parent, state)

    def __contains__(self, state: object) -> bool:
        try:
            self.depth(state)
        except KeyError:
            return False
        return True

    def __len__(self) -> int:
        return sum(layer.states for layer in self.layers)

    def __iter__(self) -> Iterator[Any]:
        for layer in list(self.layers):
            yield from Waiting(self, layer)

    def costs_so_far(self) -> dict[Any, int]:
        """Return state → cost so far, of all states that were reached."""
        return {state: self.cost_of(layer) for layer in list(self.layers) for state in Waiting(self, layer)}

    def cost_of(self, layer: Layer) -> int:
        """Return the cost of the states of a layer."""
        return layer.depth

    def f_of(self, layer: Layer) -> int:
        """Return the cost of the states of a layer and their heuristic value, if it is used."""
        return layer.depth

    def digested(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield the layers in pieces: f, cost, the number of states, and the two halves of the digest of these."""
        with self.reader() as reader:
            for layer in list(self.layers):
                for states in reader.pieces(layer):
                    yield self.f_of(layer), self.cost_of(layer), len(states), *halves_of(states)

    def path_to(self, state: Any) -> Trail:
        """Return a path to a state, made by expanding the layers before it again. Raises `KeyError`."""
        if state not in self._paths:
            depth = self.depth(state)
            return finished(self.path(depth, self.packed(state)))  # type: ignore[no-any-return]  # what it returns
        return self._paths[state]

    def path(self, depth: int, packed: Any) -> Generator[None, None, Trail]:
        """Return the path to a state at a depth, and keep it; in pieces, with the help of the workers."""
        found = [packed]
        for before in range(depth, 0, -1):
            found.append((yield from self.parent(before, found[-1])))
        states = tuple(map(self.state, reversed(found)))
        actions = tuple(map(self._action, states, states[1:]))
        trail = self._paths[states[-1]] = Trail(states, actions)
        return trail

    def parent(self, depth: int, child: Any) -> Generator[None, None, Any]:
        """Return the least state of the layer before a depth that has `child` as a successor; in pieces."""
        layer = self.layers[depth - 1]
        found = None
        if layer.keys is not None:
            place = self.expander.first_parent(layer.keys, child)
            found = None if place is None else layer.keys[place]
        elif self.view.undirected:
            out = state_array(self.expander.branching, self.view.words)
            count, _ = self.expander.successors(np.array([child], np.uint64), out)
            with self.reader() as reader:
                for candidate in out[:count]:
                    if holds(reader, layer, candidate):
                        found = least(found, candidate.copy())
        else:
            for others in (yield from self._of_files(layer, child)):
                found = least(found, others)
        if found is None:
            raise InvalidProblemError(
                f"no state of layer {depth - 1} leads to {self.state(child)!r} in layer {depth}: successors have to "
                "return the same for a state each time"
                + (
                    ", and a problem that is declared undirected has to lead back"
                    if self.view.undirected
                    else ""
                )
            )
        return found

    def _of_files(self, layer: Layer, child: Any) -> Generator[None, None, list[Any]]:
        calls: list[Any] = [(find_parent, self.place.job, layer, file, child) for file in layer.files]
        if self.place.stopped or not self.place.shares_files:
            found = []
            for task, *arguments in calls:
                found.append(task(*arguments))
                yield
            return found
        steps = self.place.run(calls)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return list(end.value)
            yield

    def _action(self, parent: Any, state: Any) -> Any:
        for action, successor in self.problem.successors(parent):
            if successor == state:
                return action
        raise InvalidProblemError(
            f"the compiled view of {type(self.problem).__name__} has {state!r} as a successor of {parent!r}, and the "
            "problem itself has not"
        )


class Waiting(Collection[Any]):
    """The states of a layer: the frontier."""

    def __init__(self, arrivals: LayerArrivals, layer: Layer):
        self._arrivals, self._layer = arrivals, layer

    def __contains__(self, state: object) -> bool:
        try:
            packed = self._arrivals.packed(state)
        except KeyError:
            return False
        with self._arrivals.reader() as reader:
            return holds(reader, self._layer, packed)

    def __iter__(self) -> Iterator[Any]:
        with self._arrivals.reader() as reader:
            for states in reader.pieces(self._layer):
                yield from map(self._arrivals.state, states)

    def __len__(self) -> int:
        return self._layer.states


def holds(reader: LayerReader, layer: Layer, state: Any) -> bool:
    """Whether a state is in a layer."""
    if layer.keys is not None:
        return place_in(layer.keys, state) is not None
    if not layer.bits:
        return any(place_in(states, state) is not None for states in reader.pieces(layer))
    one = np.array([state], np.uint64)
    part = int(np.flatnonzero(np.diff(divided(one, layer.bits)[1]))[0])
    return any(place_in(states, state) is not None for states in reader.part(layer, part, layer.bits))
