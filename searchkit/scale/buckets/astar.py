"""A* and Dijkstra's algorithm on disk, as in `searchkit.engines.layered`, over packed states."""

from collections.abc import Generator, Mapping
from math import inf
from typing import Any, NoReturn
from weakref import finalize

import numpy as np
from attrs import evolve

from searchkit.compiled.kit import control
from searchkit.compiled.kit.faults import inexact, no_heuristic
from searchkit.compiled.kit.state import as_number
from searchkit.engines.layered.external_astar import refused_goal, refused_step, whole_heuristic
from searchkit.engines.layered.external_dijkstra import refused_cost
from searchkit.errors import InvalidProblemError
from searchkit.problem import SearchProblem, has_cost
from searchkit.scale.arrays.keyed import Fault, Key, KeyedExpander
from searchkit.scale.arrays.sorting import sorted_unique, without
from searchkit.scale.buckets.arrivals import BucketArrivals
from searchkit.scale.buckets.store import BITS, Buckets, Waiters
from searchkit.scale.buckets.tasks import Expanded, joined, read_bucket
from searchkit.scale.exchange.buckets import FileBuckets, bucket_exchange_of
from searchkit.scale.external.arrivals import Waiting
from searchkit.scale.external.bfs import QUICK, ExternalBreadthFirst, Steps
from searchkit.scale.external.forecast import Pace
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import Place
from searchkit.scale.external.tasks import Sent, least, packed_starts
from searchkit.tree import SearchTree

SMALL = 1 << 17
"""A bucket of so many states, duplicates included, is merged and expanded in memory, without tasks."""
CHUNK = 1 << 19
"""The most states that a task expands."""


class ExternalAStar(ExternalBreadthFirst):
    """`external_astar`, compiled: rounds as those of `external_bfs`, with buckets of equal f and g as layers.

    Small buckets are merged and expanded in memory, others by tasks over files. The arguments are those of
    `ExternalBreadthFirst`.

    Raises:
        DirectoryError: the directory can't be used.
        MissingCapabilityError: the view has no heuristic.

    """

    guided = True
    engine, instead = "external_astar", "astar"

    def __init__(
        # Same lines as in searchkit.scale.external.bfs: the options of both engines.
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
        if self.guided and self.view.heuristic is None:
            raise no_heuristic(problem)
        self.keyed = KeyedExpander(self.expander, self.guided)
        starts = packed_starts(problem, self.expander)
        self.place = Place(problem, self.engine, sent, directory, workers, starts)
        finalize(self, self.place.close)
        try:
            self.exchange = between = bucket_exchange_of(
                exchange, self.place, self.view.undirected, self.guided
            )
        except BaseException:
            self.place.close()
            raise
        self._hold(Buckets(self.place, self.expander.words, self.view.undirected, between))
        self._steps: Steps | None = None
        self._stands = True
        self._budget = self._counted = self._in_round = self._partly = 0
        """Expansions that may be begun; those since the last slice, and in this round; successors of these."""
        self._phase, self._tasks, self._tasks_done, self.pace = "", 0, 0, Pace()
        self._next: tuple[int, Any] = -1, None
        try:
            if self.place.body:
                self.buckets.read(repair)
            if not self.layers:
                self._enter(starts)
        except BaseException:
            self.place.close()
            raise
        tree.expanded = self._expanded
        self.goal = self.buckets.goal
        self._starts = starts
        self.form = type(self), self.expander.words, type(self.view.graph), type(self.keyed.heuristic)
        self.show()

    def _hold(self, buckets: Buckets) -> None:
        """Search over these buckets."""
        self.buckets, self.layers, self.successors = buckets, buckets.layers, buckets.successors
        self.arrivals = BucketArrivals(self.problem, self.keyed, self.place, buckets, self.guided)
        self.tree.hold(self.arrivals)

    def _read_again(self) -> None:
        """Begin where the directory ends."""
        between = self.buckets.exchange
        self._hold(Buckets(self.place, self.expander.words, self.view.undirected, between))
        self.buckets.read(repair=False)
        self.goal = self.buckets.goal

    def _enter(self, starts: Any) -> None:
        """Put the starts into their buckets, and merge the first one."""
        self.buckets.add(self._waiting_starts(starts))
        while self.buckets.waiting and not self.layers:
            for _ in self._merge():
                pass

    def _waiting_starts(self, starts: Any) -> dict[Key, Waiters]:
        """Return the starts by their buckets."""
        found: dict[Key, Waiters] = {}
        h = np.array(self.keyed.heuristics(starts))
        for value in sorted(set(h.tolist())):
            if not 0 <= value <= control.EXACT or value % 1:
                if value != inf:
                    start = self.arrivals.state(starts[h == value][0])
                    whole_heuristic(start, self.problem.heuristic(start))
                    raise inexact()
                continue
            states = starts[h == value]
            found[int(value), 0] = Waiters([states], [], len(states))
        return found

    def _search(self) -> Steps:
        """Go on where the buckets end."""
        yield from self._expand_again()
        while self.goal is None:
            if len(self.successors) < len(self.layers):
                self._in_round = self._partly = 0
                while self._budget <= 0:
                    yield True
                number = len(self.layers) - 1
                small = self.layers[number].states <= SMALL
                found, successors = yield from (
                    self._expand(number) if small else self._expand_by_tasks(number)
                )
                self.buckets.leave(found, successors)
                self.pace.end(self.layers[-1].states)
                self._in_round = self._partly = 0
                yield False
            if not self.buckets.waiting:
                break
            if self.buckets.is_due:
                self.buckets.write()
            yield from self._merge()
            yield False
        yield from self._finish()

    def _commit(self) -> None:
        """Write what is not in files yet, and then the manifest, unless buckets have to be expanded again before."""
        if not self.buckets.to_expand:
            self.buckets.write(everything=True)

    def _body(self) -> Mapping[str, Any]:
        """Return what the manifest says; files that only a cluster has are fetched before."""
        if self.buckets.to_expand:
            return self.place.body
        away = self.buckets.exchange.away(self.buckets.waiting_files)
        if away:
            self.buckets.exchange.bring(sorted(away))
            self.place.commit(self.buckets.body())
        return self.buckets.body()

    def _expand_again(self) -> Steps:
        """Expand the buckets again whose successors were lost, without counting them again."""
        if self.buckets.to_expand:
            self.buckets.add(self._waiting_starts(self._starts))
        for number in range(self.buckets.to_expand):
            small = self.layers[number].states <= SMALL
            found, _ = yield from (
                self._expand(number, again=True) if small else self._expand_by_tasks(number, again=True)
            )
            self.buckets.expanded_again(number, found)
            yield False

    def _expand(
        self, number: int, again: bool = False
    ) -> Generator[bool, None, tuple[dict[Key, Waiters], int]]:
        """Expand a bucket in memory."""
        found: dict[Key, list[Any]] = {}
        successors, states = 0, self.buckets.states(number)
        self.expander.check(states)
        for piece in self.keyed.pieces(states, self.buckets.keys[number]):
            if isinstance(piece, Fault):
                self._refuse(piece)
            successors += piece[0]
            for key, some in piece[1].items():
                found.setdefault(key, []).append(some)
            yield False
        self._count(0 if again else len(states))
        merged = {key: joined(arrays, self.expander.words) for key, arrays in found.items()}
        return {key: Waiters([array], [], len(array)) for key, array in merged.items()}, successors

    def _expand_by_tasks(
        self, number: int, again: bool = False
    ) -> Generator[bool, None, tuple[dict[Key, Waiters], int]]:
        """Expand a bucket by tasks."""
        yield from self.buckets.exchange.begin_round(self.buckets.waiting_files)
        if not again:
            self.buckets.write()
        results = yield from self.buckets.exchange.expand(
            evolve(self.layers[number], keys=None),
            self.buckets.keys[number],
            BITS,
            self._chunk(),
            self._begin,
            self._take_merged if again else self._take_result,
            lambda: again or self._budget > 0,
        )
        self._phase = ""
        found: dict[Key, Waiters] = {}
        for result in results:
            for file in result.files:
                for key, states in zip(file.keys, file.states, strict=True):
                    waiters = found.setdefault(key, Waiters())
                    waiters.files.append(file)
                    waiters.states += states
        return found, sum(result.successors for result in results)

    def _take_result(self, expanded: Expanded) -> None:
        if expanded.fault is not None:
            self._refuse(expanded.fault)
        self._count(expanded.states)
        self._partly += expanded.successors
        self._tasks_done += 1

    def _merge(self) -> Steps:
        """Merge the next bucket that waits."""
        key, waiters = self.buckets.waiting.peekitem(0)
        f, g = key
        small = waiters.states <= SMALL
        layer, goal = yield from (
            self._merged(key, waiters) if small else self._merged_by_tasks(key, waiters)
        )
        if goal is not None and g < f:
            state = self.arrivals.state(goal)
            raise refused_goal(state, self.problem.heuristic(state))
        self.buckets.enter(key, layer, goal)
        self.goal = self.buckets.goal
        if not layer.states:
            return
        text = (
            f"bucket f={f} g={g}: {layer.states:,} states"
            if self.guided
            else f"cost {g}: {layer.states:,} states"
        )
        self.tree.note("layer", text, depth=layer.depth, states=layer.states)

    def _merged(self, key: Key, waiters: Waiters) -> Generator[bool, None, tuple[Layer, Any]]:
        arrays = list(waiters.arrays)
        self.buckets.exchange.bring(file.name for file in waiters.files)
        for file in waiters.files:
            arrays.append(read_bucket(self.place.directory.path, file, key, self.expander.words))
            yield False
        states = sorted_unique(np.concatenate(arrays))
        for others in self.buckets.known.get(key[0] - key[1], ()):
            states = without(states, others)
        with self.place.reader() as reader:
            for layer in self.buckets.earlier(key):
                for others in reader.pieces(layer):
                    if not len(states):
                        break
                    states = without(states, others)
                yield False
        self.expander.check(states)
        place = self.expander.first_goal(states)
        goal = None if place is None else states[place].copy()
        return Layer(len(self.layers), len(states), keys=states.copy()), goal

    def _merged_by_tasks(self, key: Key, waiters: Waiters) -> Generator[bool, None, tuple[Layer, Any]]:
        self.buckets.write()
        self.buckets.forget()
        earlier = [evolve(layer, keys=None) for layer in self.buckets.earlier(key)]
        number = len(self.layers)
        merged = yield from self.buckets.exchange.merge(
            number, key, BITS, waiters.files, earlier, self._begin, self._take_merged
        )
        self._phase, goal = "", None
        for part in merged:
            goal = least(goal, part.goal)
        files = tuple(part.file for part in merged if part.file is not None)
        return Layer(number, sum(file.states for file in files), files), goal

    def _chunk(self) -> int:
        """Return how many states a task expands."""
        count = self.place.workers.count
        each = 8 * self.expander.words * (2 + 3 * self.expander.branching)
        allowed = int(self.memory * 1e6 / count / each)
        wanted = self.layers[-1].states // (2 * count)
        if isinstance(self.buckets.exchange, FileBuckets):
            largest = CHUNK * self.place.threads
            allowed = min(largest, allowed)
            wanted = largest if count == 1 else wanted
        return max(1, min(allowed, max(SMALL // 4, wanted)))

    def _refuse(self, fault: Fault) -> NoReturn:
        """Raise what the form in Python raises for a number that the engine does not take."""
        if fault.why == control.TOO_LARGE:
            raise inexact()
        problem, parent = self.problem, self.arrivals.state(fault.parent)
        self.asked = parent
        action, successor = list(problem.successors(parent))[fault.number]
        cost = problem.cost(parent, action, successor) if has_cost(problem) else 1
        if fault.why == control.BAD_COST and not (cost >= 1 and cost % 1 == 0):
            raise refused_cost(parent, action, successor, cost, self.engine, self.instead)
        if fault.why == control.BAD_HEURISTIC:
            whole_heuristic(successor, problem.heuristic(successor))
        if fault.why == control.INCONSISTENT:
            h, after = problem.heuristic(parent), problem.heuristic(successor)
            if h > cost + after:
                raise refused_step(parent, successor, h, after, cost)
        raise InvalidProblemError(
            f"the compiled view of {type(problem).__name__} has a number at the step from {parent!r} to {successor!r} "
            f"(packed {as_number(fault.parent)}) that {self.engine} does not take, and the problem itself has not"
        )

    @property
    def state(self) -> Any:
        """The first state of the last bucket, or the goal in it; the first start if no bucket has states."""
        return super().state if self.layers else self.arrivals.state(self._starts[0])

    def underestimates(self, trail: Any, costs: Any) -> bool:
        """Whether no heuristic value on a path exceeds the rest: each of its steps was found to be consistent."""
        return self.guided

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, layers = self.tree, self.layers
        tree.generated = self.buckets.generated + self._partly
        tree.peak_frontier = self.buckets.peak
        tree.lower_bound = self.buckets.keys[-1][0] if self.buckets.keys else 0
        self.quick_paths = len(self.arrivals) < QUICK
        waits = len(self.successors) < len(layers)
        tree.frontier = Waiting(self.arrivals, layers[-1]) if waits else ()

    def progress(self) -> str:
        """Return how far the search is: f and g, states, files, what is done of the round, and what waits."""
        f, g = self.buckets.keys[-1] if self.layers else (0, 0)
        _, _, rest = super().progress().partition("  ") if self.layers else ("", "", "0 states")
        return f"{f'f {f}  ' if self.guided else ''}g {g}  {rest}"

    def _left(self) -> str:
        """Return how many states wait, of which some may be duplicates: how many more will come can't be told."""
        if self.ended:
            return ""
        waiting = sum(waiters.states for waiters in self.buckets.waiting.values())
        round_left = self.pace.text([self.layers[-1].states], self._phase == "expanding")
        return f"{waiting:,} wait  {round_left}".rstrip()


class ExternalDijkstra(ExternalAStar):
    """`external_dijkstra`, compiled: without a heuristic, each bucket holds the states of one cost."""

    guided = False
    engine, instead = "external_dijkstra", "dijkstra"
