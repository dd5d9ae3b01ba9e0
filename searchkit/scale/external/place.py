"""Where a search on disk is: its directory, which may be temporary, what the manifest says, and the workers."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from attrs import evolve

from searchkit.compiled.view import CompiledProblem
from searchkit.errors import DirectoryError
from searchkit.problem import SearchProblem
from searchkit.scale.external.directory import TEMPORARY, Directory, delete_abandoned, unwritable
from searchkit.scale.external.files import RunWriter, Written
from searchkit.scale.external.layers import Layer, LayerReader, RunFile, groups_of, run_name
from searchkit.scale.external.tasks import InTurn, Job, Sent
from searchkit.scale.identity import identity
from searchkit.scale.workers import ClusterWorkers, Workers, open_workers

POLL_SECONDS = 0.04
"""How long to wait for tasks before limits are checked."""
LOOK_SECONDS = 0.5
"""For how long the space that the files take is not looked at again."""
TOGETHER = 4
"""The most calls that are sent to a cluster as one task: to send a task there takes milliseconds."""
WAITING = "buckets-"
"""What the names of files begin with whose states wait to be merged."""


class Place:
    """The directory of a search, and who runs its tasks.

    Args:
        problem: what is searched, for the identity that the manifest has.
        engine: the name of the engine.
        sent: what tasks are sent.
        directory: the path; "" for a temporary directory, which is made when it is needed.
        workers: as for `open_workers`.
        starts: the start states, in a sorted array.

    Raises:
        DirectoryError: the directory can't be used.

    """

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        engine: str,
        sent: Sent,
        directory: str,
        workers: str,
        starts: Any,
    ):
        self.sent = sent
        self.workers: Workers = open_workers(workers)
        self.shares_files = True
        """Whether tasks read and write the files of the directory."""
        self.threads = 1
        """How many threads a task may use."""
        if isinstance(self.workers, ClusterWorkers):
            self.workers.run_one_task_a_node()
            self.threads = self.workers.threads
        self._temporary: TemporaryDirectory[str] | None = None
        self._directory: Directory | None = None
        self.stopped = False
        """Whether the workers have ended."""
        self.beside: list[Layer] = []
        """Runs that no manifest names and that are still needed."""
        self._used = 0
        self._looked: float | None = None
        if directory:
            view: CompiledProblem = sent.expander.view
            facts = {
                "engine": engine,
                "problem": str(identity(problem)),
                "words": view.words,
                "undirected": view.undirected,
                "start states": sha256(starts.astype("<u8").tobytes()).hexdigest(),
            }
            self._directory = Directory(Path(directory).absolute(), facts)  # tasks may have another one

    @property
    def lasting(self) -> bool:
        """Whether the directory is one that the user has named."""
        return self._directory is not None and self._temporary is None

    @property
    def body(self) -> Mapping[str, Any]:
        """What was committed last."""
        return {} if self._directory is None else self._directory.body

    @property
    def directory(self) -> Directory:
        """The directory. Raises `DirectoryError` if a temporary one can't be made."""
        if self._directory is None:
            try:
                self._temporary = TemporaryDirectory(prefix=TEMPORARY, ignore_cleanup_errors=True)
            except OSError as error:
                raise DirectoryError(
                    f"no temporary directory can be made: {error.strerror}; set TMPDIR, or give the search a directory"
                ) from error
            path = Path(self._temporary.name)
            delete_abandoned(path.parent)
            self._directory = Directory(path, {}, durable=False)
        return self._directory

    @property
    def job(self) -> Job:
        """What tasks have in common."""
        directory = self.directory
        return Job(self.sent, directory.path, directory.durable, self.threads)

    def write_small(self, layers: list[Layer]) -> None:
        """Write the layers that are in memory only into one file, and replace them by such as have the file."""
        first = next((number for number, layer in enumerate(layers) if not layer.files), len(layers))
        new = layers[first:]
        if not new:
            return
        writer = RunWriter(self.sent.expander.words)
        for layer in new:
            writer.add(layer.depth, 0, layer.keys)
        name = run_name(first, new[-1].depth, 0)
        directory = self.directory
        with directory.writing("written"):
            written = writer.write(directory.path / name, directory.durable)
        file = RunFile(first, new[-1].depth, 0, 0, writer.states, written)
        layers[first:] = [evolve(layer, files=(file,)) for layer in new]

    @property
    def folder(self) -> Path:
        """The path of the directory; the present one as long as there is none."""
        return Path() if self._directory is None else self._directory.path

    def reader(self) -> LayerReader:
        """Return a reader of layers."""
        return LayerReader(self.folder, self.sent.expander.words)

    def run(
        self,
        calls: Iterable[tuple[Any, ...]],
        take: Callable[[Any], object] | None = None,
        may: Callable[[], bool] | None = None,
        submit: Callable[[Any], "Future[Any]"] | None = None,
    ) -> Generator[bool, None, list[Any]]:
        """Let the workers run tasks; return their results, in the order of the calls.

        It yields while it waits: True if no task is under way because `may` does not allow one.

        Args:
            calls: a task and its arguments each; all of the same task.
            take: called with each result, in the order in which they come.
            may: whether another task may be begun.
            submit: begins a call, if that is not a task of the workers with its arguments.

        Raises:
            DirectoryError: a task could not write its file, or found a damaged one.

        """
        together = submit is None and isinstance(self.workers, ClusterWorkers)
        left = self._bundled(list(calls)) if together else iter(calls)
        send = self._submit if submit is None else submit
        results: dict[int, list[Any]] = {}
        under_way: dict[Future[Any], int] = {}
        call = next(left, None)
        number = 0
        try:
            while call is not None or under_way:
                while call is not None and len(under_way) < 2 * self.workers.count and (may is None or may()):
                    under_way[send(call)] = number
                    call, number = next(left, None), number + 1
                if not under_way:
                    yield True
                    continue
                for future in wait(under_way, POLL_SECONDS, FIRST_COMPLETED).done:
                    place, found = under_way.pop(future), self._result(future)
                    results[place] = found if together else [found]
                    if take is not None:
                        for result in results[place]:
                            take(result)
                yield False
        except OSError as error:
            raise unwritable(self.directory.path, error) from error
        finally:
            for future in under_way:
                future.cancel()
        return [result for place in range(number) for result in results[place]]

    def _submit(self, call: tuple[Any, ...]) -> "Future[Any]":
        return self.workers.submit(*call)

    def _bundled(self, calls: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Yield calls of `InTurn`, each for at most `TOGETHER` of the calls; each worker gets equally many."""
        count = self.workers.count
        bundles = min(len(calls), count * -(-len(calls) // (TOGETHER * count)))
        for number in range(bundles):
            some = calls[len(calls) * number // bundles : len(calls) * (number + 1) // bundles]
            yield InTurn(some[0][0]), [arguments for _, *arguments in some]

    def _result(self, future: "Future[Any]") -> Any:
        """Return the result of a task. Raises what the task raises, and `DirectoryError` if it sees no directory."""
        try:
            return future.result()
        except DirectoryError as error:
            lost = str(error).endswith("is missing") and isinstance(self.workers, ClusterWorkers)
            if not lost or not (self.folder / error.file).is_file():
                raise
            raise DirectoryError(
                f"{self.folder / error.file} is here, but a computer of the cluster does not see it: use a directory "
                "that all of them see at the same path, or exchange=objects, which needs none"
            ) from error

    def used(self) -> int:
        """Return the bytes that all files take."""
        now = perf_counter()
        if self._directory is not None and (self._looked is None or now - self._looked >= LOOK_SECONDS):
            with suppress(OSError):
                self._used, self._looked = self._directory.used(), now
        return self._used

    def commit(self, body: Mapping[str, Any]) -> None:
        """Write the manifest of a directory that lasts. Raises `DirectoryError`."""
        if self.lasting:
            self.directory.commit(body)

    def clean(self, layers: Sequence[Layer]) -> None:
        """Delete the files that are not those of the layers."""
        if self._directory is not None:
            wanted = (*layers, *self.beside)
            self._directory.clean({file.name for layer in wanted for file in layer.files})

    def stop(self) -> None:
        """End the workers, and let others use a directory that lasts: nothing will be written any more."""
        self.stopped = True
        self.workers.close()
        if self.lasting:
            self.directory.close()

    def close(self) -> None:
        """Also delete a temporary directory. Safe to call twice.

        It stays locked until its large files are deleted: if the process is killed before, another search deletes it.
        """
        self.stop()
        if self._temporary is not None:
            if self._directory is not None:
                with suppress(DirectoryError):
                    self._directory.clean(set())
                self._directory.close()
            self._temporary.cleanup()


def body_of(layers: Sequence[Layer], generated: Sequence[int], goal: Sequence[int] | None) -> dict[str, Any]:
    """Return what the manifest says of layers that are all in files.

    Args:
        layers: the layers.
        generated: the number of successors of each layer that was expanded.
        goal: the words of the least goal in the last layer; None if there is none.

    """
    files = dict.fromkeys(file for layer in layers for file in layer.files)
    return {
        "layers": [layer.states for layer in layers],
        "generated": list(generated),
        "goal": goal,
        "files": [
            [file.first, file.last, file.bits, file.group, file.states, *_facts(file.written)]
            for file in files
        ],
    }


def _facts(written: Written) -> tuple[int, str]:
    return written.bytes, written.sha256


def layers_of(
    body: Mapping[str, Any], folder: Path | None
) -> tuple[list[Layer], list[int], list[int] | None]:
    """Return the layers, the numbers of successors and the words of the goal that a manifest names.

    Raises `DirectoryError` if it contradicts itself, or if a file in `folder` is missing or is not as long as it was.
    """
    try:
        states, generated, goal = body["layers"], body["generated"], body["goal"]
        numbers = [*states, *generated, *(goal or [])]
        found: dict[int, list[RunFile]] = {depth: [] for depth in range(len(states))}
        for first, last, bits, group, size, length, digest in body["files"]:
            numbers += [size, length]
            file = RunFile(first, last, bits, group, size, Written(length, str(digest)))
            if not (0 <= first <= last < len(states) and 0 <= bits < 40 and 0 <= group < groups_of(bits)):
                raise ValueError
            if (first < last and bits) or sum(states[first : last + 1]) < size:
                raise ValueError
            for depth in range(first, last + 1):
                found[depth].append(file)
        valid = all(type(number) is int and number >= 0 for number in numbers)
        if not valid or not len(states) - 1 <= len(generated) <= len(states) or not all(found.values()):
            raise ValueError
        layers = [
            Layer(depth, count, tuple(sorted(found[depth], key=lambda file: file.group)))
            for depth, count in enumerate(states)
        ]
    except (ValueError, KeyError, TypeError, OverflowError):
        raise DirectoryError(
            "the manifest contradicts itself: restore it from a copy, or name another directory"
        ) from None
    if folder is not None:
        for file in dict.fromkeys(file for layer in layers for file in layer.files):
            try:
                check_length(folder / file.name, file.written.bytes)
            except DirectoryError as error:
                raise with_way_on(error, layers, folder) from None
    return layers, generated, goal


def repaired(body: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return what a manifest says without the layers from the first one on of which a file is damaged or missing.

    Reads all files. The last layer that is left is to be expanded again; an empty result begins from the starts.
    """
    layers, generated, _ = layers_of(body, None)
    end = intact(layers, folder)
    if end == len(layers):
        return dict(body)
    return body_of(layers[:end], generated[: end - 1], None) if end else {}


def intact(layers: Sequence[Layer], folder: Path) -> int:
    """Return how many layers come before the first one of which a file is damaged or missing. Reads all files."""
    files = dict.fromkeys(file for layer in layers for file in layer.files)
    bad = [file.first for file in files if digest_of(folder / file.name) != file.written.sha256]
    return min(bad, default=len(layers))


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits; "" if it can't be read."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def check_length(path: Path, size: int) -> None:
    """Raise `DirectoryError` if a file is missing or is not as long as it was."""
    try:
        found = path.stat().st_size
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise DirectoryError(
            f"{path} {'is missing' if missing else f'can not be read: {error.strerror}'}", path.name
        ) from None
    if found != size:
        raise DirectoryError(
            f"{path} is damaged: it has {found:,} bytes, and {size:,} were written", path.name
        )


def with_way_on(error: DirectoryError, layers: Sequence[Layer], folder: Path) -> DirectoryError:
    """Return the same error with what is intact, and what to do."""
    for layer in layers:
        if any(file.name == error.file for file in layer.files):
            first = layer.files[0].first
            intact = (
                f"Layers 0 to {first - 1} are intact"
                if first
                else "It has the first layers, so none is intact"
            )
            return DirectoryError(
                f"{error}. {intact}; restore the file from a copy and run the same search "
                f"again, or search again with repair=yes, which goes on from the layers before it",
                error.file,
            )
    if error.file.startswith(WAITING):
        return DirectoryError(
            f"{error}. All {len(layers)} buckets in {folder} that were merged are intact; restore the file, whose "
            "states wait to be merged, from a copy and run the same search again, or search again with repair=yes, "
            "which expands the buckets again",
            error.file,
        )
    return DirectoryError(
        f"{error}. Layers 0 to {len(layers) - 1} in {folder} are intact; run the same search again to go on from them",
        error.file,
    )
