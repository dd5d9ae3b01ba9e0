"""Exchange through objects: the same layers, counters and files as through files, and no task reads a file."""

from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from searchkit import Limits, certify
from searchkit.compiled.kit.arrays import finished
from searchkit.errors import DirectoryError, InvalidOptionError, WorkerError
from searchkit.scale.arrays.expanding import divided
from searchkit.scale.arrays.sorting import sorted_unique
from searchkit.scale.exchange import blocks, store
from searchkit.scale.exchange.blocks import contents_of, merge_blocks, runs_of_successors
from searchkit.scale.exchange.store import stretches_of
from searchkit.scale.external import bfs
from searchkit.scale.external.files import RunReader, RunSource, RunWriter, Written
from searchkit.scale.external.layers import Layer, RunFile, groups_of
from searchkit.scale.external.place import TOGETHER
from searchkit.scale.external.tasks import InTurn, Job, Sent, packed_starts, successor_pieces
from searchkit.scale.workers import ClusterWorkers
from searchkit.scale.workers.threads import ThreadWorkers
from searchkit_tiles import SlidingTiles
from tests.helpers import walk
from tests.scale.external.boards import Directed, board, facts, on_disk, small_layers
from tests.scale.external.memory import Memory, memory


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the runs that tasks have written; those of the small layers at the beginning depend on the time."""
    return {
        path.name: path.read_bytes()
        for path in folder.glob("layers-*")
        if path.name[: len("layers-0000005")] > "layers-0000005"
    }


@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_objects_and_files_are_the_same_search(
    kind: type[SlidingTiles], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answer, counters, files of layers and certificate; tasks are told of no folder, so they read no file."""
    monkeypatch.chdir(tmp_path)
    with small_layers(5), patch.object(bfs, "LEAST_BITS", 4):
        expected = on_disk(board(kind=kind), tmp_path / "files")
    with memory() as opened:
        found = on_disk(board(kind=kind), tmp_path / "objects", workers="ray", exchange="objects")
        threads = on_disk(board(kind=kind), tmp_path / "threads", workers="ray")
    workers = opened[0]
    assert isinstance(workers, ClusterWorkers)
    assert set(workers.sent) == {"expand_stretches", "merge_blocks"}
    assert workers.sent.count("merge_blocks") > store.ROUNDS
    assert facts(found) == facts(threads) == facts(expected)
    assert found.solution is not None
    assert walk(board(kind=kind), found.solution, board().initial_states()) == found.cost
    assert (
        files_of(tmp_path / "objects") == files_of(tmp_path / "threads") == files_of(tmp_path / "files") != {}
    )
    assert certify(board(kind=kind), found).accepted


@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_search_over_objects_goes_on_after_its_driver(kind: type[SlidingTiles], tmp_path: Path) -> None:
    """All layers are in the directory after each round; another driver goes on from them, by files too."""
    with small_layers(5):
        expected = facts(on_disk(board(kind=kind)))
    for exchange in ("objects", "files"):
        folder = tmp_path / exchange
        with memory() as opened:
            begun = on_disk(board(kind=kind), folder, Limits(cost=9), workers="ray", exchange="objects")
            begun.search.kernel.place.close()
            before = set(files_of(folder))
            found = on_disk(board(kind=kind), folder, workers="ray", exchange=exchange)
        assert facts(begun) != expected == facts(found)
        assert set() < before < set(files_of(folder))
        assert opened[1].put > 0 if exchange == "objects" else opened[1].put == 0


@pytest.mark.parametrize("seen", [True, False])
def test_computers_see_the_directory_or_it_is_an_error(
    seen: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have other working directories than the program. The error does not say that files are lost."""
    monkeypatch.chdir(tmp_path)
    folders: set[Path] = set()

    def submit(workers: Memory, task: InTurn, calls: Any) -> Any:
        folders.update(job.folder for job, *_ in calls)
        if not seen:
            calls = [(evolve(job, folder=tmp_path / "other"), *arguments) for job, *arguments in calls]
        return ThreadWorkers.submit(workers, task, calls)

    with memory(), patch.object(Memory, "submit", submit):
        if seen:
            assert on_disk(board(), Path("search"), workers="ray").cost == 11
        else:
            with pytest.raises(DirectoryError) as raised:
                on_disk(board(), Path("search"), workers="ray")
            assert "is here, but a computer of the cluster does not see it: use a directory" in str(
                raised.value
            )
            assert "run the same search again" in str(raised.value)
    assert folders == {tmp_path / "search"}


def test_cluster_is_sent_few_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some calls go together, equally many to each worker; the results come back as those of single calls do."""
    sizes: list[int] = []

    def submit(workers: Memory, task: InTurn, calls: Any) -> Any:
        sizes.append(len(calls))
        return ThreadWorkers.submit(workers, task, calls)

    monkeypatch.setattr(Memory, "submit", submit)
    with memory() as opened:
        kernel = on_disk(board(), tmp_path, Limits(cost=9), workers="ray").search.kernel
        for count in range(1, 6):
            opened[0].count = count
            for calls in range(41):
                sizes.clear()
                taken: list[tuple[int, int]] = []
                expected = [divmod(number, 7) for number in range(calls)]
                run = kernel.place.run(((divmod, number, 7) for number in range(calls)), taken.append)
                assert finished(run) == expected == sorted(taken)
                waves = -(-calls // (TOGETHER * count))
                assert len(sizes) == min(calls, waves * count)
                assert sum(sizes) == calls
                assert max(sizes, default=0) - min(sizes, default=0) <= 1
        kernel.place.close()


def test_layers_are_put_anew_every_few_rounds(tmp_path: Path) -> None:
    """The tasks that would have to run again after a loss do not become more and more."""
    puts = {}
    for rounds in (1, 3, 10**9):
        with memory() as opened, patch.object(store, "ROUNDS", rounds):
            on_disk(board(), tmp_path / str(rounds), workers="ray", exchange="objects")
        puts[rounds] = opened[0].put
    assert puts[10**9] < puts[3] < puts[1]


def test_workers_that_keep_no_objects(tmp_path: Path) -> None:
    """One error, which leaves the directory to others."""
    for workers in ("serial", "processes:1"):
        with pytest.raises(InvalidOptionError, match="exchange=objects: these workers keep no objects"):
            on_disk(board(), tmp_path, workers=workers, exchange="objects")
    with pytest.raises(InvalidOptionError, match="expected files or objects"):
        on_disk(board(), tmp_path, exchange="memory")
    assert on_disk(board(), tmp_path).cost == 11


def job_of(threads: int) -> Job:
    """Return what tasks over a small board have in common."""
    return Job(Sent(board()), Path("nowhere"), durable=False, threads=threads)


def boards_near(job: Job) -> Any:
    """Return the boards within nine slides."""
    states = packed_starts(job.sent.problem, job.expander)
    for _ in range(9):
        (more,) = successor_pieces(job.expander, states)
        states = sorted_unique(np.concatenate([states, more]))
    return states


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("room", "segment"), [(1, 0), (8, 0), (1 << 19, 0), (1, 1 << 15)])
def test_blocks_have_all_successors_in_their_parts(room: int, segment: int, threads: int) -> None:
    """However few are sorted at a time, and by however many threads; duplicates among those are left out."""
    job = job_of(threads)
    states = boards_near(job)
    (piece,) = successor_pieces(job.expander, states)
    expected, places = divided(piece.copy(), 4)
    with patch.object(blocks, "SORTED", room), patch.object(blocks, "SEGMENT", segment):
        generated, runs = runs_of_successors(job, 7, states, 4, 4)
    assert generated == len(piece)
    whole = RunSource(reader_of(runs[0]), 7, 4)
    for number, run in enumerate(runs):
        source = RunSource(reader_of(run), 7, 4)
        assert {part for part in range(16) if source.counts[part]} <= set(range(4 * number, 4 * number + 4))
        for part in range(4 * number, 4 * number + 4):
            found = np.zeros(source.counts[part], np.uint64)
            source.read(part, found)
            assert set(found.tolist()) == set(expected[places[part] : places[part + 1]].tolist())
    kept = sum(run.states for run in runs)
    assert len(sorted_unique(piece.copy())) <= kept < generated + (room + segment == 1)
    if room + segment > 8 and threads == 1:
        assert kept == len(sorted_unique(piece.copy()))
    assert whole.counts.sum() == runs[0].states > 20


def reader_of(writer: RunWriter) -> RunReader:
    """Return a reader of what was written."""
    data = contents_of(writer)
    return RunReader(Path("block"), 1, len(data), data)


def test_block_that_has_changed_is_an_error() -> None:
    """Each block has a checksum; the message does not speak of a file, unless one was damaged."""
    job, groups = job_of(1), range(groups_of(3))
    _, (run,) = runs_of_successors(job, 7, boards_near(job), 3, 1)
    data = contents_of(run)
    merged, _ = merge_blocks(job, 7, groups, 3, 1, [], [], [data])
    assert sum(one.file.states for one in merged if one.file is not None) == run.states
    bad, other = data.copy(), data.copy()
    bad[-1] ^= 1
    other[0] ^= 1
    file = RunFile(7, 7, 3, 0, run.states, Written(len(data), ""))
    with pytest.raises(DirectoryError, match=file.name):
        merge_blocks(job, 7, groups, 3, 1, [Layer(7, run.states, (file,))], [file.name], [data, other])
    with pytest.raises(WorkerError, match="a block of successors is not what was kept in the memory of the"):
        merge_blocks(job, 7, groups, 3, 1, [], [], [bad])


def test_task_without_states_makes_empty_blocks() -> None:
    """A stretch of a file in which no block begins: its block has no states, and is merged like the others."""
    job = job_of(2)
    generated, runs = runs_of_successors(job, 7, np.empty(0, np.uint64), 3, 2)
    assert (generated, [run.states for run in runs]) == (0, [0, 0])
    merged, objects = merge_blocks(job, 7, range(1), 3, 1, [], [], [contents_of(runs[0])])
    assert [one.file for one in merged] == objects == [None]


@example([40], 7, 4)
@example([15, 16, 18, 16], 16, 4)
@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=8), st.integers(1, 60), st.sampled_from([1, 2, 4, 8])
)
def test_stretches_are_all_states_in_the_order_of_bundles(sizes: list[int], chunk: int, bundles: int) -> None:
    """Each state is in one stretch; no task has states of two bundles, or many more than it should."""
    nothing = Written(0, "")
    bits = 6
    files = tuple(RunFile(5, 5, bits, group, size, nothing) for group, size in enumerate(sizes))
    layer = Layer(5, sum(sizes), files)
    tasks = stretches_of(layer, chunk, bundles)
    whole = [(file.group, place) for _, some in tasks for file, *ends in some for place in range(*ends)]
    assert whole == [(group, place) for group, size in enumerate(sizes) for place in range(size)]
    for near, some in tasks:
        states = sum(last - first for _, first, last in some)
        assert 0 < states <= chunk + chunk // 8
        if len(files) > 1:
            assert {file.group * bundles // groups_of(bits) for file, _, _ in some} == {near}
    wanted = Counter[int]()
    for file in files:
        wanted[file.group * bundles // groups_of(bits)] += file.states
    wanted = +wanted
    if max(wanted.values(), default=0) <= chunk + chunk // 8:
        assert len(tasks) == len(wanted), "a bundle that is a bit larger is not divided"
    if len(files) == 1:
        assert [near for near, _ in tasks] == list(range(len(tasks)))


@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_tasks_run_where_the_layers_are(kind: type[SlidingTiles]) -> None:
    """What a task has merged is given only to tasks near it."""
    with memory() as opened:
        on_disk(board(kind=kind), workers="ray", exchange="objects")
    (workers,) = opened
    assert set(workers.near) == set(range(4))
    here, elsewhere = workers.moved
    assert here > 100
    assert elsewhere == 0
