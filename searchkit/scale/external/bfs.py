"""Breadth-first search on disk, as `searchkit.engines.layered.external_bfs`, over packed states."""

from collections.abc import Generator, Mapping
from functools import reduce
from itertools import takewhile
from time import perf_counter
from typing import Any
from weakref import finalize

import numpy as np
from attrs import evolve

from searchkit.compiled.kit import Fields, control
from searchkit.compiled.kit.run import KernelRun
from searchkit.errors import DirectoryError
from searchkit.problem import SearchProblem
from searchkit.scale.arrays.sorting import added, sorted_unique, without
from searchkit.scale.exchange.files import FileExchange
from searchkit.scale.exchange.objects import exchange_of
from searchkit.scale.external.arrivals import LayerArrivals, Waiting
from searchkit.scale.external.forecast import Pace
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import Place, body_of, layers_of, repaired, with_way_on
from searchkit.scale.external.tasks import Sent, least, packed_starts, successor_pieces
from searchkit.scale.saved.on_disk import gone_on, restore_files, saved_files, stands_where_saved
from searchkit.tree import SearchTree

SMALL = 200_000
"""A layer of so many states is expanded in memory, without tasks."""
KNOWN = 1 << 21
"""How many states in memory a small layer is compared with, unless the problem is undirected."""
MOST_HELD = 1 << 20
"""States that are in memory only, before they are written."""
SAVE_SECONDS = 0.25
"""How much work on small layers may be lost when the process is killed."""
LEAST_BITS, LEAST_PART, LARGEST_PART = 6, 1 << 12, 1 << 19
"""A layer is divided into at least 2**LEAST_BITS parts, so that about LARGEST_PART words are merged at a time, or fewer
if memory is scarce. More parts take longer to divide than is won when smaller ones are sorted."""
PART_BYTES = 64
"""The memory for each word that is merged: itself, the spare array of a sort, earlier layers, and what is written."""
LEAST_CHUNK, LARGEST_CHUNK = 1 << 16, 1 << 20
"""The states that a task expands."""
QUICK = 1 << 20
"""Paths are found at once as long as fewer states were reached."""
Steps = Generator[bool, None, None]
"""Yields True if the search stands before a layer or between two tasks, and has no expansions left."""
Round = Generator[bool, None, tuple[Layer, int]]
"""Returns the next layer and the number of successors of the one before."""


class ExternalBreadthFirst(KernelRun):
    """`external_bfs`, compiled: rounds of tasks over files; small layers are expanded in memory.

    Args:
        problem: the problem, which has a compiled view.
        tree: the tree of the search; empty. If the directory has a search that was begun, it goes on.
        directory: where the files are; "" for a temporary directory, which is made when it is needed and deleted with
            the search.
        workers: who runs the tasks: see `searchkit.scale.workers.open_workers`.
        memory: how many MB (10⁶ bytes) the tasks that run at once may take.
        repair: whether the search goes on from the last layer before a damaged or missing file of the directory.
        exchange: how states go from task to task: "files" in the directory, or "objects" in the memory of a cluster.

    Raises:
        InvalidOptionError: the workers keep no objects.
        DirectoryError: the directory can't be used.

    """

    own_pace = True

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        tree: SearchTree[Any, Any],
        directory: str = "",
        workers: str = "serial",
        memory: float = 256.0,
        repair: bool = False,
        exchange: str = "files",
    ):
        self.problem, self.tree, self.memory = problem, tree, memory
        sent = Sent(problem)
        self.expander, self.view = sent.expander, sent.expander.view
        starts = packed_starts(problem, self.expander)
        # before the directory is locked: if it has to be compiled, this run is dropped, and another one is made
        self.goal: Any = self._goal_in(starts)
        """The least goal of the last layer, as in an array of states; None if there is none."""
        self.place = Place(problem, "external_bfs", sent, directory, workers, starts)
        finalize(self, self.place.close)
        self.layers: list[Layer] = [Layer(0, len(starts), keys=starts)]
        self.successors: list[int] = []
        """The number of successors of each layer that was expanded."""
        try:
            self.exchange: Any = exchange_of(exchange, self.place, self.view.undirected)
            self._read(repair)
        except BaseException:
            self.place.close()
            raise
        self._known: list[Any] | None = None
        """The states of all layers in sorted arrays, each at most half as long as the last; None if not used."""
        self._steps: Steps | None = None
        self._stands = True
        self._budget = self._counted = self._in_round = self._partly = 0
        """Expansions that may be begun; those since the last slice, and in this round; successors of these."""
        self._phase, self._tasks, self._tasks_done, self.pace = "", 0, 0, Pace()
        self._saved = perf_counter()
        self._next: tuple[int, Any] = -1, None
        self._show_layers()
        tree.expanded = self._expanded
        self.form = type(self), self.expander.words, type(self.view.graph)
        self.show()

    def _read(self, repair: bool) -> None:
        """Go on where the directory ends."""
        folder, body = self.place.folder, self.place.body
        if body and repair:
            body = repaired(body, folder)
            self.place.commit(body)
        if not body:
            self.place.clean(())
            return
        self.layers, self.successors, goal = layers_of(body, folder)
        self.goal = None if goal is None else np.array(goal, np.uint64).reshape(self._shape)
        self.place.clean(self.layers)

    def _show_layers(self) -> None:
        """Let the tree show the layers, which have been read."""
        self.arrivals = LayerArrivals(self.problem, self.expander, self.place, self.layers)
        self.tree.hold(self.arrivals)

    @property
    def _expanded(self) -> int:
        """The states of the layers that were expanded."""
        return sum(layer.states for layer in self.layers[: len(self.successors)])

    @property
    def _shape(self) -> tuple[int, ...]:
        """The shape of a state in an array."""
        return () if self.expander.words == 1 else (self.expander.words,)

    def _search(self) -> Steps:
        """Go on where the layers end."""
        while self.goal is None and len(self.successors) < len(self.layers):
            self._in_round = self._partly = 0
            while self._budget <= 0:
                yield True
            small = self._is_small()
            layer, successors = yield from (self._round_in_memory() if small else self._round_on_disk())
            self.successors.append(successors)
            self.pace.end(self.layers[-1].states)
            self._in_round = self._partly = 0
            if layer.states:
                self.layers.append(layer)
                text = f"layer {layer.depth}: {layer.states:,} states"
                self.tree.note("layer", text, depth=layer.depth, states=layer.states)
            if not small or self._is_due():
                self._commit()
            if not small:
                self.place.clean(self.layers)
            yield False
        yield from self._finish()

    def _finish(self) -> Steps:
        """Find the path, if there is a goal, and end the search."""
        if self.goal is not None:
            path = yield from self._in_pieces()
            self.tree.finish(path.states[-1])
        self.exchange.forget()
        if self.place.lasting:
            self._commit()
        self.place.stop()

    def _in_pieces(self) -> Generator[bool, None, Any]:
        """Return the path to the goal."""
        steps = self.arrivals.path(self.layers[-1].depth, self.goal)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value
            yield False

    def _is_small(self) -> bool:
        """Whether the next round is made in memory."""
        if self.layers[-1].states > SMALL:
            return False
        if self.view.undirected:
            return all(layer.keys is not None or layer.states <= 4 * SMALL for layer in self.layers[-2:])
        return sum(layer.states for layer in self.layers) <= KNOWN

    def _round_in_memory(self) -> Round:
        depth = len(self.layers)
        layer = self._keys(depth - 1)
        near = range(max(0, depth - 2), depth)
        known = [self._keys(before) for before in near] if self.view.undirected else self._all_keys()
        pieces, successors = [], 0
        for piece in successor_pieces(self.expander, layer):
            successors += len(piece)
            pieces.append(sorted_unique(piece.copy()))
            yield False
        states = pieces[0] if len(pieces) == 1 else sorted_unique(np.concatenate(pieces))
        for others in known:
            states = without(states, others)
        states = states.copy()  # without what was left out
        self.goal = self._goal_in(states)
        if self._known is not None:
            self._known = added(self._known, states)
        self._count(len(layer))
        return Layer(depth, len(states), keys=states), successors

    def _keys(self, depth: int) -> Any:
        """Return all states of a layer, and keep them."""
        layer = self.layers[depth]
        if layer.keys is None:
            with self.place.reader() as reader:
                keys = reader.whole(layer)
            self.expander.check(keys)
            layer = self.layers[depth] = evolve(layer, keys=keys)
        return layer.keys

    def _all_keys(self) -> list[Any]:
        """Return the states of all layers, in few sorted arrays."""
        if self._known is None:
            known: list[Any] = []
            for depth in range(len(self.layers)):
                known = added(known, self._keys(depth))
            self._known = known
        return self._known

    def _goal_in(self, states: Any) -> Any:
        place = self.expander.first_goal(states)
        return None if place is None else states[place].copy()

    def _count(self, expanded: int) -> None:
        self._counted += expanded
        self._in_round += expanded
        self._budget -= expanded

    def _round_on_disk(self) -> Round:
        self._known = None
        self._commit()
        self.place.clean(self.layers)
        on_disk = [evolve(layer, keys=None) for layer in self.layers]
        bits, chunk = self._bits(), self._chunk()
        yield from self.exchange.expand(
            on_disk, bits, chunk, self._begin, self._take_expanded, lambda: self._budget > 0
        )
        successors = self._partly
        merged = yield from self.exchange.merge(on_disk, bits, self._begin, self._take_merged)
        self._phase, self.goal = "", reduce(least, (part.goal for part in merged), None)
        files = tuple(part.file for part in merged if part.file is not None)
        return Layer(len(on_disk), sum(file.states for file in files), files), successors

    def _begin(self, phase: str, tasks: int) -> None:
        self._phase, self._tasks, self._tasks_done = phase, tasks, 0

    def _take_expanded(self, numbers: tuple[int, int]) -> None:
        expanded, successors = numbers
        self._count(expanded)
        self._partly += successors
        self._tasks_done += 1

    def _take_merged(self, merged: object) -> None:
        self._tasks_done += 1

    def _bits(self) -> int:
        """Return the logarithm of the number of parts of the next layer: never fewer than of the layers before."""
        states, successors = self.layers[-1].states, self.expander.branching
        if self.successors:
            successors = max(2, self.successors[-1] // self.layers[-2].states)
        parts = self.place.workers.count * self.place.threads
        allowed = min(LARGEST_PART, int(self.memory * 1e6 / parts / PART_BYTES))
        wanted = states * successors * self.expander.words // max(LEAST_PART, allowed)
        return max(LEAST_BITS, wanted.bit_length(), *(layer.bits for layer in self.layers))

    def _chunk(self) -> int:
        """Return how many states a task expands."""
        count = self.place.workers.count
        each = 8 * self.expander.words * (2 + 2 * self.expander.branching)
        allowed = int(self.memory * 1e6 / count / each)
        wanted = -(-self.layers[-1].states // (2 * count))
        if isinstance(self.exchange, FileExchange):
            largest = LARGEST_CHUNK * self.place.threads
            allowed = min(largest, allowed)
            wanted = largest if count == 1 else wanted
        return max(1, min(allowed, max(LEAST_CHUNK, wanted)))

    def _is_due(self) -> bool:
        """Whether small layers should be written now."""
        due = self.place.lasting and perf_counter() - self._saved >= SAVE_SECONDS
        held = takewhile(lambda layer: not layer.files, reversed(self.layers))
        return due or sum(layer.states for layer in held) > MOST_HELD

    def _commit(self) -> None:
        """Write the layers that are in memory only, and then the manifest."""
        self.place.write_small(self.layers)
        self.place.commit(self._body())
        old = self.layers[:-2]
        self.layers[:-2] = [layer if layer.keys is None else evolve(layer, keys=None) for layer in old]
        self._saved = perf_counter()

    def _body(self) -> Mapping[str, Any]:
        """Return what the manifest says now; all layers are in files."""
        goal = None if self.goal is None else np.atleast_1d(self.goal).tolist()
        return body_of(self.layers, self.successors, goal)

    @property
    def state(self) -> Any:
        """The first state of the last layer, or the goal in it."""
        if self.goal is not None:
            return self.arrivals.state(self.goal)
        depth = len(self.layers) - 1
        if self._next[0] != depth:
            try:
                with self.place.reader() as reader:
                    first = next(reader.pieces(self.layers[-1]))[0]
            except DirectoryError as error:
                raise with_way_on(error, self.layers, self.place.folder) from error
            self._next = depth, self.arrivals.state(first)
        return self._next[1]

    def slice(self, expansions: int) -> tuple[int, int]:
        """Go on for a moment; return the stop reason and the number of expansions."""
        self._budget, self._counted = expansions, 0
        if self._steps is None:
            self._steps = self._search()
        begun = perf_counter()
        try:
            self._stands = next(self._steps)
        except StopIteration:
            return control.FOUND if self.goal is not None else control.EXHAUSTED, self._counted
        except BaseException as error:
            again = min(self.behind, self._counted)
            self.behind -= again
            self.done += self._counted - again
            if isinstance(error, DirectoryError):
                raise with_way_on(error, self.layers, self.place.folder) from error
            raise
        finally:
            self.pace.spend(perf_counter() - begun)
        return control.WORKED if self._stands else control.PAUSED, self._counted

    def go_back(self) -> None:
        """Begin the round again, after an error."""
        self.behind += self._in_round
        self._in_round = self._partly = 0
        self._steps, self._phase = None, ""
        self.exchange.forget()

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, layers = self.tree, self.layers
        tree.generated = sum(self.successors) + self._partly
        tree.peak_frontier = max(layer.states for layer in layers)
        tree.lower_bound = len(layers) - (1 if self.goal is not None else 0)
        waits = len(self.successors) < len(layers)
        self.quick_paths = self.view.undirected or len(self.arrivals) < QUICK
        tree.frontier = Waiting(self.arrivals, layers[-1]) if waits else ()

    def saved_arrays(self) -> dict[str, Any]:
        """Return how far the directory is, or the files of a temporary one. A round that has begun is made again."""
        if not self._phase and not (self.place.lasting and self.place.stopped):
            self._commit()  # before a phase of tasks it is done anyway
        return {"in round": self._in_round, **saved_files(self.place, self._body())}

    def restore_arrays(self, fields: Fields) -> None:
        """Take over the files of a temporary directory; or go on where the directory is, which may be further."""
        self.behind += fields.whole("in round")
        if not self.place.lasting:
            restore_files(self.place, fields, self._read_again)
        elif not stands_where_saved(self.place, fields):
            self.behind, self.tree.expanded = 0, self._expanded
            self.tree.warnings.append(gone_on(self.place, self._expanded))
        if fields.flag("ended"):
            self.place.stop()

    def _read_again(self) -> None:
        """Begin where the directory ends."""
        self._read(repair=False)
        self._show_layers()

    def handle(self, why: int) -> None:
        """Note that the search has ended."""
        self.ended = True

    def progress(self) -> str:
        """Return how far the search is: layer, states, files, what is done of the round, and what is left."""
        text = f"layer {self.layers[-1].depth}  {len(self.arrivals):,} states"
        used = self.place.used()
        if used:
            text += f"  {used / 1e9:.2f} GB on disk"
        if self._phase:
            text += f"  {self._phase} {self._tasks_done}/{self._tasks}"
        return f"{text}  {self._left()}".rstrip()

    def _left(self) -> str:
        """Return what is left, as far as it can be told."""
        sizes = [layer.states for layer in self.layers]
        return "" if self.ended else self.pace.text(sizes, bool(self._phase))
