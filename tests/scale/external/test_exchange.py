"""Exchange through objects: the same layers, counters and files as through files, and no task reads a file."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve

from searchkit import Limits, certify
from searchkit.compiled.kit.arrays import finished
from searchkit.errors import DirectoryError, InvalidOptionError, WorkerError
from searchkit.scale.exchange import store
from searchkit.scale.exchange.blocks import Block, block_of
from searchkit.scale.external import bfs
from searchkit.scale.external.place import TOGETHER
from searchkit.scale.external.tasks import Divided, InTurn, Job, Sent, kept_pieces, sums_of
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


def test_block_that_has_changed_is_an_error() -> None:
    """The sum of each part is checked."""
    piece = Divided(10, np.arange(10, dtype=np.uint64), np.array([0, 4, 7, 10]))
    arrays = block_of([piece, piece], 2 * sums_of(piece), 1, 2)
    block, out = Block(arrays), np.empty(6, np.uint64)
    assert block.counts.tolist() == [6, 6]
    block.read(1, out)
    assert out.tolist() == [7, 8, 9] * 2
    arrays[-1][4] ^= np.uint64(1)
    with pytest.raises(WorkerError, match="part 1 of a block is not what was kept"):
        Block(arrays).read(1, out)


def test_task_without_states_makes_empty_blocks() -> None:
    """A stretch of a file in which no block begins: its block has no states, and is merged like the others."""
    job = Job(Sent(board()), Path("nowhere"), durable=False, threads=2)
    (piece,) = kept_pieces(job, np.empty(0, np.uint64), 3)
    block = Block(block_of([piece], sums_of(piece), 2, 4))
    assert (piece.generated, block.counts.tolist()) == (0, [0, 0, 0, 0])
    block.read(3, np.empty(0, np.uint64))
