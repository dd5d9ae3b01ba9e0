"""Breadth-first search, Dijkstra's algorithm and A* on disk, over buckets of packed states.

A round takes the bucket (f, g) of the least f, and of these the least g; merges what has arrived in it, so that each
state is in it once; leaves out the states of earlier buckets; looks for a goal; and expands the states into other
buckets (*delayed duplicate detection*: Korf 2003; Edelkamp, Jabbar and Schrödl 2004). Costs are whole numbers ≥ 1 and
the heuristic is consistent, so nothing arrives in a bucket once its turn has come, and no state is reopened. With a
heuristic of 0 this is Dijkstra's algorithm; with costs of 1, too, breadth-first search.

A state has one heuristic value: so it can only be in buckets of the same h = f − g. If each action can be undone, it
comes back within two steps.
"""

from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import partial
from hashlib import sha256
from math import inf
from time import perf_counter
from typing import Any, NoReturn
from weakref import finalize

import numpy as np
from attrs import astuple
from sortedcontainers import SortedDict

from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import as_number, as_words
from searchkit.compiled.kit.run import KernelRun
from searchkit.disk.executors import in_this_process, open_executor, pack, tasks_at_once
from searchkit.disk.files import COUNT, DiskWorkspace, Run, RunFile, new_name, write_run
from searchkit.disk.kernels import Expander, Key, sorted_unique, without
from searchkit.disk.paths import BucketArrivals
from searchkit.disk.tasks import BITS, GROUP, Bucket, SeenStates, expand_task, in_parts, least, merge_task
from searchkit.engines.kit import distinct_starts
from searchkit.errors import InvalidProblemError, SavingError, quoted
from searchkit.problem import SearchProblem
from searchkit.saving.identity import identity
from searchkit.tree import SearchTree

SMALL, SMALL_WORDS = 200_000, 1 << 20
"""A bucket of at most so many states, whose successors have about so many words, is expanded in memory, without tasks.
So many words are merged there."""
MAX_HELD, MAX_SEEN = 1 << 21, 1 << 23
"""The most words of states that are in memory before they are written, and of those that are kept there for comparison
with small buckets."""
CHUNK, CHUNK_WORDS = 1 << 20, 1 << 22
"""The most states that a task expands, and about the most words of successors that it has in memory."""
POLL_SECONDS = 0.04
"""How long to wait for tasks before limits are checked."""
COMMIT_SECONDS, COMMIT_SHARE = 1.0, 20
"""Small buckets are written once in so many seconds, or in so many times the seconds that it took last."""
Steps = Generator[bool, None, Any]
"""Yields whether the search stands before a bucket, which it may not expand yet."""


class DiskSearch(KernelRun):
    """A search on disk: rounds of tasks over files; small buckets are merged and expanded in memory.

    Args:
        name: the name of the engine.
        problem: the problem, which has a compiled view.
        tree: the tree of the search; empty. If the directory has a search that was begun, that is resumed.
        directory: where the files are; "" for a temporary directory, which is deleted with the search.
        workers: who runs the tasks: see `searchkit.disk.executors.open_executor`.
        unit: whether each action counts as 1.
        guided: whether the heuristic is used.

    Raises:
        DirectoryError: the directory can't be used.
        InvalidProblemError: a start has a heuristic value that the engine does not take.
        MissingCapabilityError: the view has no heuristic.

    """

    quick_paths = False

    def __init__(
        self,
        name: str,
        problem: SearchProblem[Any, Any],
        tree: SearchTree[Any, Any],
        directory: str = "",
        workers: str | Executor = "serial",
        *,
        unit: bool = False,
        guided: bool = False,
    ):
        self.name, self.problem, self.tree, self.directory, self.unit = name, problem, tree, directory, unit
        self.expander = expander = Expander(problem, name, unit, guided)
        self.words = expander.words
        self.waiting: Any = SortedDict()
        """f and g → the `Bucket` of what has arrived there."""
        self.goal: Any = None
        """The least goal of the last bucket, as in an array of states; None if there is none."""
        self._pending: Bucket | None = None
        """The last bucket that is merged, until it is expanded; all others are."""
        self._generated = self._progress = 0
        """The numbers of successors of expanded buckets, and of the states of the pending one that are expanded."""
        self._levels: dict[int, list[Bucket]] = {}
        """h → its buckets that are merged, in the order of g."""
        self._seen = SeenStates()
        self._held = 0
        """The number of states that are in memory."""
        self._may_expand = False
        self._graph: Any = None
        """The graph as tasks take it, once one was begun."""
        self._steps: Steps | None = None
        self._commit_at = perf_counter() + COMMIT_SECONDS if directory else inf
        starts = [expander.view.pack(state) for state in distinct_starts(problem)]
        facts = {
            "engine": name,
            "problem": str(identity(problem)) if directory else "",
            "start states": sha256(repr(sorted(starts)).encode()).hexdigest(),  # as the view packs them now
        }
        self._executor = open_executor(workers)
        self._workspace = DiskWorkspace(directory, facts)
        self.close = finalize(
            self, _close, self._workspace, None if self._executor is workers else self._executor
        )
        """Ends what the search holds open, and deletes a temporary directory. Safe to call twice."""
        try:
            self.folder = self._workspace.path
            self.arrivals = BucketArrivals(expander, self.folder)
            self.buckets = self.arrivals.buckets
            """The buckets that are merged, in order."""
            if self._workspace.body:
                self._resume(self._workspace.body)
            for start in () if self.buckets or self.waiting else starts:
                if (h := expander.h(start)) < inf:
                    states = np.array([as_words(start, self.words)], np.uint64)
                    self._arrive(Bucket((int(h), 0), 1, [], [states]))
        except BaseException:
            self.close()
            raise
        tree.reached = self.arrivals
        tree.expanded = self._expanded
        self.show()

    def _resume(self, body: Mapping[str, Any]) -> None:
        """Take over the search that the folder has."""
        files = [RunFile(*file) for file in body["files"]]
        self._workspace.synced = {file.name for file in files}
        for name, add in (("buckets", self._append), ("waiting", self._arrive)):
            for key, states, numbers in body[name]:
                add(Bucket(tuple(key), states, [files[number] for number in numbers]))
        if body["expanded"] == len(self.buckets):
            self._pending = None
        self.goal = None if body["goal"] is None else as_words(body["goal"], self.words)
        self._generated, self.arrivals.largest = body["generated"], body["largest"]
        self.tree.peak_frontier = max((bucket.states for bucket in self.buckets), default=0)

    @property
    def _expanded(self) -> int:
        """The number of states that are expanded, without those of the pending bucket."""
        return len(self.arrivals) - (self._pending.states if self._pending else 0)

    def _search(self) -> Steps:
        """Continue after the last bucket."""
        while self.goal is None and (self.waiting or self._pending):
            if self._pending:
                while not self._may_expand:
                    yield True
                yield from self._expand(self._pending)
            else:
                yield from self._merge()
                if perf_counter() >= self._commit_at or self._held * self.words > MAX_HELD:
                    self._commit()
            yield False
        if self.goal is not None:
            goal = yield from self.arrivals.find_path(len(self.buckets) - 1, as_number(self.goal))
            self.tree.finish(goal)
        if self.directory:
            self._commit()
            self.close()

    def _arrive(self, more: Bucket) -> None:
        """Add states to those that wait in a bucket."""
        waiting = self.waiting.setdefault(more.key, Bucket(more.key))
        waiting.states += more.states
        waiting.files += more.files
        waiting.arrays += more.arrays
        self._held += sum(map(len, more.arrays))

    def _merge(self) -> Steps:
        """Merge the first bucket that waits, in memory if it is small, or else by tasks."""
        key, waiting = self.waiting.peekitem(0)
        h, g, words = key[0] - key[1], key[1], self.words
        least_g = max(0, g - 2 * self.arrivals.largest) if self.expander.view.undirected else 0
        missing = self._earlier(h, least_g, self._seen.begins.get(h, inf))
        is_small = waiting.states * words <= SMALL_WORDS
        if is_small and (self._seen.size + sum(bucket.states for bucket in missing)) * words > MAX_SEEN:
            self._seen = SeenStates()
            missing = self._earlier(h, least_g, g)
            is_small = sum(bucket.states for bucket in missing) * words <= MAX_SEEN
        if is_small:
            for bucket in missing:
                for states in self.arrivals.states_of(bucket):
                    self._seen.add(h, bucket.key[1], states)
                    yield False
            found = sorted_unique(np.concatenate(list(self.arrivals.states_of(waiting))))
            # Without the memory of duplicates.
            found = without(found, self._seen.arrays(h, least_g)).copy()
            bucket, goal = Bucket(key, len(found), [], [found]), self.expander.first_goal(found)
        else:
            self._write()
            files = _files(self._earlier(h, least_g, g))
            calls = [
                (new_name(), key, first, waiting.files, files, least_g)
                for first in range(0, 1 << BITS, GROUP)
            ]
            results = yield from self._run(merge_task, calls)
            bucket = Bucket(key, sum(count for _, count, _ in results), [file for file, _, _ in results])
            goal = least(goal for _, _, goal in results)
            self._commit_at = 0.0  # deletes the files that were merged
        if goal is not None and h:
            raise InvalidProblemError(
                f"heuristic({quoted(self.arrivals.state(goal))}) is {h}, and this is a goal; expected 0: engine "
                f"{self.name!r} needs a consistent heuristic, and astar warns of one that is not admissible"
            )
        if bucket.arrays:
            self._seen.add(h, g, *bucket.arrays)
        else:
            self._seen = SeenStates()
        del self.waiting[key]
        self._held -= sum(map(len, waiting.arrays))
        if bucket.states:
            self.goal = goal
            self._append(bucket)

    def _earlier(self, h: int, begin: float, end: float) -> list[Bucket]:
        """Return the merged buckets of this heuristic value with a g from `begin` up to `end`."""
        level = self._levels.get(h, [])
        first, last = (bisect_left(level, g, key=lambda bucket: bucket.key[1]) for g in (begin, end))
        return level[first:last]

    def _append(self, bucket: Bucket) -> None:
        """Add a bucket that is merged, and is to be expanded next."""
        self._pending = bucket
        self._levels.setdefault(bucket.key[0] - bucket.key[1], []).append(bucket)
        self.arrivals.add(bucket)
        self._held += sum(map(len, bucket.arrays))

    def _expand(self, bucket: Bucket) -> Steps:
        """Expand the pending bucket, in memory if it is small, or else by tasks."""
        generated, found, key = 0, dict[Key, Bucket](), bucket.key
        expanded = self._expanded
        fan_out = max(1.0, self._generated / expanded) if expanded else self.expander.branching
        if bucket.states <= SMALL and bucket.states * fan_out * self.words <= SMALL_WORDS:
            for states in self.arrivals.states_of(bucket):
                for number, arrays in self.expander.pieces(states, key):
                    generated += number
                    for to, some in arrays.items():
                        new = found.setdefault(to, Bucket(to))
                        new.arrays += some
                        new.states += len(some[0])
                    yield False
        else:
            self._write()
            most = max(1, int(min(CHUNK, CHUNK_WORDS / (fan_out * self.words))))
            calls = list[tuple[Any, ...]]()
            for file in bucket.files:
                run = Run(self.folder, file, self.words)
                segments = run.segments(key[0] - key[1], range(key[1], key[1] + 1))
                at_once = max(1, most // int(run.index[segments, COUNT].max(initial=1)))
                starts = range(0, len(segments), at_once)
                calls += [(new_name(), key, file, segments[begin : begin + at_once]) for begin in starts]
            results = yield from self._run(expand_task, calls)
            for _, number, file, counts in results:
                generated += number
                for to, count in counts.items():
                    new = found.setdefault(to, Bucket(to))
                    new.files.append(file)
                    new.states += count
        for to, new in found.items():
            self._arrive(new)
            self.arrivals.largest = max(self.arrivals.largest, to[1] - key[1])
        self._pending, self._progress = None, 0
        self._generated += generated

    def _run(
        self, task: Callable[..., Any], calls: Sequence[tuple[Any, ...]]
    ) -> Generator[bool, None, list[Any]]:
        """Yield False while a task runs with the arguments of each call; return the results in this order."""
        executor = self._executor
        self._graph = self._graph or (self.expander if in_this_process(executor) else pack(self.expander))
        under_way: dict[Future[Any], int] = {}
        results: dict[int, Any] = {}
        left = [*reversed(list(enumerate(calls)))]
        try:
            while left or under_way:
                while left and len(under_way) < 2 * tasks_at_once(executor):
                    number, call = left.pop()
                    under_way[executor.submit(task, self._graph, self.folder, *call)] = number
                for future in wait(under_way, POLL_SECONDS, FIRST_COMPLETED).done:
                    number = under_way.pop(future)
                    results[number] = future.result()
                    self._progress += results[number][0] if task is expand_task else 0
                yield False
        finally:
            for future in under_way:
                future.cancel()
        return [results[number] for number in range(len(calls))]

    def _write(self) -> None:
        """Write what is in memory. Raises `DirectoryError`."""
        # Each in a file of their own, as they are deleted at other times.
        for every in (self.buckets, self.waiting.values()):
            buckets = [bucket for bucket in every if bucket.arrays]
            parts = (part for one in buckets for array in one.arrays for part in in_parts(one.key, array))
            if buckets:
                file = write_run(self.folder, new_name(), parts)
                for bucket in buckets:
                    bucket.files.append(file)
                    bucket.arrays = []
        self._held = 0

    def _commit(self) -> None:
        """Write what is in memory, and then the manifest; delete other files. Raises `DirectoryError`."""
        begin = perf_counter()
        self._write()
        buckets = [*self.buckets, *self.waiting.values()]
        files = {file: number for number, file in enumerate(_files(buckets))}
        listed = [[one.key, one.states, [files[file] for file in one.files]] for one in buckets]
        body = {
            "files": [list(astuple(file)) for file in files],
            "buckets": listed[: len(self.buckets)],
            "waiting": listed[len(self.buckets) :],
            "expanded": len(self.buckets) - (self._pending is not None),
            "generated": self._generated,
            "largest": self.arrivals.largest,
            "goal": None if self.goal is None else as_number(self.goal),
        }
        self._workspace.commit(body, [file.name for file in files])
        now = perf_counter()
        self._commit_at = now + max(COMMIT_SECONDS, COMMIT_SHARE * (now - begin)) if self.directory else inf

    @property
    def state(self) -> Any:
        """The goal, or the first state of the last bucket."""
        if self.goal is not None or not self.buckets:
            return None if self.goal is None else self.arrivals.state(self.goal)
        return self.arrivals.state(next(self.arrivals.states_of(self.buckets[-1]))[0])

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run for some milliseconds; return the stop reason and the number of expansions."""
        self._may_expand = expansions > 0
        self._steps = self._steps or self._search()
        try:
            why = control.WORKED if next(self._steps) else control.PAUSED
        except StopIteration:
            why = control.FOUND if self.goal is not None else control.EXHAUSTED
        return why, max(0, self._expanded + self._progress - self.tree.expanded)

    def go_back(self) -> None:
        """Begin the present step again, after an error."""
        self._steps, self._progress = None, 0

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, buckets = self.tree, self.buckets
        tree.generated, tree.frontier = self._generated, ()
        if buckets:
            tree.peak_frontier = max(tree.peak_frontier, buckets[-1].states)
        if self.waiting and not self._pending:
            tree.lower_bound = self.waiting.keys()[0][0]  # the goals of this bucket are not looked for yet
        elif buckets:
            tree.lower_bound = buckets[-1].key[0] + (self.unit and self.goal is None)

    def saved(self) -> NoReturn:
        """Raise `SavingError`: a search on disk is saved by itself."""
        raise SavingError(
            f"a search by {self.name} is saved while it runs if it has a directory: solve again with the same one to "
            "resume it"
        )

    def handle(self, why: int) -> None:
        """Note that the search has ended."""
        self.ended = True


def _files(buckets: Iterable[Bucket]) -> list[RunFile]:
    """Return the files of buckets, each once."""
    return list(dict.fromkeys(file for bucket in buckets for file in bucket.files))


def _close(workspace: DiskWorkspace, executor: Executor | None) -> None:
    """End what a search holds open; an executor that was given is left open."""
    if executor is not None:
        executor.shutdown(cancel_futures=True)
    workspace.close()


external_bfs = partial(DiskSearch, "external_bfs", unit=True)
external_dijkstra = partial(DiskSearch, "external_dijkstra")
external_astar = partial(DiskSearch, "external_astar", guided=True)
