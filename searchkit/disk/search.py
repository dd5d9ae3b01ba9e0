"""Breadth-first search, Dijkstra's algorithm and A* on disk, over buckets of packed states.

A round takes the bucket (f, g) of the least f, and of these the least g; merges what has arrived in it, so that each
state is in it once; leaves out the states of earlier buckets; looks for a goal; and expands the states into other
buckets (*delayed duplicate detection*: Korf 2003; Edelkamp, Jabbar and Schrödl 2004). Costs are whole numbers ≥ 1 and
the heuristic is consistent, so nothing arrives in a bucket once its turn has come, and no state is reopened. With a
heuristic of 0 this is Dijkstra's algorithm; with costs of 1, too, breadth-first search.

A state has one heuristic value: so it can only be in buckets of the same h = f − g. If each action can be undone, it
comes back within two steps.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import reduce
from hashlib import sha256
from itertools import takewhile
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NoReturn
from weakref import finalize

import numpy as np
from attrs import define, evolve
from sortedcontainers import SortedDict

from searchkit.compiled.kit import control
from searchkit.compiled.kit.run import KernelRun
from searchkit.compiled.kit.state import as_number, as_words, state_array
from searchkit.disk.executors import open_executor, tasks_at_once
from searchkit.disk.files import COUNT, DiskWorkspace, Run, RunFile, RunWriter
from searchkit.disk.kernels import (
    Expander,
    Key,
    checked_whole,
    compact,
    disagreement,
    divided,
    sorted_unique,
    without,
)
from searchkit.disk.paths import BucketArrivals, all_of, segments_of
from searchkit.disk.tasks import (
    Bucket,
    Job,
    expand_task,
    group_of,
    least,
    merge_task,
    write_arrivals,
)
from searchkit.engines.kit import distinct_starts
from searchkit.errors import DirectoryError, InvalidProblemError, SavingError
from searchkit.problem import SearchProblem
from searchkit.saving.identity import identity
from searchkit.tree import SearchTree

SMALL = 200_000
"""A bucket of at most so many states is expanded in memory, without tasks …"""
SMALL_ARRIVALS = 1 << 20
"""… if its successors have at most about so many words; one with at most so many words of arrivals is merged there."""
MAX_HELD = 1 << 21
"""The most words of states that are in memory only, before they are written."""
CHUNK, CHUNK_SUCCESSORS = 1 << 20, 1 << 22
"""The most states that a task expands, and about the most successors that it has in memory."""
BITS, MAX_BITS, MAX_PART = 6, 12, 1 << 18
"""What arrives is divided into 2**BITS parts, or for large layers into more, of at most about MAX_PART words."""
POLL_SECONDS = 0.04
"""How long to wait for tasks before limits are checked."""
COMMIT_SECONDS, COMMIT_SHARE = 1.0, 20
"""Small buckets are written once in so many seconds, or in so many times the seconds that it took last."""
Steps = Generator[Any, None, None]
"""Yields True if the search stands before a bucket or between two tasks, and has no expansions left."""


@define
class Waiting:
    """What has arrived in a bucket that is not merged yet, with duplicates."""

    arrays: list[Any]
    files: list[RunFile]
    states: int = 0


class Resources:
    """What a search on disk holds open: an executor, and a folder once there is one.

    Args:
        workers: the executor, or what `open_executor` reads.

    Raises what `open_executor` raises.

    """

    def __init__(self, workers: str | Executor):
        self.executor = open_executor(workers)
        self._is_given = self.executor is workers
        self.workspace: DiskWorkspace | None = None
        self._temporary: TemporaryDirectory[str] | None = None

    def temporary(self) -> DiskWorkspace:
        """Make a temporary folder. Raises `DirectoryError`."""
        try:
            self._temporary = TemporaryDirectory(prefix="searchkit-", ignore_cleanup_errors=True)
        except OSError as error:
            raise DirectoryError(
                f"no temporary directory can be made: {error.strerror}; set TMPDIR, or give the search a directory"
            ) from error
        self.workspace = DiskWorkspace(Path(self._temporary.name), {}, durable=False)
        return self.workspace

    def stop(self) -> None:
        """End the executor, unless it was given, and let others use the folder: nothing is written any more."""
        if not self._is_given:
            self.executor.shutdown(cancel_futures=True)
        if self.workspace is not None:
            self.workspace.close()

    def close(self) -> None:
        """Also delete a temporary folder. Safe to call twice."""
        self.stop()
        if self._temporary is not None:
            self._temporary.cleanup()


class DiskSearch(KernelRun):
    """A search on disk: rounds of tasks over files; small buckets are merged and expanded in memory.

    Args:
        problem: the problem, which has a compiled view.
        tree: the tree of the search; empty. If the directory has a search that was begun, that is resumed.
        directory: where the files are; "" for a temporary directory, which is made when it is needed and deleted with
            the search.
        workers: who runs the tasks: see `searchkit.disk.executors.open_executor`.

    Raises:
        DirectoryError: the directory can't be used.
        InvalidProblemError: a start has a heuristic value that the engine does not take.
        MissingCapabilityError: the view has no heuristic.

    """

    name = ""
    unit = guided = False
    quick_paths = False

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        tree: SearchTree[Any, Any],
        directory: str = "",
        workers: str | Executor = "serial",
    ):
        self.problem, self.tree, self.directory = problem, tree, directory
        self.expander = Expander(problem, self.name, self.unit, self.guided)
        self.view, self.words = self.expander.view, self.expander.words
        self.buckets: list[Bucket] = []
        """The buckets that are merged, in order; all but perhaps the last one are expanded."""
        self.successors: list[int] = []
        """The number of successors of each bucket that is expanded."""
        self.waiting: Any = SortedDict()
        """f and g → `Waiting`."""
        self.goal: Any = None
        """The least goal of the last bucket, as in an array of states; None if there is none."""
        self.arrivals = BucketArrivals(self.expander, lambda: self.folder, self.buckets)
        self._largest, self._bits = 1, BITS
        """The largest cost of an action so far, and into how many parts arrivals are divided."""
        self._numbers: dict[int, list[int]] = {}
        """h → the numbers of its buckets."""
        self._known: dict[int, list[Any]] = {}
        """h → the states of its buckets from number `_known_from` on, in few sorted arrays; unless undirected."""
        self._known_from = self._known_states = self._held = self._written = 0
        self._expanded = self._generated = self._partly = self._reported = self._asked = 0
        """States of expanded buckets, and their successors; those of tasks of the present phase; those that the last
        slice had reported; those that this slice may report."""
        self._phase, self._phase_of, self._results = "", ("", 0), dict[int, Any]()
        """The progress of the present phase, what it is, and what its tasks returned, by their numbers."""
        self._commit_at = perf_counter() + COMMIT_SECONDS
        self._steps: Steps | None = None
        self._first: tuple[int, Any] = -1, None
        self._shown = 0
        starts = self._packed_starts()
        self._resources = Resources(workers)
        finalize(self, self._resources.close)
        try:
            if directory:
                self._open(Path(directory).absolute(), starts)
            if not self.buckets and not self.waiting:
                self._enter(starts)
        except BaseException:
            self.close()
            raise
        tree.hold(self.arrivals)
        tree.expanded = self._reported = self._expanded
        self.show()

    def close(self) -> None:
        """End what the search holds open, and delete a temporary directory. Safe to call twice."""
        self._resources.close()

    @property
    def folder(self) -> Path:
        """Where the files are. Makes a temporary directory if there is none."""
        workspace = self._resources.workspace
        return (self._resources.temporary() if workspace is None else workspace).path

    def _packed_starts(self) -> Any:
        """Return the start states in a sorted array."""
        packed = [as_words(self.view.pack(state), self.words) for state in distinct_starts(self.problem)]
        return sorted_unique(np.array(packed, np.uint64))

    def _enter(self, starts: Any) -> None:
        """Put the starts into their buckets, and merge the first one."""
        values = self.expander.values(starts)
        for value in np.unique(values).tolist():
            states = starts[values == value]
            if not 0 <= value <= control.EXACT or value % 1:
                if value == inf:
                    continue
                start = self.arrivals.state(states[0])
                checked_whole(self.problem, start, self.name)
                raise disagreement(self.problem, start)
            self.waiting[int(value), 0] = Waiting([states], [], len(states))
        if self.waiting:
            all_of(self._merge())

    def _open(self, path: Path, starts: Any) -> None:
        """Use a folder, and resume the search that it has."""
        facts = {
            "engine": self.name,
            "problem": str(identity(self.problem)),
            "words": self.words,
            "undirected": self.view.undirected,
            "start states": sha256(starts.astype("<u8").tobytes()).hexdigest(),
        }
        workspace = self._resources.workspace = DiskWorkspace(path, facts)
        body = workspace.body
        if body:
            files = [RunFile(*file) for file in body["files"]]
            for f, g, states, bits, numbers in body["buckets"]:
                self._append(Bucket((f, g), states, bits, tuple(files[number] for number in numbers)))
            for f, g, states, numbers in body["waiting"]:
                self.waiting[f, g] = Waiting([], [files[number] for number in numbers], states)
            goal = body["goal"]
            self.goal = None if goal is None else as_words(goal, self.words)
            self.successors[:] = body["successors"]
            self._largest, self._bits, self._written = body["largest"], body["bits"], body["written"]
            self._expanded = sum(bucket.states for bucket in self.buckets[: len(self.successors)])
            self._generated, self._known_from = sum(self.successors), len(self.buckets)
            self.tree.peak_frontier = max((bucket.states for bucket in self.buckets), default=0)
        workspace.clean({file[0] for file in body.get("files", ())})

    def _search(self) -> Steps:
        """Go on where the buckets end."""
        while self.goal is None:
            if len(self.successors) < len(self.buckets):
                while not self._may_expand():
                    yield True
                yield from self._expand(self.buckets[-1])
                yield False
            if not self.waiting:
                break
            yield from self._merge()
            due = perf_counter() >= self._commit_at if self.directory else not self._commit_at
            if due or self._held * self.words > MAX_HELD:
                self._commit()
            yield False
        if self.goal is not None:
            path = yield from self.arrivals.path(len(self.buckets) - 1, as_number(self.goal))
            self.tree.finish(path.states[-1])
        if self.directory:
            self._commit()
        self._resources.stop()

    def _may_expand(self) -> bool:
        """Whether another expansion may be begun in this slice."""
        return self._expanded + self._partly - self._reported < self._asked

    def _merge(self) -> Steps:
        """Merge the first bucket that waits."""
        key, waiting = self.waiting.peekitem(0)
        earlier = self._earlier(key)
        read = sum(bucket.states for bucket in earlier if bucket.array is None)
        if max(read, waiting.states) * self.words <= SMALL_ARRIVALS:
            states = self._merged(key, waiting, earlier)
            bucket, goal = Bucket(key, len(states), array=states), self.expander.first_goal(states)
        else:
            bucket, goal = yield from self._merge_by_tasks(key)
        if goal is not None and key[0] > key[1]:
            state = self.arrivals.state(goal)
            raise InvalidProblemError(
                f"heuristic({state!r}) is {key[0] - key[1]}, and this is a goal; expected 0: engine {self.name!r} "
                "needs a consistent heuristic, and astar warns of one that is not admissible"
            )
        del self.waiting[key]
        self._held -= sum(map(len, waiting.arrays))
        if bucket.states:
            self.goal = goal
            self._append(bucket)

    def _earlier(self, key: Key) -> list[Bucket]:
        """Return the buckets that may have states of a bucket and are not `_known`."""
        numbers, g = self._numbers.get(key[0] - key[1], []), key[1]
        if not self.view.undirected:
            return [self.buckets[number] for number in takewhile(lambda one: one < self._known_from, numbers)]
        buckets = (self.buckets[number] for number in reversed(numbers))
        return list(takewhile(lambda bucket: g - bucket.key[1] <= 2 * self._largest, buckets))

    def _merged(self, key: Key, waiting: Waiting, earlier: Sequence[Bucket]) -> Any:
        """Return the states of a bucket, in memory."""
        arrays = list(waiting.arrays)
        for file in waiting.files:
            with Run(self.folder, file, self.words) as run:
                arrays.append(run.states(run.segments(key)))
        states = sorted_unique(np.concatenate(arrays))
        for bucket in earlier:
            states = without(states, self._states(bucket))
        for known in self._known.get(key[0] - key[1], ()):
            states = without(states, known)
        self.expander.check(states)
        return states.copy()  # without the memory of duplicates

    def _merge_by_tasks(self, key: Key) -> Generator[bool, None, tuple[Bucket, Any]]:
        """Merge a bucket by tasks over files."""
        self._write()
        self._forget()
        waiting, bits, number = self.waiting[key], self._bits, len(self.buckets)
        earlier = [evolve(bucket, array=None) for bucket in self._earlier(key)]
        calls = [
            (f"states-{number:07d}-m{first:05d}.run", key, bits, first, waiting.files, earlier)
            for first in range(0, 1 << bits, group_of(bits))
        ]
        results = yield from self._run("merge", merge_task, calls)
        files, counts, goals = zip(*results, strict=True)
        self._commit_at = 0.0
        return Bucket(key, sum(counts), bits, files), reduce(least, goals)

    def _append(self, bucket: Bucket) -> None:
        """Add a bucket that is merged."""
        h = bucket.key[0] - bucket.key[1]
        self._numbers.setdefault(h, []).append(len(self.buckets))
        self.buckets.append(bucket)
        if bucket.array is None:
            self._forget()
            return
        self._held += bucket.states
        if not self.view.undirected:
            self._known[h] = compact([*self._known.get(h, ()), bucket.array])
            self._known_states += bucket.states
            if self._known_states * self.words > MAX_HELD:
                self._write()
                self._forget()

    def _forget(self) -> None:
        """Compare with files from now on: all buckets are in files."""
        self._known.clear()
        self._known_from, self._known_states = len(self.buckets), 0

    def _states(self, bucket: Bucket) -> Any:
        """Return all states of a bucket, sorted."""
        if bucket.array is not None:
            return bucket.array
        pieces = list(segments_of(self.folder, bucket, self.words))
        states = np.concatenate(pieces) if pieces else state_array(0, self.words)
        return sorted_unique(states) if bucket.bits else states

    def _expand(self, bucket: Bucket) -> Steps:
        """Expand the last bucket, in memory if it is small, or else by tasks."""
        arrivals = bucket.states * self._fan_out() * self.words
        if bucket.states <= SMALL and arrivals <= SMALL_ARRIVALS:
            generated, found = yield from self._expand_in_memory(bucket)
        else:
            self._write()
            if self.unit:
                self._bits = max(self._bits, min(MAX_BITS, (int(arrivals) // MAX_PART).bit_length()))
            results = yield from self._run(
                "expand", expand_task, list(self._expand_calls(bucket)), counted=True
            )
            generated, found = sum(result[1] for result in results), dict[Key, Waiting]()
            for _, _, file, counts in results:
                for key, states in counts.items():
                    waiting = found.setdefault(key, Waiting([], []))
                    waiting.files.append(file)
                    waiting.states += states
        for key, more in found.items():
            waiting = self.waiting.setdefault(key, Waiting([], []))
            waiting.arrays += more.arrays
            waiting.files += more.files
            waiting.states += more.states
            self._held += sum(map(len, more.arrays))
            self._largest = max(self._largest, key[1] - bucket.key[1])
        self.successors.append(generated)
        self._expanded += bucket.states
        self._generated += generated
        self._partly = 0

    def _fan_out(self) -> float:
        """Return about how many successors a state has."""
        if not self.successors:
            return self.expander.branching
        return max(1.0, self.successors[-1] / self.buckets[len(self.successors) - 1].states)

    def _expand_in_memory(self, bucket: Bucket) -> Generator[bool, None, tuple[int, dict[Key, Waiting]]]:
        generated, found = 0, dict[Key, Waiting]()
        for number, arrays in self.expander.pieces(self._states(bucket), bucket.key):
            generated += number
            for key, (states,) in arrays.items():
                waiting = found.setdefault(key, Waiting([], []))
                waiting.arrays.append(states)
                waiting.states += len(states)
            yield False
        return generated, found

    def _expand_calls(self, bucket: Bucket) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments of the tasks that expand a bucket, after the first one."""
        most, number = min(CHUNK, CHUNK_SUCCESSORS / (self._fan_out() * self.words)), 0
        for file in bucket.files:
            with Run(self.folder, file, self.words) as run:
                counts = run.index[run.segments(bucket.key), COUNT].tolist()
            first = 0
            while first < len(counts):
                end, states = first + 1, counts[first]
                while end < len(counts) and states + counts[end] <= most:
                    states += counts[end]
                    end += 1
                name = f"states-{len(self.buckets):07d}-e{number:06d}.run"
                yield name, bucket, file, first, end, self._bits
                first, number = end, number + 1

    def _run(
        self, phase: str, task: Callable[..., Any], calls: Sequence[tuple[Any, ...]], counted: bool = False
    ) -> Generator[bool, None, list[Any]]:
        """Run a task with the arguments of each call, after the job; return the results in the order of the calls.

        It yields while it waits: True if no task is under way, as no more expansions may be begun. After an error or
        an interruption, the next call of the same phase resumes it: results that are there are not calculated again.
        """
        if self._phase_of != (phase, len(self.buckets)):
            self._phase_of, self._results = (phase, len(self.buckets)), {}
        executor, results = self._resources.executor, self._results
        job = Job(self.expander, self.folder, bool(self.directory) and not (counted and self.unit))
        under_way: dict[Future[Any], int] = {}
        left = [number for number in reversed(range(len(calls))) if number not in results]
        try:
            while left or under_way:
                self._phase = f"{phase} {len(results)}/{len(calls)}"
                while (
                    left
                    and len(under_way) < 2 * tasks_at_once(executor)
                    and (not counted or self._may_expand())
                ):
                    number = left.pop()
                    under_way[executor.submit(task, job, *calls[number])] = number
                if not under_way:
                    yield True
                    continue
                for future in wait(under_way, POLL_SECONDS, FIRST_COMPLETED).done:
                    number = under_way.pop(future)
                    results[number] = result = future.result()
                    self._partly += result[0] if counted else 0
                yield False
        finally:
            for future in under_way:
                future.cancel()
        self._phase, self._phase_of, self._results = "", ("", 0), {}
        return [results[number] for number in range(len(calls))]

    def _write(self) -> None:
        """Write what is in memory only. Raises `DirectoryError`."""
        folder = self.folder
        job = Job(self.expander, folder, bool(self.directory))
        new = [bucket for bucket in self.buckets if not bucket.files]
        if new:
            self._written += 1
            workspace = self._resources.workspace
            assert workspace is not None  # `folder` has made it
            with (
                workspace.writing(),
                RunWriter(folder, f"states-w{self._written:09d}.run", self.words, job.durable) as writer,
            ):
                for bucket in new:
                    writer.add(bucket.key, 0, bucket.array)
            for bucket in new:
                bucket.files = (writer.file,)
        found = {
            key: [divided(array, self._bits) for array in waiting.arrays]
            for key, waiting in self.waiting.items()
            if waiting.arrays
        }
        if found:
            self._written += 1
            file = write_arrivals(job, f"states-w{self._written:09d}.run", found, self._bits)
            for key in found:
                self.waiting[key].arrays.clear()
                self.waiting[key].files.append(file)
        for bucket in self.buckets[:-1]:
            bucket.array = None
        self._held = 0

    def _commit(self) -> None:
        """Write what is in memory only, and then the manifest; delete other files. Raises `DirectoryError`."""
        begin = perf_counter()
        self._write()
        workspace = self._resources.workspace
        assert workspace is not None
        files = dict.fromkeys(file for bucket in self.buckets for file in bucket.files)
        files |= dict.fromkeys(file for waiting in self.waiting.values() for file in waiting.files)
        numbers = {file: number for number, file in enumerate(files)}
        if self.directory:
            workspace.commit(self._body(numbers))
        workspace.clean({file.name for file in files})
        now = perf_counter()
        self._commit_at = now + max(COMMIT_SECONDS, COMMIT_SHARE * (now - begin))

    def _body(self, numbers: Mapping[RunFile, int]) -> dict[str, Any]:
        """Return what the manifest says; nothing is in memory only."""
        return {
            "files": [[file.name, file.bytes, file.checksum] for file in numbers],
            "buckets": [
                [*bucket.key, bucket.states, bucket.bits, [numbers[file] for file in bucket.files]]
                for bucket in self.buckets
            ],
            "waiting": [
                [*key, waiting.states, [numbers[file] for file in waiting.files]]
                for key, waiting in self.waiting.items()
            ],
            "successors": list(self.successors),
            "goal": None if self.goal is None else as_number(self.goal),
            "largest": self._largest,
            "bits": self._bits,
            "written": self._written,
        }

    @property
    def state(self) -> Any:
        """The goal, or the first state of the last bucket."""
        if self.goal is not None:
            return self.arrivals.state(self.goal)
        number = len(self.buckets) - 1
        if self._first[0] != number:
            states = next(segments_of(self.folder, self.buckets[number], self.words))
            self._first = number, self.arrivals.state(states[0])
        return self._first[1]

    def slice(self, expansions: int) -> tuple[int, int]:
        """Go on for a moment; return the stop reason and the number of expansions."""
        self._asked = expansions
        if self._steps is None:
            self._steps = self._search()
        try:
            stands = next(self._steps)
        except StopIteration:
            return control.FOUND if self.goal is not None else control.EXHAUSTED, self._report()
        return control.WORKED if stands else control.PAUSED, self._report()

    def _report(self) -> int:
        """Return the number of expansions that were not reported yet."""
        total = self._expanded + self._partly
        new, self._reported = total - self._reported, total
        return new

    def go_back(self) -> None:
        """Begin the present step again, after an error."""
        self._steps = None

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, buckets = self.tree, self.buckets
        tree.generated = self._generated
        if len(self.successors) == len(buckets):
            tree.frontier = ()
        elif self._shown != len(buckets):
            self._shown = len(buckets)
            tree.frontier = BucketArrivals(self.expander, lambda: self.folder, buckets[-1:])
            tree.peak_frontier = max(tree.peak_frontier, buckets[-1].states)
        if not buckets:
            return
        f, _ = buckets[-1].key
        if self.waiting and len(self.successors) == len(buckets):
            f, _ = self.waiting.keys()[0]  # whose goals are not looked for yet
        elif self.unit and self.goal is None:
            f += 1
        tree.lower_bound = f

    def saved(self) -> NoReturn:
        """Raise `SavingError`: a search on disk is saved by itself."""
        raise SavingError(
            f"a search by {self.name} is saved in its directory after each round: solve again with directory="
            f"{self.directory!r} to resume it"
            if self.directory
            else f"a search by {self.name} in a temporary directory can't be saved: give it a directory, in which it "
            "is saved after each round and resumed by the same call"
        )

    def handle(self, why: int) -> None:
        """Note that the search has ended."""
        self.ended = True

    def progress(self) -> str:
        """Return how far the search is: the bucket, the states, and what is done of a round of tasks."""
        if not self.buckets:
            return ""
        f, g = self.buckets[-1].key
        where = f"layer {f}" if self.unit else f"f {f}, g {g}"
        return f"{where}  {len(self.arrivals):,} states  {self._phase}".rstrip()


class ExternalBreadthFirst(DiskSearch):
    """`external_bfs`."""

    name, unit = "external_bfs", True


class ExternalDijkstra(DiskSearch):
    """`external_dijkstra`."""

    name = "external_dijkstra"


class ExternalAStar(DiskSearch):
    """`external_astar`."""

    name, guided = "external_astar", True
