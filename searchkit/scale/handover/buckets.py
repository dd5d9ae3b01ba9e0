"""Writing the states of a search in memory as the buckets of a search on disk, which then goes on from them.

Closed states become buckets that were expanded, and open ones states that wait. At the last f that was expanded, closed
and open states may have the same g: these buckets then stand twice in the directory, first with the closed states and
later, when the others are merged, with these. So no state is expanded twice.
"""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from attrs import evolve

from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import largest_cost
from searchkit.compiled.kit.store import CLOSED, NOBODY, SEEN
from searchkit.compiled.view import Functions
from searchkit.kernels.astar import AStar, Dijkstra
from searchkit.kernels.bucket import Bucket
from searchkit.problem import has_cost
from searchkit.scale.arrays.expanding import divided
from searchkit.scale.arrays.keyed import KeyedExpander, in_slots
from searchkit.scale.arrays.sorting import sort
from searchkit.scale.buckets import astar, store
from searchkit.scale.buckets.manifest import body_of_buckets
from searchkit.scale.buckets.tasks import BucketFile, write_buckets
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import Sent, packed_starts
from searchkit.scale.handover.layers import HAS_A_SEARCH, large_layer

PIECE = 1 << 18
"""The nodes that are looked at at a time."""
MOST_AT_ONCE = 1 << 21
"""The states that are sorted at a time."""
MOST_KEYS = 1 << 15
"""The buckets that these may belong to."""
NARROW: Any = np.uint16
"""The type of the numbers of buckets, unless they are too many for it."""


class Kind(NamedTuple):
    """Which states belong together."""

    is_open: bool
    f: float
    g: float


class _RefusedError(Exception):
    """The states can't be handed over; the text says why."""


def write_states(run: Any, engine: str, directory: Path, seconds: float | None) -> str:
    """Write the states of a compiled search into a directory for `external_dijkstra` or `external_astar`.

    Return "", or why they can't be handed over. A directory that holds a search is not changed. Besides what the search
    takes, this takes 2 bytes for each state, 4 if there are more than 65,535 buckets, and about 70 MB for each word of
    a state.

    Args:
        run: the search.
        engine: the name of the engine on disk.
        directory: the directory.
        seconds: how long it may take; None for no limit.

    Raises:
        DirectoryError: the directory can't be used.

    """
    if not isinstance(run, AStar | Dijkstra | Bucket):
        return "what it has found is not kept in the order of its costs"
    end = inf if seconds is None else perf_counter() + seconds
    sent, guided = Sent(run.problem), engine == "external_astar"
    place = Place(
        run.problem, engine, sent, str(directory), "serial", packed_starts(run.problem, sent.expander)
    )
    try:
        if place.body:
            return HAS_A_SEARCH
        _Buckets(run, place, KeyedExpander(sent.expander, guided), end).write()
        return ""
    except _RefusedError as reason:
        place.clean(())
        return str(reason)
    finally:
        place.close()


class _Buckets:
    """The states of a search by their buckets.

    Args:
        run: the search.
        place: where to write them.
        keyed: the graph and the heuristic.
        end: when to give up.

    Raises:
        _RefusedError: a cost is not a whole number ≥ 1, a heuristic value is not whole, or the heuristic is
            inconsistent.

    """

    def __init__(self, run: Any, place: Place, keyed: KeyedExpander, end: float):
        self.run, self.records, self.place, self.keyed, self.end = run, run.records, place, keyed, end
        self.size = self.records.count if self.records.hashed else len(self.records.nodes)
        self.number: Any = np.zeros(self.size, NARROW)
        """Of each node, the number of its kind; 0 for one that is left out."""
        self.kinds: list[Kind] = []
        """From the number 1 on: first the closed ones, each in the order of f and g."""
        self.counts: list[int] = []
        if run.tree.reopened:
            raise _RefusedError("the heuristic is inconsistent")
        self._tell_apart()
        self.largest = self._largest_step()

    def write(self) -> None:
        """Write all states, and then the manifest."""
        place, layers, files, held = self.place, list[Layer](), list[BucketFile](), 0
        keys = [(int(kind.f), int(kind.g)) for kind in self.kinds]
        closed = sum(not kind.is_open for kind in self.kinds)
        if not closed:
            return

        def put_down() -> None:
            place.write_small(layers)
            layers[:] = [evolve(layer, keys=None) for layer in layers]

        for first, last in self._batches(closed):
            self._look_at_the_clock()
            alone = self.counts[first] > MOST_AT_ONCE
            if first >= closed:
                for states in self._large(first) if alone else (self._states(first, last),):
                    files.append(self._waiting(len(files) + 1, keys, states))
                continue
            found: dict[int, Any] = {first: None} if alone else self._states(first, last)
            for number, states in found.items():
                count = self.counts[number]
                small = states is not None and count <= astar.SMALL
                if not small or held > store.MOST_HELD:
                    put_down()
                    held = 0
                if small:
                    layers.append(Layer(number, count, keys=states))
                    held += count
                else:
                    layers.append(self._large_layer(number, states))
        put_down()
        generated = [*[0] * (closed - 1), int(self.run.tree.generated)]  # only their sum is known
        place.commit(
            body_of_buckets(layers, generated, None, keys[:closed], self.largest, len(files), files, closed)
        )

    def _tell_apart(self) -> None:
        """Find the kind of each node."""
        numbers: dict[Kind, int] = {}
        counts = [0]
        for nodes in self._nodes():
            flags = self.records.flags_of(nodes)
            seen = flags & SEEN != 0
            if not seen.all():
                nodes, flags = nodes[seen], flags[seen]
            is_open, g = flags & CLOSED == 0, self.records.costs(nodes)
            f = g
            if (g != np.floor(g)).any():
                raise _RefusedError("a cost is not a whole number")
            if self.run.guided:
                h = self.keyed.values(self._packed(nodes))
                if (h == inf).any():  # starts from which no goal can be reached
                    kept = h < inf
                    nodes, is_open, g, h = nodes[kept], is_open[kept], g[kept], h[kept]
                if (h != np.floor(h)).any():
                    raise _RefusedError("a heuristic value is not a whole number")
                f = g + h
            kinds, places = _kinds(is_open, f, g)
            known = [numbers.setdefault(kind, len(numbers) + 1) for kind in kinds]
            counts += [0] * (len(numbers) + 1 - len(counts))
            for number, count in zip(known, np.bincount(places, minlength=len(known)).tolist(), strict=True):
                counts[number] += count
            if len(numbers) > np.iinfo(self.number.dtype).max:
                self.number = self.number.astype(np.uint32)
            self.number[nodes] = np.array(known, self.number.dtype)[places]
        self.kinds = sorted(numbers)
        self.counts = [counts[numbers[kind]] for kind in self.kinds]
        order = np.zeros(len(self.kinds) + 1, self.number.dtype)
        order[[numbers[kind] for kind in self.kinds]] = range(1, len(self.kinds) + 1)
        for begin in range(0, self.size, PIECE):
            self.number[begin : begin + PIECE] = order[self.number[begin : begin + PIECE]]
        closed = [kind.f for kind in self.kinds if not kind.is_open]
        if closed and any(kind.f < closed[-1] for kind in self.kinds[len(closed) :]):
            raise _RefusedError("the heuristic is inconsistent")

    def _largest_step(self) -> int:
        """Check the step that has led to each state; return how far a state may be from one that leads to it."""
        f = np.array([0, *(kind.f for kind in self.kinds)])
        g = np.array([0, *(kind.g for kind in self.kinds)])
        largest = 1.0
        for nodes in self._nodes():
            parents = self.records.parents(nodes)
            child = (parents != NOBODY) & (self.number[nodes[0] : nodes[-1] + 1] != 0)
            if not child.all():
                nodes, parents = nodes[child], parents[child]
            after, before = self.number[nodes], self.number[parents]
            steps = g[after] - g[before]
            if (steps < 1).any():
                raise _RefusedError("an action costs less than 1")
            if self.run.guided and (f[after] < f[before]).any():
                raise _RefusedError("the heuristic is inconsistent")
            largest = max(largest, float(steps.max(initial=0)))
        view = self.run.view
        if not view.undirected or not has_cost(self.run.problem):
            return int(largest)
        # Which states lead back to those that wait is known only if all costs are.
        far = float(g.max()) if isinstance(view.graph, Functions) else largest_cost(view.graph)
        return int(min(max(largest, far), control.EXACT - 1))

    def _nodes(self) -> Iterator[Any]:
        for begin in range(0, self.size, PIECE):
            self._look_at_the_clock()
            yield np.arange(begin, min(begin + PIECE, self.size))

    def _look_at_the_clock(self) -> None:
        if perf_counter() >= self.end:
            raise _RefusedError("no time was left to hand over what it had found")

    def _packed(self, nodes: Any) -> Any:
        return np.ascontiguousarray(self.records.packed(nodes))

    def _batches(self, closed: int) -> Iterator[tuple[int, int]]:
        """Yield consecutive kinds whose states are sorted together, from one to before another."""
        first, states = 0, 0
        for number, count in enumerate(self.counts):
            full = states + count > MOST_AT_ONCE or number - first == MOST_KEYS
            if number > first and (full or number == closed):
                yield first, number
                first, states = number, 0
            states += count
        if self.counts:
            yield first, len(self.counts)

    def _chosen(self, first: int, last: int) -> Iterator[Any]:
        """Yield the nodes of some kinds, in pieces."""
        for begin in range(0, self.size, PIECE):
            some = self.number[begin : begin + PIECE]
            places = np.flatnonzero((some > first) & (some <= last))
            if len(places):
                yield places + begin

    def _states(self, first: int, last: int) -> dict[int, Any]:
        """Return the sorted states of some kinds."""
        nodes = list(self._chosen(first, last))
        states = np.concatenate([self._packed(some) for some in nodes])
        slots = np.concatenate([(self.number[some] - (first + 1)).astype(np.uint16) for some in nodes])
        found = dict(zip(range(first, last), in_slots(states, slots, last - first), strict=True))
        for some in found.values():
            sort(some)
        return found

    def _large(self, number: int) -> Iterator[dict[int, Any]]:
        """Yield the states of a kind in pieces, which are sorted."""
        pieces, count = list[Any](), 0
        for nodes in self._chosen(number, number + 1):
            pieces.append(self._packed(nodes))
            count += len(nodes)
            if count + PIECE > MOST_AT_ONCE:
                yield {number: _sorted(pieces)}
                pieces, count = [], 0
        if pieces:
            yield {number: _sorted(pieces)}

    def _large_layer(self, number: int, states: Any) -> Layer:
        """Write a bucket as a layer of its own; its states are those of the kind unless they are given."""

        def of_parts(parts: range, bits: int) -> tuple[Any, Any]:
            if states is not None:
                return divided(states, bits)
            pieces = []
            for nodes in self._chosen(number, number + 1):
                some, places = divided(self._packed(nodes), bits)
                pieces.append(some[places[parts.start] : places[parts.stop]].copy())
            return divided(np.concatenate(pieces), bits)

        at_once = self.counts[number] if states is not None else MOST_AT_ONCE
        return large_layer(self.place, number, self.counts[number], store.BITS, at_once, of_parts)

    def _waiting(self, number: int, keys: list[Any], states: dict[int, Any]) -> BucketFile:
        """Write states that wait into a file."""
        directory, words = self.place.directory, self.keyed.words
        found = {keys[kind]: some for kind, some in states.items()}
        with directory.writing("written"):
            return write_buckets(
                directory.path,
                f"buckets-{number:09d}.run",
                found,
                store.BITS,
                words,
                directory.durable,
            )


def _sorted(pieces: list[Any]) -> Any:
    states = np.concatenate(pieces)
    sort(states)
    return states


def _kinds(is_open: Any, f: Any, g: Any) -> tuple[list[Kind], Any]:
    """Return the kinds of some states, and the place in this list of the kind of each."""
    values_of_g, places = _different(g)
    values_of_f, places_of_f = (values_of_g, places) if f is g else _different(f)
    numbers = places if f is g else places_of_f.astype(np.int64) * len(values_of_g) + places
    found, places = _different(2 * numbers + is_open)
    kinds = []
    for number in found.tolist():
        rest, opened = divmod(int(number), 2)
        at_f, at_g = (rest, rest) if f is g else divmod(rest, len(values_of_g))
        kinds.append(Kind(bool(opened), float(values_of_f[at_f]), float(values_of_g[at_g])))
    return kinds, places


def _different(values: Any) -> tuple[Any, Any]:
    """Return the different ones of some whole numbers, in order, and the place of each number among them."""
    if not len(values):
        return values, np.zeros(0, np.int64)
    low, high = values.min(), values.max()
    if high - low >= 4 * PIECE:
        return np.unique(values, return_inverse=True)
    at = (values - low).astype(np.int32)
    found = np.flatnonzero(np.bincount(at))
    places = np.zeros(int(high - low) + 1, np.int32)
    places[found] = np.arange(len(found))
    return found + low, places[at]
